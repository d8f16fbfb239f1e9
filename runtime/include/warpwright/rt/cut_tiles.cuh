//===-- cut_tiles.cuh - Sums of tiles that are cut along k ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The role Schedule of a plan that cuts tiles along k (pieces.cuh says which).
// A cluster that has multiplied other than the first blocks of a tile writes
// its sums to scratch memory as they are; the one with the first blocks adds
// them to its own, piece by piece in the order of k, and stores the tile. So
// the result does not depend on which cluster was first, and there are no
// atomics.
//
// Each warp tells its counterpart, which has the same rows and columns of the
// tile, that its sums are written: by a word of its own behind the sums. What
// the word says is new with every launch, so that nobody has to clear scratch
// memory before it. The reader clears the word, as a graph that is launched
// again finds what the launch before has left.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_CUT_TILES_CUH
#define WARPWRIGHT_RT_CUT_TILES_CUH

#include <warpwright/rt/cluster.cuh>
#include <warpwright/rt/constants.cuh>
#include <warpwright/rt/pieces.cuh>
#include <warpwright/rt/scheduler.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// What the kernel of a plan that cuts tiles gets: how, and scratch memory with
/// the sums of each share's first piece. Those of a consumer are vectors of 16
/// bytes, number v of its thread t at place 128 v + t.
struct cut_sums {
  tile_cuts cuts;
  unsigned char *sums;         ///< of each share, CTA and consumer of its tile
  unsigned long long *written; ///< of each of their warps
  unsigned long long token;    ///< what a word says when sums are written
};

/// What the kernels of other plans get.
struct whole_tiles {};

/// Whether a launch has tiles that are cut.
inline bool are_cut(const cut_sums &sums) { return sums.cuts.tiles > 0; }
inline bool are_cut(const whole_tiles &) { return false; }

/// What those get whose products have ranges of k of their own: how many blocks
/// each product has.
template <int products> struct uneven_tiles : whole_tiles {
  int k_blocks[products];
};

template <class Plan>
using cuts_of = typename std::conditional<
    Plan::cuts_tiles, cut_sums,
    typename std::conditional<Plan::own_ranges, uneven_tiles<Plan::products>,
                              whole_tiles>::type>::type;

/// The sums of a consumer of one CTA: bytes, and sums of a vector.
template <class Plan> struct piece_numbers {
  static constexpr int bytes = Plan::waves * Plan::accumulators * 128 *
                               int(sizeof(typename Plan::accumulator));
  static constexpr int each = 16 / int(sizeof(typename Plan::accumulator));
  static_assert(Plan::accumulators % each == 0, "whole vectors");
  /// Consumers of a cluster that hand over sums of their own.
  static constexpr int consumers = Plan::cluster_size * Plan::row_groups;
};

#if WARPWRIGHT_HOPPER

/// The pieces of tiles that a cluster multiplies, one after the other; each
/// role of a kernel walks the same way.
template <class Plan, bool cut = Plan::cuts_tiles> class piece_walk {
public:
  WARPWRIGHT_DEVICE explicit piece_walk(whole_tiles)
      : tile(blockIdx.x / Plan::cluster_size) {}

  WARPWRIGHT_DEVICE bool has_more(const tile_grid &grid) const {
    return tile < grid.total();
  }
  /// Where tiles are never cut, what is next may be asked.
  WARPWRIGHT_DEVICE bool is_first() const {
    return tile == int(blockIdx.x / Plan::cluster_size);
  }
  WARPWRIGHT_DEVICE bool is_last(const tile_grid &grid) const {
    return tile + int(gridDim.x / Plan::cluster_size) >= grid.total();
  }
  WARPWRIGHT_DEVICE void next(whole_tiles) {
    tile += gridDim.x / Plan::cluster_size;
  }
  WARPWRIGHT_DEVICE tile_piece piece(whole_tiles, int k_blocks) const {
    return {tile, 0, k_blocks};
  }

private:
  int tile;
};

/// The blocks of a product, of which there are `k_blocks` where all products
/// have as many.
template <class Plan>
WARPWRIGHT_DEVICE int blocks_of_product(const cuts_of<Plan> &cuts, int k_blocks,
                                        int product) {
  if constexpr (Plan::own_ranges)
    return cuts.k_blocks[product];
  else
    return k_blocks;
}

/// Those of all products together.
template <class Plan>
WARPWRIGHT_DEVICE int blocks_of_products(const cuts_of<Plan> &cuts,
                                         int k_blocks) {
  if constexpr (Plan::own_ranges) {
    int sum = 0;
#pragma unroll
    for (int product = 0; product < Plan::products; ++product)
      sum += cuts.k_blocks[product];
    return sum;
  } else
    return Plan::products * k_blocks;
}

/// Those of a stretch: of all products, or of one.
template <class Plan>
WARPWRIGHT_DEVICE int blocks_of_stretch(const cuts_of<Plan> &cuts, int k_blocks,
                                        int stretch) {
  if constexpr (Plan::stretches == 1)
    return blocks_of_products<Plan>(cuts, k_blocks);
  // By comparisons: a parameter that a loop's counter indexes would be copied
  // to the stack.
  else if constexpr (Plan::own_ranges) {
    int blocks = 0;
#pragma unroll
    for (int product = 0; product < Plan::products; ++product)
      if (product == stretch)
        blocks = cuts.k_blocks[product];
    return blocks;
  } else
    return k_blocks;
}

/// With cuts it keeps the tile as well, and computes the rest anew each time,
/// from a number that the compiler does not know to be the same: what it kept
/// would be registers that consumers do not have.
template <class Plan> class piece_walk<Plan, true> {
public:
  WARPWRIGHT_DEVICE explicit piece_walk(const cut_sums &sums)
      : tile(first_tile(sums.cuts, this_cluster(), clusters())) {}

  WARPWRIGHT_DEVICE bool has_more(const tile_grid &grid) const {
    return tile < grid.total();
  }
  WARPWRIGHT_DEVICE void next(const cut_sums &sums) {
    tile = next_tile(sums.cuts, this_cluster(), clusters(), tile);
  }
  WARPWRIGHT_DEVICE tile_piece piece(const cut_sums &sums, int) const {
    return piece_of(sums.cuts, this_cluster(), clusters(), tile);
  }
  WARPWRIGHT_DEVICE static int this_cluster() {
    int cluster = int(blockIdx.x / Plan::cluster_size);
    asm volatile("" : "+r"(cluster));
    return cluster;
  }
  WARPWRIGHT_DEVICE static int clusters() {
    return int(gridDim.x / Plan::cluster_size);
  }

private:
  int tile;
};

/// A vector of sums in global memory.
template <class Sum> struct sum_vector;
template <> struct sum_vector<float> {
  using type = float4;
  WARPWRIGHT_DEVICE static type of(const float *x) {
    return make_float4(x[0], x[1], x[2], x[3]);
  }
  WARPWRIGHT_DEVICE static void add(float *x, const type &v) {
    x[0] += v.x, x[1] += v.y, x[2] += v.z, x[3] += v.w;
  }
};
template <> struct sum_vector<double> {
  using type = double2;
  WARPWRIGHT_DEVICE static type of(const double *x) {
    return make_double2(x[0], x[1]);
  }
  WARPWRIGHT_DEVICE static void add(double *x, const type &v) {
    x[0] += v.x, x[1] += v.y;
  }
};

/// Where the consumer `group` of the CTA `rank` of the cluster that has a share
/// writes its sums: vector 0 of thread 0, and the word of warp 0.
template <class Plan> struct piece_place {
  typename sum_vector<typename Plan::accumulator>::type *vectors;
  volatile unsigned long long *word;

  WARPWRIGHT_DEVICE piece_place(const cut_sums &to, int share, int rank,
                                int group) {
    using numbers = piece_numbers<Plan>;
    const int place =
        share * numbers::consumers + rank * Plan::row_groups + group;
    vectors = reinterpret_cast<decltype(vectors)>(
        to.sums + static_cast<long long>(place) * numbers::bytes);
    word = to.written + place * 4;
  }
};

/// What was written before is seen by whoever sees what is written behind, and
/// what is read behind is no older than what was read before, in all CTAs.
WARPWRIGHT_DEVICE void fence_of_gpu() {
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

/// Writes the sums of a share's first piece.
template <class Plan>
WARPWRIGHT_DEVICE void hand_over_sums(
    const typename Plan::accumulator (&acc)[Plan::waves][Plan::accumulators],
    const cut_sums &to, int share, int rank, int group) {
  using vector = sum_vector<typename Plan::accumulator>;
  constexpr int each = piece_numbers<Plan>::each;
  const piece_place<Plan> place(to, share, rank, group);
  const int thread = threadIdx.x % 128;
#pragma unroll
  for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
    for (int i = 0; i < Plan::accumulators; i += each)
      place.vectors[(wave * Plan::accumulators + i) / each * 128 + thread] =
          vector::of(&acc[wave][i]);
  fence_of_gpu();
  __syncwarp();
  if (thread % 32 == 0)
    place.word[thread / 32] = to.token;
}

/// Adds the sums of a share's first piece, once they are written.
template <class Plan>
WARPWRIGHT_DEVICE void
add_piece(typename Plan::accumulator (&acc)[Plan::waves][Plan::accumulators],
          const cut_sums &from, int share, int rank, int group) {
  using vector = sum_vector<typename Plan::accumulator>;
  constexpr int each = piece_numbers<Plan>::each;
  const piece_place<Plan> place(from, share, rank, group);
  const int thread = threadIdx.x % 128;
  // By a vote, so that the loop does not diverge: for lanes that leave it one
  // by one ptxas would spill sums.
  while (__any_sync(0xffffffffu, place.word[thread / 32] != from.token))
    __nanosleep(20);
  fence_of_gpu();
  __syncwarp(); // nobody reads the word any more
  if (thread % 32 == 0)
    place.word[thread / 32] = 0;
#pragma unroll
  for (int wave = 0; wave < Plan::waves; ++wave)
#pragma unroll
    for (int i = 0; i < Plan::accumulators; i += each)
      vector::add(
          &acc[wave][i],
          __ldcg(&place.vectors[(wave * Plan::accumulators + i) / each * 128 +
                                thread]));
}

/// What a consumer does behind the products of a piece that is not all of its
/// tile. True if it has the tile's sums then and stores them.
template <class Plan>
WARPWRIGHT_DEVICE bool
join_pieces(typename Plan::accumulator (&acc)[Plan::waves][Plan::accumulators],
            const cut_sums &sums, const tile_piece &piece, int rank,
            int group) {
  int share =
      share_of(piece_walk<Plan>::this_cluster(), piece_walk<Plan>::clusters());
  if (piece.first > 0) {
    hand_over_sums<Plan>(acc, sums, share, rank, group);
    return false;
  }
#pragma unroll 1 // as one piece is seldom followed by several
  for (int end = piece.blocks; end < sums.cuts.k_blocks;
       end += sums.cuts.blocks(share)) {
    ++share;
    add_piece<Plan>(acc, sums, share, rank, group);
  }
  return true;
}

#endif // WARPWRIGHT_HOPPER

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_CUT_TILES_CUH
