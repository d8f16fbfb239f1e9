//===- Planner.cpp - Choosing plans for a contraction ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Derive.h"
#include "Orders.h"
#include "Portfolio.h"
#include "Products.h"

#include "warpwright/Plan/Nibbles.h"
#include "warpwright/Plan/Scales.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace warpwright {

/// More plans than this make nvcc slow and the generated file long.
static constexpr size_t MaxPlans = 20;

/// The family that a tile asked for by the user belongs to.
static const char *familyOf(const PlanChoice &P) {
  if (std::min(P.TileM, P.TileN) <= 32)
    return "skinny";
  int64_t Elements = P.TileM * P.TileN;
  return Elements > 128 * 128  ? "large"
         : Elements > 64 * 128 ? "medium"
                               : "small";
}

/// Whether \p Feed needs its operands exchanged, where it is not free to.
static std::optional<bool> swapOf(const Contraction &C, const FeedRole &Feed,
                                  const Orders &O) {
  const FeedRole::RowsFactor Rows = Feed.rowsFactor(C, O.A, O.B);
  if (Rows == FeedRole::RowsFactor::Either)
    return std::nullopt;
  return Rows == FeedRole::RowsFactor::B;
}

/// Whether operands have to be exchanged, where that is not free: the factor
/// that several sums share is the rows, and so is one that only consumers can
/// hand to wgmma.
static std::optional<bool> fixedSwap(const Contraction &C, const FeedRole &Feed,
                                     const Orders &O) {
  if (C.sumCount() > 1)
    return sharedFactor(C) == SharedFactor::B;
  return swapOf(C, Feed, O);
}

/// The clauses that say how products of \p C are made, where they are of no
/// use to it or cannot be kept.
static std::optional<Decline> checkProductClauses(const Contraction &C,
                                                  const Directives &D,
                                                  const FeedRole &Feed,
                                                  const Orders &O) {
  using Kind = Directives::PrecisionKind;
  const Kind Precision = D.Precision.value_or(Kind::Auto);
  if (Precision != Kind::Auto &&
      (depthOfScaledBlocks(C) || (C.A.factorType() != ScalarType::F32 &&
                                  C.B.factorType() != ScalarType::F32)))
    return Decline{
        DiagID::NoPlanForClauses,
        (Twine("precision(") + (Precision == Kind::TF32 ? "tf32" : "tf32x3") +
         ") is for float operands; '" + C.A.Pointer + "' is " + name(C.A.Type) +
         " and '" + C.B.Pointer + "' is " + name(C.B.Type))
            .str(),
        0, "precision"};
  if (Precision != Kind::Auto && C.AccType == ScalarType::F64)
    return Decline{DiagID::NoPlanForClauses,
                   (Twine("precision(") +
                    (Precision == Kind::TF32 ? "tf32" : "tf32x3") +
                    ") is for products that are added in float; these are "
                    "added in double")
                       .str(),
                   0, "precision"};
  // A feed that leaves its products to any choice of the role that reads stages
  // has no order of its own in which it adds them.
  const auto Sums = D.Accumulate.value_or(MultiplyRole::Clause::Default);
  if (Sums == MultiplyRole::Clause::Fast && depthOfScaledBlocks(C))
    return Decline{DiagID::NoPlanForClauses,
                   "accumulate(fast) cannot be kept: the scales of its blocks "
                   "are factors of the sums of a block",
                   0, "accumulate"};
  if (const MultiplyRole *Asked = multiplyFor(Sums);
      Asked && Sums == MultiplyRole::Clause::F16 &&
      !(Feed.leavesProductsTo(*Asked) &&
        Asked->adds(*elementType(Feed.multiplied(C.A.Type, C.B.Type)))))
    return Decline{
        DiagID::NoPlanForClauses,
        ("accumulate(f16) is for half operands that are multiplied as they "
         "are; '" +
         Twine(C.A.Pointer) + "' is " + name(C.A.Type) + " and '" +
         C.B.Pointer + "' is " + name(C.B.Type) +
         (C.hasPrologue() ? ", and what is multiplied is computed from them"
                          : ""))
            .str(),
        0, "accumulate"};
  if (multiplyFor(Sums) && Sums != MultiplyRole::Clause::F16 &&
      !llvm::all_of(allMultiplies(), [&](const MultiplyRole *M) {
        return M->fromFragments() || Feed.leavesProductsTo(*M);
      }))
    return Decline{
        DiagID::NoPlanForClauses,
        (Twine("accumulate(") +
         (Sums == MultiplyRole::Clause::Fast ? "fast" : "promoted") +
         ") is for operands that are multiplied as they are, " +
         elementWords(ElementUse::Wgmma) +
         ", or that TMA rounds, float along k with precision(tf32); '" +
         C.A.Pointer + "' is " + name(C.A.Type) + " and '" + C.B.Pointer +
         "' is " + name(C.B.Type) +
         (C.hasPrologue() ? ", and what is multiplied is computed from them"
                          : ""))
            .str(),
        0, "accumulate"};
  if (const std::optional<bool> Swap = fixedSwap(C, Feed, O); Swap && D.SwapAB)
    if (*Swap != (*D.SwapAB == Directives::Toggle::On))
      return Decline{
          DiagID::NoPlanForClauses,
          (Twine(*Swap ? "swap_ab(off) cannot be kept: "
                       : "swap_ab(on) cannot be kept: ") +
           (C.sumCount() > 1
                ? Twine("its sums have the ") + (*Swap ? "second" : "first") +
                      " factor in common, which has to be the rows"
                : "'" + Twine((*Swap ? C.B : C.A).Pointer) +
                      "' is converted in registers, and has to be the rows"))
              .str(),
          0, "swap_ab"};
  if (const char *Why = Feed.whyNotBatchInvariant(); Why && D.BatchInvariant)
    return Decline{DiagID::NoPlanForClauses,
                   (Twine("batch_invariant cannot be kept: ") + Why).str(), 0,
                   "batch_invariant"};
  return std::nullopt;
}

/// The clauses that no plan of this version can honour.
static std::optional<Decline>
checkClauses(const Contraction &C, const Directives &D, const FeedRole &Feed) {
  auto Unsupported = [](StringRef Clause, const Twine &Argument) {
    return Decline{DiagID::ClauseNotSupported,
                   (Clause + "(" + Argument + ")").str(), 0, Clause.str()};
  };
  const ScalarType Sum = elementType(Feed.multiplied(C.A.Type, C.B.Type))->Sum;
  auto Other = [&](StringRef Why) {
    return Decline{DiagID::NoPlanForTypes,
                   ("products of " + name(C.A.factorType()) + " and " +
                    name(C.B.factorType()) + " are accumulated in " +
                    name(Sum) + Why)
                       .str()};
  };
  switch (D.Accumulate.value_or(Directives::AccumulateKind::Default)) {
  case Directives::AccumulateKind::Default:
    break;
  case Directives::AccumulateKind::F16: // checkProductClauses
    break;
  case Directives::AccumulateKind::Promoted:
    if (!isFloating(Sum))
      return Other(", which is exact: promoted sums are of no use");
    break;
  case Directives::AccumulateKind::Fast:
    if (!isFloating(Sum))
      return Other(", which is exact: no other sums are faster");
    break;
  case Directives::AccumulateKind::F32:
    if (Sum != ScalarType::F32)
      return Other("");
    break;
  case Directives::AccumulateKind::I32:
    if (Sum != ScalarType::I32)
      return Other("");
    break;
  case Directives::AccumulateKind::F64:
    if (Sum != ScalarType::F64)
      return Other("");
    break;
  }
  if (D.Fallback == Directives::FallbackKind::Error)
    return Unsupported("fallback", "error");
  return std::nullopt;
}

namespace {

/// Builds the plans of one contraction.
class Planner {
public:
  Planner(const Contraction &C, const Directives &D, const Machine &M)
      : C(C), D(D), M(M),
        Precision(D.Precision == Directives::PrecisionKind::TF32
                      ? FactorPrecision::TF32
                      : FactorPrecision::Float) {}

  std::variant<PlanSet, Decline> run(bool Prove);

private:
  const Contraction &C;
  const Directives &D;
  const Machine &M;
  const FactorPrecision Precision;
  /// Those that may be used for the memory orders at hand, the preferred one
  /// first.
  std::vector<const FeedRole *> Feeds;

  /// One choice may be possible in several ways, the preferred one first.
  using Candidates = std::vector<PlanChoice>;

  std::vector<const FeedRole *> feedsForOrders(const Orders &O) const;
  std::vector<Candidates> choices(const Orders &O) const;
  Candidates waysOf(const PlanChoice &P) const;
  Candidates choicesForTile(const Orders &O) const;
  bool isUseful(const PlanChoice &P) const;
  bool isDeep(const PlanChoice &P) const;
  void divideAmongSums(PlanChoice &P) const;
  const MultiplyRole &multiplication() const;
  void applyClauses(PlanChoice &P) const;
  void fitDepth(PlanChoice &P) const;
  bool clausesFixPlan() const {
    return D.Tile || D.Stages || D.Cluster || D.Schedule || D.SwapAB;
  }
  Expected<KernelPlan> firstThatWorks(const Candidates &Ways, const Orders &O);
  void keepForShapes(PlanSet &Plans) const;
};

} // namespace

/// A plan whose family exists for a small M or N has no use where that extent
/// is known to be large.
bool Planner::isUseful(const PlanChoice &P) const {
  auto Small = [](const IntExpr &Extent, int64_t Tile) {
    std::optional<int64_t> Known = Extent.getConstant();
    return !Known || *Known <= 8 * Tile;
  };
  auto Large = [](const IntExpr &Extent, int64_t Tile) {
    std::optional<int64_t> Known = Extent.getConstant();
    return !Known || *Known > Tile / 2;
  };
  if (P.TileM <= 32)
    return Small(C.MExtent, P.TileM);
  if (P.TileN <= 32)
    return Small(C.NExtent, P.TileN);
  return Large(C.MExtent, P.TileM) && Large(C.NExtent, P.TileN);
}

/// A factor is computed from more arrays than its own.
static bool loadsFactors(const Contraction &C) {
  bool Found = false;
  C.forEachOperand([&](const Operand &O) {
    if (O.Prologue)
      O.Prologue->walk([&](const Value &V) {
        Found |= V.K == Value::Kind::Load && !O.isElement(V);
      });
  });
  return Found;
}

/// Slices of k have a use: nothing that is known of the extents says that the
/// tiles fill the multiprocessors without them, or that there is little to cut.
/// A transform that also loads scales has no registers for the slice: with two
/// scales it spilled.
bool Planner::isDeep(const PlanChoice &P) const {
  if ((loadsFactors(C) && P.Feed->warpgroups(P, C.sumCount())) ||
      C.hasOwnRanges() || C.hasScales())
    return false;
  constexpr int64_t FewBlocks = 8;
  if (std::optional<int64_t> K = C.KExtent.getConstant())
    if (*K <= FewBlocks * P.TileK)
      return false;
  const std::optional<int64_t> KnownM = C.MExtent.getConstant(),
                               KnownN = C.NExtent.getConstant();
  return !KnownM || !KnownN ||
         2 * divideCeil(*KnownM, P.TileM) * divideCeil(*KnownN, P.TileN) <=
             uint64_t(M.SMs);
}

/// Rows become columns and columns rows.
static void exchange(PlanChoice &P) {
  std::swap(P.TileM, P.TileN);
  std::swap(P.ClusterM, P.ClusterN);
  P.SwapAB = !P.SwapAB;
}

/// The feeds for operands in the orders \p O, but for those that the clauses or
/// the kernel's sums leave no plan. If that leaves no feed, all of them, for
/// their reasons.
std::vector<const FeedRole *> Planner::feedsForOrders(const Orders &O) const {
  const std::vector<const FeedRole *> All = feedsFor(C, Precision, O.A, O.B);
  std::vector<const FeedRole *> Result = All;
  llvm::erase_if(Result, [&](const FeedRole *Feed) {
    const std::optional<bool> Swap = swapOf(C, *Feed, O);
    return (Swap && D.SwapAB &&
            *Swap != (*D.SwapAB == Directives::Toggle::On)) ||
           (Swap && C.sumCount() > 1 &&
            *Swap != (sharedFactor(C) == SharedFactor::B)) ||
           ((subtractedProducts(C) || scaledProducts(C)) &&
            !Feed->changesSums()) ||
           (D.BatchInvariant && Feed->whyNotBatchInvariant());
  });
  return Result.empty() ? All : Result;
}

/// The columns of an instruction are those of all sums.
void Planner::divideAmongSums(PlanChoice &P) const {
  int64_t &Columns = P.SwapAB ? P.TileM : P.TileN;
  const int64_t Each = Columns / C.sumCount();
  // Blocks of 32 columns are what slabs and the transform divide.
  Columns = std::max<int64_t>(Each >= 32 ? alignDown(Each, 32) : 16, 16);
}

/// As the clause says, or the types.
const MultiplyRole &Planner::multiplication() const {
  const MultiplyRole *Asked =
      multiplyFor(D.Accumulate.value_or(MultiplyRole::Clause::Default));
  if (!Asked)
    Asked = defaultMultiply(Feeds.front()->multiplied(C.A.Type, C.B.Type));
  assert(Asked && "a feed hands over what some instruction multiplies");
  return *Asked;
}

void Planner::applyClauses(PlanChoice &P) const {
  P.Precision = Precision;
  P.Multiply = &multiplication();
  if (D.Stages)
    P.Stages = *D.Stages;
  if (D.SplitK.value_or(1) > 1)
    P.Slices = *D.SplitK;
  // Which tiles are cut depends on how many there are.
  P.WholeTiles = D.SplitK == 1 || D.BatchInvariant;
  if (D.Cluster)
    std::tie(P.ClusterM, P.ClusterN) = *D.Cluster;
  const ScheduleRole *Asked =
      scheduleFor(D.Schedule.value_or(Directives::ScheduleKind::Auto));
  if (Asked && Asked != P.Schedule) {
    P.Schedule = Asked;
    Asked->adapt(P);
  }
}

/// Behind them, what their schedules can be replaced by.
static void addOtherSchedules(std::vector<PlanChoice> &Ways) {
  const std::vector<PlanChoice> Preferred = Ways;
  for (PlanChoice Way : Preferred)
    if (const ScheduleRole *Other = Way.Schedule->otherwise()) {
      Way.Schedule = Other;
      Other->adapt(Way);
      Ways.push_back(std::move(Way));
    }
}

/// The most stages for which the rest of the plan still fits.
static int64_t mostStages(const PlanChoice &P, const Contraction &C,
                          const Machine &M) {
  // An upper bound is enough: derivePlan refuses what does not fit, and the
  // caller tries fewer.
  const int64_t Bytes = (P.TileM * byteSize(C.A.Type) +
                         P.TileN * C.sumCount() * byteSize(C.B.Type)) *
                        P.TileK;
  return std::clamp<int64_t>(M.MaxSmemPerCTA / Bytes, 2, 12);
}

Planner::Candidates Planner::choicesForTile(const Orders &O) const {
  Candidates Result;
  for (bool Swap : {false, true}) {
    if (D.SwapAB == Directives::Toggle::On && !Swap)
      continue;
    if (D.SwapAB == Directives::Toggle::Off && Swap)
      continue;
    PlanChoice P;
    P.Name = "tile";
    P.TileM = (*D.Tile)[0];
    P.TileN = (*D.Tile)[1];
    // The user counts numbers where plans count pairs.
    P.TileK = (*D.Tile)[2] / (hasNibbles(C) ? 2 : 1);
    P.SwapAB = Swap;
    P.Family = familyOf(P);
    P.ConsumerWarpgroups = P.tileRows() % 128 == 0 ? 2 : 1;
    if (P.tileRows() == 192)
      P.ConsumerWarpgroups = 3;
    for (const FeedRole *Feed : Feeds) {
      PlanChoice Way = P;
      Way.Feed = Feed;
      if (fixedSwap(C, *Feed, O).value_or(Swap) != Swap ||
          !Feed->takesTile(Way))
        continue;
      Feed->adaptTile(Way);
      applyClauses(Way);
      if (D.Stages) {
        Result.push_back(Way);
        continue;
      }
      for (Way.Stages = mostStages(P, C, M); Way.Stages >= 2; --Way.Stages)
        Result.push_back(Way);
    }
  }
  addOtherSchedules(Result);
  // What only some launches can take comes last.
  Candidates Asking;
  for (PlanChoice Way : Result)
    if ((Way.AskedGroup = Way.Feed->usualGroup(C)))
      Asking.push_back(std::move(Way));
  llvm::append_range(Result, Asking);
  // The preferred feed comes first even where it wants operands exchanged.
  if (fixedSwap(C, *Feeds.front(), O))
    std::stable_partition(
        Result.begin(), Result.end(),
        [&](const PlanChoice &Way) { return Way.Feed == Feeds.front(); });
  return Result;
}

/// Where its feed takes no stages as deep as those of \p P, a stage has one
/// block, and there are as many times more.
void Planner::fitDepth(PlanChoice &P) const {
  if (P.Feed->takesDepth(P, C))
    return;
  const int64_t Block = P.Feed->blockDepth(C);
  if (!D.Stages)
    P.Stages *= std::max<int64_t>(1, P.TileK / Block);
  P.TileK = Block;
}

std::vector<Planner::Candidates> Planner::choices(const Orders &O) const {
  std::vector<Candidates> Result;
  if (D.Tile)
    return {choicesForTile(O)};
  const PlanFamily &Family = planFamily(C, *Feeds.front(), multiplication());
  for (const PortfolioPlan &Row : Family.Plans) {
    if (Row.Uses & Family.Without)
      continue;
    PlanChoice P = Family.choice(Row, C);
    if (fixedSwap(C, *P.Feed, O)
            .value_or(P.SwapAB || D.SwapAB == Directives::Toggle::On) !=
        P.SwapAB)
      exchange(P);
    if (C.sumCount() > 1)
      divideAmongSums(P);
    P.Feed->adapt(P);
    if (D.SwapAB == Directives::Toggle::Off && P.SwapAB)
      continue;
    // One fixed plan, whatever M is: results do not depend on the batch size.
    if (D.BatchInvariant && !P.SuitsEverySize)
      continue;
    if (!isUseful(P) && !D.BatchInvariant)
      continue;
    if (P.Slices != 1 && (D.SplitK == 1 || C.sumCount() > 1 || !isDeep(P)))
      continue;
    applyClauses(P);
    P.AskedGroup = P.Feed->usualGroup(C);
    PlanChoice ForAll = P;
    fitDepth(P);
    if (P.Schedule != &Row.Schedule() && Row.OtherName)
      P.Name = Row.OtherName;
    if (llvm::any_of(Result, [&](const Candidates &Others) {
          return Others.front().TileM == P.TileM &&
                 Others.front().TileN == P.TileN &&
                 Others.front().Schedule == P.Schedule &&
                 Others.front().Slices == P.Slices &&
                 Others.front().clusterSize() == P.clusterSize();
        }))
      continue; // skinny_m is skinny_n with its operands exchanged
    Result.push_back(waysOf(P));
    if (P.AskedGroup) { // others have any groups
      ForAll.AskedGroup = 0;
      ForAll.Name = P.Name + "_any";
      fitDepth(ForAll);
      Result.push_back(waysOf(ForAll));
    }
  }
  return Result;
}

/// The ways to run \p P, the preferred one first.
Planner::Candidates Planner::waysOf(const PlanChoice &P) const {
  // An operand whose blocks are rounded up may leave room for fewer stages.
  Candidates Ways = {P};
  for (int64_t Fewer = P.Stages - 1; !D.Stages && Fewer >= 4; --Fewer) {
    Ways.push_back(P);
    Ways.back().Stages = Fewer;
  }
  addOtherSchedules(Ways);
  for (PlanChoice &Way : Ways)
    fitDepth(Way);
  // What a feed asks of boxes, clusters and registers others may not.
  const Candidates Preferred = Ways;
  for (const FeedRole *Feed : ArrayRef(Feeds).drop_until(
           [&](const FeedRole *F) { return F == P.Feed; }))
    if (Feed != P.Feed)
      for (PlanChoice Way : Preferred) {
        Way.Feed = Feed;
        Ways.push_back(std::move(Way));
      }
  return Ways;
}

Expected<KernelPlan> Planner::firstThatWorks(const Candidates &Ways,
                                             const Orders &O) {
  std::string Reason = "no way to run it";
  for (const PlanChoice &Choice : Ways) {
    Expected<KernelPlan> P = derivePlan(C, O, Choice, M);
    if (P)
      return P;
    std::string Why = toString(P.takeError());
    // The reason that is given is that of the tile as the user wrote it, not
    // with its operands exchanged, and with the feed that would be best.
    if (Choice.SwapAB == Ways.front().SwapAB &&
        Choice.Feed == Ways.front().Feed)
      Reason = std::move(Why);
  }
  return createStringError(Reason);
}

/// Where the rows of an operand start whose rows follow each other, if each has
/// so many elements. Those that TMA cannot read are copied to whole lines.
static int startOfRows(int64_t Elements, int64_t ElementBytes) {
  constexpr int TmaBytes = 16;
  int Start = rt::row_starts::line;
  while (Elements * ElementBytes % Start)
    Start /= 2;
  return Start < TmaBytes ? rt::row_starts::line : Start;
}

/// With shapes(...), only the plans that win for one of them, on an H200 or an
/// H100, and one more for every other size.
void Planner::keepForShapes(PlanSet &Plans) const {
  if (D.Shapes.empty() || Plans.Plans.size() < 2)
    return;
  std::vector<bool> Keep(Plans.Plans.size());
  for (const auto &[SM, SN, SK] : D.Shapes) {
    const KernelPlan &P = Plans.Plans.front();
    const OperandPlan &A = P.SwapAB ? P.Cols : P.Rows;
    const OperandPlan &B = P.SwapAB ? P.Rows : P.Cols;
    rt::row_starts Starts;
    Starts.a = startOfRows(A.Order == Major::K ? SK : SM, byteSize(A.Type));
    Starts.b = startOfRows(B.Order == Major::K ? SK : SN, byteSize(B.Type));
    for (const rt::gpu &Device : {deviceOf(M), rt::gpu(M.SMs, H100MemoryRate)})
      Keep[selectPlan(Plans, SM, SN, SK, 1, Device, Starts)] = true;
  }
  for (size_t I = 0; I < Keep.size(); ++I)
    if (Plans.Plans[I].SuitsEverySize)
      Keep[I] = true;
  std::vector<KernelPlan> Kept;
  for (size_t I = 0; I < Keep.size(); ++I) {
    if (Keep[I])
      Kept.push_back(std::move(Plans.Plans[I]));
    else
      Plans.Notes.push_back("plan '" + Plans.Plans[I].Name +
                            "' wins for none of the shapes");
  }
  Plans.Plans = std::move(Kept);
}

std::variant<PlanSet, Decline> Planner::run(bool Prove) {
  if (std::optional<Decline> No = checkComputation(C))
    return *No;
  auto AllOrders = memoryOrders(C);
  if (auto *No = std::get_if<Decline>(&AllOrders))
    return *No;
  const auto &Ways = std::get<std::vector<Orders>>(AllOrders);

  PlanSet Result;
  std::string Reason;
  for (size_t I = 0; I < Ways.size(); ++I) {
    Feeds = feedsForOrders(Ways[I]);
    if (std::optional<Decline> No = checkClauses(C, D, *Feeds.front()))
      return *No;
    if (std::optional<Decline> No =
            checkProductClauses(C, D, *Feeds.front(), Ways[I]))
      return *No;
    PlanSet Variant;
    for (const Candidates &Choice : choices(Ways[I])) {
      Expected<KernelPlan> P = firstThatWorks(Choice, Ways[I]);
      if (!P) {
        Reason = toString(P.takeError());
        Variant.Notes.push_back("plan '" + Choice.front().Name +
                                "' is not possible: " + Reason);
        continue;
      }
      // Several memory orders: the common sizes in each is what fits.
      if (Ways.size() > 1) {
        if (!P->SuitsCommonSizes && !clausesFixPlan())
          continue;
        if (Ways.size() > 2 && !P->Largest && !P->SuitsEverySize &&
            !clausesFixPlan())
          continue;
        P->Name += "_" + std::to_string(I);
      }
      Variant.Plans.push_back(std::move(*P));
    }
    keepForShapes(Variant);
    llvm::append_range(Result.Notes, Variant.Notes);
    for (KernelPlan &P : Variant.Plans)
      if (Result.Plans.size() < MaxPlans)
        Result.Plans.push_back(std::move(P));
  }
  if (Result.Plans.empty())
    return Decline{clausesFixPlan() ? DiagID::NoPlanForClauses : DiagID::NoPlan,
                   Reason.empty() ? "no plan fits its extents" : Reason};
  if (Prove)
    for (KernelPlan &P : Result.Plans)
      if (Error E = checkPlan(P, M))
        return Decline{DiagID::PlanRejected, toString(std::move(E))};
  return Result;
}

std::variant<PlanSet, Decline> planContraction(const Contraction &C,
                                               const Directives &D,
                                               const Machine &M, bool Prove) {
  return Planner(C, D, M).run(Prove);
}

} // namespace warpwright
