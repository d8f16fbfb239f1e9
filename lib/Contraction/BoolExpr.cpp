//===-- BoolExpr.cpp - Symbolic conditions --------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graph.h"
#include "warpwright/Contraction/Compare.h"
#include "warpwright/Contraction/IntExpr.h"
#include "warpwright/Contraction/Value.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <mutex>

namespace warpwright {

llvm::StringRef spelling(CmpOp Op) {
  switch (Op) {
  case CmpOp::EQ:
    return "==";
  case CmpOp::NE:
    return "!=";
  case CmpOp::LT:
    return "<";
  case CmpOp::LE:
    return "<=";
  case CmpOp::GT:
    return ">";
  case CmpOp::GE:
    return ">=";
  }
  llvm_unreachable("covered switch");
}

CmpOp negate(CmpOp Op) {
  switch (Op) {
  case CmpOp::EQ:
    return CmpOp::NE;
  case CmpOp::NE:
    return CmpOp::EQ;
  case CmpOp::LT:
    return CmpOp::GE;
  case CmpOp::LE:
    return CmpOp::GT;
  case CmpOp::GT:
    return CmpOp::LE;
  case CmpOp::GE:
    return CmpOp::LT;
  }
  llvm_unreachable("covered switch");
}

CmpOp swapSides(CmpOp Op) {
  switch (Op) {
  case CmpOp::EQ:
  case CmpOp::NE:
    return Op;
  case CmpOp::LT:
    return CmpOp::GT;
  case CmpOp::LE:
    return CmpOp::GE;
  case CmpOp::GT:
    return CmpOp::LT;
  case CmpOp::GE:
    return CmpOp::LE;
  }
  llvm_unreachable("covered switch");
}

BoolExpr::Node::~Node() {
  for (BoolExpr &Op : Ops)
    release(std::move(Op.N));
  release(std::move(VL));
  release(std::move(VR));
}

/// Measures a new node.
BoolExpr BoolExpr::finish(std::shared_ptr<Node> N) {
  ExprMeasure &M = N->Measured;
  M.Hash = llvm::hash_combine(N->K, N->B, N->Op, N->Name);
  if (N->K == Kind::Compare) {
    M.addChild(N->L.measure());
    M.addChild(N->R.measure());
  }
  for (const BoolExpr &Op : N->Ops)
    M.addChild(Op.measure());
  if (N->K == Kind::FloatCmp) {
    M.addChild(N->VL->measure());
    M.addChild(N->VR->measure());
  }
  return BoolExpr(std::shared_ptr<const Node>(std::move(N)));
}

BoolExpr BoolExpr::constant(bool B) {
  auto Make = [](bool B) {
    auto N = std::make_shared<Node>();
    N->K = Kind::Constant;
    N->B = B;
    return finish(std::move(N));
  };
  static const BoolExpr True = Make(true), False = Make(false);
  return B ? True : False;
}

BoolExpr BoolExpr::compare(CmpOp Op, IntExpr L, IntExpr R) {
  if (auto D = (L - R).getConstant())
    return constant(holds<int64_t>(Op, *D, 0));
  auto N = std::make_shared<Node>();
  N->K = Kind::Compare;
  N->Op = Op;
  N->L = std::move(L);
  N->R = std::move(R);
  return finish(std::move(N));
}

BoolExpr BoolExpr::nonNull(llvm::StringRef PointerName) {
  auto N = std::make_shared<Node>();
  N->K = Kind::NonNull;
  N->Name = PointerName.str();
  return finish(std::move(N));
}

BoolExpr BoolExpr::floatCompare(CmpOp Op, ValueRef L, ValueRef R) {
  auto N = std::make_shared<Node>();
  N->K = Kind::FloatCmp;
  N->Op = Op;
  N->VL = std::move(L);
  N->VR = std::move(R);
  return finish(std::move(N));
}

BoolExpr BoolExpr::conjunction(const BoolExpr &A, const BoolExpr &B) {
  if (A.isFalse() || B.isTrue())
    return A;
  if (B.isFalse() || A.isTrue())
    return B;
  if (A == B)
    return A;
  auto N = std::make_shared<Node>();
  N->K = Kind::And;
  N->Ops = {A, B};
  return finish(std::move(N));
}

BoolExpr BoolExpr::disjunction(const BoolExpr &A, const BoolExpr &B) {
  if (A.isTrue() || B.isFalse())
    return A;
  if (B.isTrue() || A.isFalse())
    return B;
  if (A == B)
    return A;
  auto N = std::make_shared<Node>();
  N->K = Kind::Or;
  N->Ops = {A, B};
  return finish(std::move(N));
}

BoolExpr BoolExpr::negation(const BoolExpr &A) {
  auto IsInner = [](const BoolExpr &B) {
    return B.getKind() == Kind::And || B.getKind() == Kind::Or;
  };
  auto NegatedLeaf = [](const BoolExpr &B) {
    switch (B.getKind()) {
    case Kind::Constant:
      return constant(!B.isTrue());
    case Kind::Compare:
      return compare(negate(B.getOp()), B.getLHS(), B.getRHS());
    case Kind::Not:
      return B.operands()[0];
    default: {
      auto N = std::make_shared<Node>();
      N->K = Kind::Not;
      N->Ops = {B};
      return finish(std::move(N));
    }
    }
  };
  if (!IsInner(A))
    return NegatedLeaf(A);
  // A node and its negation refer to each other while both are in use.
  // Otherwise each repeated negation of a condition would create new nodes,
  // which doubles its size each time.
  static std::mutex Mutex;
  std::lock_guard<std::mutex> Lock(Mutex);
  llvm::DenseMap<const void *, BoolExpr> Negated;
  visitPostOrder(
      A, /*Bodies=*/false,
      [&](GraphNode N) {
        // Values are not changed.
        if (N.V || Negated.contains(N.identity()))
          return true;
        std::shared_ptr<const Node> Known = N.B->N->Negation.lock();
        if (Known)
          Negated[N.identity()] = BoolExpr(Known);
        return Known != nullptr;
      },
      [&](GraphNode N) {
        BoolExpr New;
        if (IsInner(*N.B)) {
          const BoolExpr &L = Negated[N.B->operands()[0].identity()];
          const BoolExpr &R = Negated[N.B->operands()[1].identity()];
          New = N.B->getKind() == Kind::And ? disjunction(L, R)
                                            : conjunction(L, R);
          N.B->N->Negation = New.N;
          if (IsInner(New) && New.operands()[0].N == L.N &&
              New.operands()[1].N == R.N)
            New.N->Negation = N.B->N;
        } else {
          New = NegatedLeaf(*N.B);
        }
        Negated[N.identity()] = std::move(New);
      });
  return Negated[A.identity()];
}

/// Visits \p Root and the conditions in it, each once, in the order of the
/// printed form. \p Fn returns whether to visit the operands.
static void walkConditions(const BoolExpr &Root,
                           llvm::function_ref<bool(const BoolExpr &)> Fn) {
  llvm::SmallVector<const BoolExpr *, 8> Stack = {&Root};
  llvm::DenseSet<const void *> Seen;
  while (!Stack.empty()) {
    const BoolExpr *B = Stack.pop_back_val();
    if (!Seen.insert(B->identity()).second || !Fn(*B))
      continue;
    for (const BoolExpr &Op : llvm::reverse(B->operands()))
      Stack.push_back(&Op);
  }
}

void BoolExpr::conjuncts(llvm::SmallVectorImpl<BoolExpr> &Out) const {
  walkConditions(*this, [&](const BoolExpr &B) {
    if (B.getKind() != Kind::And && !B.isTrue())
      Out.push_back(B);
    return B.getKind() == Kind::And;
  });
}

void BoolExpr::walk(llvm::function_ref<void(const IntExpr &)> OnInt,
                    llvm::function_ref<void(const ValueRef &)> OnValue) const {
  if (getKind() == Kind::Constant)
    return;
  walkConditions(*this, [&](const BoolExpr &B) {
    if (B.getKind() == Kind::Compare) {
      OnInt(B.getLHS());
      OnInt(B.getRHS());
    } else if (B.getKind() == Kind::FloatCmp) {
      OnValue(B.getValueLHS());
      OnValue(B.getValueRHS());
    }
    return true;
  });
}

bool BoolExpr::operator==(const BoolExpr &O) const {
  return sameGraph(*this, O);
}

} // namespace warpwright
