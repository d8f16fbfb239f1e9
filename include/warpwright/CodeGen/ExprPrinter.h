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
/// Integer arithmetic is done in int64_t, since an IntExpr stands for
/// mathematical integers; a cast is printed only where an operation would
/// otherwise be done in a narrower type.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_CODEGEN_EXPRPRINTER_H
#define WARPWRIGHT_CODEGEN_EXPRPRINTER_H

#include "warpwright/Contraction/Contraction.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

namespace warpwright {

/// The C++ spelling of a type: `__half`, `float`, `long long`.
llvm::StringRef cppType(ScalarType T);
/// Its arithmetic and its conversions are intrinsics.
bool hasIntrinsics(ScalarType T);
/// The element type of a parameter that is written as `const __half
/// *__restrict__`; nothing if the spelling is not one of the well-known ones.
std::optional<ScalarType> elementTypeOf(llvm::StringRef PointerType);

/// A member of a kernel's parameter that C++ does not let others name.
struct UnnamedMember {
  std::string Path; ///< what the contraction calls it: `a.data`
  /// Its type, or that of the elements to which it points.
  ScalarType Type = ScalarType::I32;
  bool IsPointer = false;
  /// Bytes before it in the parameter, and those of the whole parameter.
  uint64_t Offset = 0, Size = 0;
};

/// The names of leaves in the printed text.
struct NameScope {
  /// Names of the indices %b, %m, %n, %k.
  std::string B = "b", M = "m", N = "n", K = "k";
  /// `launch.grid` and `launch.block` on the host. On the device the launch's
  /// dimensions are not available; parameters named like `grid_x` replace them.
  std::string Grid = "launch.grid.", Block = "launch.block.";
  std::string Acc = "acc";
  std::vector<std::string> MoreSums; ///< the sums after the first
  /// The operand whose prologue is printed, and the name of its element there;
  /// null otherwise.
  const Operand *Element = nullptr;
  std::string ElementName;
  /// Prefix of runtime functions.
  std::string Runtime = "::warpwright::rt::";
  /// Types of the kernel's parameters, by name.
  llvm::StringMap<std::string> ParamTypes;
  /// Pointers to vectors, whose numbers are the elements of the contraction.
  llvm::StringSet<> VectorPointers;
  /// Members that cannot be named, by path.
  llvm::StringMap<UnnamedMember> UnnamedMembers;
  void addMembers(llvm::ArrayRef<UnnamedMember> Members);
  /// Parameters that have another name in this text.
  llvm::StringMap<std::string> Renamed;
  /// The type in which arithmetic is done. On the device it is int64_t, which
  /// the printed numbers are known to fit (rt::check). On the host it is the
  /// runtime's Integer or Range, which never wrap.
  std::string Wide = "int64_t";
  /// Whether the text is for the host, which has no functions such as
  /// __fmul_rn.
  bool OnHost = false;
  /// Whether the indices are Ranges, and so the printed expressions.
  bool IndicesAreRanges = false;
  /// Whether element offsets, and all numbers from which they are added up, are
  /// known to fit an int (rt::check). Offsets that consist of ints are then
  /// computed in int.
  bool OffsetsFitInt = false;
};

/// Prints expressions in one scope. Stateless: printing twice gives the same
/// text.
class ExprPrinter {
public:
  explicit ExprPrinter(const NameScope &Scope) : Scope(Scope) {}

  /// The expression; its type is any integer type that holds its value, or
  /// int64_t when \p Wide.
  std::string print(const IntExpr &E, bool Wide = false) const;
  /// The same, in parentheses unless it binds as tightly as a product.
  std::string printFactor(const IntExpr &E) const;
  /// Fails if a value in the condition cannot be printed.
  llvm::Expected<std::string> print(const BoolExpr &E) const;
  /// Fails for nodes that only the lift knows (Sum, Phi, Undefined).
  llvm::Expected<std::string> print(const ValueRef &V) const;

  /// The statements that compute \p V (`const float t0 = ...;` for every part
  /// that is used more than once), and the expression of the result.
  struct Body {
    struct Local {
      std::string Type, Name, Text;
      unsigned Line = 0; ///< of the user's file, or 0
    };
    std::vector<Local> Locals;
    std::string Result;
    unsigned ResultLine = 0;
  };
  /// Locals are called \p LocalPrefix followed by a number. A part that may
  /// read memory under a condition is not moved out of that condition.
  llvm::Expected<Body> printBody(const ValueRef &V,
                                 llvm::StringRef LocalPrefix) const;

private:
  /// A text, and how tightly its outermost operator binds.
  struct Text {
    std::string S;
    int Precedence;
  };
  struct Locals;
  std::string leaf(const IntAtom &A) const;
  Text atom(const IntAtom &A) const;
  bool isNarrow(const IntAtom &A) const;
  /// Whether arithmetic is done in a type of the runtime's that never wraps.
  bool isExact() const { return Scope.Wide != "int64_t"; }
  bool isPlainDivision(const IntAtom &A) const;
  bool isInt(const IntAtom &A) const;
  bool isInt(const IntExpr &E) const;
  std::string offset(const IntExpr &E) const;
  /// The type of arithmetic: int64_t, where the result may have any type that
  /// holds the value; int64_t with a result of int64_t; or the type of the
  /// operands.
  enum class Width { Value, Int64, Any };
  Text integer(const IntExpr &E, Width W) const;
  llvm::Expected<Text> condition(const BoolExpr &E, const Locals *L) const;
  llvm::Expected<Text> value(const ValueRef &V, const Locals *L) const;
  llvm::Expected<Text> arithmetic(const Value &V, const Locals *L) const;
  llvm::Expected<Text> cast(const Value &V, const Locals *L) const;

public:
  /// The name of the parameter or field `name` or `name.field` in the text, or
  /// the call that reads the field. \p Element: what a pointer of that call
  /// points to, if it is not the type of the field.
  std::string parameter(llvm::StringRef Name,
                        std::optional<ScalarType> Element = std::nullopt) const;
  /// `Pointer[Index]`, through a cast where the parameter's declared element
  /// type is not \p Element.
  std::string element(llvm::StringRef Pointer, ScalarType Element,
                      const IntExpr &Index, bool Const = true) const;

private:
  const NameScope &Scope;
};

} // namespace warpwright

#endif // WARPWRIGHT_CODEGEN_EXPRPRINTER_H
