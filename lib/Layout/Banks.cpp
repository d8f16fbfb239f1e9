//===- Banks.cpp - Shared-memory bank conflicts ---------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Layout/Banks.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <set>

using namespace llvm;

namespace warpwright {

static constexpr int64_t BankBytes = 4, Banks = 32;

unsigned countWavefronts(ArrayRef<int64_t> ByteAddress, unsigned AccessBytes) {
  size_t Lanes = std::max<size_t>(1, Banks * BankBytes / AccessBytes);
  Lanes = std::min<size_t>(Lanes, 32);
  unsigned Total = 0;
  for (size_t First = 0; First < ByteAddress.size(); First += Lanes) {
    std::set<int64_t> Words;
    // Rounded down and never negative, because addresses are relative to a
    // base.
    for (int64_t Address :
         ByteAddress.slice(First, std::min(Lanes, ByteAddress.size() - First)))
      for (int64_t Word = divideFloorSigned(Address, BankBytes);
           Word <= divideFloorSigned(Address + AccessBytes - 1, BankBytes);
           ++Word)
        Words.insert(Word);
    unsigned PerBank[Banks] = {}, Worst = 0;
    for (int64_t Word : Words)
      Worst = std::max(Worst, ++PerBank[Word & (Banks - 1)]);
    Total += Worst;
  }
  return Total;
}

Expected<unsigned> countWavefronts(const ComposedLayout &Bytes,
                                   const Layout &ThreadValue, unsigned Value,
                                   unsigned AccessBytes) {
  if (ThreadValue.rank() != 2)
    return layoutError("the thread-value layout " + ThreadValue.str() +
                       " does not have rank 2");
  int64_t Threads = product(ThreadValue.shape()[0]);
  if (Value >= product(ThreadValue.shape()[1]))
    return layoutError("no value " + Twine(Value) + " in " + ThreadValue.str());
  unsigned Total = 0;
  for (int64_t First = 0; First < Threads; First += 32) {
    std::vector<int64_t> Addresses;
    for (int64_t T = First; T < std::min<int64_t>(Threads, First + 32); ++T)
      Addresses.push_back(Bytes(ThreadValue({T, Value})));
    Total += countWavefronts(Addresses, AccessBytes);
  }
  return Total;
}

Expected<AccessCost> accessCost(const ComposedLayout &L, int64_t UnitBytes,
                                int64_t AccessBytes) {
  constexpr int64_t MaxThreads = 1024, MaxValues = 1 << 16, WarpThreads = 32;
  if (L.rank() != 2)
    return layoutError(L.str() + " has not the two modes (thread, value)");
  int64_t Threads = product(L.shape()[0]), Values = product(L.shape()[1]);
  if (Threads > MaxThreads || Values > MaxValues)
    return layoutError(L.str() + " is more than 1024 threads by 65536 values");
  int64_t Together = AccessBytes / UnitBytes;
  if (AccessBytes % UnitBytes || Values % Together)
    return layoutError("accesses of " + Twine(AccessBytes) +
                       " bytes do not divide the " + Twine(Values) +
                       " values of " + Twine(UnitBytes) + " bytes");
  AccessCost Cost;
  Cost.Warps = divideCeil(Threads, WarpThreads);
  for (int64_t First = 0; First < Threads; First += WarpThreads)
    Cost.Ideal += std::max<int64_t>(
        1, divideCeil(std::min(WarpThreads, Threads - First) * AccessBytes,
                      Banks * BankBytes));
  for (int64_t V = 0; V < Values; V += Together) {
    unsigned Wavefronts = 0;
    std::vector<int64_t> Addresses;
    for (int64_t T = 0; T < Threads; ++T) {
      int64_t Address = L({T, V}) * UnitBytes;
      if (Address % AccessBytes)
        return layoutError("value " + Twine(V) + " of thread " + Twine(T) +
                           " lies at byte " + Twine(Address) +
                           ", not a multiple of " + Twine(AccessBytes));
      for (int64_t I = 1; I < Together; ++I)
        if (int64_t At = L({T, V + I}) * UnitBytes;
            At != Address + I * UnitBytes)
          return layoutError("values " + Twine(V) + " and " + Twine(V + I) +
                             " of thread " + Twine(T) + " lie at bytes " +
                             Twine(Address) + " and " + Twine(At) +
                             ", not in one access of " + Twine(AccessBytes) +
                             " bytes");
      Addresses.push_back(Address);
      if (int64_t(Addresses.size()) == WarpThreads || T + 1 == Threads) {
        Wavefronts += countWavefronts(Addresses, AccessBytes);
        Addresses.clear();
      }
    }
    Cost.Wavefronts.push_back(Wavefronts);
  }
  return Cost;
}

} // namespace warpwright
