//===- Groups.cpp - Groups along k whose size is an argument --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Plan/Groups.h"

#include "warpwright/Plan/Elements.h"

#include "llvm/ADT/STLExtras.h"

#include <functional>

using namespace llvm;

namespace warpwright {

/// A multiple of this has the groups of \p O, which is multiplied by \p By, if
/// plans are to compute its prologue block by block; 0 if they do not.
static int64_t blockOf(const Operand &O, const Operand &By) {
  if (!O.Prologue)
    return 0;
  const ElementType *E = elementType(O.Type);
  if (E && E->PromotedK && areWgmmaTypes(O.Type, By.Type))
    return E->PromotedK;
  // Words hold numbers of four bits (Nibbles.h).
  const bool Narrow = !isFloating(O.Type) || isFloat8(O.Type);
  const bool Wide = By.Type == ScalarType::F16 || By.Type == ScalarType::BF16;
  return Narrow && Wide ? 64 : 0;
}

namespace {

/// `floordiv(c * %k + r + t, g)` with 0 <= r < c.
struct Quotient {
  int64_t Step = 1;    ///< c
  IntExpr Rest;        ///< t
  const IntExpr &Size; ///< g
};

/// Makes quotients of k ones of whole blocks of k.
class GroupTaker {
public:
  GroupTaker(int64_t Block, std::vector<Requirement> &Requires)
      : Block(Block), Requires(Requires) {}

  std::optional<IntExpr> replaced(const IntAtom &A);

private:
  const int64_t Block;
  std::vector<Requirement> &Requires;

  std::optional<Quotient> read(const IntAtom &A) const;
  void require(const IntExpr &E, const IntExpr &Of);
};

} // namespace

/// \p A, if it is such a quotient and c divides the block.
std::optional<Quotient> GroupTaker::read(const IntAtom &A) const {
  if (A.isLeaf() || A.getKind() != AtomKind::FloorDiv ||
      A.getRHS().containsKind(AtomKind::Index))
    return std::nullopt;
  // Of vectors of q: q * floordiv(k, q) is what k is, less than q below it.
  const IntExpr K = IntExpr::index("k");
  IntExpr Counter = K;
  int64_t Together = 1;
  A.getLHS().walk([&](const IntAtom &Inner) {
    const auto By = Inner.isLeaf() || Inner.getKind() != AtomKind::FloorDiv
                        ? std::nullopt
                        : Inner.getRHS().getConstant();
    if (By && *By > 1 && Block % *By == 0 && Inner.getLHS() == K) {
      Counter = IntExpr::floorDiv(K, *By);
      Together = *By;
    }
  });
  const auto OfK = A.getLHS().coefficient(Counter.str());
  const auto C = OfK ? OfK->getConstant() : std::nullopt;
  if (!C || *C <= 0 || Block % *C || *C % Together)
    return std::nullopt;
  Quotient Q = {*C / Together, A.getLHS() - *OfK * Counter, A.getRHS()};
  if (Q.Rest.contains(K.str()))
    return std::nullopt;
  int64_t R = 0;
  for (const auto &[Atoms, Coefficient] : Q.Rest.terms())
    if (Atoms.empty())
      R = Coefficient;
  if (R < 0 || R >= *C)
    return std::nullopt;
  Q.Rest -= IntExpr(R);
  return Q;
}

void GroupTaker::require(const IntExpr &E, const IntExpr &Of) {
  const Requirement Whole = {
      BoolExpr::compare(CmpOp::EQ, IntExpr::mod(E, Of), 0),
      E.str() + " is not a multiple of " + Of.str()};
  if (!Whole.Condition.isTrue() && none_of(Requires, [&](const Requirement &R) {
        return R.Condition == Whole.Condition;
      }))
    Requires.push_back(Whole);
}

std::optional<IntExpr> GroupTaker::replaced(const IntAtom &A) {
  const auto Q = read(A);
  if (!Q)
    return std::nullopt;
  const std::optional<int64_t> Known = Q->Size.getConstant();
  const IntExpr K = IntExpr::index("k");
  if (Known && (A.getLHS() == K || *Known % Block))
    return std::nullopt;
  // Rows that begin with a group: t = T * Length, and g divides Length.
  IntExpr First;
  if (!Q->Rest.isZero()) {
    std::optional<IntExpr> Length;
    Q->Rest.walk([&](const IntAtom &Leaf) {
      if (Length || Leaf.getKind() != AtomKind::Param)
        return;
      const auto Rows = Q->Rest.coefficient(Leaf.getKey());
      const IntExpr L = IntExpr::param(Leaf.getKey());
      if (Rows && *Rows * L == Q->Rest) {
        First = *Rows * IntExpr::floorDiv(L, Q->Size);
        Length = L;
      }
    });
    if (!Length)
      return std::nullopt;
    require(*Length, Q->Size);
  }
  // Where 64 divides D, floor((c k + r) / D) is the same for all k of a block
  // of 64 / c.
  if (Known)
    return First + IntExpr::floorDiv(K, *Known / Q->Step);
  require(Q->Size, Block);
  return First +
         IntExpr::floorDiv(
             IntExpr(Block) * IntExpr::floorDiv(K, Block / Q->Step), Q->Size);
}

void takeGroups(Contraction &C) {
  auto Take = [&](Operand &A, Operand &B) {
    const int64_t OfA = blockOf(A, B), OfB = blockOf(B, A);
    for (auto [O, Block] : {std::pair(&A, OfA), std::pair(&B, OfB)})
      if (Block) {
        GroupTaker Groups(Block, C.Requires);
        O->Prologue = transformInts(O->Prologue, [&](const IntAtom &Atom) {
          return Groups.replaced(Atom);
        });
      }
  };
  Take(C.A, C.B);
  for (Product &P : C.MoreProducts)
    Take(P.A, P.B);
}

namespace {

/// `floordiv(Step * Block * floordiv(k, Block), g)`.
struct BlockQuotient {
  int64_t Block, Step;
};

} // namespace

static std::optional<BlockQuotient> blockQuotient(const IntAtom &A) {
  if (A.isLeaf() || A.getKind() != AtomKind::FloorDiv)
    return std::nullopt;
  const auto &Terms = A.getLHS().terms();
  if (Terms.size() != 1 || Terms[0].first.size() != 1)
    return std::nullopt;
  const IntAtom &Blocks = *Terms[0].first[0];
  const auto By = Blocks.isLeaf() || Blocks.getKind() != AtomKind::FloorDiv
                      ? std::nullopt
                      : Blocks.getRHS().getConstant();
  if (!By || *By <= 0 || Blocks.getLHS() != IntExpr::index("k") ||
      Terms[0].second % *By)
    return std::nullopt;
  return BlockQuotient{*By, Terms[0].second / *By};
}

ValueRef atBlocks(const ValueRef &V, int64_t Depth) {
  return transformInts(V, [&](const IntAtom &A) -> std::optional<IntExpr> {
    const auto Q = blockQuotient(A);
    if (!Q || Depth == 0 || Depth % Q->Block)
      return std::nullopt;
    return IntExpr::floorDiv(IntExpr(Q->Step) * IntExpr::index("k"),
                             A.getRHS());
  });
}

/// Of `floordiv(128 * floordiv(k, 64), g)`, which is the same for 64 of k: the
/// number g / 2 of k in a group; nothing if \p A is of another form.
static std::optional<IntExpr> sizeIn(const IntAtom &A, int64_t Depth) {
  const auto Q = blockQuotient(A);
  if (!Q || Q->Block != Depth || A.getRHS().getConstant() ||
      A.getRHS().containsKind(AtomKind::Index))
    return std::nullopt;
  return IntExpr::floorDiv(A.getRHS(), Q->Step);
}

std::optional<IntExpr> argumentGroup(const Contraction &C, const Operand &O,
                                     int64_t Depth) {
  if (!O.Prologue || Depth <= 0)
    return std::nullopt;
  std::optional<IntExpr> Size;
  bool Same = true;
  std::function<void(const IntExpr &)> Note = [&](const IntExpr &E) {
    for (const auto &[Atoms, Coefficient] : E.terms())
      for (const AtomRef &A : Atoms) {
        if (A->isLeaf()) {
          Same &= A->getKey() != "%k";
          continue;
        }
        const auto Found = sizeIn(*A, Depth);
        if (!Found) {
          Note(A->getLHS());
          Note(A->getRHS());
          continue;
        }
        const BoolExpr Whole = BoolExpr::compare(
            CmpOp::EQ, IntExpr::mod(A->getRHS(), A->getLHS().terms()[0].second),
            0);
        Same &= (!Size || *Size == *Found) &&
                any_of(C.Requires, [&](const Requirement &R) {
                  return R.Condition == Whole;
                });
        Size = Found;
      }
  };
  O.Prologue->walk([&](const Value &V) {
    if (!O.isElement(V) &&
        (V.K == Value::Kind::Load || V.K == Value::Kind::Int))
      Note(V.Index);
    Same &= V.K != Value::Kind::Select;
  });
  return Same ? Size : std::nullopt;
}

Requirement groupsAreMultiples(const Contraction &C, const Operand &O,
                               int64_t Depth, int64_t Multiple) {
  IntExpr Size = *argumentGroup(C, O, Depth);
  if (const AtomRef A = Size.getAtom();
      A && !A->isLeaf() && A->getKind() == AtomKind::FloorDiv)
    if (const auto By = A->getRHS().getConstant()) {
      Multiple *= *By;
      Size = IntExpr(A->getLHS());
    }
  return {BoolExpr::compare(CmpOp::EQ, IntExpr::mod(Size, Multiple), 0),
          Size.str() + " is not a multiple of " + std::to_string(Multiple)};
}

ValueRef inGroups(const ValueRef &V, int64_t Depth) {
  return transformInts(V, [&](const IntAtom &A) -> std::optional<IntExpr> {
    return sizeIn(A, Depth) ? std::optional(IntExpr::index("k")) : std::nullopt;
  });
}

} // namespace warpwright
