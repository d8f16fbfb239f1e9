//===-- Reference.h - A contraction as C++ in double ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prints the integers and values of a contraction as host C++: integers in
/// int64_t, values in double, rounded only where the original rounds to a
/// 16-bit type or to an integer. It shares nothing with CodeGen's printer, so
/// that a mistake there is not repeated here.
///
/// In the text, integer parameters are `with.<name>`, arrays are
/// `<name>_[index]`, the launch is `with.setup.grid` and `.block`, the indices
/// are b, m, n and k, and the finished sum is `acc`.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_VERIFY_REFERENCE_H
#define WARPWRIGHT_LIB_VERIFY_REFERENCE_H

#include "warpwright/Contraction/Value.h"
#include "llvm/Support/Error.h"

namespace warpwright {

/// `p.lda` as part of an identifier: `p_lda`.
std::string verifyName(llvm::StringRef Name);

std::string printReference(const IntExpr &E);
llvm::Expected<std::string> printReference(const BoolExpr &E);

/// Statements that compute parts which are needed more than once, and the
/// expression of the result.
struct ReferenceText {
  std::vector<std::string> Statements; ///< `const double t0 = ...;`
  std::string Result;
};
/// The outermost conversion to a floating-point type is left out, since the
/// unrounded result is compared. Nothing if \p V calls a function that cannot
/// be evaluated on the host.
llvm::Expected<std::optional<ReferenceText>> printReference(const ValueRef &V,
                                                            bool DropRounding);

struct Assignment;

/// How closely the outputs of two kernels with the same formula must agree if
/// all data are integers.
struct Exactness {
  bool Same = true;              ///< both compute the same bits
  bool Exact = true;             ///< and no rounding happens before the last
  double Bound = 0, Quantum = 1; ///< a bound, and a divisor of all values
};
/// \p V over sums of at most \p AccBound, loads of at most \p LoadBound, and
/// parameters of \p A.
Exactness analyseExactness(const ValueRef &V, double AccBound, double LoadBound,
                           const Assignment &A);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_VERIFY_REFERENCE_H
