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
/// Expressions are graphs with shared nodes, and a short program makes a graph
/// whose printed form is astronomically long. Everything here visits a node
/// once, however often it is shared, and none of it recurses as deep as the
/// graph is. What has no use beyond a size (polynomials, atoms) stops there and
/// is overflowed(); of what has no such end (conditions, values), measure()
/// tells the size, so that a client can refuse.
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
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpwright {

class IntExpr;
class BoolExpr;

/// The size of an expression, and a hash. A shared node counts at each
/// occurrence: these are sizes of the printed form. They are saturated at the
/// largest number that fits.
struct ExprMeasure {
  unsigned Size = 1;  ///< nodes
  unsigned Depth = 1; ///< nodes from here to the farthest leaf
  /// A hash of the structure, the same for equal expressions.
  uint64_t Hash = 0;
  /// Bit i is set if a Value of kind i occurs.
  uint32_t ValueKinds = 0;
  /// Whether an integer in it is overflowed(), so that its printed form proves
  /// nothing.
  bool Overflow = false;

  /// Adds to this, the measure of a node, a child with the measure \p M.
  void addChild(const ExprMeasure &M);
};

/// The kind of an atom of a polynomial.
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
  Xor,       ///< lhs ^ rhs, bit by bit, of numbers that are not negative
  Select,    ///< condition ? lhs : rhs
};

/// An indivisible term. Immutable; two atoms are the same if their kinds and
/// keys are equal.
class IntAtom {
public:
  AtomKind getKind() const { return Kind; }
  /// The printed form, which also identifies the atom: `M`, `threadIdx.x`,
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
  const ExprMeasure &measure() const { return Measured; }
  bool sameAs(const IntAtom &O) const {
    return this == &O ||
           (Measured.Hash == O.Measured.Hash && Kind == O.Kind && Key == O.Key);
  }
  IntAtom(AtomKind K, std::string Key, unsigned Dim);
  /// \p M: the measure of a node with these children, without its hash.
  IntAtom(AtomKind K, std::string Key, const ExprMeasure &M, IntExpr L,
          IntExpr R, std::shared_ptr<const BoolExpr> C);

private:
  AtomKind Kind;
  std::string Key;
  unsigned Dim = 0;
  ExprMeasure Measured;
  std::shared_ptr<const IntExpr> LHS, RHS;
  std::shared_ptr<const BoolExpr> Condition;
};

using AtomRef = std::shared_ptr<const IntAtom>;

/// Negative, 0 or positive: the order of two atoms, which is that of their
/// keys, so that printing and iteration are deterministic.
int compareAtoms(const IntAtom &A, const IntAtom &B);

/// A polynomial with int64 coefficients over atoms. A value type; copies share
/// their terms.
class IntExpr {
public:
  /// A product of atoms, sorted by key; empty for the constant term.
  using Monomial = llvm::SmallVector<AtomRef, 2>;
  /// Sorted for printing: higher degrees first, then by the atoms' keys. No
  /// coefficient is 0.
  using TermList = std::vector<std::pair<Monomial, int64_t>>;

  /// An expression beyond these limits is overflowed(): no kernel has such an
  /// index, and in generated code it would be unreadable.
  static constexpr unsigned MaxTerms = 4096;
  static constexpr unsigned MaxDegree = 32;
  /// Nodes, including those inside its atoms.
  static constexpr unsigned MaxSize = 1 << 16;
  /// Pairs of terms that one multiplication may have.
  static constexpr unsigned MaxProducts = 1 << 16;
  /// Nodes of one atom, including those inside of it.
  static constexpr unsigned MaxAtomSize = 4096;
  static constexpr unsigned MaxAtomDepth = 512;
  static constexpr unsigned MaxKeptAtoms = 256;

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
  /// Of numbers that are never negative. An operand that occurs twice cancels.
  static IntExpr bitXor(const IntExpr &L, const IntExpr &R);
  static IntExpr select(const BoolExpr &C, const IntExpr &L, const IntExpr &R);

  IntExpr operator+(const IntExpr &O) const;
  IntExpr operator-(const IntExpr &O) const;
  IntExpr operator*(const IntExpr &O) const;
  IntExpr operator-() const;
  IntExpr &operator+=(const IntExpr &O) { return *this = *this + O; }
  IntExpr &operator-=(const IntExpr &O) { return *this = *this - O; }
  bool operator==(const IntExpr &O) const;
  bool operator!=(const IntExpr &O) const { return !(*this == O); }

  const TermList &terms() const;
  bool isZero() const { return !R; }
  bool isOne() const { return getConstant() == 1; }
  /// The value when the polynomial is a constant.
  std::optional<int64_t> getConstant() const;
  /// This minus \p O, or plus \p O, if the result is a constant; the same as
  /// getConstant() of the result, without computing it.
  std::optional<int64_t> constantBeside(const IntExpr &O, bool Plus) const;
  /// The atom when the polynomial is exactly one atom with coefficient 1.
  AtomRef getAtom() const;
  /// Whether a coefficient left the int64 range, or one of the limits above was
  /// exceeded. Such a value proves nothing: it equals no other, has no
  /// coefficients and may contain any atom. Its terms have no meaning, except
  /// that their atoms are some of those from which it was made (up to
  /// MaxKeptAtoms of them).
  bool overflowed() const { return R && R->Measured.Overflow; }
  const ExprMeasure &measure() const;
  /// Whether both have the very same terms in memory; a fast and sufficient
  /// test of equality.
  bool sharesTermsWith(const IntExpr &O) const { return R == O.R; }

  /// Visits every atom, including those inside composite atoms; a shared one is
  /// visited once.
  void walk(llvm::function_ref<void(const IntAtom &)> Fn) const;
  bool contains(llvm::StringRef Key) const;
  bool containsKind(AtomKind Kind) const;
  /// The factor in `factor * Key + rest`, if this has that form and neither
  /// factor nor rest contains \p Key, not even inside composite atoms.
  std::optional<IntExpr> coefficient(llvm::StringRef Key) const;
  /// This with every occurrence of the atom \p Key, also inside composite
  /// atoms, replaced.
  IntExpr substitute(llvm::StringRef Key, const IntExpr &By) const;
  /// Like substitute, for all leaves at once: \p Fn gives the replacement of a
  /// leaf.
  IntExpr transform(
      llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn) const;
  /// This divided by the monomial \p D, if it divides every term with an
  /// integer coefficient; a selection is divided on both sides. Nothing
  /// otherwise.
  std::optional<IntExpr> exactDivide(const IntExpr &D) const;

  /// Prints as C-like text, terms in a deterministic order: `m * K + k`.
  void print(llvm::raw_ostream &OS) const;
  std::string str() const;

private:
  struct Node {
    TermList Terms;
    ExprMeasure Measured;
    /// Of the terms but the constant one; that of the negative is the same.
    uint64_t VaryingHash = 0;
  };
  static IntExpr composite(AtomKind Kind, llvm::StringRef Function,
                           const IntExpr &L, const IntExpr &R,
                           const BoolExpr *C = nullptr);
  /// An overflowed() expression that contains the atoms of these.
  static IntExpr tooLarge(llvm::ArrayRef<IntExpr> From,
                          const BoolExpr *C = nullptr);
  /// \p Terms are sorted and distinct.
  static IntExpr fromSorted(TermList Terms);
  static IntExpr fromUnsorted(TermList Terms);
  IntExpr scaled(int64_t Factor) const;
  friend class IntTransformer;

  std::shared_ptr<const Node> R; ///< null: zero
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
  /// These fold constants, and do not flatten.
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

  /// The leaves of a tree of conjunctions, from left to right; a shared
  /// conjunction is listed at its first occurrence.
  void conjuncts(llvm::SmallVectorImpl<BoolExpr> &Out) const;
  /// Visits every integer expression and value in the condition, those of
  /// shared conditions once, without what is inside of the values.
  void walk(llvm::function_ref<void(const IntExpr &)> OnInt,
            llvm::function_ref<void(const ValueRef &)> OnValue) const;
  BoolExpr transform(
      llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> OnAtom) const;
  /// Structural equality. A condition with an overflowed() integer equals only
  /// itself.
  bool operator==(const BoolExpr &O) const;
  bool operator!=(const BoolExpr &O) const { return !(*this == O); }
  const ExprMeasure &measure() const { return N->Measured; }
  /// The node in memory: the same for copies.
  const void *identity() const { return N.get(); }

  /// As Value::print for what is too large.
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
    ExprMeasure Measured;
    mutable std::weak_ptr<const Node> Negation; ///< where it is in use
    ~Node();
  };
  static BoolExpr finish(std::shared_ptr<Node> N);
  explicit BoolExpr(std::shared_ptr<const Node> N) : N(std::move(N)) {}
  friend class Value;
  std::shared_ptr<const Node> N;
};

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const BoolExpr &E);

} // namespace warpwright

#endif // WARPWRIGHT_CONTRACTION_INTEXPR_H
