//===- TmaReduce.cpp - Reductions of bulk copies --------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxFloat.h"
#include "Tma.h"

#include <string.h>

using namespace warpwright::sim;

namespace {

PtxType float_type(MapType type) {
  switch (type) {
  case MapType::f16:
    return PtxType::f16;
  case MapType::bf16:
    return PtxType::bf16;
  case MapType::f64:
    return PtxType::f64;
  default:
    return PtxType::f32;
  }
}

uint64_t combine(uint64_t old, uint64_t value, MapType type,
                 BulkReduction reduction) {
  switch (reduction) {
  case BulkReduction::and_:
    return old & value;
  case BulkReduction::or_:
    return old | value;
  case BulkReduction::xor_:
    return old ^ value;
  case BulkReduction::inc:
    return old >= value ? 0 : old + 1;
  case BulkReduction::dec:
    return old == 0 || old > value ? value : old - 1;
  default:
    break;
  }
  if (type >= MapType::f16) {
    const PtxType real = float_type(type);
    const double a = to_double(old, real), b = to_double(value, real);
    const double result = reduction == BulkReduction::add   ? a + b
                          : reduction == BulkReduction::min ? (b < a ? b : a)
                                                            : (b > a ? b : a);
    return from_double(result, real);
  }
  if (reduction == BulkReduction::add)
    return old + value;
  bool less = value < old;
  if (type == MapType::s32)
    less = static_cast<int32_t>(value) < static_cast<int32_t>(old);
  else if (type == MapType::s64)
    less = static_cast<int64_t>(value) < static_cast<int64_t>(old);
  return less == (reduction == BulkReduction::min) ? value : old;
}

template <class Word>
void update(char *to, const char *from, MapType type, BulkReduction reduction) {
  Word value;
  memcpy(&value, from, sizeof(value));
  // Other clusters, on other host threads, may reduce into the same element.
  Word *place = reinterpret_cast<Word *>(to);
  Word old = __atomic_load_n(place, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(
      place, &old, static_cast<Word>(combine(old, value, type, reduction)),
      false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

} // namespace

void warpwright::sim::reduce_element(char *to, const char *from, MapType type,
                                     BulkReduction reduction) {
  switch (bytes_of(type)) {
  case 1:
    update<uint8_t>(to, from, type, reduction);
    break;
  case 2:
    update<uint16_t>(to, from, type, reduction);
    break;
  case 4:
    update<uint32_t>(to, from, type, reduction);
    break;
  default:
    update<uint64_t>(to, from, type, reduction);
    break;
  }
}
