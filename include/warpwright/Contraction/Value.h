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

/// Element and scalar types. F16 is __half, BF16 is __nv_bfloat16, E4M3 is
/// __nv_fp8_e4m3 and E5M2 is __nv_fp8_e5m2. Nothing is computed in the last
/// two: their numbers are converted, and a conversion to them saturates, as
/// their constructors do: what is larger than the largest finite number becomes
/// that number, infinity too.
///
/// U4 is of the lift alone: an integer of four bits among those of bytes or
/// words, which an index counts from the lowest bits on. A contraction has the
/// word and its bits in its place.
///
/// The last six are of plans alone, where k counts pairs of numbers: two
/// integers of four bits in a byte, without a sign or with one, the low four
/// bits first or the high ones (`High`), and two numbers of 16 bits, that is
/// __half2 and __nv_bfloat162.
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
  E4M3,
  E5M2,
  F16,
  BF16,
  F32,
  F64,
  U4,
  U4X2,
  S4X2,
  U4X2High,
  S4X2High,
  F16X2,
  BF16X2,
};
/// `f16`, `bf16`, `e4m3`, `f32`, `i32`, ...
llvm::StringRef name(ScalarType T);
std::optional<ScalarType> parseScalarType(llvm::StringRef Name);
/// Size in bytes.
unsigned byteSize(ScalarType T);
bool isFloating(ScalarType T);
/// E4M3 and E5M2.
bool isFloat8(ScalarType T);
/// A floating-point type whose numbers float holds: 8 and 16 bits.
bool isNarrowFloat(ScalarType T);
/// Binary digits of the significand, the hidden one included: 11, 8, 24, 53,
/// and 4 and 3 for E4M3 and E5M2.
unsigned significandBits(ScalarType T);
/// \p X converted to the type \p T of 8 bits, and the bits of that.
uint8_t toFloat8(ScalarType T, double X);
/// The number whose bits in the type \p T of 8 bits are \p Bits.
double fromFloat8(ScalarType T, uint8_t Bits);

/// A node of a typed scalar expression. It is immutable once anything has been
/// computed from it; to change a node, copy it and change the copy first.
class Value {
public:
  enum class Kind {
    Constant, ///< Text is the C++ literal, e.g. `0.5f`
    Acc,      ///< the finished sum number Counter of the contraction
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
    And,    ///< of integers of type Type, which is as wide as an int
    Or,     ///< likewise
    Xor,    ///< likewise
    Shl,    ///< Ops[0] times two to the power of Ops[1], modulo its type
    Shr,    ///< Ops[0] over two to the power of Ops[1], rounded down
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
  /// Add, Sub, Mul, Div: rounded by itself, as `__fmul_rn` asks for. The
  /// compiler may not make it one operation with another, nor compute it
  /// inexactly.
  bool Alone = false;
  /// For a call of a user's function: what its body computes, if that is known.
  /// The call is printed, and the body is used for reasoning.
  ValueRef Body;
  /// Source position for diagnostics and #line: an opaque encoding that only
  /// the front end interprets, and the line in the file for CodeGen (0: none).
  unsigned Loc = 0;
  unsigned Line = 0;
  /// Number of values in the printed tree; shared ones count at each
  /// occurrence. The functions below maintain it; measure() also counts
  /// integers and conditions.
  unsigned Size = 1;

  static ValueRef constant(ScalarType T, llvm::StringRef Text);
  /// Printed as `acc`, `acc1`, `acc2`, ...; \p T is what the sum accumulates
  /// in (Accumulation::AccType).
  static ValueRef acc(unsigned Sum = 0, ScalarType T = ScalarType::F32);
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

  /// For a node that is not shared yet: sets the operands, and computes Size
  /// from them and the condition.
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
  /// Pre-order visit of this and everything below, except bodies of calls. A
  /// shared node is visited once, at its first occurrence.
  void walk(llvm::function_ref<void(const Value &)> Fn) const;
  bool containsKind(Kind K) const;
  /// A value with more than MaxPrintedSize nodes is printed as a mark that
  /// cannot be parsed.
  void print(llvm::raw_ostream &OS) const;
  std::string str() const;
  static constexpr unsigned MaxPrintedSize = 1 << 20;

private:
  /// The measure, once it was computed. A copy of the node does not have it.
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

/// Rebuilds \p V with integer leaves replaced (see IntExpr::transform). A node
/// in which nothing changes stays the same node, and shared nodes stay shared.
ValueRef
transformInts(const ValueRef &V,
              llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn);
/// The same; \p After is then applied to every resulting integer.
ValueRef
transformInts(const ValueRef &V,
              llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn,
              llvm::function_ref<IntExpr(const IntExpr &)> After);
/// Whether \p B compares values: loaded data or floating-point numbers.
bool hasValues(const BoolExpr &B);
/// \p B with every value in it replaced by what \p Fn makes of it.
BoolExpr mapValues(const BoolExpr &B,
                   llvm::function_ref<ValueRef(const ValueRef &)> Fn);
/// \p V with what it is made of replaced by what \p Fn makes of that: its
/// operands, the values of its condition, and the body of a call. \p V itself
/// where nothing changes, and null where \p Fn gives null for a part.
ValueRef replaceParts(const ValueRef &V,
                      llvm::function_ref<ValueRef(const ValueRef &)> Fn);
/// \p V with every value in it replaced for which \p Fn has another one, the
/// outer ones first. Shared nodes stay shared.
ValueRef replaceValues(const ValueRef &V,
                       llvm::function_ref<ValueRef(const ValueRef &)> Fn);
/// Structural equality of all that is printed, and of types. A value with an
/// overflowed() integer equals only itself.
bool sameValue(const ValueRef &A, const ValueRef &B);
/// Whether it is computed from constants, parameters and the extents of a
/// launch by arithmetic, so that it is the same number for all elements.
bool isNumberOfLaunch(const Value &V);

} // namespace warpwright

#endif // WARPWRIGHT_CONTRACTION_VALUE_H
