//===-- Sums.cpp - Taking what a loop adds apart --------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sums.h"
#include "Executor.h"
#include "Mistakes.h"
#include "SplitProduct.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

namespace {
/// Whether anything below mentions one of some phis or atoms.
struct Mention {
  llvm::function_ref<bool(llvm::StringRef)> Is;
  std::set<const Value *> &Seen;
  bool ints(const IntExpr &E) const {
    bool Found = false;
    E.walk([&](const IntAtom &A) { Found |= Is(A.getKey()); });
    return Found;
  }
  bool bools(const BoolExpr &B) const {
    bool Found = false;
    B.walk([&](const IntExpr &E) { Found |= ints(E); },
           [&](const ValueRef &V) { Found |= values(V); });
    return Found;
  }
  bool values(const ValueRef &V) const {
    if (!V || !Seen.insert(V.get()).second)
      return false; // a shared node that was visited before
    if (V->K == Value::Kind::Phi && Is(V->Name))
      return true;
    if (ints(V->Index) || bools(V->Condition))
      return true;
    for (const ValueRef &Op : V->Ops)
      if (values(Op))
        return true;
    return values(V->Body);
  }
};
} // namespace

bool mentionsAny(const ValueRef &V,
                 llvm::function_ref<bool(llvm::StringRef)> Is) {
  std::set<const Value *> Seen;
  return Mention{Is, Seen}.values(V);
}

bool mentionsAny(const BoolExpr &B,
                 llvm::function_ref<bool(llvm::StringRef)> Is) {
  std::set<const Value *> Seen;
  return Mention{Is, Seen}.bools(B);
}

bool mentionsAny(const SymValue &V,
                 llvm::function_ref<bool(llvm::StringRef)> Is) {
  std::set<const Value *> Seen;
  Mention M{Is, Seen};
  if (M.ints(V.I) || M.bools(V.B) || M.values(V.S))
    return true;
  return llvm::any_of(V.Fields,
                      [&](const SymValue &F) { return mentionsAny(F, Is); });
}

bool Executor::mentions(const LoopState &L, const SymValue &V) const {
  return mentionsAny(
      V, [&](llvm::StringRef Name) { return L.Phis.count(Name.str()) != 0; });
}

bool valueMentions(const ValueRef &V, llvm::StringRef Phi) {
  return mentionsAny(V, [&](llvm::StringRef Name) { return Name == Phi; });
}

/// Whether \p B holds in the first iteration alone, or (false) in all others;
/// nothing if neither is known.
static std::optional<bool> asksForFirst(const BoolExpr &B, unsigned Counter) {
  if (B.getKind() != BoolExpr::Kind::Compare)
    return std::nullopt;
  const std::string Key = IntExpr::counter(Counter).str();
  const IntExpr D = B.getLHS() - B.getRHS();
  const auto Step = D.coefficient(Key);
  if (!Step || Step->getConstant().value_or(0) == 0)
    return std::nullopt;
  auto At = [&](int64_t N) {
    return BoolExpr::compare(B.getOp(), D.substitute(Key, IntExpr(N)), 0);
  };
  // What changes on the way from 0 to 1 does not change back, since the
  // difference is a straight line, unless the two are only then equal.
  if (At(0).isTrue() && At(1).isFalse() && B.getOp() != CmpOp::NE)
    return true;
  if (At(0).isFalse() && At(1).isTrue() && B.getOp() != CmpOp::EQ)
    return false;
  return std::nullopt;
}

std::optional<SetInFirst> setInFirst(const ValueRef &Next, llvm::StringRef Phi,
                                     unsigned Counter) {
  SetInFirst R;
  bool Same = true;
  R.Later = replaceValues(Next, [&](const ValueRef &V) -> ValueRef {
    const auto First = V->K == Value::Kind::Select
                           ? asksForFirst(V->Condition, Counter)
                           : std::nullopt;
    if (!First)
      return nullptr;
    const ValueRef &Set = V->Ops[*First ? 0 : 1],
                   &Kept = V->Ops[*First ? 1 : 0];
    if (Kept->K != Value::Kind::Phi || Kept->Name != Phi)
      return nullptr;
    Same &= !R.Start || sameValue(R.Start, Set);
    R.Start = Set;
    return Kept;
  });
  if (!R.Start || !Same)
    return std::nullopt;
  return R;
}

ValueRef stripPhi(const ValueRef &V, llvm::StringRef Phi, BoolExpr &Guard,
                  ScalarType &Rounded) {
  auto Zero = [&] { return Value::integer(V->Type, IntExpr()); };
  auto IsZero = [](const ValueRef &X) {
    return X->K == Value::Kind::Int && X->Index.isZero();
  };
  auto Has = [&](unsigned N) { return valueMentions(V->Ops[N], Phi); };
  // Only the outermost summand keeps a guard of its own; below an addition it
  // becomes a selected zero.
  auto Inner = [&](const ValueRef &X) -> ValueRef {
    BoolExpr G;
    ValueRef R = stripPhi(X, Phi, G, Rounded);
    return R && !G.isTrue() && !IsZero(R)
               ? Value::select(G, R, Value::integer(R->Type, IntExpr()))
               : R;
  };
  auto Plus = [&](ValueRef A, ValueRef B) {
    if (IsZero(A))
      return B;
    if (IsZero(B))
      return A;
    return Value::binary(Value::Kind::Add, V->Type, A, B);
  };
  // A running sum in a narrow type is rounded to that type in every iteration.
  auto Narrow = [&](ScalarType T) {
    if (significandBits(T) && significandBits(T) < significandBits(Rounded))
      Rounded = T;
  };
  switch (V->K) {
  case Value::Kind::Phi:
    return V->Name == Phi ? Zero() : nullptr;
  case Value::Kind::Add: {
    bool L = Has(0), R = Has(1);
    if (L == R)
      return nullptr;
    Narrow(V->Type);
    ValueRef Rest = Inner(V->Ops[L ? 0 : 1]);
    return Rest ? Plus(Rest, V->Ops[L ? 1 : 0]) : nullptr;
  }
  case Value::Kind::Sub: {
    if (!Has(0) || Has(1))
      return nullptr;
    Narrow(V->Type);
    ValueRef Rest = Inner(V->Ops[0]);
    if (mistaken(Mistake::DifferenceAdds))
      return Rest ? Plus(Rest, V->Ops[1]) : nullptr;
    return Rest ? Plus(Rest, Value::unary(Value::Kind::Neg, V->Ops[1]))
                : nullptr;
  }
  case Value::Kind::Fma: {
    if (Has(0) || Has(1) || !Has(2))
      return nullptr;
    Narrow(V->Type);
    ValueRef Rest = Inner(V->Ops[2]);
    return Rest ? Plus(Rest, Value::binary(Value::Kind::Mul, V->Type, V->Ops[0],
                                           V->Ops[1]))
                : nullptr;
  }
  case Value::Kind::Cast: {
    // Rounding of the running sum; the rewritten kernel rounds once, at the
    // end. With 8 bits it is no sum any more, since these saturate.
    if (!isFloating(V->Type) || !isFloating(V->Ops[0]->Type) ||
        isFloat8(V->Type))
      return nullptr;
    Narrow(V->Type);
    return stripPhi(V->Ops[0], Phi, Guard, Rounded);
  }
  case Value::Kind::Call:
    return V->Body ? stripPhi(V->Body, Phi, Guard, Rounded) : nullptr;
  case Value::Kind::Select: {
    if (mentionsAny(V->Condition,
                    [&](llvm::StringRef Name) { return Name == Phi; }))
      return nullptr;
    BoolExpr GA, GB;
    ValueRef A = stripPhi(V->Ops[0], Phi, GA, Rounded);
    ValueRef B = stripPhi(V->Ops[1], Phi, GB, Rounded);
    if (!A || !B)
      return nullptr;
    if (IsZero(B)) {
      Guard = BoolExpr::conjunction(V->Condition, GA);
      return A;
    }
    if (IsZero(A)) {
      Guard = BoolExpr::conjunction(BoolExpr::negation(V->Condition), GB);
      return B;
    }
    if (!GA.isTrue() || !GB.isTrue())
      return nullptr;
    const ValueRef R = Value::select(V->Condition, A, B);
    const ValueRef Apart = withTermApart(R);
    return Apart ? Apart : R;
  }
  default:
    return nullptr;
  }
}

void summands(const ValueRef &V, std::vector<ValueRef> &Out) {
  if (V->K == Value::Kind::Add) {
    summands(V->Ops[0], Out);
    summands(V->Ops[1], Out);
    return;
  }
  Out.push_back(V);
}

std::optional<TermOfOneSide> termOfOneSide(const ValueRef &V) {
  if (V->K != Value::Kind::Select)
    return std::nullopt;
  for (unsigned More : {0, 1}) {
    std::vector<ValueRef> All, Fewer;
    summands(V->Ops[More], All);
    summands(V->Ops[1 - More], Fewer);
    if (All.size() == Fewer.size() + 1 &&
        llvm::all_of(llvm::zip(Fewer, All), [](const auto &P) {
          return sameValue(std::get<0>(P), std::get<1>(P));
        }))
      return TermOfOneSide{More == 0 ? V->Condition
                                     : BoolExpr::negation(V->Condition),
                           V->Ops[More], V->Ops[1 - More], All.back()};
  }
  return std::nullopt;
}

ValueRef withTermApart(const ValueRef &V) {
  const auto Side = termOfOneSide(V);
  if (!Side)
    return nullptr;
  return Value::binary(Value::Kind::Add, V->Type, Side->Without,
                       Value::select(Side->When, Side->Term,
                                     Value::integer(V->Type, IntExpr())));
}

} // namespace warpwright::symbolic
