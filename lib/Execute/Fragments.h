//===-- Fragments.h - Matrix fragments of a warp ----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the intrinsics behind nvcuda::wmma do. How many registers a fragment
/// has is specified (PTX ISA, "Matrix Fragments for WMMA"), but not which
/// element of the matrix each of them holds. A program may only do the same to
/// all of them (CUDA C++ Programming Guide, "Warp Matrix Functions"), for which
/// every distribution is as good. So each launch draws its own, and a kernel
/// that looks at places has another result each time.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_EXECUTE_FRAGMENTS_H
#define WARPWRIGHT_LIB_EXECUTE_FRAGMENTS_H

#include "warpwright/Contraction/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace warpwright {
namespace execute {

/// The threads of a warp.
constexpr unsigned WarpLanes = 32;

/// A matrix as the registers of a warp hold it.
struct FragmentType {
  enum class Use : uint8_t { A, B, Accumulator };
  Use Part = Use::Accumulator;
  unsigned Rows = 0, Columns = 0;
  ScalarType Element = ScalarType::F32;
  bool Tf32 = false; ///< floats with 10 bits of fraction
  /// Of A and B: as it lies in memory, which belongs to the type.
  bool ByRows = true;

  /// Elements in the registers of one thread. Those of half operands hold
  /// each element of the matrix several times.
  unsigned perLane() const;
  /// Elements in one slot of the decoded function.
  unsigned perSlot() const { return Element == ScalarType::BF16 ? 2 : 1; }
  unsigned slots() const { return perLane() / perSlot(); }
};

struct FragmentOperation {
  enum class Kind : uint8_t { Load, Store, Multiply };
  Kind Code = Kind::Load;
  bool ByRows = true;         ///< of a load and a store: the matrix in memory
  FragmentType A, B, Old;     ///< of a multiplication; Old is what it adds to
  FragmentType Matrix;        ///< what is loaded or stored, and the result
  unsigned arguments() const; ///< slots of all arguments
};

/// Reads the name of an intrinsic behind `llvm.nvvm.wmma.`. Nothing for those
/// that are not known: integers, double, other shapes, .satfinite.
std::optional<FragmentOperation> parseFragmentOperation(llvm::StringRef Name);

/// Which element each register holds, drawn once for each type of fragment.
class FragmentLayouts {
public:
  void reset(uint64_t NewSeed) {
    Seed = NewSeed;
    Drawn.clear();
  }
  /// For lane L the elements L * perLane() and so on; each is the number of a
  /// row times the columns, plus that of a column.
  llvm::ArrayRef<uint16_t> of(const FragmentType &T);

private:
  using Key = std::tuple<int, unsigned, unsigned, int, bool, bool>;
  uint64_t Seed = 0;
  std::map<Key, std::vector<uint16_t>> Drawn;
};

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_FRAGMENTS_H
