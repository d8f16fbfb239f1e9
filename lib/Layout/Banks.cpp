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
    // Rounded down and never negative, for addresses relative to a base.
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

} // namespace warpwright
