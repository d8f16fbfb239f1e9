//===- Trace.cpp - What the threads of a simulated launch did -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trace.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace llvm;

namespace warpwright {

static Error malformed(StringRef Line) {
  return createStringError("trace: cannot read '" + Line + "'");
}

static Error readNumbers(ArrayRef<StringRef> Words, StringRef Line,
                         std::vector<int64_t> &Numbers) {
  for (StringRef Word : Words)
    if (Word.getAsInteger(10, Numbers.emplace_back()))
      return malformed(Line);
  return Error::success();
}

Expected<std::vector<std::vector<TraceThread>>> parseTrace(StringRef Text,
                                                           StringRef Kernel) {
  std::map<int64_t, std::vector<TraceThread>> Launches;
  TraceThread *Current = nullptr;
  while (!Text.empty()) {
    StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    SmallVector<StringRef> Words;
    Line.split(Words, ' ');
    std::vector<int64_t> Numbers;
    if (Words[0] == "thread") {
      if (Words.size() != 6)
        return malformed(Line);
      const StringRef Name = Words[2];
      Words.erase(Words.begin() + 2);
      if (Error E = readNumbers(ArrayRef(Words).drop_front(), Line, Numbers))
        return std::move(E);
      Current = nullptr;
      if (Name == Kernel) {
        Current = &Launches[Numbers[0]].emplace_back();
        Current->Cluster = Numbers[1];
        Current->CTA = Numbers[2];
        Current->Thread = Numbers[3];
      }
    } else if (Current) {
      if (Error E = readNumbers(ArrayRef(Words).drop_front(), Line, Numbers))
        return std::move(E);
      Current->Ops.push_back({Words[0], std::move(Numbers)});
    }
  }
  std::vector<std::vector<TraceThread>> Result;
  for (auto &Launch : Launches)
    Result.push_back(std::move(Launch.second));
  return Result;
}

} // namespace warpwright
