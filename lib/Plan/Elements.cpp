//===- Elements.cpp - Types of elements and sums --------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Elements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace warpwright {

ArrayRef<SumType> sumTypes() {
  static const SumType Types[] = {
      // Type, suffix, sums in a register, registers of a sum
      {ScalarType::F32, "f32", 1},
      {ScalarType::I32, "s32", 1},
      {ScalarType::U32, "s32", 1}, // both wrap around at the same bits
      {ScalarType::F64, "f64", 1, 2},
      {ScalarType::F16, "f16", 2}, // where a clause asks for them
  };
  return Types;
}

// wgmma has tf32 for float, which is not the elements as they are: TMA rounds
// them to it.
ArrayRef<ElementType> elementTypes() {
  static const ElementType Types[] = {
      // Type, words, suffix, by wgmma, by others, sums, promoted after, parts,
      // staged, rounded, by mma.sync, as double, bits where they are converted
      {ScalarType::F16, "half", "f16", true, false, ScalarType::F32, 0, 1,
       true},
      {ScalarType::BF16, "bfloat16", "bf16", true, false, ScalarType::F32, 0, 1,
       true},
      {ScalarType::F32, "float", "tf32", false, false, ScalarType::F32, 0, 2,
       true, true, false, true},
      {ScalarType::I8, "int8", "s8", true, true, ScalarType::I32, 0, 1, true,
       false, false, false, 8},
      {ScalarType::U8, "uint8", "u8", true, true, ScalarType::I32, 0, 1, true,
       false, false, false, 8},
      // The sums of their instructions keep 14 bits.
      {ScalarType::E4M3, "e4m3", "e4m3", true, true, ScalarType::F32, 128, 1,
       true, false, false, false, 4},
      {ScalarType::E5M2, "e5m2", "e5m2", true, true, ScalarType::F32, 128, 1,
       true, false, false, false, 3},
      {ScalarType::F64, "double", "f64", false, false, ScalarType::F64, 0, 0,
       true, false, true},
      {ScalarType::U32, "words of bits", "b1", false, false, ScalarType::I32, 0,
       0, true, false, false, false, 0, true},
      // Two numbers each (Nibbles.h).
      {ScalarType::U4X2, "uint4", "u4", false, false, ScalarType::F32, 0, 0,
       false, false, false, false, 4, false, true},
      {ScalarType::S4X2, "int4", "s4", false, false, ScalarType::F32, 0, 0,
       false, false, false, false, 4, false, true},
      {ScalarType::U4X2High, "uint4", "u4", false, false, ScalarType::F32, 0, 0,
       false, false, false, false, 4, false, true},
      {ScalarType::S4X2High, "int4", "s4", false, false, ScalarType::F32, 0, 0,
       false, false, false, false, 4, false, true},
      {ScalarType::F16X2, "pairs of half", "f16", true, false, ScalarType::F32,
       0, 0, false, false, false, false, 0, false, true},
      {ScalarType::BF16X2, "pairs of bfloat16", "bf16", true, false,
       ScalarType::F32, 0, 0, false, false, false, false, 0, false, true},
  };
  return Types;
}

const ElementType *elementType(ScalarType T) {
  const auto *Found = llvm::find_if(
      elementTypes(), [T](const ElementType &E) { return E.Type == T; });
  return Found == elementTypes().end() ? nullptr : Found;
}

static const SumType *sumType(ScalarType T) {
  const auto *Found =
      llvm::find_if(sumTypes(), [T](const SumType &S) { return S.Type == T; });
  return Found == sumTypes().end() ? nullptr : Found;
}

const SumType &ElementType::sum() const {
  const SumType *Found = sumType(Sum);
  assert(Found && "products are added in a type of the table");
  return *Found;
}

bool ElementType::addsIn(ScalarType T) const {
  const SumType *Wanted = sumType(T);
  return Wanted && StringRef(Wanted->Suffix) == sum().Suffix;
}

bool areWgmmaTypes(ScalarType A, ScalarType B) {
  const ElementType *OfA = elementType(A), *OfB = elementType(B);
  return OfA && OfB && OfA->Wgmma && OfB->Wgmma &&
         (A == B || (OfA->Mixed && OfB->Mixed && OfA->Sum == OfB->Sum &&
                     OfA->bytes() == OfB->bytes()));
}

bool isConverted(ScalarType From, ScalarType To) {
  const ElementType *OfFrom = elementType(From), *OfTo = elementType(To);
  return OfFrom && OfTo && OfFrom->ConvertedBits && OfTo->Wgmma &&
         isFloating(To) && OfFrom->Paired == OfTo->Paired &&
         OfTo->bytes() == byteSize(PartType) * (OfTo->Paired ? 2 : 1) &&
         significandBits(To) >= OfFrom->ConvertedBits;
}

int64_t bitsOfPart(ScalarType T) {
  const bool Narrow = T == ScalarType::BF16 || byteSize(T) == 1;
  return significandBits(Narrow ? ScalarType::BF16 : PartType);
}

bool isSumType(ScalarType T) { return sumType(T); }

bool isStagedType(ScalarType T) {
  const ElementType *E = elementType(T);
  return isSumType(T) || (E && E->Staged);
}

std::string elementWords(ElementUse Use) {
  std::vector<const char *> Words;
  for (const ElementType &E : elementTypes())
    if (E.Paired)
      continue;
    else if ((Use == ElementUse::Any && !E.Bits) ||
             (Use == ElementUse::Wgmma && E.Wgmma) ||
             (Use == ElementUse::Parts && E.MostParts))
      Words.push_back(E.Words);
  std::string Text;
  for (size_t I = 0; I < Words.size(); ++I)
    Text += (I == 0                 ? ""
             : I + 1 < Words.size() ? ", "
                                    : " and ") +
            std::string(Words[I]);
  return Text;
}

rt::Type runtimeType(ScalarType T) {
  switch (T) {
  case ScalarType::Bool:
  case ScalarType::U8:
    return rt::Type::u8;
  case ScalarType::E4M3:
    return rt::Type::e4m3;
  case ScalarType::E5M2:
    return rt::Type::e5m2;
  case ScalarType::I8:
    return rt::Type::i8;
  case ScalarType::I16:
    return rt::Type::i16;
  case ScalarType::U16:
    return rt::Type::u16;
  case ScalarType::I32:
    return rt::Type::i32;
  case ScalarType::U32:
    return rt::Type::u32;
  case ScalarType::I64:
    return rt::Type::i64;
  case ScalarType::U64:
    return rt::Type::u64;
  case ScalarType::F16:
    return rt::Type::f16;
  case ScalarType::BF16:
    return rt::Type::bf16;
  case ScalarType::F32:
    return rt::Type::f32;
  case ScalarType::F64:
    return rt::Type::f64;
  case ScalarType::U4X2:
    return rt::Type::u4x2;
  case ScalarType::S4X2:
    return rt::Type::s4x2;
  case ScalarType::U4X2High:
    return rt::Type::u4x2_high;
  case ScalarType::S4X2High:
    return rt::Type::s4x2_high;
  case ScalarType::F16X2:
    return rt::Type::f16x2;
  case ScalarType::BF16X2:
    return rt::Type::bf16x2;
  case ScalarType::U4:
    break; // of the lift alone
  }
  llvm_unreachable("unknown type");
}

} // namespace warpwright
