//===-- Access.cpp - Accesses of the interpreter to memory ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Compiler.h"
#include <algorithm>

namespace warpwright {
namespace execute {

std::optional<uint64_t> Interpreter::addLocal(Thread &T, uint64_t Size) {
  constexpr uint64_t MaxStack = 1 << 20, MaxLocals = 1 << 11;
  const uint64_t Offset = T.Stack.size();
  if (Size > MaxStack || Offset + Size > MaxStack ||
      T.Locals.size() >= MaxLocals) {
    end(Outcome::NotExecutable, "too many local variables");
    return std::nullopt;
  }
  T.Stack.resize(Offset + Size);
  T.StackDefined.resize(Offset + Size, 0);
  std::memset(T.StackDefined.data() + Offset, 0, Size);
  const uint64_t Index = T.Locals.size();
  T.Locals.push_back(
      {static_cast<uint32_t>(Offset), static_cast<uint32_t>(Size)});
  return Memory::LocalBit | static_cast<uint64_t>(T.Number) << 51 |
         Index << Memory::WindowBits | uint64_t(1) << (Memory::WindowBits - 1);
}

bool Interpreter::locateLocal(Thread &T, uint64_t Address, uint64_t Size,
                              bool Write, Place &P) {
  const uint32_t Owner = (Address >> 51) & 0x3ff;
  const uint32_t Index = (Address >> Memory::WindowBits) & 0x7ff;
  const uint64_t Offset = (Address & lowBits(Memory::WindowBits)) -
                          (uint64_t(1) << (Memory::WindowBits - 1));
  if (Owner != T.Number)
    return end(Outcome::NotExecutable,
               "an access to a local variable of another thread");
  if (Index >= T.Locals.size())
    return end(Outcome::Undefined,
               "an access to a local variable that is gone");
  const Local &L = T.Locals[Index];
  if (Offset > L.Size || Size > L.Size - Offset)
    return end(Outcome::Undefined, llvm::Twine("a ") +
                                       (Write ? "write" : "read") +
                                       " outside of a local variable");
  P.Bytes = T.Stack.data() + L.Offset + Offset;
  P.Defined = T.StackDefined.data() + L.Offset + Offset;
  P.O = nullptr;
  P.Offset = Offset;
  return true;
}

/// Ends the launch because of an access outside of all objects.
bool Interpreter::locateNothing(const Object *O, uint64_t Address, bool Write) {
  const char *Access = Write ? "write" : "read";
  if (!O)
    return end(Outcome::Undefined,
               Address < (uint64_t(1) << Memory::WindowBits)
                   ? llvm::Twine("a ") + Access + " through a null pointer"
                   : llvm::Twine("a ") + Access + " outside of all arrays");
  const Outcome Outside = Write ? Outcome::OutsideWrite : Outcome::OutsideRead;
  return end(O->Kind == Space::Array    ? Outside
             : O->Kind == Space::Shared ? Outcome::OutsideShared
                                        : Outcome::Undefined,
             llvm::Twine("a ") + Access + " outside of '" + O->Name + "'");
}

/// locate(), inlined where loads and stores are executed.
LLVM_ATTRIBUTE_ALWAYS_INLINE bool Interpreter::place(Thread &T,
                                                     uint64_t Address,
                                                     uint64_t Size, bool Write,
                                                     Place &P) {
  if (Address & Memory::LocalBit)
    return locateLocal(T, Address, Size, Write, P);
  Object *O = Mem->find(Address);
  if (!O)
    return locateNothing(O, Address, Write);
  const uint64_t Offset = Address - O->Base, All = O->size();
  if (Offset > All || Size > All - Offset)
    return locateNothing(O, Address, Write);
  if (Write && O->Kind == Space::Constant)
    return end(Outcome::Undefined,
               "a write to the constant '" + llvm::Twine(O->Name) + "'");
  P.Bytes = O->Bytes.data() + Offset;
  P.Defined = O->Defined.empty() ? nullptr : O->Defined.data() + Offset;
  P.O = O;
  P.Offset = Offset;
  return true;
}

bool Interpreter::locate(Thread &T, uint64_t Address, uint64_t Size, bool Write,
                         Place &P) {
  return place(T, Address, Size, Write, P);
}

bool Interpreter::race(Race R, const Place &P, bool Write) {
  if (R == Race::None)
    return true;
  if (R == Race::Copy)
    return end(Outcome::CopyUnderWay,
               llvm::Twine("a ") + (Write ? "write to '" : "read of '") +
                   P.O->Name +
                   "' while an asynchronous copy to it is under way");
  return end(
      P.O->Kind == Space::Shared ? Outcome::SharedRace : Outcome::Undefined,
      llvm::Twine("a ") + (Write ? "write to '" : "read of '") + P.O->Name +
          (R == Race::Threads ? "' that races with another thread"
                              : "' that races with another block"));
}

/// The number in up to 8 bytes.
static uint64_t readBytes(const uint8_t *From, unsigned Bytes) {
  if (Bytes == 4) {
    uint32_t X;
    std::memcpy(&X, From, 4);
    return X;
  }
  uint64_t X = 0;
  std::memcpy(&X, From, Bytes);
  return X;
}

bool Interpreter::load(Thread &T, uint64_t Address, unsigned Bytes,
                       Slot &Result) {
  Place P;
  if (!place(T, Address, Bytes, /*Write=*/false, P))
    return false;
  Result = {readBytes(P.Bytes, Bytes), 0};
  // Each byte of Defined is 0 or 1.
  constexpr uint64_t Ones = 0x0101010101010101;
  if (P.Defined && readBytes(P.Defined, Bytes) != (Ones & lowBits(8 * Bytes)))
    Result.Poison = poison("memory that nothing was written to");
  if (!P.O || P.O->History.empty())
    return true;
  return race(Memory::recordRead(*P.O, P.Offset, Bytes, accessor(T)), P,
              /*Write=*/false);
}

bool Interpreter::store(Thread &T, uint64_t Address, unsigned Bytes,
                        const Slot &Value) {
  Place P;
  if (!place(T, Address, Bytes, /*Write=*/true, P))
    return false;
  if (P.O) {
    if (!P.O->History.empty() || P.O->Kind != Space::Array) {
      const bool Same = !Value.Poison &&
                        !std::memcmp(P.Bytes, &Value.Bits, Bytes) &&
                        P.O->isDefined(P.Offset, Bytes);
      if (!P.O->History.empty() &&
          !race(Memory::recordWrite(*P.O, P.Offset, Bytes, accessor(T), Same),
                P, /*Write=*/true))
        return false;
    }
    P.O->Written = true;
    if (Value.Poison && !P.Defined) {
      P.O->trackDefined(true);
      P.Defined = P.O->Defined.data() + P.Offset;
    }
  }
  std::memcpy(P.Bytes, &Value.Bits, Bytes);
  if (P.Defined)
    std::memset(P.Defined, Value.Poison ? 0 : 1, Bytes);
  return true;
}

bool Interpreter::copyBytes(Thread &T, uint64_t To, uint64_t From,
                            uint64_t Size, bool MayOverlap) {
  if (Size == 0)
    return true;
  Place P, Q;
  if (!locate(T, From, Size, /*Write=*/false, P) ||
      !locate(T, To, Size, /*Write=*/true, Q))
    return false;
  const uint64_t Apart = To > From ? To - From : From - To;
  if (!MayOverlap && Apart != 0 && Apart < Size)
    return end(Outcome::Undefined, "a copy between overlapping bytes");
  llvm::SmallVector<uint8_t, 64> Defined(Size, 1);
  if (P.Defined)
    std::memcpy(Defined.data(), P.Defined, Size);
  StepsLeft -= std::min<uint64_t>(StepsLeft, Size / 16);
  if (P.O && !P.O->History.empty() &&
      !race(Memory::recordRead(*P.O, P.Offset, Size, accessor(T)), P, false))
    return false;
  if (Q.O) {
    if (!Q.O->History.empty() &&
        !race(Memory::recordWrite(*Q.O, Q.Offset, Size, accessor(T),
                                  std::memcmp(P.Bytes, Q.Bytes, Size) == 0),
              Q, true))
      return false;
    Q.O->Written = true;
    if (!Q.Defined && llvm::is_contained(Defined, 0)) {
      Q.O->trackDefined(true);
      Q.Defined = Q.O->Defined.data() + Q.Offset;
    }
  }
  std::memmove(Q.Bytes, P.Bytes, Size);
  if (Q.Defined)
    std::memcpy(Q.Defined, Defined.data(), Size);
  return true;
}

bool Interpreter::fillBytes(Thread &T, uint64_t To, uint8_t Byte, bool Defined,
                            uint64_t Size) {
  if (Size == 0)
    return true;
  Place P;
  if (!locate(T, To, Size, /*Write=*/true, P))
    return false;
  StepsLeft -= std::min<uint64_t>(StepsLeft, Size / 16);
  if (P.O) {
    const bool Same = std::all_of(P.Bytes, P.Bytes + Size,
                                  [&](uint8_t B) { return B == Byte; });
    if (!P.O->History.empty() &&
        !race(Memory::recordWrite(*P.O, P.Offset, Size, accessor(T), Same), P,
              true))
      return false;
    P.O->Written = true;
    if (!Defined && !P.Defined) {
      P.O->trackDefined(true);
      P.Defined = P.O->Defined.data() + P.Offset;
    }
  }
  std::memset(P.Bytes, Byte, Size);
  if (P.Defined)
    std::memset(P.Defined, Defined, Size);
  return true;
}

bool Interpreter::performAtomic(Thread &T, const Inst &I) {
  Slot *S = T.Slots.data() + T.Frames.back().Base;
  const Slot Pointer = S[I.A], Value = S[I.B];
  if (Pointer.Poison || Value.Poison)
    return usedPoison(Pointer.Poison ? Pointer.Poison : Value.Poison,
                      "an atomic operation");
  Place P;
  const unsigned Bytes = I.Width / 8;
  if (!locate(T, Pointer.Bits, Bytes, /*Write=*/true, P))
    return false;
  if (P.Defined && std::memchr(P.Defined, 0, Bytes))
    return end(Outcome::Undefined, "an atomic operation on undefined bytes");
  if (P.O && !P.O->History.empty()) {
    Accessor Who = accessor(T);
    Who.Atomic = true;
    if (!race(Memory::recordWrite(*P.O, P.Offset, Bytes, Who, false), P, true))
      return false;
  }
  if (P.O)
    P.O->Written = true;
  uint64_t Old = 0;
  std::memcpy(&Old, P.Bytes, Bytes);
  uint64_t New = 0;
  const int64_t SO = signExtend(Old, I.Width),
                SV = signExtend(Value.Bits, I.Width);
  using R = llvm::AtomicRMWInst;
  const ScalarType Type = static_cast<ScalarType>(I.C);
  switch (I.Flags) {
  case R::Xchg:
    return end(Outcome::NotExecutable, "an atomic exchange");
  case R::Add:
    New = Old + Value.Bits;
    break;
  case R::Sub:
    New = Old - Value.Bits;
    break;
  case R::And:
    New = Old & Value.Bits;
    break;
  case R::Or:
    New = Old | Value.Bits;
    break;
  case R::Xor:
    New = Old ^ Value.Bits;
    break;
  case R::Max:
    New = SO > SV ? Old : Value.Bits;
    break;
  case R::Min:
    New = SO < SV ? Old : Value.Bits;
    break;
  case R::UMax:
    New = std::max(Old, Value.Bits);
    break;
  case R::UMin:
    New = std::min(Old, Value.Bits);
    break;
  case R::FAdd:
  case R::FSub:
    New = apply(I.Flags == R::FAdd ? Arithmetic::Add : Arithmetic::Sub,
                {Type, Old}, {Type, Value.Bits})
              ->Bits;
    break;
  default:
    return end(Outcome::NotExecutable, "an atomic operation");
  }
  std::memcpy(P.Bytes, &New, Bytes);
  S[I.Dst] = {Old, 0};
  return true;
}

} // namespace execute
} // namespace warpwright
