//===- cooperative_groups.h - Cooperative groups ----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Threads of a warp, a block, a cluster or the grid as objects. The grid has a
// barrier in cooperative launches only, as on the device.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_COOPERATIVE_GROUPS_H
#define WARPWRIGHT_SIM_COOPERATIVE_GROUPS_H

#include "cuda_pipeline_primitives.h"
#include "cuda_runtime.h"

#pragma clang force_cuda_host_device begin

namespace cooperative_groups {

namespace details {
inline unsigned int thread_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
inline unsigned int threads_of_block() {
  return blockDim.x * blockDim.y * blockDim.z;
}
inline unsigned int lane() { return thread_in_block() & 31; }
} // namespace details

//===----------------------------------------------------------------------===//
// Groups that CUDA starts a thread in
//===----------------------------------------------------------------------===//

class thread_block {
public:
  struct arrival_token {};
  static void sync() { __syncthreads(); }
  static unsigned int thread_rank() { return details::thread_in_block(); }
  static unsigned int num_threads() { return details::threads_of_block(); }
  static unsigned int size() { return details::threads_of_block(); }
  static dim3 group_index() { return dim3(blockIdx); }
  static dim3 thread_index() { return dim3(threadIdx); }
  static dim3 group_dim() { return dim3(blockDim); }
  static dim3 dim_threads() { return dim3(blockDim); }

private:
  thread_block() = default;
  friend thread_block this_thread_block();
};
inline thread_block this_thread_block() { return thread_block(); }

class grid_group {
public:
  static bool is_valid() { return ::warpwright::sim::is_cooperative(); }
  static void sync() {
    // As on the device, without a cooperative launch.
    if (!::warpwright::sim::sync_grid())
      __trap();
  }
  static unsigned long long block_rank() {
    return blockIdx.x +
           static_cast<unsigned long long>(gridDim.x) *
               (blockIdx.y +
                static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
  }
  static unsigned long long num_blocks() {
    return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
  }
  static unsigned long long thread_rank() {
    return block_rank() * details::threads_of_block() +
           details::thread_in_block();
  }
  static unsigned long long num_threads() {
    return num_blocks() * details::threads_of_block();
  }
  static unsigned long long size() { return num_threads(); }
  static dim3 group_dim() { return dim3(gridDim); }
  static dim3 dim_blocks() { return dim3(gridDim); }
  static dim3 block_index() { return dim3(blockIdx); }

private:
  grid_group() = default;
  friend grid_group this_grid();
};
inline grid_group this_grid() { return grid_group(); }

class cluster_group {
public:
  struct arrival_token {};
  static void sync() {
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
  }
  static arrival_token barrier_arrive() {
    __cluster_barrier_arrive();
    return {};
  }
  static void barrier_wait() { __cluster_barrier_wait(); }
  static void barrier_wait(arrival_token &&) { __cluster_barrier_wait(); }
  template <class T> static T *map_shared_rank(T *addr, int rank) {
    return static_cast<T *>(
        __cluster_map_shared_rank(addr, static_cast<unsigned int>(rank)));
  }
  static unsigned int query_shared_rank(const void *addr) {
    return __cluster_query_shared_rank(addr);
  }
  static dim3 block_index() { return __clusterRelativeBlockIdx(); }
  static unsigned int block_rank() { return __clusterRelativeBlockRank(); }
  static dim3 dim_blocks() { return __clusterDim(); }
  static unsigned int num_blocks() { return __clusterSizeInBlocks(); }
  static unsigned int thread_rank() {
    return block_rank() * details::threads_of_block() +
           details::thread_in_block();
  }
  static dim3 thread_index() {
    const dim3 block = block_index();
    return dim3(block.x * blockDim.x + threadIdx.x,
                block.y * blockDim.y + threadIdx.y,
                block.z * blockDim.z + threadIdx.z);
  }
  static dim3 dim_threads() {
    const dim3 blocks = dim_blocks();
    return dim3(blocks.x * blockDim.x, blocks.y * blockDim.y,
                blocks.z * blockDim.z);
  }
  static unsigned int num_threads() {
    return num_blocks() * details::threads_of_block();
  }
  static unsigned int size() { return num_threads(); }

private:
  cluster_group() = default;
  friend cluster_group this_cluster();
};
inline cluster_group this_cluster() { return cluster_group(); }

//===----------------------------------------------------------------------===//
// Parts of a warp
//===----------------------------------------------------------------------===//

/// The collective operations of lanes of one warp. `Self` has mask(), the lanes
/// of the group, lane_of(rank), thread_rank() and num_threads().
template <class Self> class lanes {
public:
  void sync() const { __syncwarp(self().mask()); }
  template <class T> T shfl(T var, unsigned int rank) const {
    return move(var, self().lane_of(rank));
  }
  template <class T> T shfl_up(T var, unsigned int delta) const {
    const unsigned int rank = self().thread_rank();
    return move(var, self().lane_of(rank >= delta ? rank - delta : rank));
  }
  template <class T> T shfl_down(T var, unsigned int delta) const {
    const unsigned int rank = self().thread_rank();
    return move(var, self().lane_of(rank + delta < self().num_threads()
                                        ? rank + delta
                                        : rank));
  }
  int any(int predicate) const { return __any_sync(self().mask(), predicate); }
  int all(int predicate) const { return __all_sync(self().mask(), predicate); }
  unsigned int ballot(int predicate) const {
    return pack(__ballot_sync(self().mask(), predicate));
  }
  template <class T> unsigned int match_any(T value) const {
    return pack(__match_any_sync(self().mask(), value));
  }
  template <class T> unsigned int match_all(T value, int &predicate) const {
    return pack(__match_all_sync(self().mask(), value, &predicate));
  }

protected:
  /// A shuffle of an object of any size, in words.
  template <class T> T move(const T &var, unsigned int lane) const {
    constexpr unsigned int words = (sizeof(T) + 3) / 4;
    unsigned int bits[words] = {};
    memcpy(bits, &var, sizeof(T));
    for (unsigned int i = 0; i < words; ++i)
      bits[i] = __shfl_sync(self().mask(), bits[i], static_cast<int>(lane));
    T result;
    memcpy(&result, bits, sizeof(T));
    return result;
  }

private:
  const Self &self() const { return static_cast<const Self &>(*this); }
  /// From bits by lane to bits by rank.
  unsigned int pack(unsigned int by_lane) const {
    unsigned int packed = 0;
    for (unsigned int rank = 0; rank < self().num_threads(); ++rank)
      packed |= (by_lane >> self().lane_of(rank) & 1) << rank;
    return packed;
  }
};

template <unsigned int Size, class Parent = void> class thread_block_tile;

namespace details {
/// Threads of what a tile was cut from: a block or a larger tile.
template <class Parent> struct parent_of_tile {
  static unsigned int size() { return threads_of_block(); }
};
template <unsigned int Size, class Parent>
struct parent_of_tile<thread_block_tile<Size, Parent>> {
  static unsigned int size() { return Size; }
};
} // namespace details

/// `Size` neighbouring lanes.
template <unsigned int Size, class Parent>
class thread_block_tile : public lanes<thread_block_tile<Size, Parent>> {
  static_assert(Size && Size <= 32 && (Size & (Size - 1)) == 0,
                "tiles of 1, 2, 4, 8, 16 and 32 threads are simulated");

public:
  thread_block_tile() = default;
  /// What a tile is part of makes no difference.
  template <class Other>
  thread_block_tile(const thread_block_tile<Size, Other> &) {}
  static unsigned int thread_rank() { return details::lane() % Size; }
  static constexpr unsigned int num_threads() { return Size; }
  static constexpr unsigned int size() { return Size; }
  static unsigned int meta_group_rank() {
    return details::thread_in_block() %
           details::parent_of_tile<Parent>::size() / Size;
  }
  static unsigned int meta_group_size() {
    return (details::parent_of_tile<Parent>::size() + Size - 1) / Size;
  }
  static unsigned int mask() {
    return (Size == 32 ? 0xffffffffu : (1u << (Size & 31)) - 1)
           << (details::lane() & ~(Size - 1));
  }
  static unsigned int lane_of(unsigned int rank) {
    return (details::lane() & ~(Size - 1)) + rank % Size;
  }
  template <class T> T shfl_xor(T var, unsigned int laneMask) const {
    return this->move(var, lane_of(thread_rank() ^ laneMask));
  }
};

/// The lanes that were together when the group was made.
class coalesced_group : public lanes<coalesced_group> {
public:
  unsigned int thread_rank() const {
    return static_cast<unsigned int>(
        __popc(active & ((1u << details::lane()) - 1)));
  }
  unsigned int num_threads() const {
    return static_cast<unsigned int>(__popc(active));
  }
  unsigned int size() const { return num_threads(); }
  unsigned int mask() const { return active; }
  unsigned int lane_of(unsigned int rank) const {
    return __fns(active, 0, static_cast<int>(rank) + 1);
  }
  static unsigned int meta_group_rank() { return 0; }
  static unsigned int meta_group_size() { return 1; }

private:
  explicit coalesced_group(unsigned int lanes) : active(lanes) {}
  unsigned int active;
  friend coalesced_group coalesced_threads();
  template <class Group>
  friend coalesced_group binary_partition(const Group &group, bool predicate);
};
inline coalesced_group coalesced_threads() {
  return coalesced_group(__activemask());
}
/// Those of the group with the same predicate.
template <class Group>
inline coalesced_group binary_partition(const Group &group, bool predicate) {
  const unsigned int yes = __ballot_sync(group.mask(), predicate);
  return coalesced_group(predicate ? yes : group.mask() & ~yes);
}

template <unsigned int Size, class Parent>
inline thread_block_tile<Size, Parent> tiled_partition(const Parent &) {
  return thread_block_tile<Size, Parent>();
}

/// Tiles whose size is known at run time.
class thread_group : public lanes<thread_group> {
public:
  thread_group(thread_block) : width(0) {}
  explicit thread_group(unsigned int tile) : width(tile) {}
  void sync() const {
    if (width)
      lanes<thread_group>::sync();
    else
      __syncthreads();
  }
  unsigned int thread_rank() const {
    return width ? details::lane() % width : details::thread_in_block();
  }
  unsigned int num_threads() const {
    return width ? width : details::threads_of_block();
  }
  unsigned int size() const { return num_threads(); }
  unsigned int mask() const {
    return (width >= 32 ? 0xffffffffu : (1u << width) - 1)
           << (details::lane() / width * width);
  }
  unsigned int lane_of(unsigned int rank) const {
    return details::lane() / width * width + rank % width;
  }

private:
  unsigned int width; ///< of the tile; 0 for a block
};
inline thread_group tiled_partition(const thread_group &, unsigned int tilesz) {
  return thread_group(tilesz);
}

template <class Group> inline void sync(const Group &group) { group.sync(); }

template <class Group> inline unsigned int thread_rank(const Group &group) {
  return group.thread_rank();
}

//===----------------------------------------------------------------------===//
// Reductions and copies by a group
//===----------------------------------------------------------------------===//

template <class T> struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
  T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
  T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
  T operator()(T a, T b) const { return a ^ b; }
};

/// Everyone's value combined, for everyone: halves of the group again and
/// again, as the device does it for a tile.
template <class Group, class T, class Operation>
inline T reduce(const Group &group, T value, Operation operation) {
  const unsigned int count = group.num_threads(), rank = group.thread_rank();
  unsigned int width = 1;
  while (width * 2 <= count)
    width *= 2;
  const T beyond = group.shfl(value, (rank + width) % count);
  if (rank + width < count)
    value = operation(value, beyond);
  for (unsigned int half = width / 2; half; half /= 2) {
    const T other = group.shfl(value, (rank ^ half) % count);
    value = operation(value, other);
  }
  return group.shfl(value, rank % width);
}
template <class Group, class T, class Operation>
inline T inclusive_scan(const Group &group, T value, Operation operation) {
  for (unsigned int step = 1; step < group.num_threads(); step *= 2) {
    const T before = group.shfl_up(value, step);
    if (group.thread_rank() >= step)
      value = operation(before, value);
  }
  return value;
}
template <class Group, class T>
inline T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}
template <class Group, class T, class Operation>
inline T exclusive_scan(const Group &group, T value, Operation operation) {
  const T before = group.shfl_up(inclusive_scan(group, value, operation), 1);
  return group.thread_rank() ? before : T();
}
template <class Group, class T>
inline T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

/// By 4 bytes asynchronously, where all that is to be copied is aligned so.
template <class Group, class T, class Size>
inline void memcpy_async(const Group &group, T *to, const T *from,
                         const Size &size) {
  const size_t bytes = static_cast<size_t>(size), step = group.num_threads();
  const char *const source = reinterpret_cast<const char *>(from);
  char *const target = reinterpret_cast<char *>(to);
  if (bytes % 4 == 0 && reinterpret_cast<size_t>(source) % 4 == 0 &&
      reinterpret_cast<size_t>(target) % 4 == 0)
    for (size_t i = group.thread_rank(); i < bytes / 4; i += step)
      __pipeline_memcpy_async(target + 4 * i, source + 4 * i, 4);
  else
    for (size_t i = group.thread_rank(); i < bytes; i += step)
      target[i] = source[i];
  __pipeline_commit();
}
template <class Group> inline void wait(const Group &group) {
  __pipeline_wait_prior(0);
  group.sync();
}
template <unsigned int Stages, class Group>
inline void wait_prior(const Group &group) {
  __pipeline_wait_prior(Stages);
  group.sync();
}

} // namespace cooperative_groups

#pragma clang force_cuda_host_device end

#endif // WARPWRIGHT_SIM_COOPERATIVE_GROUPS_H
