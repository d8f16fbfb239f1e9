//===-- Solver.cpp - Arguments that a kernel accepts ----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A contraction's extents, strides and requirements are expressions over
/// parameters and the launch. The solver assigns values in an order in which
/// early ones decide most: the block, parameters in extents, the grid,
/// parameters in strides, all others. Then it looks for requirements that fail,
/// changes one parameter of the first of these by as little as is needed for it
/// to hold, keeps that parameter fixed, and starts again.
///
//===----------------------------------------------------------------------===//

#include "Solver.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>

using namespace warpwright;

uint64_t VerifyRandom::bits() {
  uint64_t Z = (State += 0x9e3779b97f4a7c15u);
  Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9u;
  Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebu;
  return Z ^ (Z >> 31);
}

namespace {

constexpr int64_t Big = int64_t(1) << 20;
constexpr const char *BlockNames[] = {"blockDim.x", "blockDim.y", "blockDim.z"};
constexpr const char *GridNames[] = {"gridDim.x", "gridDim.y", "gridDim.z"};

/// The smallest value in [Low, High] for which \p Holds, where \p Holds stays
/// true once it is true; High + 1 if there is none.
template <class Fn> int64_t findFirst(int64_t Low, int64_t High, Fn Holds) {
  ++High;
  while (Low < High) {
    int64_t Middle = Low + (High - Low) / 2;
    if (Holds(Middle))
      High = Middle;
    else
      Low = Middle + 1;
  }
  return Low;
}

class Solver {
public:
  Solver(const Subject &S, const SubjectNames &Names, const CaseTarget &Target,
         const std::map<std::string, double> &Set)
      : S(S), C(S.Computation), Names(Names), Target(Target) {
    for (const auto &[Name, Value] : Set) {
      if (isScalar(Name))
        Floats[Name] = Value;
      else
        Pins[Name] = static_cast<int64_t>(Value);
    }
    User = Pins;
    for (const IntExpr *E :
         {&C.BatchExtent, &C.MExtent, &C.NExtent, &C.KExtent})
      Extents.push_back(E);
    C.forEachProduct([&](const Accumulation &, const Product &P) {
      if (P.KExtent)
        OwnExtents.push_back(*P.KExtent);
    });
    for (const Output &Out : C.Outputs)
      Accesses.push_back(Out.Index);
    C.forEachOperand([&](const Operand &Op) { Accesses.push_back(Op.Index); });
    for (const Output &Out : C.Outputs)
      walkAll(
          Out.Value, [](const IntExpr &) {},
          [&](const Value &V) {
            if (V.K == Value::Kind::Load)
              Accesses.push_back(V.Index);
          },
          [](const BoolExpr &) {});
  }

  llvm::Expected<VerifyCase> solve();

private:
  bool isScalar(llvm::StringRef Name) const {
    return llvm::any_of(Names.Scalars, [&](const SubjectNames::Scalar &X) {
      return X.Name == Name;
    });
  }
  bool isSet(const std::string &Name) const { return A.Ints.count(Name); }
  bool mentions(llvm::StringRef Name) const;
  std::vector<std::string> unsetParams(const IntExpr &E) const;
  /// The value of \p E, where everything that is not set yet is \p Rest.
  int64_t valueWith(const IntExpr &E, int64_t Rest) const;
  int64_t extent(unsigned I) const { return valueWith(*Extents[I], Big); }

  void attempt();
  void setBlock();
  void setExtents();
  void setGrid();
  void setStrides();
  bool setOneStride(const IntExpr &Access);
  const Output *outputWithEnd(llvm::StringRef Name) const;
  void setRest();
  void setScalars();
  std::vector<const Requirement *> failing() const;
  void repairGrid();
  bool repair(const Requirement &R);
  bool repairScalars(const Requirement &R);
  void collectConstants(const BoolExpr &E, std::set<int64_t> &Out) const;
  llvm::Error explain(const Requirement &R) const;

  const Subject &S;
  const Contraction &C;
  const SubjectNames &Names;
  const CaseTarget &Target;
  std::map<std::string, int64_t> User, Pins;
  std::map<std::string, double> Floats;
  std::vector<const IntExpr *> Extents; ///< b, m, n, k
  std::vector<IntExpr> OwnExtents;      ///< of products, along k
  std::vector<IntExpr> Accesses;
  Assignment A;
};

} // namespace

std::vector<std::string> Solver::unsetParams(const IntExpr &E) const {
  std::vector<std::string> Result;
  E.walk([&](const IntAtom &Atom) {
    std::string Key = Atom.getKey().str();
    if (Atom.getKind() == AtomKind::Param && !isSet(Key) &&
        !llvm::is_contained(Result, Key))
      Result.push_back(Key);
  });
  return Result;
}

int64_t Solver::valueWith(const IntExpr &E, int64_t Rest) const {
  Assignment Full = A;
  E.walk([&](const IntAtom &Atom) {
    if (Atom.isLeaf())
      Full.Ints.emplace(Atom.getKey().str(), Rest);
  });
  return evaluate(E, Full).value_or(0);
}

bool Solver::mentions(llvm::StringRef Name) const {
  auto In = [&](const IntExpr &E) { return E.contains(Name); };
  if (llvm::any_of(Extents, [&](const IntExpr *E) { return In(*E); }) ||
      llvm::any_of(OwnExtents, In) || llvm::any_of(Accesses, In))
    return true;
  bool Found = false;
  for (const Requirement &R : C.Requires)
    R.Condition.walk([&](const IntExpr &E) { Found |= In(E); },
                     [](const ValueRef &) {});
  for (const Output &Out : C.Outputs)
    walkAll(
        Out.Value, [&](const IntExpr &E) { Found |= In(E); },
        [](const Value &) {}, [](const BoolExpr &) {});
  Found |= outputWithEnd(Name) != nullptr;
  return Found;
}

//===----------------------------------------------------------------------===//
// The launch
//===----------------------------------------------------------------------===//

void Solver::setBlock() {
  using Dim = std::array<int64_t, 3>;
  // A single row of threads would also work for a kernel with two thread
  // indices, but is rarely launched.
  bool Flat = !mentions("blockDim.y");
  for (const Requirement &R : C.Requires) {
    Assignment Two;
    Two.Ints["blockDim.y"] = 2;
    if (evaluate(R.Condition, Two) == false)
      Flat = true;
  }
  std::vector<Dim> Candidates;
  if (Flat)
    Candidates = {{256, 1, 1}, {128, 1, 1}, {64, 1, 1}, {512, 1, 1}};
  for (const Dim &D : {Dim{16, 16, 1}, Dim{32, 8, 1}, Dim{8, 32, 1},
                       Dim{32, 4, 1}, Dim{64, 4, 1}, Dim{8, 8, 1}})
    Candidates.push_back(D);
  size_t Usual = Candidates.size();
  std::set<int64_t> Sizes = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
  for (const Requirement &R : C.Requires)
    collectConstants(R.Condition, Sizes);
  for (const char *Name : BlockNames)
    if (auto Pin = Pins.find(Name); Pin != Pins.end())
      Sizes.insert(Pin->second);
  for (int64_t X : Sizes)
    for (int64_t Y : Sizes)
      for (int64_t Z : {1, 2, 4, 8})
        if (X > 0 && Y > 0)
          Candidates.push_back({X, Y, Z});
  // Products of dimensions, for blocks that are divided by a quotient.
  for (int64_t X : Sizes)
    for (int64_t Y : Sizes)
      if (X > 0 && Y > 0)
        Candidates.push_back({X * Y, 1, 1});
  std::vector<Dim> Good;
  size_t UsualGood = 0;
  for (size_t I = 0; I != Candidates.size(); ++I) {
    const Dim &D = Candidates[I];
    if (D[0] * D[1] * D[2] > S.MaxThreads || D[2] > 64)
      continue;
    Assignment Only;
    bool Pinned = true;
    for (unsigned K = 0; K != 3; ++K) {
      Only.Ints[BlockNames[K]] = D[K];
      auto Pin = Pins.find(BlockNames[K]);
      Pinned &= Pin == Pins.end() || Pin->second == D[K];
    }
    if (!Pinned || llvm::any_of(C.Requires, [&](const Requirement &R) {
          return evaluate(R.Condition, Only) == false;
        }))
      continue;
    Good.push_back(D);
    UsualGood += I < Usual;
  }
  Dim Chosen = {16, 16, 1};
  if (UsualGood)
    Chosen = Good[Target.Block % UsualGood];
  else if (!Good.empty())
    Chosen = Good.front();
  for (unsigned K = 0; K != 3; ++K)
    A.Ints[BlockNames[K]] =
        Pins.count(BlockNames[K]) ? Pins[BlockNames[K]] : Chosen[K];
}

void Solver::setGrid() {
  for (const char *Name : GridNames)
    if (auto Pin = Pins.find(Name); Pin != Pins.end())
      A.Ints[Name] = Pin->second;
  for (unsigned D = 0; D != 3; ++D) {
    const std::string Name = GridNames[D];
    if (isSet(Name))
      continue;
    int64_t Blocks = 1, Usable = 0;
    bool CutsMatrix = false;
    for (unsigned I = 0; I != 4; ++I) {
      const IntExpr &E = *Extents[I];
      if (!E.contains(Name))
        continue;
      auto At = [&](int64_t G) {
        A.Ints[Name] = G;
        int64_t V = valueWith(E, 1);
        A.Ints.erase(Name);
        return V;
      };
      int64_t Goal = std::min(std::max<int64_t>(Target.Extents[I], 0), At(Big));
      int64_t First =
          findFirst(1, Big, [&](int64_t G) { return At(G) >= Goal; });
      Blocks = std::max(Blocks, std::min(First, Big));
      CutsMatrix |= I == 1 || I == 2;
      ++Usable;
    }
    // A grid-stride loop, or an extent that does not depend on this dimension.
    if (!Usable && !mentions(Name))
      Blocks = D == 2 ? 1 : 3 - D;
    if (CutsMatrix && Target.ExtraBlocks)
      ++Blocks;
    if (CutsMatrix && Target.FewerBlocks && Blocks > 1)
      --Blocks;
    A.Ints[Name] = Blocks;
  }
}

/// Requirements such as "the grid covers the output".
void Solver::repairGrid() {
  for (unsigned D = 0; D != 3; ++D) {
    const std::string Name = GridNames[D];
    if (Pins.count(Name))
      continue;
    size_t Before = failing().size();
    if (!Before)
      return;
    for (const Requirement *R : failing()) {
      bool Here = false;
      R->Condition.walk([&](const IntExpr &E) { Here |= E.contains(Name); },
                        [](const ValueRef &) {});
      if (!Here)
        continue;
      int64_t Old = A.Ints[Name];
      A.Ints[Name] = findFirst(1, Big, [&](int64_t G) {
        A.Ints[Name] = G;
        return evaluate(R->Condition, A).value_or(true);
      });
      if (A.Ints[Name] > Big || failing().size() >= Before)
        A.Ints[Name] = Old;
      else
        Before = failing().size();
    }
  }
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

void Solver::setExtents() {
  // A product with a range of its own is over about half as much as the first.
  std::vector<std::pair<IntExpr, int64_t>> Wanted;
  for (unsigned I : {1u, 2u, 3u, 0u})
    Wanted.emplace_back(*Extents[I], std::max<int64_t>(Target.Extents[I], 0));
  for (const IntExpr &E : OwnExtents)
    Wanted.emplace_back(E, (Wanted[2].second + 1) / 2);
  for (const std::pair<IntExpr, int64_t> &Each : Wanted) {
    const IntExpr &E = Each.first;
    const int64_t Want = Each.second;
    for (const std::string &Name : unsetParams(E)) {
      auto At = [&](int64_t X) {
        A.Ints[Name] = X;
        int64_t V = valueWith(E, Big);
        A.Ints.erase(Name);
        return V;
      };
      int64_t Value = Want;
      if (At(Want) != Want) {
        int64_t High = 8 * Want + 4096;
        int64_t First =
            findFirst(0, High, [&](int64_t X) { return At(X) >= Want; });
        if (First <= High)
          Value = First;
      }
      A.Ints[Name] = Value;
    }
  }
}

/// Sets one parameter in the strides of \p Access; false if all are set.
bool Solver::setOneStride(const IntExpr &Access) {
  // The extents of the indices b, m, n, k, and their strides here.
  static constexpr const char *Letters[] = {"%b", "%m", "%n", "%k"};
  std::array<std::optional<IntExpr>, 4> Strides;
  for (unsigned I = 0; I != 4; ++I)
    Strides[I] = Access.coefficient(Letters[I]);
  auto Length = [&](unsigned I) { return std::max<int64_t>(extent(I), 1); };
  auto Known = [&](unsigned I) -> int64_t {
    if (!Strides[I] || !unsetParams(*Strides[I]).empty())
      return 0;
    return std::abs(valueWith(*Strides[I], 1));
  };
  llvm::SmallVector<unsigned, 4> Order = {3, 2, 1, 0};
  if (!Target.ColumnsInner)
    Order = {3, 1, 2, 0};
  for (unsigned I : Order) {
    if (!Strides[I])
      continue;
    std::vector<std::string> Unset = unsetParams(*Strides[I]);
    if (Unset.empty())
      continue;
    const std::string Name = Unset.front();
    // The size of what lies within one step of this index. If nothing does, it
    // is the innermost index.
    int64_t Tight = 1;
    bool OfRows = false;
    for (unsigned J = 1; J != 4; ++J)
      if (J != I && Known(J)) {
        Tight = std::max(Tight, Known(J) * Length(J));
        OfRows = I != 0;
      }
    if (int64_t Batch = Known(0); I != 0 && Batch && Batch < Tight * Length(I))
      Tight = std::max(Tight, Batch * Length(0));
    int64_t Want = Tight;
    if (OfRows && Target.Pitch == CaseTarget::Padded)
      Want = (Tight + 15) / 16 * 16 + 16;
    if (OfRows && Target.Pitch == CaseTarget::Odd)
      Want = Tight + 3;
    if (I == 0 && Target.Pitch == CaseTarget::Padded)
      Want = (Tight + 15) / 16 * 16 + 48;
    if (I == 0 && Target.SharedBatches)
      C.forEachOperand([&](const Operand &Op) {
        if (Op.Index == Access &&
            llvm::none_of(C.Outputs, [&](const Output &O) {
              return O.Index.contains(Name);
            }))
          Want = 0;
      });
    auto At = [&](int64_t X) {
      A.Ints[Name] = X;
      int64_t V = valueWith(*Strides[I], 1);
      A.Ints.erase(Name);
      return V;
    };
    int64_t High = Want + 4096;
    int64_t Value =
        findFirst(0, High, [&](int64_t X) { return At(X) >= Want; });
    A.Ints[Name] = Value > High ? Want : Value;
    return true;
  }
  return false;
}

void Solver::setStrides() {
  for (const IntExpr &Access : Accesses)
    while (setOneStride(Access))
      ;
}

void Solver::collectConstants(const BoolExpr &E, std::set<int64_t> &Out) const {
  auto FromInt = [&](const IntExpr &I) {
    for (const auto &[Monomial, Coefficient] : I.terms())
      Out.insert(std::abs(Coefficient));
    I.walk([&](const IntAtom &Atom) {
      if (!Atom.isLeaf())
        for (const IntExpr *Side : {&Atom.getLHS(), &Atom.getRHS()})
          if (auto Constant = Side->getConstant())
            Out.insert(*Constant);
    });
  };
  E.walk(FromInt, [](const ValueRef &) {});
}

/// An output with a range of an index that ends, or begins, with \p Name.
const Output *Solver::outputWithEnd(llvm::StringRef Name) const {
  auto Found = llvm::find_if(C.Outputs, [&](const Output &O) {
    return O.When && (O.When->Begin.contains(Name) ||
                      (O.When->End && O.When->End->contains(Name)));
  });
  return Found == C.Outputs.end() ? nullptr : &*Found;
}

/// Offsets, switches, and parameters that do not occur in addresses.
void Solver::setRest() {
  VerifyRandom Random(Target.Seed);
  for (const std::string &Name : Names.Ints) {
    if (isSet(Name))
      continue;
    if (const Output *Part = outputWithEnd(Name)) {
      // Somewhere in the index, so that it cuts tiles, or at one of its ends.
      const IntExpr &Extent = Part->When->Index == "b"   ? C.BatchExtent
                              : Part->When->Index == "m" ? C.MExtent
                                                         : C.NExtent;
      A.Ints[Name] = Random.below(evaluate(Extent, A).value_or(1) + 1);
      continue;
    }
    if (llvm::any_of(Accesses,
                     [&](const IntExpr &E) { return E.contains(Name); })) {
      static constexpr int64_t Offsets[] = {0, 64, 16, 3};
      A.Ints[Name] =
          Offsets[Target.Seed % 3 + (Target.Pitch == CaseTarget::Odd)];
      continue;
    }
    // Something is shifted by it, or by one less, which is no negative number.
    if (llvm::is_contained(Names.Counts, Name)) {
      A.Ints[Name] = 1 + Random.below(8);
      continue;
    }
    // The value with which it is compared decides; both outcomes are drawn.
    std::set<int64_t> Constants = {0, 1};
    auto FromCondition = [&](const BoolExpr &E) {
      bool Here = false;
      E.walk([&](const IntExpr &I) { Here |= I.contains(Name); },
             [](const ValueRef &) {});
      if (Here)
        collectConstants(E, Constants);
    };
    for (const Output &Out : C.Outputs)
      walkAll(
          Out.Value, [](const IntExpr &) {}, [](const Value &) {},
          FromCondition);
    std::vector<int64_t> Choices(Constants.begin(), Constants.end());
    A.Ints[Name] = Choices[Random.below(static_cast<int64_t>(Choices.size()))];
  }
}

void Solver::setScalars() {
  VerifyRandom Random(Target.Seed + 17);
  static constexpr double Values[] = {1, 2, -1, 0.5, 3, -2, 1.5, 0};
  for (const SubjectNames::Scalar &X : Names.Scalars) {
    double Value = Values[Random.below(8)];
    if (!isFloating(X.Type))
      Value = std::trunc(Value);
    if (X.Divisor && Value <= 0)
      Value = 4;
    A.Floats[X.Name] = Value;
  }
  for (const auto &[Name, Value] : Floats)
    A.Floats[Name] = Value;
}

//===----------------------------------------------------------------------===//
// Requirements
//===----------------------------------------------------------------------===//

std::vector<const Requirement *> Solver::failing() const {
  std::vector<const Requirement *> Result;
  for (const Requirement &R : C.Requires)
    if (evaluate(R.Condition, A) == false)
      Result.push_back(&R);
  return Result;
}

void Solver::attempt() {
  A = Assignment();
  A.Ints = Pins;
  setScalars();
  if (Target.NullPointers)
    for (const SubjectArray &X : Names.Arrays)
      if (X.Nullable && !X.Operand && !X.Output)
        A.Null.insert(X.Name);
  if (!failing().empty())
    A.Null.clear();
  setBlock();
  setExtents();
  setGrid();
  setStrides();
  setRest();
  repairGrid();
}

bool Solver::repairScalars(const Requirement &R) {
  std::vector<double> Values = {0, 1, -1, 0.5, 2};
  std::vector<std::string> Here;
  R.Condition.walk([](const IntExpr &) {},
                   [&](const ValueRef &V) {
                     walkAll(
                         V, [](const IntExpr &) {},
                         [&](const Value &N) {
                           if (auto Constant = N.getConstant())
                             Values.push_back(*Constant);
                           if (N.K == Value::Kind::Param && isScalar(N.Name))
                             Here.push_back(N.Name);
                         },
                         [](const BoolExpr &) {});
                   });
  for (const std::string &Name : Here)
    for (double Value : Values) {
      if (Floats.count(Name))
        continue;
      Assignment Changed = A;
      Changed.Floats[Name] = Value;
      if (evaluate(R.Condition, Changed).value_or(false)) {
        Floats[Name] = Value;
        return true;
      }
    }
  return false;
}

/// Changes the parameter of \p R for which the smallest change makes it hold,
/// and keeps it fixed.
bool Solver::repair(const Requirement &R) {
  if (repairScalars(R))
    return true;
  std::vector<std::string> Here;
  std::set<int64_t> Constants;
  collectConstants(R.Condition, Constants);
  R.Condition.walk(
      [&](const IntExpr &E) {
        E.walk([&](const IntAtom &Atom) {
          std::string Key = Atom.getKey().str();
          if (Atom.isLeaf() && Atom.getKind() != AtomKind::BlockDim &&
              !User.count(Key) && !llvm::is_contained(Here, Key))
            Here.push_back(Key);
        });
      },
      [](const ValueRef &) {});
  std::string Best;
  int64_t BestValue = 0, BestCost = 0;
  for (const std::string &Name : Here) {
    const int64_t Now = A.Ints[Name];
    auto Try = [&](int64_t Value) {
      if (Value < 0 || Value == Now)
        return;
      Assignment Changed = A;
      Changed.Ints[Name] = Value;
      if (!evaluate(R.Condition, Changed).value_or(false))
        return;
      // Preferred is a change that breaks no other requirement, then one of a
      // parameter that was not changed before, then the closest value, and
      // larger rather than smaller.
      int64_t Broken = llvm::count_if(C.Requires, [&](const Requirement &Each) {
        return evaluate(Each.Condition, Changed) == false;
      });
      int64_t Cost = Broken * (Big << 12) + (Pins.count(Name) ? Big << 11 : 0) +
                     std::abs(Value - Now) * 2 + (Value < Now);
      if (Best.empty() || Cost < BestCost) {
        Best = Name;
        BestValue = Value;
        BestCost = Cost;
      }
    };
    for (int64_t Delta = 1; Delta <= 1024; ++Delta) {
      Try(Now + Delta);
      Try(Now - Delta);
    }
    for (int64_t Constant : Constants)
      Try(Constant);
    // The smallest value that is large enough.
    auto HoldsAt = [&](int64_t Value) {
      Assignment Changed = A;
      Changed.Ints[Name] = Value;
      return evaluate(R.Condition, Changed).value_or(false);
    };
    int64_t Large = findFirst(Now + 1, Now + (Big << 8), HoldsAt);
    if (Large <= Now + (Big << 8))
      Try(Large);
  }
  if (Best.empty())
    return false;
  Pins[Best] = BestValue;
  return true;
}

llvm::Error Solver::explain(const Requirement &R) const {
  std::vector<std::string> Values;
  auto Add = [&](llvm::StringRef Name, llvm::Twine Value) {
    std::string Text = (Name + " = " + Value).str();
    if (!llvm::is_contained(Values, Text))
      Values.push_back(Text);
  };
  std::string First = "blockDim.x";
  R.Condition.walk(
      [&](const IntExpr &E) {
        E.walk([&](const IntAtom &Atom) {
          if (!Atom.isLeaf())
            return;
          if (Values.empty() || Atom.getKind() == AtomKind::Param)
            First = Atom.getKey().str();
          auto Found = A.Ints.find(Atom.getKey().str());
          if (Found != A.Ints.end())
            Add(Atom.getKey(), llvm::Twine(Found->second));
        });
      },
      [](const ValueRef &) {});
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      "no arguments were found for which '" + R.Condition.str() + "' holds (" +
          R.Reason + "); tried last: " + llvm::join(Values, ", ") +
          "; give values, as in --set " + First + "=64");
}

llvm::Expected<VerifyCase> Solver::solve() {
  const Requirement *Last = nullptr;
  for (unsigned Round = 0; Round != 40; ++Round) {
    attempt();
    std::vector<const Requirement *> Failing = failing();
    if (Failing.empty()) {
      VerifyCase Case;
      Case.Arguments = A;
      Case.SharedBytes = S.DynamicShared;
      if (auto Pin = Pins.find("smem"); Pin != Pins.end()) {
        Case.SharedBytes = Pin->second;
        Case.Arguments.Ints.erase("smem");
      }
      Case.Seed = Target.Seed;
      for (unsigned I = 0; I != 4; ++I)
        Case.Extents[I] = std::max<int64_t>(extent(I), 0);
      return Case;
    }
    Last = Failing.front();
    if (!repair(*Last))
      break;
  }
  return explain(*Last);
}

llvm::Expected<VerifyCase>
warpwright::solveCase(const Subject &S, const SubjectNames &Names,
                      const CaseTarget &Target,
                      const std::map<std::string, double> &Set) {
  return Solver(S, Names, Target, Set).solve();
}
