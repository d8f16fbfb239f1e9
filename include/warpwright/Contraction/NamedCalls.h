//===-- NamedCalls.h - Calls whose meaning is known by name -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A call of a function from CUDA's headers has no body in a value: what it
/// does is known by its name, the whole of it. A user's function may end as the
/// name of one does, or be overloaded with it: it has a body, or is declined
/// where a name is taken for a meaning.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_CONTRACTION_NAMEDCALLS_H
#define WARPWRIGHT_CONTRACTION_NAMEDCALLS_H

#include "warpwright/Contraction/Value.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright {

inline constexpr llvm::StringLiteral FloatToTF32 =
    "nvcuda::wmma::__float_to_tf32";

/// Functions that make 0 of zeros.
inline bool keepsZeroByName(llvm::StringRef Name) {
  static constexpr llvm::StringLiteral Names[] = {
      "fmaxf", "fmax", "fminf", "fmin",     "fabsf",
      "fabs",  "max",  "min",   FloatToTF32};
  return llvm::is_contained(Names, Name);
}

/// Whether somebody takes a call of \p Name that has no body for more than a
/// function of its arguments.
inline bool hasMeaning(llvm::StringRef Name) {
  Name.consume_front("::");
  Name.consume_front("std::");
  return keepsZeroByName(Name) || Name == "ceil" || Name == "ceilf" ||
         Name == "floor" || Name == "floorf";
}

/// Whether \p V is a number rounded to tf32, and nothing else.
inline bool roundsToTF32(const Value &V) {
  if (V.K != Value::Kind::Call || V.Ops.size() != 1)
    return false;
  if (!V.Body)
    return V.Name == FloatToTF32;
  return roundsToTF32(*V.Body) && sameValue(V.Body->Ops[0], V.Ops[0]);
}

} // namespace warpwright

#endif // WARPWRIGHT_CONTRACTION_NAMEDCALLS_H
