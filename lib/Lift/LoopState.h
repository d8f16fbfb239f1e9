//===-- LoopState.h - What is known of a loop -------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the executor collects while it executes the body of a loop (Loops.cpp).
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_LOOPSTATE_H
#define WARPWRIGHT_LIB_LIFT_LOOPSTATE_H

#include "State.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warpwright {
class KernelModule;
}

namespace warpwright::symbolic {

class Ranges;

/// Values that take turns repeat after at most this many iterations.
constexpr int64_t MaxPeriod = 16;

/// The names of barriers in shared memory, and the conditions under which each
/// is meant. Exactly one of these holds, and the same one for all threads of
/// the block.
using BarrierChoice = std::vector<std::pair<std::string, BoolExpr>>;

/// An arrival of the thread at a barrier in shared memory, for which it has not
/// waited yet.
struct Arrival {
  BarrierChoice Barriers;
  IntExpr Token;
  BoolExpr When;
  unsigned Before = 0;   ///< accesses with lower ids came before it
  unsigned Tracking = 0; ///< how often copies had been tracked
  clang::SourceLocation Loc;
};

/// An operation of a thread that changes the state of its asynchronous
/// copies: it commits a group, waits for groups, or passes a barrier, after
/// which other threads see the copies.
struct CopyEvent {
  enum class Kind {
    Commit,
    Wait,
    Barrier,
    Track,       ///< a barrier in shared memory waits for the copies
    Phase,       ///< all threads have waited for that barrier
    CommitStage, ///< a pipeline's stage consists of the copies since the last
    WaitStage,   ///< until all threads' copies of a pipeline's stages are there
    Release, ///< no copy is concerned: the thread no longer reads what it has
             ///< read from a pipeline's stages
  } K;
  BoolExpr When;
  int64_t Prior = 0;           ///< Wait: how many groups may stay pending
  BarrierChoice Barriers = {}; ///< Track, Phase
  IntExpr Stage = {}; ///< CommitStage: its number; WaitStage: of the last one
};
/// A value that one iteration passes to the next in a phi of the header.
struct Carried {
  const llvm::PHINode *Phi;
  enum class Kind {
    Other,
    Induction, ///< Initial + Step * iteration
    Turn,      ///< repeats with a period; see Ahead
    Ahead,     ///< what the last iteration set; see Ahead
  } K = Kind::Other;
  std::vector<IntExpr> Steps; ///< of each of the pointersIn() it
  std::string Name;
  SymValue Initial;
  std::optional<ScalarType> AsScalar; ///< an integer that is used as data
  std::optional<ScalarType> AsPair;   ///< a register of two numbers
  /// The name of the phi of one of the two numbers.
  std::string half(unsigned N) const {
    return Name + (N == 0 ? ".low" : ".high");
  }
  /// What stands for the offset of the \p N th pointer between which it
  /// chooses, or for the number itself.
  std::string symbol(unsigned N) const {
    return N == 0 ? Name : Name + "." + std::to_string(N);
  }
  SymValue Next;  ///< the value after the last execution
  SymValue Final; ///< the value after the loop
  bool StaysSigned = false, StaysUnsigned = false;
  bool Flag = false; ///< a bool in a byte, which is 0 or 1; see flag()
  /// The test at the head ends the loop where this is true (EarlyExit.cpp).
  bool Leaves = false;
  /// Each iteration computes a number or an offset from the last one.
  bool Computed = false;
  /// An induction that some last iterations may leave unchanged.
  bool Conditional = false;
  /// Of such an induction: the condition at the head of an iteration under
  /// which no iteration has left it unchanged yet. Otherwise its value is not
  /// known.
  BoolExpr While = BoolExpr::constant(true);
  SymValue Ahead;      ///< the value at the head of an iteration
  bool Always = false; ///< every iteration sets it, the last one included
};
/// Whether the test at the head of \p L ends it if \p Phi is true.
bool endsIf(const llvm::Loop &L, const llvm::PHINode &Phi);
/// Whether the end of \p B decides whether \p L is left (IR/Breaks.cpp).
bool mayBreak(const llvm::Loop &L, const llvm::BasicBlock &B);
/// What stands for the value of a flag.
BoolExpr flag(const Carried &C);

struct CarriedWrite {
  std::string Array;
  Write Head;
  std::string Phi;
  ScalarType Type;
  bool Typed = false; ///< Type is the type of the stored value
  /// What the previous iteration has stored, if that is not a sum.
  std::optional<SymValue> Ahead;
  bool Always = false; ///< every iteration sets it, the last one included
};
/// An element of a local array that an iteration may find as it was at its
/// head.
struct OpenRead {
  std::string Array;
  IntExpr Index; ///< in bytes
  unsigned Size; ///< in bytes
  /// The loops around it, as for Ranges::bounds().
  std::vector<BoundLoop> Loops;
  clang::SourceLocation Loc;
};
struct LoopState {
  llvm::Loop *Loop;
  llvm::BasicBlock *Exiting, *Latch;
  llvm::BasicBlock *MainExit = nullptr; ///< where Exiting leads to
  bool TestsFirst;
  /// Blocks that leave the loop in its middle (EarlyExit.cpp).
  std::set<const llvm::BasicBlock *> Early;
  Memory Entry;
  BoolExpr EntryActive;
  std::vector<Carried> Cells;
  std::vector<CarriedWrite> Writes;
  std::set<std::string> Phis;
  static constexpr unsigned NoCounter = ~0u;
  unsigned Counter = NoCounter; ///< until the variables are in closed form
  IntExpr Trip;                 ///< may be negative, which means no iteration
  IntExpr TripCount;            ///< never negative
  BoolExpr Condition;           ///< at the head of an iteration that runs
  BoolExpr Test;                ///< the part of it that the loop tests there
  clang::SourceLocation ConditionLoc, Loc;
  /// Shared arrays to which the loop stores, and for each of them the stores
  /// of one iteration.
  std::set<std::string> Shared;
  std::map<std::string, std::vector<Write>> Stored;
  /// For each shared array, stores of earlier iterations as an iteration
  /// finds them at its head.
  std::map<std::string, std::vector<Write>> Ahead;
  /// For each shared array, what an iteration reads after its last barrier.
  std::map<std::string, std::vector<Write>> EndReads;
  std::set<unsigned> HeadIds; ///< of the writes of both, at the head
  /// Stores before the loop that Ahead represents as well.
  std::set<unsigned> Matched;
  /// Whether they are represented only where the loop runs an iteration.
  bool MatchedIfRun = false;
  /// The copy events of one iteration, without those of inner loops.
  std::vector<CopyEvent> CopyEvents;
  /// At the head of an iteration, copies of earlier iterations that may still
  /// be in flight.
  std::map<std::string, std::vector<Write>> UnderWay;
  /// Ahead, UnderWay and Heads after the last iteration. There the loop's
  /// condition is not known to hold.
  std::map<std::string, std::vector<Write>> AheadLeft, UnderWayLeft;
  std::map<unsigned, std::vector<Write>> Leaves;
  /// By the id of a store of an iteration: the store as the heads of the next
  /// iterations see it.
  std::map<unsigned, std::vector<Write>> Heads;
  std::set<unsigned> UnderWayIds; ///< of the writes of UnderWay, at the head
  bool HasBarrier = false;
  bool HasWarpBarrier = false; ///< or one of the block
  /// The condition under which an iteration passes a barrier of its own.
  BoolExpr Passed = BoolExpr::constant(false);
  bool Unrolled = false; ///< executed one iteration after the other
  /// Of the last execution: the stores at its head, the condition under which
  /// the loop goes on, and how many copy events it added.
  std::set<unsigned> LastHead;
  std::optional<BoolExpr> LastTest;
  size_t LastEvents = 0;
  /// The same execution: Executor::Probing during it (otherwise no number that
  /// it has), and what was read of local arrays.
  static constexpr unsigned NotLast = ~0u;
  unsigned LastProbing = NotLast;
  std::vector<OpenRead> OpenReads;
  /// Whether elements that every iteration stores were found only when the
  /// variables were in closed form, which may have been derived from them.
  bool FoundLate = false;
};

/// Notes \p Read in those of the loops \p Around of which it is the last
/// execution, if it may find the element as it was at their heads. \p From: the
/// ids of all stores that may have given its value; none if that is not known.
void noteOpenRead(llvm::ArrayRef<LoopState *> Around, unsigned Probing,
                  const OpenRead &Read, llvm::ArrayRef<unsigned> From);
/// After the last execution of \p L, which has left \p S: one of its reads, if
/// an earlier iteration may have stored to its element and later iterations do
/// not (MovingStores.cpp); otherwise null. Counters from \p Fresh on are not in
/// use.
const OpenRead *storedEarlier(const LoopState &L, const Memory &S,
                              const Ranges &Bounds, unsigned Fresh);

/// What an earlier analysis of a loop has found, as a guess for the next one:
/// see KnownLoops.cpp.
struct KnownLoop {
  struct Cell {
    Carried::Kind K = Carried::Kind::Other;
    std::vector<IntExpr> Steps;
    std::optional<ScalarType> AsScalar, AsPair;
    bool StaysSigned = false, StaysUnsigned = false;
    SymValue Next; ///< why it is not known, if it is not
  };
  std::vector<Cell> Cells;
  std::vector<CarriedWrite> Writes;
  IntExpr Trip;
  std::optional<int64_t> Unrolled; ///< so many iterations, one after the other
  /// What stood for the variables of the loops around it: for the name of a
  /// symbol the phi and the place in pointersIn() it, and for a counter the
  /// loop.
  std::map<std::string, std::pair<const llvm::PHINode *, unsigned>> Symbols;
  std::map<unsigned, const llvm::Loop *> Counters;
  unsigned Failures = 0; ///< how often the guess was wrong
};

/// Writes \p Update as phi + summand: the summand, or null when it is not of
/// that form. \p Guard is the condition under which there is a summand;
/// \p Rounded becomes the narrowest type that the running sum is cut to.
ValueRef stripPhi(const ValueRef &Update, llvm::StringRef Phi, BoolExpr &Guard,
                  ScalarType &Rounded);

/// Whether \p I may stand in a loop's header, which is executed once more than
/// the rest of the loop: it has no effect outside of \p L.
bool isHarmless(const llvm::Instruction &I, const llvm::Loop &L,
                const KernelModule &Module);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_LOOPSTATE_H
