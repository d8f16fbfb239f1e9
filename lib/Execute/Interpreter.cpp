//===-- Interpreter.cpp - Concrete execution of LLVM IR -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The loop over instructions, and the instructions that touch slots alone.
///
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include <cmath>

namespace warpwright {
namespace execute {

static bool compareIntegers(uint8_t Predicate, uint64_t A, uint64_t B,
                            unsigned Width) {
  using P = llvm::CmpInst;
  switch (Predicate) {
  case P::ICMP_EQ:
    return A == B;
  case P::ICMP_NE:
    return A != B;
  case P::ICMP_UGT:
    return A > B;
  case P::ICMP_UGE:
    return A >= B;
  case P::ICMP_ULT:
    return A < B;
  case P::ICMP_ULE:
    return A <= B;
  case P::ICMP_SGT:
    return signExtend(A, Width) > signExtend(B, Width);
  case P::ICMP_SGE:
    return signExtend(A, Width) >= signExtend(B, Width);
  case P::ICMP_SLT:
    return signExtend(A, Width) < signExtend(B, Width);
  default:
    return signExtend(A, Width) <= signExtend(B, Width);
  }
}

namespace {
// Operations on integers: each computes the result modulo 2^64 and returns
// whether it overflows 64 bits.
struct AddTag {
  template <class T> static bool apply(T L, T R, T &Y) {
    return __builtin_add_overflow(L, R, &Y);
  }
};
struct SubTag {
  template <class T> static bool apply(T L, T R, T &Y) {
    return __builtin_sub_overflow(L, R, &Y);
  }
};
struct MulTag {
  template <class T> static bool apply(T L, T R, T &Y) {
    return __builtin_mul_overflow(L, R, &Y);
  }
};
constexpr const char *SignedOverflow = "a signed integer overflow";
} // namespace

/// An addition and the like. Returns why it has no value, if so.
template <class Tag, bool MayPoison>
static inline const char *computeIntegers(const Inst &I, Slot *S) {
  const uint64_t A = S[I.A].Bits, B = S[I.B].Bits, Mask = lowBits(I.Width);
  uint64_t X;
  const bool Beyond = Tag::apply(A, B, X);
  S[I.Dst].Bits = X & Mask;
  if constexpr (MayPoison) {
    S[I.Dst].Poison = S[I.A].Poison ? S[I.A].Poison : S[I.B].Poison;
    if (S[I.Dst].Poison)
      return nullptr;
  }
  if (!I.Flags)
    return nullptr;
  if (I.Flags & NoSigned) {
    int64_t Y;
    if (Tag::apply(signExtend(A, I.Width), signExtend(B, I.Width), Y) ||
        signExtend(X, I.Width) != Y)
      return SignedOverflow;
  }
  if ((I.Flags & NoUnsigned) && (Beyond || X > Mask))
    return "an unsigned integer overflow that LLVM excludes";
  return nullptr;
}

/// The same for 32 bits and NoSigned, which is what C makes of `int`.
template <class Tag, bool MayPoison>
static inline const char *computeInts(const Inst &I, Slot *S) {
  int32_t X;
  const bool Beyond = Tag::apply(static_cast<int32_t>(S[I.A].Bits),
                                 static_cast<int32_t>(S[I.B].Bits), X);
  uint32_t Poison = 0;
  if constexpr (MayPoison)
    S[I.Dst].Poison = Poison = S[I.A].Poison ? S[I.A].Poison : S[I.B].Poison;
  S[I.Dst].Bits = static_cast<uint32_t>(X);
  return Beyond && !Poison ? SignedOverflow : nullptr;
}

/// The edge that a switch takes.
static uint32_t choose(const SwitchTable &Table, uint64_t X) {
  uint32_t To = Table.Default;
  for (auto [Case, Target] : Table.Cases)
    if (Case == X)
      To = Target;
  return To;
}

void Interpreter::loop(Thread &T) {
  if (SeenPoison || loopOf</*MayPoison=*/false>(T))
    loopOf</*MayPoison=*/true>(T);
}

template <bool MayPoison> bool Interpreter::loopOf(Thread &T) {
  Frame *Current = &T.Frames.back();
  const Function *Code = Current->Code;
  const Inst *Next = Code->Code.data() + Current->Pc;
  Slot *S = T.Slots.data() + Current->Base;
  std::vector<Slot> Temporary;

  // Functions outside of this loop read the thread's state from its members.
  auto Save = [&] {
    CurrentFunction = Code;
    CurrentPc = Current->Pc = static_cast<uint32_t>(Next - Code->Code.data());
  };
  auto Reload = [&] {
    Current = &T.Frames.back();
    Code = Current->Code;
    Next = Code->Code.data() + Current->Pc;
    S = T.Slots.data() + Current->Base;
  };
  auto Get = [&](uint32_t From) {
    Slot V = S[From];
    if constexpr (!MayPoison)
      V.Poison = 0;
    return V;
  };
  auto Set = [&](uint32_t To, const Slot &V) {
    S[To].Bits = V.Bits;
    if constexpr (MayPoison)
      S[To].Poison = V.Poison;
  };
  // Whether the other loop has to go on, with what follows *Next.
  auto MeetsPoison = [&] {
    if (MayPoison || LLVM_LIKELY(!SeenPoison))
      return false;
    ++Next;
    Save();
    return true;
  };
  while (true) {
    const Inst &I = *Next;
    if (LLVM_UNLIKELY(StepsLeft == 0)) {
      Save();
      end(Outcome::StepLimit, "too many steps");
      return false;
    }
    --StepsLeft;
    const char *Why = nullptr; // the result is poison
    switch (I.Code) {
    case Op::Add:
      Why = computeIntegers<AddTag, MayPoison>(I, S);
      break;
    case Op::Sub:
      Why = computeIntegers<SubTag, MayPoison>(I, S);
      break;
    case Op::Mul:
      Why = computeIntegers<MulTag, MayPoison>(I, S);
      break;
    case Op::AddInt:
      Why = computeInts<AddTag, MayPoison>(I, S);
      break;
    case Op::SubInt:
      Why = computeInts<SubTag, MayPoison>(I, S);
      break;
    case Op::MulInt:
      Why = computeInts<MulTag, MayPoison>(I, S);
      break;
    case Op::And: {
      const Slot A = Get(I.A), B = Get(I.B);
      Set(I.Dst, {A.Bits & B.Bits, A.Poison ? A.Poison : B.Poison});
      break;
    }
    case Op::Or: {
      const Slot A = Get(I.A), B = Get(I.B);
      Set(I.Dst, {A.Bits | B.Bits, A.Poison ? A.Poison : B.Poison});
      if ((I.Flags & Disjoint) && (A.Bits & B.Bits) && !A.Poison && !B.Poison)
        Why = "an or of overlapping bits that is marked disjoint";
      break;
    }
    case Op::Xor: {
      const Slot A = Get(I.A), B = Get(I.B);
      Set(I.Dst, {A.Bits ^ B.Bits, A.Poison ? A.Poison : B.Poison});
      break;
    }
    case Op::ICmp: {
      const Slot A = Get(I.A), B = Get(I.B);
      Set(I.Dst, {uint64_t(compareIntegers(I.Flags, A.Bits, B.Bits, I.Width)),
                  A.Poison ? A.Poison : B.Poison});
      break;
    }
    case Op::Select: {
      const Slot C = Get(I.A);
      Set(I.Dst, C.Poison ? C : Get(C.Bits & 1 ? I.B : I.C));
      break;
    }
    case Op::Move:
      Set(I.Dst, I.Flags ? Slot{I.Imm, 0} : Get(I.A));
      break;
    case Op::Trunc: {
      const Slot A = Get(I.A);
      Set(I.Dst, {A.Bits & lowBits(I.Width), A.Poison});
      if (I.Flags && !A.Poison) {
        const uint64_t X = A.Bits & lowBits(I.Width);
        if (((I.Flags & NoUnsigned) && X != A.Bits) ||
            ((I.Flags & NoSigned) &&
             signExtend(X, I.Width) != signExtend(A.Bits, I.Imm)))
          Why = "a truncation that loses bits";
      }
      break;
    }
    case Op::ZExt: {
      const Slot A = Get(I.A);
      Set(I.Dst, A);
      if ((I.Flags & NoSigned) && !A.Poison && (A.Bits >> (I.Width - 1) & 1))
        Why = "a negative number that LLVM excludes";
      break;
    }
    case Op::SExt: {
      const Slot A = Get(I.A);
      Set(I.Dst,
          {static_cast<uint64_t>(signExtend(A.Bits, I.Width)) & lowBits(I.Imm),
           A.Poison});
      break;
    }
    case Op::FAdd32:
    case Op::FSub32:
    case Op::FMul32: {
      const Slot A = Get(I.A), B = Get(I.B);
      const float L = asFloat(A.Bits), R = asFloat(B.Bits);
      const float X = I.Code == Op::FAdd32   ? L + R
                      : I.Code == Op::FSub32 ? L - R
                                             : L * R;
      Set(I.Dst, {bitsOf(X), A.Poison ? A.Poison : B.Poison});
      break;
    }
    case Op::Address: {
      const Slot A = Get(I.A), B = Get(I.B);
      const uint32_t Poison = A.Poison ? A.Poison : B.Poison;
      int64_t Offset = static_cast<int64_t>(I.Imm);
      bool Wraps = false;
      if (!(I.Flags & 2))
        Wraps = __builtin_mul_overflow(signExtend(B.Bits, I.Width), Offset,
                                       &Offset);
      const uint64_t X = A.Bits + static_cast<uint64_t>(Offset);
      Set(I.Dst, {X, Poison});
      // Arithmetic within an object does not leave its window.
      if ((I.Flags & 1) && !Poison &&
          (Wraps || (X ^ A.Bits) >> Memory::WindowBits))
        Why = "an address outside of its array";
      break;
    }
    case Op::Load: {
      const Slot A = Get(I.A);
      Save();
      if (A.Poison) {
        usedPoison(A.Poison, "an address");
        return false;
      }
      const unsigned Bytes = (I.Width + 7u) / 8;
      if (!load(T, A.Bits + I.Imm, Bytes, S[I.Dst]))
        return false;
      S[I.Dst].Bits &= lowBits(I.Width);
      if (MeetsPoison())
        return true;
      break;
    }
    case Op::Store: {
      const Slot A = Get(I.A);
      Save();
      if (A.Poison) {
        usedPoison(A.Poison, "an address");
        return false;
      }
      if (!store(T, A.Bits + I.Imm, (I.Width + 7u) / 8, S[I.B]))
        return false;
      break;
    }
    case Op::Jump:
    case Op::Branch:
    case Op::Switch: {
      uint32_t To = I.A;
      if (I.Code != Op::Jump) {
        const Slot A = Get(I.A);
        if (A.Poison) {
          Save();
          usedPoison(A.Poison, "a condition");
          return false;
        }
        To = I.Code == Op::Switch ? choose(Code->Switches[I.Imm], A.Bits)
             : A.Bits & 1         ? I.B
                                  : I.C;
      }
      const Edge &E = Code->Edges[To];
      const std::pair<uint32_t, uint32_t> *Moves = Code->Moves.data();
      if (LLVM_LIKELY(!E.Parallel)) {
        for (uint32_t M = E.FirstMove; M < E.LastMove; ++M)
          Set(Moves[M].first, Get(Moves[M].second));
      } else {
        Temporary.clear();
        for (uint32_t M = E.FirstMove; M < E.LastMove; ++M)
          Temporary.push_back(S[Moves[M].second]);
        for (uint32_t M = E.FirstMove; M < E.LastMove; ++M)
          S[Moves[M].first] = Temporary[M - E.FirstMove];
      }
      Next = Code->Code.data() + E.Target;
      continue;
    }
    case Op::Return: {
      const Frame Done = *Current;
      if (T.Frames.size() == 1) {
        // Of a function that was called from outside: the result.
        for (uint32_t R = 0; R < I.B; ++R)
          T.Slots[R] = S[Code->ReturnSlots[I.A + R]];
        T.Frames.clear();
        T.For = Waiting::Finished;
        return false;
      }
      Slot *Caller = T.Slots.data() + T.Frames[T.Frames.size() - 2].Base;
      for (uint32_t R = 0; R < I.B; ++R)
        Caller[Done.Result + R] = S[Code->ReturnSlots[I.A + R]];
      T.Frames.pop_back();
      T.Locals.resize(Done.Locals);
      T.Stack.resize(Done.Stack);
      T.StackDefined.resize(Done.Stack);
      Reload();
      continue;
    }
    case Op::Call:
    case Op::Indirect:
      Save();
      ++Current->Pc;
      if (!performCall(T, I))
        return false;
      Reload();
      if (!MayPoison && SeenPoison)
        return true;
      continue;
    default:
      Save();
      if (!perform(T, I, S))
        return false;
      if (MeetsPoison())
        return true;
      break;
    }
    if (LLVM_UNLIKELY(Why != nullptr)) {
      Save();
      S[I.Dst] = {0, poison(Why)};
      if (MeetsPoison())
        return true;
    }
    ++Next;
  }
}

} // namespace execute
} // namespace warpwright
