//===- PtxAtomic.cpp - atom and red ---------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxFloat.h"
#include "PtxMemory.h"

#include <string.h>

using namespace warpwright::sim;

namespace {

enum Operation : uint8_t {
  add,
  min_,
  max_,
  inc,
  dec,
  and_,
  or_,
  xor_,
  exch,
  cas
};
const char *const names[] = {"add", "min", "max", "inc",  "dec",
                             "and", "or",  "xor", "exch", "cas"};

uint64_t combine_one(Operation what, PtxType type, uint64_t old, uint64_t a,
                     uint64_t b) {
  const unsigned bytes = bytes_of(type);
  const uint64_t mask = bytes < 8 ? (uint64_t(1) << (8 * bytes)) - 1 : ~0ull;
  a &= mask;
  switch (what) {
  case inc:
    return old >= a ? 0 : old + 1;
  case dec:
    return old == 0 || old > a ? a : old - 1;
  case and_:
    return old & a;
  case or_:
    return old | a;
  case xor_:
    return old ^ a;
  case exch:
    return a;
  case cas:
    return old == a ? b & mask : old;
  default:
    break;
  }
  if (is_float(type)) {
    const double x = to_double(old, type), y = to_double(a, type);
    const double result = what == add    ? x + y
                          : what == min_ ? (y < x ? y : x)
                                         : (y > x ? y : x);
    return from_double(result, type) & mask;
  }
  if (what == add)
    return (old + a) & mask;
  bool less = a < old;
  if (is_signed(type)) {
    const unsigned shift = 64 - 8 * bytes;
    less =
        static_cast<int64_t>(a << shift) < static_cast<int64_t>(old << shift);
  }
  return less == (what == min_) ? a : old;
}

uint64_t combine(Operation what, PtxType type, uint64_t old, uint64_t a,
                 uint64_t b) {
  if (type != PtxType::f16x2 && type != PtxType::bf16x2)
    return combine_one(what, type, old, a, b);
  const PtxType half = type == PtxType::f16x2 ? PtxType::f16 : PtxType::bf16;
  return combine_one(what, half, old & 0xffff, a & 0xffff, 0) |
         combine_one(what, half, old >> 16 & 0xffff, a >> 16 & 0xffff, 0) << 16;
}

/// Returns the old value. Other clusters run on other host threads.
template <class Word>
uint64_t update(char *at, Operation what, PtxType type, uint64_t a,
                uint64_t b) {
  Word *place = reinterpret_cast<Word *>(at);
  Word old = __atomic_load_n(place, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(
      place, &old, static_cast<Word>(combine(what, type, old, a, b)), false,
      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
    ;
  return old;
}

void run_atomic(PtxFrame &frame, const PtxInstruction &instruction) {
  const bool returns = instruction.flags;
  const unsigned first = returns ? 1 : 0; // the address
  const PtxType type = instruction.type;
  const unsigned size = bytes_of(type), count = instruction.count;
  char *at = resolve(frame.thread, instruction.space,
                     frame.address(instruction.operands[first]), size * count,
                     PtxAccess::atomic, returns ? "atom" : "red");
  if (!at)
    return;
  const Operation what = static_cast<Operation>(instruction.operation);
  for (unsigned i = 0; i < count; ++i) {
    const PtxOperand &value = instruction.operands[first + 1];
    const uint64_t a = frame.get(count > 1 ? value.parts[i] : value, type);
    const uint64_t b =
        what == cas ? frame.get(instruction.operands[first + 2], type) : 0;
    char *to = at + i * size;
    const uint64_t old = size == 2   ? update<uint16_t>(to, what, type, a, b)
                         : size == 4 ? update<uint32_t>(to, what, type, a, b)
                                     : update<uint64_t>(to, what, type, a, b);
    if (!returns)
      continue;
    const PtxOperand &result = instruction.operands[0];
    frame.set(count > 1 ? result.parts[i] : result, old, type);
  }
  reschedule();
}

} // namespace

bool warpwright::sim::decode_atomic(PtxInstruction &instruction) {
  const std::string &name = instruction.name[0];
  if ((name != "atom" && name != "red") || instruction.has("async"))
    return false;
  const bool returns = name == "atom";
  bool found = false;
  for (uint8_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    if (instruction.has(names[i])) {
      instruction.operation = i;
      found = true;
    }
  instruction.type = ptx_type(instruction.name.back());
  instruction.space = space_of(instruction);
  instruction.flags = returns;
  const unsigned first = returns ? 1 : 0;
  const size_t wanted = first + (instruction.operation == cas ? 3 : 2);
  for (const char *vector : {"v2", "v4", "v8"})
    if (instruction.has(vector))
      instruction.count = static_cast<uint8_t>(vector[1] - '0');
  const unsigned size = bytes_of(instruction.type);
  if (!found || instruction.operands.size() < wanted ||
      (size != 2 && size != 4 && size != 8))
    return false;
  if (instruction.count > 1 &&
      instruction.operands[first + 1].parts.size() != instruction.count)
    return false;
  instruction.run = run_atomic;
  return instruction.operands[first].kind == PtxOperand::Kind::address;
}
