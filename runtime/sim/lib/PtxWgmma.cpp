//===- PtxWgmma.cpp - wgmma instructions ----------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Async.h"
#include "Ptx.h"
#include "Trace.h"
#include "WgmmaDescriptor.h"

#include <stdlib.h>

using namespace warpwright::sim;

namespace {

using Kind = PtxOperand::Kind;

enum Flag : uint32_t { a_in_registers = 1, saturates = 2 };

bool find_element(PtxType type, ElementType &result) {
  switch (type) {
  case PtxType::f16:
    result = ElementType::f16;
    return true;
  case PtxType::bf16:
    result = ElementType::bf16;
    return true;
  case PtxType::tf32:
    result = ElementType::tf32;
    return true;
  case PtxType::e4m3:
    result = ElementType::e4m3;
    return true;
  case PtxType::e5m2:
    result = ElementType::e5m2;
    return true;
  case PtxType::s8:
    result = ElementType::s8;
    return true;
  case PtxType::u8:
    result = ElementType::u8;
    return true;
  case PtxType::b1:
    result = ElementType::b1;
    return true;
  default:
    return false;
  }
}

WgmmaShape shape_of(const PtxInstruction &instruction) {
  WgmmaShape shape;
  find_element(instruction.source_type, shape.a);
  find_element(static_cast<PtxType>(instruction.variant), shape.b);
  shape.d = static_cast<AccumulatorType>(instruction.operation);
  shape.n = instruction.n;
  shape.k = 32 / bytes_of(shape.a);
  shape.saturate = instruction.flags & saturates;
  shape.a_in_registers = instruction.flags & a_in_registers;
  return shape;
}

int scale_of(PtxFrame &frame, const PtxOperand &operand) {
  return static_cast<int32_t>(frame.get32(operand)) < 0 ? -1 : 1;
}

void trace_multiply(Thread &thread, const WgmmaShape &shape,
                    const WgmmaLane &lane) {
  auto address = [&](uint64_t descriptor) {
    return traced_address(thread, decode_descriptor(descriptor).start);
  };
  if (shape.a_in_registers)
    trace(thread, "wgmma_registers", {address(lane.b_descriptor)});
  else
    trace(thread, "wgmma",
          {address(lane.a_descriptor), address(lane.b_descriptor)});
}

void run_multiply(PtxFrame &frame, const PtxInstruction &instruction) {
  const WgmmaShape shape = shape_of(instruction);
  const std::vector<PtxOperand> &operands = instruction.operands;
  WgmmaLane mine;
  const std::vector<PtxOperand> &d = operands[0].parts;
  for (size_t i = 0; i < d.size(); ++i) {
    const AsmOperand *argument =
        d[i].kind == Kind::argument ? &frame.arguments[d[i].index] : nullptr;
    if (!argument || !argument->address || argument->bytes != 4) {
      report(Finding::unsupported,
             "the accumulators of a wgmma must be outputs of the asm "
             "statement (\"+f\" or \"+r\"): the simulator must find them when "
             "the wgmma is over");
      return;
    }
    mine.accumulators[i] = static_cast<char *>(argument->address);
  }
  mine.a_descriptor = 0;
  if (shape.a_in_registers)
    for (unsigned r = 0; r < 4; ++r) {
      const PtxOperand &part = operands[1].parts[r];
      mine.a[r] = frame.get32(part);
      mine.a_registers[r] =
          part.kind == Kind::argument
              ? static_cast<char *>(frame.arguments[part.index].address)
              : nullptr;
    }
  else
    mine.a_descriptor = frame.get(operands[1], PtxType::b64);
  mine.b_descriptor = frame.get(operands[2], PtxType::b64);
  mine.scale_d = frame.get_predicate(operands[3]);
  const size_t count = operands.size();
  mine.scale_a = count > 4 ? scale_of(frame, operands[4]) : 1;
  mine.scale_b = count > 5 ? scale_of(frame, operands[5]) : 1;
  // The transposition bits: of A (not from registers) and B.
  mine.a_transposed = count > 7 && frame.get32(operands[6]) != 0;
  mine.b_transposed = count > 6 && frame.get32(operands[count - 1]) != 0;
  trace_multiply(frame.thread, shape, mine);
  meet_aligned(&instruction, "wgmma.mma_async", &mine,
               [&shape, &instruction](Warp &warp, void *const *payload) {
                 const WgmmaLane *lanes[32];
                 for (unsigned lane = 0; lane < 32; ++lane) {
                   lanes[lane] = static_cast<const WgmmaLane *>(payload[lane]);
                   if (!lanes[lane]) {
                     report(
                         Finding::divergence,
                         "wgmma.mma_async by a warp of less than 32 threads");
                     return;
                   }
                 }
                 wgmma_issue(warp, shape, instruction.text().c_str(), lanes);
               });
}

void run_fence(PtxFrame &frame, const PtxInstruction &instruction) {
  trace(frame.thread, "wgmma_fence");
  meet_aligned(&instruction, "wgmma.fence", nullptr,
               [](Warp &warp, void *const *) { wgmma_fence(warp); });
}
void run_commit(PtxFrame &frame, const PtxInstruction &instruction) {
  trace(frame.thread, "wgmma_commit");
  meet_aligned(&instruction, "wgmma.commit_group", nullptr,
               [](Warp &warp, void *const *) { wgmma_commit(warp); });
}
void run_wait(PtxFrame &frame, const PtxInstruction &instruction) {
  const uint32_t pending = frame.get32(instruction.operands[0]);
  trace(frame.thread, "wgmma_wait", {pending});
  meet_aligned(&instruction, "wgmma.wait_group", nullptr,
               [](Warp &, void *const *) {});
  wgmma_wait(frame.thread, pending);
  reschedule();
}

/// m64n8 to m64n256.
bool parse_shape(const std::string &name, unsigned &n, unsigned &k) {
  if (name.compare(0, 4, "m64n") != 0)
    return false;
  char *end;
  n = static_cast<unsigned>(strtoul(name.c_str() + 4, &end, 10));
  if (*end != 'k')
    return false;
  k = static_cast<unsigned>(strtoul(end + 1, &end, 10));
  return *end == 0 && n >= 8 && n <= 256 && n % 8 == 0;
}

/// wgmma.mma_async.sync.aligned.shape{.satfinite}.dtype.atype.btype; programs
/// also write .satfinite last.
bool decode_multiply(PtxInstruction &instruction) {
  const size_t length = instruction.name.size();
  if (length < 8 || instruction.has("sp"))
    return false;
  size_t last = length - 1;
  if (instruction.name[last] == "satfinite")
    --last;
  if (instruction.name[last] == "popc") { // .b1.b1.and.popc
    last -= 2;
  }
  const PtxType d = ptx_type(instruction.name[last - 2]);
  const PtxType a = ptx_type(instruction.name[last - 1]);
  const PtxType b = ptx_type(instruction.name[last]);
  ElementType a_type, b_type;
  if (!parse_shape(instruction.name[4], instruction.n, instruction.k) ||
      !find_element(a, a_type) || !find_element(b, b_type))
    return false;
  const bool narrow =
      a_type == ElementType::e4m3 || a_type == ElementType::e5m2;
  const bool integer = a_type == ElementType::s8 || a_type == ElementType::u8;
  const bool sixteen =
      a_type == ElementType::f16 || a_type == ElementType::bf16;
  const bool same =
      narrow    ? b_type == ElementType::e4m3 || b_type == ElementType::e5m2
      : integer ? b_type == ElementType::s8 || b_type == ElementType::u8
                : a_type == b_type;
  const unsigned k = a_type == ElementType::b1 ? 256 : 32 / bytes_of(a_type);
  if (!same || instruction.k != k)
    return false;
  if (is_integer(a_type)) {
    // n is 8, 16, 24, 32, 48, 64 ...
    if (d != PtxType::s32 || (instruction.n > 24 && instruction.n % 16 != 0))
      return false;
    instruction.operation = static_cast<uint8_t>(AccumulatorType::s32);
  } else if (d == PtxType::f16 && (a_type == ElementType::f16 || narrow)) {
    instruction.operation = static_cast<uint8_t>(AccumulatorType::f16);
  } else if (d == PtxType::f32) {
    instruction.operation = static_cast<uint8_t>(AccumulatorType::f32);
  } else {
    return false;
  }
  instruction.source_type = a;
  instruction.variant = static_cast<uint8_t>(b);
  if (instruction.has("satfinite"))
    instruction.flags |= saturates;
  const size_t operands = instruction.operands.size();
  if (operands < 4 || instruction.operands[0].kind != Kind::vector)
    return false;
  const bool in_registers = instruction.operands[1].kind == Kind::vector;
  if (in_registers) {
    instruction.flags |= a_in_registers;
    if (instruction.operands[1].parts.size() != 4)
      return false;
  }
  const size_t wanted = is_integer(a_type) ? 4
                        : !sixteen         ? 6
                        : in_registers     ? 7
                                           : 8;
  instruction.run = run_multiply;
  return operands == wanted && instruction.operands[0].parts.size() ==
                                   shape_of(instruction).registers();
}

} // namespace

bool warpwright::sim::decode_wgmma(PtxInstruction &instruction) {
  if (instruction.name[0] != "wgmma" || instruction.name.size() < 2)
    return false;
  const std::string &what = instruction.name[1];
  if (what == "mma_async")
    return decode_multiply(instruction);
  if (what == "fence")
    instruction.run = run_fence;
  else if (what == "commit_group")
    instruction.run = run_commit;
  else if (what == "wait_group" && instruction.operands.size() == 1)
    instruction.run = run_wait;
  return instruction.run != nullptr;
}
