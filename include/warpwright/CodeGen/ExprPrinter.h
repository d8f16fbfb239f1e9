//===-- ExprPrinter.h - Expressions as C++ text -----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Prints the integers, conditions and values of a contraction as C++ that
/// computes the same, in the user's own names.
///
/// Integer arithmetic is done in int64_t, as the mathematical integers that an
/// IntExpr stands for; a cast is printed only where a narrower type would
/// otherwise carry an operation.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_CODEGEN_EXPRPRINTER_H
#define WARPWRIGHT_CODEGEN_EXPRPRINTER_H

#include "warpwright/Contraction/Contraction.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

namespace warpwright {

/// The C++ spelling of a type: `__half`, `float`, `long long`.
llvm::StringRef cppType(ScalarType T);
/// The element type of a parameter written as `const __half *__restrict__`;
/// nothing when the spelling is not one of the well-known ones.
std::optional<ScalarType> elementTypeOf(llvm::StringRef PointerType);

/// How leaves are called in the text that is being printed.
struct NameScope {
  /// Names of the indices %b, %m, %n, %k.
  std::string B = "b", M = "m", N = "n", K = "k";
  /// `launch.grid` and `launch.block` on the host. On the device the launch's
  /// dimensions are gone; `grid_x` style parameters stand in for them.
  std::string Grid = "launch.grid.", Block = "launch.block.";
  std::string Acc = "acc";
  std::vector<std::string> MoreSums; ///< the sums behind the first
  /// The operand whose prologue is printed, and the name of its element there;
  /// null elsewhere.
  const Operand *Element = nullptr;
  std::string ElementName;
  /// Prefix of runtime functions.
  std::string Runtime = "::warpwright::rt::";
  /// Types of the kernel's parameters, by name.
  llvm::StringMap<std::string> ParamTypes;
  /// Parameters that go by another name in this text.
  llvm::StringMap<std::string> Renamed;
  /// The type that arithmetic is done in. On the device int64_t: what it prints
  /// there was found to fit (rt::check). On the host the runtime's Integer or
  /// Range, which never wrap.
  std::string Wide = "int64_t";
  /// The indices are Ranges, and so is what is printed.
  bool IndicesAreRanges = false;
  /// Element offsets are known to fit an int, with all that they are added up
  /// from (rt::check): those that consist of ints are computed in int.
  bool OffsetsFitInt = false;
};

/// Prints expressions over one scope. Stateless: printing twice is the same.
class ExprPrinter {
public:
  explicit ExprPrinter(const NameScope &Scope) : Scope(Scope) {}

  /// The expression; its type is any integer type that holds its value, or
  /// int64_t when \p Wide.
  std::string print(const IntExpr &E, bool Wide = false) const;
  /// As above, in parentheses unless it binds as tightly as a product.
  std::string printFactor(const IntExpr &E) const;
  /// Fails when a value in the condition has no text.
  llvm::Expected<std::string> print(const BoolExpr &E) const;
  /// Fails for nodes that only the lift knows (Sum, Phi, Undefined).
  llvm::Expected<std::string> print(const ValueRef &V) const;

  /// The statements that compute \p V: `const float t0 = ...;` for every
  /// part that is needed more than once, and the expression of the result.
  struct Body {
    struct Local {
      std::string Type, Name, Text;
      unsigned Line = 0; ///< of the user's file, or 0
    };
    std::vector<Local> Locals;
    std::string Result;
    unsigned ResultLine = 0;
  };
  /// Locals are called \p LocalPrefix followed by a number. Nothing that might
  /// touch memory under a condition is moved out from under it.
  llvm::Expected<Body> printBody(const ValueRef &V,
                                 llvm::StringRef LocalPrefix) const;

private:
  /// A text and how tightly its outermost operator binds.
  struct Text {
    std::string S;
    int Precedence;
  };
  struct Locals;
  std::string leaf(const IntAtom &A) const;
  Text atom(const IntAtom &A) const;
  bool isNarrow(const IntAtom &A) const;
  /// Arithmetic is done in a type of the runtime's that never wraps.
  bool isExact() const { return Scope.Wide != "int64_t"; }
  bool isPlainDivision(const IntAtom &A) const;
  bool isInt(const IntAtom &A) const;
  bool isInt(const IntExpr &E) const;
  std::string offset(const IntExpr &E) const;
  /// In which type arithmetic is done: int64_t with any result type that holds
  /// the value, the same with an int64_t result, or as the operands have it.
  enum class Width { Value, Int64, Any };
  Text integer(const IntExpr &E, Width W) const;
  llvm::Expected<Text> condition(const BoolExpr &E, const Locals *L) const;
  llvm::Expected<Text> value(const ValueRef &V, const Locals *L) const;
  llvm::Expected<Text> arithmetic(const Value &V, const Locals *L) const;
  llvm::Expected<Text> cast(const Value &V, const Locals *L) const;

public:
  /// What the parameter or field `name` or `name.field` is called.
  std::string parameter(llvm::StringRef Name) const;
  /// `Pointer[Index]`, through a cast where the parameter's declared element
  /// type is not \p Element.
  std::string element(llvm::StringRef Pointer, ScalarType Element,
                      const IntExpr &Index, bool Const = true) const;

private:
  const NameScope &Scope;
};

} // namespace warpwright

#endif // WARPWRIGHT_CODEGEN_EXPRPRINTER_H
