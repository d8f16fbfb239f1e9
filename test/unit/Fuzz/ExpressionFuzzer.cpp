//===- ExpressionFuzzer.cpp - Any text as a layout expression -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A libFuzzer target: no text crashes the parser, the algebra or the atoms, and
// what has a value prints as something that has the same value.

#include "warpwright/Hopper/Atoms.h"

#include <cstdlib>

using namespace llvm;
using namespace warpwright;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  StringRef Text(reinterpret_cast<const char *>(Data), Size);
  Expected<ExpressionValue> V = evaluateExpression(Text, &machineLibrary());
  if (!V) {
    handleAllErrors(V.takeError(), [&](const ExpressionError &E) {
      if (E.offset() > Size)
        std::abort();
    });
    return 0;
  }
  if (std::holds_alternative<IntTuple>(*V))
    return 0;
  Expected<ComposedLayout> L = ExpressionArgument{*V}.layout();
  if (!L) {
    consumeError(L.takeError());
    return 0;
  }
  Expected<ComposedLayout> Again = evaluateLayout(L->str());
  if (!Again) { // numbers may have grown past what may be written
    consumeError(Again.takeError());
    return 0;
  }
  if (Again->str() != L->str())
    std::abort();
  return 0;
}
