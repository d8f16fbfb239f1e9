//===-- Run.cpp - Launches, calls and accesses of the interpreter ---------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include <algorithm>
#include <cmath>

namespace warpwright {
namespace execute {

Interpreter::Interpreter(const llvm::Module &M, const HeaderFunctions &Headers)
    : Source(M), Headers(Headers) {}
Interpreter::~Interpreter() = default;

llvm::StringRef Interpreter::headerName(const llvm::Function &F) const {
  auto It = Headers.find(F.getName());
  return It == Headers.end() ? llvm::StringRef() : llvm::StringRef(It->second);
}

Function &Interpreter::decode(const llvm::Function &F) {
  std::unique_ptr<Function> &Entry = Decoded[&F];
  if (!Entry) {
    auto New = std::make_unique<Function>();
    Decoder(*this, F, *New).run();
    // Decoding may have added others.
    Decoded[&F] = std::move(New);
    return *Decoded[&F];
  }
  return *Entry;
}

//===----------------------------------------------------------------------===//
// Variables of the module and constants
//===----------------------------------------------------------------------===//

uint64_t Interpreter::addressOf(const llvm::GlobalValue &G) {
  auto [It, New] = Addresses.try_emplace(&G, 0);
  if (!New)
    return It->second;
  if (auto *F = llvm::dyn_cast<llvm::Function>(&G)) {
    FunctionTable.push_back(F);
    return It->second = Memory::FunctionBit + 16 * FunctionTable.size();
  }
  const uint64_t Address = Memory::variableAddress(Variables.size());
  It->second = Address;
  Variables.push_back(llvm::cast<llvm::GlobalVariable>(&G));
  if (Mem)
    placeVariable(*Variables.back());
  return Address;
}

const llvm::Function *Interpreter::functionAt(uint64_t Address) const {
  const uint64_t Index = (Address - Memory::FunctionBit) / 16 - 1;
  return Index < FunctionTable.size() ? FunctionTable[Index] : nullptr;
}

void Interpreter::placeVariable(const llvm::GlobalVariable &G) {
  const llvm::DataLayout &DL = Source.getDataLayout();
  const bool Shared = G.getAddressSpace() == 3;
  const bool Dynamic = Shared && !G.hasInitializer();
  const uint64_t Size =
      Dynamic ? Shape.DynamicShared
              : DL.getTypeAllocSize(G.getValueType()).getFixedValue();
  constexpr uint64_t MaxSize = 1 << 24;
  Object &O = Mem->addVariable(G.getName(),
                               Shared           ? Space::Shared
                               : G.isConstant() ? Space::Constant
                                                : Space::Variable,
                               std::min(Size, MaxSize));
  if (Shared) {
    O.trackDefined(false);
    O.trackHistory();
    SharedObjects.push_back(&O);
    return;
  }
  // A variable of another file, or one too large, has no known value.
  O.trackDefined(false);
  if (G.hasInitializer() && Size <= MaxSize)
    initialise(O, 0, *G.getInitializer());
  for (auto It = Contents.lower_bound({&G, 0});
       It != Contents.end() && It->first.first == &G; ++It) {
    const auto &[Place, Bytes] = *It;
    if (Place.second + Bytes.size() > O.size())
      continue;
    llvm::copy(Bytes, O.Bytes.begin() + static_cast<long>(Place.second));
    std::fill_n(O.Defined.begin() + static_cast<long>(Place.second),
                Bytes.size(), 1);
  }
  if (!G.isConstant())
    O.trackHistory();
}

bool Interpreter::initialise(Object &O, uint64_t Offset,
                             const llvm::Constant &C) {
  const llvm::DataLayout &DL = Source.getDataLayout();
  llvm::Type *T = C.getType();
  const uint64_t Size = DL.getTypeStoreSize(T).getFixedValue();
  if (llvm::isa<llvm::UndefValue>(C))
    return true;
  if (C.isNullValue() && Offset + Size <= O.size()) {
    std::fill_n(O.Bytes.begin() + Offset, Size, 0);
    std::fill_n(O.Defined.begin() + Offset, Size, 1);
    return true;
  }
  if (auto *S = llvm::dyn_cast<llvm::StructType>(T)) {
    const llvm::StructLayout *Layout = DL.getStructLayout(S);
    for (unsigned E = 0; E < S->getNumElements(); ++E)
      initialise(O, Offset + Layout->getElementOffset(E).getFixedValue(),
                 *C.getAggregateElement(E));
    return true;
  }
  if (T->isArrayTy() || T->isVectorTy()) {
    llvm::Type *Element =
        T->isArrayTy() ? T->getArrayElementType()
                       : llvm::cast<llvm::VectorType>(T)->getElementType();
    const uint64_t Stride = DL.getTypeAllocSize(Element).getFixedValue();
    const uint64_t Count =
        T->isArrayTy() ? T->getArrayNumElements()
                       : llvm::cast<llvm::FixedVectorType>(T)->getNumElements();
    for (uint64_t E = 0; E < Count; ++E)
      initialise(O, Offset + E * Stride,
                 *C.getAggregateElement(static_cast<unsigned>(E)));
    return true;
  }
  auto S = evaluate(C);
  if (!S || S->Poison || Size > 8)
    return false; // stays undefined
  std::memcpy(O.Bytes.data() + Offset, &S->Bits, Size);
  std::fill_n(O.Defined.begin() + Offset, Size, 1);
  return true;
}

std::optional<Slot> Interpreter::evaluate(const llvm::Constant &C) {
  if (auto *I = llvm::dyn_cast<llvm::ConstantInt>(&C)) {
    if (I->getBitWidth() > 64)
      return std::nullopt;
    return Slot{I->getZExtValue(), 0};
  }
  if (auto *F = llvm::dyn_cast<llvm::ConstantFP>(&C)) {
    const llvm::APInt Bits = F->getValueAPF().bitcastToAPInt();
    if (Bits.getBitWidth() > 64)
      return std::nullopt;
    return Slot{Bits.getZExtValue(), 0};
  }
  if (llvm::isa<llvm::ConstantPointerNull>(C))
    return Slot{0, 0};
  if (auto *A = llvm::dyn_cast<llvm::GlobalAlias>(&C))
    return evaluate(*A->getAliasee());
  if (auto *G = llvm::dyn_cast<llvm::GlobalObject>(&C)) {
    if (!llvm::isa<llvm::Function>(G) && !llvm::isa<llvm::GlobalVariable>(G))
      return std::nullopt;
    return Slot{addressOf(*G), 0};
  }
  auto *E = llvm::dyn_cast<llvm::ConstantExpr>(&C);
  if (!E)
    return std::nullopt;
  switch (E->getOpcode()) {
  case llvm::Instruction::Trunc:
  case llvm::Instruction::PtrToInt: {
    auto X = evaluate(*E->getOperand(0));
    if (!X)
      return std::nullopt;
    return Slot{X->Bits &
                    lowBits(widthOf(E->getType(), Source.getDataLayout())),
                X->Poison};
  }
  case llvm::Instruction::AddrSpaceCast:
  case llvm::Instruction::IntToPtr:
  case llvm::Instruction::BitCast:
    if (widthOf(E->getType(), Source.getDataLayout()) !=
        widthOf(E->getOperand(0)->getType(), Source.getDataLayout()))
      return std::nullopt;
    return evaluate(*E->getOperand(0));
  case llvm::Instruction::GetElementPtr: {
    auto Base = evaluate(*E->getOperand(0));
    llvm::APInt Offset(64, 0);
    if (!Base || !llvm::cast<llvm::GEPOperator>(E)->accumulateConstantOffset(
                     Source.getDataLayout(), Offset))
      return std::nullopt;
    return Slot{Base->Bits + Offset.getZExtValue(), 0};
  }
  default:
    return std::nullopt;
  }
}

//===----------------------------------------------------------------------===//
// Ends and reasons
//===----------------------------------------------------------------------===//

static std::string placeOf(const llvm::Instruction *I) {
  if (!I || !I->getFunction())
    return "";
  std::string S = " in '" +
                  llvm::StringRef(llvm::demangle(I->getFunction()->getName()))
                      .split('(')
                      .first.str() +
                  "'";
  if (const llvm::DebugLoc &Loc = I->getDebugLoc())
    S = " at line " + std::to_string(Loc.getLine()) + ", column " +
        std::to_string(Loc.getCol()) + S;
  return S;
}

std::string Interpreter::where() const {
  if (!CurrentFunction || CurrentPc >= CurrentFunction->Origins.size())
    return "";
  return placeOf(CurrentFunction->Origins[CurrentPc]);
}

bool Interpreter::end(Outcome End, const llvm::Twine &Reason) {
  if (Result.End == Outcome::Done) {
    Result.End = End;
    Result.Reason = (Reason + where()).str();
  }
  return false;
}

uint32_t Interpreter::poison(const char *Why) {
  SeenPoison = true;
  const llvm::Instruction *Origin =
      CurrentFunction && CurrentPc < CurrentFunction->Origins.size()
          ? CurrentFunction->Origins[CurrentPc]
          : nullptr;
  // The last few are enough: loops meet the same places again.
  const size_t Count = PoisonReasons.size();
  for (size_t R = Count; R > 0 && R + 8 > Count; --R)
    if (PoisonReasons[R - 1].Origin == Origin &&
        PoisonReasons[R - 1].Why == Why)
      return static_cast<uint32_t>(R);
  constexpr size_t Enough = 4096;
  if (Count < Enough)
    PoisonReasons.push_back({Origin, Why});
  return static_cast<uint32_t>(PoisonReasons.size());
}

void Interpreter::forgetPoison() {
  if (SeenPoison)
    Threads.clear();
  SeenPoison = PoisonConstants;
}

bool Interpreter::usedPoison(uint32_t Poison, const char *Where) {
  const PoisonReason &R = PoisonReasons[Poison - 1];
  return end(Outcome::Undefined,
             llvm::Twine(R.Why) + placeOf(R.Origin) + " decides " + Where);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

bool Interpreter::pushFrame(Thread &T, const Function &F, uint32_t Result) {
  constexpr size_t MaxDepth = 256, MaxSlots = 1 << 20;
  Frame New;
  New.Code = &F;
  New.Base = T.Frames.empty()
                 ? 0
                 : T.Frames.back().Base + T.Frames.back().Code->SlotCount;
  New.Result = Result;
  New.Locals = T.Locals.size();
  New.Stack = T.Stack.size();
  if (T.Frames.size() >= MaxDepth || New.Base + F.SlotCount > MaxSlots)
    return end(Outcome::NotExecutable, "calls that nest too deep");
  if (T.Slots.size() < New.Base + F.SlotCount)
    T.Slots.resize(2 * (New.Base + F.SlotCount));
  std::copy(F.Constants.begin(), F.Constants.end(), T.Slots.begin() + New.Base);
  T.Frames.push_back(New);
  return true;
}

bool Interpreter::performCall(Thread &T, const Inst &I, Function &Callee,
                              CallInfo &Call) {
  if (Call.Arguments.size() != Callee.ArgumentCount)
    return end(Outcome::Undefined, "a call with other arguments");
  const uint32_t Base = T.Frames.back().Base;
  if (!pushFrame(T, Callee, I.Dst))
    return false;
  const uint32_t First = T.Frames.back().Base + Callee.Constants.size();
  for (size_t A = 0; A < Call.Arguments.size(); ++A) {
    Slot V = T.Slots[Base + Call.Arguments[A]];
    if (V.Poison && (Call.NoUndef[A] || Call.ByVal[A]))
      return usedPoison(V.Poison, "an argument of a call");
    if (Call.ByVal[A]) {
      auto Copy = addLocal(T, Call.ByVal[A]);
      if (!Copy || !copyBytes(T, *Copy, V.Bits, Call.ByVal[A], false))
        return false;
      V.Bits = *Copy;
    }
    T.Slots[First + A] = V;
  }
  return true;
}

bool Interpreter::performHeader(Thread &T, const Inst &I,
                                const CallInfo &Call) {
  Slot *S = T.Slots.data() + T.Frames.back().Base;
  Num Numbers[4];
  uint32_t Poison = 0;
  const size_t Count = Call.Arguments.size();
  for (size_t A = 0; A < Count; ++A) {
    Slot V = S[Call.Arguments[A]];
    const HeaderArgument &H = Call.HeaderArguments[A];
    if (H.ByPointer) {
      if (V.Poison)
        return usedPoison(V.Poison, "an address");
      if (!load(T, V.Bits, byteSize(H.Type), V))
        return false;
    }
    Poison = Poison ? Poison : V.Poison;
    Numbers[A] = {H.Type, V.Bits & lowBits(8 * byteSize(H.Type))};
  }
  auto X = Call.Header->Apply(llvm::ArrayRef(Numbers, Count));
  if (!X && !Poison)
    Poison = poison("a function without a result for its arguments");
  if (Call.ResultAddress) {
    // What is constructed may have been given as another type.
    if (X)
      X = convert(Call.ResultType, *X);
    const Slot Address = S[*Call.ResultAddress];
    if (Address.Poison)
      return usedPoison(Address.Poison, "an address");
    return store(T, Address.Bits, byteSize(Call.ResultType),
                 {X ? X->Bits : 0, Poison});
  }
  if (X && Call.FloatResult && X->isFloat())
    X = convert(Call.ResultType, *X);
  S[I.Dst] = {X ? X->Bits & lowBits(I.Width) : 0, Poison};
  return true;
}

bool Interpreter::performAssembly(Thread &T, const Inst &I,
                                  const CallInfo &Call) {
  Slot *S = T.Slots.data() + T.Frames.back().Base;
  std::vector<uint64_t> Registers = Call.Ptx->Initial;
  uint32_t Poison = 0;
  for (size_t A = 0; A < Call.Arguments.size(); ++A) {
    const Slot V = S[Call.Arguments[A]];
    Poison = Poison ? Poison : V.Poison;
    Registers[Call.Results + A] = V.Bits;
  }
  for (auto [Result, Argument] : Call.Ptx->Tied)
    Registers[Result] = Registers[Argument];
  auto Load = [&](uint64_t Address, unsigned Bytes,
                  llvm::MutableArrayRef<uint64_t> Numbers) {
    if (Poison)
      return usedPoison(Poison, "an address");
    for (uint64_t &X : Numbers) {
      Slot V;
      if (!load(T, Address, Bytes, V))
        return false;
      Poison = Poison ? Poison : V.Poison;
      X = V.Bits;
      Address += Bytes;
    }
    return true;
  };
  auto Copy = [&](uint64_t To, uint64_t From, uint64_t Size, uint64_t Copied) {
    if (Poison)
      return usedPoison(Poison, "a copy of bytes");
    auto Address = sharedAddress(To);
    return Address ? issueCopy(T, *Address, From, Size, Copied)
                   : end(Outcome::NotExecutable, "an address of shared memory");
  };
  auto Commit = [&] { ++T.Groups; };
  auto Wait = [&](uint64_t Prior) { waitForCopies(T, Prior); };
  if (!runPtx(*Call.Ptx, Registers, {Load, Copy, Commit, Wait}))
    return end(Outcome::NotExecutable, "inline assembly");
  for (uint32_t R = 0; R < Call.Results; ++R)
    S[I.Dst + R] = {Registers[R], Poison};
  return true;
}

bool Interpreter::performMath(Thread &T, const Inst &I, const CallInfo &Call) {
  Slot *S = T.Slots.data() + T.Frames.back().Base;
  Num Numbers[4];
  uint32_t Poison = 0;
  const size_t Count = Call.Arguments.size();
  auto Flush = [&](Num &X) {
    // .ftz: numbers below the least normal one count as zero.
    if (I.Flags && X.Type == ScalarType::F32 &&
        std::fabs(asFloat(X.Bits)) < 0x1p-126f)
      X.Bits &= uint64_t(1) << 31;
  };
  for (size_t A = 0; A < Count; ++A) {
    const Slot V = S[Call.Arguments[A]];
    Poison = Poison ? Poison : V.Poison;
    Numbers[A] = {Call.HeaderArguments[A].Type, V.Bits};
    Flush(Numbers[A]);
  }
  auto X = Call.Header->Apply(llvm::ArrayRef(Numbers, Count));
  if (!X)
    return end(Outcome::NotExecutable, "an intrinsic");
  Flush(*X);
  S[I.Dst] = {X->Bits, Poison};
  return true;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

bool Interpreter::enter(Thread &T, const llvm::Function &Kernel,
                        llvm::ArrayRef<Argument> Arguments) {
  T.Frames.clear();
  T.Locals.clear();
  T.Stack.clear();
  T.StackDefined.clear();
  T.Copies.clear();
  T.ArrivedAt.reset();
  T.Phase = T.After = FirstPhase;
  T.Step = WarpBarriers;
  T.Pipelines.clear();
  T.Groups = 0;
  T.For = Waiting::Ready;
  const Function &F = decode(Kernel);
  if (!pushFrame(T, F, 0))
    return false;
  if (Arguments.size() != F.ArgumentCount)
    return end(Outcome::NotExecutable, "arguments of the kernel");
  for (size_t A = 0; A < Arguments.size(); ++A) {
    const Argument &From = Arguments[A];
    Slot V;
    if (Kernel.hasParamAttribute(A, llvm::Attribute::ByVal)) {
      auto Address = addLocal(T, From.Bytes.size());
      if (!Address)
        return false;
      const Local &L = T.Locals.back();
      std::memcpy(T.Stack.data() + L.Offset, From.Bytes.data(), L.Size);
      if (From.Defined.empty())
        std::memset(T.StackDefined.data() + L.Offset, 1, L.Size);
      else
        std::memcpy(T.StackDefined.data() + L.Offset, From.Defined.data(),
                    L.Size);
      V.Bits = *Address;
    } else {
      std::memcpy(&V.Bits, From.Bytes.data(),
                  std::min<size_t>(8, From.Bytes.size()));
      V.Bits &=
          lowBits(widthOf(Kernel.getArg(A)->getType(), Source.getDataLayout()));
    }
    T.Slots[T.Frames.back().Base + F.Constants.size() + A] = V;
  }
  return true;
}

bool Interpreter::execute(Thread &T) {
  T.For = Waiting::Nothing;
  loop(T);
  return Result.End == Outcome::Done;
}

/// Lets the threads of a block go on that wait for a barrier, once all that
/// have not returned do.
bool Interpreter::releaseBarrier() {
  const Inst *At = nullptr;
  uint64_t Count = 0, All = 1, Any = 0;
  for (Thread &T : Threads) {
    if (T.For == Waiting::Finished)
      continue;
    const Frame &F = T.Frames.back();
    const Inst *I = &F.Code->Code[F.Pc];
    CurrentFunction = F.Code;
    CurrentPc = F.Pc;
    if (T.For != Waiting::Barrier || (At && At != I))
      return end(Outcome::Undefined,
                 "threads of one block wait at different places");
    At = I;
    if (I->Code == Op::BarrierReduce) {
      const bool B = T.Slots[F.Base + I->A].Bits != 0;
      Count += B;
      All &= B;
      Any |= B;
    }
  }
  if (At->Code != Op::SharedBarrier)
    beginPhase();
  else if (!completePhase())
    return false;
  for (Thread &T : Threads) {
    if (T.For == Waiting::Finished)
      continue;
    Frame &F = T.Frames.back();
    if (At->Code == Op::BarrierReduce)
      T.Slots[F.Base + At->Dst] = {At->Flags == 0   ? Count
                                   : At->Flags == 1 ? All
                                                    : Any,
                                   0};
    ++F.Pc;
    T.For = Waiting::Ready;
  }
  return true;
}

bool Interpreter::runBlock(const llvm::Function &Kernel,
                           llvm::ArrayRef<Argument> Arguments) {
  for (Object *O : SharedObjects) {
    std::fill(O->Defined.begin(), O->Defined.end(), 0);
    std::fill(O->History.begin(), O->History.end(), UnitHistory());
  }
  SharedBarriers.clear();
  Pipelines.clear();
  const uint32_t Count = Shape.Block[0] * Shape.Block[1] * Shape.Block[2];
  bool Waits = false;
  size_t Used = 0;
  for (uint32_t N = 0; N < Count; ++N) {
    // Threads that return at once can share what they are made of.
    if (Used == Threads.size())
      Threads.emplace_back();
    Thread &T = Threads[Used];
    T.Number = N;
    T.Index = {N % Shape.Block[0], N / Shape.Block[0] % Shape.Block[1],
               N / Shape.Block[0] / Shape.Block[1]};
    if (!enter(T, Kernel, Arguments) || !execute(T))
      return false;
    const bool Finished = T.For == Waiting::Finished;
    Waits |= !Finished;
    // Once some thread waits, all keep their place, for the warps.
    if (Waits && Used < N) {
      // Those before it have returned: they get places of their own.
      Threads.resize(std::max<size_t>(Threads.size(), N + 1));
      std::swap(Threads[N], Threads[Used]);
      for (uint32_t Done = 0; Done < N; ++Done) {
        Threads[Done].For = Waiting::Finished;
        Threads[Done].Number = Done;
      }
      Used = N;
    }
    if (Waits)
      ++Used;
  }
  if (!Waits)
    return true;
  Threads.resize(Used);
  while (true) {
    bool Ran = false, Open = false;
    for (Thread &T : Threads) {
      if (T.For == Waiting::Ready) {
        if (!execute(T))
          return false;
        Ran = true;
      }
      Open |= T.For != Waiting::Finished;
    }
    if (!Open)
      return true;
    if (Ran)
      continue;
    if (wakePipelines() || resolveWarpOperations())
      continue;
    if (Result.End != Outcome::Done || !releaseBarrier())
      return false;
  }
}

RunResult Interpreter::run(const llvm::Function &Kernel,
                           const LaunchShape &LaunchShape,
                           llvm::ArrayRef<Argument> Arguments, Memory &Memory,
                           uint64_t MaxSteps, uint64_t Seed) {
  Result = RunResult();
  Mem = &Memory;
  Shape = LaunchShape;
  // What has been executed of a launch that goes a little beyond its limit
  // would be in vain.
  const uint64_t Limit = MaxSteps + MaxSteps / 4;
  StepsLeft = Limit;
  FirstPhase = Phase = WarpBarriers = 0;
  forgetPoison();
  SharedObjects.clear();
  Fragments.reset(Seed);
  CurrentFunction = nullptr;
  for (size_t V = 0; V < Variables.size(); ++V)
    placeVariable(*Variables[V]);
  // Blocks may run in any order.
  const uint64_t Blocks =
      uint64_t(Shape.Grid[0]) * Shape.Grid[1] * Shape.Grid[2];
  const uint64_t Start = Blocks ? Seed % Blocks : 0;
  const bool Backwards = Seed & 1;
  for (uint64_t N = 0; N < Blocks; ++N) {
    const uint64_t B = (Start + (Backwards ? Blocks - 1 - N : N)) % Blocks;
    Block = {static_cast<uint32_t>(B % Shape.Grid[0]),
             static_cast<uint32_t>(B / Shape.Grid[0] % Shape.Grid[1]),
             static_cast<uint32_t>(B / Shape.Grid[0] / Shape.Grid[1])};
    FirstPhase = ++Phase;
    if (!runBlock(Kernel, Arguments))
      break;
    // Blocks cost much the same: what is far too much in the end is not begun.
    const uint64_t Spent = Limit - StepsLeft, Done = N + 1;
    if (Done < Blocks && Spent / Done > Limit / Blocks) {
      end(Outcome::StepLimit, "too many steps");
      Result.BlockSteps = Spent / Done;
      break;
    }
  }
  Result.Steps = Limit - StepsLeft;
  if (Result.End == Outcome::Done)
    Result.BlockSteps = Result.Steps / std::max<uint64_t>(Blocks, 1);
  Mem = nullptr;
  return Result;
}

RunResult Interpreter::call(const llvm::Function &F,
                            llvm::ArrayRef<Num> Numbers, Num &Value,
                            uint64_t MaxSteps) {
  Result = RunResult();
  Memory Own;
  Mem = &Own;
  Shape = LaunchShape();
  StepsLeft = MaxSteps;
  forgetPoison();
  SharedObjects.clear();
  CurrentFunction = nullptr;
  for (size_t V = 0; V < Variables.size(); ++V)
    placeVariable(*Variables[V]);
  std::vector<Argument> Arguments;
  for (const Num &N : Numbers)
    Arguments.push_back(Argument::integer(N.Bits));
  for (size_t A = 0; A < Arguments.size() && A < F.arg_size(); ++A)
    if (llvm::Type *T = F.getParamByValType(A))
      Arguments[A].Bytes.resize(
          Source.getDataLayout().getTypeAllocSize(T).getFixedValue());
  Threads.clear();
  Threads.emplace_back();
  Thread &T = Threads.back();
  if (enter(T, F, Arguments) && execute(T)) {
    if (T.For != Waiting::Finished)
      end(Outcome::NotExecutable, "a function that waits for others");
    else if (T.Slots.front().Poison)
      usedPoison(T.Slots.front().Poison, "a result");
    else
      Value.Bits = T.Slots.front().Bits & lowBits(8 * byteSize(Value.Type));
  }
  Result.Steps = MaxSteps - StepsLeft;
  Mem = nullptr;
  return Result;
}

} // namespace execute
} // namespace warpwright
