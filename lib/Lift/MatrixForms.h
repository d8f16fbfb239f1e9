//===-- MatrixForms.h - Instructions on matrices in registers ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the names of ldmatrix and mma.sync say about their operands.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_MATRIXFORMS_H
#define WARPWRIGHT_LIB_LIFT_MATRIXFORMS_H

#include "warpwright/Contraction/Contraction.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace warpwright::symbolic {

/// `ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16`
struct LoadMatrixForm {
  unsigned Count = 0; ///< matrices, of a register each
  bool Transposed = false;
  bool Generic = false; ///< without `.shared`: the address is a generic one
  static std::optional<LoadMatrixForm> parse(llvm::StringRef Word);
};

/// `mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32`
struct MultiplyForm {
  /// Of the elements of A, of B, and of C.
  ScalarType Left = ScalarType::F16, Right = ScalarType::F16,
             Sum = ScalarType::F32;
  bool Tf32 = false;
  unsigned Groups = 2; ///< of eight rows, of A and of C
  unsigned Packed = 2; ///< elements of A and B in a register
  unsigned Halves = 2; ///< A and B are so often 4 * Packed deep
  /// Registers of C, and of the result.
  unsigned sums() const { return Sum == ScalarType::F16 ? Groups : 2 * Groups; }
  static std::optional<MultiplyForm> parse(llvm::StringRef Word);
};

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_MATRIXFORMS_H
