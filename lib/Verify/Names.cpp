//===-- Names.cpp - What a contraction names ------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Verify/Verify.h"
#include "llvm/ADT/STLExtras.h"

using namespace warpwright;

const SubjectArray *SubjectNames::find(llvm::StringRef Array) const {
  auto Found = llvm::find_if(
      Arrays, [&](const SubjectArray &A) { return A.Name == Array; });
  return Found == Arrays.end() ? nullptr : &*Found;
}

namespace {

class Collector {
public:
  explicit Collector(SubjectNames &Names) : Names(Names) {}

  /// A pointer that so far has only been compared with null has no \p Type.
  SubjectArray &array(llvm::StringRef Name, std::optional<ScalarType> Type) {
    for (SubjectArray &A : Names.Arrays) {
      if (A.Name != Name)
        continue;
      if (Type && !A.Operand && !A.Output && !A.Loaded)
        A.Type = *Type;
      return A;
    }
    Names.Arrays.emplace_back();
    Names.Arrays.back().Name = Name.str();
    Names.Arrays.back().Type = Type.value_or(ScalarType::U8);
    return Names.Arrays.back();
  }

  void ints(const IntExpr &E) {
    E.walk([&](const IntAtom &A) {
      if (A.getKind() == AtomKind::Param)
        addInt(A.getKey());
    });
  }

  void value(const ValueRef &V, bool LoadsAreOperands) {
    walkAll(
        V, [&](const IntExpr &E) { ints(E); },
        [&](const Value &N) {
          if (N.K == Value::Kind::Load) {
            SubjectArray &A = array(N.Name, N.Type);
            (LoadsAreOperands ? A.Operand : A.Loaded) = true;
          } else if (N.K == Value::Kind::Param) {
            scalar(N);
          } else if (N.K == Value::Kind::Global) {
            constant(N);
          } else if (N.K == Value::Kind::Div) {
            Divisors.push_back(N.Ops[1]);
          } else if (N.K == Value::Kind::Shl || N.K == Value::Kind::Shr) {
            Counts.push_back(N.Ops[1]);
          }
        },
        [&](const BoolExpr &E) { condition(E); });
  }

  /// Pointers that are compared with null; other parts are visited elsewhere.
  void condition(const BoolExpr &E) {
    if (E.getKind() == BoolExpr::Kind::NonNull)
      array(E.getName(), std::nullopt).Nullable = true;
    for (const BoolExpr &Op : E.operands())
      condition(Op);
  }

  void requirement(const BoolExpr &E) {
    condition(E);
    E.walk([&](const IntExpr &I) { ints(I); },
           [&](const ValueRef &V) { value(V, false); });
  }

  void markDivisors() {
    for (const ValueRef &V : Divisors)
      walkAll(
          V, [](const IntExpr &) {},
          [&](const Value &N) {
            if (N.K == Value::Kind::Load)
              array(N.Name, N.Type).Divisor = true;
            if (N.K == Value::Kind::Param || N.K == Value::Kind::Global)
              for (SubjectNames::Scalar &S : Names.Scalars)
                S.Divisor |= S.Name == N.Name;
          },
          [](const BoolExpr &) {});
  }

  void markCounts() {
    auto Number = [&](llvm::StringRef Name) {
      if (!llvm::is_contained(Names.Counts, Name))
        Names.Counts.push_back(Name.str());
    };
    for (const ValueRef &V : Counts)
      walkAll(
          V,
          [&](const IntExpr &E) {
            E.walk([&](const IntAtom &A) {
              if (A.getKind() == AtomKind::Param)
                Number(A.getKey());
            });
          },
          [&](const Value &N) {
            if (N.K == Value::Kind::Load)
              array(N.Name, N.Type).Count = true;
            else if (N.K == Value::Kind::Param)
              Number(N.Name);
            else if (N.K == Value::Kind::Global)
              for (SubjectNames::Scalar &S : Names.Scalars)
                S.Divisor |= S.Name == N.Name; // more than 0
          },
          [](const BoolExpr &) {});
  }

private:
  void addInt(llvm::StringRef Name) {
    if (!llvm::is_contained(Names.Ints, Name))
      Names.Ints.push_back(Name.str());
  }
  void scalar(const Value &N) {
    if (!isFloating(N.Type))
      return addInt(N.Name);
    if (llvm::none_of(Names.Scalars, [&](const SubjectNames::Scalar &S) {
          return S.Name == N.Name;
        }))
      Names.Scalars.push_back({N.Name, N.Type, false});
  }

  void constant(const Value &N) {
    if (llvm::none_of(Names.Scalars, [&](const SubjectNames::Scalar &S) {
          return S.Name == N.Name;
        }))
      Names.Scalars.push_back({N.Name, N.Type, false, true});
  }

  SubjectNames &Names;
  std::vector<ValueRef> Divisors, Counts;
};

} // namespace

namespace {

/// Whether something is loaded from \p Name where \p Name may be null.
class NullScan {
public:
  explicit NullScan(llvm::StringRef Name) : Name(Name) {}

  bool loads(const ValueRef &V) {
    if (!V || !Seen.insert(V.get()).second)
      return false;
    if (V->K == Value::Kind::Load && V->Name == Name)
      return true;
    bool Found = inCondition(V->Condition) || loads(V->Body);
    for (size_t I = 0; I != V->Ops.size(); ++I)
      if (V->K != Value::Kind::Select || !guards(V->Condition, I == 0))
        Found |= loads(V->Ops[I]);
    return Found;
  }

private:
  /// Where \p E is \p Holds, the pointer is not null.
  bool guards(const BoolExpr &E, bool Holds) const {
    switch (E.getKind()) {
    case BoolExpr::Kind::NonNull:
      return Holds && E.getName() == Name;
    case BoolExpr::Kind::Not:
      return guards(E.operands()[0], !Holds);
    case BoolExpr::Kind::And:
    case BoolExpr::Kind::Or:
      // One part of a conjunction that holds is enough.
      return (E.getKind() == BoolExpr::Kind::And) == Holds &&
             llvm::any_of(E.operands(), [&](const BoolExpr &Op) {
               return guards(Op, Holds);
             });
    default:
      return false;
    }
  }
  bool inCondition(const BoolExpr &E) {
    bool Found = false;
    E.walk([](const IntExpr &) {},
           [&](const ValueRef &V) { Found |= loads(V); });
    return Found;
  }

  llvm::StringRef Name;
  std::set<const Value *> Seen;
};

} // namespace

SubjectNames warpwright::collectNames(const Contraction &C) {
  SubjectNames Names;
  Collector Collect(Names);
  for (const IntExpr *E : {&C.BatchExtent, &C.MExtent, &C.NExtent, &C.KExtent})
    Collect.ints(*E);
  C.forEachProduct([&](const Accumulation &, const Product &P) {
    if (P.KExtent)
      Collect.ints(*P.KExtent);
    if (P.Scale)
      Collect.value(P.Scale, false);
  });
  C.forEachOperand([&](const Operand &Op) {
    Collect.array(Op.Pointer, Op.Type).Operand = true;
    Collect.ints(Op.Index);
    if (Op.Prologue)
      Collect.value(Op.Prologue, true);
  });
  for (const Output &Out : C.Outputs) {
    Collect.array(Out.Pointer, Out.Type).Output = true;
    Collect.ints(Out.Index);
    if (Out.When) {
      Collect.ints(Out.When->Begin);
      if (Out.When->End)
        Collect.ints(*Out.When->End);
    }
  }
  for (const Output &Out : C.Outputs)
    Collect.value(Out.Value, false);
  for (const Requirement &R : C.Requires)
    Collect.requirement(R.Condition);
  Collect.markDivisors();
  Collect.markCounts();
  for (SubjectArray &A : Names.Arrays)
    A.Restrict = llvm::is_contained(C.RestrictPointers, A.Name);
  for (SubjectArray &A : Names.Arrays)
    if (A.Nullable)
      for (const Output &Out : C.Outputs)
        A.Nullable &= !NullScan(A.Name).loads(Out.Value);
  return Names;
}
