//===-- Contraction.h - What a kernel computes ------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The hand-over from Lift to Plan: what a kernel computes, with no trace of
/// how. For all (b, m, n) in the box of the extents:
///
///     acc = Sum over k of A[a(b, m, k)] * B[b(b, k, n)]
///     output[c(b, m, n)] = value(acc, loads, parameters)
///
/// There may be more: a sum adds one or several products, there are one or
/// several sums (`acc`, `acc1`, ...), each sum and each product over its own
/// range of k, and a factor may be computed from the element that is loaded, by
/// a prologue.
///
/// All extents, offsets and strides are IntExpr over scalar parameters and
/// over the gridDim and blockDim of the launch, which the launcher knows
/// exactly. Naming convention: `n` is the index along which the first output
/// is contiguous (or, if none is, the one that the second factor carries), so
/// a column-major C appears here as a row-major C with the roles of the
/// user's two operands exchanged; RolesExchanged says that this happened.
///
/// print() and parseContraction() are inverse to each other.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_CONTRACTION_CONTRACTION_H
#define WARPWRIGHT_CONTRACTION_CONTRACTION_H

#include "warpwright/Contraction/Value.h"
#include "llvm/Support/Error.h"

namespace warpwright {

/// Where the numbers of four bits of a word are: number i at the bits from
/// `4 * Places[i]` on. Places has as many as a word has numbers, 2 to 8.
struct NumberOrder {
  std::vector<unsigned> Places;
  /// The numbers of a word are neighbours along k, not across it.
  bool AlongK = false;
  bool operator==(const NumberOrder &O) const {
    return Places == O.Places && AlongK == O.AlongK;
  }
};

/// A factor of the product: Type element at Pointer[Index].
struct Operand {
  std::string Pointer; ///< parameter or field: `A`, `p.a`
  ScalarType Type = ScalarType::BF16;
  /// Element offset, affine in b, k and either m (for A) or n (for B); or the
  /// floor of such an offset over wordNumbers().
  IntExpr Index;
  /// Of plans alone, where an element is a byte of two numbers of four bits
  /// that are neighbours along k, but the array has its numbers in another
  /// order, in words. Where those of a word lie across k, Index counts the
  /// numbers of the array, from the lowest bits of each word on, and the second
  /// number of an element lies half a stride of k behind the first. Where they
  /// lie along k, Index counts words, and its stride of k is that from one to
  /// the next, which has the next Places.size() / 2 elements. Nothing for other
  /// operands.
  std::optional<NumberOrder> Gathered = std::nullopt;
  /// Stride in elements of the index `b`, `m`, `n` or `k` (bare letter): the
  /// polynomial that multiplies it; zero when it does not occur. In numbers
  /// where an element has several across k.
  IntExpr stride(llvm::StringRef IndexName) const;
  /// Index with b, m, n and k all 0.
  IntExpr base() const;
  /// Numbers along k that an element has: where the index depends on k as
  /// `floordiv(k, numbers)` alone. The stride of k is that of elements then.
  int64_t numbers() const;
  /// Index with k counting elements.
  IntExpr indexOfElements() const;
  /// Where elements are bytes or words whose numbers of four bits lie across k:
  /// how many each has. Index is `floordiv(numbers, wordNumbers())` then, where
  /// `numbers` is affine. 1 for other operands.
  int64_t wordNumbers() const;
  /// Those `numbers`: the offset of the number of an element that is
  /// multiplied, in numbers.
  IntExpr indexOfNumbers() const;
  /// The value that is multiplied in place of the element: an expression of the
  /// element (a Load of this pointer, type and index), other loads and
  /// parameters, with the indices that an operand may have. Null if it is the
  /// element itself, converted to what the sum accumulates in. Depending on the
  /// value of another load, the element may not be used, but this never depends
  /// on an index.
  ValueRef Prologue;
  /// The element as a value, of which Prologue is made.
  ValueRef element() const;
  bool isElement(const Value &V) const;
  /// The narrowest type that can hold all factors: Type, or the type of the
  /// prologue without its conversions from 16 bits to float.
  ScalarType factorType() const;
};

/// Two factors.
struct Product {
  Operand A; ///< moved by b, m, k
  Operand B; ///< moved by b, k, n
  /// Its sum subtracts it, as the real part of a complex product does. Never
  /// set of the first product of the first sum.
  bool Subtracted = false;
  /// Where it is over another range of k than its sum: that one. Never set of
  /// the first product of a sum.
  std::optional<IntExpr> KExtent = std::nullopt;
  /// A number of its sum's type, over parameters and constants alone, by which
  /// the sum of its terms is multiplied. Null: by none.
  ValueRef Scale = nullptr;
};

/// The value of one accumulator: the sum of Products over 0 <= k < KExtent, or
/// what a product has in its place, each times its Scale, less those that are
/// Subtracted. A sum of integers wraps around: it is modulo two to the power of
/// its bits.
struct Accumulation {
  IntExpr KExtent = 0;
  std::vector<Product> Products; ///< at least one
  ScalarType AccType = ScalarType::F32;
  /// The type in which the original accumulated (f16 if it was lifted from
  /// __half arithmetic), for remarks.
  ScalarType OriginalAccType = ScalarType::F32;

  /// How many k one of its products is over.
  const IntExpr &extentOf(const Product &P) const {
    return P.KExtent ? *P.KExtent : KExtent;
  }
};

/// Numbers of one index, which end at a bound or with the index.
struct IndexRange {
  std::string Index;          ///< bare letter: `b`, `m` or `n`
  IntExpr Begin = 0;          ///< the first one; no index is negative
  std::optional<IntExpr> End; ///< the first one behind it

  /// Whether the index is in it: `D <= %n && %n < 2 * D`.
  BoolExpr condition() const;
  bool operator==(const IndexRange &Other) const;
  bool operator!=(const IndexRange &Other) const { return !(*this == Other); }
};

/// One array that the kernel writes, once per (b, m, n).
struct Output {
  std::string Pointer;
  ScalarType Type = ScalarType::BF16;
  IntExpr Index; ///< affine in b, m, n
  ValueRef Value;
  /// Where only elements with an index in a range are written: that one. The
  /// value, and what it reads, need not exist for others.
  std::optional<IndexRange> When = std::nullopt;
  /// The element is read, added to and written in one step that other kernels
  /// do not come between: Value is the element plus addends(), each of which
  /// is added by a step of its own.
  bool Atomic = false;
  /// What is added to the element, in this order; nothing if Value is something
  /// else than the element plus what does not read this array.
  std::vector<ValueRef> addends() const;
  IntExpr stride(llvm::StringRef IndexName) const;
  IntExpr base() const;
};

/// A fact about the launch on which the lift relies. If it does not hold, the
/// launcher runs the original.
struct Requirement {
  BoolExpr Condition; ///< over parameters, gridDim and blockDim
  std::string Reason; ///< log text when it fails: "block is not 16 wide"
};

/// An offset that is affine in all indices: Base, and the strides.
struct IndexForm {
  IntExpr Base, M, N, K;
  /// Of the digits of b, innermost first (Contraction::BatchDigits); of b
  /// itself if it has none.
  std::vector<IntExpr> Batch;
};

struct Contraction {
  std::string Kernel; ///< the kernel's name, for printing
  /// Extents: index i runs over 0 <= i < extent. A batch extent of constant 1
  /// means that there is no batch index. An extent that evaluates to 0 or less
  /// means an empty range (the launcher then runs the original).
  IntExpr BatchExtent = 1, MExtent = 1, NExtent = 1, KExtent = 0;
  /// Where the kernel has several batch indices that do not make one, b counts
  /// all of their values: these are their extents, innermost first, of which
  /// BatchExtent is the product, and offsets have the digits of b. Otherwise
  /// empty.
  std::vector<IntExpr> BatchDigits;
  /// The first product of the first sum, which is all that most kernels have,
  /// with KExtent and the types of that sum (see Accumulation). Code that uses
  /// only these has to check hasOneProduct() first.
  Operand A;                ///< moved by b, m, k
  Operand B;                ///< moved by b, k, n
  ValueRef Scale = nullptr; ///< Product::Scale
  ScalarType AccType = ScalarType::F32;
  ScalarType OriginalAccType = ScalarType::F32;
  /// Products that the first sum adds to A * B, or subtracts from it.
  std::vector<Product> MoreProducts;
  /// The sums `acc1`, `acc2`, ... of the epilogue.
  std::vector<Accumulation> MoreSums;
  std::vector<Output> Outputs; ///< at least one; in program order
  std::vector<Requirement> Requires;
  bool RolesExchanged = false;
  /// Bits of the narrowest integer type in which the original computes an
  /// element offset (32 or 64), and whether it is signed. The launcher runs the
  /// original if an offset exceeds that type.
  unsigned IndexBits = 64;
  bool IndexSigned = true;
  /// Whether something is loaded after another array was stored to. If both
  /// were the same array, the original would read what it has just written, so
  /// the launcher runs the original then.
  bool LoadsAfterStores = false;
  /// Pointers to vectors, like float2, whose numbers are elements of outputs
  /// and of what the epilogue reads.
  std::vector<std::string> VectorPointers;
  /// Pointer parameters that are declared never to alias (__restrict__).
  std::vector<std::string> RestrictPointers;

  /// Digit \p Number of b: `mod(%b, H)`, `floordiv(%b, H)`.
  IntExpr batchDigit(unsigned Number) const;
  /// The strides of \p Index; nothing if it is not affine in m, n, k and either
  /// b or its digits.
  std::optional<IndexForm> formOf(const IntExpr &Index) const;
  /// The stride of \p O along the innermost batch index; zero if it has none.
  IntExpr batchStride(const Operand &O) const;
  unsigned sumCount() const { return MoreSums.size() + 1; }
  /// The products of sum \p I, which the epilogue calls Value::acc(I).
  Accumulation sum(unsigned I) const;
  void setSum(unsigned I, Accumulation Sum);
  bool hasOneProduct() const {
    return MoreProducts.empty() && MoreSums.empty();
  }
  /// Whether a product is over another range of k than its sum.
  bool hasOwnRanges() const;
  /// Whether a product has a Scale.
  bool hasScales() const;
  /// Whether a factor is computed from its element by a prologue.
  bool hasPrologue() const;
  /// Whether an operand's elements have several numbers along k each.
  bool isPacked() const;
  /// Visits every product with its sum, in the order of the text. Both are
  /// copies, which end with the visit.
  void forEachProduct(
      llvm::function_ref<void(const Accumulation &, const Product &)> Fn) const;
  /// Visits both factors of every product, in the order of the text; they live
  /// as long as the contraction.
  void forEachOperand(llvm::function_ref<void(const Operand &)> Fn) const;
  /// Whether an element of \p Pointer is an operand, or belongs to the value of
  /// another output.
  bool readsElsewhere(llvm::StringRef Pointer) const;
  /// Whether what is stored depends on what an output's array has there, of the
  /// same output or of another one.
  bool readsOutputs() const;
  /// Visits every integer expression and value of the contraction, in the order
  /// of the text, without what is inside of the values.
  void walk(llvm::function_ref<void(const IntExpr &)> OnInt,
            llvm::function_ref<void(const ValueRef &)> OnValue) const;
  /// Whether an integer in it is overflowed(), so that it says nothing.
  bool overflowed() const;

  void print(llvm::raw_ostream &OS) const;
};

/// Reads what Contraction::print wrote. Fails with "line:column: message".
llvm::Expected<Contraction> parseContraction(llvm::StringRef Text);

} // namespace warpwright

#endif // WARPWRIGHT_CONTRACTION_CONTRACTION_H
