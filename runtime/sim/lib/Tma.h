//===- Tma.h - Bulk asynchronous copies -------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async.bulk and cp.async.bulk.tensor. A copy is checked when it is issued;
// its bytes move later, at moments that the seed picks, in up to three pieces.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_TMA_H
#define WARPWRIGHT_SIM_LIB_TMA_H

#include "TensorMap.h"

#include <stdint.h>
#include <string>

namespace warpwright {
namespace sim {

struct Thread;

enum class BulkReduction : uint8_t {
  none, ///< a plain store
  add,
  min,
  max,
  inc,
  dec,
  and_,
  or_,
  xor_
};

/// A tensor copy as the instruction names it.
struct TensorCopy {
  std::string what; ///< the instruction, for messages
  const void *map = nullptr;
  unsigned dimensions = 1;
  int32_t at[5] = {};
  uint32_t shared = 0;  ///< shared::cluster address
  uint32_t barrier = 0; ///< of loads
  bool is_multicast = false;
  uint16_t ctas = 0; ///< with is_multicast
  BulkReduction reduction = BulkReduction::none;
};
void tensor_load(Thread &thread, const TensorCopy &copy);
/// Or reduction.
void tensor_store(Thread &thread, const TensorCopy &copy);

/// One-dimensional copies of `bytes` bytes.
struct BulkCopy {
  std::string what;
  const char *global = nullptr;
  uint32_t shared = 0; ///< destination of loads, source of stores
  uint32_t source = 0; ///< of copies from shared to shared memory
  uint32_t bytes = 0;
  uint32_t barrier = 0;
  bool is_multicast = false;
  uint16_t ctas = 0;
  BulkReduction reduction = BulkReduction::none;
  MapType type = MapType::u8; ///< of reductions
};
void bulk_load(Thread &thread, const BulkCopy &copy);
void bulk_store(Thread &thread, const BulkCopy &copy);
void bulk_copy_to_cluster(Thread &thread, const BulkCopy &copy);

/// st.async of up to 16 bytes.
void async_store(Thread &thread, const std::string &what, uint32_t shared,
                 const char *bytes, uint32_t count, uint32_t barrier);

void bulk_commit(Thread &thread);
/// Until at most `pending` groups of the thread are incomplete, or (`reads`)
/// still read shared memory.
void bulk_wait(Thread &thread, unsigned pending, bool reads);

/// One element of a reduction, atomically: *to = op(*to, *from).
void reduce_element(char *to, const char *from, MapType type,
                    BulkReduction reduction);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_TMA_H
