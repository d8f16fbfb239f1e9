//===-- Problem.cpp - What a launcher decides, for one contraction --------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Problem.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace warpwright {
namespace execute {

static constexpr const char *Letters[] = {"b", "m", "n", "k"};

static ArrayAccess makeAccess(const Contraction &C, llvm::StringRef Pointer,
                              ScalarType Type, ArrayUse Use,
                              const IntExpr &Index,
                              const std::optional<IndexRange> &When,
                              NameTable &Names) {
  ArrayAccess A;
  A.Pointer = Pointer.str();
  A.Type = Type;
  A.Use = Use;
  A.Index = CompiledInt(Index, Names);
  A.Text = Index.str();
  A.UsesK = Index.contains("%k");
  for (unsigned I = 0; I < 4; ++I)
    A.Linear[I] =
        Index.coefficient(IntExpr::index(Letters[I]).getAtom()->getKey())
            .has_value();
  if (When) {
    A.Ranging = int(llvm::find(Letters, When->Index) - std::begin(Letters));
    A.Begin = CompiledInt(When->Begin, Names);
    if (When->End)
      A.End = CompiledInt(*When->End, Names);
  }
  const std::optional<IndexForm> Form = C.formOf(Index);
  A.Affine = Form.has_value();
  if (!Form)
    return A;
  for (const IntExpr *E : {&Form->Base, &Form->M, &Form->N, &Form->K})
    A.Form.emplace_back(*E, Names);
  for (const IntExpr &Stride : Form->Batch)
    A.Form.emplace_back(Stride, Names);
  return A;
}

/// Visits every value below \p V once, including bodies of calls.
static void walkValues(const ValueRef &V,
                       llvm::function_ref<void(const Value &)> OnValue,
                       llvm::function_ref<void(const BoolExpr &)> OnCondition) {
  std::set<const Value *> Seen;
  std::vector<ValueRef> Work = {V};
  while (!Work.empty()) {
    ValueRef Next = Work.back();
    Work.pop_back();
    if (!Next || !Seen.insert(Next.get()).second)
      continue;
    OnValue(*Next);
    if (Next->K == Value::Kind::Select) {
      OnCondition(Next->Condition);
      Next->Condition.walk([](const IntExpr &) {},
                           [&](const ValueRef &B) { Work.push_back(B); });
    }
    Work.insert(Work.end(), Next->Ops.begin(), Next->Ops.end());
    Work.push_back(Next->Body);
  }
}

static void collectNullable(const BoolExpr &E, std::vector<std::string> &Out) {
  if (E.getKind() == BoolExpr::Kind::NonNull &&
      !llvm::is_contained(Out, E.getName().str()))
    Out.push_back(E.getName().str());
  for (const BoolExpr &Operand : E.operands())
    collectNullable(Operand, Out);
}

Problem::Problem(const Contraction &C) : C(C) {
  for (unsigned I = 0; I < 4; ++I)
    IndexIds[I] = Names.id((llvm::Twine("%") + Letters[I]).str());
  for (const char *Group : {"blockDim.", "gridDim."})
    for (const char *Dim : {"x", "y", "z"})
      Names.id((llvm::Twine(Group) + Dim).str());
  const IntExpr *All[] = {&C.BatchExtent, &C.MExtent, &C.NExtent, &C.KExtent};
  for (unsigned I = 0; I < 4; ++I)
    ExtentCode[I] = CompiledInt(*All[I], Names);
  for (const IntExpr &Digit : C.BatchDigits)
    Digits.emplace_back(Digit, Names);
  Sums.reserve(C.sumCount()); // factors are pointed to
  for (unsigned I = 0; I != C.sumCount(); ++I) {
    Sums.push_back({C.sum(I), {}});
    SumCode &S = Sums.back();
    for (const Product &Source : S.Source.Products) {
      ProductCode &P = S.Products.emplace_back();
      P.Factors[0] = &Source.A;
      P.Factors[1] = &Source.B;
      P.Subtracted = Source.Subtracted;
      P.Extent = CompiledInt(S.Source.extentOf(Source), Names);
      if (Source.Scale)
        P.Scale = CompiledValue(Source.Scale, Names);
      for (unsigned Side : {0, 1}) {
        P.Indices[Side] = CompiledInt(P.Factors[Side]->Index, Names);
        if (P.Factors[Side]->Prologue)
          P.Prologues[Side] = CompiledValue(P.Factors[Side]->Prologue, Names);
      }
    }
  }
  llvm::StringSet<> Seen;
  auto Add = [&](llvm::StringRef Pointer, ScalarType Type, ArrayUse Use,
                 const IntExpr &Index, const std::optional<IndexRange> &When,
                 unsigned Sum, unsigned Product) {
    // The same letter is another index in each range.
    std::string Key = (Pointer + "[" + Index.str() + "]:" + name(Type)).str();
    if (When)
      Key += " when %" + When->Index + ": " + When->condition().str();
    if (Index.contains("%k")) {
      const Accumulation &S = Sums[Sum].Source;
      Key += " for " + S.extentOf(S.Products[Product]).str();
    }
    const bool New = Seen.insert(Key).second;
    if (!New && Use == ArrayUse::Input)
      return;
    Accesses.push_back(makeAccess(C, Pointer, Type, Use, Index, When, Names));
    Accesses.back().Sum = Sum;
    Accesses.back().Product = Product;
  };
  struct Root {
    ValueRef Value;
    std::optional<IndexRange> When;
    unsigned Sum, Product;
  };
  std::vector<Root> Roots;
  for (unsigned I = 0; I != Sums.size(); ++I)
    for (unsigned J = 0; J != Sums[I].Products.size(); ++J)
      for (const Operand *O : Sums[I].Products[J].Factors) {
        Add(O->Pointer, O->Type, ArrayUse::Operand, O->Index, std::nullopt, I,
            J);
        Roots.push_back({O->Prologue, std::nullopt, I, J});
      }
  Seen.clear(); // inputs are compared with outputs only
  for (const Output &O : C.Outputs) {
    Add(O.Pointer, O.Type, ArrayUse::Output, O.Index, O.When, 0, 0);
    OutputIndices.emplace_back(O.Index, Names);
    OutputValues.emplace_back(O.Value, Names);
    OutputConditions.emplace_back(O.When ? O.When->condition()
                                         : BoolExpr::constant(true),
                                  Names, nullptr);
  }
  for (const Output &O : C.Outputs)
    Roots.push_back({O.Value, O.When, 0, 0});
  for (const Root &R : Roots)
    walkValues(
        R.Value,
        [&](const Value &V) {
          if (V.K == Value::Kind::Load)
            Add(V.Name, V.Type, ArrayUse::Input, V.Index, R.When, R.Sum,
                R.Product);
        },
        [&](const BoolExpr &E) { collectNullable(E, Nullable); });
  for (const Requirement &R : C.Requires) {
    llvm::SmallVector<BoolExpr, 4> Parts;
    R.Condition.conjuncts(Parts);
    for (const BoolExpr &E : Parts) {
      Need N;
      N.Reason = R.Reason;
      collectNullable(E, Nullable);
      bool HasValues = false;
      E.walk([](const IntExpr &) {},
             [&](const ValueRef &) { HasValues = true; });
      if (HasValues)
        N.AsValue = CompiledValue(
            Value::select(E, Value::constant(ScalarType::F32, "1"),
                          Value::constant(ScalarType::F32, "0")),
            Names);
      N.Condition = CompiledBool(E, Names, nullptr);
      N.Condition.names(N.Ids);
      if (E.getKind() == BoolExpr::Kind::Compare) {
        N.Op = E.getOp();
        N.L = CompiledInt(E.getLHS(), Names);
        N.R = CompiledInt(E.getRHS(), Names);
      }
      Needs.push_back(std::move(N));
    }
  }
}

std::array<Wide, 4> Problem::extents(const Environment &Env) const {
  std::array<Wide, 4> Result;
  for (unsigned I = 0; I < 4; ++I)
    Result[I] = ExtentCode[I].evaluate(Env);
  return Result;
}

int64_t Problem::terms(unsigned Sum, unsigned Product,
                       const Environment &Env) const {
  const Wide Terms = Sums[Sum].Products[Product].Extent.evaluate(Env);
  return static_cast<int64_t>(
      std::min<Wide>(std::max<Wide>(Terms, 0), Wide(1) << 40));
}

Wide Problem::termsOfAll(const Environment &Env, Wide Extent) const {
  Wide All = 0;
  for (unsigned I = 0; I != Sums.size(); ++I)
    for (unsigned J = 0; J != Sums[I].Products.size(); ++J)
      All = add(All, I || J ? Wide(terms(I, J, Env)) : Extent);
  return All;
}

unsigned Problem::leastDigits() const {
  unsigned Least = 0;
  for (const SumCode &S : Sums) {
    const unsigned Digits = isFloating(S.Source.OriginalAccType)
                                ? significandBits(S.Source.OriginalAccType)
                                : 24;
    Least = Least ? std::min(Least, Digits) : Digits;
  }
  return Least;
}

bool Problem::holds(Need &N, const Environment &Env) const {
  if (N.AsValue.empty())
    return N.Condition.evaluate(Env, {}).value_or(false);
  std::string Unused;
  auto NoCall = [](llvm::StringRef, ScalarType,
                   llvm::ArrayRef<Num>) -> std::optional<Evaluated> {
    return std::nullopt;
  };
  const Evaluated E = N.AsValue.evaluate(Env, {}, NoCall, Unused);
  return E.Valid && E.Value.real() != 0;
}

Reach Problem::reach(const ArrayAccess &A, Environment &Env,
                     const Extents &OfFirst) const {
  Reach R;
  Extents Extent = OfFirst;
  if (A.Sum || A.Product)
    Extent[3] = terms(A.Sum, A.Product, Env);
  if (A.Ranging >= 0 && span(A, unsigned(A.Ranging), Env, Extent).Count == 0) {
    R.None = true;
    return R;
  }
  if (A.Affine) {
    R.Lo = R.Hi = A.Form[0].evaluate(Env);
    R.Furthest = R.Hi < 0 ? -R.Hi : R.Hi;
    const std::vector<Span> Spans = spans(A, Env, Extent);
    for (size_t I = 0; I != Spans.size(); ++I) {
      const Wide Stride = A.Form[I + 1].evaluate(Env);
      const Wide First = multiply(Stride, Spans[I].First);
      const Wide Last =
          add(First, multiply(Stride, std::max<Wide>(Spans[I].Count, 1) - 1));
      R.Lo = add(R.Lo, std::min(First, Last));
      R.Hi = add(R.Hi, std::max(First, Last));
      R.Furthest = add(R.Furthest, std::max({First, -First, Last, -Last}));
    }
    return R;
  }
  bool First = true;
  const Extents Saved = {Env.Ints[IndexIds[0]], Env.Ints[IndexIds[1]],
                         Env.Ints[IndexIds[2]], Env.Ints[IndexIds[3]]};
  int64_t Index[4];
  const int64_t LastK = A.UsesK ? Extent[3] : 1;
  // Extents are small where this matters; elsewhere a sample is sufficient. The
  // first and the last number of an index are sufficient where it is affine.
  auto Advance = [&](unsigned I, int64_t Extent) {
    const int64_t Last = Extent - 1,
                  Step =
                      std::max<int64_t>(1, A.Linear[I] ? Last : Extent / 256);
    Index[I] = Index[I] < Last ? std::min(Index[I] + Step, Last) : Extent;
  };
  int64_t Begin[3];
  for (unsigned I = 0; I != 3; ++I) {
    const Span Numbers = span(A, I, Env, OfFirst);
    Begin[I] = static_cast<int64_t>(Numbers.First);
    Extent[I] = static_cast<int64_t>(Numbers.First + Numbers.Count);
  }
  for (Index[0] = Begin[0]; Index[0] < Extent[0]; Advance(0, Extent[0]))
    for (Index[1] = Begin[1]; Index[1] < Extent[1]; Advance(1, Extent[1]))
      for (Index[2] = Begin[2]; Index[2] < Extent[2]; Advance(2, Extent[2]))
        for (Index[3] = 0; Index[3] < LastK; Advance(3, LastK)) {
          for (unsigned I = 0; I < 4; ++I)
            Env.Ints[IndexIds[I]] = Index[I];
          const Wide X = A.Index.evaluate(Env);
          R.Lo = First ? X : std::min(R.Lo, X);
          R.Hi = First ? X : std::max(R.Hi, X);
          First = false;
        }
  for (unsigned I = 0; I < 4; ++I)
    Env.Ints[IndexIds[I]] = Saved[I];
  R.Furthest = std::max(R.Hi, -R.Lo);
  return R;
}

Span Problem::span(const ArrayAccess &A, unsigned I, const Environment &Env,
                   const Extents &Extent) const {
  if (A.Ranging != int(I))
    return {0, Extent[I]};
  const Wide First = std::clamp<Wide>(A.Begin.evaluate(Env), 0, Extent[I]);
  const Wide End =
      A.End ? std::clamp<Wide>(A.End->evaluate(Env), First, Extent[I])
            : Wide(Extent[I]);
  return {First, End - First};
}

std::vector<Span> Problem::spans(const ArrayAccess &A, const Environment &Env,
                                 const Extents &Extent) const {
  std::vector<Span> Spans;
  for (const unsigned I : {1, 2, 3})
    Spans.push_back(span(A, I, Env, Extent));
  for (const CompiledInt &Digit : Digits)
    Spans.push_back({0, Digit.evaluate(Env)});
  if (Digits.empty())
    Spans.push_back(span(A, 0, Env, Extent));
  return Spans;
}

/// Whether two accesses step through one array so that they never meet
/// (rt::Array::is_beside).
bool Problem::areBeside(const ArrayAccess &A, const ArrayAccess &B,
                        Environment &Env, const Extents &Extent) const {
  if (!A.Affine || !B.Affine || A.Type != B.Type ||
      Env.Arrays[A.Pointer].Address != Env.Arrays[B.Pointer].Address)
    return false;
  Wide Common = 0;
  for (const ArrayAccess *X : {&A, &B})
    for (const CompiledInt &Stride : llvm::drop_begin(X->Form))
      for (Wide Rest = Stride.evaluate(Env); Rest != 0;)
        Common = std::exchange(Rest, Common % Rest);
  Wide Distance = A.Form[0].evaluate(Env) - B.Form[0].evaluate(Env);
  if (Common != 0 && Distance % Common != 0)
    return true;
  // Each index steps over all that those with smaller steps reach; which of the
  // two it is counts as one.
  std::vector<std::pair<Wide, Wide>> Steps;
  const std::vector<Span> OfA = spans(A, Env, Extent),
                          OfB = spans(B, Env, Extent);
  for (size_t I = 0; I != OfA.size(); ++I) {
    const Wide Stride = A.Form[I + 1].evaluate(Env);
    if (Stride != B.Form[I + 1].evaluate(Env))
      return false;
    // k is no index of an output.
    const Wide Count = std::max(OfA[I].Count, OfB[I].Count);
    if (Count > 1 && I != 2)
      Steps.emplace_back(Stride, Count);
    Distance = add(Distance, multiply(Stride, OfA[I].First - OfB[I].First));
  }
  Steps.emplace_back(Distance < 0 ? -Distance : Distance, 2);
  llvm::sort(Steps);
  Wide Span = 1;
  for (const auto &[Stride, Count] : Steps) {
    if (Stride < Span)
      return false;
    Span = add(Span, multiply(Stride, Count - 1));
  }
  return true;
}

std::string Problem::refuses(Environment &Env) {
  const std::array<Wide, 4> Sizes = extents(Env);
  Extents Extent;
  for (unsigned I = 0; I < 4; ++I) {
    if (Sizes[I] <= 0)
      return std::string("nothing to compute along ") + Letters[I];
    if (Sizes[I] > (1 << 30))
      return "an extent is beyond 2^30";
    Extent[I] = static_cast<int64_t>(Sizes[I]);
  }
  for (Need &N : Needs)
    if (!holds(N, Env))
      return N.Reason;
  struct Bytes {
    Wide Lo, Hi;
  };
  std::vector<std::optional<Bytes>> Touched;
  for (const ArrayAccess &A : Accesses) {
    auto It = Env.Arrays.find(A.Pointer);
    if (It == Env.Arrays.end())
      return "'" + A.Pointer + "' is no array of the kernel";
    const Reach R = reach(A, Env, Extent);
    if (R.None || It->second.Null) {
      if (!R.None && A.Use != ArrayUse::Input)
        return A.Pointer + " is null";
      Touched.push_back(std::nullopt);
      continue;
    }
    const bool Narrow = C.IndexBits <= 32;
    if (Narrow && C.IndexSigned &&
        (R.Furthest > std::numeric_limits<int32_t>::max() ||
         R.Lo < std::numeric_limits<int32_t>::min()))
      return A.Pointer + ": an index is out of its type's range";
    if (Narrow && !C.IndexSigned &&
        (R.Lo < 0 || R.Hi > std::numeric_limits<uint32_t>::max()))
      return A.Pointer + ": an index is out of its type's range";
    const Wide Limit = std::numeric_limits<int64_t>::max() / 16;
    if (R.Lo < -Limit || R.Hi > Limit)
      return A.Pointer + ": an index is out of its type's range";
    const Wide Start = static_cast<Wide>(It->second.Address);
    const unsigned Size = byteSize(A.Type);
    Touched.push_back(
        Bytes{Start + R.Lo * Size, Start + R.Hi * Size + Size - 1});
  }
  for (size_t O = 0; O < Accesses.size(); ++O) {
    if (Accesses[O].Use != ArrayUse::Output || !Touched[O])
      continue;
    for (size_t I = 0; I < Accesses.size(); ++I) {
      if (I == O || !Touched[I] ||
          (Accesses[I].Use == ArrayUse::Output && I < O))
        continue;
      if (areBeside(Accesses[O], Accesses[I], Env, Extent))
        continue;
      if (Touched[I]->Hi < Touched[O]->Lo || Touched[O]->Hi < Touched[I]->Lo)
        continue;
      // Each element is read by the thread that then writes it.
      const ArrayAccess &Out = Accesses[O], &In = Accesses[I];
      bool Same =
          In.Use == ArrayUse::Input && Out.Affine && In.Affine &&
          Out.Type == In.Type &&
          Env.Arrays[Out.Pointer].Address == Env.Arrays[In.Pointer].Address;
      for (size_t S = 0; Same && S < Out.Form.size(); ++S)
        Same = Out.Form[S].evaluate(Env) == In.Form[S].evaluate(Env);
      Same = Same && spans(Out, Env, Extent) == spans(In, Env, Extent);
      if (Same && (!C.LoadsAfterStores || Out.Pointer == In.Pointer))
        continue;
      return Out.Pointer + " overlaps " + In.Pointer;
    }
  }
  return "";
}

} // namespace execute
} // namespace warpwright
