//===-- Operations.cpp - Instructions that are met less often -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the loop over instructions does not execute itself. The few that most
/// of a kernel consists of stay there, so that the compiler finds a register
/// for everything that they need.
///
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <cmath>

namespace warpwright {
namespace execute {

/// The predicate's bits say for which relations it holds: equal, greater,
/// less, unordered.
static bool compareReals(uint8_t Predicate, double A, double B) {
  const unsigned Relation = std::isnan(A) || std::isnan(B) ? 8
                            : A == B                       ? 1
                            : A > B                        ? 2
                                                           : 4;
  return Predicate & Relation;
}

static double realOf(uint64_t Bits, uint32_t Type) {
  return Num{static_cast<ScalarType>(Type), Bits}.real();
}

bool Interpreter::performConvert(const Inst &I, Slot *S) {
  const Slot &A = S[I.A];
  Num X = {static_cast<ScalarType>(I.B), A.Bits};
  if (!X.isFloat() && I.Imm < 64) // narrower integers are extended first
    X.Bits = X.isSigned() ? static_cast<uint64_t>(signExtend(A.Bits, I.Imm))
                          : A.Bits;
  auto Y = convert(static_cast<ScalarType>(I.C), X);
  bool Fits = Y.has_value();
  if (Fits && !Y->isFloat() && I.Width < 64) {
    const int64_t N = Y->integer();
    const int64_t Top = int64_t(1) << (I.Flags ? I.Width - 1 : I.Width);
    Fits = I.Flags ? N >= -Top && N < Top : N >= 0 && N < Top;
  }
  S[I.Dst] = {Fits ? Y->Bits & lowBits(I.Width) : 0, A.Poison};
  if (!Fits && !A.Poison)
    S[I.Dst].Poison = poison("a number that does not fit an integer type");
  return true;
}

bool Interpreter::performOverflow(const Inst &I, Slot *S) {
  const Slot A = S[I.A], B = S[I.B];
  const __int128 L =
      I.Imm ? signExtend(A.Bits, I.Width) : static_cast<__int128>(A.Bits);
  const __int128 R =
      I.Imm ? signExtend(B.Bits, I.Width) : static_cast<__int128>(B.Bits);
  // The product of two unsigned 64-bit numbers exceeds __int128 as signed.
  const unsigned __int128 Wide =
      I.Flags == 0   ? static_cast<unsigned __int128>(L + R)
      : I.Flags == 1 ? static_cast<unsigned __int128>(L - R)
                     : static_cast<unsigned __int128>(L) *
                           static_cast<unsigned __int128>(R);
  const uint64_t Low = static_cast<uint64_t>(Wide) & lowBits(I.Width);
  const bool Overflow =
      I.Imm ? static_cast<__int128>(Wide) != signExtend(Low, I.Width)
            : Wide != Low;
  const uint32_t Poison = A.Poison ? A.Poison : B.Poison;
  S[I.Dst] = {Low, Poison};
  S[I.C] = {uint64_t(Overflow), Poison};
  return true;
}

bool Interpreter::performBitOp(const Inst &I, Slot *S) {
  namespace Id = llvm::Intrinsic;
  const Slot A = S[I.A], B = I.Flags > 1 ? S[I.B] : Slot(),
             C = I.Flags > 2 ? S[I.C] : Slot();
  const unsigned W = I.Width;
  const uint64_t Mask = lowBits(W);
  const int64_t SA = signExtend(A.Bits, W), SB = signExtend(B.Bits, W);
  const int64_t Top = static_cast<int64_t>(lowBits(W - 1));
  auto Clamp = [&](__int128 X, __int128 Lo, __int128 Hi) {
    return static_cast<uint64_t>(std::min(std::max(X, Lo), Hi));
  };
  uint64_t X = 0;
  uint32_t Poison = A.Poison ? A.Poison : B.Poison ? B.Poison : C.Poison;
  switch (I.Imm) {
  case Id::smin:
    X = SA < SB ? A.Bits : B.Bits;
    break;
  case Id::smax:
    X = SA < SB ? B.Bits : A.Bits;
    break;
  case Id::umin:
    X = std::min(A.Bits, B.Bits);
    break;
  case Id::umax:
    X = std::max(A.Bits, B.Bits);
    break;
  case Id::abs:
    X = SA < 0 ? 0 - A.Bits : A.Bits;
    if ((B.Bits & 1) && (A.Bits & Mask) == uint64_t(1) << (W - 1) && !Poison)
      Poison = poison("the absolute value of the least integer");
    break;
  case Id::ctpop:
    X = static_cast<uint64_t>(__builtin_popcountll(A.Bits));
    break;
  case Id::ctlz:
  case Id::cttz:
    if (A.Bits == 0) {
      X = W;
      if ((B.Bits & 1) && !Poison)
        Poison = poison("counting zeros of 0");
    } else {
      X = static_cast<uint64_t>(I.Imm == Id::ctlz
                                    ? __builtin_clzll(A.Bits) - (64 - int(W))
                                    : __builtin_ctzll(A.Bits));
    }
    break;
  case Id::bswap:
    X = __builtin_bswap64(A.Bits) >> (64 - W);
    break;
  case Id::bitreverse:
    for (unsigned Bit = 0; Bit < W; ++Bit)
      X |= ((A.Bits >> Bit) & 1) << (W - 1 - Bit);
    break;
  case Id::fshl:
  case Id::fshr: {
    const unsigned Shift = C.Bits % W;
    const unsigned Left = I.Imm == Id::fshl ? Shift : W - Shift;
    X = Left == W   ? B.Bits
        : Left == 0 ? A.Bits
                    : A.Bits << Left | B.Bits >> (W - Left);
    break;
  }
  case Id::sadd_sat:
    X = Clamp(__int128(SA) + SB, -__int128(Top) - 1, Top);
    break;
  case Id::ssub_sat:
    X = Clamp(__int128(SA) - SB, -__int128(Top) - 1, Top);
    break;
  case Id::uadd_sat:
    X = Clamp(__int128(A.Bits) + B.Bits, 0, Mask);
    break;
  case Id::usub_sat:
    X = A.Bits < B.Bits ? 0 : A.Bits - B.Bits;
    break;
  case Id::nvvm_mulhi_i:
  case Id::nvvm_mulhi_ll:
    X = static_cast<uint64_t>((__int128(SA) * SB) >> W);
    break;
  case Id::nvvm_mulhi_ui:
  case Id::nvvm_mulhi_ull:
    X = static_cast<uint64_t>(
        (static_cast<unsigned __int128>(A.Bits) * B.Bits) >> W);
    break;
  default:
    return end(Outcome::NotExecutable, "an intrinsic");
  }
  S[I.Dst] = {X & Mask, Poison};
  return true;
}

/// Enters a function of the user's.
bool Interpreter::performCall(Thread &T, const Inst &I) {
  CallInfo &Call = const_cast<CallInfo &>(CurrentFunction->Calls[I.Imm]);
  if (I.Code == Op::Call) {
    if (!Call.Decoded)
      Call.Decoded = &decode(*Call.Callee);
    return performCall(T, I, *Call.Decoded, Call);
  }
  const Slot Address = T.Slots[T.Frames.back().Base + I.A];
  if (Address.Poison)
    return usedPoison(Address.Poison, "a call");
  const llvm::Function *F = functionAt(Address.Bits);
  if (!F || F->isDeclaration() || F->isVarArg())
    return end(F ? Outcome::NotExecutable : Outcome::Undefined,
               "a call through a pointer");
  return performCall(T, I, decode(*F), Call);
}

/// Executes an instruction of \p T that neither jumps nor calls. False if it
/// ends the launch or makes the thread wait.
bool Interpreter::perform(Thread &T, const Inst &I, Slot *S) {
  auto Poisoned = [&](const char *Why) { S[I.Dst] = {0, poison(Why)}; };
  switch (I.Code) {
  case Op::UDiv:
  case Op::URem:
  case Op::SDiv:
  case Op::SRem: {
    const Slot A = S[I.A], B = S[I.B];
    const bool Signed = I.Code == Op::SDiv || I.Code == Op::SRem;
    const int64_t L = signExtend(A.Bits, I.Width),
                  R = signExtend(B.Bits, I.Width);
    if (B.Poison || B.Bits == 0 ||
        (Signed && R == -1 && A.Bits == uint64_t(1) << (I.Width - 1))) {
      if (B.Poison) {
        usedPoison(B.Poison, "a divisor");
        return false;
      }
      end(Outcome::Undefined,
          B.Bits == 0 ? "a division by zero" : "a division that overflows");
      return false;
    }
    const uint64_t Quotient =
        Signed ? static_cast<uint64_t>(L / R) : A.Bits / B.Bits;
    const uint64_t Rest =
        Signed ? static_cast<uint64_t>(L % R) : A.Bits % B.Bits;
    const bool Divides = I.Code == Op::UDiv || I.Code == Op::SDiv;
    S[I.Dst] = {(Divides ? Quotient : Rest) & lowBits(I.Width), A.Poison};
    if ((I.Flags & ExactFlag) && Rest && !A.Poison)
      Poisoned("an inexact division that is marked exact");
    break;
  }
  case Op::Shl:
  case Op::LShr:
  case Op::AShr: {
    const Slot A = S[I.A], B = S[I.B];
    const uint32_t Poison = A.Poison ? A.Poison : B.Poison;
    if (Poison || B.Bits >= I.Width) {
      S[I.Dst] = {0, Poison};
      if (!Poison)
        Poisoned("a shift by the width of the type or more");
      break;
    }
    const uint64_t Mask = lowBits(I.Width);
    uint64_t X;
    bool Bad = false;
    if (I.Code == Op::Shl) {
      X = (A.Bits << B.Bits) & Mask;
      if (I.Flags & NoUnsigned)
        Bad |= X >> B.Bits != A.Bits;
      if (I.Flags & NoSigned)
        Bad |= signExtend(X, I.Width) >> B.Bits != signExtend(A.Bits, I.Width);
    } else {
      X = I.Code == Op::LShr
              ? A.Bits >> B.Bits
              : static_cast<uint64_t>(signExtend(A.Bits, I.Width) >> B.Bits) &
                    Mask;
      if (I.Flags & ExactFlag)
        Bad |= (A.Bits & lowBits(B.Bits)) != 0 && B.Bits != 0;
    }
    S[I.Dst] = {X, 0};
    if (Bad)
      Poisoned("a shift that loses bits");
    break;
  }
  case Op::FArith: {
    const Slot A = S[I.A], B = S[I.B];
    const ScalarType Type = static_cast<ScalarType>(I.C);
    S[I.Dst] = {
        apply(static_cast<Arithmetic>(I.Flags), {Type, A.Bits}, {Type, B.Bits})
            ->Bits,
        A.Poison ? A.Poison : B.Poison};
    break;
  }
  case Op::FNeg: {
    const Slot A = S[I.A];
    S[I.Dst] = {A.Bits ^ (uint64_t(1) << (I.Width - 1)), A.Poison};
    break;
  }
  case Op::FCmp: {
    const Slot A = S[I.A], B = S[I.B];
    S[I.Dst] = {uint64_t(compareReals(I.Flags, realOf(A.Bits, I.C),
                                      realOf(B.Bits, I.C))),
                A.Poison ? A.Poison : B.Poison};
    break;
  }
  case Op::Convert:
    performConvert(I, S);
    break;
  case Op::BitOp:
    if (!performBitOp(I, S))
      return false;
    break;
  case Op::WithOverflow:
    performOverflow(I, S);
    break;
  case Op::Pack: {
    const Slot A = S[I.A], B = S[I.B];
    S[I.Dst] = {A.Bits | B.Bits << I.Width, A.Poison ? A.Poison : B.Poison};
    break;
  }
  case Op::Extract: {
    const Slot A = S[I.A];
    S[I.Dst] = {(A.Bits >> I.Imm) & lowBits(I.Width), A.Poison};
    break;
  }
  case Op::Alloca: {
    const Slot Count = S[I.B];
    if (Count.Poison) {
      usedPoison(Count.Poison, "the size of a variable");
      return false;
    }
    auto Address = addLocal(T, I.Imm * Count.Bits);
    if (!Address)
      return false;
    S[I.Dst] = {*Address, 0};
    break;
  }
  case Op::CopyBytes:
  case Op::FillBytes: {
    const Slot A = S[I.A], B = S[I.B], C = S[I.C];
    if (A.Poison || C.Poison) {
      usedPoison(A.Poison ? A.Poison : C.Poison, "a copy of bytes");
      return false;
    }
    if (I.Code == Op::FillBytes) {
      if (!fillBytes(T, A.Bits, static_cast<uint8_t>(B.Bits), !B.Poison,
                     C.Bits))
        return false;
    } else if (B.Poison) {
      usedPoison(B.Poison, "a copy of bytes");
      return false;
    } else if (!copyBytes(T, A.Bits, B.Bits, C.Bits, I.Flags)) {
      return false;
    }
    break;
  }
  case Op::Forget: {
    // A variable whose life begins or ends has no value.
    const uint64_t A = S[I.A].Bits;
    if (!S[I.A].Poison && (A & Memory::LocalBit)) {
      const uint32_t Index = (A >> Memory::WindowBits) & 0x7ff;
      if (Index < T.Locals.size()) {
        const Local &L = T.Locals[Index];
        std::memset(T.StackDefined.data() + L.Offset, 0, L.Size);
      }
    }
    break;
  }
  case Op::Freeze: {
    const Slot A = S[I.A];
    if (A.Poison) {
      end(Outcome::NotExecutable, "an arbitrary value (freeze)");
      return false;
    }
    S[I.Dst] = A;
    break;
  }
  case Op::Unreachable:
    end(Outcome::Undefined, "a place that LLVM takes to be unreachable");
    return false;
  case Op::Header:
    if (!performHeader(T, I, CurrentFunction->Calls[I.Imm]))
      return false;
    break;
  case Op::SharedAddress: {
    const Slot A = S[I.A];
    auto Found = A.Poison ? std::optional<uint64_t>(0) : sharedAddress(A.Bits);
    if (!Found) {
      end(Outcome::NotExecutable, "an address of shared memory");
      return false;
    }
    S[I.Dst] = {*Found, A.Poison};
    break;
  }
  case Op::Assembly:
    if (!performAssembly(T, I, CurrentFunction->Calls[I.Imm]))
      return false;
    break;
  case Op::Math:
    if (!performMath(T, I, CurrentFunction->Calls[I.Imm]))
      return false;
    break;
  case Op::Atomic:
    if (!performAtomic(T, I))
      return false;
    break;
  case Op::Special: {
    uint32_t X = 0;
    const unsigned Register = static_cast<unsigned>(I.Imm);
    if (Register < 3)
      X = T.Index[Register];
    else if (Register < 6)
      X = Block[Register - 3];
    else if (Register < 9)
      X = Shape.Block[Register - 6];
    else if (Register < 12)
      X = Shape.Grid[Register - 9];
    else if (I.Imm == static_cast<uint64_t>(Special::LaneId))
      X = T.Number % 32;
    else if (I.Imm == static_cast<uint64_t>(Special::WarpSize))
      X = 32;
    else
      X = static_cast<uint32_t>(Shape.DynamicShared);
    S[I.Dst] = {X, 0};
    break;
  }
  case Op::Barrier:
  case Op::BarrierReduce:
    if ((I.Code == Op::BarrierReduce || I.Flags) && S[I.A].Poison) {
      usedPoison(S[I.A].Poison, "a barrier's predicate");
      return false;
    }
    if (I.Code == Op::Barrier && I.Flags &&
        S[I.A].Bits != static_cast<uint64_t>(Shape.Block[0]) * Shape.Block[1] *
                           Shape.Block[2])
      return end(Outcome::Undefined,
                 "a barrier waits for another number of threads than the "
                 "block has");
    T.For = Waiting::Barrier;
    return false;
  case Op::Shuffle:
  case Op::Vote:
  case Op::Reduction:
  case Op::WarpBarrier:
    if (S[I.A].Poison) {
      usedPoison(S[I.A].Poison, "a mask of lanes");
      return false;
    }
    T.For = Waiting::WarpOperation;
    return false;
  case Op::ActiveMask:
  case Op::Fragment:
  case Op::Matrices:
    T.For = Waiting::WarpOperation;
    return false;
  case Op::CopyAsync:
  case Op::CopyCommit:
  case Op::CopyWait:
    if (!performCopy(T, I))
      return false;
    break;
  case Op::Pipeline:
    if (!performPipeline(T, I))
      return false;
    break;
  case Op::SharedBarrier:
    if (!performSharedBarrier(T, I))
      return false;
    break;
  case Op::IsShared: {
    const Slot A = S[I.A];
    const bool Local = A.Bits & Memory::LocalBit;
    const Object *O = Local ? nullptr : Mem->find(A.Bits);
    const bool Shared = O && O->Kind == Space::Shared;
    S[I.Dst] = {uint64_t(I.Flags ? O && !Shared : Shared), A.Poison};
    break;
  }
  case Op::Assume:
    if (S[I.A].Poison || !(S[I.A].Bits & 1)) {
      end(Outcome::Undefined, "an assumption that does not hold");
      return false;
    }
    break;
  case Op::Trap:
    end(Outcome::Trapped, "a trap");
    return false;
  case Op::Unsupported:
    end(Outcome::NotExecutable, CurrentFunction->Calls[I.Imm].Reason);
    return false;
  default:
    return end(Outcome::NotExecutable, "an instruction");
  }
  return true;
}

} // namespace execute
} // namespace warpwright
