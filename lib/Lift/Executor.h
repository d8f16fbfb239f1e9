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
#include "Given.h"
#include "LoopState.h"
#include "Parts.h"
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

/// The names of phis begin with this; a user's name cannot.
constexpr llvm::StringLiteral PhiPrefix = "phi#";

struct LoadMatrixForm;
struct MultiplyForm;

class Executor {
public:
  using ForAll = symbolic::ForAll;
  using Given = symbolic::Given;
  Executor(const KernelModule &Module, const KernelIR &Kernel, Given Asked);

  /// Executes the kernel. False: see failure().
  bool run();
  /// Conditions that were not assumed, but without which the run could not go
  /// on past a barrier. Lift.cpp executes the kernel again with them.
  const std::vector<ForAll> &wanted() const { return Wanted; }
  /// The conditions of the launch (isOfLaunch) by which the kernel goes one way
  /// or another. Each is there once, also if its opposite is tested too.
  const std::vector<BoolExpr> &choices() const { return Choices; }
  /// By the name of a pointer parameter, the type of the bytes that the kernel
  /// takes out of the 32-bit integers behind it. Lift.cpp then executes the
  /// kernel again, with bytes as the elements.
  const std::map<std::string, ScalarType> &packed() const { return Packed; }
  /// The number of dimensions of the block if knowing its size would help,
  /// because the kernel divides the block's width or has its warps multiply
  /// matrices; otherwise 0.
  unsigned dividedDimensions() const {
    return !DividesBlock && !UsesLanes ? 0 : usedDimensions();
  }
  /// The number of dimensions of the block that the kernel tells apart.
  unsigned usedDimensions() const {
    return UsedThreads[2] ? 3 : UsedThreads[1] ? 2 : 1;
  }
  /// Whether the kernel multiplies matrices in registers and computes no warp
  /// number from threadIdx.x, so that its block may be one warp wide.
  bool mayBeWarpWide() const { return UsesLanes && !DividesWarps; }
  /// Whether the kernel uses the width of its block beside warps.
  bool stepsBesideWarps() const;
  /// Whether the kernel may mean the same by both widths of its block.
  bool mayBeSquare() const { return UsesBlockDim[0] && UsesBlockDim[1]; }
  /// Whether lanes exchange what they have, and other dimensions than the first
  /// are used: perhaps only to number the threads of a block.
  bool mayBeRow() const { return Exchanges && usedDimensions() > 1; }
  /// The last shuffle whose result is understood: its place and its name.
  const auto &shuffle() const { return Shuffle; }
  bool syncsWarps() const { return SyncsWarps; }
  /// Barriers of the block so far, outside of all loops and conditions.
  unsigned plainBarriers() const { return PlainBarriers; }
  /// Shared arrays whose accesses no barrier of the block orders.
  const std::set<std::string> &unordered() const { return Unordered; }
  /// Shared arrays by which iterations may hand on elements.
  const std::set<std::string> &handedOn() const { return HandedOn; }
  unsigned steps() const { return Steps; } ///< instructions executed
  /// Whether it could help to be Given WholeWarps, and so on.
  bool mayHaveWholeWarps() const { return DividesWarps && !UsesLanes; }
  bool mayHaveWholeDivisors() const { return DividesMultiples; }
  bool mayHaveWholeSlices() const { return CutsSlices; }
  bool choosesStored() const { return !ChoosesStored.empty() || RunsUpTo; }
  /// What could be Given of arguments that the kernel divides.
  const Multiples &divided() const { return Divided; }
  const std::optional<Failure> &failure() const { return Failed; }
  Memory &finalMemory() { return S; }
  /// Conditions on parameters and launch that were assumed during execution.
  const std::vector<Requirement> &requirements() const { return Requires; }
  /// Facts that have to be shown when the indices are known.
  const std::vector<Obligation> &obligations() const { return Obligations; }
  const Ranges &ranges() const { return Bounds; }
  const std::vector<Trap> &traps() const { return Traps; }
  /// For each loop counter the place where its loop begins.
  const auto &loops() const { return CounterLoop; }
  /// Arrays whose elements are added to by atomic operations, and where.
  const auto &atomics() const { return Atomics; }
  bool anyNarrowOffset() const { return NarrowOffset; }
  bool narrowOffsetsUnsigned() const { return !NarrowSigned; }
  unsigned freeCounter() const { return NextCounter; }
  const std::map<std::string, SymValue> &unset() const { return Unset; }
  /// For each loop counter the condition under which the loop is reached.
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
  struct Frame {
    llvm::Function *Function;
    Shape *Form;
    llvm::DenseMap<const llvm::Value *, SymValue> Values;
    /// Conditions under which the values are known (Carried::While).
    llvm::DenseMap<const llvm::Value *, BoolExpr> Only;
    /// Loops whose execution is complete, by their exiting block.
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
    /// For a loop: the condition under which it continues.
    BoolExpr Continue;
    clang::SourceLocation ContinueLoc;
    bool Tested = false;
    /// For a loop: blocks that leave it in its middle, and the conditions under
    /// which they do (EarlyExit.cpp).
    const std::set<const llvm::BasicBlock *> *Early = nullptr;
    std::vector<std::pair<BoolExpr, clang::SourceLocation>> LeftWhen;
  };
  /// \p Header is reached under \p Start.
  bool runRegion(Region &R, llvm::BasicBlock *Header, BoolExpr Start = {});
  bool runBlock(Region &R, llvm::BasicBlock *B);
  bool runTerminator(Region &R, llvm::BasicBlock *B);
  /// Records that \p B, which does not return, is reached under \p When.
  bool recordTrap(const llvm::BasicBlock &B, const BoolExpr &When);
  /// Whether threads hand values to each other in \p L; then it fails for that.
  bool exchangesIn(const llvm::Loop &L);
  BoolExpr reachOf(Region &R, llvm::BasicBlock *B);
  /// The block that stands for \p B in a region: the header of the inner loop
  /// that it is in, or itself.
  const llvm::BasicBlock *representative(const Region &R,
                                         const llvm::BasicBlock *B) const;
  SymValue mergePhi(Region &R, const llvm::PHINode &Phi);
  bool execute(llvm::Instruction &I);
  SymValue evaluate(llvm::Instruction &I);
  SymValue valueOf(const llvm::Value *V);
  /// A number of a type that is not set, or for other types \p Reason.
  SymValue notSet(const llvm::Type *T, const SymValue &Reason);
  SymValue notSet(ScalarType T, const SymValue &Reason);
  SymValue constantValue(const llvm::Constant &C);
  Shape &shapeOf(llvm::Function &F);

  //===--- Loops (Loops.cpp) ----------------------------------------------===//
  bool runLoop(Region &Outer, llvm::Loop &L, const BoolExpr &Active);
  void setHead(LoopState &L, bool Closed);
  bool iterate(LoopState &L, bool Closed);
  bool findCarried(LoopState &L);
  bool findStored(LoopState &L);
  std::string newPhi(LoopState &L);
  /// A loop with its test at its end runs at least once, whatever \p Trip is.
  /// Shows or requires that it is at least 1 here.
  void requireIteration(const IntExpr &Trip, llvm::StringRef Why);
  /// The execution of the body with which everything about the loop is known.
  bool runLast(LoopState &L, const BoolExpr &Entry);
  /// What comes after runLast(). \p OuterHead is HeadWrite before the loop.
  bool leaveLast(LoopState &L, unsigned OuterHead);
  bool leaveLoop(LoopState &L);
  std::optional<IntExpr> tripCount(const BoolExpr &Condition, unsigned Counter,
                                   clang::SourceLocation Loc);
  SymValue finalScalar(LoopState &L, SymValue Initial, const std::string &Phi,
                       ValueRef Next, clang::SourceLocation Loc,
                       llvm::StringRef What);
  bool mentions(const LoopState &L, const SymValue &V) const;
  //===--- Loops that were understood before (KnownLoops.cpp) -------------===//
  /// Remembers what was found out about \p L. \p Unrolled: it was executed one
  /// iteration after the other, so many.
  void keepKnown(const LoopState &L, std::optional<int64_t> Unrolled);
  /// Executes \p L, of which only the beginning is known, by what an earlier
  /// analysis has found. False, and nothing has changed, if there is none, or
  /// if it does not hold here.
  bool runKnown(LoopState &L, const BoolExpr &Entry, unsigned OuterHead);
  bool tryKnown(LoopState &L, const KnownLoop &Known, const BoolExpr &Entry,
                unsigned OuterHead);
  /// Whether the last execution of \p L agrees with what was assumed of it.
  bool agrees(LoopState &L);
  //===--- Sums that threads add up together (Lanes.cpp) -----------------===//
  /// What a shuffle gives, or a sum of what lanes have.
  struct Exchanged {
    enum class Kind { Xor, Down, From } How = Kind::Xor;
    unsigned Bit = 0;  ///< of the lane's number
    unsigned Zero = 0; ///< bits that have to be 0 for Result to be known
    ValueRef Before;   ///< what the lanes gave
    ValueRef Of;       ///< the same with the lane in bits
    ValueRef Result;
  };
  /// What a shuffle gives; nothing if that is not understood.
  std::optional<SymValue> exchange(const SymValue &Mask, const SymValue &V,
                                   const SymValue &Amount,
                                   const SymValue &Width, Exchanged::Kind How);
  ValueRef whereZero(unsigned Bits, ValueRef V);
  std::optional<SymValue> fromLane(const SymValue &V, const IntExpr &Lane);
  /// The sum of what the lanes that \p Mask names have, in each of them.
  std::optional<SymValue> sumOfLanes(const SymValue &Mask, const SymValue &V);
  /// \p V with the lane in bits, and the bits that have to be 0 for it to be
  /// known; nothing if what other lanes have is not known.
  std::optional<std::pair<ValueRef, unsigned>> inLanes(const SymValue &V);
  /// \p E with quotients of threads that conditions say to be multiples.
  IntExpr inMultiples(const IntExpr &E) const;
  void takeMultiples(IntExpr &Index, SymValue &V) const; ///< the same, in both
  /// \p L plus \p R, if that is a sum over threads; null otherwise.
  ValueRef addedTogether(ValueRef L, ValueRef R);
  //===--- Lanes that execute an operation together (Masks.cpp) ----------===//
  /// The number of neighbours in each group of lanes that \p Mask names;
  /// nothing if it names other lanes. Those that a mask leaves out do not come
  /// here.
  std::optional<int64_t> lanesTogether(const SymValue &Mask);
  /// What `__activemask()` and `__ballot_sync()` give; nothing if that is not
  /// understood.
  std::optional<SymValue> vote(llvm::StringRef Name,
                               llvm::ArrayRef<SymValue> Arguments);
  SymValue laneNumber(); ///< of this thread in its warp
  /// 2 to the power of \p Amount, as a polynomial of its bits.
  std::optional<IntExpr> powerOfTwo(const SymValue &Amount);
  void requireWholeWarps(); ///< warps consist of neighbours along x
  //===--- One iteration after the other (Unroll.cpp) --------------------===//
  /// The number of iterations of \p L, if it has to be executed one iteration
  /// after the other: because parts of a thread's local array take turns in it,
  /// or because it reads the buffers that an earlier loop has filled.
  std::optional<int64_t> unrolledTrip(const LoopState &L) const;
  /// Notes that \p Name is read at \p Index.
  void noteTurn(const std::string &Name, const IntExpr &Index);
  /// With \p Tested, the tests have to say that \p Count is right.
  bool unroll(LoopState &L, int64_t Count, bool Tested = false);
  /// How often \p L runs at most, if each iteration is to be executed as an if.
  std::optional<int64_t> mostIterations(LoopState &L);
  bool unrollUpTo(LoopState &L, int64_t Most);
  /// The number of iterations of a loop over numbers that are known one by one:
  /// `for (int s = 128; s > 0; s /= 2)`. With \p Uneven, also of one that
  /// counts evenly, while other variables do not.
  std::optional<int64_t> countedOut(const LoopState &L,
                                    bool Uneven = false) const;
  static bool stepsUnevenly(const LoopState &L);

  //===--- Loops that are left in their middle (EarlyExit.cpp) -----------===//
  /// Whether the block that begins and may end \p X works before its test.
  bool worksFirst(const LoopState &X) const;
  /// Finds exits from the middle of \p X that do what going on does, or fails.
  bool findEarlyExits(LoopState &X, llvm::ArrayRef<llvm::Loop::Edge> Exits);
  /// Lets block \p B, which leaves the loop under \p Leaves, always continue
  /// with \p Stay, and records the condition.
  bool goPastExit(Region &R, llvm::BasicBlock *B, const llvm::BasicBlock *Stay,
                  const BoolExpr &Leaves, clang::SourceLocation Loc);
  bool addBreaks(LoopState &L);
  bool endEarlier(const LoopState &X, IntExpr &Trip);
  /// After the last execution of the loop, shows that its early exits are of
  /// the kind that findEarlyExits() assumed; otherwise declines.
  bool provesExits(const LoopState &X, const Region &R);

  //===--- Conditions that no thread may fail (AllThreads.cpp) -----------===//
  void grant(const Given &Asked);
  /// \p C without what is granted: true or false if that decides it.
  BoolExpr underGrants(BoolExpr C) const;
  /// Adds \p C to choices() if it is one.
  void noteChoice(const BoolExpr &C);
  /// Of two numbers of which the smaller one is meant, the one that depends on
  /// the block, if it is required to be the smaller one for all blocks: the end
  /// of a slice, `min(begin + width, K)`.
  std::optional<IntExpr> endOfSlice(const IntExpr &A, const IntExpr &B);
  /// Requires that the launch does not come here under \p When; false if that
  /// depends on more than the launch.
  bool notReached(const BoolExpr &When, llvm::Twine Reason);
  /// threadIdx, blockIdx, blockDim or gridDim. A given dimension of the block
  /// is a number, and so is the thread's index in a dimension of one thread.
  IntExpr special(AtomKind Kind, unsigned Dim) const;
  /// The place that is reached under \p Reached must be reached by all threads;
  /// conditions of which \p IsUniform holds are the same for all threads that
  /// meet there. Finds requirements on the launch that ensure this and adds
  /// them to Wanted.
  void wantAllThreads(const BoolExpr &Reached,
                      llvm::function_ref<bool(const IntExpr &)> IsUniform);

  //===--- Matrix fragments (Fragments.cpp) ------------------------------===//
  /// The counters of the rows and columns of fragments of \p Kind.
  const std::pair<unsigned, unsigned> &fragmentCounters(llvm::Twine Kind);
  /// Whether \p V is or contains an element of a matrix fragment, other than of
  /// the fragment with the counters \p But.
  bool isOfFragment(const SymValue &V,
                    std::pair<unsigned, unsigned> But = {~0u, ~0u}) const;

  //===--- What iterations leave (Rotate.cpp) -----------------------------===//
  /// Values that take turns (Turns.cpp).
  void findTurns(LoopState &L);
  void findExchanged(LoopState &L,
                     llvm::function_ref<bool(BoolExpr)> HeldBefore) const;
  void setTurn(Carried &C, const IntExpr &Value, bool Always) const;
  /// The facts that hold in an iteration, given \p Test, the condition under
  /// which the loop continues.
  Simplifier factsAtHead(const LoopState &L, const BoolExpr &Test) const;
  /// \p V, a value that earlier iterations have left, simplified by what is
  /// known in this iteration: `(tile + 1) % tiles` in the previous one is this
  /// iteration's tile.
  SymValue atHead(const LoopState &L, SymValue V) const;
  /// Whether it is known in this iteration that \p When held in the previous
  /// one.
  bool holdsBefore(const LoopState &L, const BoolExpr &When,
                   const BoolExpr &Test) const;
  /// Finds variables whose value at the head is what the previous iteration has
  /// set. True if it has found one more.
  bool rotateCells(LoopState &L);
  /// The same for elements of the thread's local arrays.
  bool rotateWrites(LoopState &L);
  /// Collects what an iteration has stored to shared arrays, at its end.
  void findShared(LoopState &L);
  bool rotateShared(LoopState &L);
  void setSharedHead(LoopState &L);
  void leaveShared(LoopState &L, const Memory &Next);

  std::vector<BoundLoop> bodyLoops() const;
  BoolExpr beforeEnds() const;
  /// \p V, a value of the loop's body, as the code after the loop sees it.
  SymValue exitValue(const LoopState &L, const llvm::Value *V);

  //===--- Integers (Integers.cpp) ----------------------------------------===//
  SymValue integerOp(const llvm::BinaryOperator &I, const SymValue &L,
                     const SymValue &R);
  /// Notes that \p V, made of 32-bit elements or, if \p Part is floating-point,
  /// of integers, is taken apart into numbers of type \p Part.
  void notePacked(const ValueRef &V, ScalarType Part);
  void noteElements(const SymValue &P, llvm::Type *T, bool Stored = false);
  void noteMeeting(const SymValue &A, const SymValue &B);
  /// The same for a register that holds several numbers; nothing if neither
  /// operand does.
  std::optional<SymValue> byteOp(const llvm::BinaryOperator &I,
                                 const SymValue &L, const SymValue &R);
  std::optional<SymValue> pairOp(const llvm::BinaryOperator &I,
                                 const SymValue &L, const SymValue &R);
  /// The type of the two numbers that \p V, a register, holds.
  static std::optional<ScalarType> pairType(const SymValue &V);
  /// The halves of \p V, a register of 32 bits.
  static std::optional<std::array<SymValue, 2>> halvesOf(const SymValue &V);
  /// \p V, of 8 or 16 bits, as the lowest part of a register.
  SymValue widenNarrow(const SymValue &V) const;
  SymValue extend(const SymValue &V, unsigned Width, bool Signed);
  SymValue truncate(const SymValue &V, unsigned Width);
  SymValue compareInts(llvm::CmpInst::Predicate P, const SymValue &L,
                       const SymValue &R);
  /// L ^ R, where one of them has few bits.
  SymValue exclusiveOr(const SymValue &L, const SymValue &R);
  /// \p L | \p R. \p V has what does not depend on the result's number: its
  /// width, and how it was computed.
  SymValue inclusiveOr(const SymValue &L, const SymValue &R, SymValue V);
  /// The condition whose value, 0 or 1, the integer is; nothing if it is not
  /// known to be one.
  static std::optional<BoolExpr> asCondition(const SymValue &V);
  SymValue minMax(const SymValue &L, const SymValue &R, bool Max, bool Signed);
  /// \p V as a mathematical integer: proves or obliges that its bits, read as
  /// a signed or unsigned number, are V.I.
  IntExpr exactly(const SymValue &V, bool Signed);
  void oblige(const IntExpr &E, IntExpr Low, IntExpr High, llvm::Twine What);
  bool nonNegative(const IntExpr &E);
  bool inSmallBlocks(const IntExpr &E);
  bool positive(const IntExpr &E);
  /// A number by which both can be divided: with WholeDivisors, \p Divisor is
  /// required to be a multiple of a constant of which \p Multiple is one.
  IntExpr commonDivisor(const IntExpr &Multiple, const IntExpr &Divisor);
  bool provablyNonNegative(const IntExpr &E) const;

  //===--- Numbers (Numbers.cpp) ------------------------------------------===//
  SymValue floatOp(const llvm::Instruction &I);
  /// Operations on the bits of loaded integers (Bits.cpp).
  SymValue bitOp(const llvm::BinaryOperator &I, const SymValue &L,
                 const SymValue &R);
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
  SymValue atomicCall(llvm::CallBase &Call, const FunctionInfo &Info);
  /// A call of \p Name, which does something that nobody else can do.
  SymValue effect(llvm::StringRef Name);
  SymValue intrinsic(llvm::CallBase &Call, llvm::Function &F);
  SymValue keptCall(llvm::CallBase &Call, llvm::Function &F,
                    const FunctionInfo &Info);
  SymValue knownCall(llvm::CallBase &Call, const FunctionInfo &Info,
                     KnownOp Op);
  /// Conversions between bits of types of 8 bits and other numbers
  /// (Float8.cpp).
  SymValue toFloat8(llvm::CallBase &Call, const FunctionInfo &Info);
  SymValue fromFloat8(llvm::CallBase &Call, const FunctionInfo &Info);
  /// The number of type \p T whose bits \p V is, if it is one that is kept in
  /// an integer (StoredBits.cpp). If it was loaded as an integer, notes that.
  std::optional<SymValue> readBits(const SymValue &V, ScalarType T);
  /// A call of `__ushort_as_half` and the like of such bits.
  std::optional<SymValue> bitsCall(llvm::CallBase &Call,
                                   const FunctionInfo &Info);
  /// The number whose bits \p V, which is stored as an integer, is; null if it
  /// is an integer.
  static ValueRef numberOfBits(const ValueRef &V);
  std::optional<ScalarType> float8Of(llvm::CallBase &Call,
                                     const FunctionInfo &Info, int N);
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
  SymValue addressOf(const llvm::GEPOperator &G, SymValue P);
  /// \p P, the address of a store to a shared array, as a pointer that chooses
  /// between the two places that \p P selects by the number of the thread.
  std::optional<SymValue> twoPlaces(const SymValue &P) const;
  /// Executes \p Access for both sides of \p Choice, a pointer into one of two
  /// arrays, each under the condition that it is meant.
  bool onSides(const SymValue &Choice,
               llvm::function_ref<bool(const SymValue &)> Access);
  /// The same for accesses with results, between which the condition chooses.
  SymValue ofSides(const SymValue &Choice,
                   llvm::function_ref<SymValue(const SymValue &)> Access);
  SymValue loadType(const SymValue &P, llvm::Type *T);
  SymValue loadPiece(const SymValue &P, unsigned Size);
  bool storeType(const SymValue &P, const SymValue &V, llvm::Type *T);
  bool storePiece(const SymValue &P, SymValue V, unsigned Size);
  bool fillZero(const SymValue &P, uint64_t Size);
  /// Represents the stores to a local object by one store, if they have set all
  /// of it to zero piece by piece.
  void settleZeros();
  bool copyBytes(const SymValue &To, const SymValue &From, int64_t Size);
  SymValue loadParameterObject(const SymValue &P, unsigned Size);
  SymValue loadGlobal(const SymValue &P, llvm::Type *T);
  SymValue constantElement(const SymValue &P, const llvm::GlobalVariable &G,
                           llvm::Type *T);
  bool isInTable(const IntExpr &Place, size_t Count) const;
  std::optional<SymValue> chosenFrom(llvm::ArrayRef<SymValue> Table,
                                     const IntExpr &Index, unsigned Size) const;
  SymValue leafValue(const ParamLeaf &L);
  enum class Alias { Yes, No, Maybe };
  Alias matches(const Write &W, const IntExpr &Index, unsigned Size,
                bool InElements, std::map<unsigned, IntExpr> &At) const;
  Alias matchesFamily(const Write &W, const IntExpr &Index, unsigned Size,
                      std::map<unsigned, IntExpr> &At);
  SymValue readArray(const std::string &Name, const IntExpr &Index,
                     unsigned Size);
  /// The stores to the local array \p Name, with one store for those that a
  /// loop could make.
  const std::vector<Write> &rolledUp(const std::string &Name);
  std::optional<IntExpr> elementAt(const IntExpr &Bytes, unsigned Size);
  void noteOffset(const SymValue &Pointer);
  //===--- Fragments of a warp (Fragments.cpp) ----------------------------===//
  SymValue fragmentCall(llvm::CallBase &Call, llvm::StringRef Name);

  //===--- Asynchronous copies (Async.cpp) --------------------------------===//
  /// Whether \p C holds wherever \p Given does.
  bool knows(const BoolExpr &Given, const BoolExpr &C) const;
  /// Applies the event \p E to the copy \p W, which was issued before it.
  void happen(const CopyEvent &E, Write &W) const;
  /// Applies the event to all copies.
  void copyEvent(CopyEvent E);
  void commitCopies();
  /// Waits until all but the last \p Prior groups are complete.
  void waitForCopies(const IntExpr &Prior, const BoolExpr &When);
  /// Copies \p Copied bytes and fills with zeros up to \p Size.
  bool copyAsync(const SymValue &To, const SymValue &From, int64_t Size,
                 const IntExpr &Copied);
  /// Fails if the kernel stores to an array from which it copies
  /// asynchronously.
  bool checkCopySources();
  /// Fails if \p W, at \p Index in pieces, may store to an element whose
  /// asynchronous copy may be in flight.
  bool noteUnderWay(const Write &W, const IntExpr *Index);
  /// What an iteration has left as \p W, as the head of the next iteration
  /// finds it; with \p Leaves, as the code after the loop finds it.
  Write atNextHead(const LoopState &L, const Write &W,
                   bool Leaves = false) const;
  /// The copy \p Head, given at the head of an iteration, as the head of the
  /// next iteration finds it.
  Write afterIteration(const LoopState &L, Write Head,
                       bool Leaves = false) const;
  /// Weakens \p Head so that it also holds at the head of the first iteration,
  /// where \p Before is the copy.
  Write asFarAs(const LoopState &L, Write Head, const Write &Before) const;
  void findUnderWay(LoopState &L);
  void putUnderWay(LoopState &L);
  void leaveUnderWay(const LoopState &L, const Memory &Next);
  /// The copy \p Entry, which was issued before the loop, as the code after the
  /// loop finds it; \p Left is the copy at the end of an iteration.
  Write afterLoop(const LoopState &L, const Write &Entry,
                  const Write &Left) const;
  //===--- Inline assembly (Assembly.cpp) ---------------------------------===//
  SymValue assembly(llvm::CallBase &Call);
  std::vector<SymValue> bytesOf(const SymValue &Word, ScalarType T);
  SymValue dotBytes(const SymValue &L, ScalarType LType, const SymValue &R,
                    ScalarType RType, const SymValue &Sum);

  //===--- Matrices in registers (Matrices.cpp) ---------------------------===//
  /// Fails unless all threads of a warp execute this together, or all of each
  /// group of \p Lanes neighbours. \p What names the operation.
  bool reachedByWarp(llvm::StringRef What, int64_t Lanes = WarpLanes);
  /// The loaded registers; empty on failure.
  std::vector<SymValue> loadMatrices(const LoadMatrixForm &F,
                                     const SymValue &Address);
  /// \p Registers are those of A, B and C. Returns the result's registers;
  /// empty on failure.
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
  /// A subscript of an array of \p Count elements is below \p Count in valid
  /// C++. Records this, so that it can be used to conclude something about the
  /// block.
  void keepInside(const IntExpr &Subscript, uint64_t Count);
  bool checkInside(const std::string &Name, const IntExpr &Bytes,
                   unsigned Size);
  bool isOtherBuffer(const std::pair<std::string, int64_t> &Turn,
                     const IntExpr &Base, const IntExpr &From,
                     const Simplifier &Facts, Ensure Demand,
                     const IntExpr &Span) const;
  /// Whether \p Index is an element of \p F. Requires nothing of the launch,
  /// except where buffers take turns.
  Origin elsewhere(const Family &F, const IntExpr &Index,
                   const Simplifier &Facts, const std::string &Name);
  /// \p E, simplified by the requirements that say which buffer's turn it is
  /// (LastTurn.cpp).
  IntExpr withKnownTurns(const IntExpr &E) const;
  /// Requires of the launch that the last turn of \p F is that of the buffer
  /// with the element \p Index. False if no requirement can express that.
  bool askForTurn(const Family &F, const IntExpr &Index,
                  const Simplifier &Facts);
  /// For rows that are shifted by `(column + row) % width`: if \p Index is the
  /// thread's own column, shifted in the same way, requires that the column is
  /// below the width.
  void askForColumns(const Family &F, const Origin &O, const IntExpr &Index,
                     Ensure Demand);
  /// The condition under which the member at \p O was stored; nothing if \p O
  /// is not a single member.
  std::optional<BoolExpr> memberWhen(const Family &F, Origin &O,
                                     const Simplifier &Facts) const;
  SymValue readShared(const std::string &Name, const IntExpr &Bytes,
                      unsigned Size);
  /// Fails if other threads may still read what \p W overwrites.
  bool noteSharedStore(const Write &W);
  /// Combines the lanes of vectors that were stored in this phase, from \p
  /// FirstId on, into one store with a loop.
  void rollUpShared(unsigned FirstId);
  /// The same for stores of which some are in one branch and some in the other:
  /// `if (both inside) { copy two; } else { copy one; clear one; }`.
  bool rollUpBranches(std::vector<Write> &Stores);
  bool ownThread(const Origin &O);
  bool barrier();
  void warpBarrier(const SymValue &Mask); ///< of a warp, or of some lanes
  /// Whether all threads of the block reach this place together; fails
  /// otherwise if threads share anything, or if that is needed \p Always.
  bool reachedByBlock(bool Always);
  /// This iteration passes a barrier.
  void passBarrier();
  /// What a barrier that is reached under \p All does for the accesses to \p A
  /// before \p Before.
  static void order(ArrayState &A, const BoolExpr &All, unsigned Before);
  unsigned phaseOf(const std::string &Array) const {
    return OwnParts.count(Array) ? WarpPhase : Phase;
  }
  bool hasBarrier(const LoopState &L, const std::string &Array) const;
  bool keepsToPart(const std::string &Array, const IntExpr &Bytes,
                   unsigned Size);
  int64_t distanceOfParts(const std::array<IntExpr, 3> &Steps);
  /// Where \p At is in the thread's part of an array of OwnElements; nothing,
  /// and a failure, if it is not clear that the \p Size bytes are in that part.
  std::optional<IntExpr> ownPlace(const std::string &Array, const IntExpr &At,
                                  unsigned Size);
  /// Accesses to shared memory with ids below \p Before come before those of
  /// all threads behind this place.
  void endPhase(unsigned Before);
  /// The hardware barrier \p Number, which waits for all threads of the block.
  bool namedBarrier(const SymValue &Number);
  /// Shows or requires that the block has \p Count threads; fails otherwise.
  bool isWholeBlock(const SymValue &Count);

  //===--- Barriers in shared memory (SharedBarriers.cpp) -----------------===//
  SymValue sharedBarrierCall(llvm::CallBase &Call, const FunctionInfo &Info);
  /// The barriers that \p P points to; empty, and a failure, if it is not clear
  /// which ones these are.
  BarrierChoice barriersAt(const SymValue &P);
  bool makeBarrier(const SymValue &P, const SymValue &Count);
  SymValue arriveAt(const SymValue &P);
  bool waitAt(const SymValue &P, const SymValue &Token);
  bool trackCopies(const SymValue &P);

  //===--- Pipelines of the block (Pipelines.cpp) -------------------------===//
  bool pipelineCall(llvm::CallBase &Call, const FunctionInfo &Info);
  bool makePipeline(const std::string &State, const SymValue &Threads);
  /// All threads have released the stages that this thread has released.
  bool endReads();

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
  /// The place in the user's code of the instruction that is being executed.
  clang::SourceLocation here() const;
  clang::SourceLocation locationOf(const llvm::Instruction &I) const;
  SymValue numbered(ValueRef V);
  /// The float \p V, wrapped in a call of nvcuda::wmma::__float_to_tf32.
  SymValue roundedToTF32(const SymValue &V);
  ValueRef at(ValueRef V) const;

  const KernelModule &Module;
  const KernelIR &Kernel;
  const llvm::DataLayout &Layout;
  Memory S;
  /// The condition under which the block that is being executed is reached,
  /// relative to the enclosing loop body or function.
  BoolExpr Active;
  /// Such conditions for the enclosing loops and calls.
  std::vector<BoolExpr> OuterActive;
  std::vector<BoundLoop> LiveLoops;
  std::vector<const llvm::BasicBlock *> LiveHeaders; ///< null: tests at its end
  std::vector<std::unique_ptr<Frame>> Frames;
  llvm::DenseMap<llvm::Function *, std::unique_ptr<Shape>> Shapes;
  llvm::StringMap<const ParamLeaf *> Leaves;
  std::vector<Requirement> Requires;
  std::vector<Obligation> Obligations;
  std::vector<Trap> Traps;
  BoolExpr Granted; ///< conditions that every thread meets
  std::vector<BoolExpr> Choices;
  std::array<int64_t, 3> Block = {0, 0, 0};
  std::map<std::string, std::set<clang::SourceLocation>> Atomics;
  bool AddsAtomically = false; ///< the store is that of an atomic addition
  bool UsesBlockDim[3] = {false, false, false}, Square = false;
  bool DividesBlock = false; ///< or counts to its width by other steps than 1
  bool UsesLanes = false;    ///< looks at what lanes of a warp hold
  bool SyncsWarps = false;   ///< by __syncwarp
  std::set<std::string> OwnParts, Unordered;
  std::map<std::string, unsigned> LateParts;
  unsigned PlainBarriers = 0;
  std::map<std::string, WarpPart> Parts; ///< of arrays of OwnParts
  std::set<std::string> OwnElements, HandedOn;
  std::map<std::string, OwnPart> Own;
  std::optional<unsigned> PartCounter;
  std::pair<clang::SourceLocation, std::string> Shuffle;
  bool Exchanges = false;    ///< lanes hand each other what they have
  bool DividesWarps = false; ///< computes a warp number along x
  bool DividesMultiples = false, WholeDivisors = false;
  bool CutsSlices = false, WholeSlices = false;
  Multiples Divided, Arguments;
  std::vector<ForAll> Wanted;
  std::map<std::string, ScalarType> Packed;
  Ranges Bounds;
  std::map<unsigned, clang::SourceLocation> CounterLoop;
  /// By a loop's counter: shared arrays of which the loop reads one buffer
  /// after the other, beginning with one whose number is not a constant.
  std::map<unsigned, std::set<std::string>> TurnsRead;
  /// By a loop's counter: an index that chooses by it among elements of a local
  /// array that were stored one by one, or of any local array.
  std::map<unsigned, IntExpr> ChoosesStored, ChoosesOwn;
  bool RunsUpTo = false; ///< such a loop runs up to a constant number of times
  bool OneByOne = false;
  std::optional<Failure> Failed;
  const llvm::Instruction *Current = nullptr;
  /// The variables of loops that were found to be numbers although they begin
  /// as integers. Loops in loops are gone through again and again, and need not
  /// find that out each time.
  llvm::DenseMap<const llvm::PHINode *, ScalarType> NumberPhis;
  /// What was found out about loops that are gone through again.
  std::map<const llvm::Loop *, KnownLoop> KnownLoops;
  /// The loops whose bodies are being executed, the innermost last.
  std::vector<LoopState *> Around;
  unsigned NextCounter = 0, NextPhi = 0, NextWrite = 1, NextFrame = 0;
  /// By the kind of a matrix fragment (use, shape, order) the counters of its
  /// rows and columns. A fragment of another kind has its elements at other
  /// places, so it has other counters.
  std::map<std::string, std::pair<unsigned, unsigned>> FragmentCounters;
  bool StoresFragment = false; ///< the store is made by a warp together
  std::optional<std::array<unsigned, 3>> TermCounters;
  /// Names of shared arrays as the user writes them, in quotes.
  std::map<std::string, std::string> SharedNames;
  std::map<unsigned, std::optional<Family>> Families; ///< by Write::Id
  std::map<std::string, RolledUp> RolledArrays; ///< by a local array's name
  /// Subscripts of shared arrays, each with the number of elements, and the
  /// condition under which they are used.
  std::map<std::pair<std::string, uint64_t>, BoolExpr> Inside;
  unsigned Phase = 1, Barriers = 0;
  /// The same with barriers of the warp, which count for arrays of OwnParts.
  unsigned WarpPhase = 1, WarpBarriers = 0;
  /// Copy events so far in this iteration of the innermost loop.
  std::vector<CopyEvent> CopyEvents;
  /// The current store is made by an asynchronous copy.
  bool Asynchronous = false;
  std::string Pipeline;   ///< the state of the block's pipeline; empty: none
  bool Producing = false; ///< a stage of it is being filled
  /// Arrays in global memory from which the kernel copies asynchronously, and
  /// where.
  std::map<std::string, clang::SourceLocation> CopiedFrom;
  /// The condition under which a barrier was passed in this iteration of the
  /// innermost loop.
  BoolExpr Passed = BoolExpr::constant(false);
  /// The number of entries of OuterActive that are outside of that loop.
  size_t LoopBase = 0;
  /// By name, the reason why a value that was not set in every case is not
  /// known.
  std::map<std::string, SymValue> Unset;
  std::vector<Exchanged> Shuffles, Partial;
  /// By the name of a barrier in shared memory, the condition under which all
  /// threads know that it has been made.
  std::map<std::string, BoolExpr> Made;
  std::optional<Arrival> Arrived;
  unsigned Tracking = 0, NextToken = 0;
  std::map<unsigned, BoolExpr> Reached;
  /// The factor by which the kernel multiplies blockIdx before it adds
  /// threadIdx. It suggests the block's width, but proves nothing.
  int64_t Width[3] = {0, 0, 0};
  bool UsedThreads[3] = {false, false, false}; ///< dimensions of threadIdx
  unsigned HeadWrite = 0; ///< first store of the innermost iteration
  bool NarrowOffset = false, NarrowSigned = false;
  bool LoadAfterStore = false;
  /// Not 0 while a loop is probed: its values are not final yet.
  unsigned Probing = 0;
  /// Not 0 while a loop is probed only for the types and places of its stores.
  unsigned Outlining = 0;
  unsigned Steps = 0;
};

bool isFragmentIntrinsic(llvm::StringRef Name);

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_EXECUTOR_H
