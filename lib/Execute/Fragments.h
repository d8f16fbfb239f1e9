//===-- Fragments.h - Matrix fragments of a warp ----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The effect of the intrinsics of nvcuda::wmma. The number of registers of a
/// fragment is specified (PTX ISA, "Matrix Fragments for WMMA"), but not which
/// element of the matrix each of them holds. A program may only apply the same
/// operation to all of them (CUDA C++ Programming Guide, "Warp Matrix
/// Functions"), and then every distribution gives the same result. So each
/// launch draws its own distribution, and a kernel that depends on the places
/// of elements has another result each time.
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

/// A matrix as it is stored in the registers of a warp.
struct FragmentType {
  enum class Use : uint8_t { A, B, Accumulator };
  Use Part = Use::Accumulator;
  unsigned Rows = 0, Columns = 0;
  ScalarType Element = ScalarType::F32;
  bool Tf32 = false; ///< floats with 10 bits of fraction
  /// For A and B: the order in memory, which is a part of the type.
  bool ByRows = true;

  /// Elements in the registers of one thread. Registers of half operands hold
  /// each element of the matrix several times.
  unsigned perLane() const;
  /// Elements in one slot of the decoded function.
  unsigned perSlot() const {
    switch (Element) {
    case ScalarType::BF16:
      return 2;
    case ScalarType::I8:
    case ScalarType::U8:
      return 4;
    default:
      return 1;
    }
  }
  unsigned slots() const { return perLane() / perSlot(); }
};

struct FragmentOperation {
  enum class Kind : uint8_t { Load, Store, Multiply };
  Kind Code = Kind::Load;
  bool ByRows = true;         ///< of a load and a store: the matrix in memory
  FragmentType A, B, Old;     ///< of a multiplication; Old is the addend
  FragmentType Matrix;        ///< what is loaded or stored, and the result
  unsigned arguments() const; ///< slots of all arguments
};

/// Parses the name of an intrinsic after `llvm.nvvm.wmma.`. Nothing for those
/// that are not supported: integers of less than 8 bits, other shapes,
/// .satfinite.
std::optional<FragmentOperation> parseFragmentOperation(llvm::StringRef Name);

/// The element that each register holds, drawn once for each type of fragment.
class FragmentLayouts {
public:
  void reset(uint64_t NewSeed) {
    Seed = NewSeed;
    Drawn.clear();
  }
  /// The elements of lane L are entries L * perLane() and so on; each is the
  /// number of a row times the number of columns, plus that of a column.
  llvm::ArrayRef<uint16_t> of(const FragmentType &T);

private:
  using Key = std::tuple<int, unsigned, unsigned, int, bool, bool>;
  uint64_t Seed = 0;
  std::map<Key, std::vector<uint16_t>> Drawn;
};

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_FRAGMENTS_H
