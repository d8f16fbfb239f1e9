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
#include "warpwright/Source/DiagID.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/Twine.h"
#include <map>
#include <memory>
#include <optional>
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

/// Why a kernel with a trap is declined.
constexpr llvm::StringLiteral EndsProgram =
    "the kernel ends the program here, which the rewritten kernel would not";

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

  /// Int: the bits equal I modulo 2^Width, always, even if intermediate results
  /// wrapped. Pointer: the offset in bytes.
  IntExpr I;
  unsigned Width = 0;
  /// Int: the bits, read as a signed (unsigned) number, are I itself, not only
  /// modulo 2^Width.
  bool SignedExact = false, UnsignedExact = false;
  /// Int, and the offset of a Pointer: an operation was done in less than 64
  /// bits (on unsigned numbers), so that an element offset made of the value is
  /// bounded by that type.
  bool Narrow = false, NarrowUnsigned = false;

  BoolExpr B;
  /// Scalar. An integer type here (for data from memory) says how the bits were
  /// last read; the IR type has the width only. If IR holds the value as an
  /// integer and this type is a float, the value is a bit pattern.
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
  /// A constant, or a number that is known to equal \p E.
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

/// Whether all bits of \p V are zero.
bool hasZeroBits(const SymValue &V);

/// Whether both are the same value, by structure. An Unknown equals only its
/// copies.
bool same(const SymValue &A, const SymValue &B);

/// The pointers between which \p V, a pointer or a Choice, chooses, in order;
/// an integer is its own.
std::vector<SymValue *> pointersIn(SymValue &V);
std::vector<const SymValue *> pointersIn(const SymValue &V);

/// Whether both are integers of one width, or pointers into one array, or
/// choose by the same conditions between pointers into the same arrays.
bool choosesAlike(const SymValue &A, const SymValue &B);

/// `C ? A : B`; Unknown when the two cannot be combined.
SymValue select(const BoolExpr &C, const SymValue &A, const SymValue &B);

/// A loop that repeats a write: Counter runs over [0, Trip).
struct BoundLoop {
  unsigned Counter;
  IntExpr Trip;
};

/// A store, or the family of stores of a loop.
struct Write {
  std::string Array;
  IntExpr Index;     ///< elements behind a parameter, else bytes
  unsigned Size = 0; ///< bytes
  /// Every byte becomes zero, in whatever type it is read; Value is zero as
  /// well.
  bool ZeroFill = false;
  SymValue Value;
  BoolExpr Guard; ///< relative to the enclosing loop body, or the kernel
  std::vector<BoundLoop> Loops;
  clang::SourceLocation Loc;
  unsigned Id = 0; ///< identity, kept by copies of the state
  /// Of a store to shared memory: the condition under which a barrier came
  /// after it, so that the other threads of the block see it. Of a read: the
  /// condition under which other threads may no longer disturb it.
  BoolExpr Visible = BoolExpr::constant(true);
  /// The number of barriers that were passed before it. Stores of different
  /// threads with the same number are not ordered.
  unsigned Phase = 0;
  /// The threads of a warp make the store together, each a part of it.
  bool ByWarp = false;
  /// Any element of the array may have been written, with any value.
  bool Clobber = false;
  /// Of a read: counters of enclosing loops of which only the first iteration
  /// can disturb it; later iterations have passed a barrier.
  std::vector<unsigned> First;
  /// Made by an asynchronous copy (Async.cpp): it may happen at any time until
  /// the thread has waited for it. So may ordinary stores to the stages of a
  /// pipeline, for all that is known (Pipelines.cpp).
  bool Async = false;
  /// Of an asynchronous copy: the conditions under which it was issued.
  BoolExpr Issued = BoolExpr::constant(true);
  /// Of an asynchronous copy: the condition under which the thread that issued
  /// it has waited for it. It is Visible only if a barrier came after that.
  /// Of a read: the condition under which its thread has told a pipeline since
  /// that it has read.
  BoolExpr Done = BoolExpr::constant(true);
  /// Of an asynchronous copy: the conditions under which its thread has
  /// committed groups since it was issued. There may be more commits.
  std::vector<BoolExpr> Commits;
  /// Of an asynchronous copy: the number of the pipeline's stage that it is
  /// part of, or of a later one; nothing while none was committed.
  std::optional<IntExpr> Stage;
  /// Of an asynchronous copy: by the names of barriers in shared memory, the
  /// conditions under which they wait for it; false for others.
  std::map<std::string, BoolExpr> Tracked;
  /// Of a copy that a loop has left in flight: the condition under which there
  /// is such a copy.
  BoolExpr Exists = BoolExpr::constant(true);
  /// Of an asynchronous copy: the list of copies in flight has another one that
  /// represents it.
  bool Counted = false;
  /// Of an asynchronous copy: a reader must not see it beside a store that
  /// replaces it, even in the same phase.
  bool Hidden = false;
};

/// \p B with the counters of its loops renamed to those of \p A. Nothing if the
/// loops have different numbers of iterations.
std::optional<Write> withLoopsOf(const Write &A, Write B);
/// The index alone.
std::optional<IntExpr> indexWithLoopsOf(const Write &A, const Write &B);

/// \p V with counter \p Counter replaced.
SymValue withCounter(SymValue V, unsigned Counter, const IntExpr &By);
Write withCounter(Write W, unsigned Counter, const IntExpr &By);

/// \p V with the counters in \p At replaced.
SymValue withCounters(SymValue V, const std::map<unsigned, IntExpr> &At);

/// Notes \p Index in \p To for each of its counters.
void noteChosen(const IntExpr &Index, std::map<unsigned, IntExpr> &To);

/// \p B with the counter of an iteration earlier.
BoolExpr anIterationBefore(const BoolExpr &B, unsigned Counter);

/// Whether \p E has the symbol of a value that iterations hand on.
bool mentionsPhi(const IntExpr &E);
/// Whether \p E is `mod(x, 2)`, which is a bit.
bool isRemainderByTwo(const IntExpr &E);

/// Whether both store to the same places, whatever their counters are called.
bool samePlaces(const Write &A, const Write &B);

/// Whether \p Array, the name in a SymValue, is behind a pointer parameter.
bool isParameter(llvm::StringRef Array);

/// Whether an integer (0: a pointer) of \p Width bits can hold the address \p
/// V. Addresses in shared memory have 32 bits.
bool isAddress(const SymValue &V, unsigned Width);

/// The contents of an array: what it held before, overlaid by the writes in
/// order.
struct ArrayState {
  ScalarType Elem = ScalarType::F32; ///< behind a parameter
  /// Not behind a parameter: indices are in bytes, and the array does not
  /// outlive the kernel.
  bool IsLocal = false;
  bool IsShared = false; ///< shared by a block; IsLocal is true as well
  /// Of a shared array, the bytes of an element as it is declared; 0 if its
  /// elements are bytes, which are mostly read as another type.
  unsigned Element = 0;
  uint64_t Size = 0; ///< bytes of a local one; 0: not known
  std::vector<Write> Writes;
  /// Of a shared array: what this thread has read since the last barrier. Only
  /// the places matter, not the values.
  std::vector<Write> Reads;
  /// Of a shared array: asynchronous copies of earlier iterations of enclosing
  /// loops that may still be in flight. Their values do not matter.
  std::vector<Write> UnderWay;
};

using Memory = std::map<std::string, ArrayState>;

/// The stores to a local array when it was read last, as far as that tells them
/// from others, and what became of them (Unroll.cpp).
struct RolledUp {
  struct Store {
    unsigned Id;
    IntExpr Index;
    BoolExpr Guard;
    ValueRef Value;
  };
  std::vector<Store> Of;
  std::vector<Write> Stores; ///< empty if none could be put together
  /// Of each of Stores the id of the first of those of which it consists, which
  /// are neighbours: if an iteration has made that one, it has made all.
  std::vector<unsigned> First;
};

/// The stores to \p Array in \p M.
std::set<unsigned> writeIds(const Memory &M, const std::string &Array);

/// A fact about integers on which the lift relies: Low <= E <= High, for the
/// threads (Guard) and iterations (Loops; here a counter runs over [0, Trip],
/// the end included) that reach a place. It is proven, or follows from what the
/// launcher checks anyway, or becomes a requirement; otherwise the kernel is
/// declined.
struct Obligation {
  IntExpr E;
  IntExpr Low, High;
  BoolExpr Guard;
  std::vector<BoundLoop> Loops;
  clang::SourceLocation Loc;
  std::string What; ///< "'row' leaves 32 bits": for log and decline
  /// Only threads that store a result reach the place.
  bool Guarded = false;
  /// The Id of the store that all threads make which reach the place, where
  /// there are several stores.
  std::optional<unsigned> OfStore = std::nullopt;
  /// A bit for each product that is summed: the product is added in every
  /// iteration that reaches the place.
  uint64_t InSums = 0;
  /// The test of a loop reaches the place, where a counter may have its final
  /// value.
  bool AtTest = false;
  /// E in the form that the executor found, over threads, blocks and counters;
  /// of blocks in groups, over their rows and columns, which run over Places.
  IntExpr Found;
  std::vector<BoundLoop> Places;
};

/// A failing assertion: the conditions of its path (Active), under which it
/// fails.
struct Trap {
  BoolExpr Active;
  clang::SourceLocation Loc;
};

/// Whether \p B depends on the thread's place in its block, as far as it has no
/// values from memory.
bool containsThread(const BoolExpr &B);

/// The leaves of a tree of disjunctions, from left to right.
void disjuncts(const BoolExpr &B, llvm::SmallVectorImpl<BoolExpr> &To);

/// Whether every conjunct of \p B is a conjunct of \p A.
bool implies(const BoolExpr &A, const BoolExpr &B);

/// \p A without the conjuncts that \p Known has as well.
BoolExpr withoutConjuncts(const BoolExpr &A, const BoolExpr &Known);

/// A or B, with common conjuncts factored out and `x or not x` resolved.
BoolExpr either(const BoolExpr &A, const BoolExpr &B);

/// The name of a local array in the user's code: `#0.12.table` is 'table'.
std::string nameOfLocal(llvm::StringRef Array);

/// Whether \p V or a condition in it mentions an atom or phi for which \p Is
/// says yes.
bool mentionsAny(const SymValue &V,
                 llvm::function_ref<bool(llvm::StringRef)> Is);

/// The reason why the launcher does not know \p V, if \p V contains a number in
/// constant memory; empty otherwise.
std::string inConstantMemory(const ValueRef &V);
std::string inConstantMemory(const BoolExpr &B);

/// What makes \p V more than an integer of indices and arguments: `loaded
/// data`, `what 'abs' computes`, `a shift by an unknown amount`, `a computation
/// in floating point`.
std::string originOf(const ValueRef &V);
std::string originOf(const BoolExpr &B);

/// `: on a condition with 'K' and 'N'`, by the arguments in \p B; empty if it
/// has none.
std::string argumentsIn(const BoolExpr &B);

/// What \p V is when \p Known holds. Selections are only looked into for the
/// sake of sides that are not set, and with \p Merge also where \p Known has a
/// part of their conditions; what is then selected in two ways is so once.
ValueRef chosen(ValueRef V, const BoolExpr &Known, bool Merge = false);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_STATE_H
