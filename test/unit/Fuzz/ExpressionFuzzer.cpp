//===- ExpressionFuzzer.cpp - Any text as a layout expression -------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A libFuzzer target: no text crashes what `warpwright layout` does with it:
// the parser, the algebra, the atoms, the pictures and the bank counts. What
// has a value prints as something that has the same value.

#include "warpwright/Hopper/Atoms.h"
#include "warpwright/Layout/Banks.h"
#include "warpwright/Layout/Draw.h"

#include <cstdlib>

using namespace llvm;
using namespace warpwright;

/// Pictures beyond this only take time.
static constexpr int64_t MaxDrawn = 512;

template <class T> static std::optional<T> valueOf(Expected<T> V) {
  if (V)
    return std::move(*V);
  consumeError(V.takeError());
  return std::nullopt;
}

static void draw(Expected<Grid> G) {
  if (!G)
    return consumeError(G.takeError());
  if (drawText(*G).empty() || drawSvg(*G).empty())
    std::abort();
}

/// What the options of the tool do with a layout.
static void show(const ComposedLayout &L) {
  // It reads what it prints.
  std::string Printed = L.str();
  Expected<ExpressionValue> Again = evaluateExpression(Printed);
  if (!Again) { // only because no text may nest that deeply
    consumeError(Again.takeError());
    if (L.outer().depth() < 60)
      std::abort();
    return;
  }
  if (cantFail(ExpressionArgument{*Again}.layout()).str() != Printed)
    std::abort();
  for (int64_t I = 0; I < std::min(L.size(), MaxDrawn); ++I)
    if (L(I) != L(idx2crd(I, L.shape())))
      std::abort();
  if (L.size() > MaxDrawn)
    return;
  for (int64_t Bytes : {0, 2})
    draw(offsetGrid(L, Bytes));
  if (L.isPlain() && L.rank() == 2)
    draw(threadValueGrid(ThreadValueLayout{L, {4, 8}}));
  Layout ThreadValue({4, 2}, {1, 4});
  if (L.size() >= 8)
    if (!valueOf(countWavefronts(L, ThreadValue, 1, 4)))
      std::abort();
}

static void evaluate(const std::string &Text) {
  Expected<ExpressionValue> V = evaluateExpression(Text, &machineLibrary());
  if (!V) {
    bool Placed = false;
    handleAllErrors(V.takeError(), [&](const ExpressionError &E) {
      Placed = E.offset() <= Text.size() && !E.text().empty();
    });
    if (!Placed)
      std::abort();
    return;
  }
  if (const auto *Object =
          std::get_if<std::shared_ptr<const ExpressionObject>>(&*V)) {
    if ((*Object)->str().empty())
      std::abort();
    valueOf((*Object)->svg());
    for (StringRef Name : {"thr", "A", "B", "C", "tv", "tiler", "src", "k"})
      if (valueOf((*Object)->member(Name)))
        evaluate(Text + "." + Name.str());
    return;
  }
  if (const auto *ThreadValue = std::get_if<ThreadValueLayout>(&*V))
    if (product(ThreadValue->Tile) <= MaxDrawn)
      draw(threadValueGrid(*ThreadValue));
  if (auto L = valueOf(ExpressionArgument{*V}.layout()))
    show(*L);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  evaluate(std::string(reinterpret_cast<const char *>(Data), Size));
  return 0;
}
