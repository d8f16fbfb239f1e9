//===-- AsyncCopies.cpp - Copies that come about later --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An asynchronous copy may write its bytes of shared memory at any time
/// between the instruction that issues it and the one by which its thread waits
/// for it. The interpreter writes them at the wait, and treats any access to
/// them in between as an error of the program. For the detection of races it
/// counts as a store in both places: other threads' earlier accesses must lie
/// before a barrier that precedes the issue, their later ones behind a barrier
/// that follows the wait.
///
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright {
namespace execute {

/// An address of shared memory by its low 32 bits.
std::optional<uint64_t> Interpreter::sharedAddress(uint64_t Low) const {
  std::optional<uint64_t> Found;
  for (const Object *O : SharedObjects) {
    const uint32_t Offset =
        static_cast<uint32_t>(Low) - static_cast<uint32_t>(O->Base);
    if (Offset >= O->size())
      continue;
    if (Found)
      return std::nullopt;
    Found = O->Base + Offset;
  }
  return Found;
}

bool Interpreter::issueCopy(Thread &T, uint64_t To, uint64_t From,
                            uint64_t Size, uint64_t Copied) {
  if (Size == 0 || Size > 16 || (Size & (Size - 1)) || Copied > Size)
    return end(Outcome::Undefined, "an asynchronous copy of so many bytes");
  PendingCopy New;
  New.Bytes.resize(Size);
  New.Defined.resize(Size, 1);
  if (Copied) {
    Place P;
    if (!locate(T, From, Copied, /*Write=*/false, P))
      return false;
    if (P.O && !P.O->History.empty() &&
        !race(Memory::recordRead(*P.O, P.Offset, Copied, accessor(T)), P,
              /*Write=*/false))
      return false;
    std::copy_n(P.Bytes, Copied, New.Bytes.begin());
    if (P.Defined)
      std::copy_n(P.Defined, Copied, New.Defined.begin());
  }
  Place Q;
  if (!locate(T, To, Size, /*Write=*/true, Q))
    return false;
  if (!Q.O || Q.O->Kind != Space::Shared)
    return end(Outcome::Undefined,
               "an asynchronous copy to something else than shared memory");
  if (!race(Memory::recordWrite(*Q.O, Q.Offset, Size, accessor(T),
                                /*SameValue=*/false),
            Q, /*Write=*/true))
    return false;
  for (UnitHistory &H : Q.O->historyOf(Q.Offset, Size))
    H.UnderWay = true;
  New.O = Q.O;
  New.Offset = Q.Offset;
  New.Group = T.Groups;
  T.Copies.push_back(std::move(New));
  return true;
}

void Interpreter::waitForCopies(Thread &T, uint64_t Prior) {
  // Skips copies of groups that are still open, and of the last Prior groups.
  finishCopies(T, [&](const PendingCopy &C) {
    return C.Group < T.Groups && T.Groups - C.Group > Prior;
  });
}

void Interpreter::finishCopies(
    Thread &T, llvm::function_ref<bool(const PendingCopy &)> Which) {
  llvm::erase_if(T.Copies, [&](const PendingCopy &C) {
    if (!Which(C))
      return false;
    for (UnitHistory &H : C.O->historyOf(C.Offset, C.Bytes.size())) {
      H.UnderWay = false;
      const Stamp Now = {C.Phase ? C.Phase : T.Phase, T.Number, T.Step};
      H.MixedWriters = std::max(H.MixedWriters, Memory::mixed(H.Writer, Now));
      H.Writer = Now;
      H.AtomicWriter = false;
    }
    for (uint64_t N = 0; N < C.Bytes.size(); ++N) {
      C.O->Bytes[C.Offset + N] = C.Bytes[N];
      C.O->Defined[C.Offset + N] = C.Defined[N];
    }
    C.O->Written = true;
    return true;
  });
}

bool Interpreter::performCopy(Thread &T, const Inst &I) {
  const Slot *S = T.Slots.data() + T.Frames.back().Base;
  if (I.Code == Op::CopyCommit) {
    ++T.Groups;
    return true;
  }
  if (I.Code == Op::CopyWait) {
    if (S[I.A].Poison)
      return usedPoison(S[I.A].Poison, "a wait for copies");
    // As in the header, which never leaves more than 8 groups pending.
    constexpr uint64_t MostGroups = 8;
    waitForCopies(T, std::min(S[I.A].Bits, MostGroups));
    return true;
  }
  for (uint32_t Used : {I.A, I.B, I.C, static_cast<uint32_t>(I.Imm)})
    if (S[Used].Poison)
      return usedPoison(S[Used].Poison, "a copy of bytes");
  const uint64_t Size = S[I.C].Bits, Zeros = I.Flags ? 0 : S[I.Imm].Bits;
  if (Zeros > Size || (I.Flags ? Size > 2 : Size < 4))
    return end(Outcome::Undefined, "an asynchronous copy of so many bytes");
  return issueCopy(T, S[I.A].Bits, S[I.B].Bits, Size, Size - Zeros);
}

} // namespace execute
} // namespace warpwright
