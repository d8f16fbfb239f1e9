//===- Elements.h - Types of elements and sums ------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the machine and the runtime do with elements of a type, one row for
/// each. Whoever plans, proves, prints or draws asks this table; the kernel has
/// its own (rt/elements.cuh), which a test holds against this one. A type that
/// is multiplied in a new way is a row here, one there with its name in C++,
/// and one in rt/wgmma.cuh for its instruction, or for each pair of types that
/// its instruction takes.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_PLAN_ELEMENTS_H
#define WARPWRIGHT_PLAN_ELEMENTS_H

#include "warpwright/Contraction/Value.h"
#include "warpwright/rt/elements.cuh"

#include "llvm/ADT/ArrayRef.h"

namespace warpwright {

/// A type in which tensor cores add.
struct SumType {
  ScalarType Type;
  const char *Suffix; ///< as instructions call it: `f32`
  /// A thread's accumulators are registers of 32 bits.
  int64_t PerRegister;
  /// Registers that one takes, where one is not enough.
  int64_t Registers = 1;
};

llvm::ArrayRef<SumType> sumTypes();

/// What is not in the table is not multiplied by any plan.
struct ElementType {
  ScalarType Type;
  const char *Words;  ///< `bfloat16`
  const char *Suffix; ///< as instructions call it: `bf16`
  /// wgmma multiplies them as they are. Where it does not, it may know numbers
  /// of their size that have fewer bits, which Suffix then names.
  bool Wgmma;
  /// wgmma multiplies them by all elements of their size of which that is said,
  /// too, not only by those of their own type.
  bool Mixed;
  /// The type in which their products are added.
  ScalarType Sum;
  /// How many of their products along k the tensor cores add before the sums
  /// are added to others in ordinary registers, since their own sums are less
  /// exact than these should be. 0: all.
  int64_t PromotedK;
  /// How many fp16 numbers stand for one at most, so that no bit is lost that
  /// its products would keep. 0: none do.
  int64_t MostParts;
  /// The epilogue makes them of sums and stages them for TMA.
  bool Staged;
  /// TMA can round them to the numbers that Suffix names, as it copies them.
  /// wgmma multiplies these where both operands are contiguous along k.
  bool Rounded = false;
  /// mma.sync multiplies them as they are, by elements of their own type, from
  /// registers.
  bool Fragments = false;
  /// Consumers can convert them to double as they load them, so that mma.sync
  /// multiplies the doubles: where their products are added in double.
  bool Widened = false;
  /// Consumers can convert them in their registers to 16-bit floats that have
  /// at least so many significant bits, which then have the same values; 0:
  /// they cannot.
  int64_t ConvertedBits = 0;
  /// They are words, of which wgmma counts the bits that two have in common,
  /// along k; nothing else multiplies them.
  bool Bits = false;
  /// Each is two numbers that are neighbours along k, which counts such pairs.
  bool Paired = false;

  int64_t bytes() const { return byteSize(Type); }
  unsigned bits() const { return 8 * byteSize(Type); }
  const SumType &sum() const;
  /// Their products by one another may be added in \p T: in what the tensor
  /// cores do that in, or in integers with another sign and the same bits.
  bool addsIn(ScalarType T) const;
};

llvm::ArrayRef<ElementType> elementTypes();
/// nullptr: no plan multiplies elements of type \p T.
const ElementType *elementType(ScalarType T);
/// "half, bfloat16 and float": all of the table, or those that wgmma multiplies
/// as they are, or from which factors are computed.
enum class ElementUse { Any, Wgmma, Parts };
std::string elementWords(ElementUse Use = ElementUse::Any);

/// What the tensor cores multiply in the place of elements that have parts.
inline constexpr ScalarType PartType = ScalarType::F16;

/// wgmma multiplies elements of type \p T as they are.
inline bool isWgmmaType(ScalarType T) {
  const ElementType *E = elementType(T);
  return E && E->Wgmma;
}
/// wgmma multiplies them by one another as they are.
bool areWgmmaTypes(ScalarType A, ScalarType B);
/// mma.sync multiplies them by one another as they are.
inline bool areFragmentTypes(ScalarType A, ScalarType B) {
  const ElementType *E = elementType(A);
  return A == B && E && E->Fragments;
}
/// The same where they are added in \p Sum, perhaps when they are doubles.
inline bool areFragmentTypes(ScalarType A, ScalarType B, ScalarType Sum) {
  const ElementType *E = elementType(A);
  return areFragmentTypes(A, B) ||
         (A == B && E && E->Widened && Sum == ScalarType::F64);
}
/// Consumers convert elements of type \p From in their registers to \p To,
/// without a change of any value, and wgmma multiplies them there.
bool isConverted(ScalarType From, ScalarType To);
/// 0: no fp16 numbers stand for elements of type \p T.
inline int64_t mostParts(ScalarType T) {
  const ElementType *E = elementType(T);
  return E ? E->MostParts : 0;
}
/// Significant bits that one fp16 part has of a number of type \p T, down to
/// the least exponent: all that such numbers have, or as many as fp16 has.
/// Those of fewer bits than bfloat16 have as many as that; with fewer the
/// products of the least ones would lose bits where the scales are undone.
int64_t bitsOfPart(ScalarType T);
/// Products of some elements are added in \p T.
bool isSumType(ScalarType T);
/// The epilogue stages elements of type \p T for TMA: those that are marked so,
/// and sums, which slices of k leave.
bool isStagedType(ScalarType T);

/// The same type as the runtime names it.
rt::Type runtimeType(ScalarType T);

} // namespace warpwright

#endif // WARPWRIGHT_PLAN_ELEMENTS_H
