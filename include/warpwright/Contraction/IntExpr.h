//===-- IntExpr.h - Symbolic integers and conditions ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Integers as polynomials over named atoms, and conditions over them. The
/// lift computes with these, the contraction is made of them, the planner asks
/// them for strides, and CodeGen prints them as C++. No Clang, no CUDA.
///
/// The arithmetic is that of the mathematical integers: whoever builds an
/// IntExpr from C++ code must record separately (see Contraction::Requires)
/// what makes the machine's arithmetic agree with it.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_CONTRACTION_INTEXPR_H
#define WARPWRIGHT_CONTRACTION_INTEXPR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpwright {

class IntExpr;
class BoolExpr;

/// What an atom of a polynomial stands for.
enum class AtomKind {
  Param,     ///< an integer kernel parameter or field of one: `M`, `p.lda`
  ThreadIdx, ///< threadIdx.x|y|z: gone once the lift is done
  BlockIdx,  ///< blockIdx.x|y|z: gone once the lift is done
  BlockDim,  ///< blockDim.x|y|z of the launch
  GridDim,   ///< gridDim.x|y|z of the launch
  Index,     ///< an index of the contraction: `%b`, `%m`, `%n` or `%k`
  Counter,   ///< the iteration number of a loop, inside the lift only
  FloorDiv,  ///< floor(lhs / rhs), rhs > 0
  Mod,       ///< lhs - rhs * floor(lhs / rhs), rhs > 0
  Min,       ///< min(lhs, rhs)
  Max,       ///< max(lhs, rhs)
  Select,    ///< condition ? lhs : rhs
};

/// One indivisible term. Immutable; two atoms are the same when their keys are.
class IntAtom {
public:
  AtomKind getKind() const { return Kind; }
  /// The printed form, which is also the identity: `M`, `threadIdx.x`,
  /// `floordiv(m, N)`, `min(M, gridDim.y * blockDim.y)`.
  llvm::StringRef getKey() const { return Key; }
  /// For FloorDiv, Mod, Min, Max and Select only.
  const IntExpr &getLHS() const { return *LHS; }
  const IntExpr &getRHS() const { return *RHS; }
  /// For Select only.
  const BoolExpr &getCondition() const { return *Condition; }
  /// Index 0, 1 or 2 of the dimension for ThreadIdx .. GridDim.
  unsigned getDim() const { return Dim; }
  bool isLeaf() const { return !LHS; }
  IntAtom(AtomKind K, std::string Key, unsigned Dim)
      : Kind(K), Key(std::move(Key)), Dim(Dim) {}
  IntAtom(AtomKind K, std::string Key, IntExpr L, IntExpr R,
          std::shared_ptr<const BoolExpr> C = nullptr);

private:
  AtomKind Kind;
  std::string Key;
  unsigned Dim = 0;
  std::shared_ptr<const IntExpr> LHS, RHS;
  std::shared_ptr<const BoolExpr> Condition;
};

using AtomRef = std::shared_ptr<const IntAtom>;

/// Orders atoms by key, so that printing and iteration are deterministic.
struct AtomLess {
  bool operator()(const AtomRef &A, const AtomRef &B) const {
    return A->getKey() < B->getKey();
  }
};

/// A polynomial with int64 coefficients over atoms. A value type.
class IntExpr {
public:
  /// A product of atoms, sorted by key; empty for the constant term.
  using Monomial = llvm::SmallVector<AtomRef, 2>;
  struct MonomialLess {
    bool operator()(const Monomial &A, const Monomial &B) const;
  };
  using TermMap = std::map<Monomial, int64_t, MonomialLess>;

  IntExpr() = default; ///< zero
  IntExpr(int64_t Constant);
  explicit IntExpr(AtomRef Atom);

  static IntExpr param(llvm::StringRef Name);
  /// The index `%b`, `%m`, `%n` or `%k`; \p Name is the bare letter. The sign
  /// keeps it apart from a parameter that is called the same.
  static IntExpr index(llvm::StringRef Name);
  static IntExpr counter(unsigned Id);
  static IntExpr special(AtomKind Kind, unsigned Dim); ///< threadIdx.x, ...
  /// Folds constants and exact cases; otherwise makes an atom.
  static IntExpr floorDiv(const IntExpr &L, const IntExpr &R);
  static IntExpr mod(const IntExpr &L, const IntExpr &R);
  static IntExpr min(const IntExpr &L, const IntExpr &R);
  static IntExpr max(const IntExpr &L, const IntExpr &R);
  static IntExpr select(const BoolExpr &C, const IntExpr &L, const IntExpr &R);

  IntExpr operator+(const IntExpr &O) const;
  IntExpr operator-(const IntExpr &O) const;
  IntExpr operator*(const IntExpr &O) const;
  IntExpr operator-() const;
  IntExpr &operator+=(const IntExpr &O) { return *this = *this + O; }
  IntExpr &operator-=(const IntExpr &O) { return *this = *this - O; }
  bool operator==(const IntExpr &O) const;
  bool operator!=(const IntExpr &O) const { return !(*this == O); }

  const TermMap &terms() const { return Terms; }
  bool isZero() const { return Terms.empty(); }
  bool isOne() const { return getConstant() == 1; }
  /// The value when the polynomial is a constant.
  std::optional<int64_t> getConstant() const;
  /// The atom when the polynomial is exactly one atom with coefficient 1.
  AtomRef getAtom() const;
  /// True if a coefficient left the int64 range; such a value proves nothing.
  bool overflowed() const { return Overflow; }

  /// Visits every atom, those inside composite atoms included.
  void walk(llvm::function_ref<void(const IntAtom &)> Fn) const;
  bool contains(llvm::StringRef Key) const;
  bool containsKind(AtomKind Kind) const;
  /// The factor of \p Key when this is `factor * Key + rest` with neither
  /// factor nor rest containing \p Key (inside composite atoms included).
  std::optional<IntExpr> coefficient(llvm::StringRef Key) const;
  /// This with every occurrence of the atom \p Key, also inside composite
  /// atoms, replaced.
  IntExpr substitute(llvm::StringRef Key, const IntExpr &By) const;
  /// As substitute, for all leaves at once: \p Fn gives a leaf's replacement.
  IntExpr transform(
      llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn) const;
  /// This divided by \p D when every term is divisible by the monomial \p D
  /// with integer coefficients; nothing otherwise.
  std::optional<IntExpr> exactDivide(const IntExpr &D) const;

  /// Prints as C-like text, terms in a deterministic order: `m * K + k`.
  void print(llvm::raw_ostream &OS) const;
  std::string str() const;

private:
  void add(const Monomial &M, int64_t C);
  TermMap Terms;
  bool Overflow = false;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const IntExpr &E);

enum class CmpOp { EQ, NE, LT, LE, GT, GE };
llvm::StringRef spelling(CmpOp Op); ///< `==`, `<`, ...
CmpOp negate(CmpOp Op);             ///< `<` to `>=`
CmpOp swapSides(CmpOp Op);          ///< `<` to `>`

class Value;
using ValueRef = std::shared_ptr<const Value>;

/// A condition over integers, pointers and values. Immutable, shared nodes.
class BoolExpr {
public:
  enum class Kind {
    Constant, ///< getConstant()
    Compare,  ///< LHS op RHS over integers
    NonNull,  ///< a pointer parameter is not null: getName()
    FloatCmp, ///< ValueLHS op ValueRHS over floating-point values
    And,
    Or,
    Not,
  };
  static BoolExpr constant(bool B);
  static BoolExpr compare(CmpOp Op, IntExpr L, IntExpr R);
  static BoolExpr nonNull(llvm::StringRef PointerName);
  static BoolExpr floatCompare(CmpOp Op, ValueRef L, ValueRef R);
  /// These fold constants and flatten nothing else.
  static BoolExpr conjunction(const BoolExpr &A, const BoolExpr &B);
  static BoolExpr disjunction(const BoolExpr &A, const BoolExpr &B);
  /// Pushes the negation to the leaves (De Morgan), except FloatCmp (NaN).
  static BoolExpr negation(const BoolExpr &A);

  BoolExpr() : BoolExpr(constant(true)) {}
  Kind getKind() const { return N->K; }
  bool isTrue() const { return N->K == Kind::Constant && N->B; }
  bool isFalse() const { return N->K == Kind::Constant && !N->B; }
  CmpOp getOp() const { return N->Op; }
  const IntExpr &getLHS() const { return N->L; }
  const IntExpr &getRHS() const { return N->R; }
  llvm::StringRef getName() const { return N->Name; }
  const ValueRef &getValueLHS() const { return N->VL; }
  const ValueRef &getValueRHS() const { return N->VR; }
  llvm::ArrayRef<BoolExpr> operands() const { return N->Ops; }

  /// The leaves of a tree of conjunctions, left to right.
  void conjuncts(llvm::SmallVectorImpl<BoolExpr> &Out) const;
  /// Visits every integer expression and value in the condition.
  void walk(llvm::function_ref<void(const IntExpr &)> OnInt,
            llvm::function_ref<void(const ValueRef &)> OnValue) const;
  BoolExpr transform(
      llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> OnAtom) const;
  bool operator==(const BoolExpr &O) const {
    return N == O.N || str() == O.str();
  }
  bool operator!=(const BoolExpr &O) const { return !(*this == O); }

  void print(llvm::raw_ostream &OS) const;
  std::string str() const;

private:
  struct Node {
    Kind K = Kind::Constant;
    bool B = true;
    CmpOp Op = CmpOp::EQ;
    IntExpr L, R;
    std::string Name;
    ValueRef VL, VR;
    std::vector<BoolExpr> Ops;
  };
  explicit BoolExpr(std::shared_ptr<const Node> N) : N(std::move(N)) {}
  std::shared_ptr<const Node> N;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const BoolExpr &E);

} // namespace warpwright

#endif // WARPWRIGHT_CONTRACTION_INTEXPR_H
