//===-- IntExpr.cpp - Symbolic integers -----------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Contraction/IntExpr.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

namespace warpwright {

IntAtom::IntAtom(AtomKind K, std::string Key, IntExpr L, IntExpr R,
                 std::shared_ptr<const BoolExpr> C)
    : Kind(K), Key(std::move(Key)),
      LHS(std::make_shared<const IntExpr>(std::move(L))),
      RHS(std::make_shared<const IntExpr>(std::move(R))),
      Condition(std::move(C)) {}

bool IntExpr::MonomialLess::operator()(const Monomial &A,
                                       const Monomial &B) const {
  // Higher degrees first, the constant last: the order of printing.
  if (A.size() != B.size())
    return A.size() > B.size();
  for (auto [X, Y] : llvm::zip(A, B))
    if (X->getKey() != Y->getKey())
      return X->getKey() < Y->getKey();
  return false;
}

IntExpr::IntExpr(int64_t Constant) {
  if (Constant)
    Terms[{}] = Constant;
}

IntExpr::IntExpr(AtomRef Atom) { Terms[{std::move(Atom)}] = 1; }

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

static IntExpr composite(AtomKind Kind, llvm::StringRef Function,
                         const IntExpr &L, const IntExpr &R) {
  std::string Key =
      (llvm::Twine(Function) + "(" + L.str() + ", " + R.str() + ")").str();
  return IntExpr(std::make_shared<const IntAtom>(Kind, std::move(Key), L, R));
}

static int64_t floorDivide(int64_t A, int64_t B) {
  int64_t Q = A / B;
  return (A % B != 0 && (A < 0) != (B < 0)) ? Q - 1 : Q;
}

IntExpr IntExpr::floorDiv(const IntExpr &L, const IntExpr &R) {
  if (R.isOne() || L.isZero())
    return L;
  auto CL = L.getConstant(), CR = R.getConstant();
  if (CL && CR && *CR > 0)
    return IntExpr(floorDivide(*CL, *CR));
  // floor((q * R + r) / R) = q + floor(r / R), whatever the signs.
  IntExpr Quotient, Rest;
  for (const auto &[M, C] : L.terms()) {
    IntExpr Term;
    Term.add(M, C);
    if (auto Q = Term.exactDivide(R))
      Quotient += *Q;
    else
      Rest += Term;
  }
  if (Rest.isZero())
    return Quotient;
  if (!Quotient.isZero())
    return Quotient + floorDiv(Rest, R);
  return composite(AtomKind::FloorDiv, "floordiv", L, R);
}

IntExpr IntExpr::mod(const IntExpr &L, const IntExpr &R) {
  if (R.isOne() || L.isZero())
    return IntExpr();
  auto CL = L.getConstant(), CR = R.getConstant();
  if (CL && CR && *CR > 0)
    return IntExpr(*CL - *CR * floorDivide(*CL, *CR));
  IntExpr Rest;
  for (const auto &[M, C] : L.terms()) {
    IntExpr Term;
    Term.add(M, C);
    if (!Term.exactDivide(R))
      Rest += Term;
  }
  if (Rest.isZero())
    return IntExpr();
  return composite(AtomKind::Mod, "mod", Rest, R);
}

IntExpr IntExpr::min(const IntExpr &L, const IntExpr &R) {
  auto D = (L - R).getConstant();
  if (D)
    return *D <= 0 ? L : R;
  return L.str() < R.str() ? composite(AtomKind::Min, "min", L, R)
                           : composite(AtomKind::Min, "min", R, L);
}

IntExpr IntExpr::max(const IntExpr &L, const IntExpr &R) {
  auto D = (L - R).getConstant();
  if (D)
    return *D >= 0 ? L : R;
  return L.str() < R.str() ? composite(AtomKind::Max, "max", L, R)
                           : composite(AtomKind::Max, "max", R, L);
}

IntExpr IntExpr::select(const BoolExpr &C, const IntExpr &L, const IntExpr &R) {
  if (C.isTrue() || L == R)
    return L;
  if (C.isFalse())
    return R;
  std::string Key = "select(" + C.str() + ", " + L.str() + ", " + R.str() + ")";
  return IntExpr(
      std::make_shared<const IntAtom>(AtomKind::Select, std::move(Key), L, R,
                                      std::make_shared<const BoolExpr>(C)));
}

void IntExpr::add(const Monomial &M, int64_t C) {
  if (!C)
    return;
  auto [It, New] = Terms.try_emplace(M, C);
  if (New)
    return;
  if (llvm::AddOverflow(It->second, C, It->second))
    Overflow = true;
  if (!It->second)
    Terms.erase(It);
}

IntExpr IntExpr::operator+(const IntExpr &O) const {
  IntExpr R = *this;
  R.Overflow |= O.Overflow;
  for (const auto &[M, C] : O.Terms)
    R.add(M, C);
  return R;
}

IntExpr IntExpr::operator-() const { return *this * IntExpr(-1); }

IntExpr IntExpr::operator-(const IntExpr &O) const { return *this + -O; }

IntExpr IntExpr::operator*(const IntExpr &O) const {
  IntExpr R;
  R.Overflow = Overflow | O.Overflow;
  for (const auto &[MA, CA] : Terms)
    for (const auto &[MB, CB] : O.Terms) {
      Monomial M(MA.begin(), MA.end());
      M.append(MB.begin(), MB.end());
      llvm::sort(M, AtomLess());
      int64_t C = 0;
      if (llvm::MulOverflow(CA, CB, C))
        R.Overflow = true;
      R.add(M, C);
    }
  return R;
}

bool IntExpr::operator==(const IntExpr &O) const {
  if (Overflow || O.Overflow || Terms.size() != O.Terms.size())
    return false;
  MonomialLess Less;
  for (auto A = Terms.begin(), B = O.Terms.begin(); A != Terms.end(); ++A, ++B)
    if (A->second != B->second || Less(A->first, B->first) ||
        Less(B->first, A->first))
      return false;
  return true;
}

std::optional<int64_t> IntExpr::getConstant() const {
  if (Overflow)
    return std::nullopt;
  if (Terms.empty())
    return 0;
  if (Terms.size() == 1 && Terms.begin()->first.empty())
    return Terms.begin()->second;
  return std::nullopt;
}

AtomRef IntExpr::getAtom() const {
  if (Terms.size() == 1 && Terms.begin()->first.size() == 1 &&
      Terms.begin()->second == 1)
    return Terms.begin()->first.front();
  return nullptr;
}

void IntExpr::walk(llvm::function_ref<void(const IntAtom &)> Fn) const {
  for (const auto &[M, C] : Terms)
    for (const AtomRef &A : M) {
      Fn(*A);
      if (A->isLeaf())
        continue;
      A->getLHS().walk(Fn);
      A->getRHS().walk(Fn);
      if (A->getKind() == AtomKind::Select)
        A->getCondition().walk([&](const IntExpr &E) { E.walk(Fn); },
                               [](const ValueRef &) {});
    }
}

bool IntExpr::contains(llvm::StringRef Key) const {
  bool Found = false;
  walk([&](const IntAtom &A) { Found |= A.getKey() == Key; });
  return Found;
}

bool IntExpr::containsKind(AtomKind Kind) const {
  bool Found = false;
  walk([&](const IntAtom &A) { Found |= A.getKind() == Kind; });
  return Found;
}

std::optional<IntExpr> IntExpr::coefficient(llvm::StringRef Key) const {
  IntExpr Factor;
  for (const auto &[M, C] : Terms) {
    Monomial Rest;
    unsigned Hits = 0;
    for (const AtomRef &A : M) {
      if (A->getKey() == Key) {
        ++Hits;
        continue;
      }
      if (!A->isLeaf() && IntExpr(A).contains(Key))
        return std::nullopt;
      Rest.push_back(A);
    }
    if (Hits > 1)
      return std::nullopt;
    if (Hits == 1)
      Factor.add(Rest, C);
  }
  return Factor;
}

IntExpr IntExpr::transform(
    llvm::function_ref<std::optional<IntExpr>(const IntAtom &)> Fn) const {
  IntExpr Result;
  Result.Overflow = Overflow;
  for (const auto &[M, C] : Terms) {
    IntExpr Term(C);
    for (const AtomRef &A : M) {
      // A replacement for a composite atom as a whole comes first.
      if (auto By = Fn(*A)) {
        Term = Term * *By;
        continue;
      }
      switch (A->getKind()) {
      case AtomKind::FloorDiv:
        Term = Term *
               floorDiv(A->getLHS().transform(Fn), A->getRHS().transform(Fn));
        break;
      case AtomKind::Mod:
        Term = Term * mod(A->getLHS().transform(Fn), A->getRHS().transform(Fn));
        break;
      case AtomKind::Min:
        Term = Term * min(A->getLHS().transform(Fn), A->getRHS().transform(Fn));
        break;
      case AtomKind::Max:
        Term = Term * max(A->getLHS().transform(Fn), A->getRHS().transform(Fn));
        break;
      case AtomKind::Select:
        Term =
            Term * select(A->getCondition().transform(Fn),
                          A->getLHS().transform(Fn), A->getRHS().transform(Fn));
        break;
      default:
        Term = Term * IntExpr(A);
      }
    }
    Result += Term;
  }
  return Result;
}

IntExpr IntExpr::substitute(llvm::StringRef Key, const IntExpr &By) const {
  return transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKey() == Key)
      return By;
    return std::nullopt;
  });
}

std::optional<IntExpr> IntExpr::exactDivide(const IntExpr &D) const {
  if (Overflow || D.Terms.size() != 1)
    return std::nullopt;
  const Monomial &DM = D.Terms.begin()->first;
  int64_t DC = D.Terms.begin()->second;
  IntExpr Result;
  for (const auto &[M, C] : Terms) {
    if (C % DC != 0)
      return std::nullopt;
    Monomial Rest(M.begin(), M.end());
    for (const AtomRef &A : DM) {
      auto It = llvm::find_if(
          Rest, [&](const AtomRef &X) { return X->getKey() == A->getKey(); });
      if (It == Rest.end())
        return std::nullopt;
      Rest.erase(It);
    }
    Result.add(Rest, C / DC);
  }
  return Result;
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
  if (Overflow) {
    OS << "overflow";
    return;
  }
  if (Terms.empty()) {
    OS << '0';
    return;
  }
  bool First = true;
  for (const auto &[M, C] : Terms) {
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
