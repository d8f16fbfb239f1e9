//===-- PlanStruct.cpp - Plans as constants of generated code -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanStruct.h"
#include "warpwright/CodeGen/ExprPrinter.h"
#include "warpwright/Hopper/Wgmma.h"
#include "warpwright/Layout/Algebra.h"
#include "warpwright/Layout/Expression.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace warpwright {

static constexpr int64_t WarpsPerWarpgroup = 4;

namespace {
/// Writes `static constexpr` members.
class StructWriter {
public:
  void open(llvm::StringRef Comment, llvm::StringRef Name) {
    OS << "\n/// " << Comment << "\nstruct " << Name << " {\n";
  }
  void close() { OS << "};\n"; }
  void comment(const llvm::Twine &Text) { OS << "// " << Text << "\n"; }
  void number(llvm::StringRef Member, int64_t Value,
              llvm::StringRef Comment = "") {
    member("int", Member, std::to_string(Value), Comment);
  }
  void mask(llvm::StringRef Member, int64_t Value, llvm::StringRef Comment) {
    member("int", Member, "0x" + llvm::utohexstr(Value, /*LowerCase=*/true),
           Comment);
  }
  void flag(llvm::StringRef Member, bool Value, llvm::StringRef Comment = "") {
    member("bool", Member, Value ? "true" : "false", Comment);
  }
  void type(llvm::StringRef Member, llvm::StringRef Type) {
    OS << "using " << Member << " = " << Type << ";\n";
  }
  void function(llvm::StringRef Comment, llvm::StringRef Member,
                llvm::StringRef Variable, llvm::StringRef Value) {
    OS << "/// " << Comment << "\nstatic __device__ constexpr unsigned "
       << Member << "(unsigned " << Variable << ") {\nreturn " << Value
       << ";\n}\n";
  }
  std::string take() { return std::move(Text); }

private:
  void member(llvm::StringRef Type, llvm::StringRef Member,
              llvm::StringRef Value, llvm::StringRef Comment) {
    OS << "static constexpr " << Type << ' ' << Member << " = " << Value << ';';
    if (!Comment.empty())
      OS << " // " << Comment;
    OS << '\n';
  }
  std::string Text;
  llvm::raw_string_ostream OS{Text};
};
} // namespace

/// The part of a layout's offset that \p Variable contributes: `x % 4 * 2 + x /
/// 4 * 8`. \p Mode maps the variable to Unit * this number; leaves whose
/// stride lies outside Unit .. Unit * Extent - 1 belong to another number.
static void appendTerms(std::string &Out, const Layout &Mode,
                        llvm::StringRef Variable, int64_t Unit,
                        int64_t Extent) {
  const std::vector<int64_t> Shapes = leaves(Mode.shape());
  const std::vector<int64_t> Strides = leaves(Mode.stride());
  int64_t Below = 1;
  for (size_t I = 0; I < Shapes.size(); ++I) {
    const bool Mine =
        Strides[I] >= Unit && (Extent == 0 || Strides[I] < Unit * Extent);
    if (Mine) {
      Out += Out.empty() ? "" : " + ";
      Out += Variable;
      if (Below > 1)
        Out += " / " + std::to_string(Below);
      if (I + 1 < Shapes.size()) // nothing is left of the last one
        Out += " % " + std::to_string(Shapes[I]);
      if (Strides[I] > Unit)
        Out += " * " + std::to_string(Strides[I] / Unit);
    }
    Below *= Shapes[I];
  }
}

/// What wgmma reads: how descriptors are made, and the way of their addresses.
static void printAccess(StructWriter &W, const OperandPlan &O, bool IsRows) {
  W.number("leading_bytes", O.LeadingBytes);
  W.number("stride_bytes", O.StrideBytes);
  W.number("k_step_bytes", O.KStepBytes, "to the next k of an instruction");
  if (IsRows) {
    W.number("wave_bytes", O.RowBlockBytes, "to the next 64 rows");
    W.number("group_bytes", O.GroupBytes, "to the next consumer group's");
  }
}

/// What the transform makes of a raw stage.
static void printParts(StructWriter &W, const OperandPlan &O, bool IsRows) {
  W.open(O.InRegisters ? "Parts, in fp16, in the consumers' registers."
                       : "Parts, in fp16: " + O.SmemLayout + ".",
         "parts");
  W.number("count", O.Parts,
           O.Parts > 1 ? "22 bits of each element" : "11 bits of each element");
  W.number("low_bytes", O.LowPartBytes,
           O.Parts > 1 ? "from a row's high parts to its low ones" : "");
  W.number("least_exponent", O.LeastExponent,
           "of a scaled element that is represented well");
  if (!O.InRegisters) {
    W.number("swizzle_bytes", spanBytes(O.Swizzle), "in which chunks move");
    printAccess(W, O, IsRows);
  }
  W.close();
}

static void printOperand(StructWriter &W, const OperandPlan &O,
                         llvm::StringRef Name, bool IsRows,
                         const PlanStructOptions &Options) {
  const std::string Index = O.IsA ? "m" : "n";
  const bool AlongK = O.Order == Major::K;
  const bool IsSplit = O.Parts > 0;
  W.open((llvm::Twine(O.IsA ? "A" : "B") + ", " + (AlongK ? "k" : Index) +
          "-major; " + (IsSplit ? "raw: " : "a stage holds ") +
          (IsSplit ? O.RawLayout : O.SmemLayout) + ".")
             .str(),
         Name);
  if (IsSplit)
    W.type("element", cppType(O.Type));
  W.flag("k_major", AlongK);
  if (Options.Computed)
    W.flag("computed", O.Computed,
           O.Computed ? "from the element; raw blocks then hold floats" : "");
  if (Options.OneBatched)
    W.flag("batched", O.Batched);
  W.number("offset", O.Offset, "in a stage");
  W.number("swizzle_bytes", spanBytes(IsSplit ? O.RawSwizzle : O.Swizzle),
           "in which chunks move");
  W.comment("TMA: the boxes of a CTA's share of a stage.");
  W.number("box_inner", O.Box[0], AlongK ? "elements of k" : "of " + Index);
  W.number("box_outer", O.Box[1], AlongK ? "of " + Index : "of k");
  W.number("box_bytes", O.BoxBytes);
  W.number("boxes", O.BoxCount);
  if (O.Sources > 1)
    W.number("source_boxes", O.BoxCount / O.Sources, "of each array");
  W.number("box_step_x", O.BoxStepRows, "to the next box: along " + Index);
  W.number("box_step_k", O.BoxStepK);
  W.number("box_step_bytes", O.BoxStepBytes);
  W.number("shares", O.Shares, "CTAs that load a part of each box for all");
  W.number("share_step_x", O.ShareStepRows, "to the next share");
  W.number("share_step_k", O.ShareStepK);
  W.mask("multicast_mask", O.MulticastMask,
         IsRows ? "CTAs in the first row of a cluster"
                : "CTAs in the first column of a cluster");
  W.number("multicast_step", O.MulticastStep,
           IsRows ? "bits to the next row" : "bits to the next column");
  if (IsSplit) {
    printParts(W, O, IsRows);
  } else {
    W.comment("WGMMA: the descriptor, and the way of its start address.");
    printAccess(W, O, IsRows);
  }
  W.close();
}

static void printSlab(StructWriter &W, const KernelPlan &P) {
  const EpiloguePlan &E = P.Epilogue;
  const int64_t Bytes = byteSize(E.Type);
  W.open("What a group stages and stores at a time: " + E.SmemLayout + ".",
         "slab");
  W.flag("rows_contiguous", E.RowsContiguous,
         "in memory, or else its columns are");
  W.number("cols", E.SlabColumns);
  W.number("accumulators", P.Accumulators * E.SlabColumns / P.InstructionN,
           "per thread");
  W.number("box_inner", E.Box[0], "of a TMA store, elements");
  W.number("box_outer", E.Box[1]);
  W.number("box_bytes", E.BoxBytes);
  W.number("boxes", E.BoxCount);
  W.number("pitch", E.Box[0] * Bytes, "bytes of a row of a box");
  W.number("swizzle_bytes", spanBytes(E.Swizzle));
  const Swizzle S = byteSwizzle(E.Swizzle);
  W.mask("swizzle_mask", ((int64_t(1) << S.Bits) - 1) << S.Base,
         "address bits, XORed with");
  W.number("swizzle_shift", S.Shift, "those so many places higher");
  W.number("buffers", E.Buffers, "of a group, used in turn");
  W.number("buffer_bytes", E.BufferBytes);
  W.number("first_barrier", E.FirstBarrier, "named barrier of the first group");
  W.close();
}

/// The slot of each k of a stage: those of one instruction, then the next
/// one's.
static void printKSlots(StructWriter &W, const KernelPlan &P) {
  const Layout OfInstruction = llvm::cantFail(readKSlots(P));
  const Layout OfStage = coalesce(Layout::join(
      {OfInstruction, Layout(P.TileK / P.InstructionK, P.InstructionK)}));
  std::string Slot;
  appendTerms(Slot, OfStage, "k", 1, 0);
  W.function("Where an instruction has k, of rows and columns: " +
                 P.Split.KSlots + ".",
             "k_slot", "k", Slot);
}

/// The transform's share of the plan's own members.
static void printSplit(StructWriter &W, const KernelPlan &P,
                       const PlanStructOptions &Options) {
  const SplitPlan &S = P.Split;
  const int64_t Warps = S.Warpgroups * WarpsPerWarpgroup;
  const int64_t RowBlocks = P.tileRows() / S.BlockRows;
  const int64_t ColBlocks = P.InstructionN / S.BlockRows;
  W.comment("Transform: from elements to parts, in blocks of a warp each.");
  W.number("transform_groups", S.Warpgroups);
  W.number("transform_warps", Warps);
  W.number("first_transform_warp", WarpsPerWarpgroup, "behind the producer's");
  W.number("transform_registers", S.Registers);
  W.number("window", S.Window,
           P.Rows.InRegisters ? "stages between promotions, at most"
                              : "stages between promotions");
  W.number("block_rows", S.BlockRows, "of rows or columns of a tile");
  W.number("block_bytes", S.BlockBytes);
  W.number("row_blocks", RowBlocks, "in a tile");
  W.number("col_blocks", ColBlocks);
  const bool InRegisters = P.Rows.InRegisters;
  W.number("blocks_per_warp",
           llvm::divideCeil((InRegisters ? 0 : RowBlocks) + ColBlocks, Warps),
           InRegisters ? "at most, of columns" : "at most");
  if (Options.RowsInRegisters)
    W.flag("rows_in_registers", InRegisters,
           InRegisters ? "and not written back" : "");
  if (InRegisters)
    printKSlots(W, P);
  W.comment("Per stage: a byte for each row and column, the biased exponent");
  W.comment(InRegisters
                ? "that undoes its scale, and one for each block; columns only."
                : "that undoes its scale, and one for each block, 1 if it is "
                  "raw.");
  W.number("scale_offset", S.ScaleOffset);
  W.number("scale_stage_bytes", S.ScaleStageBytes);
  W.number("flag_offset", S.FlagOffset);
  W.number("flag_stage_bytes", S.FlagStageBytes);
  W.number("ready_arrivals", S.ReadyArrivals, "of transform threads");
}

/// How elements are scaled and split.
static void printScaling(StructWriter &W, const SplitPlan &S) {
  W.open("x * scale = high + low / 2^low_shift.", "split");
  W.number("low_shift", S.LowShift);
  W.number("scale_exponent", S.ScaleExponent, "of a row's largest element");
  W.number("top_exponent", S.TopExponent, "of any element");
  W.number("range_exponent", S.RangeExponent,
           "of the largest elements for which there are scales");
  W.close();
}

std::string printPlanStruct(const KernelPlan &P, llvm::StringRef Name,
                            const PlanStructOptions &Options) {
  const bool Staged = P.Epilogue.Kind == EpilogueKind::TmaStore;
  StructWriter W;
  W.open((llvm::Twine("A tile is ") + llvm::Twine(P.TileM) + " of m by " +
          llvm::Twine(P.TileN) + " of n; stages hold " + llvm::Twine(P.TileK) +
          " of k.")
             .str(),
         Name);
  W.flag("swap_ab", P.SwapAB,
         P.SwapAB ? "the accumulator's rows are n" : "its rows are m");
  W.number("tile_rows", P.tileRows());
  W.number("tile_cols", P.tileColumns());
  W.number("tile_k", P.TileK);
  W.number("stages", P.Stages);
  W.number("cluster_rows", P.clusterRows(), "CTAs");
  W.number("cluster_cols", P.clusterColumns());
  W.number("cluster_size", P.clusterSize());
  W.number("raster_group", P.bandRows(), "cluster tiles in a band");
  W.number("threads", P.Threads);
  W.number("consumer_groups", P.ConsumerWarpgroups);
  if (Options.Pingpong) {
    W.flag("pingpong", P.Pingpong,
           P.Pingpong ? "each has tiles of its own" : "they share each tile");
    W.number("turn_barrier", P.TurnBarrier, "named barrier of the first turn");
    W.number("turn_threads", P.TurnThreads);
  }
  W.number("group_rows", WgmmaAtom::M * P.rowBlocks(), "of a consumer group");
  W.number("waves", P.rowBlocks(), "instructions that compute them");
  W.number("wave_rows", WgmmaAtom::M, "of each");
  W.number("accumulators", P.Accumulators, "of a thread for each");
  if (P.Sums > 1)
    W.number("next_sum", P.Accumulators / P.Sums,
             "accumulators from one sum to the next");
  W.number("k_steps", P.TileK / P.InstructionK, "instructions along tile_k");
  const bool Own = P.ConsumerWarpgroups > 1 || P.Split.used();
  W.number("producer_registers", Own ? P.ProducerRegisters : 0,
           Own ? "per thread" : "as launched");
  W.number("consumer_registers", Own ? P.ConsumerRegisters : 0);
  if (P.Split.used())
    printSplit(W, P, Options);
  if (P.Split.used())
    W.comment(llvm::Twine("Shared memory: stages, ") +
              (Staged ? "staged output, " : "") + "scales, flags, barriers.");
  else
    W.comment(llvm::Twine("Shared memory: stages of rows and columns, ") +
              (Staged ? "staged output, " : "") + "barriers.");
  W.number("stage_bytes", P.StageBytes);
  if (Staged)
    W.number("staging_offset", P.Epilogue.StagingOffset);
  W.number("barrier_offset", P.BarrierOffset);
  W.number("shared_bytes", P.SmemBytes);
  W.comment("What a stage's barriers wait for.");
  W.number("full_arrivals", P.FullArrivals);
  W.number("transaction_bytes", P.TransactionBytes);
  W.number("empty_arrivals", P.EmptyArrivals,
           P.Split.used() ? "of consumer threads" : "of consumer warps");
  W.flag("staged", Staged, "output leaves through shared memory");
  if (P.Split.used())
    printScaling(W, P.Split);
  printOperand(W, P.Rows, "rows", /*IsRows=*/true, Options);
  printOperand(W, P.Cols, "cols", /*IsRows=*/false, Options);
  if (Staged)
    printSlab(W, P);
  W.close();
  return W.take();
}

llvm::Expected<std::string> printFragment(llvm::StringRef Fragment,
                                          llvm::StringRef Name) {
  llvm::Expected<ComposedLayout> L = evaluateLayout(Fragment);
  if (!L)
    return L.takeError();
  if (!L->isPlain() || L->rank() != 2)
    return llvm::createStringError("fragment " + Fragment +
                                   " is not (thread, value)");
  constexpr int64_t Rows = WgmmaAtom::M;
  std::string Row, Column;
  for (auto [I, Variable] : {std::pair{0u, "thread"}, {1u, "value"}}) {
    const Layout Mode = L->outer().mode(I);
    const std::vector<int64_t> Shapes = leaves(Mode.shape());
    const std::vector<int64_t> Strides = leaves(Mode.stride());
    for (size_t J = 0; J < Shapes.size(); ++J)
      if (Strides[J] < Rows ? Shapes[J] * Strides[J] > Rows
                            : Strides[J] % Rows != 0)
        return llvm::createStringError("fragment " + Fragment +
                                       " runs from rows into columns");
    appendTerms(Row, Mode, Variable, 1, Rows);
    appendTerms(Column, Mode, Variable, Rows, 0);
  }
  return "\n/// Where a warpgroup's accumulators lie in each " +
         std::to_string(Rows) +
         " rows of its tile. (thread,\n/// value) to row + " +
         std::to_string(Rows) + " * column is\n/// " + Fragment.str() +
         "\n/// for the first plan; the others differ in the last extent.\n"
         "struct " +
         Name.str() +
         " {\nstatic __device__ constexpr unsigned row(unsigned thread, "
         "unsigned value) {\nreturn " +
         Row +
         ";\n}\nstatic __device__ constexpr unsigned col(unsigned thread, "
         "unsigned value) {\nreturn " +
         Column + ";\n}\n};\n";
}

} // namespace warpwright
