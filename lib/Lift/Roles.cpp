//===-- Roles.cpp - Which index and which operand is which ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mistakes.h"
#include "Normalizer.h"
#include "PopCount.h"
#include "Simplify.h"
#include "Stores.h"
#include "llvm/ADT/STLExtras.h"
#include <functional>
#include <map>
#include <set>

using namespace clang;

namespace warpwright::symbolic {

static constexpr llvm::StringLiteral SeveralAdd =
    "several threads add to the same element, in an order that is not fixed: "
    "let one thread sum all that is added to it";

/// Which index is batch, m and n, by what moves the elements of \p Leading.
bool Normalizer::assignVariables(const Term &Leading,
                                 std::map<std::string, IntExpr> &Rename) {
  ValueRef L[2] = {Leading.Parts.Factors[0], Leading.Parts.Factors[1]};
  std::vector<size_t> Batch, Own[2];
  Store &Out = Space.Stores[0];
  for (size_t N = 0; N < Space.Vars.size(); ++N) {
    const IndexVar &V = Space.Vars[N];
    std::optional<IntExpr> S[2];
    for (int I : {0, 1}) {
      S[I] = L[I]->Index.coefficient(V.key());
      if (!S[I] || Space.mentions(*S[I]))
        return fail(DiagID::IndexNotAffine, locOf(L[I]),
                    "the element of '" + L[I]->Name +
                        "' that is multiplied is not an affine function of "
                        "rows, columns and the loop counter");
    }
    if (V.Reduction)
      continue;
    auto InOut = Out.Index.coefficient(V.key());
    if (!InOut || Space.mentions(*InOut))
      return fail(DiagID::IndexNotAffine, Out.Loc,
                  "the element that is stored is not an affine function of "
                  "rows and columns");
    if (InOut->isZero() && !isForOneNumber(Out, N) &&
        In.Atomics.count(Out.Array))
      return fail(DiagID::Atomics, Out.Loc, SeveralAdd);
    if (InOut->isZero() && !isForOneNumber(Out, N))
      return fail(DiagID::SeveralWriters, Out.Loc,
                  "several threads or iterations store to the same element");
    if (!S[0]->isZero() && !S[1]->isZero())
      Batch.push_back(N);
    else if (!S[0]->isZero())
      Own[0].push_back(N);
    else if (!S[1]->isZero())
      Own[1].push_back(N);
    else
      return fail(DiagID::UnsupportedBounds, Out.Loc,
                  "an index of the output moves neither operand");
  }
  // The number of factors in a stride.
  auto FactorsOf = [&](const IntExpr &Index, size_t Var) -> size_t {
    const IntExpr S = *Index.coefficient(Space.Vars[Var].key());
    return S.isZero() ? 0 : S.terms().begin()->first.size();
  };
  // A second index of one operand alone is a batch in which the other operand
  // is shared: the one that is the same for a whole block, or the outer one,
  // with the larger stride in the operand.
  std::vector<size_t> Shared;
  for (int I : {0, 1})
    while (Own[I].size() > 1) {
      auto Rank = [&](size_t X) {
        return std::pair(Space.Vars[Own[I][X]].OfBlock,
                         FactorsOf(L[I]->Index, Own[I][X]));
      };
      size_t Outer = 0;
      for (size_t X = 1; X < Own[I].size(); ++X)
        if (Rank(X) > Rank(Outer))
          Outer = X;
      Shared.push_back(Own[I][Outer]);
      Own[I].erase(Own[I].begin() + Outer);
    }
  // Several batch indices become one that counts all of their values, and a
  // launch takes those of the innermost one (Contraction::BatchDigits). Parts
  // of rows and columns that do not make one index are no batches: of these
  // each block has a few.
  constexpr size_t MostDigits = 3;
  constexpr int64_t FewRows = 256;
  // A number that the kernel or an argument says, not the launch alone.
  auto IsLength = [](const IntExpr &Extent) {
    const AtomRef A = Extent.getAtom();
    const bool Least = A && A->getKind() == AtomKind::Min;
    auto Enough = [](const IntExpr &E) {
      return E.getConstant().value_or(0) >= FewRows;
    };
    return Extent.containsKind(AtomKind::Param) || Enough(Extent) ||
           (Least && (Enough(A->getLHS()) || Enough(A->getRHS())));
  };
  auto IsPart = [&](const std::vector<size_t> &Own) {
    return !Own.empty() &&
           (Extents[Own[0]].getConstant().value_or(FewRows) < FewRows ||
            (Shared.size() > 1 && !IsLength(Extents[Own[0]])));
  };
  if (Batch.size() + Shared.size() > MostDigits ||
      (Batch.size() + Shared.size() > 1 && !Shared.empty() &&
       (IsPart(Own[0]) || IsPart(Own[1]))))
    return fail(DiagID::UnsupportedBounds, Out.Loc,
                "more than one batch index");
  for (std::vector<size_t> *Indices : {&Batch, &Shared})
    llvm::stable_sort(*Indices, [&](size_t X, size_t Y) {
      return FactorsOf(Out.Index, X) < FactorsOf(Out.Index, Y);
    });
  Batch.insert(Batch.begin(), Shared.begin(), Shared.end());
  auto UnitIn = [&](const std::vector<size_t> &Own) {
    return !Own.empty() &&
           Out.Index.coefficient(Space.Vars[Own[0]].key())->isOne();
  };
  if (UnitIn(Own[0]) && !UnitIn(Own[1])) {
    std::swap(Own[0], Own[1]);
    std::swap(L[0], L[1]);
  }
  auto Order = [&](const std::string &Name) {
    return llvm::find_if(In.Params,
                         [&](const ParamLeaf &P) { return P.Path == Name; }) -
           In.Params.begin();
  };
  C.RolesExchanged = Order(L[0]->Name) > Order(L[1]->Name);
  auto Assign = [&](const std::vector<size_t> &Own, const char *Name,
                    IntExpr &Extent) {
    Extent = Own.empty() ? IntExpr(1) : Extents[Own[0]];
    if (!Own.empty())
      Rename[Space.Vars[Own[0]].key()] = IntExpr::index(Name);
  };
  if (Batch.size() < 2)
    Assign(Batch, "b", C.BatchExtent);
  else
    for (size_t N : Batch) {
      C.BatchDigits.push_back(Extents[N]);
      C.BatchExtent = C.BatchExtent * Extents[N];
      Space.require(BoolExpr::compare(CmpOp::GE, Extents[N], 1),
                    "a batch is empty");
    }
  for (size_t I = 0; I < C.BatchDigits.size(); ++I)
    Rename[Space.Vars[Batch[I]].key()] =
        C.batchDigit(mistaken(Mistake::BatchDigitsExchanged) ? I ^ 1 : I);
  Assign(Own[0], "m", C.MExtent);
  Assign(Own[1], "n", C.NExtent);
  return true;
}

/// \p V chooses by an index, not by data: then there may be no element to read
/// where the other side is chosen.
static bool choosesByIndex(const ValueRef &V) {
  bool Found = false;
  V->walk([&](const Value &X) {
    if (X.K == Value::Kind::Select && !hasValues(X.Condition))
      X.Condition.walk(
          [&](const IntExpr &E) { Found |= E.containsKind(AtomKind::Index); },
          [](const ValueRef &) {});
  });
  return Found;
}

/// The operands of product \p Number, with the indices of \p Rename.
bool Normalizer::assignOperands(size_t Number,
                                const std::map<std::string, IntExpr> &Rename) {
  Term &T = Terms[Number];
  const IntExpr &KExtent = T.Extents[T.K];
  ValueRef L[2] = {T.Parts.Factors[0], T.Parts.Factors[1]};
  T.Renamed = Rename;
  const std::string Counter = Space.Vars[T.K].key();
  for (const ValueRef &F : L)
    for (const IndexVar &V : Space.Vars) {
      auto Stride = F->Index.coefficient(V.key());
      if (!Stride || Space.mentions(*Stride))
        return fail(DiagID::IndexNotAffine, locOf(F),
                    "the element of '" + F->Name +
                        "' that is multiplied is not an affine function of "
                        "rows, columns and the loop counter");
    }
  // A loop that counts down sums the same products as one that counts up.
  auto Downward = [&](const ValueRef &F) {
    IntExpr S = *F->Index.coefficient(Counter);
    return !S.isZero() &&
           llvm::all_of(S.terms(), [](const auto &T) { return T.second < 0; });
  };
  T.Renamed[Counter] = Downward(L[0]) && Downward(L[1])
                           ? KExtent - 1 - IntExpr::index("k")
                           : IntExpr::index("k");
  auto Fn = [&](const IntAtom &A) -> std::optional<IntExpr> {
    auto It = T.Renamed.find(A.getKey().str());
    if (It == T.Renamed.end())
      return std::nullopt;
    return It->second;
  };
  const llvm::StringRef Foreign[2] = {"%n", "%m"};
  IntExpr Index[2] = {L[0]->Index.transform(Fn), L[1]->Index.transform(Fn)};
  auto May = [&](unsigned Factor, unsigned Side) {
    return !Index[Factor].contains(Foreign[Side]);
  };
  const bool Exchanged = !May(0, 0) || !May(1, 1);
  if (Exchanged && (!May(0, 1) || !May(1, 0)))
    return fail(DiagID::NotAProduct, locOf(L[1]),
                "the elements of '" + L[0]->Name + "' and '" + L[1]->Name +
                    "' that are multiplied move with the same row or column, "
                    "and not one with the row and one with the column");
  const ScalarType AccType = accType(Number);
  for (unsigned Side : {0, 1}) {
    const unsigned F = Exchanged ? 1 - Side : Side;
    Operand &O = Side == 0 ? T.Factors.A : T.Factors.B;
    O.Pointer = L[F]->Name;
    O.Type = L[F]->Type;
    O.Index = Index[F];
    if (T.Parts.BitTable) {
      O.Prologue = markOfBits(O, AccType, *T.Parts.BitTable, F);
      continue;
    }
    if (!T.Parts.Prologues[F] || mistaken(Mistake::PrologueDropped))
      continue;
    O.Prologue = Value::cast(AccType, transformInts(T.Parts.Prologues[F], Fn));
    if (mentionsAny(SymValue::scalar(O.Prologue), [&](llvm::StringRef Key) {
          return Key == Foreign[Side];
        })) {
      if (const auto &Reason = T.Parts.NotApart[F])
        return fail(Reason->ID, Reason->Loc, Reason->Message);
      return fail(DiagID::NotAProduct, locOf(T.Parts.Prologues[F]),
                  "the factor beside an element of '" + O.Pointer +
                      "' changes with an index that only the other element "
                      "has");
    }
    bool ReadsElement = false;
    O.Prologue->walk([&](const Value &V) { ReadsElement |= O.isElement(V); });
    if (choosesByIndex(O.Prologue) || !ReadsElement)
      return fail(DiagID::NotAProduct, locOf(T.Parts.Prologues[F]),
                  "an operand of the product depends on a condition");
  }
  // alpha * Sum(a * b), where the original summed alpha * a * b.
  if (mistaken(Mistake::FactorDropped))
    T.Parts.Coefficients.clear();
  for (const ValueRef &V : T.Parts.Coefficients) {
    ValueRef F = Value::cast(AccType, transformInts(V, Fn));
    T.Scale =
        T.Scale ? Value::binary(Value::Kind::Mul, AccType, T.Scale, F) : F;
  }
  return true;
}

bool sameOperand(const Operand &A, const Operand &B) {
  return A.Pointer == B.Pointer && A.Type == B.Type && A.Index == B.Index &&
         !A.Prologue == !B.Prologue &&
         (!A.Prologue || sameValue(A.Prologue, B.Prologue));
}

static bool sameSum(const Accumulation &A, const Accumulation &B) {
  return A.KExtent == B.KExtent && A.AccType == B.AccType &&
         A.OriginalAccType == B.OriginalAccType &&
         A.Products.size() == B.Products.size() &&
         llvm::all_of(llvm::zip(A.Products, B.Products), [](const auto &P) {
           const auto &[X, Y] = P;
           return sameOperand(X.A, Y.A) && sameOperand(X.B, Y.B) &&
                  X.Subtracted == Y.Subtracted && X.KExtent == Y.KExtent;
         });
}

/// Which products are added in one accumulator, or subtracted from it: those of
/// one sum that have one range of k, and nothing but a sign that the finished
/// sum is multiplied with apart.
void Normalizer::groupTerms() {
  std::vector<Accumulation> Sums;
  std::vector<size_t> First; // of the Terms of each
  for (size_t N = 0; N < Terms.size(); ++N) {
    Term &T = Terms[N];
    const Term &Ranging = mistaken(Mistake::RangeOfFirstSum) ? Terms[0] : T;
    const IntExpr &KExtent = Ranging.Extents[Ranging.K];
    T.Acc = 0;
    for (; T.Acc < Sums.size(); ++T.Acc) {
      const Term &Other = Terms[First[T.Acc]];
      if (Space.Sums[First[T.Acc]].Sum == Space.Sums[N].Sum &&
          Sums[T.Acc].KExtent == KExtent &&
          // Words become bits, so many terms each.
          !Other.Parts.BitTable == !T.Parts.BitTable &&
          (!T.Parts.BitTable ||
           byteSize(Other.Factors.A.Type) == byteSize(T.Factors.A.Type)) &&
          !Other.Scale == !T.Scale &&
          (!T.Scale || sameValue(Other.Scale, T.Scale)))
        break;
    }
    if (T.Acc == Sums.size()) {
      First.push_back(N);
      T.StartsGroup = true;
      Accumulation &S = Sums.emplace_back();
      S.KExtent = KExtent;
      S.AccType = accType(N);
      S.OriginalAccType = T.Original;
    }
    Accumulation &S = Sums[T.Acc];
    if (significandBits(T.Original) < significandBits(S.OriginalAccType))
      S.OriginalAccType = T.Original;
    T.Factors.Subtracted =
        T.Parts.Negative != Terms[First[T.Acc]].Parts.Negative;
    S.Products.push_back(T.Factors);
  }
  // What several loops sum alike is one sum.
  std::vector<Accumulation> Kept;
  std::vector<unsigned> Numbers;
  for (const Accumulation &S : Sums) {
    unsigned Number = 0;
    while (Number < Kept.size() && !sameSum(Kept[Number], S))
      ++Number;
    if (Number == Kept.size())
      Kept.push_back(S);
    Numbers.push_back(Number);
  }
  for (Term &T : Terms)
    T.Acc = Numbers[T.Acc];
  C.setSum(0, Kept[0]);
  C.MoreSums.assign(Kept.begin() + 1, Kept.end());
}

/// Whether \p V may depend on the sign of a sum that is zero. What is added,
/// multiplied, converted or chosen passes the sign on, at most to what is
/// stored, where a zero equals the other one.
static bool readsSignOfZero(const ValueRef &V) {
  std::set<const Value *> Seen;
  std::map<const Value *, bool> OfSums;
  std::function<bool(const ValueRef &)> Mentions =
      [&](const ValueRef &X) -> bool {
    auto [Known, New] = OfSums.try_emplace(X.get(), false);
    if (!New)
      return Known->second;
    bool Found = X->K == Value::Kind::Acc || llvm::any_of(X->Ops, Mentions);
    X->Condition.walk([](const IntExpr &) {},
                      [&](const ValueRef &Y) { Found |= Mentions(Y); });
    return OfSums[X.get()] = Found;
  };
  std::function<bool(const ValueRef &)> Reads = [&](const ValueRef &X) -> bool {
    if (!Mentions(X) || !Seen.insert(X.get()).second)
      return false;
    bool Found = llvm::any_of(X->Ops, Reads);
    X->Condition.walk([](const IntExpr &) {},
                      [&](const ValueRef &Y) { Found |= Reads(Y); });
    switch (X->K) {
    case Value::Kind::Acc:
    case Value::Kind::Cast:
    case Value::Kind::Neg:
    case Value::Kind::Add:
    case Value::Kind::Sub:
    case Value::Kind::Mul:
    case Value::Kind::Fma:
    case Value::Kind::Select:
      return Found;
    case Value::Kind::Div:
      return Found || Mentions(X->Ops[1]);
    default:
      return true;
    }
  };
  return Reads(V);
}

/// What is stored, by the sums of the contraction.
bool Normalizer::storeOutputs(const std::map<std::string, IntExpr> &Rename) {
  // Each sum of the kernel is one or several of the contraction.
  std::vector<ValueRef> Sums(SumNodes.size());
  bool AsTheyAre = true;
  // A loop that adds negative products to 0 ends with 0 and never with -0 where
  // they cancel out; minus a sum that is 0 is -0.
  const bool SignOfZero = llvm::any_of(
      Space.Stores, [](const Store &S) { return readsSignOfZero(S.Value); });
  for (size_t N = 0; N < Terms.size(); ++N) {
    const Term &T = Terms[N];
    const unsigned Sum = Space.Sums[N].Sum;
    ValueRef &All = Sums[Sum];
    AsTheyAre &= T.Acc == Sum && !T.Scale && !T.Parts.Negative;
    if (!T.StartsGroup)
      continue;
    ValueRef One = Value::acc(T.Acc, accType(N));
    const bool FromZero = SignOfZero && isFloating(One->Type);
    const ValueRef Zero = Value::constant(
        One->Type, One->Type == ScalarType::F64 ? "0.0" : "0.0f");
    if (T.Scale)
      One = Value::binary(Value::Kind::Mul, T.Scale->Type, T.Scale, One);
    if (All)
      All =
          Value::binary(T.Parts.Negative ? Value::Kind::Sub : Value::Kind::Add,
                        accType(N), All, One);
    else if (FromZero && T.Parts.Negative)
      All = Value::binary(Value::Kind::Sub, accType(N), Zero, One);
    else if (FromZero && T.Scale && T.Scale->getConstant().value_or(0) <= 0)
      All = Value::binary(Value::Kind::Add, accType(N), One, Zero);
    else
      All = T.Parts.Negative ? Value::unary(Value::Kind::Neg, One) : One;
  }
  struct Replacer {
    const std::vector<ValueRef> &Sums;
    ValueRef operator()(const ValueRef &V) const {
      return replaceValues(V, [this](const ValueRef &X) -> ValueRef {
        return X->K == Value::Kind::Acc ? Sums[X->Counter] : nullptr;
      });
    }
  };
  auto Fn = [&](const IntAtom &A) -> std::optional<IntExpr> {
    auto It = Rename.find(A.getKey().str());
    if (It == Rename.end())
      return std::nullopt;
    return It->second;
  };
  for (const Store &S : Space.Stores) {
    Output O;
    O.When = rangeOf(S, Rename);
    if (O.When && O.When->Index.empty())
      return fail(DiagID::UnsupportedBounds, S.Loc,
                  "it is stored for some matrices of a batch that several "
                  "indices count");
    O.Pointer = S.Array;
    O.Type = S.Type;
    O.Index = S.Index.transform(Fn);
    O.Value = Value::cast(S.Type, transformInts(S.Value, Fn));
    if (!AsTheyAre)
      O.Value = Replacer{Sums}(O.Value);
    const auto Form = C.formOf(O.Index);
    if (!Form)
      return fail(DiagID::IndexNotAffine, S.Loc,
                  "the element that is stored is not an affine function of "
                  "rows and columns");
    std::vector<std::pair<IntExpr, IntExpr>> Strides = {
        {countOf(O, "m", C.MExtent), Form->M},
        {countOf(O, "n", C.NExtent), Form->N}};
    for (size_t I = 0; I < Form->Batch.size(); ++I)
      Strides.push_back({C.BatchDigits.empty() ? countOf(O, "b", C.BatchExtent)
                                               : C.BatchDigits[I],
                         Form->Batch[I]});
    for (const auto &[Count, Stride] : Strides)
      if (Stride.isZero() && !provablyAtLeast(1, Count) &&
          In.Atomics.count(S.Array))
        return fail(DiagID::Atomics, S.Loc, SeveralAdd);
      else if (Stride.isZero() && !provablyAtLeast(1, Count))
        return fail(DiagID::SeveralWriters, S.Loc,
                    "several threads store to the same element");
    C.Outputs.push_back(std::move(O));
  }
  return true;
}

/// Outputs whose elements the kernel adds to by atomic operations.
bool Normalizer::markAtomics() {
  for (Output &O : C.Outputs) {
    if (!In.Atomics.count(O.Pointer))
      continue;
    O.Atomic = true;
    if (O.addends().empty() || C.readsElsewhere(O.Pointer))
      return fail(DiagID::Atomics, In.KernelLoc,
                  "what is added to '" + O.Pointer +
                      "' atomically is not the same sum for all elements, or "
                      "depends on what the array has");
  }
  return true;
}

bool Normalizer::assignRoles() {
  // The product that all rows and columns move tells which they are.
  const Term *Leading = &Terms[0];
  for (const Term &T : llvm::reverse(Terms))
    if (llvm::all_of(Space.Vars, [&](const IndexVar &V) {
          return V.Reduction ||
                 llvm::any_of(T.Parts.Factors, [&](const ValueRef &F) {
                   return F->Index.contains(V.key());
                 });
        }))
      Leading = &T;
  std::map<std::string, IntExpr> Rename;
  if (!assignVariables(*Leading, Rename))
    return false;
  for (size_t N = 0; N < Terms.size(); ++N)
    if (!assignOperands(N, Rename))
      return false;
  groupTerms();
  if (!storeOutputs(Rename))
    return false;
  joinRemainders();
  spellOutBits(C);
  joinAddends();
  if (!restoreWords(C, Words))
    return fail(DiagID::NotAProduct, In.KernelLoc,
                "a condition depends on a number of four bits");
  return markAtomics() && requireSum();
}

} // namespace warpwright::symbolic
