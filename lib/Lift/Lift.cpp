//===-- Lift.cpp - From a kernel's IR to a contraction --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Lift/Lift.h"
#include "AddressBits.h"
#include "Assume.h"
#include "Cases.h"
#include "Executor.h"
#include "FlatBlock.h"
#include "Normalize.h"
#include "warpwright/Contraction/CaseName.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace warpwright {

using namespace symbolic;

namespace {
/// What one execution of the kernel has found.
struct Attempt {
  std::optional<Contraction> C;
  NormalizeRemarks Remarks;
  std::optional<Failure> Why;            ///< why there is no contraction
  std::set<SourceLocation> AtomicPlaces; ///< of additions to elements
  /// Conditions on the launch by which the kernel goes one way or another.
  std::vector<BoolExpr> Choices;
  unsigned Dimensions = 0; ///< of a block whose size it may help to know
  bool MayBeWarpWide = false;
  bool StepsBesideWarps = false, MayBeSquare = false;
  bool MayBeRow = false;
  bool MayHaveWholeWarps = false, MayHaveWholeDivisors = false;
  bool MayHaveWholeSlices = false;
  bool ChoosesStored = false;
  Multiples MayBeMultiples;
  /// Shared arrays that may have a part for each warp.
  std::set<std::string> MayHaveParts;
  unsigned Plain = 0; ///< barriers outside of all loops before that is found
  /// Shared arrays that may have a part for each thread.
  std::set<std::string> MayBeOwn;
};
} // namespace

/// Makes the types in \p Packed those of the elements of the parameters of \p
/// IR that it names. False if they are so already.
static bool readAsParts(KernelIR &IR,
                        const std::map<std::string, ScalarType> &Packed) {
  bool Changed = false;
  for (ParamLeaf &L : IR.Params) {
    auto Found = Packed.find(L.Path);
    if (Found == Packed.end())
      continue;
    if (L.Raw != ParamLeaf::RawKind::None && byteSize(Found->second) > 1) {
      L.Type = Found->second;
      L.Raw = ParamLeaf::RawKind::None;
      L.Reread = Changed = true;
      continue;
    }
    if (isFloating(L.Type) || byteSize(L.Type) < byteSize(Found->second) ||
        (byteSize(L.Type) == byteSize(Found->second) &&
         !isFloating(Found->second)))
      continue;
    L.Lanes *= byteSize(L.Type) / byteSize(Found->second);
    L.Type = Found->second;
    L.Reread = Changed = true;
  }
  return Changed;
}

/// \p Steps counts the instructions that are executed.
static Attempt attempt(ParsedFile &File, const KernelModule &Module,
                       KernelIR IR, const RegionInstance &Instance,
                       Executor::Given Asked, uint64_t &Steps) {
  const FunctionDecl &Kernel = *Instance.Function;
  Attempt Result;
  auto Decline = [&](Failure F) {
    Result.C.reset();
    Result.Why = std::move(F);
    return Result;
  };
  std::unique_ptr<Executor> Run;
  bool Understood = false;
  auto Execute = [&] {
    Run = std::make_unique<Executor>(Module, IR, Asked);
    Understood = Run->run();
    Steps += Run->steps();
  };
  Execute();
  while (true) {
    if (!readAsParts(IR, Run->packed())) {
      if (Understood || Run->wanted().empty())
        break;
      Asked.Conditions.insert(Asked.Conditions.end(), Run->wanted().begin(),
                              Run->wanted().end());
    }
    Execute();
  }
  Executor &E = *Run;
  Result.Choices = E.choices();
  for (const auto &[Array, Places] : E.atomics())
    Result.AtomicPlaces.insert(Places.begin(), Places.end());
  Result.Dimensions = E.dividedDimensions();
  // Which thread fills which element of a tile, and whether that is one that
  // another thread still reads, is clearer for a block that is known.
  auto AskForBlock = [&] { Result.Dimensions = E.usedDimensions(); };
  if (!Understood && E.failure() &&
      (E.failure()->ID == DiagID::SharedElement ||
       E.failure()->ID == DiagID::MissingBarrier))
    AskForBlock();
  Result.MayBeWarpWide = E.mayBeWarpWide();
  Result.StepsBesideWarps = E.stepsBesideWarps();
  Result.MayBeSquare = E.mayBeSquare() && !Asked.Block[1];
  Result.MayBeRow = E.mayBeRow();
  Result.MayHaveWholeWarps = !Asked.WholeWarps && E.mayHaveWholeWarps();
  Result.MayHaveWholeDivisors =
      !Asked.WholeDivisors && E.mayHaveWholeDivisors();
  Result.MayHaveWholeSlices = !Asked.WholeSlices && E.mayHaveWholeSlices();
  Result.ChoosesStored = !Asked.OneByOne && E.choosesStored();
  if (Asked.Arguments.empty())
    Result.MayBeMultiples = E.divided();
  if (E.syncsWarps())
    Result.MayHaveParts = E.unordered(), Result.Plain = E.plainBarriers();
  Result.MayBeOwn = E.handedOn();
  if (!Understood)
    return Decline(E.failure().value_or(
        Failure{DiagID::UnsupportedStatement, Kernel.getLocation(),
                "the kernel is not understood"}));

  NormalizeInput In;
  In.Final = E.finalMemory();
  In.Params = IR.Params;
  In.Requires = E.requirements();
  In.Obligations = E.obligations();
  In.Traps = E.traps();
  In.Unset = E.unset();
  In.Atomics = E.atomics();
  In.Bounds = E.ranges();
  In.Block = Asked.Block;
  In.WholeWarps = Asked.WholeWarps;
  In.KernelLoc = Kernel.getLocation();
  In.Reached = E.reachedLoops();
  In.FreeCounter = E.freeCounter();
  if (E.anyNarrowOffset()) {
    In.IndexBits = 32;
    In.IndexSigned = !E.narrowOffsetsUnsigned();
  }
  In.KeepFactors = Instance.Clauses.Factors == Directives::FactorsKind::Inside;
  for (const Assumption &A : Instance.Assumptions) {
    auto B = translateAssumption(File.Context, Kernel, IR.Params, *A.Condition);
    if (!B)
      return Decline({DiagID::BadAssumption, A.Condition->getExprLoc(),
                      "the assumption is not a condition over integer and "
                      "pointer parameters"});
    In.Requires.push_back({*B, "assume(" + A.Text + ") does not hold"});
  }
  const bool HasTiles = llvm::any_of(In.Final, [](const auto &Named) {
    return Named.second.IsShared && !Named.second.Writes.empty();
  });
  std::optional<Failure> Why;
  Result.C = normalize(std::move(In), Why, Result.Remarks);
  if (Result.Remarks.NoShape || (Why && Why->ID == DiagID::SharedElement) ||
      (Why && Why->ID == DiagID::MissingBarrier && E.syncsWarps()))
    AskForBlock();
  // So are rows and columns where steps of the block's width stand beside the
  // numbers of warps.
  if (Why && Result.StepsBesideWarps &&
      (Why->ID == DiagID::IndexNotAffine ||
       Why->ID == DiagID::UnsupportedBounds))
    AskForBlock();
  // Without tiles it is not the block's shape that is wrong.
  if (Result.Remarks.NoShape && !HasTiles && !E.shuffle().second.empty())
    return Decline({DiagID::CallNotInlined, E.shuffle().first,
                    "'" + E.shuffle().second +
                        "' gives what other threads computed, and with that "
                        "there are no rows and columns"});
  if (!Result.C)
    return Decline(
        Why.value_or(Failure{DiagID::UnsupportedStatement, Kernel.getLocation(),
                             "the kernel is not understood"}));
  if (const auto Array = arrayOfAddress(*Result.C))
    return Decline({DiagID::UnsupportedExpression, Kernel.getLocation(),
                    "what it computes depends on whether the address of '" +
                        *Array + "' is aligned"});
  nameMultiples(*Result.C, Asked.Arguments);
  // A pragma on a loop says that this loop is the sum.
  if (Instance.Loop) {
    const SourceManager &SM = File.Context.getSourceManager();
    bool Found = false;
    for (const auto &[Counter, Where] : E.loops())
      Found |= Where.isValid() &&
               SM.isPointWithin(
                   Where, SM.getExpansionLoc(Instance.Loop->getBeginLoc()),
                   SM.getExpansionLoc(Instance.Loop->getEndLoc()));
    if (!Found)
      return Decline({DiagID::NoSumStored, Instance.Loop->getBeginLoc(),
                      "the annotated loop is not the one that sums"});
  }
  Result.C->LoadsAfterStores = E.loadsAfterStores();
  return Result;
}

/// Attempts rows of one warp, in which the number of a thread in its block ends
/// in its lane, and a single row, in which that number is threadIdx.x. \p Best
/// is what is known without that.
static Attempt
attemptRows(llvm::function_ref<Attempt(const std::array<int64_t, 3> &)> Try,
            Attempt Best) {
  Attempt Rows = Try({WarpLanes, 0, 1});
  // If other rows compute nothing else, there is a single one, which may be
  // wider.
  const std::string Count = IntExpr::special(AtomKind::BlockDim, 1).str();
  if (Rows.C &&
      (Rows.C->BatchExtent.contains(Count) || Rows.C->MExtent.contains(Count) ||
       Rows.C->NExtent.contains(Count)))
    return Rows;
  Attempt Row = Try({0, 1, 1});
  if (Row.C)
    return Row;
  if (Rows.C)
    return Rows;
  // The width of the row may be needed as well.
  Best.Dimensions = Row.Dimensions;
  // In a row it is clear what the lanes have, and so is what is wrong.
  if (Best.Why->ID == DiagID::CallNotInlined)
    Best.Why = std::move(Row.Why);
  return Best;
}

/// Block sizes with which kernels are launched, the usual ones first.
static llvm::ArrayRef<std::array<int64_t, 3>> usualBlocks(unsigned Dimensions) {
  static const std::array<int64_t, 3> Lines[] = {{256, 1, 1}, {128, 1, 1},
                                                 {512, 1, 1}, {64, 1, 1},
                                                 {32, 1, 1},  {1024, 1, 1}};
  static const std::array<int64_t, 3> Planes[] = {
      {16, 16, 1}, {32, 32, 1}, {8, 8, 1},  {32, 8, 1},  {16, 8, 1}, {8, 16, 1},
      {8, 32, 1},  {32, 4, 1},  {64, 4, 1}, {32, 16, 1}, {32, 2, 1}};
  switch (Dimensions) {
  case 1:
    return Lines;
  case 2:
    return Planes;
  default:
    return {};
  }
}

/// Attempts the kernel, and if that does not suffice, the kernel with the
/// shapes that its block may have.
static Attempt
attemptBlocks(llvm::function_ref<Attempt(const Executor::Given &)> Try) {
  auto TryBlock = [&](const std::array<int64_t, 3> &Block) {
    Executor::Given There;
    There.Block = Block;
    return Try(There);
  };
  Attempt Best = Try({});
  // The kernel does not say that its block is one warp wide, but its lanes are
  // the threads along x.
  if (Best.MayBeWarpWide)
    for (int64_t Others : {0, 1}) {
      Attempt Other = TryBlock({WarpLanes, Others, Others});
      // What is wrong with the block in general says more than what is wrong
      // with one of one warp.
      if (Other.C || (!Best.C && Others == 0))
        Best = std::move(Other);
      if (Best.C)
        break;
    }
  // Where steps of the block's width stand beside the numbers of warps, a row
  // of the block may be one warp.
  else if (!Best.C && Best.StepsBesideWarps && Best.Dimensions == 2)
    if (Attempt Other = TryBlock({WarpLanes, 0, 0}); Other.C)
      Best = std::move(Other);
  // One tile may be filled in steps of blockDim.x, and the other one in steps
  // of blockDim.y, where the block is meant to be as wide as it is high.
  if (!Best.C && Best.MayBeSquare) {
    Executor::Given Square;
    Square.Square = true;
    if (Attempt Other = Try(Square); Other.C)
      Best = std::move(Other);
  }
  // Cooperative groups number the threads of a block through all dimensions.
  if (!Best.C && Best.MayBeRow)
    Best = attemptRows(TryBlock, std::move(Best));
  // A step such as `blockDim.x / 8` is too little known, and so may be the
  // element of a tile that thread `threadIdx.y * 16 + threadIdx.x` fills. If
  // the block size is required, they are numbers.
  if (!Best.C)
    for (const auto &Block : usualBlocks(Best.Dimensions)) {
      Attempt Other = TryBlock(Block);
      if (!Other.C)
        continue;
      Best = std::move(Other);
      break;
    }
  return Best;
}

namespace {
/// What was lifted on the condition that all of \c Facts hold.
struct Case {
  Attempt Found;
  std::vector<BoolExpr> Facts;
};
} // namespace

namespace {
/// Finds the cases that the kernel's arguments choose between: those for the
/// other values of arguments that choose between products, and those for both
/// sides of a condition where the kernel cannot be lifted as a whole, or where
/// that says less.
class CaseSearch {
public:
  using Facts = std::vector<BoolExpr>;
  explicit CaseSearch(llvm::function_ref<Attempt(const Facts &)> Try)
      : Try(Try) {}

  /// Adds the cases of launches for which all of \p Known holds. Returns
  /// whether every such launch has one.
  bool explore(const Facts &Known);

  std::vector<Case> Cases;
  /// Launches that have no case, by what holds for them, and why.
  std::vector<std::pair<Facts, Failure>> Others;

private:
  std::vector<BoolExpr> choices(const Attempt &Whole, size_t Depth) const;
  bool divide(const Facts &Known, const BoolExpr &Choice);

  llvm::function_ref<Attempt(const Facts &)> Try;
  unsigned Tries = 0;
};
} // namespace

static std::vector<BoolExpr> with(std::vector<BoolExpr> Facts, BoolExpr Fact) {
  Facts.push_back(std::move(Fact));
  return Facts;
}

/// Conditions that may be worth a case for each side.
std::vector<BoolExpr> CaseSearch::choices(const Attempt &Whole,
                                          size_t Depth) const {
  if (!Whole.C) {
    constexpr size_t MostChoices = 3, MostDepth = 2;
    return Depth == MostDepth
               ? std::vector<BoolExpr>()
               : llvm::ArrayRef(Whole.Choices).take_front(MostChoices).vec();
  }
  std::optional<BoolExpr> Choice = Whole.Remarks.Choice;
  if (!Choice)
    Choice = choiceIn(*Whole.C);
  return Choice ? std::vector{*Choice} : std::vector<BoolExpr>();
}

bool CaseSearch::divide(const Facts &Known, const BoolExpr &Choice) {
  const bool There = explore(with(Known, Choice));
  return explore(with(Known, BoolExpr::negation(Choice))) && There;
}

bool CaseSearch::explore(const Facts &Known) {
  // Each case costs the compiler as much as a kernel, and each attempt time.
  constexpr size_t MostCases = 4;
  constexpr unsigned MostTries = 12;
  if (contradict(Known))
    return true;
  if (Cases.size() == MostCases || Tries++ == MostTries) {
    Others.push_back({Known,
                      {DiagID::TooComplex, SourceLocation(),
                       "its arguments choose between more computations than "
                       "the " +
                           std::to_string(MostCases) + " that it can have"}});
    return false;
  }
  Attempt Whole = Try(Known);
  const size_t Before = Cases.size(), Failed = Others.size();
  for (const BoolExpr &Choice : choices(Whole, Known.size())) {
    if (contradict(with(Known, Choice)) ||
        contradict(with(Known, BoolExpr::negation(Choice))))
      continue;
    const bool All = divide(Known, Choice);
    // What holds for all launches is not given up for a part of them.
    if (Cases.size() > Before &&
        (All || !Whole.C || !Whole.Remarks.Settled.empty()))
      return All;
    Cases.resize(Before);
    Others.resize(Failed);
  }
  if (!Whole.C) {
    Others.push_back({Known, *Whole.Why});
    return false;
  }
  const std::vector<BoolExpr> Settled = Whole.Remarks.Settled;
  Cases.push_back({std::move(Whole), Known});
  bool All = true;
  for (const BoolExpr &Flag : Settled) {
    Facts &Here = Cases[Before].Facts;
    const Facts Rest = with(Here, BoolExpr::negation(Flag));
    Here.push_back(Flag);
    All &= explore(Rest);
  }
  return All;
}

std::vector<LiftedCase> lift(ParsedFile &File, const KernelModule &Module,
                             const Region &R, const RegionInstance &Instance) {
  const FunctionDecl &Kernel = *Instance.Function;
  auto Decline = [&](const CaseSearch::Facts &Where, const Failure &F) {
    SourceLocation Loc = F.Loc;
    if (Loc.isInvalid() ||
        File.Context.getSourceManager().isInSystemHeader(Loc))
      Loc = Kernel.getLocation();
    File.Diags.decline(F.ID, Loc, SourceRange(Loc),
                       caseName(R.Name, allOf(Where)), F.Message);
  };
  const KernelIR *IR = Module.kernel(Kernel);
  if (!IR) {
    Decline({}, {DiagID::UnsupportedStatement, Kernel.getLocation(),
                 Module.whyNot().empty() ? "Clang generates no code for it"
                                         : Module.whyNot().str()});
    return {};
  }
  // A kernel that is large, and is not understood for one block or case after
  // the other, would take minutes. No program of test/gpu/tiles takes so many.
  constexpr uint64_t MostSteps = 200000;
  uint64_t Steps = 0;
  std::optional<Failure> Why; // of a case
  auto TryWarps = [&](const Executor::Given &Asked) {
    if (Steps > MostSteps) {
      Attempt Over;
      Over.Why = Why.value_or(
          Failure{DiagID::TooComplex, Kernel.getLocation(),
                  "the kernel is too large to be tried out for more cases"});
      return Over;
    }
    Attempt Result = attempt(File, Module, *IR, Instance, Asked, Steps);
    if (!Result.C && !Why)
      Why = Result.Why;
    // There may be rows and columns if more is asked of the launch.
    if (!Result.C && Result.Why->ID == DiagID::IndexNotAffine &&
        (Result.MayHaveWholeWarps || Result.MayHaveWholeDivisors)) {
      Executor::Given Stricter = Asked;
      Stricter.WholeWarps = Result.MayHaveWholeWarps;
      Stricter.WholeDivisors = Result.MayHaveWholeDivisors;
      if (Attempt Other = attempt(File, Module, *IR, Instance, Stricter, Steps);
          Other.C)
        return Other;
    }
    // The last slice of k may be cut, and blocks behind it may have none.
    if (!Result.C && Result.MayHaveWholeSlices &&
        (Result.Why->ID == DiagID::IndexNotAffine ||
         Result.Why->ID == DiagID::UnsupportedBounds ||
         Result.Why->ID == DiagID::DataDependentExit)) {
      Executor::Given Stricter = Asked;
      Stricter.WholeSlices = true;
      Attempt Other = attempt(File, Module, *IR, Instance, Stricter, Steps);
      if (Other.C)
        return Other;
      Result.Dimensions = std::max(Result.Dimensions, Other.Dimensions);
    }
    if (!Result.C && Result.ChoosesStored &&
        (Result.Why->ID == DiagID::OrderingHazard ||
         Result.Why->ID == DiagID::UnsupportedBounds ||
         Result.Why->ID == DiagID::UnsupportedStatement)) {
      Executor::Given Stricter = Asked;
      Stricter.OneByOne = true;
      Attempt Other = attempt(File, Module, *IR, Instance, Stricter, Steps);
      if (Other.C)
        return Other;
      // It may need a block that is known as well.
      Result.Dimensions = std::max(Result.Dimensions, Other.Dimensions);
    }
    if (!Result.C && !Result.MayBeMultiples.empty() &&
        (Result.Why->ID == DiagID::IndexNotAffine ||
         Result.Why->ID == DiagID::UnsupportedBounds ||
         Result.Why->ID == DiagID::UnsupportedStatement)) {
      Executor::Given Stricter = Asked;
      Stricter.Arguments = Result.MayBeMultiples;
      if (Attempt Other = attempt(File, Module, *IR, Instance, Stricter, Steps);
          Other.C)
        return Other;
    }
    return Result;
  };
  auto TryParts = [&](const Executor::Given &Asked) {
    Attempt Result = TryWarps(Asked);
    // Barriers of warps order arrays of which each warp has a part.
    Executor::Given InParts = Asked;
    for (Attempt Other = Result; !Other.C;) {
      const size_t Known = InParts.OwnParts.size();
      InParts.OwnParts.insert(Other.MayHaveParts.begin(),
                              Other.MayHaveParts.end());
      if (InParts.OwnParts.size() == Known)
        break;
      Other = TryWarps(InParts);
      if (Other.C)
        return Other;
    }
    // Only behind the last tile: results go through its memory.
    if (!Result.C && !Result.MayHaveParts.empty() && Result.Plain > 0) {
      Executor::Given Late = Asked;
      for (const std::string &Name : Result.MayHaveParts)
        Late.LateParts[Name] = Result.Plain;
      if (Attempt Other = TryWarps(Late); Other.C)
        return Other;
    }
    if (!Result.C && !Result.MayBeOwn.empty()) {
      Executor::Given Apart = Asked;
      Apart.OwnElements = Result.MayBeOwn;
      if (Attempt Other = TryWarps(Apart); Other.C)
        return Other;
    }
    return Result;
  };
  const unsigned Dimensions = flatDimensions(Module, *IR->Function);
  auto TryCase = [&](const CaseSearch::Facts &Known) {
    Why.reset();
    if (Dimensions > 0) {
      Attempt Row = attemptBlocks([&](Executor::Given Asked) {
        if (Asked.Block[1] > 1 || Asked.Square)
          return Attempt();
        Asked.Block[1] = Asked.Block[2] = 1;
        Asked.Cases = Known;
        return TryParts(Asked);
      });
      if (Row.C) {
        allowAnyShape(*Row.C, Dimensions);
        return Row;
      }
    }
    Attempt Last = attemptBlocks([&](Executor::Given Asked) {
      Asked.Cases = Known;
      return TryParts(Asked);
    });
    if (!Last.C && Last.AtomicPlaces.count(Last.Why->Loc) &&
        (Last.Why->ID == DiagID::UnsupportedBounds ||
         Last.Why->ID == DiagID::IndexNotAffine)) {
      Last.Why->ID = DiagID::Atomics;
      Last.Why->Message = "it could not be shown that one thread adds "
                          "atomically to each element: " +
                          Last.Why->Message;
    }
    return Last;
  };
  CaseSearch Search(TryCase);
  Search.explore({});
  for (const auto &[Where, Why] : Search.Others)
    Decline(Where, Why);
  std::string Name = Kernel.getNameAsString();
  if (!Instance.Source.TemplateArgs.empty())
    Name += "<" + llvm::join(Instance.Source.TemplateArgs, ", ") + ">";
  std::vector<LiftedCase> Cases;
  bool InHalf = false;
  std::optional<SourceLocation> MovedFactor;
  for (Case &Each : Search.Cases) {
    Contraction &C = *Each.Found.C;
    C.Kernel = Name;
    for (unsigned I = 0; I != C.sumCount(); ++I)
      InHalf |= byteSize(C.sum(I).OriginalAccType) == 2;
    if (Each.Found.Remarks.MovedFactor && !MovedFactor)
      MovedFactor = Each.Found.Remarks.FactorLoc;
    Cases.push_back({std::move(C), allOf(Each.Facts)});
  }
  // With accumulate(f16) the rewritten kernel does, too.
  if (InHalf && Instance.Clauses.Accumulate != Directives::AccumulateKind::F16)
    File.Diags.report(DiagID::HalfAccumulator, Kernel.getLocation()) << R.Name;
  if (MovedFactor)
    File.Diags.report(DiagID::FactorMoved, MovedFactor->isValid()
                                               ? *MovedFactor
                                               : Kernel.getLocation())
        << R.Name;
  return Cases;
}

} // namespace warpwright
