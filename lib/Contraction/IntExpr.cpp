//===-- IntExpr.cpp - Symbolic integers -----------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Contraction/IntExpr.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

namespace warpwright {

void ExprMeasure::addChild(const ExprMeasure &M) {
  Size = llvm::SaturatingAdd(Size, M.Size);
  Depth = std::max(Depth, llvm::SaturatingAdd(M.Depth, 1u));
  Hash = llvm::hash_combine(Hash, M.Hash);
  ValueKinds |= M.ValueKinds;
  Overflow |= M.Overflow;
}

IntAtom::IntAtom(AtomKind K, std::string Key, unsigned Dim)
    : Kind(K), Key(std::move(Key)), Dim(Dim) {
  Measured.Hash = llvm::hash_combine(Kind, llvm::StringRef(this->Key));
}

IntAtom::IntAtom(AtomKind K, std::string Key, const ExprMeasure &M, IntExpr L,
                 IntExpr R, std::shared_ptr<const BoolExpr> C)
    : Kind(K), Key(std::move(Key)), Measured(M),
      LHS(std::make_shared<const IntExpr>(std::move(L))),
      RHS(std::make_shared<const IntExpr>(std::move(R))),
      Condition(std::move(C)) {
  Measured.Hash = llvm::hash_combine(Kind, llvm::StringRef(this->Key));
}

int compareAtoms(const IntAtom &A, const IntAtom &B) {
  if (A.sameAs(B))
    return 0;
  if (int Order = A.getKey().compare(B.getKey()))
    return Order;
  return A.getKind() < B.getKind() ? -1 : 1;
}

static bool atomLess(const AtomRef &A, const AtomRef &B) {
  return compareAtoms(*A, *B) < 0;
}

static int compareMonomials(const IntExpr::Monomial &A,
                            const IntExpr::Monomial &B) {
  // Higher degrees first, the constant last: the order of printing.
  if (A.size() != B.size())
    return A.size() > B.size() ? -1 : 1;
  for (auto [X, Y] : llvm::zip(A, B))
    if (int Order = compareAtoms(*X, *Y))
      return Order;
  return 0;
}

IntExpr IntExpr::fromSorted(TermList Terms) {
  IntExpr E;
  if (Terms.empty())
    return E;
  auto N = std::make_shared<Node>();
  ExprMeasure &M = N->Measured;
  M.Size = 0;
  for (const auto &[Factors, C] : Terms) {
    M.Hash = llvm::hash_combine(M.Hash, C);
    M.Size = llvm::SaturatingAdd(M.Size, 1u);
    if (!Factors.empty())
      N->VaryingHash = llvm::hash_combine(
          N->VaryingHash, C < 0 ? 0 - static_cast<uint64_t>(C) : C);
    for (const AtomRef &A : Factors) {
      M.addChild(A->measure());
      N->VaryingHash = llvm::hash_combine(N->VaryingHash, A->measure().Hash);
    }
  }
  N->Terms = std::move(Terms);
  const bool Large = N->Terms.size() > MaxTerms || M.Size > MaxSize ||
                     N->Terms.front().first.size() > MaxDegree;
  E.R = std::move(N);
  return Large ? tooLarge(E) : E;
}

IntExpr IntExpr::fromUnsorted(TermList Terms) {
  llvm::sort(Terms, [](const auto &X, const auto &Y) {
    return compareMonomials(X.first, Y.first) < 0;
  });
  TermList Distinct;
  bool Overflow = false;
  for (auto &T : Terms) {
    if (Distinct.empty() ||
        compareMonomials(Distinct.back().first, T.first) != 0) {
      if (!Distinct.empty() && !Distinct.back().second)
        Distinct.pop_back();
      Distinct.push_back(std::move(T));
      continue;
    }
    int64_t &C = Distinct.back().second;
    Overflow |= llvm::AddOverflow(C, T.second, C);
    if (Overflow)
      C = 1; // keeps the atoms
  }
  if (!Distinct.empty() && !Distinct.back().second)
    Distinct.pop_back();
  IntExpr E = fromSorted(std::move(Distinct));
  return Overflow ? tooLarge(E) : E;
}

IntExpr IntExpr::tooLarge(llvm::ArrayRef<IntExpr> From, const BoolExpr *C) {
  std::vector<AtomRef> Atoms;
  auto Take = [&](const IntExpr &E) {
    for (const auto &[Factors, Coefficient] : E.terms())
      llvm::append_range(Atoms, Factors);
  };
  llvm::for_each(From, Take);
  if (C)
    C->walk(Take, [](const ValueRef &) {});
  llvm::sort(Atoms, atomLess);
  Atoms.erase(
      llvm::unique(Atoms, [](const AtomRef &A,
                             const AtomRef &B) { return A->sameAs(*B); }),
      Atoms.end());
  auto N = std::make_shared<Node>();
  for (AtomRef &A : llvm::MutableArrayRef(Atoms).take_front(MaxKeptAtoms)) {
    N->Measured.addChild(A->measure());
    N->Terms.push_back({Monomial{std::move(A)}, 1});
  }
  N->Measured.Overflow = true;
  IntExpr E;
  E.R = std::move(N);
  return E;
}

IntExpr::IntExpr(int64_t Constant) {
  if (Constant)
    *this = fromSorted({{Monomial(), Constant}});
}

IntExpr::IntExpr(AtomRef Atom) {
  *this = fromSorted({{Monomial{std::move(Atom)}, 1}});
}

const IntExpr::TermList &IntExpr::terms() const {
  static const TermList None;
  return R ? R->Terms : None;
}

const ExprMeasure &IntExpr::measure() const {
  static const ExprMeasure Zero;
  return R ? R->Measured : Zero;
}

static IntExpr leaf(AtomKind Kind, std::string Key, unsigned Dim = 0) {
  return IntExpr(std::make_shared<const IntAtom>(Kind, std::move(Key), Dim));
}

IntExpr IntExpr::param(llvm::StringRef Name) {
  return leaf(AtomKind::Param, Name.str());
}

IntExpr IntExpr::index(llvm::StringRef Name) {
  return leaf(AtomKind::Index, ("%" + llvm::Twine(Name)).str());
}

IntExpr IntExpr::counter(unsigned Id) {
  return leaf(AtomKind::Counter, "iter" + std::to_string(Id), Id);
}

IntExpr IntExpr::special(AtomKind Kind, unsigned Dim) {
  const char *Base = Kind == AtomKind::ThreadIdx  ? "threadIdx."
                     : Kind == AtomKind::BlockIdx ? "blockIdx."
                     : Kind == AtomKind::BlockDim ? "blockDim."
                                                  : "gridDim.";
  return leaf(Kind, std::string(Base) + "xyz"[Dim], Dim);
}

/// An atom of \p L and \p R, which Min, Max and Xor take in either order.
IntExpr IntExpr::composite(AtomKind Kind, llvm::StringRef Function,
                           const IntExpr &L, const IntExpr &R,
                           const BoolExpr *C) {
  ExprMeasure M;
  M.addChild(L.measure());
  M.addChild(R.measure());
  if (C)
    M.addChild(C->measure());
  // Checked before anything is printed; this bounds the size of the keys.
  if (M.Overflow || M.Size > MaxAtomSize || M.Depth > MaxAtomDepth)
    return tooLarge({L, R}, C);
  std::string Left = L.str(), Right = R.str();
  const bool Exchange = (Kind == AtomKind::Min || Kind == AtomKind::Max ||
                         Kind == AtomKind::Xor) &&
                        Left >= Right;
  if (Exchange)
    std::swap(Left, Right);
  std::string Key = (Function + "(").str();
  if (C)
    Key += C->str() + ", ";
  Key += Left + ", " + Right + ")";
  return IntExpr(std::make_shared<const IntAtom>(
      Kind, std::move(Key), M, Exchange ? R : L, Exchange ? L : R,
      C ? std::make_shared<const BoolExpr>(*C) : nullptr));
}

static int64_t floorDivide(int64_t A, int64_t B) {
  int64_t Q = A / B;
  return (A % B != 0 && (A < 0) != (B < 0)) ? Q - 1 : Q;
}

/// The term \p T divided by \p D, if it is a multiple.
static std::optional<std::pair<IntExpr::Monomial, int64_t>>
divideTerm(const std::pair<IntExpr::Monomial, int64_t> &T,
           const std::pair<IntExpr::Monomial, int64_t> &D) {
  // The only quotient that does not fit, which traps on the machine.
  if (D.second == -1 && T.second == INT64_MIN)
    return std::nullopt;
  if (T.second % D.second != 0)
    return std::nullopt;
  IntExpr::Monomial Rest = T.first;
  for (const AtomRef &A : D.first) {
    auto It =
        llvm::find_if(Rest, [&](const AtomRef &X) { return X->sameAs(*A); });
    if (It == Rest.end())
      return std::nullopt;
    Rest.erase(It);
  }
  return std::make_pair(std::move(Rest), T.second / D.second);
}

std::optional<IntExpr> IntExpr::exactDivide(const IntExpr &D) const {
  if (overflowed() || D.overflowed() || D.terms().size() != 1)
    return std::nullopt;
  TermList Result;
  IntExpr Chosen;
  for (const auto &T : terms()) {
    if (auto Q = divideTerm(T, D.terms().front())) {
      Result.push_back(std::move(*Q));
      continue;
    }
    // Either of two numbers, both of which are divisible.
    if (T.first.size() != 1 || T.first[0]->getKind() != AtomKind::Select)
      return std::nullopt;
    auto L = T.first[0]->getLHS().scaled(T.second).exactDivide(D),
         R = T.first[0]->getRHS().scaled(T.second).exactDivide(D);
    if (!L || !R)
      return std::nullopt;
    Chosen += select(T.first[0]->getCondition(), *L, *R);
  }
  return fromUnsorted(std::move(Result)) + Chosen;
}

/// The greatest common divisor of \p R, a positive constant, and all
/// coefficients of \p L.
static int64_t commonFactor(const IntExpr &L, int64_t R) {
  for (const auto &[M, C] : L.terms())
    R = std::gcd(R, C);
  return R;
}

IntExpr IntExpr::floorDiv(const IntExpr &L, const IntExpr &R) {
  if (R.isOne() || L.isZero())
    return L;
  if (L.overflowed() || R.overflowed())
    return tooLarge({L, R});
  auto CL = L.getConstant(), CR = R.getConstant();
  if (CL && CR && *CR > 0)
    return IntExpr(floorDivide(*CL, *CR));
  if (R.terms().size() != 1)
    return composite(AtomKind::FloorDiv, "floordiv", L, R);
  // floor((q * R + r) / R) = q + floor(r / R) holds for all signs.
  TermList Quotient, Rest;
  for (const auto &T : L.terms())
    if (auto Q = divideTerm(T, R.terms().front()))
      Quotient.push_back(std::move(*Q));
    else
      Rest.push_back(T);
  IntExpr Whole = fromUnsorted(std::move(Quotient));
  if (Rest.empty())
    return Whole;
  if (!Whole.isZero())
    return Whole + floorDiv(fromSorted(std::move(Rest)), R);
  if (CR && *CR > 0)
    if (IntExpr Common(commonFactor(L, *CR)); !Common.isOne())
      return floorDiv(*L.exactDivide(Common), *R.exactDivide(Common));
  return composite(AtomKind::FloorDiv, "floordiv", L, R);
}

IntExpr IntExpr::mod(const IntExpr &L, const IntExpr &R) {
  if (R.isOne() || L.isZero())
    return IntExpr();
  if (L.overflowed() || R.overflowed())
    return tooLarge({L, R});
  auto CL = L.getConstant(), CR = R.getConstant();
  if (CL && CR && *CR > 0) {
    int64_t Rest = *CL % *CR;
    return IntExpr(Rest < 0 ? Rest + *CR : Rest);
  }
  if (R.terms().size() != 1)
    return composite(AtomKind::Mod, "mod", L, R);
  TermList Rest;
  for (const auto &T : L.terms())
    if (!divideTerm(T, R.terms().front()))
      Rest.push_back(T);
  if (Rest.size() < L.terms().size())
    return mod(fromSorted(std::move(Rest)), R);
  if (CR && *CR > 0)
    if (IntExpr Common(commonFactor(L, *CR)); !Common.isOne())
      return Common * mod(*L.exactDivide(Common), *R.exactDivide(Common));
  return composite(AtomKind::Mod, "mod", L, R);
}

std::optional<int64_t> IntExpr::constantBeside(const IntExpr &O,
                                               bool Plus) const {
  // Almost always they differ in more than a constant.
  if ((R ? R->VaryingHash : 0) != (O.R ? O.R->VaryingHash : 0))
    return std::nullopt;
  if (overflowed() || O.overflowed())
    return std::nullopt;
  int64_t Constant = 0, Other = 0;
  const TermList &A = terms(), &B = O.terms();
  size_t I = 0, J = 0;
  for (;; ++I, ++J) {
    if (I < A.size() && A[I].first.empty())
      Constant = A[I++].second;
    if (J < B.size() && B[J].first.empty())
      Other = B[J++].second;
    if (I == A.size() || J == B.size())
      break;
    const auto &[MA, CA] = A[I];
    const auto &[MB, CB] = B[J];
    if ((Plus ? CA != -CB : CA != CB) || MA.size() != MB.size())
      return std::nullopt;
    for (size_t N = 0; N < MA.size(); ++N)
      if (!MA[N]->sameAs(*MB[N]))
        return std::nullopt;
  }
  int64_t Result;
  if (I != A.size() || J != B.size() ||
      (Plus ? llvm::AddOverflow(Constant, Other, Result)
            : llvm::SubOverflow(Constant, Other, Result)))
    return std::nullopt;
  return Result;
}

IntExpr IntExpr::min(const IntExpr &L, const IntExpr &R) {
  if (auto D = (L - R).getConstant())
    return *D <= 0 ? L : R;
  return composite(AtomKind::Min, "min", L, R);
}

IntExpr IntExpr::max(const IntExpr &L, const IntExpr &R) {
  if (auto D = (L - R).getConstant())
    return *D >= 0 ? L : R;
  return composite(AtomKind::Max, "max", L, R);
}

/// The operands of a tree of Xor atoms: those that occur an odd number of
/// times, and all constants combined into one.
static void xorOperands(const IntExpr &E, std::vector<IntExpr> &Operands,
                        int64_t &Constant) {
  if (AtomRef A = E.getAtom(); A && A->getKind() == AtomKind::Xor) {
    xorOperands(A->getLHS(), Operands, Constant);
    xorOperands(A->getRHS(), Operands, Constant);
    return;
  }
  if (auto C = E.getConstant()) {
    Constant ^= *C;
    return;
  }
  auto It = llvm::find(Operands, E);
  if (It == Operands.end())
    Operands.push_back(E);
  else
    Operands.erase(It);
}

IntExpr IntExpr::bitXor(const IntExpr &L, const IntExpr &R) {
  if (L.overflowed() || R.overflowed())
    return tooLarge({L, R});
  std::vector<IntExpr> Operands;
  int64_t Constant = 0;
  xorOperands(L, Operands, Constant);
  xorOperands(R, Operands, Constant);
  if (Operands.empty())
    return IntExpr(Constant);
  // Low bits that are 0 in all operands are 0 in the result.
  uint64_t Bit = std::gcd(static_cast<uint64_t>(Constant), uint64_t(1) << 30);
  for (const IntExpr &E : Operands)
    for (const auto &[M, C] : E.terms())
      Bit = std::gcd(Bit, static_cast<uint64_t>(C));
  if (const auto Low = static_cast<int64_t>(Bit); Low > 1) {
    IntExpr Result(Constant / Low);
    for (const IntExpr &E : Operands)
      Result = bitXor(Result, *E.exactDivide(IntExpr(Low)));
    return IntExpr(Low) * Result;
  }
  // A fixed order, so that equal sets of operands give equal atoms.
  llvm::sort(Operands, [](const IntExpr &A, const IntExpr &B) {
    return A.str() < B.str();
  });
  if (Constant)
    Operands.insert(Operands.begin(), IntExpr(Constant));
  IntExpr Result = Operands.back();
  for (size_t N = Operands.size() - 1; N-- > 0;)
    Result = composite(AtomKind::Xor, "xor", Operands[N], Result);
  return Result;
}

IntExpr IntExpr::select(const BoolExpr &C, const IntExpr &L, const IntExpr &R) {
  if (C.isTrue() || L == R)
    return L;
  if (C.isFalse())
    return R;
  return composite(AtomKind::Select, "select", L, R, &C);
}

IntExpr IntExpr::operator+(const IntExpr &O) const {
  if (isZero() || O.isZero())
    return isZero() ? O : *this;
  if (overflowed() || O.overflowed())
    return tooLarge({*this, O});
  TermList Sum;
  Sum.reserve(terms().size() + O.terms().size());
  bool Overflow = false;
  auto A = terms().begin(), AEnd = terms().end();
  auto B = O.terms().begin(), BEnd = O.terms().end();
  while (A != AEnd || B != BEnd) {
    int Order = A == AEnd   ? 1
                : B == BEnd ? -1
                            : compareMonomials(A->first, B->first);
    if (Order) {
      Sum.push_back(Order < 0 ? *A++ : *B++);
      continue;
    }
    int64_t C = 0;
    Overflow |= llvm::AddOverflow(A->second, B->second, C);
    if (C)
      Sum.push_back({A->first, C});
    ++A, ++B;
  }
  if (Overflow)
    return tooLarge({*this, O});
  return fromSorted(std::move(Sum));
}

IntExpr IntExpr::scaled(int64_t Factor) const {
  if (overflowed() || Factor == 1)
    return *this;
  TermList Result;
  Result.reserve(terms().size());
  for (const auto &[M, C] : terms()) {
    int64_t Product = 0;
    if (llvm::MulOverflow(C, Factor, Product))
      return tooLarge(*this);
    if (Product)
      Result.push_back({M, Product});
  }
  return fromSorted(std::move(Result));
}

IntExpr IntExpr::operator-() const { return scaled(-1); }

IntExpr IntExpr::operator-(const IntExpr &O) const { return *this + -O; }

IntExpr IntExpr::operator*(const IntExpr &O) const {
  if (overflowed() || O.overflowed())
    return tooLarge({*this, O});
  if (isZero() || O.isZero())
    return IntExpr();
  if (auto C = O.getConstant())
    return scaled(*C);
  if (auto C = getConstant())
    return O.scaled(*C);
  // Terms are sorted by their degrees.
  if (terms().front().first.size() + O.terms().front().first.size() >
          MaxDegree ||
      terms().size() * O.terms().size() > MaxProducts)
    return tooLarge({*this, O});
  TermList Result;
  Result.reserve(terms().size() * O.terms().size());
  for (const auto &[MA, CA] : terms())
    for (const auto &[MB, CB] : O.terms()) {
      Monomial M;
      std::merge(MA.begin(), MA.end(), MB.begin(), MB.end(),
                 std::back_inserter(M), atomLess);
      int64_t C = 0;
      if (llvm::MulOverflow(CA, CB, C))
        return tooLarge({*this, O});
      Result.push_back({std::move(M), C});
    }
  return fromUnsorted(std::move(Result));
}

bool IntExpr::operator==(const IntExpr &O) const {
  if (overflowed() || O.overflowed())
    return false;
  if (R == O.R)
    return true;
  if (measure().Hash != O.measure().Hash || terms().size() != O.terms().size())
    return false;
  for (const auto &[X, Y] : llvm::zip(terms(), O.terms()))
    if (X.second != Y.second || compareMonomials(X.first, Y.first) != 0)
      return false;
  return true;
}

std::optional<int64_t> IntExpr::getConstant() const {
  if (overflowed())
    return std::nullopt;
  if (isZero())
    return 0;
  if (terms().size() == 1 && terms().front().first.empty())
    return terms().front().second;
  return std::nullopt;
}

AtomRef IntExpr::getAtom() const {
  if (overflowed() || terms().size() != 1)
    return nullptr;
  const auto &[M, C] = terms().front();
  return M.size() == 1 && C == 1 ? M.front() : nullptr;
}

using AtomSet = llvm::SmallPtrSet<const IntAtom *, 16>;

/// Atoms are nested at most MaxAtomDepth deep, so this may recurse.
static void walkAtoms(const IntExpr &E,
                      llvm::function_ref<void(const IntAtom &)> Fn,
                      AtomSet &Seen);

static void walkAtom(const IntAtom &A,
                     llvm::function_ref<void(const IntAtom &)> Fn,
                     AtomSet &Seen) {
  if (!Seen.insert(&A).second)
    return;
  Fn(A);
  if (A.isLeaf())
    return;
  walkAtoms(A.getLHS(), Fn, Seen);
  walkAtoms(A.getRHS(), Fn, Seen);
  if (A.getKind() == AtomKind::Select)
    A.getCondition().walk([&](const IntExpr &E) { walkAtoms(E, Fn, Seen); },
                          [](const ValueRef &) {});
}

static void walkAtoms(const IntExpr &E,
                      llvm::function_ref<void(const IntAtom &)> Fn,
                      AtomSet &Seen) {
  for (const auto &[M, C] : E.terms())
    for (const AtomRef &A : M)
      walkAtom(*A, Fn, Seen);
}

void IntExpr::walk(llvm::function_ref<void(const IntAtom &)> Fn) const {
  AtomSet Seen;
  walkAtoms(*this, Fn, Seen);
}

bool IntExpr::contains(llvm::StringRef Key) const {
  bool Found = overflowed();
  walk([&](const IntAtom &A) { Found |= A.getKey() == Key; });
  return Found;
}

bool IntExpr::containsKind(AtomKind Kind) const {
  bool Found = overflowed();
  walk([&](const IntAtom &A) { Found |= A.getKind() == Kind; });
  return Found;
}

std::optional<IntExpr> IntExpr::coefficient(llvm::StringRef Key) const {
  if (overflowed())
    return std::nullopt;
  TermList Factor;
  AtomSet Seen;
  bool Inside = false;
  for (const auto &[M, C] : terms()) {
    Monomial Rest;
    for (const AtomRef &A : M) {
      if (A->getKey() == Key)
        continue;
      walkAtom(
          *A, [&](const IntAtom &X) { Inside |= X.getKey() == Key; }, Seen);
      Rest.push_back(A);
    }
    if (Inside || Rest.size() + 1 < M.size())
      return std::nullopt;
    if (Rest.size() < M.size())
      Factor.push_back({std::move(Rest), C});
  }
  return fromUnsorted(std::move(Factor));
}

IntExpr IntExpr::substitute(llvm::StringRef Key, const IntExpr &By) const {
  return transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKey() == Key)
      return By;
    return std::nullopt;
  });
}

/// Indices come first within a product: `%m * K`, not `K * %m`.
static void printMonomial(llvm::raw_ostream &OS, const IntExpr::Monomial &M) {
  llvm::ListSeparator Sep(" * ");
  for (bool WantIndex : {true, false})
    for (const AtomRef &A : M)
      if ((A->getKind() == AtomKind::Index) == WantIndex)
        OS << Sep << A->getKey();
}

void IntExpr::print(llvm::raw_ostream &OS) const {
  if (overflowed()) {
    OS << "overflow";
    return;
  }
  if (isZero()) {
    OS << '0';
    return;
  }
  bool First = true;
  for (const auto &[M, C] : terms()) {
    bool Negative = C < 0;
    if (First)
      OS << (Negative ? "-" : "");
    else
      OS << (Negative ? " - " : " + ");
    First = false;
    // The magnitude of INT64_MIN does not fit; print it through uint64_t.
    uint64_t Magnitude = Negative ? -static_cast<uint64_t>(C) : C;
    if (M.empty()) {
      OS << Magnitude;
      continue;
    }
    if (Magnitude != 1)
      OS << Magnitude << " * ";
    printMonomial(OS, M);
  }
}

std::string IntExpr::str() const {
  std::string S;
  llvm::raw_string_ostream OS(S);
  print(OS);
  return S;
}

llvm::raw_ostream &operator<<(llvm::raw_ostream &OS, const IntExpr &E) {
  E.print(OS);
  return OS;
}

} // namespace warpwright
