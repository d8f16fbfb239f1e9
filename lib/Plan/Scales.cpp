//===- Scales.cpp - Scales of blocks of an operand ------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Scales.h"

#include "warpwright/Plan/Elements.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace llvm;

namespace warpwright {

/// Visits every integer that \p V depends on.
static void forEachInteger(const Value &V,
                           function_ref<void(const IntExpr &)> Fn) {
  V.walk([&](const Value &N) {
    if (N.K == Value::Kind::Load || N.K == Value::Kind::Int)
      Fn(N.Index);
    if (N.K == Value::Kind::Select)
      N.Condition.walk(Fn, [](const ValueRef &) {});
  });
}

/// The number by which \p A divides \p Index, also in steps: (k / 16) / 8.
static std::optional<int64_t> divisorOf(const IntAtom &A,
                                        const IntExpr &Index) {
  if (A.isLeaf() || A.getKind() != AtomKind::FloorDiv)
    return std::nullopt;
  const std::optional<int64_t> By = A.getRHS().getConstant();
  if (!By || *By <= 0 || A.getLHS() == Index)
    return By;
  const AtomRef Inner = A.getLHS().getAtom();
  const std::optional<int64_t> First =
      Inner ? divisorOf(*Inner, Index) : std::nullopt;
  int64_t Product;
  if (!First || __builtin_mul_overflow(*First, *By, &Product))
    return std::nullopt;
  return Product;
}

/// For how many neighbours of the index called \p Name, from multiples of the
/// number on, \p V is the same. 0: for all.
static int64_t extentOfEqual(const Value &V, StringRef Name) {
  const IntExpr Index = IntExpr::index(Name);
  const std::string Key = ("%" + Name).str();
  int64_t Extent = 0;
  forEachInteger(V, [&](const IntExpr &E) {
    std::vector<std::pair<int64_t, const IntAtom *>> Quotients;
    E.walk([&](const IntAtom &A) {
      if (const std::optional<int64_t> By = divisorOf(A, Index))
        Quotients.push_back({*By, &A});
    });
    // A quotient may be a step of a larger one.
    llvm::stable_sort(Quotients, [](const auto &X, const auto &Y) {
      return X.first > Y.first;
    });
    IntExpr Rest = E;
    for (const auto &[By, A] : Quotients) {
      if (!Rest.contains(A->getKey()))
        continue;
      Extent = std::gcd(Extent, By);
      Rest = Rest.substitute(A->getKey(), 0);
    }
    if (Rest.overflowed() || Rest.contains(Key))
      Extent = 1;
  });
  return Extent;
}

std::optional<BlockScale> blockScale(const Operand &O, StringRef Free,
                                     int64_t Depth) {
  if (!O.Prologue || O.Prologue->Type != ScalarType::F32)
    return std::nullopt;
  // From the outside to the element: ((f32(element) * s) * t).
  ValueRef Factor, V = O.Prologue;
  auto HasElement = [&](const Value &In) {
    bool Found = false;
    In.walk([&](const Value &N) { Found |= O.isElement(N); });
    return Found;
  };
  while (V->K == Value::Kind::Mul && V->Type == ScalarType::F32) {
    const bool First = HasElement(*V->Ops[0]);
    if (First == HasElement(*V->Ops[1]))
      return std::nullopt;
    const ValueRef &Other = V->Ops[First ? 1 : 0];
    Factor =
        Factor ? Value::binary(Value::Kind::Mul, ScalarType::F32, Other, Factor)
               : Other;
    V = V->Ops[First ? 0 : 1];
  }
  // Every conversion on the way from 8 bits to float is exact.
  while (V->K == Value::Kind::Cast && isFloating(V->Type) && !isFloat8(V->Type))
    V = V->Ops[0];
  if (!Factor || !O.isElement(*V) || extentOfEqual(*Factor, "k") % Depth != 0)
    return std::nullopt;
  return BlockScale{Factor, extentOfEqual(*Factor, Free)};
}

int64_t depthOfScaledBlocks(const Contraction &C) {
  const ElementType *E = elementType(C.A.Type);
  if (!C.hasPrologue() || !C.hasOneProduct() || !E || !E->PromotedK ||
      !areWgmmaTypes(C.A.Type, C.B.Type))
    return 0;
  for (bool IsA : {true, false}) {
    const Operand &O = IsA ? C.A : C.B;
    if (O.Prologue && !blockScale(O, IsA ? "m" : "n", E->PromotedK))
      return 0;
  }
  return E->PromotedK;
}

} // namespace warpwright
