//===-- Swizzle.cpp - Columns in an order that the row decides ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `tile[row][column ^ row]`: for an index below 2^n, the exclusive or with a
/// number below 2^n is again an index below 2^n, and different indices give
/// different results. So it is a change of variables whose inverse is the same
/// exclusive or. The same holds for `tile[row][(column + row) % n]` with a
/// column below n; its inverse shifts back.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "llvm/Support/MathExtras.h"

namespace warpwright::symbolic {

/// The smallest power of two above \p E, which is not negative, by the ranges
/// of \p Vars.
static std::optional<int64_t> endOf(const IntExpr &E,
                                    llvm::ArrayRef<IndexVar> Vars) {
  constexpr int64_t Most = 1 << 20;
  int64_t Largest = 0;
  for (const auto &[M, C] : E.terms()) {
    if (C < 0 || C >= Most || M.size() > 1)
      return std::nullopt;
    std::optional<int64_t> Range = 2;
    if (!M.empty()) {
      Range = M[0]->getKind() == AtomKind::Mod ? M[0]->getRHS().getConstant()
                                               : std::nullopt;
      if (M[0]->getKind() == AtomKind::FloorDiv)
        if (const auto End = endOf(M[0]->getLHS(), Vars),
            By = M[0]->getRHS().getConstant();
            End && By && *By > 0)
          Range = (*End - 1) / *By + 1;
      for (const IndexVar &V : Vars)
        if (V.Atom == IntExpr(M[0]))
          Range = V.Range.getConstant();
    }
    if (!Range || *Range < 1 || *Range > Most)
      return std::nullopt;
    Largest += C * (*Range - 1);
  }
  return static_cast<int64_t>(
      llvm::PowerOf2Ceil(static_cast<uint64_t>(Largest) + 1));
}

/// The operands of a tree of Xor atoms.
static void flatten(const IntExpr &E, llvm::SmallVectorImpl<IntExpr> &To) {
  AtomRef A = E.getAtom();
  if (!A || A->getKind() != AtomKind::Xor) {
    To.push_back(E);
    return;
  }
  flatten(A->getLHS(), To);
  flatten(A->getRHS(), To);
}

/// If rows and columns are threads, whose number is not known, the distance
/// between rows gives the number of columns.
static std::optional<int64_t> rowStride(const IntExpr &Index,
                                        llvm::ArrayRef<IntExpr> Operands,
                                        const IntExpr &Column) {
  for (const auto &[M, C] : Index.terms())
    if (M.size() == 1 && IntExpr(M[0]) != Column && C > 1 &&
        llvm::is_contained(Operands, IntExpr(M[0])) &&
        llvm::isPowerOf2_64(static_cast<uint64_t>(C)))
      return C;
  return std::nullopt;
}

/// The variable that the combination of \p Operands, an exclusive or in \p
/// Index, may replace. \p Vars gets the ranges that are required for that.
static std::optional<size_t> columnOf(const IntExpr &Index,
                                      llvm::ArrayRef<IntExpr> Operands,
                                      std::vector<IndexVar> &Vars) {
  for (size_t N = 0; N < Vars.size(); ++N) {
    const IndexVar V = Vars[N];
    if (V.Swizzled || !llvm::is_contained(Operands, V.Atom))
      continue;
    // The row occurs in the operands, too, and also moves the element by
    // itself.
    if (llvm::any_of(Index.terms(), [&](const auto &T) {
          return llvm::any_of(
              T.first, [&](const AtomRef &A) { return IntExpr(A) == V.Atom; });
        }))
      continue;
    std::vector<IndexVar> Trial = Vars;
    auto End = V.Range.getConstant();
    if (!End && V.OfThread)
      End = rowStride(Index, Operands, V.Atom);
    if (!End)
      continue;
    Trial[N].Range = *End;
    for (IndexVar &U : Trial)
      if (U.OfThread && !U.Range.getConstant() &&
          llvm::is_contained(Operands, U.Atom))
        U.Range = *End;
    const bool Fits =
        *End > 1 && llvm::isPowerOf2_64(static_cast<uint64_t>(*End)) &&
        llvm::all_of(Operands, [&](const IntExpr &E) {
          auto Other = endOf(E, Trial);
          return E == V.Atom ||
                 (!E.contains(V.key()) && Other && *Other <= *End);
        });
    if (!Fits)
      continue;
    Vars = std::move(Trial);
    return N;
  }
  return std::nullopt;
}

/// The width of the rows in \p Index if \p V is a column of which only the
/// lowest bits are swizzled.
static std::optional<int64_t> rowWidth(const IntExpr &Index, const IndexVar &V,
                                       llvm::ArrayRef<IndexVar> Vars) {
  std::optional<int64_t> Bits;
  for (const auto &[M, C] : Index.terms())
    if (M.size() == 1 && M[0]->getKind() == AtomKind::FloorDiv &&
        M[0]->getLHS() == V.Atom && M[0]->getRHS() == IntExpr(C))
      Bits = C;
  if (!Bits || !Index.containsKind(AtomKind::Xor))
    return std::nullopt;
  std::optional<int64_t> Width;
  for (const auto &T : Index.terms())
    if (T.first.size() == 1 && T.second > 0 && T.second % *Bits == 0 &&
        (!Width || T.second < *Width) &&
        llvm::any_of(Vars, [&](const IndexVar &U) {
          return U.Atom == IntExpr(T.first[0]) && U.key() != V.key();
        }))
      Width = T.second;
  return Width;
}

bool IndexSpace::fixSwizzledWidth() {
  for (IndexVar &V : Vars) {
    if (!V.OfThread || V.Range.getConstant())
      continue;
    for (const Store &S : Stores) {
      auto Width = rowWidth(S.Index, V, Vars);
      if (!Width)
        continue;
      require(BoolExpr::compare(CmpOp::EQ, V.Range, *Width),
              V.Range.str() + " is not " + std::to_string(*Width));
      V.Range = IntExpr(*Width);
      return true;
    }
  }
  return false;
}

void IndexSpace::askForRanges(llvm::ArrayRef<IndexVar> Asked, size_t Column) {
  for (size_t N = 0; N < Vars.size(); ++N) {
    if (Asked[N].Range == Vars[N].Range)
      continue;
    const bool Exactly = N == Column;
    IntExpr Range = Vars[N].Range, Wanted = Asked[N].Range;
    // For threads in groups, the number of threads.
    if (AtomRef Groups = Range.getAtom();
        Exactly && Groups && Groups->getKind() == AtomKind::FloorDiv) {
      Range = Groups->getLHS();
      Wanted = Wanted * Groups->getRHS();
    }
    require(Exactly ? BoolExpr::compare(CmpOp::EQ, Range, Wanted)
                    : BoolExpr::compare(CmpOp::GE, Wanted, Range),
            Range.str() + (Exactly ? " is not " : " is more than ") +
                Wanted.str());
    if (Exactly)
      Vars[N].Range = Asked[N].Range;
  }
  // The column is a remainder, or is made of one, `2 * (threadIdx.x % 4) + n`.
  for (const auto &[M, C] : Vars[Column].origin().terms())
    if (M.size() == 1 && M[0]->getKind() == AtomKind::Mod)
      for (IndexVar &U : Vars)
        U.AboveSwizzle |=
            U.origin() == IntExpr::floorDiv(M[0]->getLHS(), M[0]->getRHS());
}

IntExpr IndexSpace::inOrigins(const IntExpr &Others) const {
  return Others.transform([&](const IntAtom &A) {
    for (const IndexVar &U : Vars)
      if (U.key() == A.getKey())
        return std::optional<IntExpr>(U.origin());
    return std::optional<IntExpr>();
  });
}

/// An exclusive or, of which one operand is `Radix * High + Low` with digits
/// High and Low.
static std::optional<int64_t> radixOf(llvm::ArrayRef<IntExpr> Operands,
                                      llvm::ArrayRef<IndexVar> Vars) {
  auto IsVar = [&](const auto &Term) {
    return Term.first.size() == 1 && llvm::any_of(Vars, [&](const IndexVar &V) {
             return V.Atom == IntExpr(Term.first[0]);
           });
  };
  for (const IntExpr &E : Operands) {
    if (E.terms().size() < 2 || !llvm::all_of(E.terms(), IsVar))
      continue;
    for (const auto &Term : E.terms()) {
      const int64_t Radix = Term.second;
      IntExpr Low;
      for (const auto &[M, C] : E.terms())
        if (C > 0 && C % std::max<int64_t>(Radix, 1) != 0)
          Low += IntExpr(C) * IntExpr(M[0]);
      const auto End = endOf(Low, Vars);
      if (Radix > 1 && llvm::isPowerOf2_64(static_cast<uint64_t>(Radix)) &&
          !Low.isZero() && End && *End <= Radix && endOf(E, Vars))
        return Radix;
    }
  }
  return std::nullopt;
}

bool IndexSpace::splitSwizzle() {
  constexpr int64_t Most = 1 << 20;
  std::string Key;
  IntExpr By;
  for (const Store &S : Stores)
    S.Index.walk([&](const IntAtom &A) {
      if (A.getKind() != AtomKind::Xor || !Key.empty())
        return;
      llvm::SmallVector<IntExpr, 4> Operands;
      flatten(A.getLHS(), Operands);
      flatten(A.getRHS(), Operands);
      const auto Radix = radixOf(Operands, Vars);
      if (!Radix || *Radix > Most)
        return;
      // The bits of the high digits and those of the low ones do not meet.
      IntExpr High, Low;
      for (const IntExpr &E : Operands) {
        IntExpr Upper, Lower;
        for (const auto &[M, C] : E.terms()) {
          IntExpr Term(C);
          for (const AtomRef &X : M)
            Term = Term * IntExpr(X);
          (C % *Radix == 0 ? Upper : Lower) += Term;
        }
        const auto End = endOf(Lower, Vars);
        const bool Apart = End && *End <= *Radix;
        High = IntExpr::bitXor(
            High, IntExpr::floorDiv(Apart ? Upper : E, IntExpr(*Radix)));
        Low = IntExpr::bitXor(Low,
                              Apart ? Lower : IntExpr::mod(E, IntExpr(*Radix)));
      }
      Key = A.getKey().str();
      By = IntExpr(*Radix) * High + Low;
    });
  if (Key.empty())
    return false;
  transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    return A.getKey() == Key ? std::optional(By) : std::nullopt;
  });
  return true;
}

bool IndexSpace::unswizzle() {
  std::optional<size_t> Column;
  std::vector<IndexVar> Asked = Vars;
  llvm::SmallVector<IntExpr, 4> Operands;
  for (const Store &S : Stores)
    S.Index.walk([&](const IntAtom &A) {
      if (A.getKind() != AtomKind::Xor || Column)
        return;
      Operands.clear();
      flatten(A.getLHS(), Operands);
      flatten(A.getRHS(), Operands);
      Column = columnOf(S.Index, Operands, Asked);
    });
  if (!Column)
    return splitSwizzle();
  // The column's range has to be exactly the power of two; the row only has to
  // be below it.
  askForRanges(Asked, *Column);
  IndexVar &V = Vars[*Column];
  const std::string Key = V.key();
  IntExpr Others;
  for (const IntExpr &E : Operands)
    if (E != V.Atom)
      Others = IntExpr::bitXor(Others, E);
  IntExpr New = freshAtom();
  V.Origin = IntExpr::bitXor(V.origin(), inOrigins(Others));
  V.Atom = New;
  V.Swizzled = true;
  transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKey() == Key)
      return IntExpr::bitXor(New, Others);
    return std::nullopt;
  });
  return true;
}

namespace {
/// `(Others + Sign * column) mod Width`.
struct Shift {
  size_t Column;
  std::string Key; ///< of the remainder atom
  IntExpr Others;
  int64_t Sign;
  int64_t Width;
};
} // namespace

/// The column that is shifted in \p A, a remainder in \p Index. It must not
/// occur elsewhere in the index; otherwise one element of a row would have two
/// places.
static std::optional<Shift> shiftOf(const IntExpr &Index, const IntAtom &A,
                                    llvm::ArrayRef<IndexVar> Vars) {
  constexpr int64_t Most = 1 << 20;
  const auto Width = A.getRHS().getConstant();
  if (!Width || *Width < 2 || *Width > Most)
    return std::nullopt;
  const IntExpr Elsewhere =
      Index.transform([&](const IntAtom &X) -> std::optional<IntExpr> {
        if (X.getKey() == A.getKey())
          return IntExpr();
        return std::nullopt;
      });
  std::optional<Shift> Found;
  for (size_t N = 0; N < Vars.size(); ++N) {
    const IndexVar &V = Vars[N];
    auto Factor = A.getLHS().coefficient(V.key());
    auto Sign = Factor ? Factor->getConstant() : std::nullopt;
    if (!Sign || (*Sign != 1 && *Sign != -1) || Elsewhere.contains(V.key()))
      continue;
    // Threads, whose number is not known, are required to be exactly that many.
    const auto Range = V.Range.getConstant();
    if (Range ? *Range != *Width : !V.OfThread)
      continue;
    Shift S{N, A.getKey().str(), A.getLHS() - *Factor * V.Atom, *Sign, *Width};
    if (Range)
      return S;
    if (!Found)
      Found = std::move(S);
  }
  return Found;
}

bool IndexSpace::unshift() {
  std::optional<Shift> Found;
  for (const Store &S : Stores)
    S.Index.walk([&](const IntAtom &A) {
      if (A.getKind() == AtomKind::Mod && !Found)
        Found = shiftOf(S.Index, A, Vars);
    });
  if (!Found)
    return false;
  const IntExpr Width(Found->Width), Sign(Found->Sign);
  std::vector<IndexVar> Asked = Vars;
  Asked[Found->Column].Range = Width;
  askForRanges(Asked, Found->Column);
  IndexVar &V = Vars[Found->Column];
  const std::string Key = V.key();
  const IntExpr New = freshAtom();
  V.Origin = IntExpr::mod(Sign * V.origin() + inOrigins(Found->Others), Width);
  V.Atom = New;
  const IntExpr Back = IntExpr::mod(Sign * (New - Found->Others), Width);
  V.Unshifted = Back;
  transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKey() == Found->Key)
      return New;
    if (A.getKey() == Key)
      return Back;
    return std::nullopt;
  });
  return true;
}

void Executor::askForColumns(const Family &F, const Origin &O,
                             const IntExpr &Index, Ensure Demand) {
  Simplifier Facts(Bounds, bodyLoops(), totalActive());
  for (const Digit &D : F.Digits) {
    if (D.Var.Unshifted.isZero())
      continue;
    AtomRef Column =
        Facts
            .simplify(D.Var.Unshifted.transform(
                [&](const IntAtom &A) -> std::optional<IntExpr> {
                  auto It =
                      A.isLeaf() ? O.At.find(A.getKey().str()) : O.At.end();
                  return It == O.At.end() ? std::nullopt
                                          : std::optional<IntExpr>(It->second);
                }))
            .getAtom();
    // Only a literal `threadIdx.x % 32` is considered.
    if (!Column || Column->getKind() != AtomKind::Mod ||
        Index.contains(Column->getKey()))
      continue;
    const IntExpr &X = Column->getLHS();
    const IntExpr Room = Column->getRHS() - 1 - X;
    const bool OfThread =
        X.containsKind(AtomKind::ThreadIdx) &&
        llvm::all_of(X.terms(), [](const auto &T) { return T.second > 0; });
    if (OfThread && plausible(Room, Facts) && Demand(X))
      Demand(Room);
  }
}

} // namespace warpwright::symbolic
