//===-- SumTerms.cpp - The products that a sum adds -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SumTerms.h"
#include "Mistakes.h"
#include "RollUp.h"
#include "SharedElement.h"
#include "llvm/ADT/STLExtras.h"

namespace warpwright::symbolic {

namespace {

/// Takes one sum apart.
class TermReader {
public:
  TermReader(SumJoiner &Joiner, const Ranges &Bounds, unsigned &NextCounter)
      : Joiner(Joiner), Bounds(Bounds), NextCounter(NextCounter) {}

  void read(const ValueRef &Sum) { nest(Joiner.nestOf(Sum), {}, std::nullopt); }

  std::vector<SumTerm> Terms;

private:
  /// The operations on a term on its way to the sum, the innermost last.
  using Wraps = std::vector<std::function<ValueRef(ValueRef)>>;
  /// A summand of a body. A Sum is a summand that has not been taken apart yet.
  struct Part {
    ValueRef V;
    Wraps Around;
  };

  void nest(SumNest N, const Wraps &Around, std::optional<ScalarType> Rounded);
  void split(const ValueRef &V, const Wraps &Around, const SumNest &N,
             std::vector<Part> &Out) const;
  bool rollUpParts(SumNest &N, std::vector<ValueRef> &Bodies);

  SumJoiner &Joiner;
  const Ranges &Bounds;
  unsigned &NextCounter;
};

} // namespace

static ValueRef wrap(ValueRef V,
                     llvm::ArrayRef<std::function<ValueRef(ValueRef)>> Around) {
  for (const auto &Fn : llvm::reverse(Around))
    V = Fn(V);
  return V;
}

/// An expression whose printed form is larger stays whole: its shared nodes
/// would become many terms.
static constexpr unsigned MaxSize = 4096;

static bool hasSum(const ValueRef &V) {
  return V->containsKind(Value::Kind::Sum);
}

/// Whether \p V changes from one term of \p N to another.
static bool varies(const ValueRef &V, const SumNest &N) {
  return mentionsAny(SymValue::scalar(V), [&](llvm::StringRef Key) {
    return llvm::any_of(N.Loops, [&](const BoundLoop &L) {
      return Key == IntExpr::counter(L.Counter).str();
    });
  });
}

/// Nodes of a sum of products that is taken apart with a factor that varies.
static constexpr unsigned MaxScaledSize = 512;

/// Whether \p V adds products of two factors that vary, as one iteration does
/// that multiplies four neighbours by vectors.
static bool addsProducts(const ValueRef &V, const SumNest &N) {
  if (V->Size > MaxScaledSize)
    return false;
  using Kind = Value::Kind;
  auto IsProduct = [&](const ValueRef &X) {
    return X->K == Kind::Mul && varies(X->Ops[0], N) && varies(X->Ops[1], N);
  };
  auto Holds = [&](const ValueRef &X) {
    return IsProduct(X) || addsProducts(X, N);
  };
  switch (V->K) {
  case Kind::Add:
  case Kind::Sub:
    return Holds(V->Ops[0]) && Holds(V->Ops[1]);
  case Kind::Neg:
    return Holds(V->Ops[0]);
  case Kind::Fma:
    return varies(V->Ops[0], N) && varies(V->Ops[1], N) &&
           (V->Ops[2]->isConstant(0) || Holds(V->Ops[2]));
  default:
    return false;
  }
}

/// Whether the parts of \p X may be scaled by \p Factor one by one: if \p
/// Factor is the same for all terms, or \p X contains another sum, or adds
/// products.
static bool isFactor(const ValueRef &Factor, const ValueRef &X,
                     const SumNest &N) {
  if (hasSum(Factor) || hasSum(X))
    return !hasSum(Factor);
  return !varies(Factor, N) || addsProducts(X, N);
}

/// Whether split() would find more in \p V than one part without a sum.
static bool divides(const ValueRef &V, const SumNest &N) {
  using Kind = Value::Kind;
  if (V->Size > MaxSize)
    return false;
  switch (V->K) {
  case Kind::Add:
  case Kind::Sub:
  case Kind::Fma:
  case Kind::Sum:
    return true;
  case Kind::Neg:
    return divides(V->Ops[0], N);
  case Kind::Select:
    return !hasValues(V->Condition) &&
           ((V->Ops[1]->isConstant(0) && divides(V->Ops[0], N)) ||
            (V->Ops[0]->isConstant(0) && divides(V->Ops[1], N)));
  case Kind::Mul:
    return (isFactor(V->Ops[1], V->Ops[0], N) && divides(V->Ops[0], N)) ||
           (isFactor(V->Ops[0], V->Ops[1], N) && divides(V->Ops[1], N));
  default:
    return false;
  }
}

void TermReader::split(const ValueRef &V, const Wraps &Around, const SumNest &N,
                       std::vector<Part> &Out) const {
  using Kind = Value::Kind;
  auto With = [&](std::function<ValueRef(ValueRef)> Fn) {
    Wraps R = Around;
    R.push_back(std::move(Fn));
    return R;
  };
  auto Negated = [&] {
    return With([](ValueRef X) { return Value::unary(Kind::Neg, X); });
  };
  auto Divides = [&](const ValueRef &X) { return divides(X, N); };
  if (V->Size > MaxSize) {
    Out.push_back({V, Around});
    return;
  }
  switch (V->K) {
  case Kind::Add:
    split(V->Ops[0], Around, N, Out);
    return split(V->Ops[1], Around, N, Out);
  case Kind::Sub:
    split(V->Ops[0], Around, N, Out);
    if (mistaken(Mistake::SumSignDropped))
      return split(V->Ops[1], Around, N, Out);
    return split(V->Ops[1], Negated(), N, Out);
  case Kind::Fma:
    split(Value::binary(Kind::Mul, V->Type, V->Ops[0], V->Ops[1]), Around, N,
          Out);
    // `fmaf(a, b, 0.0f)` begins a chain.
    if (V->Ops[2]->isConstant(0))
      return;
    return split(V->Ops[2], Around, N, Out);
  case Kind::Neg:
    if (Divides(V->Ops[0]))
      return split(V->Ops[0], Negated(), N, Out);
    break;
  case Kind::Select:
    for (unsigned Kept : {0, 1}) {
      const ValueRef Zero = V->Ops[1 - Kept];
      if (!Zero->isConstant(0) || hasValues(V->Condition) ||
          !Divides(V->Ops[Kept]))
        continue;
      BoolExpr When =
          Kept == 0 ? V->Condition : BoolExpr::negation(V->Condition);
      return split(V->Ops[Kept], With([=](ValueRef X) {
                     return Value::select(When, X, Zero);
                   }),
                   N, Out);
    }
    break;
  case Kind::Mul:
    // The type of what another loop added up, or of all that this one adds.
    for (unsigned Side : {0, 1}) {
      const ValueRef &X = V->Ops[Side], Factor = V->Ops[1 - Side];
      if (!isFactor(Factor, X, N) || !Divides(X))
        continue;
      const ScalarType Type = V->Type;
      const unsigned Loc = V->Loc;
      return split(X, With([=](ValueRef Y) {
                     if (Side != 0)
                       return Value::binary(Kind::Mul, Type, Factor, Y);
                     auto R = Value::binary(Kind::Mul, Type, Y, Factor);
                     auto Copy = std::make_shared<Value>(*R);
                     Copy->Loc = Loc;
                     return ValueRef(Copy);
                   }),
                   N, Out);
    }
    break;
  default:
    break;
  }
  Out.push_back({V, Around});
}

/// Terms that alternate, or follow one another, in a body that was unrolled by
/// hand, reduced to the few that a loop would have.
bool TermReader::rollUpParts(SumNest &N, std::vector<ValueRef> &Bodies) {
  const size_t Size = Bodies.size();
  constexpr size_t Most = 64;
  if (Size > Most)
    return false;
  std::vector<BoundLoop> Ends = N.Loops;
  for (BoundLoop &L : Ends)
    L.Trip -= 1;
  const Simplifier Facts(Bounds, std::move(Ends), N.Guard);
  for (size_t Classes = Joiner.KeepParts ? 2 : 1; Classes <= Size / 2;
       ++Classes) {
    if (Size % Classes != 0)
      continue;
    const size_t Times = Size / Classes;
    for (bool InTurns : {true, false}) {
      std::vector<ValueRef> Rolled;
      for (size_t Class = 0; Class < Classes; ++Class) {
        ValueRef Chain;
        for (size_t I = 0; I < Times; ++I) {
          const ValueRef &V =
              Bodies[InTurns ? I * Classes + Class : Class * Times + I];
          Chain =
              Chain ? Value::binary(Value::Kind::Add, V->Type, Chain, V) : V;
        }
        auto One = rollUp(Chain, NextCounter, Facts);
        if (!One || One->second != static_cast<int64_t>(Times))
          break;
        Rolled.push_back(One->first);
      }
      if (Rolled.size() != Classes)
        continue;
      N.Loops.push_back({NextCounter++, IntExpr(static_cast<int64_t>(Times))});
      Joiner.RolledAll |= Classes == 1;
      Bodies = std::move(Rolled);
      return true;
    }
  }
  return false;
}

void TermReader::nest(SumNest N, const Wraps &Around,
                      std::optional<ScalarType> Rounded) {
  if (auto T = parseScalarType(N.Innermost->Name);
      T && (!Rounded || significandBits(*T) < significandBits(*Rounded)))
    Rounded = T;
  // Several variables and a loop over the rest, which the lanes add up.
  N.Body = Joiner.joinTerms(N.Body);
  std::vector<Part> Parts;
  split(N.Body, {}, N, Parts);
  if (Parts.size() == 1 && Parts[0].V->K != Value::Kind::Sum) {
    N.Body = wrap(N.Body, Around);
    Terms.push_back({std::move(N), Rounded});
    return;
  }
  std::vector<ValueRef> Bodies;
  for (const Part &P : Parts)
    if (!hasSum(P.V))
      Bodies.push_back(wrap(P.V, P.Around));
  if (Bodies.size() == Parts.size()) {
    while (rollUpParts(N, Bodies))
      ;
    for (const ValueRef &Body : Bodies) {
      SumNest One = N;
      One.Body = wrap(Body, Around);
      Terms.push_back({std::move(One), Rounded});
    }
    return;
  }
  for (const Part &P : Parts) {
    Wraps All = Around;
    All.insert(All.end(), P.Around.begin(), P.Around.end());
    SumNest One = N;
    if (P.V->K != Value::Kind::Sum || P.V->Type != N.Innermost->Type) {
      // A term that still contains a sum is not a product.
      One.Body = wrap(P.V, All);
      Terms.push_back({std::move(One), Rounded});
      continue;
    }
    const SumNest Inner = Joiner.nestOf(P.V);
    One.Loops.insert(One.Loops.end(), Inner.Loops.begin(), Inner.Loops.end());
    One.Guard = BoolExpr::conjunction(One.Guard, Inner.Guard);
    One.Innermost = Inner.Innermost;
    One.Body = Inner.Body;
    nest(std::move(One), All, Rounded);
  }
}

std::vector<SumTerm> termsOf(const ValueRef &Sum, SumJoiner &Joiner,
                             const Ranges &Bounds, unsigned &NextCounter) {
  TermReader Reader(Joiner, Bounds, NextCounter);
  Reader.read(Sum);
  joinElements(Reader.Terms);
  return std::move(Reader.Terms);
}

} // namespace warpwright::symbolic
