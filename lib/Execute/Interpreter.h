//===-- Interpreter.h - Concrete execution of LLVM IR -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a kernel with given arguments: every thread of every block, one after
/// the other up to the next barrier. The numbers are LLVM's: integers of their
/// widths, poison where an operation has no defined result. Poison that
/// decides anything (a branch, an address, what is passed to a call) and races
/// are undefined behaviour of the program that is run, not a result.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_EXECUTE_INTERPRETER_H
#define WARPWRIGHT_LIB_EXECUTE_INTERPRETER_H

#include "Code.h"
#include "Fragments.h"
#include "Memory.h"
#include "warpwright/IR/KernelIR.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <map>

namespace warpwright {
namespace execute {

/// How a launch ended.
enum class Outcome {
  Done,
  Undefined,     ///< the program has undefined behaviour
  SharedRace,    ///< so it has: threads race on shared memory
  CopyUnderWay,  ///< so it has: they do not wait for an asynchronous copy
  Divergence,    ///< so it has: not all of a warp do what it does together
  OutsideRead,   ///< a read outside of every object
  OutsideWrite,  ///< a write outside of every object
  OutsideShared, ///< an access outside of shared memory
  Trapped,       ///< an assertion failed, or a trap
  NotExecutable, ///< something that the interpreter does not know
  StepLimit,
};

struct RunResult {
  Outcome End = Outcome::Done;
  std::string Reason;
  uint64_t Steps = 0;
  uint64_t BlockSteps = 0; ///< of each block, where some were completed
};

struct LaunchShape {
  std::array<uint32_t, 3> Grid = {1, 1, 1}, Block = {1, 1, 1};
  uint64_t DynamicShared = 0;
};

/// An argument: its bytes, or those of the object that it is passed in.
struct Argument {
  std::vector<uint8_t> Bytes;
  std::vector<uint8_t> Defined; ///< empty: all are
  static Argument integer(uint64_t Bits) {
    Argument A;
    A.Bytes.resize(8);
    std::memcpy(A.Bytes.data(), &Bits, 8);
    return A;
  }
};

/// A variable local to a call.
struct Local {
  uint32_t Offset = 0, Size = 0; ///< in the thread's stack
};

struct Frame {
  const Function *Code = nullptr;
  uint32_t Pc = 0;
  uint32_t Base = 0;              ///< first slot
  uint32_t Result = 0;            ///< the caller's slot for the result
  uint32_t Locals = 0, Stack = 0; ///< sizes to return to
};

enum class Waiting {
  Nothing,
  Ready,
  Barrier,
  Pipeline, ///< for what other threads do with it
  WarpOperation,
  Finished
};

/// An asynchronous copy that its thread has not waited for.
struct PendingCopy {
  Object *O = nullptr;
  uint64_t Offset = 0;
  std::vector<uint8_t> Bytes, Defined;
  uint64_t Group = 0;   ///< the thread's groups that were closed before
  uint64_t Tracker = 0; ///< the barrier in shared memory that waits for it
  bool Arrived = false; ///< its thread has arrived there since
  /// The pipeline to which its thread has committed it, and which of the
  /// thread's stages it is part of.
  std::optional<uint64_t> Pipeline;
  uint64_t Stage = 0;
  uint32_t Phase = 0; ///< of the arrival or the commit; 0: that of the wait
};

/// How many times a thread has committed, waited for and released a stage of a
/// pipeline.
struct PipelineUse {
  uint64_t Committed = 0, Waited = 0, Released = 0;
};

struct Thread {
  std::vector<Slot> Slots;
  std::vector<Frame> Frames;
  std::vector<Local> Locals;
  std::vector<uint8_t> Stack, StackDefined;
  std::array<uint32_t, 3> Index = {0, 0, 0};
  uint32_t Number = 0; ///< within the block
  Waiting For = Waiting::Ready;
  std::vector<PendingCopy> Copies;
  uint64_t Groups = 0; ///< of copies, that it has closed
  /// The barrier in shared memory at which it has arrived.
  std::optional<uint64_t> ArrivedAt;
  /// The arrivals so far, as a phase of the block; and the first phase of the
  /// others that may not be over yet, since this thread has waited for all
  /// arrivals before. A thread that passes a barrier of the block begins a
  /// phase in which both are the same.
  uint32_t Phase = 0, After = 0;
  uint32_t Step = 0; ///< the last barrier of its whole warp
  std::map<uint64_t, PipelineUse> Pipelines; ///< by the address of the state
};

/// The threads of a block that a warp consists of, and what they do together.
/// Each of them waits until no thread can go on alone; then all that take part
/// in one operation perform it at once.
class Warp {
public:
  Warp(std::vector<Thread> &All, size_t First)
      : Lanes(llvm::MutableArrayRef(All).slice(
            First, std::min<size_t>(WarpLanes, All.size() - First))) {}

  /// The last warp of a block can be smaller.
  unsigned size() const { return static_cast<unsigned>(Lanes.size()); }
  Thread &thread(unsigned Lane) { return Lanes[Lane]; }
  Slot &slot(unsigned Lane, uint32_t Index) {
    Thread &T = Lanes[Lane];
    return T.Slots[T.Frames.back().Base + Index];
  }
  bool waits(unsigned Lane) const {
    return Lane < size() && Lanes[Lane].For == Waiting::WarpOperation;
  }
  /// Where a lane that waits is.
  const Inst &operation(unsigned Lane) const {
    const Frame &F = Lanes[Lane].Frames.back();
    return F.Code->Code[F.Pc];
  }
  bool takes(unsigned Lane) const { return Members >> Lane & 1; }
  bool takesAll() const {
    return Members == (uint32_t(-1) >> (WarpLanes - size()));
  }

  const Inst *At = nullptr; ///< the operation
  uint32_t Members = 0;     ///< the lanes that take part

private:
  llvm::MutableArrayRef<Thread> Lanes;
};

class Interpreter {
public:
  Interpreter(const llvm::Module &M, const HeaderFunctions &Headers);
  ~Interpreter();

  /// Runs \p Kernel. Objects of the module's variables are added to \p Mem.
  /// Blocks run in an order that \p Seed decides. A launch that takes no more
  /// than a quarter beyond \p MaxSteps is finished all the same.
  RunResult run(const llvm::Function &Kernel, const LaunchShape &Shape,
                llvm::ArrayRef<Argument> Arguments, Memory &Mem,
                uint64_t MaxSteps, uint64_t Seed = 0);
  /// From now on a variable holds \p Bytes from its byte \p Offset on when a
  /// kernel starts.
  void setVariable(const llvm::GlobalVariable &G, uint64_t Offset,
                   llvm::ArrayRef<uint8_t> Bytes) {
    Contents[{&G, Offset}].assign(Bytes.begin(), Bytes.end());
  }
  /// Calls a function of scalars from outside of a kernel. \p Result has its
  /// type already. Small classes (half) are passed as their bits.
  RunResult call(const llvm::Function &F, llvm::ArrayRef<Num> Arguments,
                 Num &Result, uint64_t MaxSteps);

  /// The name under which \p F is known as a header's; empty for a user's.
  llvm::StringRef headerName(const llvm::Function &F) const;

private:
  friend class Decoder;
  Function &decode(const llvm::Function &F);
  /// The address of a global variable, or a made-up one of a function.
  uint64_t addressOf(const llvm::GlobalValue &G);
  const llvm::Function *functionAt(uint64_t Address) const;

  void placeVariable(const llvm::GlobalVariable &G);
  bool initialise(Object &O, uint64_t Offset, const llvm::Constant &C);
  /// A scalar constant; nothing for what is not known.
  std::optional<Slot> evaluate(const llvm::Constant &C);

  bool runBlock(const llvm::Function &Kernel,
                llvm::ArrayRef<Argument> Arguments);
  bool enter(Thread &T, const llvm::Function &Kernel,
             llvm::ArrayRef<Argument> Arguments);
  bool execute(Thread &T);
  /// Executes \p T until it waits or ends, or the launch does.
  void loop(Thread &T);
  /// The same; but without \p MayPoison, which must not be where SeenPoison is
  /// set, only as long as that is not. True if it was set meanwhile.
  template <bool MayPoison> bool loopOf(Thread &T);
  bool releaseBarrier();
  // WarpOperations.cpp, Fragments.cpp
  bool resolveWarpOperations();
  bool resolve(Warp &W);
  const char *gather(Warp &W, unsigned Lane);
  bool perform(Warp &W);
  bool performShuffle(Warp &W);
  bool performVote(Warp &W);
  bool performReduction(Warp &W);
  bool performFragment(Warp &W, const CallInfo &Call);
  bool multiplyFragments(Warp &W, const FragmentOperation &F,
                         llvm::ArrayRef<uint32_t> Arguments);
  // Matrices.cpp
  bool performMatrices(Warp &W, const CallInfo &Call);
  bool loadMatrices(Warp &W, const MatrixOperation &M,
                    std::vector<std::vector<Slot>> &Registers);
  bool multiplyMatrices(const MatrixOperation &M,
                        std::vector<std::vector<Slot>> &Registers);
  bool gatherFragment(Warp &W, const FragmentType &T,
                      llvm::ArrayRef<uint32_t> Registers,
                      std::vector<Slot> &Elements);
  void scatterFragment(Warp &W, const FragmentType &T,
                       llvm::ArrayRef<Slot> Elements);
  bool pushFrame(Thread &T, const Function &F, uint32_t Result);
  // Operations.cpp
  bool perform(Thread &T, const Inst &I, Slot *S);
  bool performCall(Thread &T, const Inst &I);
  bool performCall(Thread &T, const Inst &I, Function &Callee, CallInfo &Call);
  bool performHeader(Thread &T, const Inst &I, const CallInfo &Call);
  bool performAssembly(Thread &T, const Inst &I, const CallInfo &Call);
  bool performMath(Thread &T, const Inst &I, const CallInfo &Call);
  bool performAtomic(Thread &T, const Inst &I);
  bool performBitOp(const Inst &I, Slot *S);
  bool performConvert(const Inst &I, Slot *S);
  bool performOverflow(const Inst &I, Slot *S);
  bool copyBytes(Thread &T, uint64_t To, uint64_t From, uint64_t Size,
                 bool MayOverlap);
  bool fillBytes(Thread &T, uint64_t To, uint8_t Byte, bool Defined,
                 uint64_t Size);
  // AsyncCopies.cpp
  std::optional<uint64_t> sharedAddress(uint64_t Low) const;
  bool issueCopy(Thread &T, uint64_t To, uint64_t From, uint64_t Size,
                 uint64_t Copied);
  void waitForCopies(Thread &T, uint64_t Prior);
  void finishCopies(Thread &T,
                    llvm::function_ref<bool(const PendingCopy &)> Which);
  bool performCopy(Thread &T, const Inst &I);
  // SharedBarriers.cpp
  bool performSharedBarrier(Thread &T, const Inst &I);
  /// All threads of the block have passed a barrier.
  void beginPhase();
  /// The thread arrives: what it does from now on, it may do before others that
  /// wait for the arrival go on.
  void arrive(Thread &T);
  /// All threads of the block wait for one barrier in shared memory.
  bool completePhase();
  // Pipelines.cpp
  bool performPipeline(Thread &T, const Inst &I);
  /// Lets threads go on that wait for a stage, once all have come so far.
  bool wakePipelines();
  std::optional<uint64_t> addLocal(Thread &T, uint64_t Size);

  /// Bytes and definedness at an address, or nothing with the run ended.
  struct Place {
    uint8_t *Bytes = nullptr;
    uint8_t *Defined = nullptr; ///< null: all are
    Object *O = nullptr;        ///< null for a local variable
    uint64_t Offset = 0;
  };
  bool locate(Thread &T, uint64_t Address, uint64_t Size, bool Write, Place &P);
  bool place(Thread &T, uint64_t Address, uint64_t Size, bool Write, Place &P);
  bool locateLocal(Thread &T, uint64_t Address, uint64_t Size, bool Write,
                   Place &P);
  bool locateNothing(const Object *O, uint64_t Address, bool Write);
  bool load(Thread &T, uint64_t Address, unsigned Bytes, Slot &Result);
  bool store(Thread &T, uint64_t Address, unsigned Bytes, const Slot &Value);
  bool race(Race R, const Place &P, bool Write);

  bool end(Outcome End, const llvm::Twine &Reason);
  uint32_t poison(const char *Why);
  /// Before a launch: no slot of an earlier one is left that is poison.
  void forgetPoison();
  bool usedPoison(uint32_t Poison, const char *Where);
  std::string where() const;
  Accessor accessor(const Thread &T) const {
    return {{T.Phase, T.Number, T.Step}, T.After, FirstPhase, false};
  }

  const llvm::Module &Source;
  const HeaderFunctions &Headers;
  llvm::DenseMap<const llvm::Function *, std::unique_ptr<Function>> Decoded;
  /// Variables and functions that decoded code refers to. A variable has the
  /// same index in the memory of each launch.
  llvm::DenseMap<const llvm::GlobalValue *, uint64_t> Addresses;
  std::vector<const llvm::GlobalVariable *> Variables;
  /// What the host has set, by the place in a variable.
  std::map<std::pair<const llvm::GlobalVariable *, uint64_t>,
           std::vector<uint8_t>>
      Contents;
  std::vector<const llvm::Function *> FunctionTable;

  // Of the launch that runs.
  Memory *Mem = nullptr;
  LaunchShape Shape;
  std::array<uint32_t, 3> Block = {0, 0, 0};
  uint32_t FirstPhase = 0;   ///< of the block
  uint32_t Phase = 0;        ///< the last one of any thread so far
  uint32_t WarpBarriers = 0; ///< so far, of whole warps
  std::vector<Thread> Threads;
  std::vector<Object *> SharedObjects;
  struct SharedBarrier {
    uint64_t Expected = 0, Phase = 0;
    bool Used = false; ///< a thread has arrived
  };
  std::map<uint64_t, SharedBarrier> SharedBarriers; ///< by address, of a block
  /// What all threads do with a pipeline as many times.
  struct Turn {
    uint64_t Arrived = 0; ///< so many threads have
    uint32_t After = 0;   ///< the first phase of the threads behind that
  };
  struct PipelineState {
    uint64_t Stages = 0;
    std::vector<Turn> Committed, Released;
  };
  std::map<uint64_t, PipelineState> Pipelines; ///< by address, of a block
  bool TurnIsOver = false; ///< all threads have arrived for one
  FragmentLayouts Fragments;
  RunResult Result;
  uint64_t StepsLeft = 0;
  const Function *CurrentFunction = nullptr; ///< for messages
  uint32_t CurrentPc = 0;
  struct PoisonReason {
    const llvm::Instruction *Origin;
    const char *Why;
  };
  std::vector<PoisonReason> PoisonReasons;
  /// Whether any slot may be poison. In most launches none ever is.
  bool SeenPoison = false;
  bool PoisonConstants = false; ///< some decoded function has them
};

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_INTERPRETER_H
