//===-- reduce.h - Reductions of a tile, to be parsed -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// By shuffles that invert one bit of the thread's number after the other. See
/// cuda_runtime.h.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_COOPERATIVE_GROUPS_REDUCE_H
#define WARPWRIGHT_PARSE_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T> struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  __device__ T operator()(T a, T b) const { return a ^ b; }
};

template <unsigned Size, class Parent, class T, class Operation>
__device__ inline T reduce(const thread_block_tile<Size, Parent> &tile, T value,
                           Operation operation) {
  for (int lanes = Size / 2; lanes > 0; lanes /= 2)
    value = operation(value, tile.shfl_xor(value, lanes));
  return value;
}

} // namespace cooperative_groups

#endif // WARPWRIGHT_PARSE_COOPERATIVE_GROUPS_REDUCE_H
