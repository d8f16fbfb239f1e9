//===-- Executor.h - Symbolic execution of one thread -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a kernel's LLVM IR for one generic thread. Integers become polynomials
/// with a proof or an obligation that nothing wraps, floating-point values
/// become expression trees, branches become conditions, and loops become sums
/// (for what they accumulate) or families of writes (for what they visit).
/// What comes out are the writes to each array behind a pointer parameter.
///
/// The executor never guesses. What it does not model becomes an Unknown that
/// carries the reason and the place; it matters only if it reaches something
/// that matters. What could change memory or control in a way that it does not
/// model is a Failure, and ends the run.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_EXECUTOR_H
#define WARPWRIGHT_LIB_LIFT_EXECUTOR_H

#include "Family.h"
#include "Ranges.h"
#include "State.h"
#include "warpwright/Contraction/Contraction.h"
#include "warpwright/IR/KernelModule.h"
#include "warpwright/IR/KnownFunctions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>
#include <set>

namespace llvm {
class CallBase;
class GEPOperator;
class PHINode;
} // namespace llvm

namespace warpwright::symbolic {

constexpr int64_t WarpLanes = 32;

/// The names of phis begin with this; a user's name cannot.
constexpr llvm::StringLiteral PhiPrefix = "phi#";

/// `ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16`
struct LoadMatrixForm {
  unsigned Count = 0; ///< matrices, of a register each
  bool Transposed = false;
  static std::optional<LoadMatrixForm> parse(llvm::StringRef Word);
};

/// `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`
struct MultiplyForm {
  ScalarType Factor = ScalarType::F16, Sum = ScalarType::F32;
  bool Tf32 = false;
  unsigned Packed = 2; ///< elements of A and B in a register
  unsigned Halves = 2; ///< A and B are so often 4 * Packed deep
  /// Registers of C, and of the result.
  unsigned sums() const { return Sum == ScalarType::F32 ? 4 : 2; }
  static std::optional<MultiplyForm> parse(llvm::StringRef Word);
};

class Executor {
public:
  /// A condition over threads that all of them meet where the launch is as it
  /// has to be.
  struct ForAll {
    BoolExpr Fact;
    BoolExpr Need;     ///< of arguments and launch
    unsigned Line = 0; ///< what is at that line has to be reached by all
  };

  /// What is asked of the launch before anything is executed.
  struct Given {
    std::vector<ForAll> Conditions;
    std::array<int64_t, 3> Block = {0, 0, 0}; ///< its shape; 0: any
  };
  Executor(const KernelModule &Module, const KernelIR &Kernel, Given Asked);

  /// Executes the kernel. False: see failure().
  bool run();
  /// With these asked of the launch, too, it would have come further.
  const std::vector<ForAll> &wanted() const { return Wanted; }
  /// With a given width of the block more is known: the kernel divides it, by
  /// whatever it is a multiple of, or has its warps multiply matrices. How many
  /// dimensions it has; 0: neither.
  unsigned dividedDimensions() const {
    return !DividesBlock && !UsesLanes ? 0
           : UsedThreads[2]            ? 3
           : UsedThreads[1]            ? 2
                                       : 1;
  }
  /// It multiplies matrices in registers, and no number of a warp along x
  /// occurs in it: then its block may be one warp wide.
  bool mayBeWarpWide() const { return UsesLanes && !DividesWarps; }
  const std::optional<Failure> &failure() const { return Failed; }
  Memory &finalMemory() { return S; }
  /// What had to be assumed about parameters and launch on the way.
  const std::vector<Requirement> &requirements() const { return Requires; }
  /// What has to be shown, once the indices are known.
  const std::vector<Obligation> &obligations() const { return Obligations; }
  const Ranges &ranges() const { return Bounds; }
  const std::vector<Trap> &traps() const { return Traps; }
  /// Where the loop of each counter begins.
  const std::map<unsigned, clang::SourceLocation> &loops() const {
    return CounterLoop;
  }
  bool anyNarrowOffset() const { return NarrowOffset; }
  bool narrowOffsetsUnsigned() const { return !NarrowSigned; }
  unsigned freeCounter() const { return NextCounter; }
  const std::map<std::string, SymValue> &unset() const { return Unset; }
  /// Under which conditions loops are reached, by their counters.
  const std::map<unsigned, BoolExpr> &reachedLoops() const { return Reached; }
  bool loadsAfterStores() const { return LoadAfterStore; }

private:
  //===--- Control (Executor.cpp) -----------------------------------------===//
  struct Shape {
    llvm::DominatorTree Dominators;
    llvm::PostDominatorTree PostDominators;
    llvm::LoopInfo Loops;
    std::vector<llvm::BasicBlock *> Order; ///< reverse post-order
    explicit Shape(llvm::Function &F);
  };
  struct LoopState;
  struct Frame {
    llvm::Function *Function;
    Shape *Form;
    llvm::DenseMap<const llvm::Value *, SymValue> Values;
    /// Loops that were left, by their exiting block.
    llvm::DenseMap<const llvm::BasicBlock *, std::shared_ptr<LoopState>> Left;
    SymValue Result;
    bool Returned = false;
    unsigned Id = 0; ///< keeps local arrays of several calls apart
  };
  using Edge = std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>;
  struct Region {
    llvm::Loop *Loop = nullptr;
    std::map<const llvm::BasicBlock *, BoolExpr> Reached;
    std::map<Edge, BoolExpr> Edges;
    /// Of a loop: the condition under which it goes on, and whether blocks
    /// before the test of the last, incomplete iteration had an effect.
    BoolExpr Continue;
    clang::SourceLocation ContinueLoc;
    bool Tested = false;
    /// Of a loop: blocks that leave it in its middle, and the conditions under
    /// which they do (EarlyExit.cpp).
    const std::set<const llvm::BasicBlock *> *Early = nullptr;
    std::vector<std::pair<BoolExpr, clang::SourceLocation>> LeftWhen;
  };
  bool runRegion(Region &R, llvm::BasicBlock *Header);
  bool runBlock(Region &R, llvm::BasicBlock *B);
  bool runTerminator(Region &R, llvm::BasicBlock *B);
  /// \p B, which does not return, is reached under \p When.
  bool recordTrap(const llvm::BasicBlock &B, const BoolExpr &When);
  BoolExpr reachOf(Region &R, llvm::BasicBlock *B);
  /// The block that stands for \p B in a region: the header of the inner loop
  /// that it is in, or itself.
  const llvm::BasicBlock *representative(const Region &R,
                                         const llvm::BasicBlock *B) const;
  SymValue mergePhi(Region &R, const llvm::PHINode &Phi);
  bool execute(llvm::Instruction &I);
  SymValue evaluate(llvm::Instruction &I);
  SymValue valueOf(const llvm::Value *V);
  SymValue constantValue(const llvm::Constant &C);
  Shape &shapeOf(llvm::Function &F);

  //===--- Loops (Loops.cpp) ----------------------------------------------===//
  /// What a thread does about its asynchronous copies, and what lets others see
  /// them.
  struct CopyEvent {
    enum class Kind { Commit, Wait, Barrier } K;
    BoolExpr When;
    int64_t Prior = 0; ///< Wait: the groups that need not be there
  };
  /// What one iteration hands to the next in a phi of the header.
  struct Carried {
    const llvm::PHINode *Phi;
    enum class Kind {
      Other,
      Induction, ///< Initial + Step * iteration
      Turn,      ///< a number that repeats: Ahead
      Ahead,     ///< what the iteration before would have set: Ahead
    } K = Kind::Other;
    IntExpr Step;
    std::string Name;
    SymValue Initial;
    std::optional<ScalarType> AsScalar; ///< an integer that becomes data
    std::optional<ScalarType> AsPair;   ///< two numbers of a register
    /// Of those: the phis.
    std::string half(unsigned N) const {
      return Name + (N == 0 ? ".low" : ".high");
    }
    SymValue Next;  ///< what the last run found
    SymValue Final; ///< after the loop
    bool StaysSigned = false, StaysUnsigned = false;
    /// An induction that its last iterations may leave as it is.
    bool Conditional = false;
    SymValue Ahead;      ///< at the head of an iteration
    bool Always = false; ///< set in every iteration, the last one included
  };
  struct CarriedWrite {
    std::string Array;
    Write Head;
    std::string Phi;
    ScalarType Type;
    bool Typed = false; ///< Type is that of what was stored
    /// What the iteration before has set, where that is no sum.
    std::optional<SymValue> Ahead;
    bool Always = false; ///< set in every iteration, the last one included
  };
  struct LoopState {
    llvm::Loop *Loop;
    llvm::BasicBlock *Exiting, *Latch;
    llvm::BasicBlock *MainExit = nullptr; ///< where Exiting leads to
    bool TestsFirst;
    /// Blocks that leave it in its middle (EarlyExit.cpp).
    std::set<const llvm::BasicBlock *> Early;
    Memory Entry;
    BoolExpr EntryActive;
    std::vector<Carried> Cells;
    std::vector<CarriedWrite> Writes;
    std::set<std::string> Phis;
    unsigned Counter = 0;
    IntExpr Trip;      ///< may be negative: no iteration then
    IntExpr TripCount; ///< never negative
    BoolExpr Condition;
    clang::SourceLocation ConditionLoc, Loc;
    /// Shared arrays that it stores to, and what an iteration stores there; by
    /// the array.
    std::set<std::string> Shared;
    std::map<std::string, std::vector<Write>> Stored;
    /// What earlier iterations left there, at the head of an iteration.
    std::map<std::string, std::vector<Write>> Ahead;
    /// What an iteration read after its last barrier.
    std::map<std::string, std::vector<Write>> EndReads;
    std::set<unsigned> HeadIds; ///< of those two, as they are put at the head
    /// Stores before the loop that Ahead has, too.
    std::set<unsigned> Matched;
    /// What an iteration does about copies, inner loops left out.
    std::vector<CopyEvent> CopyEvents;
    /// Copies that earlier iterations have under way, at the head of one.
    std::map<std::string, std::vector<Write>> UnderWay;
    /// Ahead, UnderWay and Heads behind the last iteration, whose test failed.
    std::map<std::string, std::vector<Write>> AheadLeft, UnderWayLeft;
    std::map<unsigned, std::vector<Write>> Leaves;
    /// By the store of an iteration: as it is at the heads of the next ones.
    std::map<unsigned, std::vector<Write>> Heads;
    std::set<unsigned> UnderWayIds; ///< as they are put at the head
    bool HasBarrier = false;
    /// Under which condition an iteration passes a barrier of its own.
    BoolExpr Passed = BoolExpr::constant(false);
    bool Unrolled = false; ///< the values are those of the last iteration
  };
  bool runLoop(Region &Outer, llvm::Loop &L, const BoolExpr &Active);
  void setHead(LoopState &L, bool Closed);
  bool iterate(LoopState &L, bool Closed);
  bool findCarried(LoopState &L);
  bool leaveLoop(LoopState &L, const Memory &Head);
  std::optional<IntExpr> tripCount(const BoolExpr &Condition, unsigned Counter,
                                   clang::SourceLocation Loc);
  SymValue finalScalar(LoopState &L, const SymValue &Initial,
                       const std::string &Phi, const ValueRef &Next,
                       clang::SourceLocation Loc, llvm::StringRef What);
  bool mentions(const LoopState &L, const SymValue &V) const;
  //===--- One iteration after the other (Unroll.cpp) --------------------===//
  /// How often \p L runs, where it has to be executed as often: a thread's own
  /// array takes turns in it, or it reads the buffers of a loop before.
  std::optional<int64_t> unrolledTrip(const LoopState &L) const;
  /// \p Index of \p Name is read.
  void noteTurn(const std::string &Name, const IntExpr &Index);
  bool unroll(LoopState &L, int64_t Count);

  //===--- Loops that are left in their middle (EarlyExit.cpp) -----------===//
  /// Whether \p X, which is left at \p Exits, is left in its middle in a way
  /// that may be taken for going on to its next iteration.
  bool findEarlyExits(LoopState &X, llvm::ArrayRef<llvm::Loop::Edge> Exits);
  /// Of \p B, which leaves the loop when \p Leaves: goes on to \p Stay when
  /// not.
  bool goPastExit(Region &R, llvm::BasicBlock *B, const llvm::BasicBlock *Stay,
                  const BoolExpr &Leaves, clang::SourceLocation Loc);
  /// Shows that the loop may be taken so, after its last run; else declines.
  bool provesExits(const LoopState &X, const Region &R);

  //===--- Conditions that no thread may fail (AllThreads.cpp) -----------===//
  void grant(const Given &Asked);
  /// threadIdx and so on, of which a dimension of the block may be given.
  IntExpr special(AtomKind Kind, unsigned Dim) const;
  /// The place that is reached under \p Reached has to be reached by all
  /// threads, unless \p IsUniform says that a number is the same for those that
  /// meet there: finds what the launch would have to be for that.
  void wantAllThreads(const BoolExpr &Reached,
                      llvm::function_ref<bool(const IntExpr &)> IsUniform);

  //===--- Matrix fragments (Fragments.cpp) ------------------------------===//
  /// The counters of the rows and columns of fragments of \p Kind.
  const std::pair<unsigned, unsigned> &fragmentCounters(llvm::Twine Kind);
  /// Whether \p V is or has an element of a matrix fragment, other than of one
  /// with the counters \p But.
  bool isOfFragment(const SymValue &V,
                    std::pair<unsigned, unsigned> But = {~0u, ~0u}) const;

  //===--- What iterations leave (Rotate.cpp) -----------------------------===//
  void findTurns(LoopState &L);
  /// What whoever is in an iteration knows by \p Test, the loop's condition to
  /// go on.
  Simplifier factsAtHead(const LoopState &L, const BoolExpr &Test) const;
  /// \p V, which iterations before have left, by what is known in this one:
  /// `(tile + 1) % tiles` of the one before is the tile of this one.
  SymValue atHead(const LoopState &L, SymValue V) const;
  /// \p When held in the iteration before, for whoever is in this one.
  bool holdsBefore(const LoopState &L, const BoolExpr &When,
                   const BoolExpr &Test) const;
  /// Variables that the iteration before has set. True: one more was found.
  bool rotateCells(LoopState &L);
  /// The same for elements of the thread's own arrays.
  bool rotateWrites(LoopState &L);
  /// What an iteration has stored to shared arrays, at its end.
  void findShared(LoopState &L);
  bool rotateShared(LoopState &L);
  void setSharedHead(LoopState &L);
  void leaveShared(LoopState &L, const Memory &Next);

  std::vector<BoundLoop> bodyLoops() const;
  BoolExpr beforeEnds() const;
  /// \p V, which the loop computed, as the code after the loop sees it.
  SymValue exitValue(const LoopState &L, const llvm::Value *V);

  //===--- Integers (Integers.cpp) ----------------------------------------===//
  SymValue integerOp(const llvm::BinaryOperator &I, const SymValue &L,
                     const SymValue &R);
  /// The same where a register holds two numbers; nothing where none does.
  std::optional<SymValue> pairOp(const llvm::BinaryOperator &I,
                                 const SymValue &L, const SymValue &R);
  /// The type of the two numbers that \p V, a register, holds.
  static std::optional<ScalarType> pairType(const SymValue &V);
  /// The halves of \p V, a register of 32 bits.
  static std::optional<std::array<SymValue, 2>> halvesOf(const SymValue &V);
  /// \p V, of 16 bits, as the lower half of a register.
  SymValue widenHalf(const SymValue &V) const;
  SymValue extend(const SymValue &V, unsigned Width, bool Signed);
  SymValue truncate(const SymValue &V, unsigned Width);
  SymValue compareInts(llvm::CmpInst::Predicate P, const SymValue &L,
                       const SymValue &R);
  /// L ^ R, where one of them has few bits.
  SymValue exclusiveOr(const SymValue &L, const SymValue &R);
  SymValue minMax(const SymValue &L, const SymValue &R, bool Max, bool Signed);
  /// \p V as a mathematical integer: proves or obliges that its bits, read as
  /// a signed or unsigned number, are V.I.
  IntExpr exactly(const SymValue &V, bool Signed);
  void oblige(const IntExpr &E, IntExpr Low, IntExpr High, llvm::Twine What);
  bool nonNegative(const IntExpr &E);
  bool inSmallBlocks(const IntExpr &E);
  bool positive(const IntExpr &E);
  bool provablyNonNegative(const IntExpr &E) const;

  //===--- Numbers (Numbers.cpp) ------------------------------------------===//
  SymValue floatOp(const llvm::Instruction &I);
  SymValue dataOp(const llvm::BinaryOperator &I, const SymValue &L,
                  const SymValue &R);
  SymValue compareFloats(llvm::CmpInst::Predicate P, const SymValue &L,
                         const SymValue &R, const llvm::Type *T);
  SymValue castOp(const llvm::CastInst &I);
  /// \p V as a floating-point number of the IR type \p T.
  SymValue asFloat(const SymValue &V, const llvm::Type *T);
  /// \p V as a number of type \p T, whose bits it is.
  SymValue asNumber(const SymValue &V, ScalarType T);
  /// \p V converted to \p T as C++ does.
  SymValue convert(const SymValue &V, ScalarType T);
  /// Loaded integer data read as a number of type \p T of the same width.
  ValueRef reread(const SymValue &V, ScalarType T);
  BoolExpr toBool(const SymValue &V);
  std::optional<IntExpr> integral(const ValueRef &V);
  SymValue integerOf(const IntExpr &E, unsigned Width, bool Signed);

  //===--- Calls (Calls.cpp, Known.cpp) -----------------------------------===//
  SymValue call(llvm::CallBase &Call);
  SymValue intrinsic(llvm::CallBase &Call, llvm::Function &F);
  SymValue keptCall(llvm::CallBase &Call, llvm::Function &F,
                    const FunctionInfo &Info);
  SymValue knownCall(llvm::CallBase &Call, const FunctionInfo &Info,
                     KnownOp Op);
  SymValue mathCall(llvm::CallBase &Call, const FunctionInfo &Info);
  /// The numbers that argument \p N (or the object, at -1) stands for.
  std::vector<SymValue> argumentNumbers(llvm::CallBase &Call,
                                        const FunctionInfo &Info, int N);
  /// A value of the call's IR type from numbers of the result's C++ type.
  SymValue packResult(llvm::CallBase &Call, const FunctionInfo &Info,
                      std::vector<SymValue> Lanes);
  SymValue packType(llvm::Type *T, std::vector<SymValue> &Lanes, size_t &Next);
  llvm::Value *argument(llvm::CallBase &Call, const FunctionInfo &Info, int N);

  //===--- Memory (Memory.cpp) --------------------------------------------===//
  SymValue addressOf(const llvm::GEPOperator &G);
  SymValue loadType(const SymValue &P, llvm::Type *T);
  SymValue loadPiece(const SymValue &P, unsigned Size);
  bool storeType(const SymValue &P, const SymValue &V, llvm::Type *T);
  bool storePiece(const SymValue &P, SymValue V, unsigned Size);
  bool fillZero(const SymValue &P, uint64_t Size);
  /// Makes one store of those to an object of the thread's own that has become
  /// zero piece by piece.
  void settleZeros();
  bool copyBytes(const SymValue &To, const SymValue &From, int64_t Size);
  SymValue loadParameterObject(const SymValue &P, unsigned Size);
  SymValue loadGlobal(const SymValue &P, llvm::Type *T);
  SymValue leafValue(const ParamLeaf &L);
  enum class Alias { Yes, No, Maybe };
  Alias matches(const Write &W, const IntExpr &Index, unsigned Size,
                bool InElements, std::map<unsigned, IntExpr> &At) const;
  Alias matchesFamily(const Write &W, const IntExpr &Index, unsigned Size,
                      std::map<unsigned, IntExpr> &At);
  SymValue readArray(const std::string &Name, const IntExpr &Index,
                     unsigned Size);
  std::optional<IntExpr> elementAt(const IntExpr &Bytes, unsigned Size);
  void noteOffset(const SymValue &Pointer);
  //===--- Fragments of a warp (Fragments.cpp) ----------------------------===//
  SymValue fragmentCall(llvm::CallBase &Call, llvm::StringRef Name);

  //===--- Asynchronous copies (Async.cpp) --------------------------------===//
  /// Where \p Given holds, so does \p C.
  bool knows(const BoolExpr &Given, const BoolExpr &C) const;
  /// What \p E does to the copy \p W, which came before it.
  void happen(const CopyEvent &E, Write &W) const;
  /// The same to all of them.
  void copyEvent(CopyEvent E);
  void commitCopies();
  /// Until all but \p Prior groups are there.
  void waitForCopies(const IntExpr &Prior, const BoolExpr &When);
  /// Copies \p Copied bytes, and zeros up to \p Size.
  bool copyAsync(const SymValue &To, const SymValue &From, int64_t Size,
                 const IntExpr &Copied);
  /// Fails when the kernel stores to what it copies from.
  bool checkCopySources();
  /// Fails when \p W, at \p Index in pieces, may be to an element that a copy
  /// is under way to.
  bool noteUnderWay(const Write &W, const IntExpr *Index);
  /// What an iteration has left as \p W, at the head of the next one; or behind
  /// the loop, where there is none (\p Leaves).
  Write atNextHead(const LoopState &L, const Write &W,
                   bool Leaves = false) const;
  /// The copy \p Head at the head of an iteration, at the next one's.
  Write afterIteration(const LoopState &L, Write Head,
                       bool Leaves = false) const;
  /// Of what is said of \p Head, what holds at the head of the first iteration,
  /// where it is \p Before.
  Write asFarAs(const LoopState &L, Write Head, const Write &Before) const;
  void findUnderWay(LoopState &L);
  void putUnderWay(LoopState &L);
  void leaveUnderWay(const LoopState &L, const Memory &Next);
  /// The copy \p Entry from before the loop, which is \p Left at the end of its
  /// iterations, after it.
  Write afterLoop(const LoopState &L, const Write &Entry,
                  const Write &Left) const;
  //===--- Inline assembly (Assembly.cpp) ---------------------------------===//
  SymValue assembly(llvm::CallBase &Call);

  //===--- Matrices in registers (Matrices.cpp) ---------------------------===//
  /// Fails unless all threads of a warp come here together; \p What is here.
  bool reachedByWarp(llvm::StringRef What);
  /// The registers that are loaded; none where it fails.
  std::vector<SymValue> loadMatrices(const LoadMatrixForm &F,
                                     const SymValue &Address);
  /// \p Registers: those of A, B and C; the result's, none where it fails.
  std::vector<SymValue> multiplyMatrices(const MultiplyForm &F,
                                         llvm::ArrayRef<SymValue> Registers);
  /// The counters of the terms of mma.sync.
  const std::array<unsigned, 3> &termCounters();

  //===--- Shared memory (Shared.cpp) -------------------------------------===//
  std::string sharedName(const llvm::GlobalVariable &G) const;
  void declareShared();
  /// Shows that \p E is not negative, or has the launcher check it. False if
  /// it is negative or does not depend on launch and parameters alone.
  bool demand(const IntExpr &E, llvm::Twine Reason);
  bool plausible(const IntExpr &E, const Simplifier &Facts) const;
  const Family *familyFor(const Write &W);
  /// A subscript of an array of \p Count elements, which C++ has below that:
  /// what this says about the block is asked of it.
  void keepInside(const IntExpr &Subscript, uint64_t Count);
  /// Fails when an access is outside of the array for sure.
  bool checkInside(const std::string &Name, const IntExpr &Bytes,
                   unsigned Size);
  bool isOtherBuffer(const std::pair<std::string, int64_t> &Turn,
                     const IntExpr &Base, const IntExpr &From,
                     const Simplifier &Facts, Ensure Demand,
                     const IntExpr &Span) const;
  /// Where \p Index is in \p F, without anything but buffers that take turns
  /// being asked of the launch.
  Origin elsewhere(const Family &F, const IntExpr &Index,
                   const Simplifier &Facts, const std::string &Name);
  /// \p E where what was asked of the launch says whose turn it is
  /// (LastTurn.cpp).
  IntExpr withKnownTurns(const IntExpr &E) const;
  /// Has the launcher see to it that the last turn of \p F is that of the
  /// buffer with the element \p Index. False if there is nothing to ask for.
  bool askForTurn(const Family &F, const IntExpr &Index,
                  const Simplifier &Facts);
  /// Asks for a thread below the width of rows that are shifted, where that is
  /// what \p Index, of a thread's column that is shifted alike, means.
  void askForColumns(const Family &F, const Origin &O, const IntExpr &Index,
                     Ensure Demand);
  /// Under which condition the member at \p O was stored; nothing where that
  /// is not one member.
  std::optional<BoolExpr> memberWhen(const Family &F, Origin &O,
                                     const Simplifier &Facts) const;
  SymValue readShared(const std::string &Name, const IntExpr &Bytes,
                      unsigned Size);
  /// Fails when other threads may still read what \p W overwrites.
  bool noteSharedStore(const Write &W);
  /// Makes lanes of vectors that were stored in this phase one store; those
  /// from \p FirstId on.
  void rollUpShared(unsigned FirstId);
  bool ownThread(const Origin &O);
  bool barrier();

  BoolExpr totalActive() const;
  ArrayState &localArray(const std::string &Name);

  //===--- Shared ---------------------------------------------------------===//
  bool fail(DiagID ID, clang::SourceLocation Loc, llvm::Twine Message);
  SymValue failValue(DiagID ID, llvm::Twine Message) {
    fail(ID, here(), Message);
    return {};
  }
  SymValue unknown(DiagID ID, llvm::Twine Why) {
    return SymValue::unknown(ID, here(), Why);
  }
  void require(BoolExpr C, llvm::Twine Reason);
  /// The user's token behind the instruction that is being executed.
  clang::SourceLocation here() const;
  clang::SourceLocation locationOf(const llvm::Instruction &I) const;
  SymValue numbered(ValueRef V);
  /// The float \p V as a call of nvcuda::wmma::__float_to_tf32.
  SymValue roundedToTF32(const SymValue &V);
  ValueRef at(ValueRef V) const;

  const KernelModule &Module;
  const KernelIR &Kernel;
  const llvm::DataLayout &Layout;
  Memory S;
  /// Under which condition the block being executed is reached, relative to
  /// the enclosing loop body or function.
  BoolExpr Active;
  /// The same for the loops and calls around it.
  std::vector<BoolExpr> OuterActive;
  std::vector<BoundLoop> LiveLoops;
  std::vector<const llvm::BasicBlock *> LiveHeaders; ///< null: tests last
  std::vector<std::unique_ptr<Frame>> Frames;
  llvm::DenseMap<llvm::Function *, std::unique_ptr<Shape>> Shapes;
  llvm::StringMap<const ParamLeaf *> Leaves;
  std::vector<Requirement> Requires;
  std::vector<Obligation> Obligations;
  std::vector<Trap> Traps;
  BoolExpr Granted; ///< conditions that every thread meets
  std::array<int64_t, 3> Block = {0, 0, 0};
  bool DividesBlock = false;
  bool UsesLanes = false;    ///< what the lanes of a warp hold
  bool DividesWarps = false; ///< the number of a warp along x
  std::vector<ForAll> Wanted;
  Ranges Bounds;
  std::map<unsigned, clang::SourceLocation> CounterLoop;
  /// By a loop's counter: shared arrays of which it reads one buffer after the
  /// other, the first of which is not known as a number.
  std::map<unsigned, std::set<std::string>> TurnsRead;
  std::optional<Failure> Failed;
  const llvm::Instruction *Current = nullptr;
  unsigned NextCounter = 0, NextPhi = 0, NextWrite = 1, NextFrame = 0;
  /// By the kind of a matrix fragment (use, shape, order) the counters of its
  /// rows and columns. What is in a fragment of another kind is at other
  /// elements.
  std::map<std::string, std::pair<unsigned, unsigned>> FragmentCounters;
  bool StoresFragment = false; ///< all threads of a warp together
  std::optional<std::array<unsigned, 3>> TermCounters;
  /// Shared arrays as the user calls them, in quotes.
  std::map<std::string, std::string> SharedNames;
  std::map<unsigned, std::optional<Family>> Families; ///< by Write::Id
  /// Subscripts of shared arrays, with the number of elements: where they are
  /// used.
  std::map<std::pair<std::string, uint64_t>, BoolExpr> Inside;
  unsigned Phase = 1, Barriers = 0;
  /// In this iteration of the innermost loop.
  std::vector<CopyEvent> CopyEvents;
  /// What is stored is copied asynchronously.
  bool Asynchronous = false;
  /// Arrays that are copied from asynchronously, and where.
  std::map<std::string, clang::SourceLocation> CopiedFrom;
  /// A barrier was passed in this iteration of the innermost loop.
  BoolExpr Passed = BoolExpr::constant(false);
  /// What of OuterActive is outside of that loop.
  size_t LoopBase = 0;
  /// Why values that were not set in every case are not known: by their names.
  std::map<std::string, SymValue> Unset;
  std::map<unsigned, BoolExpr> Reached;
  /// What the kernel multiplies blockIdx by before it adds threadIdx: a sign of
  /// the block's width, and no more than that.
  int64_t Width[3] = {0, 0, 0};
  bool UsedThreads[3] = {false, false, false}; ///< dimensions of threadIdx
  unsigned HeadWrite = 0; ///< the first store of the innermost iteration
  bool NarrowOffset = false, NarrowSigned = false;
  bool LoadAfterStore = false;
  /// While a loop is probed, what is found is not what will be.
  unsigned Probing = 0;
  /// Of that, while only its types and places are asked for.
  unsigned Outlining = 0;
  unsigned Steps = 0;
};

/// Writes \p Update as phi + summand: the summand, or null when it is not of
/// that form. \p Guard is the condition under which there is a summand;
/// \p Rounded becomes the narrowest type that the running sum is cut to.
ValueRef stripPhi(const ValueRef &Update, llvm::StringRef Phi, BoolExpr &Guard,
                  ScalarType &Rounded);
bool mentionsPhi(const IntExpr &E);
bool isFragmentIntrinsic(llvm::StringRef Name);
/// Whether all threads of a warp have the same \p E, where the width of a block
/// is a multiple of 32.
bool isWarpUniform(const IntExpr &E);
/// \p V with counter \p Counter replaced.
SymValue withCounter(SymValue V, unsigned Counter, const IntExpr &By);
Write withCounter(Write W, unsigned Counter, const IntExpr &By);

/// What a loop's header may do in the iteration whose test fails: nothing that
/// is seen outside of \p L.
bool isHarmless(const llvm::Instruction &I, const llvm::Loop &L,
                const KernelModule &Module);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_EXECUTOR_H
