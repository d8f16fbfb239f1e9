//===-- Value.h - Typed scalar expressions ----------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The expressions that an epilogue is made of: typed trees over the
/// accumulator, loads, parameters and calls. Every node names its C++ type, so
/// that CodeGen can print it back and compute what the original computed.
///
/// The trees share nodes. All that is here takes time by the number of distinct
/// nodes, whatever measure() says, and no stack by their depth.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_CONTRACTION_VALUE_H
#define WARPWRIGHT_CONTRACTION_VALUE_H

#include "warpwright/Contraction/IntExpr.h"
#include <atomic>

namespace warpwright {

/// Element and scalar types. F16 is __half, BF16 is __nv_bfloat16.
enum class ScalarType {
  Bool,
  I8,
  U8,
  I16,
  U16,
  I32,
  U32,
  I64,
  U64,
  F16,
  BF16,
  F32,
  F64,
};
/// `f16`, `bf16`, `f32`, `i32`, ...
llvm::StringRef name(ScalarType T);
std::optional<ScalarType> parseScalarType(llvm::StringRef Name);
/// Size in bytes.
unsigned byteSize(ScalarType T);
bool isFloating(ScalarType T);
/// Binary digits of the significand, the hidden one included: 11, 8, 24, 53.
unsigned significandBits(ScalarType T);

/// A node of a typed scalar expression. Immutable once anything was asked of
/// it: whoever copies a node to change it does so first.
class Value {
public:
  enum class Kind {
    Constant, ///< Text is the C++ literal, e.g. `0.5f`
    Acc,      ///< the finished sum number Counter of the contraction, f32
    Load,     ///< Name[Index], element type Type; Name is a pointer parameter
    Param,    ///< scalar parameter or field Name
    Global, ///< scalar in constant memory, as it is when the kernel runs: Name
            ///< as generated code writes it (`ns::scale`, `::config.alpha`)
    Int,    ///< the integer Index, converted to Type
    Cast,   ///< Ops[0] converted to Type, round to nearest even
    Neg,    ///< -Ops[0]
    Add,
    Sub,
    Mul,
    Div,    ///< Ops[0] op Ops[1], both of type Type
    Fma,    ///< Ops[0] * Ops[1] + Ops[2], one rounding
    Call,   ///< Name(Ops...): a __device__ function or math builtin; pure
    Select, ///< Condition ? Ops[0] : Ops[1]
    // The rest lives inside the lift only and never reaches a Contraction.
    Sum, ///< Sum over Counter in [0, Extent) of Ops[0]
    Phi, ///< a loop-carried value at the head of an iteration: Name
    Undefined,
  };

  Kind K;
  ScalarType Type;
  std::string Name;     ///< Load, Param, Global, Call (as written), Phi
  std::string Text;     ///< Constant
  IntExpr Index;        ///< Load, Int; extent for Sum
  unsigned Counter = 0; ///< Sum; for Acc which sum of the contraction
  BoolExpr Condition;   ///< Select; guard of each summand for Sum
  std::vector<ValueRef> Ops;
  /// Call of a user function: what its body computes, if that is known; the
  /// call is what gets printed, the body is what gets reasoned about.
  ValueRef Body;
  /// Source position for diagnostics and #line: an opaque encoding that only
  /// the front end interprets, and the line in the file for CodeGen (0: none).
  unsigned Loc = 0;
  unsigned Line = 0;
  /// Values in the printed tree; what is shared counts every time. Kept by the
  /// functions below; measure() counts integers and conditions as well.
  unsigned Size = 1;

  static ValueRef constant(ScalarType T, llvm::StringRef Text);
  /// Printed as `acc`, `acc1`, `acc2`, ...
  static ValueRef acc(unsigned Sum = 0);
  static ValueRef load(ScalarType T, llvm::StringRef Pointer, IntExpr Index);
  static ValueRef param(ScalarType T, llvm::StringRef Name);
  static ValueRef global(ScalarType T, llvm::StringRef Name);
  static ValueRef integer(ScalarType T, IntExpr E);
  /// Folds casts that change nothing.
  static ValueRef cast(ScalarType To, ValueRef V);
  static ValueRef unary(Kind K, ValueRef V);
  static ValueRef binary(Kind K, ScalarType T, ValueRef A, ValueRef B);
  static ValueRef fma(ScalarType T, ValueRef A, ValueRef B, ValueRef C);
  static ValueRef call(ScalarType T, llvm::StringRef Callee,
                       std::vector<ValueRef> Args, ValueRef Body = nullptr);
  static ValueRef select(BoolExpr C, ValueRef A, ValueRef B);

  Value(Kind K, ScalarType T) : K(K), Type(T) {}
  Value(const Value &) = default;
  Value &operator=(const Value &) = delete;
  ~Value();

  /// For a node that nobody else has yet: sets the operands, and Size by them
  /// and the condition.
  void setOperands(std::vector<ValueRef> NewOps);

  /// Sizes and a hash of the printed form, computed when first asked for.
  const ExprMeasure &measure() const;
  /// Nodes in the printed tree, with those of integers and conditions.
  unsigned size() const { return measure().Size; }
  /// Nodes from this one to its farthest leaf.
  unsigned depth() const { return measure().Depth; }

  /// Numeric value of a Constant.
  std::optional<double> getConstant() const;
  bool isConstant(double D) const {
    auto C = getConstant();
    return C && *C == D;
  }
  /// Pre-order visit of this and everything below it (call bodies excluded).
  /// What is shared is visited once, where it occurs first.
  void walk(llvm::function_ref<void(const Value &)> Fn) const;
  bool containsKind(Kind K) const;
  /// What has more than MaxPrintedSize nodes is printed as a mark that nothing
  /// parses.
  void print(llvm::raw_ostream &OS) const;
  std::string str() const;
  static constexpr unsigned MaxPrintedSize = 1 << 20;

private:
  /// The measure once it is known. A copy of the node starts without.
  struct Cache {
    mutable std::atomic<const ExprMeasure *> Known = nullptr;
    Cache() = default;
    Cache(const Cache &) {}
    ~Cache() { delete Known.load(std::memory_order_relaxed); }
  };
  const ExprMeasure *knownMeasure() const {
    return Measured.Known.load(std::memory_order_acquire);
  }
  void measureNode() const;
  Cache Measured;
};

/// Rebuilds \p V with integer leaves replaced (see IntExpr::transform). What
/// nothing is replaced in stays the same node, and what is shared stays shared.
ValueRef
transformInts(const ValueRef &V,
              llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn);
/// The same; \p After is applied to every integer that comes of it.
ValueRef
transformInts(const ValueRef &V,
              llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn,
              llvm::function_ref<IntExpr(const IntExpr &)> After);
/// Structural equality: of all that is printed, and of types. What contains an
/// overflowed() integer is the same as itself alone.
bool sameValue(const ValueRef &A, const ValueRef &B);

} // namespace warpwright

#endif // WARPWRIGHT_CONTRACTION_VALUE_H
