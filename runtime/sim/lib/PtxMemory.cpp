//===- PtxMemory.cpp - Loads, stores and addresses ------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxMemory.h"

#include <string.h>

using namespace warpwright::sim;

char *warpwright::sim::resolve(Thread &thread, PtxSpace space, uint64_t address,
                               uint32_t bytes, PtxAccess access,
                               const char *what) {
  const bool is_store = access == PtxAccess::store;
  if (space == PtxSpace::shared_cta || space == PtxSpace::shared_cluster) {
    if (address % bytes != 0) {
      report(Finding::alignment,
             std::string(what) + " of " + std::to_string(bytes) +
                 " bytes at shared address " + std::to_string(address) +
                 ", which is not a multiple of that");
      return nullptr;
    }
    const SharedPlace place = shared_place(thread, address, bytes,
                                           space == PtxSpace::shared_cta, what);
    if (!place.cta)
      return nullptr;
    if (access == PtxAccess::atomic)
      shared_atomic(*place.cta, place.offset, bytes);
    else
      check_shared_access(*place.cta, place.offset, bytes, is_store);
    return place.data();
  }
  char *pointer = reinterpret_cast<char *>(address);
  if (space == PtxSpace::generic) {
    const SharedPlace place = shared_place(thread, pointer);
    if (place.cta)
      return resolve(thread, PtxSpace::shared_cluster,
                     uint64_t(place.cta->rank) * window_pitch + place.offset,
                     bytes, access, what);
  }
  if (address % bytes != 0) {
    report(Finding::alignment,
           std::string(what) + " of " + std::to_string(bytes) +
               " bytes at an address that is not a multiple of that");
    return nullptr;
  }
  // Parameters, constants and the thread's own stack are not device memory.
  if (space == PtxSpace::global)
    check_started(self(), bytes, access != PtxAccess::load, what);
  if (space == PtxSpace::global &&
      !check_global_access(pointer, bytes, access != PtxAccess::load, what))
    return nullptr;
  return pointer;
}

SharedPlace warpwright::sim::shared_operand(Thread &thread, PtxSpace space,
                                            uint64_t address, uint32_t bytes,
                                            const char *what) {
  if (space == PtxSpace::generic) {
    const SharedPlace place =
        shared_place(thread, reinterpret_cast<const void *>(address));
    if (!place.cta) {
      report(Finding::shared_bounds,
             std::string(what) + " needs an address in shared memory");
      return {};
    }
    address = uint64_t(place.cta->rank) * window_pitch + place.offset;
  }
  return shared_place(thread, address, bytes, space == PtxSpace::shared_cta,
                      what);
}

namespace {

using Kind = PtxOperand::Kind;

uint64_t extend(uint64_t bits, PtxType type) {
  const unsigned shift = 64 - 8 * bytes_of(type);
  if (is_signed(type))
    return static_cast<uint64_t>(static_cast<int64_t>(bits << shift) >> shift);
  return bits;
}

void run_load(PtxFrame &frame, const PtxInstruction &instruction) {
  const unsigned size = bytes_of(instruction.type);
  const uint64_t address = frame.address(instruction.operands[1]);
  const char *from = resolve(frame.thread, instruction.space, address,
                             size * instruction.count, PtxAccess::load, "ld");
  const PtxOperand &to = instruction.operands[0];
  for (unsigned i = 0; i < instruction.count; ++i) {
    uint64_t bits = 0;
    if (from)
      memcpy(&bits, from + i * size, size);
    // A destination may be wider than what is loaded: it is extended.
    const PtxOperand &part = instruction.count > 1 ? to.parts[i] : to;
    frame.set(part, extend(bits, instruction.type), PtxType::b64);
  }
}

void run_store(PtxFrame &frame, const PtxInstruction &instruction) {
  const unsigned size = bytes_of(instruction.type);
  const uint64_t address = frame.address(instruction.operands[0]);
  char *to = resolve(frame.thread, instruction.space, address,
                     size * instruction.count, PtxAccess::store, "st");
  if (!to)
    return;
  const PtxOperand &from = instruction.operands[1];
  char buffer[64];
  for (unsigned i = 0; i < instruction.count; ++i) {
    const uint64_t bits = frame.get(
        instruction.count > 1 ? from.parts[i] : from, instruction.type);
    memcpy(buffer + i * size, &bits, size);
  }
  memcpy(to, buffer, size * instruction.count);
}

void run_cvta(PtxFrame &frame, const PtxInstruction &instruction) {
  const uint64_t value = frame.get(instruction.operands[1], PtxType::b64);
  const bool shared = instruction.space == PtxSpace::shared_cta ||
                      instruction.space == PtxSpace::shared_cluster;
  uint64_t result = value;
  if (shared && instruction.flags) // cvta.to.shared
    result = to_shared_address(reinterpret_cast<const void *>(value));
  else if (shared)
    result = reinterpret_cast<uint64_t>(
        from_shared_address(static_cast<uint32_t>(value)));
  frame.set(instruction.operands[0], result, instruction.type);
}

/// The same place in another block's shared memory.
void run_mapa(PtxFrame &frame, const PtxInstruction &instruction) {
  const uint32_t rank = frame.get32(instruction.operands[2]);
  Thread &thread = frame.thread;
  Cluster &cluster = *thread.cta->cluster;
  if (rank >= cluster.ctas.size()) {
    report(Finding::shared_bounds, "mapa to block " + std::to_string(rank) +
                                       " of a cluster of " +
                                       std::to_string(cluster.ctas.size()));
    return;
  }
  const PtxOperand &source = instruction.operands[1];
  const uint64_t value = source.kind == Kind::address
                             ? frame.address(source)
                             : frame.get(source, PtxType::b64);
  uint64_t result;
  if (instruction.space == PtxSpace::generic) {
    const SharedPlace place =
        shared_place(thread, reinterpret_cast<const void *>(value));
    if (!place.cta) {
      report(Finding::shared_bounds,
             "mapa of an address that is not in shared memory");
      return;
    }
    result =
        reinterpret_cast<uint64_t>(cluster.ctas[rank]->window + place.offset);
  } else {
    result = uint64_t(rank) * window_pitch + value % window_pitch;
  }
  frame.set(instruction.operands[0], result, instruction.type);
}

void run_getctarank(PtxFrame &frame, const PtxInstruction &instruction) {
  const uint64_t value = frame.get(instruction.operands[1], PtxType::b64);
  uint64_t rank = value / window_pitch;
  if (instruction.space == PtxSpace::generic) {
    const SharedPlace place =
        shared_place(frame.thread, reinterpret_cast<const void *>(value));
    rank = place.cta ? place.cta->rank : 0;
  }
  frame.set(instruction.operands[0], rank, PtxType::b32);
}

void run_isspacep(PtxFrame &frame, const PtxInstruction &instruction) {
  const uint64_t value = frame.get(instruction.operands[1], PtxType::b64);
  const SharedPlace place =
      shared_place(frame.thread, reinterpret_cast<const void *>(value));
  bool result = false;
  switch (instruction.space) {
  case PtxSpace::shared_cta:
    result = place.cta == frame.thread.cta;
    break;
  case PtxSpace::shared_cluster:
    result = place.cta != nullptr;
    break;
  case PtxSpace::global:
    result = !place.cta;
    break;
  default:
    break;
  }
  frame.set(instruction.operands[0], result, PtxType::pred);
}

//===----------------------------------------------------------------------===//
// cp.async without bulk
//===----------------------------------------------------------------------===//

/// Moves the bytes of a copy that has not been done yet.
void finish(CopyGroup &group) {
  for (CopyGroup::Copy &copy : group.copies) {
    if (copy.done)
      continue;
    char *to = copy.cta->window + copy.to;
    memcpy(to, copy.from, copy.bytes);
    memset(to + copy.bytes, 0, copy.filled - copy.bytes);
    copy.done = true;
  }
}

void finish_and_publish(Thread &thread, CopyGroup &group) {
  finish(group);
  if (group.write != 0)
    async(*thread.cta).shadow.op(group.write).done[0] = now(*thread.warp);
}

void run_copy(PtxFrame &frame, const PtxInstruction &instruction) {
  Thread &thread = frame.thread;
  const std::string what = instruction.text();
  const uint32_t bytes = frame.get32(instruction.operands[2]);
  uint32_t read = bytes;
  // "cp.async dst, src, 16, 8": 8 bytes and zeros. A cache policy, or a
  // predicate to ignore the source, may follow.
  if (instruction.operands.size() > 3 && !instruction.has("L2::cache_hint"))
    read = frame.get32(instruction.operands[3]);
  if ((bytes != 4 && bytes != 8 && bytes != 16) || read > bytes) {
    report(Finding::alignment,
           what + " of " + std::to_string(bytes) +
               " bytes: 4, 8 or 16 are possible, and no more may be read");
    return;
  }
  const uint64_t from = frame.address(instruction.operands[1]);
  const uint64_t to = frame.address(instruction.operands[0]);
  if (from % bytes != 0 || to % bytes != 0) {
    report(Finding::alignment, what + ": both addresses must be multiples of " +
                                   std::to_string(bytes));
    return;
  }
  const SharedPlace place = shared_place(thread, to, bytes, true, what.c_str());
  if (!place.cta ||
      (read > 0 && !check_global_access(reinterpret_cast<void *>(from), read,
                                        false, what.c_str())))
    return;
  CopyGroup &group = async(thread).open_copies;
  if (place.cta->cluster->options.checks) {
    Shadow &shadow = async(*place.cta).shadow;
    if (group.write == 0) {
      group.write = shadow.new_op(AsyncOp::Kind::copy, what);
      shadow.op(group.write).warps[0] = thread.warp->clock_index;
    }
    shadow.copy_write(thread, *place.cta, place.offset, bytes, group.write);
  }
  group.copies.push_back(
      {place.cta, place.offset, reinterpret_cast<const char *>(from),
       static_cast<uint8_t>(read), static_cast<uint8_t>(bytes), false});
  if (place.cta->cluster->random(2))
    finish(group);
  else
    memset(place.data(), 0xff, bytes);
}

void run_copy_commit(PtxFrame &frame, const PtxInstruction &) {
  AsyncThread &state = async(frame.thread);
  state.copies.push_back(std::move(state.open_copies));
  state.open_copies = {};
}

void run_copy_wait(PtxFrame &frame, const PtxInstruction &instruction) {
  AsyncThread &state = async(frame.thread);
  const bool all = instruction.operands.empty();
  if (all)
    finish_and_publish(frame.thread, state.open_copies);
  const size_t pending = all ? 0 : frame.get32(instruction.operands[0]);
  while (state.copies.size() > pending) {
    finish_and_publish(frame.thread, state.copies.front());
    state.copies.pop_front();
  }
  if (all)
    state.open_copies = {};
  tick(*frame.thread.warp);
  reschedule();
}

/// The arrival when all earlier copies of the thread are done: here, now.
void run_copy_arrive(PtxFrame &frame, const PtxInstruction &instruction) {
  Thread &thread = frame.thread;
  AsyncThread &state = async(thread);
  const SharedPlace place = shared_operand(
      thread, instruction.space, frame.address(instruction.operands[0]), 8,
      "cp.async.mbarrier.arrive");
  if (!place.cta)
    return;
  for (CopyGroup &group : state.copies)
    finish_and_publish(thread, group);
  finish_and_publish(thread, state.open_copies);
  state.copies.clear();
  state.open_copies = {};
  Mbarrier *barrier = find_mbarrier(thread, *place.cta, place.offset,
                                    "cp.async.mbarrier.arrive", false);
  if (!barrier)
    return;
  // Without .noinc the pending count goes up first: the arrival changes
  // nothing but the phase cannot end before it.
  if (!instruction.has("noinc"))
    ++barrier->pending;
  mbarrier_arrive(thread, *place.cta, place.offset, 1, false, 0, true);
  reschedule();
}

bool decode_copy(PtxInstruction &instruction) {
  const size_t operands = instruction.operands.size();
  if (instruction.has("bulk") || instruction.name.size() < 3)
    return false;
  if (instruction.has("commit_group"))
    instruction.run = run_copy_commit;
  else if (instruction.has("wait_group") && operands == 1)
    instruction.run = run_copy_wait;
  else if (instruction.has("wait_all") && operands == 0)
    instruction.run = run_copy_wait;
  else if (instruction.has("mbarrier") && instruction.has("arrive") &&
           operands == 1)
    instruction.run = run_copy_arrive;
  else if ((instruction.has("ca") || instruction.has("cg")) && operands >= 3)
    instruction.run = run_copy;
  else
    return false;
  instruction.space = space_of(instruction);
  return true;
}

bool decode_access(PtxInstruction &instruction, bool is_store) {
  if (instruction.operands.size() < 2)
    return false;
  instruction.type = ptx_type(instruction.name.back());
  instruction.space = space_of(instruction);
  for (const char *vector : {"v2", "v4", "v8"})
    if (instruction.has(vector))
      instruction.count = static_cast<uint8_t>(vector[1] - '0');
  const PtxOperand &value = instruction.operands[is_store ? 1 : 0];
  const PtxOperand &place = instruction.operands[is_store ? 0 : 1];
  // "ld.v4.u32 %0, [a]" without braces is not PTX.
  if (instruction.count > 1 &&
      (value.kind != Kind::vector || value.parts.size() != instruction.count))
    return false;
  if (instruction.type == PtxType::none || instruction.type == PtxType::b128 ||
      place.kind != Kind::address || instruction.name[0] == "ldmatrix" ||
      instruction.has("async") ||
      bytes_of(instruction.type) * instruction.count > 32)
    return false;
  instruction.run = is_store ? run_store : run_load;
  return true;
}

} // namespace

bool warpwright::sim::decode_memory(PtxInstruction &instruction) {
  const std::string &name = instruction.name[0];
  const size_t operands = instruction.operands.size();
  if (name == "ld" || name == "ldu")
    return decode_access(instruction, false);
  if (name == "st")
    return decode_access(instruction, true);
  if (name == "cp" && instruction.has("async"))
    return decode_copy(instruction);
  instruction.space = space_of(instruction);
  instruction.type = ptx_type(instruction.name.back());
  if (name == "cvta" && operands == 2) {
    instruction.flags = instruction.has("to");
    instruction.run = run_cvta;
  } else if (name == "mapa" && operands == 3) {
    instruction.run = run_mapa;
  } else if (name == "getctarank" && operands == 2) {
    instruction.run = run_getctarank;
  } else if (name == "isspacep" && operands == 2) {
    instruction.run = run_isspacep;
    return true;
  } else {
    return false;
  }
  return instruction.type != PtxType::none;
}
