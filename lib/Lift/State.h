//===-- State.h - What the executor knows at a point ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Symbolic values and memory of the one generic thread.
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
#include <set>
#include <string>
#include <vector>

namespace warpwright::symbolic {

/// The first fact that failed.
struct Failure {
  DiagID ID;
  clang::SourceLocation Loc;
  std::string Message;
};

/// A symbolic value of an IR type.
struct SymValue {
  enum class Kind {
    Unknown,   ///< anything; Reason says why it is not known
    Int,       ///< an integer that launch, parameters and counters determine
    Bool,      ///< an i1
    Scalar,    ///< a number computed from memory or floating-point parameters
    Pointer,   ///< Array (empty: null) plus I bytes
    Choice,    ///< a pointer, B ? Fields[0] : Fields[1], into different arrays
    Aggregate, ///< a struct, array or vector, element by element
  };
  Kind K = Kind::Unknown;

  /// Int: the bits are I modulo 2^Width, always, whatever wrapped on the way.
  /// Pointer: the offset in bytes.
  IntExpr I;
  unsigned Width = 0;
  /// Int: the bits read as a signed (unsigned) number are I itself, not only
  /// modulo 2^Width.
  bool SignedExact = false, UnsignedExact = false;
  /// Int, and the offset of a Pointer: an operation on the way was done in
  /// less than 64 bits (on unsigned numbers), so that an element offset made
  /// of it is bounded by that type.
  bool Narrow = false, NarrowUnsigned = false;

  BoolExpr B;
  /// Scalar. Its type may be an integer type (data from memory), and then
  /// says how the bits were last read; the IR type has the width only. A
  /// number that IR holds as an integer and this as a float is a bit pattern.
  ValueRef S;
  std::string Array; ///< Pointer: parameter path, "#n" local, "$n" argument
  std::vector<SymValue> Fields;

  // Unknown:
  DiagID ReasonID = DiagID::UnsupportedExpression;
  std::string Reason;
  clang::SourceLocation ReasonLoc;
  /// Where the value was made, for messages.
  clang::SourceLocation Loc;

  static SymValue unknown(DiagID ID, clang::SourceLocation Loc,
                          llvm::Twine Reason);
  static SymValue integer(IntExpr E, unsigned Width);
  /// A constant, or a number that is known to be what \p E says.
  static SymValue exact(IntExpr E, unsigned Width);
  static SymValue boolean(BoolExpr B);
  static SymValue scalar(ValueRef V);
  static SymValue pointer(std::string Array, IntExpr Offset);
  static SymValue aggregate(std::vector<SymValue> Fields);

  bool is(Kind X) const { return K == X; }
  std::optional<int64_t> constant() const {
    return K == Kind::Int ? I.getConstant() : std::nullopt;
  }
};

/// Same value, by structure. An Unknown is the same as its copies only.
bool same(const SymValue &A, const SymValue &B);

/// `C ? A : B`; Unknown when the two cannot be combined.
SymValue select(const BoolExpr &C, const SymValue &A, const SymValue &B);

/// A loop that a write is repeated in: Counter runs over [0, Trip).
struct BoundLoop {
  unsigned Counter;
  IntExpr Trip;
};

/// A store, or the family of stores of a loop.
struct Write {
  std::string Array;
  IntExpr Index;     ///< in elements behind a parameter, in bytes else
  unsigned Size = 0; ///< bytes
  /// Every byte is zero, whatever is read from it; Value says so too.
  bool ZeroFill = false;
  SymValue Value;
  BoolExpr Guard; ///< relative to the enclosing loop body, or the kernel
  std::vector<BoundLoop> Loops;
  clang::SourceLocation Loc;
  unsigned Id = 0; ///< identity, kept by copies of the state
  /// To shared memory: under this condition a barrier came after it, and the
  /// other threads of the block see it. Of a read: they no longer disturb it.
  BoolExpr Visible = BoolExpr::constant(true);
  /// Barriers that were passed before it: stores of one number are in no order
  /// between threads.
  unsigned Phase = 0;
  /// The threads of a warp store it together, each a part.
  bool ByWarp = false;
  /// Any element of the array may have been written, with anything.
  bool Clobber = false;
  /// Of a read: counters of loops around, in which only the first iteration may
  /// be disturbed by it; those after it have passed a barrier.
  std::vector<unsigned> First;
  /// By an asynchronous copy (Async.cpp): it may come about at any time until
  /// the thread has waited for it.
  bool Async = false;
  /// Of those: what held where it was issued.
  BoolExpr Issued = BoolExpr::constant(true);
  /// Of those: under this condition the thread that issued it has waited. It
  /// is Visible only where a barrier came after that.
  BoolExpr Done = BoolExpr::constant(true);
  /// Of those: under which conditions the thread has closed a group of copies
  /// since, wherever it issued the copy. There may be more.
  std::vector<BoolExpr> Commits;
  /// Of those: another one stands for it where copies are under way.
  bool Counted = false;
  /// Of those: who reads may not see it beside what is stored over it, even in
  /// one phase.
  bool Hidden = false;
};

/// \p B with the counters of its loops called as those of \p A. Nothing where
/// the loops do not run as often.
std::optional<Write> withLoopsOf(const Write &A, Write B);

/// Same places, whatever the counters of the two are called.
bool samePlaces(const Write &A, const Write &B);

/// Whether \p Array, a SymValue's, is behind a pointer parameter.
bool isParameter(llvm::StringRef Array);

/// Whether an integer (0: a pointer) of \p Width bits holds the address \p V.
/// Those of shared memory have 32.
bool isAddress(const SymValue &V, unsigned Width);

/// Array contents: what it held before, overlaid by the writes in order.
struct ArrayState {
  ScalarType Elem = ScalarType::F32; ///< behind a parameter
  /// Not behind a parameter: indices are bytes, and nothing of it is left
  /// after the kernel.
  bool IsLocal = false;
  bool IsShared = false; ///< by the threads of a block; IsLocal too
  uint64_t Size = 0;     ///< bytes of a local one; 0: not known
  std::vector<Write> Writes;
  /// Of a shared one: what this thread read since the last barrier. Only the
  /// places count, not the values.
  std::vector<Write> Reads;
  /// Of a shared one: asynchronous copies of earlier iterations of the loops
  /// around that may still be under way. Their values do not count.
  std::vector<Write> UnderWay;
};

using Memory = std::map<std::string, ArrayState>;

/// The stores to \p Array that \p M knows of.
std::set<unsigned> writeIds(const Memory &M, const std::string &Array);

/// A fact about integers that the lift relied on, for the threads (Guard) and
/// iterations (Loops: a counter runs over [0, Trip] here, the end included)
/// that reach a place: Low <= E <= High. It is proven, or
/// follows from what the launcher checks anyway, or becomes a requirement, or
/// the kernel is declined.
struct Obligation {
  IntExpr E;
  IntExpr Low, High;
  BoolExpr Guard;
  std::vector<BoundLoop> Loops;
  clang::SourceLocation Loc;
  std::string What; ///< "'row' leaves 32 bits": for the log and the decline
  /// Only threads that store a result get there.
  bool Guarded = false;
  /// Of the products that are summed (a bit each), those that are added in
  /// every iteration that gets there.
  uint64_t InSums = 0;
  /// The test of a loop gets there, which sees a counter at its end.
  bool AtTest = false;
  /// E as the executor found it, over threads, blocks and counters.
  IntExpr Found;
};

/// A fact about the path, Active, under which an assertion fails.
struct Trap {
  BoolExpr Active;
  clang::SourceLocation Loc;
};

/// Every conjunct of \p B is one of \p A's.
bool implies(const BoolExpr &A, const BoolExpr &B);

/// \p A without the conjuncts that \p Known has.
BoolExpr withoutConjuncts(const BoolExpr &A, const BoolExpr &Known);

/// A or B, with what they share taken out and `x or not x` seen through.
BoolExpr either(const BoolExpr &A, const BoolExpr &B);

/// Whether \p V or a condition in it mentions an atom or phi for which \p Is
/// says yes.
bool mentionsAny(const SymValue &V,
                 llvm::function_ref<bool(llvm::StringRef)> Is);

/// Whether the condition has loaded data or floating-point numbers in it.
bool hasValues(const BoolExpr &B);

/// Why \p V, which has a number of constant memory in it, is not known to the
/// launcher; empty where it has none.
std::string inConstantMemory(const ValueRef &V);
std::string inConstantMemory(const BoolExpr &B);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_STATE_H
