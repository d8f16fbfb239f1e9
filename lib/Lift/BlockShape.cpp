//===-- BlockShape.cpp - The blocks that a kernel is written for ----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockShape.h"
#include "Simplify.h"
#include "llvm/ADT/STLExtras.h"
#include <array>
#include <map>
#include <optional>

namespace warpwright::symbolic {

/// At most this many shapes are tried.
static constexpr size_t MaxTries = 30000;
static constexpr int64_t MaxBlock[] = {1024, 1024, 64};
/// The number of threads of a block (CUDA C++ Programming Guide, "Technical
/// Specifications per Compute Capability").
static constexpr int64_t MaxThreads = 1024;

using BlockDims = std::array<int64_t, 3>;

/// The dimensions of the block of which \p B is a condition; nothing if \p B
/// depends on anything else.
static std::optional<unsigned> dimensionsOf(const BoolExpr &B) {
  unsigned Dims = 0;
  bool Other = false;
  B.walk(
      [&](const IntExpr &E) {
        Other |= E.overflowed();
        E.walk([&](const IntAtom &A) {
          if (A.getKind() == AtomKind::BlockDim)
            Dims |= 1u << A.getDim();
          else
            Other |= A.isLeaf();
        });
      },
      [&](const ValueRef &) { Other = true; });
  if (Other || !Dims)
    return std::nullopt;
  return Dims;
}

static bool holds(const BoolExpr &B, const BlockDims &Block) {
  return B
      .transform([&](const IntAtom &A) -> std::optional<IntExpr> {
        if (A.getKind() == AtomKind::BlockDim)
          return IntExpr(Block[A.getDim()]);
        return std::nullopt;
      })
      .isTrue();
}

/// The dimension and the width in a condition such as `blockDim.x == 16`.
static std::optional<std::pair<unsigned, int64_t>> fixes(const BoolExpr &B) {
  if (B.getKind() != BoolExpr::Kind::Compare || B.getOp() != CmpOp::EQ)
    return std::nullopt;
  for (auto [Side, Other] :
       {std::pair{&B.getLHS(), &B.getRHS()}, {&B.getRHS(), &B.getLHS()}})
    if (AtomRef A = Side->getAtom();
        A && A->getKind() == AtomKind::BlockDim && Other->getConstant())
      return std::pair(A->getDim(), *Other->getConstant());
  return std::nullopt;
}

/// `e >= 0` and `-e >= 0` become `a == b`.
static void joinBounds(std::vector<Requirement> &Requires) {
  auto Bound = [](const Requirement &R) -> std::optional<IntExpr> {
    const BoolExpr &C = R.Condition;
    if (C.getKind() != BoolExpr::Kind::Compare || C.getOp() != CmpOp::GE ||
        !C.getRHS().isZero())
      return std::nullopt;
    return C.getLHS();
  };
  for (size_t N = 0; N < Requires.size(); ++N) {
    auto E = Bound(Requires[N]);
    if (!E)
      continue;
    for (size_t M = N + 1; M < Requires.size(); ++M) {
      auto F = Bound(Requires[M]);
      if (!F || !(*E + *F).isZero())
        continue;
      auto [Left, Right] = sidesOf(*E);
      // blockDim stands on the left.
      auto Launch = [](const IntExpr &X) {
        return X.containsKind(AtomKind::BlockDim) ||
               X.containsKind(AtomKind::GridDim);
      };
      if (!Launch(Left) && Launch(Right))
        std::swap(Left, Right);
      Requires[N].Condition = BoolExpr::compare(CmpOp::EQ, Left, Right);
      Requires[N].Reason = Left.str() + " is not " + Right.str();
      Requires.erase(Requires.begin() + M);
      break;
    }
  }
}

/// Whether \p A and \p B are the same, or `a == b` and `b == a`.
static bool isSame(const BoolExpr &A, const BoolExpr &B) {
  const auto IsEquality = [](const BoolExpr &X) {
    return X.getKind() == BoolExpr::Kind::Compare && X.getOp() == CmpOp::EQ;
  };
  return A == B || (IsEquality(A) && IsEquality(B) &&
                    A.getLHS() == B.getRHS() && A.getRHS() == B.getLHS());
}

/// If a parameter determines the width of the block, conditions that follow
/// from this equality are left out.
static void dropImplied(std::vector<Requirement> &Requires) {
  std::map<std::string, IntExpr> Known;
  for (const Requirement &R : Requires)
    if (R.Condition.getKind() == BoolExpr::Kind::Compare &&
        R.Condition.getOp() == CmpOp::EQ)
      if (AtomRef A = R.Condition.getLHS().getAtom();
          A && A->getKind() == AtomKind::BlockDim &&
          !R.Condition.getRHS().containsKind(AtomKind::BlockDim))
        Known[A->getKey().str()] = R.Condition.getRHS();
  for (size_t N = 0; N < Requires.size(); ++N)
    for (size_t M = Requires.size() - 1; M > N; --M)
      if (isSame(Requires[M].Condition, Requires[N].Condition))
        Requires.erase(Requires.begin() + M);
  if (Known.empty())
    return;
  llvm::erase_if(Requires, [&](const Requirement &R) {
    return R.Condition.getKind() == BoolExpr::Kind::Compare &&
           R.Condition.getOp() == CmpOp::GE && R.Condition.getRHS().isZero() &&
           R.Condition
               .transform([&](const IntAtom &A) -> std::optional<IntExpr> {
                 auto It = Known.find(A.getKey().str());
                 return It == Known.end() ? std::nullopt
                                          : std::optional<IntExpr>(It->second);
               })
               .isTrue();
  });
}

bool settleBlockShape(std::vector<Requirement> &Requires) {
  std::array<std::vector<int64_t>, 3> Widths;
  unsigned Constrained = 0;
  std::vector<const Requirement *> Joint;
  size_t Open = 0;
  for (const Requirement &R : Requires)
    if (auto Dims = dimensionsOf(R.Condition)) {
      Constrained |= *Dims;
      if (*Dims & (*Dims - 1))
        Joint.push_back(&R);
      Open += !fixes(R.Condition);
    }
  // Two tiles may ask for different widths.
  BlockDims Asked = {0, 0, 0};
  for (const Requirement &R : Requires)
    if (const auto Fixed = fixes(R.Condition)) {
      int64_t &Width = Asked[Fixed->first];
      if (Width && Width != Fixed->second)
        return false;
      Width = Fixed->second;
    }
  if (!Open) {
    joinBounds(Requires);
    dropImplied(Requires);
    return true;
  }
  for (unsigned D = 0; D < 3; ++D) {
    if (!(Constrained & (1u << D))) {
      Widths[D] = {1}; // any value; the least allows most in the others
      continue;
    }
    std::vector<const BoolExpr *> Own;
    for (const Requirement &R : Requires)
      if (dimensionsOf(R.Condition) == 1u << D)
        Own.push_back(&R.Condition);
    int64_t From = 1, To = MaxBlock[D];
    for (const BoolExpr *B : Own)
      if (const auto Fixed = fixes(*B)) {
        From = std::max(From, Fixed->second);
        To = std::min(To, Fixed->second);
      }
    for (int64_t W = From; W <= To; ++W) {
      BlockDims Block = {1, 1, 1};
      Block[D] = W;
      if (llvm::all_of(Own,
                       [&](const BoolExpr *B) { return holds(*B, Block); }))
        Widths[D].push_back(W);
    }
  }
  std::vector<BlockDims> Shapes;
  size_t Tries = 0;
  for (int64_t Z : Widths[2])
    for (int64_t Y : Widths[1]) {
      if (Z * Y > MaxThreads)
        break;
      for (int64_t X : Widths[0]) {
        if (Z * Y * X > MaxThreads)
          break;
        if (++Tries > MaxTries)
          return true;
        BlockDims Block = {X, Y, Z};
        if (llvm::all_of(Joint, [&](const Requirement *R) {
              return holds(R->Condition, Block);
            }))
          Shapes.push_back(Block);
      }
    }
  if (Shapes.empty())
    return false;
  // A dimension with only one possible width becomes an equality; conditions
  // that follow from it are left out.
  for (unsigned D = 0; D < 3; ++D) {
    if (!(Constrained & (1u << D)) ||
        !llvm::all_of(Shapes, [&](const BlockDims &B) {
          return B[D] == Shapes.front()[D];
        }))
      continue;
    IntExpr Dim = IntExpr::special(AtomKind::BlockDim, D);
    IntExpr Width(Shapes.front()[D]);
    if (llvm::any_of(Requires, [&](const Requirement &R) {
          const auto Fixed = fixes(R.Condition);
          return Fixed && Fixed->first == D;
        }))
      continue;
    auto First = llvm::find_if(Requires, [&](const Requirement &R) {
      auto Dims = dimensionsOf(R.Condition);
      return Dims && (*Dims & (1u << D));
    });
    Requires.insert(First, {BoolExpr::compare(CmpOp::EQ, Dim, Width),
                            Dim.str() + " is not " + Width.str()});
  }
  BlockDims Known = {0, 0, 0};
  for (const Requirement &R : Requires)
    if (auto Fixed = fixes(R.Condition))
      Known[Fixed->first] = Fixed->second;
  llvm::erase_if(Requires, [&](const Requirement &R) {
    auto Dims = dimensionsOf(R.Condition);
    if (!Dims || fixes(R.Condition))
      return false;
    for (unsigned D = 0; D < 3; ++D)
      if ((*Dims & (1u << D)) && !Known[D])
        return false;
    return holds(R.Condition, Known);
  });
  // Known dimensions are printed as numbers.
  for (Requirement &R : Requires)
    if (!dimensionsOf(R.Condition))
      R.Condition = R.Condition.transform(
          [&](const IntAtom &A) -> std::optional<IntExpr> {
            if (A.getKind() == AtomKind::BlockDim && Known[A.getDim()])
              return IntExpr(Known[A.getDim()]);
            return std::nullopt;
          });
  llvm::erase_if(Requires,
                 [](const Requirement &R) { return R.Condition.isTrue(); });
  joinBounds(Requires);
  dropImplied(Requires);
  return true;
}

} // namespace warpwright::symbolic
