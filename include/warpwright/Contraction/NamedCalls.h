//===-- NamedCalls.h - Calls whose meaning is known by name -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In a value, a call of a function from CUDA's headers has no body: its
/// meaning is known from its full name. A user's function may have a name that
/// ends in the same way, or may overload it. Such a function has a body;
/// otherwise it is declined wherever a name is taken for a meaning.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_CONTRACTION_NAMEDCALLS_H
#define WARPWRIGHT_CONTRACTION_NAMEDCALLS_H

#include "warpwright/Contraction/Value.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright {

inline constexpr llvm::StringLiteral FloatToTF32 =
    "nvcuda::wmma::__float_to_tf32";

/// Functions whose result is 0 if all arguments are 0.
inline bool keepsZeroByName(llvm::StringRef Name) {
  static constexpr llvm::StringLiteral Names[] = {
      "fmaxf", "fmax", "fminf", "fmin",     "fabsf",
      "fabs",  "max",  "min",   FloatToTF32};
  return llvm::is_contained(Names, Name);
}

/// Whether some stage gives a call of \p Name without a body more meaning than
/// that of a function of its arguments.
inline bool hasMeaning(llvm::StringRef Name) {
  Name.consume_front("::");
  Name.consume_front("std::");
  return keepsZeroByName(Name) || Name == "ceil" || Name == "ceilf" ||
         Name == "floor" || Name == "floorf";
}

/// Whether \p V is a number rounded to tf32, without any other operation.
inline bool roundsToTF32(const Value &V) {
  if (V.K != Value::Kind::Call || V.Ops.size() != 1)
    return false;
  if (!V.Body)
    return V.Name == FloatToTF32;
  return roundsToTF32(*V.Body) && sameValue(V.Body->Ops[0], V.Ops[0]);
}

} // namespace warpwright

#endif // WARPWRIGHT_CONTRACTION_NAMEDCALLS_H
