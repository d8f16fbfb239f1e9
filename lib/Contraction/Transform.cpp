//===-- Transform.cpp - Replacing integers in expressions -----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

namespace warpwright {

/// Replaces atoms wherever they occur in an expression. Every node is rebuilt
/// once; a node in which nothing changes stays the same node.
class IntTransformer {
public:
  using AtomFn = llvm::function_ref<std::optional<IntExpr>(const IntAtom &)>;
  using ExprFn = llvm::function_ref<IntExpr(const IntExpr &)>;
  explicit IntTransformer(AtomFn Fn, ExprFn After = nullptr)
      : Fn(Fn), After(After) {}

  IntExpr run(const IntExpr &E) { return After ? After(sum(E)) : sum(E); }
  BoolExpr run(const BoolExpr &B) {
    rebuildAll(B);
    return result(B);
  }
  ValueRef run(const ValueRef &V) {
    rebuildAll(V);
    return result(V);
  }

private:
  AtomFn Fn;
  ExprFn After; ///< null: no replacement
  llvm::DenseMap<const IntAtom *, IntExpr> Atoms;
  llvm::DenseMap<const void *, BoolExpr> Conditions;
  llvm::DenseMap<const void *, ValueRef> Values;

  IntExpr sum(const IntExpr &E);
  IntExpr run(const AtomRef &A);
  IntExpr rebuild(const AtomRef &A);
  BoolExpr rebuild(const BoolExpr &B);
  ValueRef rebuild(const ValueRef &V);

  BoolExpr result(const BoolExpr &B) const {
    auto It = Conditions.find(B.identity());
    return It == Conditions.end() ? B : It->second;
  }
  ValueRef result(const ValueRef &V) const { return Values.lookup(V.get()); }

  void rebuildAll(GraphNode Root) {
    visitPostOrder(
        Root, /*Bodies=*/true,
        [&](GraphNode N) {
          return N.V ? Values.contains(N.identity())
                     : Conditions.contains(N.identity());
        },
        [&](GraphNode N) {
          if (N.V) {
            ValueRef New = rebuild(*N.V);
            Values[N.identity()] = std::move(New);
          } else {
            BoolExpr New = rebuild(*N.B);
            Conditions[N.identity()] = std::move(New);
          }
        });
  }
};

IntExpr IntTransformer::sum(const IntExpr &E) {
  llvm::SmallVector<IntExpr, 8> Replacements;
  bool Changed = false;
  for (const auto &[M, C] : E.terms())
    for (const AtomRef &A : M) {
      Replacements.push_back(run(A));
      Changed |= Replacements.back().getAtom() != A;
    }
  if (!Changed)
    return E;
  if (E.overflowed())
    return IntExpr::tooLarge(Replacements);
  IntExpr::TermList Sum;
  auto Next = Replacements.begin();
  for (const auto &[M, C] : E.terms()) {
    IntExpr Term(C);
    for (size_t I = 0; I != M.size(); ++I)
      Term = Term * *Next++;
    if (Term.overflowed())
      return IntExpr::tooLarge(Replacements);
    llvm::append_range(Sum, Term.terms());
  }
  return IntExpr::fromUnsorted(std::move(Sum));
}

IntExpr IntTransformer::run(const AtomRef &A) {
  if (auto It = Atoms.find(A.get()); It != Atoms.end())
    return It->second;
  IntExpr New = rebuild(A);
  Atoms[A.get()] = New;
  return New;
}

IntExpr IntTransformer::rebuild(const AtomRef &A) {
  // A replacement for a composite atom as a whole takes precedence.
  if (auto By = Fn(*A))
    return *By;
  if (A->isLeaf())
    return IntExpr(A);
  // Atoms are nested at most MaxAtomDepth deep, so this may recurse.
  IntExpr L = run(A->getLHS()), R = run(A->getRHS());
  bool Changed =
      !L.sharesTermsWith(A->getLHS()) || !R.sharesTermsWith(A->getRHS());
  if (A->getKind() == AtomKind::Select) {
    BoolExpr C = run(A->getCondition());
    Changed |= C.identity() != A->getCondition().identity();
    return Changed ? IntExpr::select(C, L, R) : IntExpr(A);
  }
  if (!Changed)
    return IntExpr(A);
  switch (A->getKind()) {
  case AtomKind::FloorDiv:
    return IntExpr::floorDiv(L, R);
  case AtomKind::Mod:
    return IntExpr::mod(L, R);
  case AtomKind::Min:
    return IntExpr::min(L, R);
  case AtomKind::Max:
    return IntExpr::max(L, R);
  case AtomKind::Xor:
    return IntExpr::bitXor(L, R);
  default:
    llvm_unreachable("all other atoms are leaves");
  }
}

BoolExpr IntTransformer::rebuild(const BoolExpr &B) {
  switch (B.getKind()) {
  case BoolExpr::Kind::Constant:
  case BoolExpr::Kind::NonNull:
    return B;
  case BoolExpr::Kind::Compare: {
    IntExpr L = run(B.getLHS()), R = run(B.getRHS());
    if (L.sharesTermsWith(B.getLHS()) && R.sharesTermsWith(B.getRHS()))
      return B;
    return BoolExpr::compare(B.getOp(), L, R);
  }
  case BoolExpr::Kind::FloatCmp: {
    ValueRef L = result(B.getValueLHS()), R = result(B.getValueRHS());
    if (L == B.getValueLHS() && R == B.getValueRHS())
      return B;
    return BoolExpr::floatCompare(B.getOp(), L, R);
  }
  case BoolExpr::Kind::And:
  case BoolExpr::Kind::Or:
  case BoolExpr::Kind::Not:
    break;
  }
  llvm::SmallVector<BoolExpr, 2> Ops;
  bool Changed = false;
  for (const BoolExpr &Op : B.operands()) {
    Ops.push_back(result(Op));
    Changed |= Ops.back().identity() != Op.identity();
  }
  if (!Changed)
    return B;
  return B.getKind() == BoolExpr::Kind::And
             ? BoolExpr::conjunction(Ops[0], Ops[1])
         : B.getKind() == BoolExpr::Kind::Or
             ? BoolExpr::disjunction(Ops[0], Ops[1])
             : BoolExpr::negation(Ops[0]);
}

ValueRef IntTransformer::rebuild(const ValueRef &V) {
  IntExpr Index = run(V->Index);
  BoolExpr Condition = result(V->Condition);
  std::vector<ValueRef> Ops;
  for (const ValueRef &Op : V->Ops)
    Ops.push_back(result(Op));
  ValueRef Body = V->Body ? result(V->Body) : nullptr;
  if (Index.sharesTermsWith(V->Index) && Body == V->Body && Ops == V->Ops &&
      Condition.identity() == V->Condition.identity())
    return V;
  if (V->K == Value::Kind::Select)
    if (Condition.isTrue() || Condition.isFalse())
      return Condition.isTrue() ? Ops[0] : Ops[1];
  auto R = std::make_shared<Value>(*V);
  R->Index = std::move(Index);
  R->Condition = std::move(Condition);
  R->Body = std::move(Body);
  R->setOperands(std::move(Ops));
  return R;
}

IntExpr IntExpr::transform(
    llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn) const {
  return IntTransformer(Fn).run(*this);
}

BoolExpr BoolExpr::transform(
    llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> OnAtom) const {
  return IntTransformer(OnAtom).run(*this);
}

ValueRef
transformInts(const ValueRef &V,
              llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn) {
  return IntTransformer(Fn).run(V);
}

ValueRef
transformInts(const ValueRef &V,
              llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn,
              llvm::function_ref<IntExpr(const IntExpr &)> After) {
  return IntTransformer(Fn, After).run(V);
}

} // namespace warpwright
