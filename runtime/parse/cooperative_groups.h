//===-- cooperative_groups.h - Groups of threads, to be parsed --*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The block, the grid and tiles of a warp as objects; what they do together
/// other than waiting, copying and shuffling is only declared. See
/// cuda_runtime.h.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PARSE_COOPERATIVE_GROUPS_H
#define WARPWRIGHT_PARSE_COOPERATIVE_GROUPS_H

namespace cooperative_groups {

class thread_block {
public:
  __device__ static void sync() { __syncthreads(); }
  __device__ static unsigned thread_rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  }
  __device__ static unsigned num_threads() {
    return blockDim.x * blockDim.y * blockDim.z;
  }
  __device__ static unsigned size() { return num_threads(); }
  __device__ static dim3 group_index() {
    return dim3(blockIdx.x, blockIdx.y, blockIdx.z);
  }
  __device__ static dim3 thread_index() {
    return dim3(threadIdx.x, threadIdx.y, threadIdx.z);
  }
  __device__ static dim3 group_dim() {
    return dim3(blockDim.x, blockDim.y, blockDim.z);
  }
  __device__ static dim3 dim_threads() { return group_dim(); }
};
__device__ inline thread_block this_thread_block() { return thread_block(); }

class grid_group {
public:
  __device__ static bool is_valid();
  __device__ static void sync();
  __device__ static unsigned long long thread_rank();
  __device__ static unsigned long long num_threads();
  __device__ static unsigned long long size();
};
__device__ inline grid_group this_grid() { return grid_group(); }

template <unsigned Size, class Parent = void> class thread_block_tile {
public:
  thread_block_tile() = default;
  /// A tile whose parent is not named.
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<Size, Other> &) {}
  __device__ static void sync() { __syncwarp(mask()); }
  __device__ static unsigned thread_rank() {
    return thread_block::thread_rank() % Size;
  }
  __device__ static constexpr unsigned num_threads() { return Size; }
  __device__ static constexpr unsigned size() { return Size; }
  __device__ static unsigned meta_group_rank() {
    return thread_block::thread_rank() / Size;
  }
  __device__ static unsigned meta_group_size() {
    return (thread_block::num_threads() + Size - 1) / Size;
  }
  template <class T> __device__ T shfl(T var, unsigned rank) const {
    return __shfl_sync(mask(), var, rank, Size);
  }
  template <class T> __device__ T shfl_up(T var, unsigned delta) const {
    return __shfl_up_sync(mask(), var, delta, Size);
  }
  template <class T> __device__ T shfl_down(T var, unsigned delta) const {
    return __shfl_down_sync(mask(), var, delta, Size);
  }
  template <class T> __device__ T shfl_xor(T var, unsigned lanes) const {
    return __shfl_xor_sync(mask(), var, lanes, Size);
  }
  __device__ int any(int predicate) const;
  __device__ int all(int predicate) const;
  __device__ unsigned ballot(int predicate) const;

private:
  /// The lanes of the warp that are in this tile.
  __device__ static unsigned mask() {
    if (Size == 32)
      return 0xffffffffu;
    const unsigned lane = thread_block::thread_rank() % 32;
    return ((1u << Size % 32) - 1) << (lane & ~(Size - 1));
  }
};
template <unsigned Size, class Parent>
__device__ inline thread_block_tile<Size, Parent>
tiled_partition(const Parent &) {
  return thread_block_tile<Size, Parent>();
}

template <class Group> __device__ inline void sync(const Group &group) {
  group.sync();
}

} // namespace cooperative_groups

#endif // WARPWRIGHT_PARSE_COOPERATIVE_GROUPS_H
