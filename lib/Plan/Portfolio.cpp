//===- Portfolio.cpp - Plans that are worth considering -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// What each plan is for, by measurement on an H200 (docs/performance.md).
// `skinny` plans swap the operands where M is small, so that the long dimension
// fills the 64 rows of an instruction. A new family is rows here: with which
// decisions, for which operands.
//
//===----------------------------------------------------------------------===//

#include "Portfolio.h"

#include "warpwright/Plan/Nibbles.h"
#include "warpwright/Plan/Roles.h"
#include "warpwright/Plan/Scales.h"

#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace warpwright {

// Columns: name and size class; tile_m, tile_n, stages, consumer warpgroups;
// CTAs of a cluster along m and n; whether operands are exchanged; what it is
// for.
// clang-format off

/// As many slices of k as suit a launch (PlanChoice::Slices): for outputs with
/// few tiles and long sums. Several sums of an element are not sliced.
static constexpr int64_t InSlices = 0;

/// Pairs of CTAs halve what a shared operand costs L2, which pays where rows do
/// not start at whole cache lines and costs 1 % where they do. What decides the
/// time of a product with few tiles for each multiprocessor is how many of them
/// the busiest one has, so that areas between those of round numbers pay:
/// 160 columns took 10 to 18 % less than the others at 1152x4608x1920. An
/// extent that such a tile divides may be either one, so that there are tiles
/// of 160 rows, too. Larger clusters leave 12 multiprocessors without work, and
/// pay all the same where L2 is the bound: at 1096x1096x5000, whose rows do not
/// start at whole cache lines, 25 us in place of 36. Slices of k of larger
/// tiles and in clusters pay for the same reason: at 736x1256x15800 51 us in
/// place of 83. The rows below were chosen from 54 plans at 64 shapes and from 32
/// at 170 others: without one of them the best of the rest takes 0.1 to 1 %
/// longer on average. Those of floats that TMA rounds were chosen from 24 plans
/// at 188 shapes: three consumers of 144 by 192 take the place of tiles of 64 by
/// 64.
static const PortfolioPlan StraightPlans[] = {
    {"large", "large", 128, 256, 4, 2, {2, 1}, false, Largest | CommonSizes},
    {"wide", "large", 128, 192, 4, 2, {2, 1}, false, CommonSizes},
    {"medium_160", "medium", 128, 160, 4, 2, {1, 1}, false, 0},
    {"pingpong_pair", "large", 128, 128, 6, 2, {2, 1}, false, CommonSizes,
     pingpongSchedule, "medium_pair"},
    {"pingpong", "medium", 128, 128, 6, 2, {1, 1}, false, CommonSizes | EverySize,
     pingpongSchedule, "medium"},
    {"wide_m", "large", 144, 192, 4, 3, {2, 1}, true, OnlyRounded},
    {"medium_m", "medium", 160, 128, 4, 2, {1, 1}, true, 0},
    {"pingpong_96", "medium", 128, 96, 6, 2, {2, 4}, false, 0, pingpongSchedule,
     "medium_96"},
    {"pingpong_64", "medium", 64, 192, 6, 2, {1, 1}, false, 0, pingpongSchedule,
     "medium_64"},
    {"small", "small", 64, 128, 8, 1, {1, 1}, false, 0},
    {"small_four", "small", 64, 128, 8, 1, {4, 1}, false, 0},
    {"small_64", "small", 64, 64, 12, 1, {1, 1}, false, NeverRounded},
    {"small_64_four", "small", 64, 64, 12, 1, {1, 4}, false, NeverRounded},
    {"skinny_n", "skinny", 64, 32, 12, 1, {1, 1}, false, 0},
    {"skinny_m", "skinny", 32, 64, 12, 1, {1, 1}, true, 0},
    {"skinny_wide", "skinny", 32, 128, 9, 2, {1, 1}, true, 0},
    {"deep", "deep", 128, 128, 6, 2, {1, 1}, false, 0, sharedSchedule, nullptr,
     nullptr, InSlices},
    {"deep_m", "deep", 64, 128, 7, 2, {1, 1}, true, 0, sharedSchedule, nullptr,
     nullptr, InSlices},
    {"deep_192", "deep", 128, 192, 4, 2, {1, 1}, false, 0, sharedSchedule, nullptr,
     nullptr, InSlices},
    {"deep_160_m", "deep", 160, 128, 5, 2, {1, 1}, true, 0, sharedSchedule, nullptr,
     nullptr, InSlices},
    {"deep_four", "deep", 128, 128, 6, 2, {2, 2}, false, 0, sharedSchedule, nullptr,
     nullptr, InSlices}};

/// Accumulators and sums leave registers for 64 rows by 176 columns a consumer.
/// Three consumers of 64 by 128 have a larger tile than two of 64 by 160, and
/// took 10 to 25 % less at most sizes of a million multiply-adds and more for
/// each multiprocessor. Tiles of 64 by 64 took 25 % less than those of 64 by 128
/// where these are 40 or fewer. Where rows do not start at whole cache lines, a
/// multiprocessor's way from L2 bounds tiles of 64 by 128: four that share the
/// columns took 18 to 30 % less, and four or eight of 128 by 128 took 4 to 19 %
/// less than larger tiles in pairs.
static const PortfolioPlan PromotedPlans[] = {
    {"large", "large", 128, 192, 4, 3, {2, 1}, true, Largest | CommonSizes},
    {"wide", "large", 128, 192, 4, 3, {1, 1}, true, CommonSizes},
    {"medium_m", "medium", 160, 128, 4, 2, {1, 1}, true, 0},
    {"medium", "medium", 128, 128, 6, 2, {1, 1}, false, CommonSizes | EverySize},
    {"medium_96", "medium", 192, 96, 5, 3, {1, 1}, false, 0},
    {"medium_four", "medium", 128, 96, 6, 2, {2, 2}, false, 0},
    {"medium_128_four", "medium", 128, 128, 6, 2, {2, 2}, false, 0},
    {"medium_eight", "medium", 128, 128, 6, 2, {4, 2}, false, 0},
    {"small_m", "small", 96, 128, 6, 2, {1, 1}, true, 0},
    {"small", "small", 64, 128, 8, 1, {1, 1}, false, 0},
    {"small_four", "small", 64, 128, 8, 1, {4, 1}, false, 0},
    {"small_64", "small", 64, 64, 12, 1, {1, 1}, false, 0},
    {"skinny_n", "skinny", 64, 32, 12, 1, {1, 1}, false, 0},
    {"skinny_m", "skinny", 32, 64, 12, 1, {1, 1}, true, 0},
    {"skinny_wide", "skinny", 32, 128, 9, 2, {1, 1}, true, 0},
    {"deep", "deep", 128, 128, 6, 2, {1, 1}, false, 0, sharedSchedule, nullptr,
     nullptr, InSlices},
    {"deep_m", "deep", 64, 128, 7, 2, {1, 1}, true, 0, sharedSchedule, nullptr,
     nullptr, InSlices}};

/// Scales of blocks of k take registers beside these. Those of 128 by 128 are the
/// same for all columns of a tile.
static const PortfolioPlan ScaledPlans[] = {
    {"large", "large", 128, 128, 6, 2, {2, 1}, false, Largest | CommonSizes},
    {"medium", "medium", 128, 128, 6, 2, {1, 1}, false, CommonSizes | EverySize},
    {"small", "small", 64, 128, 8, 1, {1, 1}, false, 0},
    {"skinny_n", "skinny", 64, 32, 12, 1, {1, 1}, false, 0},
    {"skinny_m", "skinny", 32, 64, 12, 1, {1, 1}, true, 0},
    {"skinny_wide", "skinny", 32, 128, 9, 2, {1, 1}, true, 0},
    {"deep", "deep", 128, 128, 6, 2, {1, 1}, false, 0, sharedSchedule, nullptr,
     nullptr, InSlices},
    {"deep_m", "deep", 64, 128, 7, 2, {1, 1}, true, 0, sharedSchedule, nullptr,
     nullptr, InSlices}};

// Sums and accumulators leave registers for no more than 64 rows by 128 columns
// a consumer. Clusters spare L2, which does not bound plans with a transform,
// and make them slower by 6 %.

static const PortfolioPlan PartsPlans[] = {
    {"large", "large", 128, 128, 6, 2, {1, 1}, false,
     Largest | CommonSizes | EverySize},
    {"medium", "medium", 64, 128, 8, 1, {1, 1}, false, CommonSizes},
    {"small", "small", 64, 64, 12, 1, {1, 1}, false, 0},
    {"skinny_n", "skinny", 64, 32, 12, 1, {1, 1}, false, 0},
    {"skinny_m", "skinny", 32, 64, 12, 1, {1, 1}, true, 0},
    {"deep", "deep", 128, 128, 6, 2, {1, 1}, false, 0, sharedSchedule, nullptr,
     nullptr, InSlices},
    {"deep_m", "deep", 32, 128, 8, 2, {1, 1}, true, 0, sharedSchedule, nullptr,
     nullptr, InSlices}};

/// A transform that computes factors of both operands takes registers from the
/// consumers for it.
static const PortfolioPlan ComputedPlans[] = {
    {"large", "large", 128, 96, 6, 2, {1, 1}, false,
     Largest | CommonSizes | EverySize},
    {"medium", "medium", 64, 128, 8, 1, {1, 1}, false, CommonSizes},
    {"small", "small", 64, 64, 12, 1, {1, 1}, false, 0},
    {"skinny_n", "skinny", 64, 32, 12, 1, {1, 1}, false, 0},
    {"skinny_m", "skinny", 32, 64, 12, 1, {1, 1}, true, 0}};

/// The larger plans round their rows in registers, keep their sums in the
/// accumulators, and so have twice the rows.
static const PortfolioPlan RegistersPlans[] = {
    {"large", "large", 256, 128, 4, 2, {1, 1}, false,
     Largest | CommonSizes | EverySize},
    {"wide_m", "large", 96, 256, 4, 2, {1, 1}, true, 0},
    {"medium", "medium", 128, 128, 6, 2, {1, 1}, false, CommonSizes},
    {"medium_96", "medium", 128, 96, 6, 2, {1, 1}, false, 0},
    {"small", "small", 64, 64, 12, 1, {1, 1}, false, 0, sharedSchedule, nullptr,
     partsFeed},
    {"skinny_n", "skinny", 64, 32, 12, 1, {1, 1}, false, 0, sharedSchedule, nullptr,
     partsFeed},
    {"skinny_m", "skinny", 32, 64, 12, 1, {1, 1}, true, 0, sharedSchedule, nullptr,
     partsFeed},
    {"deep", "deep", 128, 128, 6, 2, {1, 1}, false, 0, sharedSchedule, nullptr,
     nullptr, InSlices},
    {"deep_m", "deep", 32, 128, 8, 2, {1, 1}, true, 0, sharedSchedule, nullptr,
     partsFeed, InSlices}};

/// Rows are the operand that lies across k, whichever it is; here it is the
/// first one. A tile has no fewer than 64 of them, or 128 for two consumers, so
/// few columns are left to these plans and few rows to parts.
static const PortfolioPlan TurnedPlans[] = {
    {"large", "large", 128, 256, 4, 2, {2, 1}, false, Largest | CommonSizes},
    {"wide", "large", 128, 192, 4, 2, {2, 1}, false, CommonSizes},
    {"wide_224", "large", 128, 224, 4, 2, {1, 1}, false, 0},
    {"medium_160", "medium", 128, 160, 5, 2, {1, 1}, false, 0},
    {"medium", "medium", 128, 128, 6, 2, {1, 1}, false, CommonSizes | EverySize},
    {"medium_96", "medium", 128, 96, 6, 2, {1, 1}, false, 0},
    {"small", "small", 64, 128, 8, 1, {1, 1}, false, 0},
    {"skinny_64", "skinny", 128, 64, 8, 2, {1, 1}, false, 0},
    {"skinny_32", "skinny", 128, 32, 9, 2, {1, 1}, false, 0},
    {"skinny_m", "skinny", 32, 64, 12, 1, {1, 1}, true, 0, sharedSchedule, nullptr,
     partsFeed},
    {"deep", "deep", 128, 128, 6, 2, {1, 1}, false, 0, sharedSchedule, nullptr,
     nullptr, InSlices},
    {"deep_64", "deep", 128, 64, 8, 2, {1, 1}, false, 0, sharedSchedule, nullptr,
     nullptr, InSlices},
    {"deep_32", "deep", 128, 32, 9, 2, {1, 1}, false, 0, sharedSchedule, nullptr,
     nullptr, InSlices}};

/// A warpgroup has no more than 64 by 128 doubles as sums, 128 registers a
/// thread. Tiles of the same area take the same time in the FP64 tensor cores,
/// which are so slow that L2 bounds none of them.
static const PortfolioPlan FragmentsPlans[] = {
    {"large", "large", 128, 128, 6, 2, {1, 1}, false,
     Largest | CommonSizes | EverySize},
    {"medium_96", "medium", 128, 96, 7, 2, {1, 1}, false, 0},
    {"medium", "medium", 128, 64, 8, 2, {1, 1}, false, CommonSizes},
    {"small", "small", 64, 64, 12, 1, {1, 1}, false, 0},
    {"skinny_n", "skinny", 64, 32, 12, 1, {1, 1}, false, 0},
    {"skinny_m", "skinny", 32, 64, 12, 1, {1, 1}, true, 0},
    {"skinny_wide", "skinny", 32, 128, 9, 2, {1, 1}, true, 0},
    {"deep", "deep", 128, 64, 8, 2, {1, 1}, false, 0, sharedSchedule, nullptr,
     nullptr, InSlices},
    {"deep_m", "deep", 32, 128, 9, 2, {1, 1}, true, 0, sharedSchedule, nullptr,
     nullptr, InSlices}};

/// Rows are the operand of narrow elements, whichever it is; here it is the
/// second one, as weights are. What matters where they decide the time is how
/// many CTAs read them at once, and that a tile has no more columns than there
/// are: its activations are read again by each CTA. There converting takes
/// longer than multiplying, and twice as many consumers do it, in turn.
static const PortfolioPlan ConvertedPlans[] = {
    {"large", "large", 256, 128, 4, 2, {1, 1}, true, Largest | CommonSizes},
    {"wide", "wide", 192, 128, 5, 2, {1, 1}, true, CommonSizes},
    {"medium", "medium", 128, 128, 6, 2, {1, 1}, true, CommonSizes | EverySize},
    {"small", "small", 128, 64, 8, 1, {1, 1}, true, 0},
    {"skinny_64", "skinny", 64, 128, 8, 4, {1, 1}, true, 0, interleavedSchedule},
    {"skinny_32", "skinny", 32, 128, 10, 4, {1, 1}, true, 0, interleavedSchedule},
    {"skinny_16", "skinny", 16, 128, 12, 4, {1, 1}, true, 0, interleavedSchedule},
    {"deep", "deep", 64, 128, 8, 4, {1, 1}, true, 0, interleavedSchedule, nullptr,
     nullptr, InSlices},
    {"deep_32", "deep", 32, 128, 10, 4, {1, 1}, true, 0, interleavedSchedule,
     nullptr, nullptr, InSlices},
    {"deep_16", "deep", 16, 128, 12, 4, {1, 1}, true, 0, interleavedSchedule,
     nullptr, nullptr, InSlices}};

/// The same for numbers of four bits. 64 of them are a line of 32 bytes, for
/// which waiting, giving back and starting wgmma took as long as converting it;
/// where consumers work in turn a stage has two such lines of each row.
static const PortfolioPlan NibblesPlans[] = {
    {"large", "large", 256, 128, 4, 2, {1, 1}, true, Largest | CommonSizes},
    {"wide", "wide", 192, 128, 5, 2, {1, 1}, true, CommonSizes},
    {"medium", "medium", 128, 128, 6, 2, {1, 1}, true, CommonSizes | EverySize},
    {"small", "small", 128, 64, 8, 1, {1, 1}, true, 0},
    {"skinny_64", "skinny", 64, 128, 6, 4, {1, 1}, true, 0, interleavedSchedule,
     nullptr, nullptr, 1, 2},
    {"skinny_32", "skinny", 32, 128, 8, 4, {1, 1}, true, 0, interleavedSchedule,
     nullptr, nullptr, 1, 2},
    {"skinny_16", "skinny", 16, 128, 8, 4, {1, 1}, true, 0, interleavedSchedule,
     nullptr, nullptr, 1, 2},
    {"deep", "deep", 64, 128, 6, 4, {1, 1}, true, 0, interleavedSchedule, nullptr,
     nullptr, InSlices, 2},
    {"deep_32", "deep", 32, 128, 8, 4, {1, 1}, true, 0, interleavedSchedule,
     nullptr, nullptr, InSlices, 2},
    {"deep_16", "deep", 16, 128, 8, 4, {1, 1}, true, 0, interleavedSchedule,
     nullptr, nullptr, InSlices, 2}};

// clang-format on

/// The first that suits a contraction is taken.
static const PlanFamily Families[] = {
    {straightFeed, promotedMultiply,
     [](const Contraction &C) { return depthOfScaledBlocks(C) != 0; },
     ScaledPlans},
    {straightFeed, promotedMultiply, nullptr, PromotedPlans},
    {straightFeed, nullptr, nullptr, StraightPlans, OnlyRounded},
    {roundedFeed, promotedMultiply, nullptr, PromotedPlans},
    {roundedFeed, nullptr, nullptr, StraightPlans, NeverRounded},
    {turnedFeed, nullptr, nullptr, TurnedPlans},
    {bitsFeed, nullptr, nullptr, StraightPlans, OnlyRounded},
    {registersFeed, nullptr, nullptr, RegistersPlans},
    {partsFeed, nullptr,
     [](const Contraction &C) { return C.A.Prologue && C.B.Prologue; },
     ComputedPlans},
    {partsFeed, nullptr, nullptr, PartsPlans},
    {fragmentsFeed, nullptr, nullptr, FragmentsPlans},
    {convertedFeed, nullptr, hasNibbles, NibblesPlans},
    {convertedFeed, nullptr, nullptr, ConvertedPlans}};

const PlanFamily &planFamily(const Contraction &C, const FeedRole &Feed,
                             const MultiplyRole &Multiply) {
  for (const PlanFamily &F : Families)
    if (&F.Feed() == &Feed && (!F.Multiply || &F.Multiply() == &Multiply) &&
        (!F.Suits || F.Suits(C)))
      return F;
  llvm_unreachable("a feed without a family of plans");
}

PlanChoice PlanFamily::choice(const PortfolioPlan &P,
                              const Contraction &C) const {
  PlanChoice Result;
  Result.Name = P.Name;
  Result.Family = P.Family;
  Result.SuitsEverySize = P.Uses & EverySize;
  Result.Largest = P.Uses & Largest;
  Result.SuitsCommonSizes = P.Uses & CommonSizes;
  Result.TileM = P.TileM;
  Result.TileN = P.TileN;
  Result.Stages = P.Stages;
  Result.ConsumerWarpgroups = P.ConsumerWarpgroups;
  Result.ClusterM = P.Cluster.M;
  Result.ClusterN = P.Cluster.N;
  Result.SwapAB = P.SwapAB;
  Result.Slices = P.Slices;
  Result.Schedule = &P.Schedule();
  Result.Feed = P.Feed ? &P.Feed() : &Feed();
  Result.TileK = P.Depth * Result.Feed->blockDepth(C);
  return Result;
}

} // namespace warpwright
