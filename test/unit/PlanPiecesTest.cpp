//===- PlanPiecesTest.cpp - Tiles that are cut along k --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// For the header after it, which is compiled without CUDA's here.
#include <initializer_list>

#include "warpwright/rt/cost.cuh"

#include "gtest/gtest.h"
#include <map>
#include <vector>

using namespace warpwright;

namespace {

/// What the clusters of a launch do with the tiles that they have, as
/// rt/cut_tiles.cuh has it: sums that one hands over, and sums that one adds.
struct Walk {
  std::vector<std::vector<int>> Multiplied; ///< by tile and block
  std::map<int, int> HandedOver;            ///< share to tile
  std::map<int, int> Added;

  Walk(const rt::tile_cuts &Cuts, int Tiles, int Clusters)
      : Multiplied(Tiles, std::vector<int>(Cuts.k_blocks)) {
    for (int Cluster = 0; Cluster < Clusters; ++Cluster) {
      const int First = rt::first_tile(Cuts, Cluster, Clusters);
      for (int Tile = First; Tile < Tiles;
           Tile = rt::next_tile(Cuts, Cluster, Clusters, Tile)) {
        const rt::tile_piece Piece =
            rt::piece_of(Cuts, Cluster, Clusters, Tile);
        EXPECT_EQ(Piece.tile, Tile);
        EXPECT_GT(Piece.blocks, 0);
        for (int Block = Piece.first; Block < Piece.end(); ++Block)
          ++Multiplied[Tile][Block];
        int Share = rt::share_of(Cluster, Clusters);
        if (Piece.first > 0) {
          EXPECT_EQ(Tile, First) << "a piece that nobody waits for to be first";
          EXPECT_TRUE(HandedOver.emplace(Share, Tile).second);
          continue;
        }
        for (int End = Piece.blocks; End < Cuts.k_blocks;
             End += Cuts.blocks(Share)) {
          ++Share;
          EXPECT_TRUE(Added.emplace(Share, Tile).second);
        }
      }
    }
  }
};

/// Each block of each tile is multiplied once, and each sum that is handed over
/// is added once, to that of its own tile.
TEST(PlanPieces, EveryBlockOnce) {
  for (int Clusters = 1; Clusters <= 9; ++Clusters)
    for (int Tiles = 1; Tiles <= 3 * Clusters; ++Tiles)
      for (int Blocks : {1, 2, 3, 7, 16, 31})
        for (int Cut : {0, Tiles, Tiles > Clusters ? Clusters + 1 : Tiles,
                        Tiles % Clusters}) {
          if (Cut * Blocks < Clusters && Cut)
            continue; // shares have at least a block
          SCOPED_TRACE(testing::Message()
                       << Tiles << " tiles, " << Cut << " cut, of " << Blocks
                       << " blocks, by " << Clusters);
          const Walk W(rt::tile_cuts::of(Cut, Blocks, Clusters), Tiles,
                       Clusters);
          for (const std::vector<int> &Tile : W.Multiplied)
            for (int Times : Tile)
              ASSERT_EQ(Times, 1);
          ASSERT_EQ(W.HandedOver, W.Added);
        }
}

rt::choice floats(int TileM, int TileN) {
  rt::choice C;
  C.a.element = C.b.element = C.a.factor = C.b.factor = rt::Type::f32;
  C.output = rt::Type::f32;
  C.a.parts = C.b.parts = 2;
  C.tile_m = TileM, C.tile_n = TileN, C.tile_k = 32, C.stages = 6;
  C.consumer_groups = 2, C.transform_groups = 2;
  return C;
}

/// TF32 that TMA rounds, in pairs of CTAs or by single ones.
rt::choice rounded(int ClusterM) {
  rt::choice C;
  C.a.element = C.b.element = C.output = rt::Type::f32;
  C.rounded_by_tma = true;
  C.tile_m = 128, C.tile_n = 256, C.tile_k = 32, C.stages = 4;
  C.consumer_groups = 2, C.cluster_m = ClusterM;
  return C;
}

/// Measured: 2560^3 in 100 tiles of 256x256 takes 105 us whole, 105 where the
/// tiles of both rounds are cut and 94 where those of the last one are; where
/// few tiles are left, and by single CTAs, those of both rounds are better.
TEST(PlanPieces, TilesOfTheLastRoundAloneAreCut) {
  auto Cut = [](const rt::choice &C, int64_t Tiles) {
    return rt::divide_launch(C, rt::cost_of(C, rt::derive(C)), Tiles, 80, 0,
                             rt::gpu(), rt::row_starts())
        .cuts.tiles;
  };
  EXPECT_EQ(Cut(rounded(2), 66 + 34), 34);
  EXPECT_EQ(Cut(rounded(2), 66 + 2), 66 + 2);
  EXPECT_EQ(Cut(rounded(2), 3 * 66 + 60), 0);
  EXPECT_EQ(Cut(rounded(1), 132 + 50), 132 + 50);
  rt::choice Promoted = rounded(2);
  Promoted.promoted_k = 32;
  EXPECT_NE(Cut(Promoted, 66 + 34), 34);
}

/// As launches divide tiles: the last two rounds, all of few tiles, and none
/// where they come out even or have nothing to cut.
TEST(PlanPieces, TilesAreCutWhereThatTakesLess) {
  const rt::choice C = floats(128, 128);
  const rt::plan_cost Cost = rt::cost_of(C, rt::derive(C));
  auto Divided = [&](int64_t Tiles, int64_t Blocks, int64_t MemoryClocks = 0) {
    return rt::divide_launch(C, Cost, Tiles, Blocks, MemoryClocks, rt::gpu(),
                             rt::row_starts());
  };
  EXPECT_EQ(Divided(400, 80).cuts.tiles, 132 + 4);
  EXPECT_EQ(Divided(400, 80).clusters, 132);
  EXPECT_EQ(Divided(396, 80).cuts.tiles, 0);
  EXPECT_EQ(Divided(64, 32).cuts.tiles, 64);
  EXPECT_GT(Divided(64, 32).clusters, 64);
  EXPECT_EQ(Divided(64, 1).cuts.tiles, 0);
  EXPECT_EQ(Divided(64, 1).clusters, 64);
  EXPECT_EQ(Divided(0, 8).clusters, 1);
  EXPECT_LT(Divided(400, 80).clocks, Divided(528, 80).clocks);
  // Device memory is no faster for cut tiles.
  EXPECT_EQ(Divided(64, 32, Divided(64, 32).clocks).cuts.tiles, 0);
  // Whatever there is, shares have blocks and cuts fit into integers.
  for (int64_t Tiles : {1, 5, 131, 132, 133, 263, 1 << 20})
    for (int64_t Blocks :
         {int64_t(1), int64_t(2), int64_t(40), int64_t(1) << 27}) {
      const rt::division D = Divided(Tiles, Blocks);
      if (D.cuts.tiles) {
        EXPECT_GT(D.cuts.share_blocks, 0) << Tiles << ' ' << Blocks;
        EXPECT_LE(int64_t(D.cuts.tiles) * Blocks, INT32_MAX);
        EXPECT_LE(D.clusters, 132);
      }
    }
  rt::choice Whole = C;
  Whole.whole_tiles = true;
  EXPECT_EQ(
      rt::divide_launch(Whole, Cost, 400, 80, 0, rt::gpu(), rt::row_starts())
          .cuts.tiles,
      0);
  rt::choice Halves = C;
  Halves.a.element = Halves.b.element = rt::Type::bf16;
  Halves.a.parts = Halves.b.parts = Halves.transform_groups = 0;
  EXPECT_FALSE(Halves.cuts_tiles());
}

/// Where less than a quarter of the last tile would be behind the matrix it
/// stays, and parts of a cluster behind it have the same rows.
TEST(PlanPieces, LastTilesAreMovedIntoTheMatrix) {
  rt::operand_choice Rows;
  EXPECT_EQ(Rows.last_corner(65, 64), 16);
  EXPECT_EQ(Rows.last_corner(100, 64), 48);
  EXPECT_EQ(Rows.last_corner(112, 64), 64);
  EXPECT_EQ(Rows.last_corner(128, 64), 64);
  EXPECT_EQ(Rows.last_corner(385, 128), 272);
  EXPECT_EQ(Rows.last_corner(500, 128), 384);
  EXPECT_EQ(Rows.last_corner(33, 64), 0);
  EXPECT_EQ(Rows.last_corner(1, 128), 0);
  EXPECT_EQ(Rows.last_corner(2147483647, 64), 2147483584);
  rt::operand_choice Across = Rows, Alike = Rows;
  Across.k_major = false;
  Alike.scaled = Alike.scaled_alike = true;
  EXPECT_EQ(Across.last_corner(65, 64), 2147483647);
  EXPECT_EQ(Alike.last_corner(65, 64), 2147483647);
  // No row is left out, and none is behind the matrix but fewer than 16 or a
  // quarter of a tile.
  for (const int Tile : {32, 48, 64, 96, 128, 144, 160, 192, 256})
    for (int Extent = 1; Extent < 3 * Tile; ++Extent) {
      const int Last = Rows.last_corner(Extent, Tile);
      const int Tiles = (Extent + Tile - 1) / Tile;
      EXPECT_EQ(Last % 16, 0);
      EXPECT_LE(Last, (Tiles - 1) * Tile);
      EXPECT_GE(Last + Tile, Extent);
      if (Tiles > 1) {
        EXPECT_LE(Last + Tile - Extent, std::max(15, Tile / 4));
      }
    }
}

} // namespace
