//===-- Precedence.h - How tightly C++ operators bind -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_CODEGEN_PRECEDENCE_H
#define WARPWRIGHT_LIB_CODEGEN_PRECEDENCE_H

#include <string>

namespace warpwright {
namespace precedence {

enum : int {
  Conditional,
  LogicalOr,
  LogicalAnd,
  Equality,
  Relational,
  Additive,
  Multiplicative,
  Unary,
  Primary,
};

/// \p S, in parentheses when it binds less tightly than \p Least.
inline std::string parenthesize(const std::string &S, int Precedence,
                                int Least) {
  return Precedence < Least ? "(" + S + ")" : S;
}

} // namespace precedence
} // namespace warpwright

#endif // WARPWRIGHT_LIB_CODEGEN_PRECEDENCE_H
