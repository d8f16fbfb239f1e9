//===- Shifts.cpp - Zero points of integers -------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Shifts.h"

#include "warpwright/Plan/Elements.h"

using namespace llvm;

namespace warpwright {

/// The sums of the tensor cores have so many bytes, and so have the numbers
/// that are added to them.
static constexpr unsigned SumBytes = 4;
static constexpr ScalarType ShiftType = ScalarType::U32;

static bool isInteger(ScalarType T) {
  return !isFloating(T) && T != ScalarType::Bool;
}

static bool isSigned(ScalarType T) {
  return T == ScalarType::I8 || T == ScalarType::I16 || T == ScalarType::I32 ||
         T == ScalarType::I64;
}

/// Some integer or condition in \p V depends on k.
static bool dependsOnK(const Value &V) {
  bool Found = false;
  auto Note = [&](const IntExpr &E) {
    Found |= E.overflowed() || E.contains("%k");
  };
  V.walk([&](const Value &N) {
    Note(N.Index);
    N.Condition.walk(
        Note, [&](const ValueRef &Of) { Found |= Of && dependsOnK(*Of); });
  });
  return Found;
}

namespace {

/// Takes a prologue apart, from its outside to the element. All arithmetic on
/// the way is of 32 bits or more, so that it is exact modulo 2^32.
class ShiftReader {
public:
  explicit ShiftReader(const Operand &O) : O(O) {}

  /// The number, or nothing where \p V is not the element plus a number.
  std::optional<ValueRef> read(const ValueRef &V) {
    ValueRef Shift;
    if (!readInto(V, Shift) || !Shift)
      return std::nullopt;
    return Shift;
  }

private:
  const Operand &O;

  bool readsElement(const Value &V) const {
    bool Found = false;
    V.walk([&](const Value &N) { Found |= O.isElement(N); });
    return Found;
  }

  /// Adds \p Term to \p Shift, or subtracts it.
  static void add(ValueRef &Shift, const ValueRef &Term, bool Minus) {
    const ValueRef Wrapped = Value::cast(ShiftType, Term);
    if (!Shift)
      Shift = Minus ? Value::unary(Value::Kind::Neg, Wrapped) : Wrapped;
    else
      Shift = Value::binary(Minus ? Value::Kind::Sub : Value::Kind::Add,
                            ShiftType, Shift, Wrapped);
  }

  /// Collects what is added to the element in \p V.
  bool readInto(const ValueRef &V, ValueRef &Shift) const {
    if (isElement(*V))
      return true;
    if (!isInteger(V->Type) || byteSize(V->Type) < SumBytes)
      return false;
    switch (V->K) {
    case Value::Kind::Cast:
      return isElement(*V->Ops[0]) || (isInteger(V->Ops[0]->Type) &&
                                       byteSize(V->Ops[0]->Type) >= SumBytes &&
                                       readInto(V->Ops[0], Shift));
    case Value::Kind::Add:
    case Value::Kind::Sub: {
      const bool First = readsElement(*V->Ops[0]);
      if (First == readsElement(*V->Ops[1]))
        return false;
      const bool Minus = V->K == Value::Kind::Sub;
      if (Minus && !First)
        return false; // the element is negated
      const ValueRef &Term = V->Ops[First ? 1 : 0];
      if (!isInteger(Term->Type) || dependsOnK(*Term) ||
          !readInto(V->Ops[First ? 0 : 1], Shift))
        return false;
      add(Shift, Term, Minus);
      return true;
    }
    default:
      return false;
    }
  }

  /// The element, at most converted to types that have all of its values.
  bool isElement(const Value &Of) const {
    const Value *V = &Of;
    while (V->K == Value::Kind::Cast && holdsElements(V->Type))
      V = V->Ops[0].get();
    return O.isElement(*V);
  }
  bool holdsElements(ScalarType T) const {
    if (T == O.Type)
      return true;
    return isInteger(T) && byteSize(T) > byteSize(O.Type) &&
           (isSigned(T) || !isSigned(O.Type));
  }
};

} // namespace

std::optional<ValueRef> elementShift(const Operand &O) {
  if (!O.Prologue || !isInteger(O.Type))
    return std::nullopt;
  return ShiftReader(O).read(O.Prologue);
}

bool isShifted(const Contraction &C) {
  if (!C.hasPrologue() || !C.hasOneProduct() ||
      !areWgmmaTypes(C.A.Type, C.B.Type) || isFloating(C.AccType))
    return false;
  for (const Operand *O : {&C.A, &C.B})
    if (O->Prologue && !elementShift(*O))
      return false;
  return true;
}

} // namespace warpwright
