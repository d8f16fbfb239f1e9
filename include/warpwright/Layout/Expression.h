//===- Expression.h - The layout language -----------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads and evaluates expressions in CuTe's notation and with its function
/// names: `composition((4,8):(8,1),<2:1,4:1>)`, `S<3,4,3> o 0 o (8,64):(64,1)`.
///
//===----------------------------------------------------------------------===//
#ifndef WARPWRIGHT_LAYOUT_EXPRESSION_H
#define WARPWRIGHT_LAYOUT_EXPRESSION_H

#include "warpwright/Layout/Algebra.h"

#include "llvm/ADT/StringRef.h"

namespace warpwright {

/// A syntax or evaluation error with the byte offset of the offending token.
class ExpressionError : public llvm::ErrorInfo<ExpressionError> {
public:
  static char ID;
  ExpressionError(size_t Offset, std::string Message)
      : Offset(Offset), Message(std::move(Message)) {}
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;
  size_t offset() const { return Offset; }
  const std::string &text() const { return Message; }

private:
  size_t Offset;
  std::string Message;
};

/// `(8,(16,2))`, `5`, `(_,3)`.
llvm::Expected<IntTuple> parseIntTuple(llvm::StringRef Text);
/// `shape:stride`, a shape alone (compact, column-major), or a swizzled layout;
/// and everything else that the language can compute.
llvm::Expected<ComposedLayout> evaluateLayout(llvm::StringRef Text);
/// As evaluateLayout, for a layout without a swizzle.
llvm::Expected<Layout> parseLayout(llvm::StringRef Text);

/// The names of the functions that the language knows, sorted.
llvm::ArrayRef<llvm::StringLiteral> expressionFunctions();

} // namespace warpwright

#endif // WARPWRIGHT_LAYOUT_EXPRESSION_H
