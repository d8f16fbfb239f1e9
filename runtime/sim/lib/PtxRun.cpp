//===- PtxRun.cpp - Running asm statements --------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Async.h"
#include "Machine.h"
#include "Ptx.h"

#include <mutex>
#include <string.h>
#include <time.h>

using namespace warpwright::sim;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {

struct TypeInfo {
  const char *name;
  PtxType type;
  unsigned bytes;
};
const TypeInfo type_infos[] = {
    {"", PtxType::none, 0},         {"b8", PtxType::b8, 1},
    {"b16", PtxType::b16, 2},       {"b32", PtxType::b32, 4},
    {"b64", PtxType::b64, 8},       {"b128", PtxType::b128, 16},
    {"u8", PtxType::u8, 1},         {"u16", PtxType::u16, 2},
    {"u32", PtxType::u32, 4},       {"u64", PtxType::u64, 8},
    {"s8", PtxType::s8, 1},         {"s16", PtxType::s16, 2},
    {"s32", PtxType::s32, 4},       {"s64", PtxType::s64, 8},
    {"f16", PtxType::f16, 2},       {"bf16", PtxType::bf16, 2},
    {"f16x2", PtxType::f16x2, 4},   {"bf16x2", PtxType::bf16x2, 4},
    {"tf32", PtxType::tf32, 4},     {"f32", PtxType::f32, 4},
    {"f64", PtxType::f64, 8},       {"e4m3", PtxType::e4m3, 1},
    {"e5m2", PtxType::e5m2, 1},     {"e4m3x2", PtxType::e4m3x2, 2},
    {"e5m2x2", PtxType::e5m2x2, 2}, {"b1", PtxType::b1, 1},
    {"pred", PtxType::pred, 1},
};

} // namespace

PtxType warpwright::sim::ptx_type(const std::string &name) {
  for (const TypeInfo &info : type_infos)
    if (info.type != PtxType::none && name == info.name)
      return info.type;
  return PtxType::none;
}

unsigned warpwright::sim::bytes_of(PtxType type) {
  return type_infos[static_cast<unsigned>(type)].bytes;
}

bool warpwright::sim::is_signed(PtxType type) {
  return type == PtxType::s8 || type == PtxType::s16 || type == PtxType::s32 ||
         type == PtxType::s64;
}

bool warpwright::sim::is_float(PtxType type) {
  return type >= PtxType::f16 && type <= PtxType::f64;
}

PtxSpace warpwright::sim::space_of(const PtxInstruction &instruction) {
  for (const std::string &part : instruction.name) {
    if (part == "shared" || part == "shared::cta")
      return PtxSpace::shared_cta;
    if (part == "shared::cluster")
      return PtxSpace::shared_cluster;
    if (part == "global")
      return PtxSpace::global;
    if (part == "local")
      return PtxSpace::local;
    if (part == "const" || part == "param")
      return PtxSpace::constant;
  }
  return PtxSpace::generic;
}

//===----------------------------------------------------------------------===//
// Special registers
//===----------------------------------------------------------------------===//

namespace warpwright {
namespace sim {

enum class SpecialRegister : uint8_t {
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  cluster_ctaid_x,
  cluster_ctaid_y,
  cluster_ctaid_z,
  cluster_nctaid_x,
  cluster_nctaid_y,
  cluster_nctaid_z,
  clusterid_x,
  clusterid_y,
  clusterid_z,
  nclusterid_x,
  nclusterid_y,
  nclusterid_z,
  cluster_ctarank,
  cluster_nctarank,
  is_explicit_cluster,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  clock,
  clock_hi,
  clock64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
};

} // namespace sim
} // namespace warpwright

namespace {

// In the order of the enumeration.
const char *const special_names[] = {
    "tid.x",
    "tid.y",
    "tid.z",
    "ntid.x",
    "ntid.y",
    "ntid.z",
    "ctaid.x",
    "ctaid.y",
    "ctaid.z",
    "nctaid.x",
    "nctaid.y",
    "nctaid.z",
    "cluster_ctaid.x",
    "cluster_ctaid.y",
    "cluster_ctaid.z",
    "cluster_nctaid.x",
    "cluster_nctaid.y",
    "cluster_nctaid.z",
    "clusterid.x",
    "clusterid.y",
    "clusterid.z",
    "nclusterid.x",
    "nclusterid.y",
    "nclusterid.z",
    "cluster_ctarank",
    "cluster_nctarank",
    "is_explicit_cluster",
    "laneid",
    "warpid",
    "nwarpid",
    "smid",
    "nsmid",
    "gridid",
    "clock",
    "clock_hi",
    "clock64",
    "globaltimer",
    "globaltimer_lo",
    "globaltimer_hi",
    "lanemask_eq",
    "lanemask_le",
    "lanemask_lt",
    "lanemask_ge",
    "lanemask_gt",
    "dynamic_smem_size",
    "total_smem_size",
};

unsigned component(const Index3 &index, unsigned which) {
  return which == 0 ? index.x : which == 1 ? index.y : index.z;
}

uint64_t nanoseconds() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000u +
         static_cast<uint64_t>(now.tv_nsec);
}

} // namespace

bool warpwright::sim::find_special(const std::string &name,
                                   SpecialRegister &which) {
  unsigned index = 0;
  for (const char *candidate : special_names) {
    if (name == candidate) {
      which = static_cast<SpecialRegister>(index);
      return true;
    }
    ++index;
  }
  return false;
}

uint64_t warpwright::sim::read_special(SpecialRegister which,
                                       const Thread &thread) {
  const Cta &cta = *thread.cta;
  const Cluster &cluster = *cta.cluster;
  const unsigned index = static_cast<unsigned>(which), axis = index % 3;
  if (which <= SpecialRegister::nclusterid_z) {
    const Index3 *const triples[] = {&thread.threadIdx, &thread.blockDim,
                                     &thread.blockIdx, &thread.gridDim};
    const unsigned shape = component(cluster.shape, axis);
    if (index < 12)
      return component(*triples[index / 3], axis);
    if (which <= SpecialRegister::cluster_ctaid_z)
      return component(thread.blockIdx, axis) % shape;
    if (which <= SpecialRegister::cluster_nctaid_z)
      return shape;
    if (which <= SpecialRegister::clusterid_z)
      return component(thread.blockIdx, axis) / shape;
    return (component(thread.gridDim, axis) + shape - 1) / shape;
  }
  switch (which) {
  case SpecialRegister::cluster_ctarank:
    return cta.rank;
  case SpecialRegister::cluster_nctarank:
    return cluster.ctas.size();
  case SpecialRegister::is_explicit_cluster:
    return cluster.ctas.size() > 1;
  case SpecialRegister::laneid:
    return thread.lane;
  case SpecialRegister::warpid:
    return thread.warp->index;
  case SpecialRegister::nwarpid:
    return cta.warps.size();
  case SpecialRegister::smid: {
    // As if every CTA had a multiprocessor to itself, in turn.
    const uint64_t block =
        thread.blockIdx.x +
        static_cast<uint64_t>(thread.gridDim.x) *
            (thread.blockIdx.y +
             static_cast<uint64_t>(thread.gridDim.y) * thread.blockIdx.z);
    return block % 132;
  }
  case SpecialRegister::nsmid:
    return 132;
  case SpecialRegister::clock:
  case SpecialRegister::clock64:
    return static_cast<uint64_t>(warpwright::sim::clock64());
  case SpecialRegister::clock_hi:
    return static_cast<uint64_t>(warpwright::sim::clock64()) >> 32;
  case SpecialRegister::globaltimer:
  case SpecialRegister::globaltimer_lo:
    return nanoseconds();
  case SpecialRegister::globaltimer_hi:
    return nanoseconds() >> 32;
  case SpecialRegister::lanemask_eq:
    return uint64_t(1) << thread.lane;
  case SpecialRegister::lanemask_le:
    return (uint64_t(2) << thread.lane) - 1;
  case SpecialRegister::lanemask_lt:
    return (uint64_t(1) << thread.lane) - 1;
  case SpecialRegister::lanemask_ge:
    return 0xffffffffu & ~((uint64_t(1) << thread.lane) - 1);
  case SpecialRegister::lanemask_gt:
    return 0xffffffffu & ~((uint64_t(2) << thread.lane) - 1);
  case SpecialRegister::dynamic_smem_size:
    return cta.window_end - cta.dynamic_begin;
  case SpecialRegister::total_smem_size:
    return cta.window_end;
  default:
    return 0;
  }
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

uint64_t PtxFrame::get(const PtxOperand &operand, PtxType type) const {
  switch (operand.kind) {
  case PtxOperand::Kind::reg:
    return slots[operand.index];
  case PtxOperand::Kind::argument: {
    const AsmOperand &argument = arguments[operand.index];
    if (!argument.address)
      return argument.value;
    uint64_t bits = 0;
    memcpy(&bits, argument.address, argument.bytes < 8 ? argument.bytes : 8);
    return bits;
  }
  case PtxOperand::Kind::immediate: {
    if (!operand.is_real)
      return operand.bits;
    uint64_t bits = 0;
    if (type == PtxType::f64 || type == PtxType::b64) {
      memcpy(&bits, &operand.number, sizeof(bits));
    } else {
      const float value = static_cast<float>(operand.number);
      memcpy(&bits, &value, sizeof(value));
    }
    return bits;
  }
  case PtxOperand::Kind::special:
    return read_special(operand.special, thread);
  case PtxOperand::Kind::vector: {
    // mov.b64 d, {lo, hi}: parts of equal size, the first lowest.
    const unsigned bits =
        8 * bytes_of(type) / static_cast<unsigned>(operand.parts.size());
    uint64_t value = 0;
    for (size_t i = operand.parts.size(); i-- > 0;) {
      const uint64_t part = get(operand.parts[i], PtxType::b64);
      value = (bits < 64 ? value << bits : 0) |
              (bits < 64 ? part & ((uint64_t(1) << bits) - 1) : part);
    }
    return value;
  }
  default:
    return 0;
  }
}

bool PtxFrame::get_predicate(const PtxOperand &operand) const {
  // "p", "!p", or a plain number where an immediate 0 or 1 is allowed.
  return (get(operand, PtxType::pred) != 0) != operand.negated;
}

void PtxFrame::set(const PtxOperand &operand, uint64_t bits, PtxType type) {
  const unsigned bytes = bytes_of(type);
  if (bytes < 8)
    bits &= (uint64_t(1) << (8 * bytes)) - 1;
  switch (operand.kind) {
  case PtxOperand::Kind::reg:
    slots[operand.index] = bits;
    break;
  case PtxOperand::Kind::argument: {
    const AsmOperand &argument = arguments[operand.index];
    if (argument.address)
      memcpy(argument.address, &bits, argument.bytes < 8 ? argument.bytes : 8);
    break;
  }
  case PtxOperand::Kind::vector: {
    const unsigned part =
        8 * bytes / static_cast<unsigned>(operand.parts.size());
    for (size_t i = 0; i < operand.parts.size(); ++i)
      set(operand.parts[i], bits >> (part * i),
          part == 32   ? PtxType::b32
          : part == 16 ? PtxType::b16
                       : PtxType::b8);
    break;
  }
  default:
    break;
  }
}

uint64_t PtxFrame::address(const PtxOperand &operand) const {
  uint64_t base = get(operand.parts[0], PtxType::b64) + operand.bits;
  if (operand.parts.size() > 2)
    base += get(operand.parts[2], PtxType::b64);
  return base;
}

//===----------------------------------------------------------------------===//
// Control flow and what does nothing here
//===----------------------------------------------------------------------===//

namespace {

/// Backward branches of one execution before others are let run: the spin
/// loops of asm texts.
constexpr unsigned patience = 64;

void run_branch(PtxFrame &frame, const PtxInstruction &instruction) {
  frame.next = instruction.operands[0].index;
}
void run_nothing(PtxFrame &, const PtxInstruction &) {}
void run_trap(PtxFrame &, const PtxInstruction &) { trap(); }
void run_nanosleep(PtxFrame &frame, const PtxInstruction &instruction) {
  nanosleep(frame.get32(instruction.operands[0]));
}
void run_wait_for_kernel(PtxFrame &, const PtxInstruction &) {
  wait_for_previous_kernel();
}
void run_fence(PtxFrame &, const PtxInstruction &instruction) {
  thread_fence(instruction.operation);
}
void run_policy(PtxFrame &frame, const PtxInstruction &instruction) {
  // An opaque value that cache hints take; this is evict_normal's.
  frame.set(instruction.operands[0], 0x1000000000000000u, PtxType::b64);
}

bool decode_control(PtxInstruction &instruction) {
  const std::string &name = instruction.name[0];
  const size_t operands = instruction.operands.size();
  if (name == "bra" && operands == 1) {
    instruction.run = run_branch;
  } else if (name == "prefetch" || name == "prefetchu" || name == "discard" ||
             name == "applypriority" || name == "brkpt" || name == "pmevent") {
    instruction.run = run_nothing;
  } else if (name == "griddepcontrol") {
    // Launches run one after the other: what it waits for is over.
    instruction.run =
        instruction.has("wait") ? run_wait_for_kernel : run_nothing;
  } else if (name == "createpolicy" && operands >= 1) {
    instruction.run = run_policy;
  } else if (name == "trap") {
    instruction.run = run_trap;
  } else if (name == "nanosleep" && operands == 1) {
    instruction.run = run_nanosleep;
  } else if (name == "membar" || name == "fence") {
    if (instruction.has("proxy") || instruction.has("mbarrier_init"))
      return false; // decode_barrier's
    instruction.operation = instruction.has("sys") ? 2
                            : instruction.has("gpu") || instruction.has("gl")
                                ? 1
                                : 0;
    instruction.run = run_fence;
  } else {
    return false;
  }
  return true;
}

} // namespace

bool warpwright::sim::decode(PtxInstruction &instruction) {
  return decode_control(instruction) || decode_scalar(instruction) ||
         decode_float(instruction) || decode_convert(instruction) ||
         decode_memory(instruction) || decode_atomic(instruction) ||
         decode_warp(instruction) || decode_barrier(instruction) ||
         decode_mbarrier(instruction) || decode_bulk(instruction) ||
         decode_matrix(instruction) || decode_wgmma(instruction);
}

void warpwright::sim::run_asm(AsmSite &site, AsmOperand *operands,
                              size_t count) {
  CompiledAsm *compiled = __atomic_load_n(&site.compiled, __ATOMIC_ACQUIRE);
  if (!compiled) {
    // Several host threads may come here first; the text is parsed once.
    static std::mutex mutex;
    const std::lock_guard<std::mutex> lock(mutex);
    compiled = __atomic_load_n(&site.compiled, __ATOMIC_ACQUIRE);
    if (!compiled) {
      // Lives as long as the program, like the site.
      compiled = compile_asm(site.text, operands, count).release();
      __atomic_store_n(&site.compiled, compiled, __ATOMIC_RELEASE);
    }
  }
  if (!compiled->error.empty()) {
    report(Finding::unsupported, compiled->error);
    return;
  }
  if (compiled->code.empty())
    return;
  if (!current_thread) {
    report(Finding::unsupported, "inline PTX outside of device code");
    return;
  }

  constexpr unsigned few = 24;
  uint64_t on_stack[few];
  std::vector<uint64_t> on_heap;
  uint64_t *slots = on_stack;
  if (compiled->slots > few) {
    on_heap.resize(compiled->slots);
    slots = on_heap.data();
  } else {
    memset(on_stack, 0, sizeof(on_stack));
  }
  PtxFrame frame{self(), operands, count, slots};
  unsigned backward = 0;
  while (frame.next < compiled->code.size()) {
    const PtxInstruction &instruction = compiled->code[frame.next];
    const unsigned here = frame.next++;
    if (instruction.guard >= 0 &&
        (slots[instruction.guard] != 0) == instruction.guard_negated)
      continue;
    instruction.run(frame, instruction);
    if (frame.next <= here && ++backward % patience == 0)
      yield();
  }
}
