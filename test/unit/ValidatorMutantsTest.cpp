//===- ValidatorMutantsTest.cpp - Broken plans are caught -----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each property at least one plan, or one protocol, that violates it and
// nothing that is checked before; and every number of a plan's JSON, one up and
// one down.
//
//===----------------------------------------------------------------------===//

#include "ValidatorPlans.h"
#include "ValidatorProtocols.h"
#include "warpwright/Plan/Protocol.h"
#include "warpwright/Plan/Validator.h"

#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"
#include <set>

using namespace llvm;
using namespace warpwright;

namespace {

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

struct PlanMutant {
  Property Violated;
  const char *What;
  void (*Change)(KernelPlan &);
};

/// Makes the memory map follow again from stages and buffers.
void place(KernelPlan &P) {
  P.Epilogue.StagingOffset = P.Stages * P.StageBytes;
  P.Epilogue.StagingBytes =
      P.ConsumerWarpgroups * P.Epilogue.Buffers * P.Epilogue.BufferBytes;
  P.BarrierOffset = P.Epilogue.StagingOffset + P.Epilogue.StagingBytes;
  P.SmemBytes = P.BarrierOffset + 16 * P.Stages;
}

#define CHANGE(...) [](KernelPlan &P) { __VA_ARGS__; }
const PlanMutant OfCooperative[] = {
    {Property::Shape, "no stages", CHANGE(P.Stages = 0)},
    {Property::Shape, "raster group of 0", CHANGE(P.RasterGroup = 0)},
    {Property::Shape, "4 groups", CHANGE(P.ConsumerWarpgroups = 4)},
    {Property::Tile, "tile twice as tall", CHANGE(P.TileM *= 2)},
    {Property::Tile, "one warpgroup too many",
     CHANGE(P.ConsumerWarpgroups = 3)},
    {Property::Tile, "k of the instruction", CHANGE(P.InstructionK = 8)},
    {Property::Tile, "n of the instruction", CHANGE(P.InstructionN = 120)},
    {Property::Threads, "a warp more", CHANGE(P.Threads += 32)},
    {Property::Cluster, "16 CTAs", CHANGE(P.ClusterM = 16)},
    {Property::Cluster, "3 CTAs", CHANGE(P.ClusterM = 3)},
    {Property::Fragment, "accumulators", CHANGE(P.Accumulators -= 4)},
    {Property::Fragment, "another fragment",
     CHANGE(P.Fragment = "((4,8,4),(2,2,16)):((128,1,16),(64,512,8))")},
    {Property::Operands, "swap_ab", CHANGE(P.SwapAB = !P.SwapAB)},
    {Property::Operands, "types", CHANGE(P.Cols.Type = ScalarType::F16)},
    {Property::Operands, "float without a transform",
     CHANGE(P.Rows.Type = P.Cols.Type = ScalarType::F32)},
    {Property::Operands, "parts without a transform", CHANGE(P.Cols.Parts = 1)},
    {Property::Layout, "no swizzle of bytes",
     CHANGE(P.Rows.SmemLayout =
                "S<3,4,3> o 0 o ((8,16),(64,1)):((64,256),(1,0))")},
    {Property::Layout, "nonsense", CHANGE(P.Rows.SmemLayout = "nonsense")},
    {Property::Layout, "bytes", CHANGE(P.Rows.StageBytes -= 16)},
    {Property::Swizzle, "mode", CHANGE(P.Rows.Swizzle = SwizzleMode::B64)},
    {Property::Swizzle, "unswizzled",
     CHANGE(P.Rows.SmemLayout = "(128,64):(64,1)")},
    {Property::Swizzle, "no mode of the hardware",
     CHANGE(P.Rows.SmemLayout =
                "S<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))")},
    {Property::Box, "over 256",
     CHANGE(P.Rows.Box = {64, 257}; P.Rows.BoxBytes = 64 * 257 * 2)},
    {Property::Box, "rows of 24 bytes", CHANGE(P.Rows.Box[0] = 12)},
    {Property::Box, "wider than the swizzle", CHANGE(P.Rows.Box = {128, 64})},
    {Property::Box, "bytes off by one", CHANGE(P.Rows.BoxBytes += 1)},
    {Property::Copies, "half the tile",
     CHANGE(P.Rows.Box[1] /= 2; P.Rows.BoxBytes /= 2;
            P.Rows.BoxStepBytes /= 2)},
    {Property::Copies, "one box more", CHANGE(P.Cols.BoxCount += 1)},
    {Property::Copies, "boxes closer", CHANGE(P.Cols.BoxStepRows /= 2)},
    {Property::Copies, "share elsewhere", CHANGE(P.Cols.ShareStepK += 8)},
    {Property::Copies, "one box without its distance",
     CHANGE(P.Rows.BoxStepRows = 8)},
    {Property::Multicast, "mask of one CTA", CHANGE(P.Cols.MulticastMask = 1)},
    {Property::Multicast, "mask of both rows",
     CHANGE(P.Rows.MulticastMask = 3)},
    {Property::Multicast, "masks too close", CHANGE(P.Cols.MulticastStep = 1)},
    {Property::Descriptor, "stride off", CHANGE(P.Rows.StrideBytes = 512)},
    {Property::Descriptor, "stride not of 16", CHANGE(P.Rows.StrideBytes += 8)},
    {Property::Descriptor, "leading off", CHANGE(P.Cols.LeadingBytes += 1024)},
    {Property::Descriptor, "k step", CHANGE(P.Cols.KStepBytes += 16)},
    {Property::Descriptor, "k step not of 16", CHANGE(P.Rows.KStepBytes += 8)},
    {Property::Descriptor, "group", CHANGE(P.Rows.GroupBytes /= 2)},
    {Property::Descriptor, "columns in blocks",
     CHANGE(P.Cols.RowBlockBytes = 8192)},
    {Property::Offsets, "16 bits", CHANGE(P.Epilogue.OffsetBits = 16)},
    {Property::Slab, "narrower", CHANGE(P.Epilogue.SlabColumns = 32)},
    {Property::Slab, "other direction",
     CHANGE(P.Epilogue.RowsContiguous = true)},
    {Property::Slab, "half a buffer", CHANGE(P.Epilogue.BufferBytes = 4096)},
    {Property::Slab, "box of half a slab", CHANGE(P.Epilogue.Box[1] = 32)},
    {Property::MemoryMap, "columns overlap rows",
     CHANGE(P.Cols.Offset -= 1024)},
    {Property::MemoryMap, "stages overlap", CHANGE(P.StageBytes -= 1024)},
    {Property::MemoryMap, "staging overlaps a stage",
     CHANGE(P.Epilogue.StagingOffset -= 1024)},
    {Property::MemoryMap, "misaligned", CHANGE(P.BarrierOffset += 4)},
    {Property::MemoryMap, "one stage too many, not placed",
     CHANGE(P.Stages += 1)},
    {Property::MemoryBudget, "one stage too many",
     CHANGE(P.Stages = 7; place(P))},
    {Property::MemoryBudget, "asks for less than it uses",
     CHANGE(P.SmemBytes -= 8)},
    {Property::Registers, "not a multiple of 8",
     CHANGE(P.ConsumerRegisters = 230)},
    {Property::Registers, "too few", CHANGE(P.ProducerRegisters = 16)},
    {Property::RegisterBudget, "sum", CHANGE(P.ConsumerRegisters += 8)},
    {Property::RegisterBudget, "consumers give registers up",
     CHANGE(P.ConsumerRegisters = 72)},
    {Property::NamedBarrier, "that of __syncthreads",
     CHANGE(P.Epilogue.FirstBarrier = 0)},
    {Property::NamedBarrier, "beyond the last",
     CHANGE(P.Epilogue.FirstBarrier = 15)},
    {Property::NamedBarrier, "turns that nobody takes",
     CHANGE(P.TurnBarrier = 4)},
    {Property::ArrivalCount, "an arrival less", CHANGE(P.EmptyArrivals -= 1)},
    {Property::ArrivalCount, "an arrival more", CHANGE(P.EmptyArrivals += 1)},
    {Property::ArrivalCount, "one CTA's arrivals",
     CHANGE(P.EmptyArrivals /= 2)},
    {Property::ArrivalCount, "two producers", CHANGE(P.FullArrivals = 2)},
    {Property::TransactionBytes, "a byte more",
     CHANGE(P.TransactionBytes += 1)},
    {Property::TransactionBytes, "a byte less",
     CHANGE(P.TransactionBytes -= 1)},
    {Property::TransactionBytes, "a box less",
     CHANGE(P.TransactionBytes -= P.Cols.BoxBytes)},
    {Property::Deadlock, "a single stage, released one block late",
     CHANGE(P.Stages = 1; place(P))},
};
const PlanMutant OfPingpong[] = {
    {Property::Shape, "a turn for one", CHANGE(P.ConsumerWarpgroups = 1)},
    {Property::Descriptor, "groups apart", CHANGE(P.Rows.GroupBytes = 8192)},
    {Property::NamedBarrier, "turns among the stores",
     CHANGE(P.TurnBarrier = 2)},
    {Property::NamedBarrier, "one warpgroup at a turn",
     CHANGE(P.TurnThreads = 128)},
    {Property::ArrivalCount, "readers of both groups",
     CHANGE(P.EmptyArrivals *= 2)},
};
const PlanMutant OfPromoted[] = {
    {Property::Tile, "promotion within a block", CHANGE(P.PromotedK = 96)},
    {Property::Tile, "no promotion", CHANGE(P.PromotedK = 0)},
    {Property::Deadlock, "a window longer than the pipeline",
     CHANGE(P.PromotedK = (P.Stages + 1) * P.TileK)},
};
const PlanMutant OfFragments[] = {
    {Property::Tile, "k of the instruction", CHANGE(P.InstructionK = 8)},
    {Property::Fragment, "sums of fewer columns", CHANGE(P.Accumulators -= 4)},
    {Property::Fragment, "sums of other threads",
     CHANGE(P.Fragment = "(128,64):(1,128)")},
    {Property::Descriptor, "a descriptor that nothing reads",
     CHANGE(P.Cols.StrideBytes = 1024)},
    {Property::ArrivalCount, "one arrival a warp",
     CHANGE(P.EmptyArrivals /= 32)},
    {Property::RegisterBudget, "registers for sums of floats",
     CHANGE(P.ConsumerRegisters = 104)},
};
#undef CHANGE

/// Makes the memory map of a plan with a transform follow.
void placeSplit(KernelPlan &P) {
  place(P);
  P.Split.ScaleOffset = P.BarrierOffset;
  P.Split.FlagOffset = P.Split.ScaleOffset + P.Stages * P.Split.ScaleStageBytes;
  P.BarrierOffset = P.Split.FlagOffset + P.Stages * P.Split.FlagStageBytes;
  P.SmemBytes = P.BarrierOffset + 24 * P.Stages;
}

#define CHANGE(...) [](KernelPlan &P) { __VA_ARGS__; }
const PlanMutant OfSplit[] = {
    {Property::Shape, "consumers take turns",
     CHANGE(P.Schedule = &pingpongSchedule())},
    {Property::Shape, "a window of nothing", CHANGE(P.Split.Window = 0)},
    {Property::Shape, "a window of too much", CHANGE(P.Split.Window = 2000)},
    {Property::Tile, "64 along k", CHANGE(P.TileK = 64)},
    {Property::Tile, "two instructions a warpgroup",
     CHANGE(P.ConsumerWarpgroups = 1; P.Threads -= 128)},
    {Property::Threads, "a warpgroup of the transform less",
     CHANGE(P.Split.Warpgroups -= 1)},
    {Property::Operands, "three parts", CHANGE(P.Rows.Parts = 3)},
    {Property::Operands, "no parts", CHANGE(P.Cols.Parts = 0)},
    {Property::Operands, "two parts of half",
     CHANGE(P.Rows.Type = ScalarType::F16)},
    {Property::Operands, "half is no matter for a transform",
     CHANGE(P.Rows.Type = P.Cols.Type = ScalarType::F16;
            P.Rows.Parts = P.Cols.Parts = 1)},
    {Property::Operands, "no transform",
     CHANGE(P.Feed = &straightFeed(); P.Split.Warpgroups = 0;
            P.Threads -= 256)},
    {Property::Threads, "no warpgroup of the transform",
     CHANGE(P.Split.Warpgroups = 0; P.Threads -= 256)},
    {Property::Layout, "blocks on top of each other",
     CHANGE(P.Cols.RawLayout = "((32,4),32):((1,0),32)")},
    {Property::Layout, "beyond the stage",
     CHANGE(P.Cols.RawLayout = "((32,4),32):((1,2048),32)")},
    {Property::Layout, "half a line of parts",
     CHANGE(P.Rows.SmemLayout =
                "S<2,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0))";
            P.Rows.Swizzle = SwizzleMode::B64)},
    {Property::Layout, "bytes of a stage", CHANGE(P.Rows.StageBytes /= 2)},
    {Property::Swizzle, "raw and swizzled otherwise",
     CHANGE(P.Rows.RawSwizzle = SwizzleMode::None)},
    {Property::Box, "wider than the swizzle", CHANGE(P.Rows.Box = {64, 64})},
    {Property::Copies, "blocks further apart",
     CHANGE(P.Cols.BoxStepBytes *= 2)},
    {Property::Copies, "rows further apart", CHANGE(P.Cols.BoxStepRows = 64)},
    {Property::Multicast, "mask of one CTA", CHANGE(P.Cols.MulticastMask = 1)},
    {Property::Descriptor, "k step of the raw elements",
     CHANGE(P.Rows.KStepBytes = 64)},
    {Property::Descriptor, "stride", CHANGE(P.Cols.StrideBytes = 512)},
    {Property::Descriptor, "group",
     CHANGE(P.Rows.GroupBytes = P.Rows.RowBlockBytes = 4096)},
    {Property::Parts, "low parts in the middle of the high ones",
     CHANGE(P.Rows.LowPartBytes = 32)},
    {Property::Parts, "low parts on top of the high ones",
     CHANGE(P.Cols.LowPartBytes = 0)},
    {Property::Parts, "low parts before the high ones",
     CHANGE(P.Cols.LowPartBytes = -64)},
    {Property::Parts, "low parts in the line behind",
     CHANGE(P.Cols.LowPartBytes = 128)},
    {Property::Parts, "low parts not on a chunk",
     CHANGE(P.Rows.LowPartBytes = 72)},
    {Property::Parts, "low parts of one", CHANGE(P.Rows.Parts = 1)},
    {Property::Transform, "more rows than are used",
     CHANGE(P.Cols.StoredExtent = 160)},
    {Property::Transform, "blocks of half a warp",
     CHANGE(P.Split.BlockRows = 16)},
    {Property::Transform, "blocks of half their size",
     CHANGE(P.Split.BlockBytes = 2048)},
    // As good for TMA, and no block of 32 rows has its memory to itself.
    {Property::Transform, "lines of 128 rows",
     CHANGE(OperandPlan &O = P.Cols; O.RawLayout = "(128,32):(1,128)";
            O.Box = {128, 16}; O.BoxCount = 1; O.BoxBytes = 8192;
            O.BoxStepBytes = 16384; O.BoxStepRows = 0)},
    {Property::Transform, "an order of k that the transform does not write",
     CHANGE(P.Split.KSlots = "(4,2,2):(2,1,8)")},
    {Property::Exponents, "high parts become infinite",
     CHANGE(P.Split.TopExponent = 15)},
    {Property::Exponents, "low parts become infinite",
     CHANGE(P.Split.LowShift = 13)},
    {Property::Exponents, "low parts lose bits", CHANGE(P.Split.LowShift = 10)},
    {Property::Exponents, "rows are scaled too far up",
     CHANGE(P.Split.ScaleExponent = 15)},
    {Property::Exponents, "elements that lose bits",
     CHANGE(P.Rows.LeastExponent = -17)},
    {Property::Exponents, "no element is large enough",
     CHANGE(P.Rows.LeastExponent = 13)},
    {Property::Exponents, "products lose bits",
     CHANGE(P.Split.RangeExponent = 83)},
    {Property::Exponents, "scales that are no floats",
     CHANGE(P.Split.RangeExponent = 115)},
    {Property::Exponents, "no scale at all",
     CHANGE(P.Split.RangeExponent = -1)},
    {Property::MemoryMap, "scales overlap the staging",
     CHANGE(P.Split.ScaleOffset -= 1024)},
    {Property::MemoryMap, "flags overlap the scales",
     CHANGE(P.Split.FlagOffset -= 8)},
    {Property::MemoryMap, "scales of the rows alone",
     CHANGE(P.Split.ScaleStageBytes /= 2; placeSplit(P))},
    {Property::MemoryMap, "a flag for every two blocks",
     CHANGE(P.Split.FlagStageBytes /= 2; placeSplit(P))},
    {Property::MemoryMap, "no ready barriers",
     CHANGE(P.BarrierOffset += 8 * P.Stages)},
    {Property::MemoryBudget, "no room for ready barriers",
     CHANGE(P.SmemBytes -= 8 * P.Stages)},
    {Property::MemoryBudget, "one stage too many",
     CHANGE(P.Stages = 7; placeSplit(P))},
    {Property::Registers, "not a multiple of 8",
     CHANGE(P.Split.Registers = 76)},
    {Property::RegisterBudget, "the transform's are more",
     CHANGE(P.Split.Registers += 8)},
    {Property::RegisterBudget, "the consumers' are more",
     CHANGE(P.ConsumerRegisters += 8)},
    {Property::RegisterBudget, "the transform takes",
     CHANGE(P.Split.Registers = 104; P.ConsumerRegisters = 120)},
    {Property::RegisterBudget, "no room for the sums",
     CHANGE(P.ConsumerRegisters = 128)},
    {Property::ArrivalCount, "a ready arrival less",
     CHANGE(P.Split.ReadyArrivals -= 1)},
    {Property::ArrivalCount, "a ready arrival more",
     CHANGE(P.Split.ReadyArrivals += 1)},
    {Property::ArrivalCount, "a ready arrival for each warp",
     CHANGE(P.Split.ReadyArrivals /= 32)},
    {Property::ArrivalCount, "an empty arrival less",
     CHANGE(P.EmptyArrivals -= 1)},
    {Property::TransactionBytes, "a box less",
     CHANGE(P.TransactionBytes -= P.Cols.BoxBytes)},
    {Property::Deadlock, "a window longer than the ring",
     CHANGE(P.Split.Window = 5)},
};
/// Of a float and a half operand, both contiguous along their rows.
const PlanMutant OfMixed[] = {
    {Property::Operands, "two parts of half", CHANGE(P.Cols.Parts = 2)},
    {Property::Layout, "half the bytes of a stage",
     CHANGE(P.Cols.StageBytes /= 2)},
    {Property::Transform, "lines of 128 rows",
     CHANGE(OperandPlan &O = P.Cols; O.RawLayout = "(128,32):(1,128)";
            O.Box = {128, 32}; O.BoxCount = 1; O.BoxBytes = 8192;
            O.BoxStepBytes = 4096; O.BoxStepRows = 0)},
    {Property::Exponents, "half loses bits",
     CHANGE(P.Cols.LeastExponent = -25)},
    {Property::Exponents, "sums overflow", CHANGE(P.Split.RangeExponent = 110)},
    {Property::TransactionBytes, "what the parts take",
     CHANGE(P.TransactionBytes = P.StageBytes)},
};
/// Both contiguous along k, the columns one block.
const PlanMutant OfNarrow[] = {
    {Property::Transform, "halves of a line one behind the other",
     CHANGE(OperandPlan &O = P.Cols;
            O.RawLayout = "S<2,4,3> o 0 o ((8,4),(16,2)):((16,128),(1,512))";
            O.RawSwizzle = SwizzleMode::B64; O.Box = {16, 32}; O.BoxCount = 2;
            O.BoxBytes = O.BoxStepBytes = 2048; O.BoxStepK = 16)},
};
/// Rows along k that are rounded in registers.
const PlanMutant OfRegisters[] = {
    {Property::Layout, "as if the transform wrote the rows",
     CHANGE(P.Feed = &partsFeed())},
    {Property::Operands, "two parts", CHANGE(P.Rows.Parts = 2)},
    {Property::Operands, "columns of two parts", CHANGE(P.Cols.Parts = 2)},
    {Property::Operands, "half rows", CHANGE(P.Rows.Type = ScalarType::F16)},
    {Property::Operands, "no transform",
     CHANGE(P.Feed = &straightFeed(); P.Split.Warpgroups = 0;
            P.Threads -= 128)},
    {Property::Threads, "no warpgroup of the transform",
     CHANGE(P.Split.Warpgroups = 0; P.Threads -= 128)},
    {Property::Tile, "three instructions a warpgroup",
     CHANGE(P.TileM = P.Rows.TileExtent = P.Rows.StoredExtent = 384)},
    {Property::Layout, "parts where nobody writes them",
     CHANGE(P.Rows.SmemLayout =
                "S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0))")},
    {Property::Layout, "a swizzle that is not that of the raw stage",
     CHANGE(P.Rows.Swizzle = SwizzleMode::B64)},
    {Property::Layout, "lines apart",
     CHANGE(P.Rows.RawLayout = P.Rows.SmemLayout =
                "S<3,4,3> o 0 o ((8,16),(32,1)):((32,512),(1,0))")},
    {Property::Layout, "bytes of a stage", CHANGE(P.Rows.StageBytes *= 2)},
    {Property::Swizzle, "unswizzled",
     CHANGE(P.Rows.RawLayout = P.Rows.SmemLayout =
                "((8,16),(32,1)):((32,256),(1,0))")},
    {Property::Box, "over 256",
     CHANGE(P.Rows.Box[1] = 264; P.Rows.BoxBytes = 264 * 128)},
    {Property::Copies, "half the rows",
     CHANGE(P.Rows.Box[1] /= 2; P.Rows.BoxBytes /= 2;
            P.Rows.BoxStepBytes /= 2)},
    {Property::Multicast, "mask of both CTAs",
     CHANGE(P.Rows.MulticastMask = 3)},
    {Property::Descriptor, "a descriptor that nobody reads",
     CHANGE(P.Rows.StrideBytes = 1024)},
    {Property::Descriptor, "a step that nobody takes",
     CHANGE(P.Rows.KStepBytes = 64)},
    {Property::Descriptor, "columns' stride", CHANGE(P.Cols.StrideBytes = 512)},
    {Property::Parts, "low parts", CHANGE(P.Rows.LowPartBytes = 64)},
    {Property::OperandFragment, "halves of a line one behind the other",
     CHANGE(OperandPlan &O = P.Rows;
            O.RawLayout = O.SmemLayout =
                "S<2,4,3> o 0 o ((8,16),(16,2)):((16,128),(1,2048))";
            O.RawSwizzle = O.Swizzle = SwizzleMode::B64; O.Box = {16, 128};
            O.BoxCount = 2; O.BoxBytes = O.BoxStepBytes = 8192;
            O.BoxStepK = 16)},
    {Property::OperandFragment, "columns in the order of k",
     CHANGE(P.Split.KSlots = "16:1")},
    {Property::OperandFragment, "registers exchanged",
     CHANGE(P.Split.KSlots = "(4,2,2):(2,8,1)")},
    {Property::OperandFragment, "quads of lanes exchanged",
     CHANGE(P.Split.KSlots = "(2,2,2,2):(4,2,1,8)")},
    {Property::OperandFragment, "two of k in one slot",
     CHANGE(P.Split.KSlots = "(4,2,2):(2,1,7)")},
    {Property::OperandFragment, "slots that there are not",
     CHANGE(P.Split.KSlots = "(4,2,2):(2,1,16)")},
    {Property::OperandFragment, "slots of half an instruction",
     CHANGE(P.Split.KSlots = "(4,2):(2,1)")},
    {Property::OperandFragment, "slots of a whole stage",
     CHANGE(P.Split.KSlots = "(4,2,4):(2,1,8)")},
    {Property::OperandFragment, "slots that are no layout",
     CHANGE(P.Split.KSlots = "by fours")},
    {Property::Exponents, "elements that lose bits",
     CHANGE(P.Rows.LeastExponent = -15)},
    {Property::Exponents, "sums overflow", CHANGE(P.Split.RangeExponent = 96)},
    {Property::Exponents, "products lose bits",
     CHANGE(P.Split.RangeExponent = 87)},
    {Property::MemoryMap, "no scales of the rows",
     CHANGE(P.Split.ScaleStageBytes /= 2; placeSplit(P))},
    {Property::ArrivalCount, "ready by warps",
     CHANGE(P.Split.ReadyArrivals /= 32)},
    {Property::ArrivalCount, "an empty arrival less",
     CHANGE(P.EmptyArrivals -= 1)},
    {Property::TransactionBytes, "bytes of the columns",
     CHANGE(P.TransactionBytes = P.Cols.StageBytes)},
    {Property::Deadlock, "a single stage", CHANGE(P.Stages = 1; placeSplit(P))},
};
/// Two instructions a warpgroup, of rows that are contiguous in memory.
const PlanMutant OfRegistersAcross[] = {
    {Property::Swizzle, "as the transform reads them",
     CHANGE(P.Rows.RawLayout = P.Rows.SmemLayout =
                "((32,8),32):((1,1024),32)")},
    {Property::OperandFragment, "columns in the order of ldmatrix",
     CHANGE(P.Split.KSlots = "(4,2,2):(2,1,8)")},
    {Property::RegisterBudget, "no room for two sets of rows",
     CHANGE(P.ConsumerRegisters = 160)},
};
/// Four consumers in two sets, 4 stages.
const PlanMutant OfInterleaved[] = {
    {Property::Shape, "a stage of which both sets are", CHANGE(P.Stages = 3)},
    {Property::Shape, "sets of different size",
     CHANGE(P.ConsumerWarpgroups = 3)},
    {Property::Shape, "three sets", CHANGE(P.ConsumerWarpgroups = 6)},
    {Property::MemoryMap, "sums of half a tile", CHANGE(P.ExchangeBytes /= 2)},
    {Property::MemoryMap, "sums in the staging buffers",
     CHANGE(P.ExchangeOffset = P.Epilogue.StagingOffset)},
    {Property::MemoryMap, "staging for those that do not store",
     CHANGE(P.Epilogue.StagingBytes *= 2)},
    {Property::NamedBarrier, "one warpgroup meets",
     CHANGE(P.TurnThreads = 128)},
    {Property::NamedBarrier, "sums meet at the barrier of stores",
     CHANGE(P.TurnBarrier = P.Epilogue.FirstBarrier)},
    {Property::ArrivalCount, "both sets release each stage",
     CHANGE(P.EmptyArrivals *= 2)},
    {Property::RegisterBudget, "the producer keeps its registers",
     CHANGE(P.ProducerRegisters = 40)},
};
#undef CHANGE

KernelPlan interleaved() {
  return planOf(interleavedChoice(), 'N', 'T', "f32", {"bf16", "i8"});
}
KernelPlan promoted() {
  PlanChoice P = smallChoice();
  P.Multiply = &promotedMultiply();
  return planOf(P);
}
KernelPlan behind() {
  PlanChoice P = smallChoice();
  P.Multiply = &promotedMultiply();
  P.TileK = 128;
  P.Stages = 4;
  return planOf(P, 'N', 'T', "f32", {"e4m3", "e4m3"});
}
KernelPlan fragments() {
  PlanChoice P = smallChoice();
  P.TileK = 16;
  return planOf(P, 'N', 'T', "f64", {"f64", "f64"});
}
KernelPlan registers() { return splitPlanOf(registersChoice()); }
KernelPlan registersAcross() {
  PlanChoice P = registersChoice();
  P.TileM = 256;
  P.ClusterM = 1;
  return splitPlanOf(P, 'T', 'N');
}
KernelPlan mixed() {
  PlanChoice P = splitChoice();
  P.ClusterM = 1;
  return splitPlanOf(P, 'T', 'N', {"f32", "f16"});
}
KernelPlan narrow() {
  PlanChoice P = splitChoice();
  P.ClusterM = 1;
  P.TileN = 32;
  return splitPlanOf(P, 'N', 'T');
}

std::string diagnose(const KernelPlan &P) {
  auto Result = validatePlan(P);
  if (auto *Bad = std::get_if<Diagnosis>(&Result))
    return name(Bad->Violated).str();
  return "certified";
}

KernelPlan cooperative() { return planOf(smallChoice()); }
KernelPlan pingpong() {
  PlanChoice P = smallChoice();
  P.Schedule = &pingpongSchedule();
  return planOf(P);
}

TEST(ValidatorMutants, BrokenPlansAreNamed) {
  auto Try = [](KernelPlan (*Good)(), ArrayRef<PlanMutant> Mutants) {
    ASSERT_EQ(diagnose(Good()), "certified");
    for (const PlanMutant &M : Mutants) {
      KernelPlan P = Good();
      M.Change(P);
      EXPECT_EQ(diagnose(P), name(M.Violated).str()) << M.What;
    }
  };
  Try(cooperative, OfCooperative);
  Try(pingpong, OfPingpong);
  Try([] { return splitPlanOf(); }, OfSplit);
  Try(mixed, OfMixed);
  Try(narrow, OfNarrow);
  Try(registers, OfRegisters);
  Try(registersAcross, OfRegistersAcross);
  Try(promoted, OfPromoted);
  Try(behind, {});
  Try(interleaved, OfInterleaved);
  Try(fragments, OfFragments);
}

//===----------------------------------------------------------------------===//
// Protocols
//===----------------------------------------------------------------------===//

TEST(ValidatorMutants, BrokenProtocolsAreNamedAndTraced) {
  for (const ProtocolMutant &M : protocolMutants()) {
    ProtocolCoverage Coverage;
    auto Bad =
        exploreProtocol(M.Of == ProtocolMutant::Split         ? splitPlanOf()
                        : M.Of == ProtocolMutant::Registers   ? registers()
                        : M.Of == ProtocolMutant::Pingpong    ? pingpong()
                        : M.Of == ProtocolMutant::Interleaved ? interleaved()
                        : M.Of == ProtocolMutant::Behind      ? behind()
                                                              : cooperative(),
                        Coverage, M.Change);
    ASSERT_TRUE(Bad) << M.What;
    EXPECT_EQ(name(Bad->Violated).str(), name(M.Violated).str())
        << M.What << ": " << Bad->Message;
    EXPECT_FALSE(Bad->Trace.empty() && Bad->Violated != Property::ClusterExit)
        << M.What;
  }
}

/// A consumer that adds its accumulators up before their products have come.
TEST(ValidatorMutants, PromotedSumsAreWaitedFor) {
  ProtocolCoverage Coverage;
  auto Bad = exploreProtocol(promoted(), Coverage, [](Protocol &P) {
    for (ProtocolAgent &A : P.Agents)
      for (ProtocolOp &Op : A.Script)
        if (Op.Where == Site::WaitLast)
          Op.Count = 1;
  });
  ASSERT_TRUE(Bad);
  EXPECT_NE(Bad->Violated, Property::Deadlock);
}

/// A consumer that gives a stage back before it has loaded it.
TEST(ValidatorMutants, FragmentsAreLoadedBeforeTheirStageIsReleased) {
  ProtocolCoverage Coverage;
  auto Bad = exploreProtocol(fragments(), Coverage, [](Protocol &P) {
    for (ProtocolAgent &A : P.Agents) {
      int32_t Block = 0; // stages are given back in the order of blocks
      for (size_t I = 1; I < A.Script.size(); ++I) {
        if (A.Script[I].Where != Site::ReleaseLoaded)
          continue;
        const auto Release = A.Script.begin() + I;
        const auto Load =
            std::find_if(A.Script.begin(), Release, [&](const ProtocolOp &Op) {
              return Op.Where == Site::LoadFragments && Op.Tag == Block;
            });
        std::rotate(Load, Release, Release + 1);
        ++Block;
      }
    }
  });
  ASSERT_TRUE(Bad);
  EXPECT_EQ(name(Bad->Violated).str(), "stage-overwritten") << Bad->Message;
}

TEST(ValidatorMutants, EveryPropertyHasOne) {
  std::set<Property> Seen;
  for (const PlanMutant &M : OfCooperative)
    Seen.insert(M.Violated);
  for (const PlanMutant &M : OfPingpong)
    Seen.insert(M.Violated);
  for (const PlanMutant &M : OfSplit)
    Seen.insert(M.Violated);
  for (const PlanMutant &M : OfRegisters)
    Seen.insert(M.Violated);
  for (const ProtocolMutant &M : protocolMutants())
    Seen.insert(M.Violated);
  for (Property P : allProperties())
    EXPECT_TRUE(Seen.count(P)) << name(P).str();
}

/// K = 0 is the launcher's (rt::check): the kernel would release a stage that
/// it has not read.
TEST(ValidatorMutants, KernelsNeedABlock) {
  for (const KernelPlan &P : {cooperative(), pingpong()}) {
    ProtocolRun Run;
    Run.KBlocks = LeastKBlocks - 1;
    EXPECT_TRUE(exploreRun(buildProtocol(P, Run)));
  }
}

} // namespace
