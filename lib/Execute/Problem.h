//===-- Problem.h - What a launcher decides, for one contraction *- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A contraction compiled for evaluation, and the checks that a launcher makes
/// before it gives a launch to a Hopper kernel.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_EXECUTE_PROBLEM_H
#define WARPWRIGHT_LIB_EXECUTE_PROBLEM_H

#include "Evaluate.h"
#include <array>

namespace warpwright {
namespace execute {

/// b, m, n, k.
using Extents = std::array<int64_t, 4>;

enum class ArrayUse { Operand, Input, Output };

/// An access of the contraction to an array.
struct ArrayAccess {
  std::string Pointer;
  ScalarType Type = ScalarType::F32;
  ArrayUse Use = ArrayUse::Operand;
  CompiledInt Index;
  std::string Text; ///< of the index
  bool Affine = false;
  std::array<CompiledInt, 5> Form; ///< base, then strides along b, m, n and k
  bool UsesK = false;
  unsigned Sum = 0; ///< whose k it is
};

/// Elements that an access reaches, both ends included.
struct Reach {
  Wide Lo = 0, Hi = 0;
  Wide Furthest = 0; ///< with all terms pulling one way
};

/// A product of one of the sums.
struct ProductCode {
  const Operand *Factors[2]; ///< A and B
  CompiledInt Indices[2];
  CompiledValue Prologues[2];
};

/// What one accumulator of the contraction adds up.
struct SumCode {
  Accumulation Source;
  CompiledInt Extent; ///< of k
  std::vector<ProductCode> Products;
};

class Problem {
public:
  explicit Problem(const Contraction &C);

  const Contraction &C;
  NameTable Names;
  std::array<uint32_t, 4> IndexIds; ///< of %b, %m, %n, %k
  std::array<CompiledInt, 4> ExtentCode;
  /// The first one has the last of the extents.
  std::vector<SumCode> Sums;
  std::vector<CompiledInt> OutputIndices;
  std::vector<CompiledValue> OutputValues;
  /// Operands, outputs, inputs: as the launcher lists them.
  std::vector<ArrayAccess> Accesses;
  struct Need {
    CompiledBool Condition;
    CompiledValue AsValue; ///< for conditions over floating-point numbers
    std::string Reason;
    std::vector<uint32_t> Ids;
    /// Of a comparison: what both sides are.
    std::optional<CmpOp> Op;
    CompiledInt L, R;
  };
  std::vector<Need> Needs;
  /// Pointers that a condition compares with null.
  std::vector<std::string> Nullable;

  std::array<Wide, 4> extents(const Environment &Env) const;
  /// How many terms sum \p Sum has: no fewer than none.
  int64_t terms(unsigned Sum, const Environment &Env) const;
  /// Terms of all sums for one element of the outputs, k being \p Extent's.
  Wide termsOfAll(const Environment &Env, Wide Extent) const;
  /// Digits of the narrowest floating-point type that a sum is added up in.
  unsigned leastDigits() const;
  bool holds(Need &N, const Environment &Env) const;
  /// What \p A reaches; Env.Ints is used for the indices and restored.
  Reach reach(const ArrayAccess &A, Environment &Env,
              const Extents &Extent) const;
  /// Why the launcher runs the original; empty where it does not.
  std::string refuses(Environment &Env);
};

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_PROBLEM_H
