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
/// before it runs the Hopper kernel.
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
  std::string Text;    ///< of the index
  bool Affine = false; ///< in m, n, k and the digits of b
  /// Given the other indices, it is affine in b, m, n and k.
  std::array<bool, 4> Linear = {};
  /// If affine: base, then strides along m, n, k and the digits of b, innermost
  /// first (Contraction::BatchDigits), or b itself.
  std::vector<CompiledInt> Form;
  bool UsesK = false;
  /// The range of an index for which it is made (IndexRange): the number of
  /// the index in Extents; negative for all of every index. Without an End, up
  /// to the extent.
  int Ranging = -1;
  CompiledInt Begin;
  std::optional<CompiledInt> End;
  /// The product whose k it uses, of which sum.
  unsigned Sum = 0, Product = 0;
};

/// Numbers of an index.
struct Span {
  Wide First = 0, Count = 0;
  bool operator==(const Span &Other) const {
    return First == Other.First && Count == Other.Count;
  }
};

/// The range of elements that an access reaches, both ends included.
struct Reach {
  bool None = false; ///< it is never made
  Wide Lo = 0, Hi = 0;
  Wide Furthest = 0; ///< with all terms of the same sign
};

/// A product of one of the sums.
struct ProductCode {
  const Operand *Factors[2]; ///< A and B
  CompiledInt Indices[2];
  CompiledValue Prologues[2];
  bool Subtracted = false;
  CompiledInt Extent;  ///< of k
  CompiledValue Scale; ///< Product::Scale; empty for none
};

/// The products that one accumulator of the contraction adds up.
struct SumCode {
  Accumulation Source;
  std::vector<ProductCode> Products;
};

class Problem {
public:
  explicit Problem(const Contraction &C);

  const Contraction &C;
  NameTable Names;
  std::vector<CompiledInt> Digits;  ///< Contraction::BatchDigits
  std::array<uint32_t, 4> IndexIds; ///< of %b, %m, %n, %k
  std::array<CompiledInt, 4> ExtentCode;
  /// The first product of the first sum has the last of the extents.
  std::vector<SumCode> Sums;
  std::vector<CompiledInt> OutputIndices;
  std::vector<CompiledValue> OutputValues;
  std::vector<CompiledBool> OutputConditions; ///< Output::When
  /// Operands, outputs and inputs, in the launcher's order.
  std::vector<ArrayAccess> Accesses;
  struct Need {
    CompiledBool Condition;
    CompiledValue AsValue; ///< for conditions over floating-point numbers
    std::string Reason;
    std::vector<uint32_t> Ids;
    /// The two sides of a comparison.
    std::optional<CmpOp> Op;
    CompiledInt L, R;
  };
  std::vector<Need> Needs;
  /// Pointers that conditions compare with null.
  std::vector<std::string> Nullable;

  std::array<Wide, 4> extents(const Environment &Env) const;
  /// The number of terms of a product of sum \p Sum, at least 0.
  int64_t terms(unsigned Sum, unsigned Product, const Environment &Env) const;
  /// The number of terms of all sums for one element of the outputs, where the
  /// first product has \p Extent.
  Wide termsOfAll(const Environment &Env, Wide Extent) const;
  /// Digits of the narrowest floating-point type in which a sum is accumulated.
  unsigned leastDigits() const;
  bool holds(Need &N, const Environment &Env) const;
  /// The numbers of m, n, k and the digits of b, as in ArrayAccess::Form, for
  /// which \p A is made.
  std::vector<Span> spans(const ArrayAccess &A, const Environment &Env,
                          const Extents &Extent) const;
  /// Those of index \p I of \p Extent.
  Span span(const ArrayAccess &A, unsigned I, const Environment &Env,
            const Extents &Extent) const;
  bool areBeside(const ArrayAccess &A, const ArrayAccess &B, Environment &Env,
                 const Extents &Extent) const;
  /// The elements that \p A reaches. Env.Ints is used for the indices and
  /// restored.
  Reach reach(const ArrayAccess &A, Environment &Env,
              const Extents &Extent) const;
  /// The reason why the launcher runs the original; empty if it does not.
  std::string refuses(Environment &Env);
};

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_PROBLEM_H
