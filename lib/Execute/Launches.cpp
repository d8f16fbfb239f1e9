//===-- Launches.cpp - Launches to execute a kernel with ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Launches.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include <algorithm>
#include <limits>

namespace warpwright {
namespace execute {

LaunchDrawer::LaunchDrawer(const KernelIR &Kernel, Problem &P, uint64_t Seed,
                           bool NarrowIntegers, bool WholeWarps,
                           llvm::ArrayRef<ConstantLeaf> Constants)
    : Kernel(Kernel), P(P), Constants(Constants), R(Seed), Seed(Seed),
      NarrowIntegers(NarrowIntegers), WholeWarps(WholeWarps) {
  static constexpr const char *Dims[] = {"x", "y", "z"};
  for (unsigned D = 0; D < 3; ++D) {
    BlockIds[D] = P.Names.id((llvm::Twine("blockDim.") + Dims[D]).str());
    GridIds[D] = P.Names.id((llvm::Twine("gridDim.") + Dims[D]).str());
  }
  for (const ParamLeaf &L : Kernel.Params)
    if (!L.IsPointer && L.Problem.empty() && !isFloating(L.Type))
      Variables.push_back({P.Names.id(L.Path), L.Type, Variable::Param, 0});
  for (unsigned D = 0; D < 3; ++D) {
    Variables.push_back({BlockIds[D], ScalarType::U32, Variable::Block, D});
    Variables.push_back({GridIds[D], ScalarType::U32, Variable::Grid, D});
  }
  // A pointer that is neither a factor nor an output may be null, even if the
  // contraction does not test it.
  for (const ParamLeaf &L : Kernel.Params)
    if (L.IsPointer && llvm::none_of(P.Accesses, [&](const ArrayAccess &A) {
          return A.Pointer == L.Path && A.Use != ArrayUse::Input;
        }))
      Dispensable.push_back(L.Path);
  // `__launch_bounds__`: "256" or "16,16,1".
  const llvm::StringRef Bound =
      Kernel.Function->getFnAttribute("nvvm.maxntid").getValueAsString();
  if (!Bound.empty()) {
    llvm::SmallVector<llvm::StringRef> Parts;
    Bound.split(Parts, ',');
    uint64_t Product = 1, One;
    for (llvm::StringRef Part : Parts)
      if (!Part.trim().getAsInteger(10, One))
        Product *= One;
    MaxBlock = std::min<uint64_t>(MaxBlock, Product);
  }
  findComparisons();
  for (const Problem::Need &N : P.Needs)
    NeedIds.push_back(N.Ids);
  for (const ArrayAccess &A : P.Accesses) {
    std::vector<uint32_t> &Ids = AccessIds.emplace_back();
    A.Index.names(Ids);
    for (const CompiledInt &E : A.Form)
      E.names(Ids);
    A.Begin.names(Ids);
    if (A.End)
      A.End->names(Ids);
    // Other products than the first have an extent of their own.
    P.Sums[A.Sum].Products[A.Product].Extent.names(Ids);
  }
  for (const CompiledInt &E : P.ExtentCode)
    E.names(WorkIds);
  for (const SumCode &S : P.Sums)
    for (const ProductCode &Product : S.Products)
      Product.Extent.names(WorkIds);
  for (std::vector<std::vector<uint32_t>> *All : {&NeedIds, &AccessIds})
    for (std::vector<uint32_t> &Ids : *All) {
      llvm::sort(Ids);
      Ids.erase(std::unique(Ids.begin(), Ids.end()), Ids.end());
    }
}

/// For `if (mode == 3)`, some of the launches should have a mode of 3.
void LaunchDrawer::findComparisons() {
  auto Note = [&](const llvm::Value *V, const llvm::Value *Constant) {
    const auto *C = llvm::dyn_cast<llvm::ConstantInt>(Constant);
    if (!C || C->getBitWidth() < 8 || C->getBitWidth() > 64)
      return;
    while (const auto *Cast = llvm::dyn_cast<llvm::CastInst>(V))
      V = Cast->getOperand(0);
    std::string Name;
    if (const auto *A = llvm::dyn_cast<llvm::Argument>(V))
      for (const ParamLeaf &L : Kernel.Params)
        if (A->getParent() == Kernel.Function && L.Argument == A->getArgNo() &&
            L.Offset == 0)
          Name = L.Path;
    std::vector<int64_t> &Known = Compared[Name];
    constexpr size_t Most = 16;
    if (Known.size() < Most && !llvm::is_contained(Known, C->getSExtValue()))
      Known.push_back(C->getSExtValue());
  };
  for (const llvm::Instruction &I : llvm::instructions(*Kernel.Function)) {
    if (const auto *Compare = llvm::dyn_cast<llvm::ICmpInst>(&I);
        Compare && Compare->isEquality())
      Note(Compare->getOperand(0), Compare->getOperand(1));
    if (const auto *Switch = llvm::dyn_cast<llvm::SwitchInst>(&I))
      for (const auto &Case : Switch->cases())
        Note(Switch->getCondition(), Case.getCaseValue());
  }
}

llvm::ArrayRef<int64_t> LaunchDrawer::comparedWith(const Variable &V) const {
  for (llvm::StringRef Name :
       {llvm::StringRef(P.Names.name(V.Id)), llvm::StringRef()})
    if (auto It = Compared.find(Name); It != Compared.end())
      return It->second;
  return {};
}

bool LaunchDrawer::inRange(const Variable &V, int64_t X) const {
  if (V.Kind == Variable::Block)
    return X >= 1 && X <= (V.Dim == 2 ? 64 : 1024);
  if (V.Kind == Variable::Grid)
    return X >= 1 && X <= 65535;
  return wrap(V, X) == X;
}

int64_t LaunchDrawer::wrap(const Variable &V, int64_t X) const {
  return fromInteger(V.Type, X).integer();
}

void LaunchDrawer::bindArrays(Environment &Env, const PlannedLaunch &L) const {
  for (const ParamLeaf &Leaf : Kernel.Params)
    if (Leaf.IsPointer)
      Env.Arrays[Leaf.Path].Null = L.Null.contains(Leaf.Path);
}

LaunchDrawer::Target LaunchDrawer::targetOf(unsigned Number, PlannedLaunch &L) {
  Target T;
  static constexpr std::array<uint32_t, 3> Blocks[] = {
      {16, 16, 1}, {8, 8, 1}, {16, 4, 1}, {32, 1, 1}, {4, 4, 1},
      {5, 3, 1},   {8, 2, 2}, {64, 1, 1}, {1, 1, 1},  {32, 8, 1}};
  L.Shape.Block = Blocks[Number < 4 ? Number : R.below(std::size(Blocks))];
  // Usually a single warp: several warps may all compute the same, and race if
  // the output is also read.
  static constexpr std::array<uint32_t, 3> Warps[] = {
      {32, 1, 1}, {64, 1, 1}, {32, 1, 1}, {48, 1, 1}, {32, 1, 1}, {32, 2, 1}};
  if (WholeWarps)
    L.Shape.Block = Warps[Number % std::size(Warps)];
  const int64_t X = L.Shape.Block[0], Y = L.Shape.Block[1];
  auto Past = [&](int64_t Of) { return Of + 1 + int64_t(R.below(3)); };
  const int64_t OddK[] = {5, 7, 9, 11, 13};
  const int64_t K = R.pick<int64_t>(OddK);
  const int64_t Batch = 1 + int64_t(R.below(2));
  switch (Number) {
  case 0:
    T.Extent = {1, Y + 1, X + 1, 7};
    T.MaxWork = 2400;
    L.What = "just past a block";
    break;
  case 1:
    T.Extent = {2, 2 * Y + 3, 2 * X + 1, K};
    T.Cover = false;
    L.What = "a grid that does not cover";
    break;
  case 2:
    T.Extent = {Batch, 1, Past(X), K};
    T.Pitches = true;
    L.What = "one row";
    break;
  case 3:
    T.Extent = {Batch, Past(Y), 1, K + 6};
    L.What = "one column";
    break;
  case 4:
    T.Extent = {2, Past(Y), Past(X), 1};
    L.What = "a sum of one term";
    break;
  case 5:
    // Multiples of most tiles, whatever block the kernel wants. Not a square,
    // which would hide that two directions are exchanged.
    L.Shape.Block = WholeWarps ? L.Shape.Block : Blocks[0];
    T.Extent = {1, 64, 32, 16};
    T.MaxWork = 1 << 16;
    L.What = "whole blocks";
    break;
  case 6:
    T.Extent = {1, Past(Y), Past(X), K};
    L.Data = DataKind::Special;
    L.What = "special values";
    break;
  case 7:
    T.Extent = {Batch, Past(Y), Past(X), 3 * K};
    L.Data = DataKind::Reals;
    L.What = "real numbers";
    break;
  case 8:
    T.Extent = {1, 2, 3, 257 + int64_t(R.below(40))};
    L.What = "a long sum";
    break;
  case 9:
    T.Extent = {1, 261, 2, 2};
    L.What = "many rows";
    break;
  case 10:
    T.Extent = {1, 2, 263, 2};
    L.What = "many columns";
    break;
  case 11:
    T.Extent = {Batch, Past(Y), Past(X), K};
    L.What = "arrays in common";
    break;
  case 12:
    T.Extent = {Batch, Past(Y), Past(X), K};
    L.What = "null pointers";
    break;
  case 13:
    T.Extent = {3, Past(Y), 2, 0};
    L.What = "an empty sum";
    break;
  case 14:
    if (NarrowIntegers) {
      T.Extent = {1, 1, 1, 65539};
      T.MaxWork = 1 << 17;
      L.What = "a very long sum";
      break;
    }
    [[fallthrough]];
  default:
    T.Extent = {Batch, 1 + int64_t(R.below(static_cast<uint64_t>(2 * Y + 2))),
                1 + int64_t(R.below(static_cast<uint64_t>(2 * X + 2))),
                1 + int64_t(R.below(20))};
    T.Cover = !R.chance(3);
    T.Pitches = R.chance(2);
    L.What = Number % 2 ? "random sizes" : "extreme parameters";
    break;
  }
  if (L.Shape.Block[2] > 1 && !R.chance(4))
    L.Shape.Block[2] = 1;
  return T;
}

static constexpr double Dyadic[] = {1, 2, 0.5, -1, -2, 3, -0.5, 1.5, 0, 4};

/// Numbers in constant memory. They are drawn separately, so that the launches
/// of a kernel without them do not change.
void LaunchDrawer::drawConstants(PlannedLaunch &L) {
  Random Own(Seed ^ R.bits());
  for (const ConstantLeaf &C : Constants) {
    if (isFloating(C.Type)) {
      double X = Own.pick<double>(Dyadic);
      // A factor of 0 hides the other factor.
      if (X == 0 && (L.Data != DataKind::Integers || !Own.chance(2)))
        X = 2;
      L.Constants[C.Name] = fromReal(C.Type, X);
      continue;
    }
    int64_t X = static_cast<int64_t>(Own.below(5)) - 1;
    // Numbers with which the kernel compares anything are more useful.
    if (auto It = Compared.find(""); It != Compared.end() && Own.chance(2))
      X = Own.pick<int64_t>(It->second);
    if (C.Type == ScalarType::Bool)
      X &= 1;
    L.Constants[C.Name] = fromInteger(C.Type, X);
  }
}

void LaunchDrawer::randomize(PlannedLaunch &L, const Target &T,
                             unsigned Number) {
  L.Ints.assign(P.Names.size(), 0);
  for (unsigned D = 0; D < 3; ++D) {
    L.Ints[BlockIds[D]] = L.Shape.Block[D];
    L.Ints[GridIds[D]] = 1 + int64_t(R.below(D == 2 ? 2 : 3));
  }
  std::vector<uint32_t> InExtents;
  for (const CompiledInt &E : P.ExtentCode)
    E.names(InExtents);
  for (const Variable &V : Variables) {
    if (V.Kind != Variable::Param)
      continue;
    int64_t X = 1 + int64_t(R.below(20));
    if (!llvm::is_contained(InExtents, V.Id)) {
      static constexpr int64_t Odd[] = {0, 1, 2, 3, -1, 7, 64, 1000};
      // Usually a pitch is at least as long as a row.
      X = T.Pitches ? 20 + int64_t(R.below(40)) : 24 + int64_t(R.below(8));
      if (R.chance(4))
        X = R.pick<int64_t>(Odd);
      if (llvm::ArrayRef<int64_t> Of = comparedWith(V);
          !Of.empty() && R.chance(2))
        X = R.pick<int64_t>(Of);
    }
    if (V.Type == ScalarType::Bool)
      X = R.chance(2);
    L.Ints[V.Id] = wrap(V, X);
  }
  if (!Constants.empty())
    drawConstants(L);
  for (const ParamLeaf &Leaf : Kernel.Params) {
    if (Leaf.IsPointer || !Leaf.Problem.empty())
      continue;
    if (!isFloating(Leaf.Type))
      continue;
    double X = R.pick<double>(Dyadic);
    // A factor of 0 hides the other factor.
    if (X == 0 && (L.Data != DataKind::Integers || !R.chance(2)))
      X = 2;
    L.Scalars[Leaf.Path] = fromReal(Leaf.Type, X);
  }
  for (const std::string &Pointer : Number == 12 ? Dispensable : P.Nullable)
    if (R.chance(Number == 12 ? 2 : 5))
      L.Null.insert(Pointer);
  if (Number == 12 && L.Null.empty())
    L.Null.insert(R.pick<std::string>(Dispensable));
  if (Number != 11 && !(Number > 14 && R.chance(4)))
    return;
  if (auto Alias = findAlias())
    L.Alias[Alias->first] = Alias->second;
}

/// An input that is the output, element for element, or one array for both
/// operands.
std::optional<std::pair<std::string, std::string>>
LaunchDrawer::findAlias() const {
  auto Restricted = [&](llvm::StringRef Name) {
    return llvm::is_contained(P.C.RestrictPointers, Name);
  };
  for (const ArrayAccess &Out : P.Accesses)
    for (const ArrayAccess &In : P.Accesses)
      if (Out.Use == ArrayUse::Output && In.Use == ArrayUse::Input &&
          In.Pointer != Out.Pointer && In.Type == Out.Type &&
          In.Text == Out.Text && !Restricted(In.Pointer) &&
          !Restricted(Out.Pointer))
        return std::make_pair(In.Pointer, Out.Pointer);
  if (P.C.A.Type == P.C.B.Type && P.C.A.Pointer != P.C.B.Pointer)
    return std::make_pair(P.C.B.Pointer, P.C.A.Pointer);
  return std::nullopt;
}

bool LaunchDrawer::applies(unsigned Number) const {
  switch (Number) {
  case 11:
    return findAlias().has_value();
  case 12:
    return !Dispensable.empty();
  case 14:
    return NarrowIntegers;
  default:
    return true;
  }
}

static int64_t toInt64(Wide X) {
  return static_cast<int64_t>(
      std::min<Wide>(std::max<Wide>(X, std::numeric_limits<int64_t>::min()),
                     std::numeric_limits<int64_t>::max()));
}

LaunchDrawer::Tally LaunchDrawer::tally(Environment &Env, const Target &T,
                                        const Tally *Before, uint32_t Changed) {
  Tally Result;
  Result.Holds.resize(P.Needs.size());
  for (size_t I = 0; I < P.Needs.size(); ++I) {
    Problem::Need &N = P.Needs[I];
    // Values may mention any number.
    Result.Holds[I] =
        Before && N.AsValue.empty() && !llvm::is_contained(NeedIds[I], Changed)
            ? Before->Holds[I]
            : P.holds(N, Env);
    Result.Count += !Result.Holds[I];
  }
  if (Before && !llvm::is_contained(WorkIds, Changed)) {
    Result.Extent = Before->Extent;
    Result.Work = Before->Work;
  } else {
    Result.Extent = P.extents(Env);
    Result.Work = P.termsOfAll(Env, std::max<Wide>(Result.Extent[3], 1));
    for (unsigned I = 0; I < 3; ++I)
      Result.Work = multiply(Result.Work, std::max<Wide>(Result.Extent[I], 1));
  }
  Extents Extent;
  for (unsigned I = 0; I < 4; ++I) {
    Result.Count += Result.Extent[I] < (T.Extent[I] > 0 ? 1 : 0);
    Extent[I] = toInt64(Result.Extent[I]);
  }
  uint64_t Threads = 1, Block = 1;
  for (unsigned D = 0; D < 3; ++D) {
    Block *= static_cast<uint64_t>(Env.Ints[BlockIds[D]]);
    Threads *=
        static_cast<uint64_t>(Env.Ints[BlockIds[D]] * Env.Ints[GridIds[D]]);
  }
  Result.Count += Block > MaxBlock;
  Result.Count += Threads > T.MaxThreads;
  Result.Small = Result.Work <= T.MaxWork;
  if (!Result.Small) {
    Result.Count += 2;
    return Result;
  }
  const bool Known = Before && Before->Small && Before->Extent == Result.Extent;
  Result.Beyond.resize(P.Accesses.size());
  for (size_t I = 0; I < P.Accesses.size(); ++I) {
    const ArrayAccess &A = P.Accesses[I];
    if (Known && !llvm::is_contained(AccessIds[I], Changed)) {
      Result.Beyond[I] = Before->Beyond[I];
    } else {
      const Reach Span = P.reach(A, Env, Extent);
      const Wide Limit = T.MaxBytes / byteSize(A.Type);
      Result.Beyond[I] =
          Span.Hi - Span.Lo > Limit || Span.Lo < -Limit || Span.Hi > Limit;
    }
    Result.Count += Result.Beyond[I];
  }
  return Result;
}

/// Changes parameters so that the extents are as wanted, or close to that.
bool LaunchDrawer::aim(Environment &Env, const Target &T) {
  for (unsigned Pass = 0; Pass < 2; ++Pass)
    for (unsigned I : {1u, 2u, 3u, 0u}) {
      std::vector<uint32_t> Ids;
      P.ExtentCode[I].names(Ids);
      for (const Variable &V : Variables) {
        if (!llvm::is_contained(Ids, V.Id) || V.Kind == Variable::Block ||
            (V.Kind == Variable::Grid && !T.Cover))
          continue;
        const int64_t Before = Env.Ints[V.Id];
        auto Distance = [&](int64_t X) -> Wide {
          if (!inRange(V, X))
            return Wide(1) << 100;
          Env.Ints[V.Id] = X;
          const Wide E = P.ExtentCode[I].evaluate(Env);
          Env.Ints[V.Id] = Before;
          return E < T.Extent[I] ? T.Extent[I] - E : E - T.Extent[I];
        };
        int64_t Best = Before;
        Wide Least = Distance(Before);
        auto Try = [&](int64_t X) {
          const Wide D = Distance(X);
          if (D < Least) {
            Least = D;
            Best = X;
          }
        };
        Try(T.Extent[I]);
        for (int64_t X = T.Extent[I] - 3; X <= T.Extent[I] + 3; ++X)
          Try(X);
        for (int64_t Times : {2, 3, 4, 8, 16, 32, 64, 128})
          for (int64_t Rest : {0, 1, 3})
            Try(T.Extent[I] * Times + Rest);
        for (int64_t X = 1; X <= 40; ++X)
          Try(X);
        Env.Ints[V.Id] = Best;
      }
    }
  return true;
}

/// Changes numbers in conditions that do not hold until all do.
bool LaunchDrawer::repair(Environment &Env, const Target &T) {
  Tally Now = tally(Env, T);
  for (unsigned Step = 0; Now.Count > 0 && Step < 24; ++Step) {
    // The names that occur in one of the failing conditions.
    std::vector<uint32_t> Ids;
    std::vector<size_t> Failed;
    for (size_t I = 0; I < P.Needs.size(); ++I)
      if (!Now.Holds[I])
        Failed.push_back(I);
    size_t Number = 0;
    Problem::Need *Need = nullptr;
    if (!Failed.empty()) {
      Number = Failed[R.below(Failed.size())];
      Need = &P.Needs[Number];
      Ids = Need->Ids;
    } else {
      for (const CompiledInt &E : P.ExtentCode)
        E.names(Ids);
      for (const ArrayAccess &A : P.Accesses)
        A.Index.names(Ids);
      Ids.insert(Ids.end(), BlockIds.begin(), BlockIds.end());
      Ids.insert(Ids.end(), GridIds.begin(), GridIds.end());
    }
    // The best change that makes this condition hold, even if others fail then;
    // they are handled later.
    int Least = std::numeric_limits<int>::max();
    unsigned Ties = 0;
    std::optional<std::pair<uint32_t, int64_t>> Best;
    for (const Variable &V : Variables) {
      if (!llvm::is_contained(Ids, V.Id))
        continue;
      const int64_t Before = Env.Ints[V.Id];
      static constexpr int64_t Sizes[] = {1,  2,  3,  4,  5,  7,   8,   9,  11,
                                          12, 13, 15, 16, 17, 19,  24,  31, 32,
                                          33, 48, 64, 65, 96, 128, 256, 0,  -1};
      llvm::SmallVector<int64_t, 32> Candidates;
      // The point at which a comparison changes is tried first, since it is
      // close to what was wanted.
      if (Need && Need->Op) {
        auto Difference = [&](int64_t X) {
          Env.Ints[V.Id] = X;
          const Wide D = add(Need->L.evaluate(Env), -Need->R.evaluate(Env));
          Env.Ints[V.Id] = Before;
          return D;
        };
        // Quotients change only at certain values, so the steps become wider
        // and wider.
        const Wide D = Difference(Before);
        for (int64_t Stride = 1; Stride <= 1024; Stride *= 2) {
          const Wide Slope = Difference(Before + Stride) - D;
          if (Slope == 0)
            continue;
          const int64_t X =
              toInt64(add(Before, -(multiply(D, Stride) / Slope)));
          for (int64_t Near : {0, 1, -1})
            if (X < (int64_t(1) << 40) && X > -(int64_t(1) << 40)) {
              Candidates.push_back(X + Near);
              Candidates.push_back((X + Near) / Stride * Stride);
            }
          break;
        }
      }
      if (V.Kind == Variable::Block)
        Candidates.append({192, 384, 512, 1024});
      Candidates.append(std::begin(Sizes), std::end(Sizes));
      llvm::SmallVector<std::pair<int64_t, int>, 64> Tried;
      for (int64_t X : Candidates) {
        if (X == Before || !inRange(V, X))
          continue;
        Env.Ints[V.Id] = X;
        constexpr int Penalty = 100;
        int After = 0;
        const auto *Known =
            llvm::find_if(Tried, [&](const auto &P) { return P.first == X; });
        if (Known != Tried.end()) {
          After = Known->second;
        } else if (Need && Least < Penalty && !P.holds(*Need, Env)) {
          // It cannot become the best one any more, whatever else holds.
          After = Penalty;
          Tried.push_back({X, After});
        } else {
          const Tally Then = tally(Env, T, &Now, V.Id);
          After = Then.Count + (Need && !Then.Holds[Number] ? Penalty : 0);
          Tried.push_back({X, After});
        }
        if (After < Least) {
          Least = After;
          Ties = 1;
          Best = {V.Id, X};
        } else if (After == Least && R.below(++Ties + 1) == 0) {
          Best = {V.Id, X};
        }
        Env.Ints[V.Id] = Before;
        if (Least == 0)
          break;
      }
      if (Least == 0)
        break;
    }
    if (!Best)
      return false;
    Env.Ints[Best->first] = Best->second;
    Now = tally(Env, T, &Now, Best->first);
  }
  return Now.Count == 0;
}

/// Makes the grid as small as the extents allow, but leaves two blocks in each
/// direction that has more. In most kernels with tiles a block that has nothing
/// to do takes as long as any other.
void LaunchDrawer::shrinkGrid(Environment &Env, const Target &T) {
  if (!T.Cover)
    return;
  const std::array<Wide, 4> Extent = P.extents(Env);
  for (uint32_t Id : {GridIds[0], GridIds[1]}) {
    const int64_t Before = Env.Ints[Id];
    for (int64_t X = 2; X < Before; ++X) {
      Env.Ints[Id] = X;
      if (P.extents(Env) == Extent && violations(Env, T) == 0)
        break;
      Env.Ints[Id] = Before;
    }
  }
}

std::optional<PlannedLaunch> LaunchDrawer::draw(unsigned Number) {
  for (unsigned Attempt = 0; Attempt < 6; ++Attempt) {
    R = Random(Seed * 1000003 + Number * 131 + Attempt);
    PlannedLaunch L;
    Target T = targetOf(Number, L);
    // Kernels with large tiles need larger launches.
    for (unsigned More = 0; More < Attempt; ++More) {
      T.MaxWork *= 8;
      T.MaxThreads *= 2;
      T.MaxBytes *= 2;
    }
    randomize(L, T, Number);
    if (Attempt >= 2)
      L.Null.clear();
    Environment Env;
    Env.Ints = L.Ints;
    Env.Scalars = L.Scalars;
    bindArrays(Env, L);
    aim(Env, T);
    if (!repair(Env, T))
      continue;
    auto Keeps = [&](uint32_t Id, int64_t X) {
      const int64_t Before = Env.Ints[Id];
      Env.Ints[Id] = X;
      if (violations(Env, T) == 0)
        return true;
      Env.Ints[Id] = Before;
      return false;
    };
    if (Number >= 14 && L.What == "extreme parameters") {
      // One parameter gets an unusually large value, and so do a few of the
      // following ones.
      static constexpr int64_t Extreme[] = {
          -1,    0x7fffffff, 0x7ffffffe, -0x80000000ll, 0xffffffffll, 65535,
          65536, 65537,      255,        256,           257,          -2,
          -7,    0,          0x40000000};
      static constexpr int64_t Beyond[] = {
          (int64_t(1) << 32) + 3, -(int64_t(1) << 33) + 5,
          (int64_t(1) << 31) + 1, (int64_t(1) << 40) - 1};
      for (const Variable &V : Variables) {
        if (V.Kind != Variable::Param || R.chance(3))
          continue;
        for (unsigned Tries = 0; Tries < 4; ++Tries) {
          // Wide types can have larger values than narrow ones; use these in
          // half of the cases.
          int64_t X = R.pick<int64_t>(Extreme);
          if (byteSize(V.Type) == 8 && R.chance(2))
            X = R.pick<int64_t>(Beyond);
          if (inRange(V, X) && Keeps(V.Id, X))
            break;
        }
      }
    } else {
      // Values that programs often treat separately, for each parameter in
      // turn.
      unsigned Turn = Number;
      std::vector<uint32_t> InExtents;
      for (const CompiledInt &E : P.ExtentCode)
        E.names(InExtents);
      for (const Variable &V : Variables) {
        if (V.Kind != Variable::Param || Number < 2)
          continue;
        ++Turn;
        static constexpr int64_t Wide[] = {(int64_t(1) << 32) + 3,
                                           -(int64_t(1) << 33) + 5};
        int64_t X = Turn % 3 == 0 ? 0 : Turn % 3 == 1 ? -1 : 1;
        if (byteSize(V.Type) == 8 && Turn % 3 == 1)
          X = R.pick<int64_t>(Wide);
        // Parameters in extents already have their values.
        if (X == 1 && llvm::is_contained(InExtents, V.Id))
          continue;
        // Numbers with which the kernel compares it are more useful.
        if (llvm::ArrayRef<int64_t> Of = comparedWith(V);
            !Of.empty() && !llvm::is_contained(InExtents, V.Id)) {
          if (R.chance(2))
            continue;
          if (R.chance(2))
            X = R.pick<int64_t>(Of);
        }
        if (inRange(V, X) && !R.chance(4))
          Keeps(V.Id, X);
      }
      shrinkGrid(Env, T);
      // A grid that is larger than necessary tests the guards.
      for (unsigned D = 0; D < 3; ++D)
        if (R.chance(3))
          Keeps(GridIds[D], Env.Ints[GridIds[D]] + 1);
      // A parameter on which nothing seems to depend may have any value.
      for (const Variable &V : Variables)
        if (V.Kind == Variable::Block && V.Dim == 2 && R.chance(4))
          Keeps(V.Id, 2);
    }
    L.Ints = Env.Ints;
    for (unsigned D = 0; D < 3; ++D) {
      L.Shape.Block[D] = static_cast<uint32_t>(Env.Ints[BlockIds[D]]);
      L.Shape.Grid[D] = static_cast<uint32_t>(Env.Ints[GridIds[D]]);
    }
    for (const Variable &V : Variables)
      if (V.Kind == Variable::Param)
        L.Scalars[P.Names.name(V.Id)] = fromInteger(V.Type, L.Ints[V.Id]);
    return L;
  }
  return std::nullopt;
}

/// Whether an instruction of the kernel, or of what it calls, is one of those.
static bool
anyInstruction(const llvm::Function &Kernel, const HeaderFunctions &Headers,
               llvm::function_ref<bool(const llvm::Instruction &)> Is) {
  std::set<const llvm::Function *> Seen;
  std::vector<const llvm::Function *> Work = {&Kernel};
  while (!Work.empty()) {
    const llvm::Function *F = Work.back();
    Work.pop_back();
    if (!Seen.insert(F).second || Headers.count(F->getName()))
      continue;
    for (const llvm::Instruction &I : llvm::instructions(*F)) {
      if (Is(I))
        return true;
      if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
        if (const llvm::Function *Callee = Call->getCalledFunction())
          Work.push_back(Callee);
    }
  }
  return false;
}

/// Whether it counts in 8 or 16 bits: mistakes with these need long sums to
/// show.
static bool isNarrow(const llvm::Instruction &I) {
  llvm::Type *T = I.getType();
  return (llvm::isa<llvm::PHINode>(I) || llvm::isa<llvm::TruncInst>(I)) &&
         (T->isIntegerTy(8) || T->isIntegerTy(16));
}

/// Whether it needs all threads of a warp.
static bool isOfWarp(const llvm::Instruction &I) {
  auto *Call = llvm::dyn_cast<llvm::CallBase>(&I);
  const llvm::Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->getName().starts_with("llvm.nvvm.wmma.");
}

bool countsInFewBits(const llvm::Function &Kernel,
                     const HeaderFunctions &Headers) {
  return anyInstruction(Kernel, Headers, isNarrow);
}

bool worksByWarp(const llvm::Function &Kernel, const HeaderFunctions &Headers) {
  return anyInstruction(Kernel, Headers, isOfWarp);
}

} // namespace execute
} // namespace warpwright
