//===-- pieces.cuh - Tiles that are cut along k -----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which blocks of k of which tiles a cluster multiplies. Where the number of
// tiles is not a multiple of the number of clusters, the last round of whole
// tiles leaves clusters idle. So the blocks of the first tiles, as many as two
// rounds have, or all tiles where there are fewer than clusters, are divided
// into shares of the same size, one for each cluster ("stream-K"). A share is
// consecutive blocks: the end of one tile, then whole tiles, then the beginning
// of another. A cluster multiplies its share, piece by piece, and then whole
// tiles as if nothing had been cut. There is no CUDA in this header.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_RT_PIECES_CUH
#define WARPWRIGHT_RT_PIECES_CUH

#include <warpwright/rt/elements.cuh>

namespace warpwright {
namespace rt {
inline namespace v2 {

/// The blocks of a tile that a cluster multiplies without a break, of each
/// product of a sum: `blocks` of them from number `first` on.
struct tile_piece {
  int tile;
  int first, blocks;

  WARPWRIGHT_CONSTEXPR int end() const { return first + blocks; }
};

/// Which tiles of a launch are cut, and into which shares.
struct tile_cuts {
  int tiles = 0;        ///< cluster tiles that are cut, the first ones
  int k_blocks = 0;     ///< of each tile, cut or not
  int share_blocks = 0; ///< of a share
  /// So many shares, the first ones, have one block more.
  int larger_shares = 0;

  /// Cuts so many tiles of `k_blocks` blocks into so many shares of at least
  /// one block; tiles * k_blocks is an int. No tiles: none is cut.
  static WARPWRIGHT_CONSTEXPR tile_cuts of(int tiles, int k_blocks,
                                           int shares) {
    tile_cuts cuts;
    cuts.tiles = tiles;
    cuts.k_blocks = k_blocks;
    cuts.share_blocks = tiles * k_blocks / shares;
    cuts.larger_shares = tiles * k_blocks % shares;
    return cuts;
  }

  /// The first block of a share, counted from the first tile's first one.
  WARPWRIGHT_CONSTEXPR int begin(int share) const {
    return share * share_blocks +
           (share < larger_shares ? share : larger_shares);
  }
  WARPWRIGHT_CONSTEXPR int blocks(int share) const {
    return share_blocks + (share < larger_shares ? 1 : 0);
  }
};

/// The share of cluster number `cluster`. A cluster waits for pieces of tiles
/// whose first blocks it has, which are at the beginning of the shares behind
/// its own. These belong to clusters with lower numbers, and are the first that
/// they multiply: the cluster with the lowest number waits for nobody, so that
/// none waits forever, as long as one does not start before those with lower
/// numbers have.
WARPWRIGHT_CONSTEXPR int share_of(int cluster, int clusters) {
  return clusters - 1 - cluster;
}

/// The blocks of a tile that are a cluster's, which are all of a tile that is
/// not cut. Only in the first tile of a cluster do they begin behind the first
/// block.
WARPWRIGHT_CONSTEXPR tile_piece piece_of(const tile_cuts &cuts, int cluster,
                                         int clusters, int tile) {
  if (tile >= cuts.tiles)
    return {tile, 0, cuts.k_blocks};
  const int share = share_of(cluster, clusters);
  const int before = cuts.begin(share) - tile * cuts.k_blocks;
  const int end = before + cuts.blocks(share);
  const int first = before > 0 ? before : 0;
  return {tile, first, (end < cuts.k_blocks ? end : cuts.k_blocks) - first};
}

/// The tiles of a cluster, one after the other: those of its share, then whole
/// ones. There are no more of them when one is not less than the number of
/// tiles.
WARPWRIGHT_CONSTEXPR int first_tile(const tile_cuts &cuts, int cluster,
                                    int clusters) {
  return cuts.tiles ? cuts.begin(share_of(cluster, clusters)) / cuts.k_blocks
                    : cluster;
}
WARPWRIGHT_CONSTEXPR int next_tile(const tile_cuts &cuts, int cluster,
                                   int clusters, int tile) {
  // Without branches: with them ptxas spilled a register of some consumers.
  // Behind the cut tiles the product is not used, and may be anything.
  const bool cut = tile < cuts.tiles;
  const bool ends = unsigned(cuts.k_blocks) * unsigned(tile + 1) >=
                    unsigned(cuts.begin(share_of(cluster, clusters) + 1));
  const int step = cut ? 1 : clusters;
  return cut && ends ? cuts.tiles + cluster : tile + step;
}

} // namespace v2
} // namespace rt
} // namespace warpwright

#endif // WARPWRIGHT_RT_PIECES_CUH
