//===-- State.h - What the interpreter knows at a point ---------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Symbolic values, memory and the state of the one generic thread. A state is
/// a value: branches copy it, loops execute their body on copies.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_STATE_H
#define WARPWRIGHT_LIB_LIFT_STATE_H

#include "warpwright/Contraction/Value.h"
#include "warpwright/Frontend/DiagID.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/Twine.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace clang {
class LambdaExpr;
class VarDecl;
} // namespace clang

namespace warpwright::symbolic {

struct Closure;

/// A symbolic rvalue.
struct SymValue {
  enum class Kind {
    Unknown, ///< anything; Reason says why it is not known
    Int,     ///< a polynomial in launch, parameters and loop counters
    Bool,
    Scalar,  ///< a value computed from memory or floating-point parameters
    Pointer, ///< Array (empty: null) plus Offset elements
    Struct,
    Lambda,
  };
  Kind K = Kind::Unknown;
  /// Element type of a Pointer, type of an Int or Scalar.
  ScalarType Type = ScalarType::I32;
  IntExpr I; ///< Int: the value; Pointer: the offset in elements
  /// Int, and the offset of a Pointer: an operation on the way was done in
  /// 32 bits (signed or not), so the value is only right while it fits.
  bool Narrow = false, NarrowUnsigned = false;
  BoolExpr B;
  ValueRef S;
  std::string Array; ///< Pointer: parameter path, or "#n" for a local array
  std::vector<SymValue> Fields;
  std::shared_ptr<const Closure> L;
  // Unknown:
  DiagID ReasonID = DiagID::UnsupportedExpression;
  std::string Reason;
  clang::SourceLocation ReasonLoc;
  /// Where the value was last assigned, for messages.
  clang::SourceLocation AssignLoc;

  static SymValue unknown(DiagID ID, clang::SourceLocation Loc,
                          llvm::Twine Reason);
  static SymValue integer(IntExpr E, ScalarType T = ScalarType::I32);
  static SymValue boolean(BoolExpr B);
  static SymValue scalar(ValueRef V);
  static SymValue pointer(std::string Array, ScalarType Elem, IntExpr Offset);

  bool is(Kind X) const { return K == X; }
};

/// Same value, by structure. An Unknown is the same as its copies only.
bool same(const SymValue &A, const SymValue &B);

/// `C ? A : B`; Unknown when the two cannot be combined.
SymValue select(const BoolExpr &C, const SymValue &A, const SymValue &B);

/// Where something is stored.
struct LValue {
  enum class Kind { None, Cell, Memory, Temporary };
  Kind K = Kind::None;
  unsigned Cell = 0;
  std::vector<unsigned> Path; ///< field numbers inside the cell's struct
  SymValue Pointer;           ///< Memory
  SymValue Temporary;
};

/// A loop that a write is repeated in: Counter runs over [0, Trip).
struct BoundLoop {
  unsigned Counter;
  IntExpr Trip;
};

/// A store, or the family of stores of a loop.
struct Write {
  IntExpr Index;
  SymValue Value;
  BoolExpr Guard; ///< relative to the enclosing loop body, or the kernel
  std::vector<BoundLoop> Loops;
  clang::SourceLocation Loc;
  unsigned Id = 0; ///< identity, kept by copies of the state
};

/// Array contents: what the parameter pointed at before, overlaid by the
/// writes in order.
struct ArrayState {
  ScalarType Elem = ScalarType::F32;
  bool IsLocal = false;
  std::vector<Write> Writes;
};

struct State {
  std::map<unsigned, SymValue> Cells;
  std::map<std::string, ArrayState> Arrays;
  /// Under which condition this point is reached, relative to the enclosing
  /// loop body or the kernel's entry.
  BoolExpr Active;
};

/// A lambda with what it captured.
struct Closure {
  const clang::LambdaExpr *Expr;
  std::map<const clang::VarDecl *, LValue> Captures;
};

/// Every conjunct of \p B is one of \p A's.
bool implies(const BoolExpr &A, const BoolExpr &B);

/// \p A without the conjuncts that \p Known has.
BoolExpr withoutConjuncts(const BoolExpr &A, const BoolExpr &Known);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_STATE_H
