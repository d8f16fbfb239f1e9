//===-- SplitProduct.cpp - The factors of what is summed ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitProduct.h"
#include "NumberRanges.h"
#include "PopCount.h"
#include "warpwright/Contraction/NamedCalls.h"
#include "llvm/ADT/STLExtras.h"

#include <cmath>

using namespace clang;

namespace warpwright::symbolic {

namespace {
/// A factor that differs between the terms of a sum.
struct Piece {
  ValueRef V;    ///< the value that is multiplied
  ValueRef Load; ///< the only element from which V is made, or null
  bool Plain;    ///< V is that element, at most converted
  /// The reason why V is not an element.
  std::optional<Failure> Otherwise;
  /// The operands of the multiplications that lead to V.
  std::vector<unsigned> Path;
  std::vector<bool> MovedBy; ///< for each of Space.Vars
  int Side = -1;             ///< the factor to which it belongs
};

class ProductReader {
public:
  ProductReader(IndexSpace &Space, Summation &Sum,
                const std::vector<std::string> &Counters, bool KeepFactors,
                std::optional<Failure> &Why)
      : Space(Space), Sum(Sum), Counters(Counters), KeepFactors(KeepFactors),
        Why(Why) {
    Parts.Narrowest = Sum.Type;
  }
  bool read() { return read(Sum.Body, Sum.Body) && assemble(); }

  ProductParts Parts;

private:
  bool fail(Failure F) {
    if (!Why)
      Why = std::move(F);
    return false;
  }
  bool fail(DiagID ID, SourceLocation Loc, llvm::Twine Message) {
    return fail(Failure{ID, Loc, Message.str()});
  }
  bool dependsOnReduction(const ValueRef &V) const;
  bool read(const ValueRef &V, const ValueRef &Written);
  bool roundsOperand(const ValueRef &V) const;
  bool isRoundedByFactors(const Value &Product, ScalarType T) const;
  bool isExact(const ValueRef &V) const;
  bool readSides(const ValueRef &Product);
  bool readOperands(const ValueRef &Product, SourceLocation Loc);
  bool readBits(const CountedBits &Bits, SourceLocation Loc);
  bool computed(ValueRef Written, Failure Otherwise);
  std::vector<bool> movedBy(const ValueRef &V) const;
  ValueRef elementOf(const Piece &P, const Piece &Other) const;
  bool chooseSides(size_t &First, size_t &Second) const;
  bool assemble();

  IndexSpace &Space;
  Summation &Sum;
  const std::vector<std::string> &Counters;
  const bool KeepFactors;
  std::optional<Failure> &Why;
  bool InOperand = false;
  std::vector<Piece> Pieces;
  std::vector<unsigned> Path;
  /// Conditions under which the pieces with the numbers from one to another are
  /// 0.
  struct PieceGuard {
    BoolExpr When;
    size_t Begin, End;
  };
  std::vector<PieceGuard> PieceGuards;
};
} // namespace

bool ProductReader::dependsOnReduction(const ValueRef &V) const {
  SymValue X = SymValue::scalar(V);
  return mentionsAny(X, [&](llvm::StringRef Key) {
    return llvm::is_contained(Counters, Key);
  });
}

/// \p V is 0 where \p Zero holds; the part that \p Varies may have any value
/// there.
static bool isZeroWith(const ValueRef &V, const ValueRef &Zero,
                       llvm::function_ref<bool(const ValueRef &)> Varies) {
  using Kind = Value::Kind;
  if (V->isConstant(0) || sameValue(V, Zero))
    return true;
  auto Is = [&](unsigned N) { return isZeroWith(V->Ops[N], Zero, Varies); };
  auto May = [&](unsigned N) { return Is(N) || !Varies(V->Ops[N]); };
  switch (V->K) {
  case Kind::Int:
    return V->Index.isZero();
  case Kind::Neg:
  case Kind::Cast:
    return Is(0);
  case Kind::Mul:
    return (Is(0) && May(1)) || (Is(1) && May(0));
  case Kind::Add:
  case Kind::Sub:
  case Kind::Select: // whichever side the condition chooses
    return Is(0) && Is(1);
  case Kind::Call: {
    return (keepsZeroByName(V->Name) || V->Body) &&
           (V->Body ? isZeroWith(V->Body, Zero, Varies)
                    : llvm::all_of(V->Ops, [&](const ValueRef &Op) {
                        return isZeroWith(Op, Zero, Varies);
                      }));
  }
  default:
    return false;
  }
}

/// Finds a condition in \p V under which an element in it, and with it \p V
/// itself, is 0, and moves it out: `max(inside ? a : 0, 0)` becomes `inside ?
/// max(a, 0) : 0`.
static std::optional<BoolExpr>
takeGuard(ValueRef &V, llvm::function_ref<bool(const ValueRef &)> Varies) {
  std::optional<BoolExpr> When;
  ValueRef Choice, Kept;
  replaceValues(V, [&](const ValueRef &X) -> ValueRef {
    if (When || X->K != Value::Kind::Select || hasValues(X->Condition))
      return nullptr;
    for (unsigned Side : {0, 1})
      if (X->Ops[1 - Side]->isConstant(0) && isZeroWith(V, X, Varies)) {
        When = Side == 0 ? X->Condition : BoolExpr::negation(X->Condition);
        Choice = X;
        Kept = X->Ops[Side];
        return nullptr;
      }
    return nullptr;
  });
  if (When)
    V = replaceValues(V, [&](const ValueRef &X) -> ValueRef {
      return X->K == Value::Kind::Select && sameValue(X, Choice) ? Kept
                                                                 : nullptr;
    });
  return When;
}

/// A factor that is more than a single element.
bool ProductReader::computed(ValueRef Written, Failure Otherwise) {
  if (Written->containsKind(Value::Kind::Phi) ||
      Written->containsKind(Value::Kind::Undefined) ||
      Written->containsKind(Value::Kind::Sum))
    return fail(std::move(Otherwise));
  auto Varies = [&](const ValueRef &X) { return dependsOnReduction(X); };
  while (auto When = takeGuard(Written, Varies)) {
    Sum.Guard = BoolExpr::conjunction(Sum.Guard, *When);
    Parts.Guarded = true;
    PieceGuards.push_back({*When, Pieces.size(), Pieces.size() + 1});
  }
  Pieces.push_back({Written, nullptr, false, std::move(Otherwise), Path, {}});
  return true;
}

/// The factors of \p V that differ between the terms of the sum.
static unsigned
varyingFactors(const Value &V,
               llvm::function_ref<bool(const ValueRef &)> Varies) {
  unsigned Count = 0;
  for (const ValueRef &Op : V.Ops)
    if (Varies(Op))
      Count += Op->K == Value::Kind::Mul || Op->K == Value::Kind::Cast ||
                       Op->K == Value::Kind::Neg
                   ? varyingFactors(*Op, Varies)
                   : 1;
  return Count;
}

/// More significant bits than any type has.
static constexpr unsigned ManyBits = 64;

/// The significant bits that a product with the number \p X has more than one
/// without it, and those by which it is larger.
static unsigned bitsOf(double X) {
  if (X == 0 || !std::isfinite(X))
    return 0;
  int Exponent = 0;
  double Significand = std::frexp(std::fabs(X), &Exponent);
  unsigned Bits = 0;
  for (; Significand != std::trunc(Significand); Significand *= 2)
    ++Bits;
  return (Bits > 1 ? Bits : 0) + std::max(Exponent - 1, 0);
}

/// How many significant bits the numbers have by which \p V, a product or a
/// factor of one, multiplies elements, where a kernel is executed. Elements
/// and arguments are small integers there, and what is computed from them in
/// other ways than by rounding, such as a root, may have any number of bits.
/// Elements are not counted.
static unsigned factorBits(const ValueRef &V,
                           llvm::function_ref<bool(const ValueRef &)> Varies) {
  using Kind = Value::Kind;
  auto Of = [&](unsigned N) { return factorBits(V->Ops[N], Varies); };
  switch (V->K) {
  case Kind::Mul:
    return std::min(Of(0) + Of(1), ManyBits);
  case Kind::Neg:
    return Of(0);
  case Kind::Cast:
    return isFloating(V->Type) ? std::min(Of(0), significandBits(V->Type))
                               : Of(0);
  default:
    break;
  }
  if (Varies(V))
    return 0;
  switch (V->K) {
  case Kind::Constant:
    return bitsOf(V->getConstant().value_or(0));
  case Kind::Int:
    if (auto C = V->Index.getConstant())
      return bitsOf(static_cast<double>(*C));
    return 10;
  case Kind::Load:
  case Kind::Param:
  case Kind::Global:
    return isFloating(V->Type) || byteSize(V->Type) > 2 ? 3
                                                        : 8 * byteSize(V->Type);
  case Kind::Add:
  case Kind::Sub:
    return std::max(Of(0), Of(1)) + 1;
  case Kind::Select:
    return std::max(Of(0), Of(1));
  default:
    return ManyBits;
  }
}

/// The significant bits of the product of all elements in \p V, where a kernel
/// is executed.
static unsigned elementBits(const Value &V,
                            llvm::function_ref<bool(const ValueRef &)> Varies) {
  unsigned Bits = 0;
  for (const ValueRef &Op : V.Ops)
    if (Varies(Op))
      Bits += Op->K != Value::Kind::Load
                  ? elementBits(*Op, Varies)
                  : (!isFloating(Op->Type) && byteSize(Op->Type) == 1 ? 8 : 1);
  return Bits;
}

/// Whether \p V is a product that is rounded to 16 bits before it is multiplied
/// by the other element; then the rounding belongs to the operand. (A rounding
/// of the whole product belongs to the sum, and Parts.Narrowest records it. A
/// rounding of 16-bit elements that are only scaled is also left to the sum,
/// with the factor, unless that has so many bits that even the products of
/// small integers by it are rounded.)
bool ProductReader::roundsOperand(const ValueRef &V) const {
  const bool IsCast = V->K == Value::Kind::Cast;
  const Value *Product = IsCast ? V->Ops[0].get() : V.get();
  if (Product->K != Value::Kind::Mul || !isFloating(V->Type) ||
      significandBits(V->Type) >= significandBits(ScalarType::F32) ||
      (IsCast && significandBits(V->Type) >= significandBits(Product->Type)))
    return false;
  bool Wider = false;
  Product->walk([&](const Value &X) {
    Wider |= X.K == Value::Kind::Load &&
             significandBits(X.Type) > significandBits(V->Type);
  });
  auto Varies = [&](const ValueRef &X) { return dependsOnReduction(X); };
  Wider |= isRoundedByFactors(*Product, V->Type);
  if (!Wider && varyingFactors(*Product, Varies) < 2)
    return false;
  // A piece that contains both elements depends on all indices of the product.
  return movedBy(V) != movedBy(Sum.Body);
}

/// Whether numbers beside the elements of \p Product make it one that is
/// rounded to \p T where the kernel is executed, and other data are, too.
bool ProductReader::isRoundedByFactors(const Value &Product,
                                       ScalarType T) const {
  auto Varies = [&](const ValueRef &X) { return dependsOnReduction(X); };
  unsigned Factors = 0;
  for (const ValueRef &Op : Product.Ops)
    if (!roundsOperand(Op))
      Factors += factorBits(Op, Varies);
  return Factors != 0 &&
         Factors + elementBits(Product, Varies) > significandBits(T);
}

/// Whether \p V, a product or a conversion whose result or operand is an
/// integer, is the number that exact arithmetic gives, as far as the sum can
/// tell: a sum of integers is the same modulo two to the power of its bits.
bool ProductReader::isExact(const ValueRef &V) const {
  const bool OfIntegers = !isFloating(Sum.Type);
  if (OfIntegers && !isFloating(V->Type) && V->Type != ScalarType::Bool &&
      byteSize(V->Type) >= byteSize(Sum.Type))
    return true;
  if (V->K != Value::Kind::Cast)
    return isFloating(V->Type) || isWithin(exactRangeOf(V), V->Type);
  const ValueRef &X = V->Ops[0];
  if (isFloating(X->Type))
    return isFloating(V->Type);
  // A conversion to what is summed rounds as it did in the kernel.
  return isWithin(rangeOf(X), V->Type) || V->Type == Sum.Type;
}

/// Takes the product \p V apart; \p Written is the place of the multiplication.
bool ProductReader::read(const ValueRef &V, const ValueRef &Written) {
  SourceLocation Loc = locOf(V).isValid() ? locOf(V) : Sum.Loc;
  auto Computed = [&](llvm::Twine Message, DiagID ID = DiagID::NotAProduct) {
    return computed(Written, {ID, Loc, Message.str()});
  };
  // A flag: 1 where the product counts, and 0 elsewhere.
  if (V->K == Value::Kind::Int)
    if (AtomRef A = V->Index.getAtom(); A && A->getKind() == AtomKind::Select &&
                                        A->getLHS().isOne() &&
                                        A->getRHS().isZero()) {
      Sum.Guard = BoolExpr::conjunction(Sum.Guard, A->getCondition());
      Parts.Guarded = true;
      return true;
    }
  if (!dependsOnReduction(V) && V->K != Value::Kind::Select) {
    if (!V->isConstant(1)) {
      Parts.Coefficients.push_back(V);
      Parts.FactorLoc = Loc;
    }
    return true;
  }
  if (roundsOperand(V))
    return Computed("an operand is rounded before it is multiplied");
  auto Rounded = [&] {
    return Computed("each product is multiplied by a number that may have many "
                    "digits and rounded to " +
                    name(V->Type) + " before it is added");
  };
  auto Narrow = [&](ScalarType T) {
    if (significandBits(T) &&
        significandBits(T) < significandBits(Parts.Narrowest))
      Parts.Narrowest = T;
  };
  switch (V->K) {
  case Value::Kind::Load:
    Pieces.push_back({Written, V, true, std::nullopt, Path, {}});
    return true;
  case Value::Kind::Neg:
    if (!isExact(V))
      return Computed("the negative of an integer may not fit in its type");
    Parts.Negative = !Parts.Negative;
    return read(V->Ops[0], V->Ops[0]);
  case Value::Kind::Mul:
    if (!isExact(V))
      return Computed("a product of integers may not fit in " + name(V->Type) +
                      ", in which it is computed before it is "
                      "added in " +
                      name(Sum.Type));
    if (isFloating(V->Type) &&
        significandBits(V->Type) < significandBits(ScalarType::F32) &&
        isRoundedByFactors(*V, V->Type))
      return Rounded();
    Narrow(V->Type);
    if (KeepFactors && !InOperand)
      return readOperands(V, Loc);
    return readSides(V);
  case Value::Kind::Call:
    if (V->Body)
      return read(V->Body, Written);
    if (const auto Bits = countedBits(*V))
      return readBits(*Bits, Loc);
    if (llvm::StringRef Type = V->Name;
        Type.consume_front("static_cast<") && Type.consume_back(">"))
      return Computed("each product is cut to '" + Type +
                      "' before it is added");
    return Computed("'" + V->Name + "' is applied to what is summed");
  case Value::Kind::Cast: {
    const ValueRef &X = V->Ops[0];
    if (!isExact(V)) {
      if (!isFloating(V->Type) && byteSize(V->Type) == byteSize(X->Type))
        return fail(
            DiagID::NotAProduct, Loc,
            "an operand is read with another sign than it is stored with");
      return Computed("an integer is converted to " + name(V->Type) +
                      ", which may not hold it, before it is multiplied");
    }
    if (significandBits(V->Type) < significandBits(X->Type)) {
      if (X->K != Value::Kind::Mul)
        return Computed("an operand is converted to a narrower type before it "
                        "is multiplied");
      if (isFloat8(V->Type))
        return Computed("each product is converted to " + name(V->Type) +
                        " before it is added");
      if (isRoundedByFactors(*X, V->Type))
        return Rounded();
      Narrow(V->Type);
    }
    return read(X, Written);
  }
  case Value::Kind::Select:
    if (hasValues(V->Condition))
      return Computed("which products are summed depends on more than the "
                      "range of the loop: on " +
                          originOf(V->Condition),
                      DiagID::UnsupportedBounds);
    for (unsigned Kept : {0, 1}) {
      if (!V->Ops[1 - Kept]->isConstant(0))
        continue;
      BoolExpr When =
          Kept == 0 ? V->Condition : BoolExpr::negation(V->Condition);
      Sum.Guard = BoolExpr::conjunction(Sum.Guard, When);
      Parts.Guarded = true;
      const size_t Before = Pieces.size();
      if (!read(V->Ops[Kept], V->Ops[Kept]))
        return false;
      PieceGuards.push_back({When, Before, Pieces.size()});
      return true;
    }
    return Computed("an operand of the product depends on a condition");
  case Value::Kind::Add:
  case Value::Kind::Sub:
  case Value::Kind::Fma:
    return Computed("each iteration adds something that is not one product");
  default:
    return Computed("what is summed is not a product of two loaded elements");
  }
}

bool ProductReader::readSides(const ValueRef &Product) {
  for (unsigned Side : {0, 1}) {
    Path.push_back(Side);
    const ValueRef &V = Product->Ops[Side];
    if (!read(V, V))
      return false;
    Path.pop_back();
  }
  return true;
}

/// The same, but factors of an element stay with the element.
bool ProductReader::readOperands(const ValueRef &Product, SourceLocation Loc) {
  if (!dependsOnReduction(Product->Ops[0]) ||
      !dependsOnReduction(Product->Ops[1]))
    return fail(DiagID::NotAProduct, Loc,
                "the factor multiplies a product of two elements, and stays "
                "inside the loop only beside one element");
  InOperand = true;
  for (unsigned Side : {0, 1}) {
    const bool Before = Parts.Negative;
    const size_t First = Pieces.size();
    const ValueRef &V = Product->Ops[Side];
    Path.push_back(Side);
    if (!read(V, V))
      return false;
    if (!Parts.Coefficients.empty() && Pieces.size() > First) {
      // A negation inside of the prologue is not applied a second time.
      Piece All = Pieces[First];
      All.V = V;
      All.Plain = false;
      if (Pieces.size() - First > 1)
        All.Load = nullptr;
      All.Path = Path;
      for (PieceGuard &G : PieceGuards)
        if (G.End > First) {
          G.Begin = std::min(G.Begin, First);
          G.End = First + 1;
        }
      Pieces.resize(First);
      Pieces.push_back(std::move(All));
      Parts.Coefficients.clear();
      Parts.Negative = Before;
    }
    Path.pop_back();
  }
  InOperand = false;
  return true;
}

/// A count of bits of two words. A word may be 0 beyond the range of the loop,
/// as a factor may be, if zeros in both count nothing.
bool ProductReader::readBits(const CountedBits &Bits, SourceLocation Loc) {
  if (Parts.BitTable || !Pieces.empty())
    return fail(DiagID::NotAProduct, Loc,
                "a count of bits is multiplied by what differs between the "
                "terms of the sum");
  Parts.BitTable = Bits.Table;
  for (unsigned Side : {0, 1}) {
    if (Bits.Words[Side]->K != Value::Kind::Load && !Bits.keepsZero())
      return fail(DiagID::NotAProduct, Loc,
                  "bits are counted where both words have none, and a word may "
                  "be 0 beyond the range of the loop");
    Path.push_back(Side);
    if (!read(Bits.Words[Side], Bits.Words[Side]))
      return false;
    Path.pop_back();
  }
  if (Pieces.size() != 2 || !Pieces[0].Plain || !Pieces[1].Plain)
    return fail(DiagID::NotAProduct, Loc,
                "bits are counted of words that are computed, not of loaded "
                "ones");
  return true;
}

std::vector<bool> ProductReader::movedBy(const ValueRef &V) const {
  std::vector<bool> Moves(Space.Vars.size());
  const SymValue X = SymValue::scalar(V);
  for (size_t N = 0; N < Moves.size(); ++N) {
    const std::string Key = Space.Vars[N].key();
    Moves[N] = !Space.Vars[N].Reduction &&
               mentionsAny(X, [&](llvm::StringRef S) { return S == Key; });
  }
  return Moves;
}

static bool isSubset(const std::vector<bool> &A, const std::vector<bool> &B) {
  for (size_t N = 0; N < A.size(); ++N)
    if (A[N] && !B[N])
      return false;
  return true;
}

/// The element from which \p P is made, if the other factor is \p Other:
/// indices that move only \p Other do not move the element.
ValueRef ProductReader::elementOf(const Piece &P, const Piece &Other) const {
  if (P.Load)
    return P.Load;
  ValueRef Best;
  std::array<unsigned, 3> Least = {};
  replaceValues(P.V, [&](const ValueRef &V) -> ValueRef {
    if (V->K != Value::Kind::Load || !dependsOnReduction(V))
      return nullptr;
    std::array<unsigned, 3> Distance = {};
    const std::vector<bool> Moves = movedBy(V);
    Distance[0] = isSubset(Moves, Other.MovedBy);
    V->Index.walk([&](const IntAtom &A) {
      if (A.getKind() == AtomKind::FloorDiv || A.getKind() == AtomKind::Mod)
        Distance[1] += Space.mentions(A.getLHS());
    });
    for (size_t N = 0; N < Moves.size(); ++N)
      Distance[2] += P.MovedBy[N] && !Moves[N];
    if (!Best || Distance < Least) {
      Best = V;
      Least = Distance;
    }
    return nullptr;
  });
  return Best;
}

/// Finds the two pieces that contain the elements: together they depend on all
/// indices on which any piece depends, and each of the other pieces depends on
/// no more than one of the two does.
bool ProductReader::chooseSides(size_t &First, size_t &Second) const {
  std::optional<int> Best;
  for (size_t P = 0; P < Pieces.size(); ++P)
    for (size_t Q = P + 1; Q < Pieces.size(); ++Q) {
      const Piece &A = Pieces[P], &B = Pieces[Q];
      if (!elementOf(A, B) || !elementOf(B, A) ||
          !llvm::all_of(Pieces, [&](const Piece &R) {
            return isSubset(R.MovedBy, A.MovedBy) ||
                   isSubset(R.MovedBy, B.MovedBy);
          }))
        continue;
      // Pieces that depend on one element only, then those whose elements have
      // no group (`scale[k / 32]`), then plain elements.
      int Score = A.Plain + B.Plain;
      for (size_t N = 0; N < A.MovedBy.size(); ++N)
        Score += 4 * (A.MovedBy[N] != B.MovedBy[N]);
      for (const Piece *X : {&A, &B})
        elementOf(*X, X == &A ? B : A)->Index.walk([&](const IntAtom &I) {
          if ((I.getKind() == AtomKind::FloorDiv ||
               I.getKind() == AtomKind::Mod) &&
              Space.mentions(I.getLHS()))
            Score -= 2;
        });
      if (!Best || Score > *Best) {
        Best = Score;
        First = P;
        Second = Q;
      }
    }
  return Best.has_value();
}

/// Combines all pieces into two factors.
bool ProductReader::assemble() {
  if (Parts.BitTable && Pieces.size() != 2)
    return fail(DiagID::NotAProduct, Sum.Loc,
                "a count of bits is multiplied by what differs between the "
                "terms of the sum");
  for (Piece &P : Pieces)
    P.MovedBy = movedBy(P.V);
  auto NoElement = [&] {
    for (const Piece &P : Pieces)
      if (P.Otherwise)
        return fail(*P.Otherwise);
    return fail(DiagID::NotAProduct, Sum.Loc,
                "what is summed is a product of " + llvm::Twine(Pieces.size()) +
                    " loaded elements, not of two");
  };
  size_t Chosen[2];
  if (Pieces.size() < 2 || !chooseSides(Chosen[0], Chosen[1]))
    return NoElement();
  Pieces[Chosen[0]].Side = 0;
  Pieces[Chosen[1]].Side = 1;
  const Piece Elements[2] = {Pieces[Chosen[0]], Pieces[Chosen[1]]};
  // A piece that is computed from both sides belongs to neither factor.
  for (const Piece &P : Elements)
    if (P.Otherwise && Elements[0].MovedBy == Elements[1].MovedBy &&
        llvm::count(P.MovedBy, true) > 1)
      return fail(*P.Otherwise);
  for (Piece &P : Pieces) {
    if (P.Side >= 0)
      continue;
    bool Fits[2];
    size_t Common[2];
    for (unsigned Side : {0, 1}) {
      Fits[Side] = isSubset(P.MovedBy, Elements[Side].MovedBy);
      const std::vector<unsigned> &Other = Elements[Side].Path;
      Common[Side] = std::mismatch(P.Path.begin(), P.Path.end(), Other.begin(),
                                   Other.end())
                         .first -
                     P.Path.begin();
    }
    // A piece that may belong to either factor goes to the closer one.
    P.Side = Fits[0] && Fits[1] ? Common[1] > Common[0] : Fits[1];
  }
  for (int Side : {0, 1}) {
    const Piece &Element = Elements[Side];
    Parts.Factors.push_back(elementOf(Element, Elements[1 - Side]));
    Parts.NotApart[Side] = Element.Otherwise;
    const bool Alone = llvm::count_if(Pieces, [&](const Piece &P) {
                         return P.Side == Side;
                       }) == 1;
    if (Alone && Element.Plain)
      continue;
    ValueRef All;
    for (const Piece &P : Pieces) {
      if (P.Side != Side)
        continue;
      if (!All) {
        All = P.V;
        continue;
      }
      // Integers are multiplied as the sum adds them.
      auto In = [&](ScalarType X) { return isFloating(X) ? X : Sum.Type; };
      const ScalarType L = In(All->Type), R = In(P.V->Type),
                       T = byteSize(L) < byteSize(R) ? R : L;
      All = Value::binary(Value::Kind::Mul, T, Value::cast(T, All),
                          Value::cast(T, P.V));
    }
    Parts.Prologues[Side] = All;
  }
  for (const PieceGuard &G : PieceGuards) {
    if (G.Begin >= G.End || G.End > Pieces.size())
      continue;
    bool Whole[2] = {true, true};
    for (size_t N = 0; N < Pieces.size(); ++N)
      if (N < G.Begin || N >= G.End)
        Whole[Pieces[N].Side] = false;
    // A part of a factor is multiplied with the rest, which need not be finite.
    if (!Whole[0] || !Whole[1])
      Parts.SideGuards.push_back({G.When, Whole[0] ? 0u : Whole[1] ? 1u : 2u});
  }
  return true;
}

std::optional<ProductParts>
splitProduct(IndexSpace &Space, size_t Number,
             const std::vector<std::string> &Counters, bool KeepFactors,
             std::optional<Failure> &Why) {
  ProductReader Reader(Space, Space.Sums[Number], Counters, KeepFactors, Why);
  if (!Reader.read())
    return std::nullopt;
  return std::move(Reader.Parts);
}

} // namespace warpwright::symbolic
