//===- Remembered.h - Derivations that repeat ------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Boxes and descriptors are derived by going through all elements of a tile.
/// The kernels of a file mostly have the same plans, and the plans of a kernel
/// the same tiles of some operand, so that the results are remembered.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_PLAN_REMEMBERED_H
#define WARPWRIGHT_LIB_PLAN_REMEMBERED_H

#include "warpwright/Hopper/Tma.h"
#include "warpwright/Hopper/Wgmma.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

namespace warpwright {

/// What \p Compute returned when it was asked for \p Key before, or returns
/// now. The key must say all that the result depends on. Failures are not kept.
template <class Result, class Compute>
llvm::Expected<Result> remembered(const std::string &Key, Compute Computation) {
  static thread_local llvm::StringMap<Result> Known;
  const auto Found = Known.find(Key);
  if (Found != Known.end())
    return Found->second;
  llvm::Expected<Result> New = Computation();
  if (New)
    Known.try_emplace(Key, *New);
  return New;
}

/// tmaBoxes.
inline llvm::Expected<TmaBoxes> rememberedBoxes(const SmemLayout &Tile,
                                                Major Order, const Machine &M) {
  return remembered<TmaBoxes>(llvm::formatv("{0}|{1}|{2}|{3}|{4}", Tile.str(),
                                            Tile.Bits, name(Order), M.TmaBoxMax,
                                            M.TmaAlign)
                                  .str(),
                              [&] { return tmaBoxes(Tile, Order, M); });
}

/// accessOf.
inline llvm::Expected<OperandAccess> rememberedAccess(const SmemLayout &Tile,
                                                      Major Order,
                                                      int64_t InstructionRows,
                                                      int64_t TileRows) {
  return remembered<OperandAccess>(
      llvm::formatv("{0}|{1}|{2}|{3}|{4}", Tile.str(), Tile.Bits, name(Order),
                    InstructionRows, TileRows)
          .str(),
      [&] { return accessOf(Tile, Order, InstructionRows, TileRows); });
}

} // namespace warpwright

#endif // WARPWRIGHT_LIB_PLAN_REMEMBERED_H
