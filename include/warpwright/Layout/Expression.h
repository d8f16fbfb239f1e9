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

#include <memory>
#include <variant>

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

/// A layout from (thread, value) to the colexicographic index of an element
/// within a tile of shape \c Tile.
struct ThreadValueLayout {
  ComposedLayout Elements;
  Shape Tile;
  /// The numbers of the threads, if they are not 0, 1, 2, ...; those of a quad
  /// pair are 0..3 and 16..19.
  std::optional<Layout> Threads = std::nullopt;
};

/// A bare name, as in `mma(SM80_16x8x8_F32F16F16F32_TN)`.
struct ExpressionWord {
  std::string Text;
};

class ExpressionObject;

/// What an expression denotes. A tuple of integers doubles as a shape.
using ExpressionValue = std::variant<IntTuple, ComposedLayout, Tiler,
                                     ThreadValueLayout, ExpressionWord, Swizzle,
                                     std::shared_ptr<const ExpressionObject>>;

/// A value that is not a layout, such as an MMA atom. It may have members that
/// are layouts (`mma(...).A`).
class ExpressionObject {
public:
  virtual ~ExpressionObject();
  /// With its article: `an MMA atom`.
  virtual std::string kind() const = 0;
  /// Its printed form: one or more lines, without the last newline.
  virtual std::string str() const = 0;
  virtual llvm::Expected<ExpressionValue>
  member(llvm::StringRef Name) const = 0;
  /// Its picture. Fails if it has none.
  virtual llvm::Expected<std::string> svg() const;
};

/// An argument of a function, with the position to which an error points.
struct ExpressionArgument {
  ExpressionValue Value;
  size_t Offset = 0;

  /// Each of these fails at the argument's position if it is something else. A
  /// tuple is converted to the compact layout of that shape; a layout and a
  /// tuple are both converted to a tiler.
  llvm::Expected<ComposedLayout> layout() const;
  llvm::Expected<Layout> plainLayout() const;
  /// The shape of a layout, or a tuple of positive extents.
  llvm::Expected<Shape> shape() const;
  llvm::Expected<Tiler> tiler() const;
  llvm::Expected<IntTuple> tuple() const;
  llvm::Expected<int64_t> integer() const;
  llvm::Expected<std::string> word() const;
  llvm::Error fail(const llvm::Twine &Message) const;
};

/// Functions of the language.
class ExpressionLibrary {
public:
  virtual ~ExpressionLibrary();
  virtual bool contains(llvm::StringRef Name) const = 0;
  /// \p Args is not empty. An error without a position gets that of the
  /// function's name.
  virtual llvm::Expected<ExpressionValue>
  call(llvm::StringRef Name, llvm::ArrayRef<ExpressionArgument> Args) const = 0;
};

/// The layout algebra: `composition`, `zipped_divide`, ...
const ExpressionLibrary &algebraLibrary();
/// The names of its functions, sorted.
std::vector<llvm::StringRef> expressionFunctions();

/// Evaluates \p Text, whose functions are those of the algebra and those of \p
/// More. Fails with an ExpressionError.
llvm::Expected<ExpressionValue>
evaluateExpression(llvm::StringRef Text,
                   const ExpressionLibrary *More = nullptr);

/// `(8,(16,2))`, `5`, `(_,3)`.
llvm::Expected<IntTuple> parseIntTuple(llvm::StringRef Text);
/// `shape:stride`, a shape alone (compact, column-major), a swizzled layout, or
/// any expression of the algebra.
llvm::Expected<ComposedLayout> evaluateLayout(llvm::StringRef Text);
/// Like evaluateLayout, for a layout without a swizzle.
llvm::Expected<Layout> parseLayout(llvm::StringRef Text);

} // namespace warpwright

#endif // WARPWRIGHT_LAYOUT_EXPRESSION_H
