//===-- KernelEmitter.cpp - The text of a Hopper kernel -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/CodeGen/KernelEmitter.h"
#include "Format.h"
#include "KernelText.h"
#include "PlanStruct.h"
#include "SplitText.h"
#include "warpwright/CodeGen/ExprPrinter.h"
#include "warpwright/Hopper/Wgmma.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

namespace warpwright {

namespace {

/// Fills the holes of a text of KernelText.h and drops the lines whose flag
/// does not hold.
class Filler {
public:
  void set(llvm::StringRef Hole, llvm::StringRef Text) {
    Holes[Hole] = Text.str();
  }
  void setFlag(llvm::StringRef Flag, bool Value) { Flags[Flag] = Value; }

  std::string fill(llvm::StringRef Text) const {
    std::string Out;
    while (!Text.empty()) {
      auto [Line, Rest] = Text.split('\n');
      Text = Rest;
      bool IsThere = true;
      while (Line.consume_front("@")) {
        const bool Wanted = !Line.consume_front("!");
        auto [Flag, Body] = Line.split('|');
        assert(Flags.count(Flag) && "no such flag");
        IsThere &= Flags.lookup(Flag) == Wanted;
        Line = Body;
      }
      if (!IsThere)
        continue;
      while (true) {
        auto [Plain, Behind] = Line.split('$');
        Out += Plain;
        if (Plain.size() == Line.size())
          break;
        llvm::StringRef Hole = Behind.take_while(
            [](char C) { return llvm::isAlnum(C) || C == '_'; });
        assert(Holes.count(Hole) && "no such hole");
        Out += Holes.lookup(Hole);
        Line = Behind.drop_front(Hole.size());
      }
      Out += '\n';
    }
    return Out;
  }

private:
  llvm::StringMap<std::string> Holes;
  llvm::StringMap<bool> Flags;
};

class Emitter {
public:
  Emitter(const Contraction &C, const PlanSet &Plans, const KernelNames &Names)
      : C(C), Plans(Plans.Plans), Names(Names) {}

  llvm::Expected<std::string> run();

private:
  llvm::Error check() const;
  template <class Fn> bool any(Fn F) const { return llvm::any_of(Plans, F); }
  bool anyPingpong() const {
    return any([](const KernelPlan &P) { return P.Pingpong; });
  }
  /// The operands are split into parts, which all plans agree upon.
  bool isSplit() const { return Plans.front().Split.used(); }
  bool anyInRegisters() const {
    return any([](const KernelPlan &P) { return P.Rows.InRegisters; });
  }
  bool anyInParts() const {
    return any([](const KernelPlan &P) {
      return P.Split.used() && !P.Rows.InRegisters;
    });
  }
  void setSplitFlags(Filler &Fill) const;
  void setFactors(Filler &Fill) const;
  void setProducts(Filler &Fill) const;

  const Contraction &C;
  llvm::ArrayRef<KernelPlan> Plans;
  const KernelNames &Names;
  std::string Text;
  llvm::raw_string_ostream OS{Text};
};

/// What the text below takes for granted. A plan that breaks it was made by
/// hand (--plan), or the planner is ahead of the kernels.
llvm::Error Emitter::check() const {
  auto Fail = [](const llvm::Twine &Message) {
    return llvm::createStringError(Message);
  };
  if (Plans.empty() || Plans.size() != Names.Plans.size())
    return Fail("no plan, or not one name for each");
  if (C.Outputs.empty())
    return Fail("nothing is written");
  const auto IsHalf = [](ScalarType T) {
    return T == ScalarType::BF16 || T == ScalarType::F16;
  };
  const auto CanSplit = [&](ScalarType T) {
    return T == ScalarType::F32 || IsHalf(T);
  };
  if (C.sumCount() > 1 && !C.MoreProducts.empty())
    return Fail("no kernel computes several sums of several products");
  if (isSplit() ? !CanSplit(C.A.Type) || !CanSplit(C.B.Type)
                : C.A.Type != C.B.Type || !IsHalf(C.A.Type))
    return Fail("no kernel multiplies " + name(C.A.Type) + " by " +
                name(C.B.Type));
  const ScalarType Element = C.Outputs.front().Type;
  for (const KernelPlan &P : Plans) {
    const auto FailPlan = [&](const llvm::Twine &Message) {
      return Fail("plan " + P.Name + ": " + Message);
    };
    if (P.Rows.Type != (P.SwapAB ? C.B : C.A).Type ||
        P.Cols.Type != (P.SwapAB ? C.A : C.B).Type)
      return FailPlan("its operands are of other types");
    if (P.Rows.Computed != ((P.SwapAB ? C.B : C.A).Prologue != nullptr) ||
        P.Cols.Computed != ((P.SwapAB ? C.A : C.B).Prologue != nullptr))
      return FailPlan("its factors are computed from elements otherwise");
    if (P.Split.used() != isSplit())
      return FailPlan("it does not split operands as the first plan does");
    if (isSplit() &&
        (P.rowBlocks() < 1 || P.rowBlocks() > (P.Rows.InRegisters ? 2 : 1) ||
         P.Pingpong || P.Split.Window < 1 || P.tileRows() % P.Split.BlockRows ||
         P.InstructionN % P.Split.BlockRows))
      return FailPlan("no kernel splits its operands");
    if (P.Cols.InRegisters ||
        (P.Rows.InRegisters &&
         (!isSplit() || P.Rows.Parts != 1 || P.Cols.Parts != 1 ||
          P.Rows.Type != ScalarType::F32 || P.Cols.Type != ScalarType::F32)))
      return FailPlan("no kernel has such an operand in registers");
    if (P.Rows.InRegisters && llvm::errorToBool(readKSlots(P).takeError()))
      return FailPlan("its slots along k are those of no instruction");
    for (const OperandPlan *O : {&P.Rows, &P.Cols})
      if (isSplit() ? O->Parts != 1 && O->Parts != 2 : O->Parts != 0)
        return FailPlan("an operand of " + llvm::Twine(O->Parts) + " parts");
    if (P.Sums != C.sumCount() || P.Cols.Sources != P.Sums ||
        P.Rows.Sources != 1 || P.Cols.BoxCount % P.Sums ||
        P.Products != int64_t(C.MoreProducts.size()) + 1)
      return FailPlan("it is one for other sums and products");
    if (P.InstructionN != P.Sums * P.tileColumns() || P.rowBlocks() < 1 ||
        P.tileRows() != WgmmaAtom::M * P.rowBlocks() *
                            (P.Pingpong ? 1 : P.ConsumerWarpgroups))
      return FailPlan("no kernel computes tiles of this shape");
    if (P.Pingpong && P.ConsumerWarpgroups != 2)
      return FailPlan("pingpong is played by two warpgroups");
    if (P.Epilogue.Kind != Plans.front().Epilogue.Kind)
      return FailPlan("it does not store as the first plan does");
    if (P.Epilogue.OffsetBits != Plans.front().Epilogue.OffsetBits)
      return FailPlan("it does not count elements as the first plan does");
    if (P.Epilogue.Kind == EpilogueKind::TmaStore && P.Epilogue.Buffers != 2)
      return FailPlan("an epilogue alternates between 2 buffers");
    if (P.Epilogue.Kind == EpilogueKind::TmaStore &&
        Element != ScalarType::F32 && Element != ScalarType::BF16 &&
        Element != ScalarType::F16)
      return FailPlan("elements of type " + name(Element) +
                      " cannot be staged");
  }
  return llvm::Error::success();
}

/// Which operands have low parts, in which of the plans.
void Emitter::setSplitFlags(Filler &Fill) const {
  Fill.setFlag("registers", anyInRegisters());
  Fill.setFlag("parts", anyInParts());
  Fill.setFlag("both_ways", anyInRegisters() && anyInParts());
  const auto LowRows = [](const KernelPlan &P) { return P.Rows.Parts > 1; };
  const auto LowCols = [](const KernelPlan &P) { return P.Cols.Parts > 1; };
  Fill.setFlag("low_rows", any(LowRows));
  Fill.setFlag("low_cols", any(LowCols));
  Fill.setFlag("low", any(LowRows) || any(LowCols));
  Fill.setFlag("low_varies", any([&](const KernelPlan &P) {
                 return LowRows(P) != LowRows(Plans.front()) ||
                        LowCols(P) != LowCols(Plans.front());
               }));
}

/// Which factors are computed from their elements.
void Emitter::setFactors(Filler &Fill) const {
  const bool OfA = C.A.Prologue != nullptr, OfB = C.B.Prologue != nullptr;
  Fill.setFlag("computed", OfA || OfB);
  Fill.setFlag("computed_a", OfA);
  Fill.setFlag("computed_b", OfB);
  Fill.setFlag("computed_both", OfA && OfB);
  Fill.set("compute", Names.Compute);
}

/// Tensor maps of operands, and how the sums of an element are found.
void Emitter::setProducts(Filler &Fill) const {
  const unsigned Products = C.MoreProducts.size() + 1, Sums = C.sumCount();
  Fill.setFlag("products", Products > 1);
  Fill.setFlag("sums", Sums > 1);
  Fill.set("products", std::to_string(Products));
  Fill.set("blocks_each", Products > 1
                              ? "k_blocks / " + std::to_string(Products)
                              : std::string("k_blocks"));
  for (llvm::StringRef Side : {"rows", "cols"}) {
    const unsigned Maps = Products > 1 ? Products : Side == "cols" ? Sums : 1;
    const std::string Name = (Side + (Maps > 1 ? "_maps" : "_map")).str();
    Fill.set((Side + "_maps").str(), Name);
    Fill.set((Side + "_maps_type").str(),
             Maps > 1
                 ? "::warpwright::rt::tensor_maps<" + std::to_string(Maps) + ">"
                 : std::string("CUtensorMap"));
    Fill.set((Side + "_source").str(), Products > 1
                                           ? "&" + Name + ".of[product]"
                                       : Maps > 1 ? Name
                                                  : "&" + Name);
    Fill.set(("prefetch_" + Side).str(),
             Maps > 1 ? "tma_prefetch_maps(" + Name + ")"
                      : "tma_prefetch_map(&" + Name + ")");
  }
  Fill.set("boxes_together", Products > 1 ? ", 2" : "");
  Fill.set("load_cols", Sums > 1 ? "load_operands" : "load_operand");
  Fill.set("first_sum", Sums > 1 ? "const float &sum" : "float sum");
  std::string All = Sums > 1 ? "sums[0]" : "sum";
  for (unsigned I = 1; I < Sums; ++I)
    All += ", sums[" + (I > 1 ? std::to_string(I) + " * " : std::string()) +
           "Plan::next_sum]";
  Fill.set("all_sums", All);
}

llvm::Expected<std::string> Emitter::run() {
  if (llvm::Error E = check())
    return E;
  const KernelPlan &First = Plans.front();
  const bool OneBatched = First.Rows.Batched != First.Cols.Batched;
  const bool Swapped = any([](const KernelPlan &P) { return P.SwapAB; });
  const bool Straight = any([](const KernelPlan &P) { return !P.SwapAB; });
  const bool Staged = First.Epilogue.Kind == EpilogueKind::TmaStore;

  Filler Fill;
  Fill.set("kernel", Names.Kernel);
  Fill.set("produce", Names.Produce);
  Fill.set("transform", Names.Transform);
  Fill.set("multiply", Names.Multiply);
  Fill.set("multiply_rounding", Names.MultiplyRounding);
  Fill.set("store", Names.Store);
  Fill.set("epilogue", Names.Epilogue);
  Fill.set("fragment", Names.Fragment);
  Fill.set("element", cppType(C.Outputs.front().Type));
  Fill.set("wgmma", C.A.Type == ScalarType::BF16 ? "wgmma_bf16" : "wgmma_f16");
  Fill.set("rows_batch",
           OneBatched ? "Plan::rows::batched ? tile.batch : 0" : "tile.batch");
  Fill.set("cols_batch",
           OneBatched ? "Plan::cols::batched ? tile.batch : 0" : "tile.batch");
  Fill.setFlag("cluster",
               any([](const KernelPlan &P) { return P.clusterSize() > 1; }));
  Fill.setFlag("pingpong", anyPingpong());
  Fill.setFlag("swapped", Swapped);
  Fill.setFlag("straight", Straight);
  Fill.setFlag("both", Swapped && Straight);
  Fill.setFlag("staged", Staged);
  Fill.setFlag("others", C.Outputs.size() > 1);
  Fill.set("sums", isSplit() ? "sum" : "acc");
  Fill.setFlag("split", isSplit());
  setSplitFlags(Fill);
  setFactors(Fill);
  setProducts(Fill);

  llvm::Expected<std::string> Fragment =
      printFragment(First.Fragment, Names.Fragment);
  if (!Fragment)
    return Fragment.takeError();
  OS << *Fragment;
  PlanStructOptions Options;
  Options.Pingpong = anyPingpong();
  Options.OneBatched = OneBatched;
  Options.RowsInRegisters = anyInRegisters();
  Options.Computed = C.hasPrologue();
  for (auto [P, Name] : llvm::zip(Plans, Names.Plans))
    OS << '\n' << separatePart(printPlanStruct(P, Name, Options));
  OS << "\n#if WARPWRIGHT_HOPPER\n"
     << Fill.fill(ProduceText)
     << (C.hasPrologue() ? Fill.fill(ComputeText) : "")
     << (isSplit() ? Fill.fill(TransformText) : Fill.fill(MultiplyText))
     << (anyInParts() ? Fill.fill(MultiplyPartsText) : "")
     << (anyInRegisters() ? Fill.fill(MultiplyRoundingText) : "")
     << Fill.fill(Staged ? StoreStagedText : StoreDirectText)
     << "\n#endif // WARPWRIGHT_HOPPER\n"
     << Fill.fill(KernelText);
  return std::move(Text);
}

} // namespace

llvm::Expected<std::string> emitKernel(const Contraction &Computation,
                                       const PlanSet &Plans,
                                       const KernelNames &Names) {
  return Emitter(Computation, Plans, Names).run();
}

} // namespace warpwright
