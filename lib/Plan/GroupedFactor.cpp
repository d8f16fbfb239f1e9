//===- GroupedFactor.cpp - Zero points and scales of groups ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/GroupedFactor.h"
#include "warpwright/Plan/Elements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace warpwright {

namespace {

/// All integers from Least to Most.
struct Range {
  int64_t Least = 0, Most = 0;
};

/// Takes a prologue apart, from its outside to the element.
class Reader {
public:
  explicit Reader(const Operand &O) : O(O) {}

  std::optional<GroupedFactor> read();

private:
  const Operand &O;
  GroupedFactor Factor;
  Range OfElement;

  bool readsElement(const Value &V) const {
    bool Found = false;
    V.walk([&](const Value &N) { Found |= O.isElement(N); });
    return Found;
  }
  bool holdsElement(ScalarType T) const;
  bool isPlainElement(const Value *V) const;
  bool subtract(const ValueRef &Zero);
  bool readShifted(const Value *V);
  bool noteGroups(const IntExpr &E);
  bool noteGroups(const Value &V);
};

} // namespace

/// The values of integers of type \p T of 8 bits, or of 4.
static std::optional<Range> rangeOf(ScalarType T) {
  if (T == ScalarType::I8)
    return Range{-128, 127};
  if (T == ScalarType::U8)
    return Range{0, 255};
  if (T == ScalarType::S4X2 || T == ScalarType::S4X2High)
    return Range{-8, 7};
  if (T == ScalarType::U4X2 || T == ScalarType::U4X2High)
    return Range{0, 15};
  return std::nullopt;
}

/// An integer of type \p T has all values of \p R, and a float has them, too.
static bool holds(ScalarType T, const Range &R) {
  switch (T) {
  case ScalarType::I16:
  case ScalarType::I32:
  case ScalarType::I64:
  case ScalarType::F16: // magnitudes up to 383 have 9 bits
  case ScalarType::F32:
  case ScalarType::F64:
    return true;
  case ScalarType::U16:
  case ScalarType::U32:
  case ScalarType::U64:
    return R.Least >= 0;
  default:
    return false;
  }
}

/// The values that \p V may have, if it is an integer of a few bits that is
/// loaded, or known, and perhaps converted.
static std::optional<Range> rangeOfInteger(const Value &V) {
  switch (V.K) {
  case Value::Kind::Load:
    return rangeOf(V.Type);
  case Value::Kind::Int:
    if (std::optional<int64_t> N = V.Index.getConstant(); N && isInt<9>(*N))
      return Range{*N, *N};
    return std::nullopt;
  case Value::Kind::Constant:
    if (std::optional<double> X = V.getConstant();
        X && *X == double(int64_t(*X)) && isInt<9>(int64_t(*X)))
      return Range{int64_t(*X), int64_t(*X)};
    return std::nullopt;
  case Value::Kind::Cast: {
    const std::optional<Range> R = rangeOfInteger(*V.Ops[0]);
    return R && holds(V.Type, *R) ? R : std::nullopt;
  }
  // Of zero points that are packed as the weights are.
  case Value::Kind::And: {
    const std::optional<Range> R = rangeOfInteger(*V.Ops[1]);
    return R && R->Least == R->Most && R->Least >= 0
               ? std::optional(Range{0, R->Most})
               : std::nullopt;
  }
  case Value::Kind::Shr: {
    const std::optional<Range> R = rangeOfInteger(*V.Ops[0]);
    return R && R->Least >= 0 ? R : std::nullopt;
  }
  // Some formats store them less 1.
  case Value::Kind::Add:
  case Value::Kind::Sub: {
    const auto L = rangeOfInteger(*V.Ops[0]), R = rangeOfInteger(*V.Ops[1]);
    if (!L || !R)
      return std::nullopt;
    const bool Adds = V.K == Value::Kind::Add;
    const Range Result = {L->Least + (Adds ? R->Least : -R->Most),
                          L->Most + (Adds ? R->Most : -R->Least)};
    return isInt<9>(Result.Least) && isInt<9>(Result.Most) &&
                   holds(V.Type, Result)
               ? std::optional(Result)
               : std::nullopt;
  }
  default:
    return std::nullopt;
  }
}

/// All types of 16 bits and more have the values of floats of 8 bits.
bool Reader::holdsElement(ScalarType T) const {
  return isFloat8(O.Type) ? isFloating(T) && !isFloat8(T) : holds(T, OfElement);
}

/// Conversions of the element that keep its value.
bool Reader::isPlainElement(const Value *V) const {
  while (V->K == Value::Kind::Cast && holdsElement(V->Type))
    V = V->Ops[0].get();
  return O.isElement(*V);
}

/// `element - Zero`, where both are integers, or floats that are integers.
bool Reader::subtract(const ValueRef &Zero) {
  const std::optional<Range> R = rangeOfInteger(*Zero);
  if (!R)
    return false;
  Factor.Zero = Zero;
  OfElement = {OfElement.Least - R->Most, OfElement.Most - R->Least};
  return true;
}

/// The element, or the element without its zero point.
bool Reader::readShifted(const Value *V) {
  if (isFloat8(O.Type))
    return isPlainElement(V);
  while (V->K == Value::Kind::Cast && !isPlainElement(V)) {
    // What is subtracted in int has more than 8 bits.
    if (!holds(V->Type, {-1, 0}))
      return false;
    V = V->Ops[0].get();
  }
  if (isPlainElement(V))
    return true;
  return V->K == Value::Kind::Sub && holds(V->Type, {-1, 0}) &&
         isPlainElement(V->Ops[0].get()) && !readsElement(*V->Ops[1]) &&
         subtract(V->Ops[1]);
}

/// \p E depends on k by the number of a group alone.
bool Reader::noteGroups(const IntExpr &E) {
  if (E.overflowed())
    return false;
  for (const auto &[Atoms, Coefficient] : E.terms())
    for (const AtomRef &A : Atoms) {
      if (A->isLeaf()) {
        if (A->getKey() == "%k")
          return false;
        continue;
      }
      const std::optional<int64_t> By = A->getRHS().getConstant();
      if (A->getKind() == AtomKind::FloorDiv && By && *By > 0 &&
          A->getLHS() == IntExpr::index("k"))
        Factor.GroupK = std::gcd(Factor.GroupK, *By);
      else if (A->getKind() == AtomKind::Select || !noteGroups(A->getLHS()) ||
               !noteGroups(A->getRHS()))
        return false;
    }
  return true;
}

bool Reader::noteGroups(const Value &V) {
  bool Groups = true;
  V.walk([&](const Value &N) {
    Groups &= N.K != Value::Kind::Select && noteGroups(N.Index);
  });
  return Groups;
}

std::optional<GroupedFactor> Reader::read() {
  const std::optional<Range> R = rangeOf(O.Type);
  if ((!R && !isFloat8(O.Type)) || !O.Prologue)
    return std::nullopt;
  OfElement = R.value_or(Range());
  const Value *V = O.Prologue.get();
  if (V->Type != ScalarType::F32)
    return std::nullopt;
  if (V->K == Value::Kind::Mul) {
    const bool First = readsElement(*V->Ops[0]);
    if (First == readsElement(*V->Ops[1]))
      return std::nullopt;
    Factor.Scale = V->Ops[First ? 1 : 0];
    V = V->Ops[First ? 0 : 1].get();
  }
  if (!readShifted(V))
    return std::nullopt;
  for (const ValueRef &Of : {Factor.Zero, Factor.Scale})
    if (Of && !noteGroups(*Of))
      return std::nullopt;
  // A scale that does not vary along k has left the sum, or is to stay inside.
  if (Factor.Scale && !Factor.GroupK)
    return std::nullopt;
  Factor.Largest = std::max(-OfElement.Least, OfElement.Most);
  return Factor;
}

std::optional<GroupedFactor> groupedFactor(const Operand &O) {
  return Reader(O).read();
}

bool convertsTo(const Operand &O, ScalarType To, int64_t Depth) {
  if (!isConverted(O.Type, To))
    return false;
  if (!O.Prologue)
    return true;
  const std::optional<GroupedFactor> Factor = groupedFactor(O);
  return Factor && Factor->GroupK % Depth == 0 &&
         Factor->Largest <= int64_t(1) << significandBits(To);
}

} // namespace warpwright
