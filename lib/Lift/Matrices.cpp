//===-- Matrices.cpp - mma.sync and ldmatrix ------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In PTX a warp multiplies matrices of which each thread has a few elements in
/// registers; PTX specifies which ones. All 32 lanes execute the instruction,
/// so the value that another lane has in a register is the expression of this
/// lane, with the other lane's number in it. An element of the product is
/// therefore a sum over values of this kernel, like any other.
///
/// Source: the PTX ISA, "Warp-level matrix instructions": the matrix fragments
/// for mma.m8n8k4 of doubles, mma.m8n8k16 of bytes, and mma.m16n8k4 to
/// mma.m16n8k32, and ldmatrix.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "MatrixForms.h"
#include "Mistakes.h"
#include "RollUp.h"
#include "Simplify.h"
#include "Sums.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

bool isWarpUniform(const IntExpr &E, int64_t Lanes) {
  IntExpr Tx = IntExpr::special(AtomKind::ThreadIdx, 0);
  IntExpr Width = IntExpr::special(AtomKind::BlockDim, 0);
  if (mistaken(Mistake::HalfAWarp))
    Lanes = std::min<int64_t>(Lanes, 16);
  auto Whole = [&](const IntExpr &X) {
    return llvm::all_of(X.terms(), [&](const auto &T) {
      return T.second % Lanes == 0 ||
             llvm::any_of(T.first, [&](const AtomRef &A) {
               return A->getKey() == Width.str();
             });
    });
  };
  IntExpr Rest = E.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
    auto D = A.getKind() == AtomKind::FloorDiv ? A.getRHS().getConstant()
                                               : std::nullopt;
    if (D && *D > 0 && *D % Lanes == 0 && Whole(A.getLHS() - Tx))
      return IntExpr();
    return std::nullopt;
  });
  return !Rest.contains(Tx.str());
}

bool holdsForWarp(const BoolExpr &B, int64_t Lanes) {
  switch (B.getKind()) {
  case BoolExpr::Kind::And:
  case BoolExpr::Kind::Or:
  case BoolExpr::Kind::Not:
    return llvm::all_of(B.operands(), [&](const BoolExpr &Part) {
      return holdsForWarp(Part, Lanes);
    });
  case BoolExpr::Kind::Compare: {
    if (isWarpUniform(B.getLHS(), Lanes) && isWarpUniform(B.getRHS(), Lanes))
      return true;
    // `threadIdx.x < 32`: an integer is negative if its quotient is.
    std::vector<IntExpr> NotNegative;
    asNotNegative(B, NotNegative);
    const int64_t Group =
        mistaken(Mistake::HalfAWarp) ? std::min<int64_t>(Lanes, 16) : Lanes;
    auto IsUniform = [&](const IntExpr &E) {
      return !E.overflowed() &&
             isWarpUniform(IntExpr::floorDiv(E, IntExpr(Group)), Lanes);
    };
    return NotNegative.size() == 1 &&
           (IsUniform(NotNegative[0]) || IsUniform(-NotNegative[0] - 1));
  }
  case BoolExpr::Kind::FloatCmp:
    return false;
  case BoolExpr::Kind::Constant:
  case BoolExpr::Kind::NonNull:
    return true;
  }
  llvm_unreachable("covered switch");
}

bool Executor::reachedByWarp(llvm::StringRef What, int64_t Lanes) {
  auto IsUniform = [&](const IntExpr &E) { return isWarpUniform(E, Lanes); };
  bool Uniform = holdsForWarp(totalActive(), Lanes);
  for (const BoundLoop &L : LiveLoops)
    Uniform &= IsUniform(L.Trip);
  if (!Uniform) {
    wantAllThreads(totalActive(), IsUniform);
    return fail(DiagID::DivergentBarrier, here(),
                "only some threads of a warp may reach this " + What);
  }
  requireWholeWarps();
  return true;
}

/// The number of a thread in its warp, where the width of a block is a multiple
/// of that of a warp.
static IntExpr lane() {
  return IntExpr::mod(IntExpr::special(AtomKind::ThreadIdx, 0), WarpLanes);
}

/// Replaces threadIdx.x by that of \p Lane of the same warp.
static auto inLane(IntExpr Lane) {
  IntExpr Tx = IntExpr::special(AtomKind::ThreadIdx, 0);
  IntExpr There =
      IntExpr(WarpLanes) * IntExpr::floorDiv(Tx, IntExpr(WarpLanes)) + Lane;
  return [Key = Tx.str(), There](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKey() == Key)
      return There;
    return std::nullopt;
  };
}

//===----------------------------------------------------------------------===//
// ldmatrix
//===----------------------------------------------------------------------===//

std::optional<LoadMatrixForm> LoadMatrixForm::parse(llvm::StringRef Word) {
  llvm::SmallVector<llvm::StringRef, 8> Parts;
  Word.split(Parts, '.');
  if (Parts.front() != "ldmatrix" || Parts.back() != "b16")
    return std::nullopt;
  LoadMatrixForm F;
  // ptxas accepts the shape and the number in either order.
  bool Sync = false, Aligned = false, Shape = false, Shared = false;
  for (llvm::StringRef P : llvm::ArrayRef(Parts).drop_front().drop_back()) {
    if (P == "sync")
      Sync = true;
    else if (P == "aligned")
      Aligned = true;
    else if (P == "m8n8")
      Shape = true;
    else if (P == "shared" || P == "shared::cta")
      Shared = true;
    else if (P == "trans")
      F.Transposed = true;
    else if (P == "x1" || P == "x2" || P == "x4")
      F.Count = P[1] - '0';
    else
      return std::nullopt;
  }
  if (!Sync || !Aligned || !Shape || F.Count == 0)
    return std::nullopt;
  F.Generic = !Shared;
  return F;
}

std::vector<SymValue> Executor::loadMatrices(const LoadMatrixForm &F,
                                             const SymValue &Address) {
  auto All = [&](const SymValue &V) {
    return std::vector<SymValue>(F.Count, SymValue::aggregate({V, V}));
  };
  if (!reachedByWarp("ldmatrix"))
    return {};
  if (Address.is(VK::Unknown))
    return All(Address);
  if (!Address.is(VK::Pointer) || Address.Array.empty() ||
      Address.Array[0] != '!')
    return All(unknown(DiagID::UnsupportedExpression,
                       "the address of this matrix is not understood"));
  UsesLanes = true;
  Simplifier Facts(Bounds, bodyLoops(), totalActive());
  const IntExpr Group = IntExpr::floorDiv(lane(), IntExpr(4)),
                Pair = IntExpr(2) * IntExpr::mod(lane(), IntExpr(4));
  std::vector<SymValue> Result;
  for (unsigned N = 0; N < F.Count; ++N) {
    // Lane 8 * N + i has the address of row i of matrix N. A thread gets the
    // elements Pair and Pair + 1 of row Group; with .trans, element Group of
    // these rows.
    std::vector<SymValue> Elements;
    for (int64_t E = 0; E < 2; ++E) {
      IntExpr Row = Group, Column = Pair + IntExpr(E);
      if (F.Transposed)
        std::swap(Row, Column);
      SymValue P = Address;
      P.I = Facts.simplify(Address.I.transform(
                inLane(IntExpr(static_cast<int64_t>(8 * N)) + Row))) +
            IntExpr(2) * Column;
      Elements.push_back(loadPiece(P, 2));
      if (Failed)
        return {};
      if (Elements.back().is(VK::Unknown))
        return All(Elements.back());
    }
    // Two bytes each.
    if (llvm::all_of(Elements, [](const SymValue &V) {
          return V.is(VK::Aggregate) && V.Fields.size() == 2;
        })) {
      const std::vector<SymValue> Pairs = std::exchange(Elements, {});
      for (const SymValue &V : Pairs)
        Elements.insert(Elements.end(), V.Fields.begin(), V.Fields.end());
    }
    Result.push_back(SymValue::aggregate(std::move(Elements)));
  }
  return Result;
}

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

std::optional<MultiplyForm> MultiplyForm::parse(llvm::StringRef Word) {
  llvm::SmallVector<llvm::StringRef, 10> Parts;
  Word.split(Parts, '.');
  // mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32: D, A, B, C.
  if (Parts.size() != 10 || Parts[0] != "mma" || Parts[1] != "sync" ||
      Parts[2] != "aligned" || Parts[4] != "row" || Parts[5] != "col" ||
      Parts[6] != Parts[9])
    return std::nullopt;
  MultiplyForm F;
  llvm::StringRef K = Parts[3], Factor = Parts[7], Sum = Parts[6];
  F.Groups = K.starts_with("m8") ? 1 : 2;
  if (!K.consume_front("m16n8k") && !K.consume_front("m8n8k"))
    return std::nullopt;
  auto TypeOfByte = [](llvm::StringRef Name) {
    return Name == "s8"   ? std::optional(ScalarType::I8)
           : Name == "u8" ? std::optional(ScalarType::U8)
                          : std::nullopt;
  };
  llvm::StringRef One = "8", Two = "16";
  if (auto L = TypeOfByte(Factor), R = TypeOfByte(Parts[8]);
      L && R && Sum == "s32") {
    F.Left = *L, F.Right = *R, F.Sum = ScalarType::I32;
    F.Packed = 4;
    One = "16", Two = F.Groups == 2 ? "32" : "";
  } else if (Factor != Parts[8]) {
    return std::nullopt;
  } else if (Factor == "f64" && Sum == "f64" && F.Groups == 1) {
    F.Left = F.Right = F.Sum = ScalarType::F64;
    F.Packed = 1;
    One = "4", Two = "";
  } else {
    F.Sum = Sum == "f16" ? ScalarType::F16 : ScalarType::F32;
    F.Tf32 = Factor == "tf32";
    F.Left = F.Right = F.Tf32             ? ScalarType::F32
                       : Factor == "bf16" ? ScalarType::BF16
                                          : ScalarType::F16;
    F.Packed = F.Tf32 ? 1 : 2;
    const bool Known = Factor == "f16"
                           ? Sum == "f32" || Sum == "f16"
                           : (Factor == "bf16" || F.Tf32) && Sum == "f32";
    if (!Known || F.Groups == 1)
      return std::nullopt;
    if (F.Tf32)
      One = "4", Two = "8";
  }
  if (K != One && K != Two)
    return std::nullopt;
  F.Halves = K == One ? 1 : 2;
  return F;
}

/// The \p Count numbers of type \p T in \p Register; \p As converts each of
/// them.
static std::optional<std::vector<SymValue>>
numbersIn(const SymValue &Register, unsigned Count,
          llvm::function_ref<SymValue(const SymValue &)> As, ScalarType T) {
  std::vector<SymValue> Numbers;
  if (Count == 1)
    Numbers = {Register};
  else if (Register.is(VK::Aggregate) && Register.Fields.size() == Count)
    Numbers = Register.Fields;
  else if (Register.is(VK::Int) && Register.I.isZero())
    Numbers.assign(Count, SymValue::exact(IntExpr(), 16));
  else
    return std::nullopt;
  for (SymValue &N : Numbers) {
    if (N.is(VK::Int))
      N = As(N);
    if (!N.is(VK::Scalar) || N.S->Type != T)
      return std::nullopt;
  }
  return Numbers;
}

const std::array<unsigned, 3> &Executor::termCounters() {
  if (!TermCounters)
    TermCounters = {NextCounter, NextCounter + 1, NextCounter + 2},
    NextCounter += 3;
  return *TermCounters;
}

/// The expression in the counter for place that gives \p Elements. Null if
/// there is none.
static ValueRef throughPlaces(llvm::ArrayRef<ValueRef> Elements, unsigned Place,
                              const Simplifier &Facts) {
  if (Elements.size() == 1)
    return Elements[0];
  ValueRef Line =
      interpolate(Elements[0], Elements[1], IntExpr::counter(Place));
  for (size_t N = 2; N < Elements.size() && Line; ++N) {
    const ValueRef There =
        transformInts(Line, [&](const IntAtom &A) -> std::optional<IntExpr> {
          if (A.getKey() != IntExpr::counter(Place).str())
            return std::nullopt;
          return IntExpr(static_cast<int64_t>(N));
        });
    if (!sameValue(Facts.simplify(There), Elements[N]))
      return nullptr;
  }
  return Line;
}

/// The expression in counters for half and place that gives \p Elements, which
/// are all places of a register in each half. Null if there is none.
static ValueRef throughTerms(llvm::ArrayRef<ValueRef> Elements,
                             const MultiplyForm &F, unsigned Half,
                             unsigned Place, const Simplifier &Facts) {
  ValueRef Halves[2];
  for (unsigned H = 0; H < F.Halves; ++H) {
    Halves[H] =
        throughPlaces(Elements.slice(H * F.Packed, F.Packed), Place, Facts);
    if (!Halves[H])
      return nullptr;
  }
  return F.Halves == 1
             ? Halves[0]
             : interpolate(Halves[0], Halves[1], IntExpr::counter(Half));
}

/// PTX does not define the product of tf32 with other floats (PTX ISA, "mma").
static bool isRounded(const ValueRef &V) {
  if (V->K == Value::Kind::Select)
    return isRounded(V->Ops[0]) && isRounded(V->Ops[1]);
  return (V->K == Value::Kind::Int && V->Index.isZero()) ||
         (V->K == Value::Kind::Call &&
          llvm::StringRef(V->Name).ends_with("__float_to_tf32"));
}

/// Whether \p V cannot be used for another lane, because it is not known yet or
/// is a sum.
static bool isOpenNumber(const ValueRef &V) {
  return V->containsKind(Value::Kind::Sum) ||
         V->containsKind(Value::Kind::Phi) ||
         mentionsAny(
             V, [](llvm::StringRef Key) { return Key.starts_with(PhiPrefix); });
}

std::vector<SymValue>
Executor::multiplyMatrices(const MultiplyForm &F,
                           llvm::ArrayRef<SymValue> Registers) {
  const size_t Sums = F.sums();
  const bool Pairs = F.Sum == ScalarType::F16;
  // A value that is not known yet is at the same places as a known one.
  auto All = [&](const SymValue &V) {
    return std::vector<SymValue>(Sums, Pairs ? SymValue::aggregate({V, V}) : V);
  };
  if (!reachedByWarp("mma.sync"))
    return {};
  for (const SymValue &V : Registers) {
    if (V.is(VK::Unknown))
      return All(V);
    if (V.is(VK::Aggregate))
      for (const SymValue &Field : V.Fields)
        if (Field.is(VK::Unknown))
          return All(Field);
  }
  UsesLanes = true;
  // The terms of a sum, k = Packed * (4 * half + quad) + place.
  const unsigned Half = termCounters()[0], Quad = termCounters()[1],
                 Place = termCounters()[2];
  std::vector<BoundLoop> Loops = bodyLoops();
  Loops.push_back({Half, IntExpr(static_cast<int64_t>(F.Halves) - 1)});
  Loops.push_back({Quad, IntExpr(3)});
  Loops.push_back({Place, IntExpr(static_cast<int64_t>(F.Packed) - 1)});
  Simplifier Facts(Bounds, Loops, totalActive());
  std::optional<SymValue> Bad;
  auto NotUnderstood = [&](DiagID ID, llvm::Twine Why) {
    if (!Bad)
      Bad = unknown(ID, Why);
    return ValueRef();
  };
  // The registers at \p From, each \p Step behind the previous one, in \p Lane,
  // as expressions in half and place.
  auto Factor = [&](size_t From, size_t Step, const IntExpr &Lane,
                    ScalarType T) {
    std::vector<ValueRef> Elements;
    for (unsigned H = 0; H < F.Halves; ++H) {
      const SymValue &Register = Registers[From + H * Step];
      auto Numbers =
          F.Packed == 4
              ? std::optional(bytesOf(Register, T))
              : numbersIn(
                    Register, F.Packed,
                    [&](const SymValue &V) { return asNumber(V, T); }, T);
      if (Numbers)
        for (const SymValue &V : *Numbers)
          if (!V.is(VK::Scalar)) {
            if (!Bad)
              Bad = V;
            return ValueRef();
          }
      if (!Numbers && !F.Tf32)
        return NotUnderstood(DiagID::UnsupportedType,
                             "the registers of a matrix do not hold numbers of "
                             "the type that is multiplied");
      if (!Numbers || (F.Tf32 && !isRounded((*Numbers)[0].S)))
        return NotUnderstood(DiagID::UnsupportedExpression,
                             "the elements of a tf32 matrix are not rounded by "
                             "cvt.rna.tf32.f32");
      for (const SymValue &V : *Numbers) {
        if (!Probing && isOpenNumber(V.S))
          return NotUnderstood(DiagID::NotASum,
                               "what is multiplied depends on what other "
                               "iterations have computed");
        Elements.push_back(Facts.simplify(V.S));
      }
    }
    ValueRef Line = throughTerms(Elements, F, Half, Place, Facts);
    if (!Line)
      return NotUnderstood(DiagID::UnsupportedExpression,
                           "the registers of a matrix hold elements that are "
                           "not the same distance apart");
    return Facts.simplify(transformInts(Line, inLane(Lane)));
  };
  const IntExpr Group = IntExpr::floorDiv(lane(), IntExpr(4)),
                InGroup = IntExpr::mod(lane(), IntExpr(4));
  const IntExpr AtQuad = IntExpr::counter(Quad);
  const size_t FirstB = F.Groups * F.Halves, FirstC = FirstB + F.Halves;
  // The rows Group and Group + 8, the columns 2 * InGroup and the one after.
  std::vector<ValueRef> Left, Right;
  for (unsigned N = 0; N < F.Groups; ++N)
    Left.push_back(Factor(N, F.Groups, IntExpr(4) * Group + AtQuad, F.Left));
  for (int64_t N = 0; N < 2; ++N)
    Right.push_back(Factor(
        FirstB, 1, IntExpr(4) * (IntExpr(2) * InGroup + IntExpr(N)) + AtQuad,
        F.Right));
  if (Bad)
    return All(*Bad);
  auto Summed = [&](unsigned Counter, unsigned Count, ValueRef Body) {
    auto Node = std::make_shared<Value>(Value::Kind::Sum, F.Sum);
    Node->Counter = Counter;
    Node->Index = IntExpr(static_cast<int64_t>(Count));
    Node->Loc = here().getRawEncoding();
    Node->setOperands({std::move(Body)});
    return ValueRef(Node);
  };
  std::vector<SymValue> Elements;
  const ScalarType OfProduct = Pairs ? ScalarType::F32 : F.Sum;
  for (unsigned N = 0; N < 2 * F.Groups; ++N) {
    auto Product = Value::binary(Value::Kind::Mul, OfProduct,
                                 Value::cast(OfProduct, Left[N / 2]),
                                 Value::cast(OfProduct, Right[N % 2]));
    ValueRef More = Value::cast(F.Sum, Product);
    if (F.Packed > 1)
      More = Summed(Place, F.Packed, std::move(More));
    More = Summed(Quad, 4, std::move(More));
    if (F.Halves == 2)
      More = Summed(Half, 2, std::move(More));
    auto Before = numbersIn(
        Registers[FirstC + (Pairs ? N / 2 : N)], Pairs ? 2 : 1,
        [&](const SymValue &V) { return asNumber(V, F.Sum); }, F.Sum);
    // The type of a value that a loop passes on is known only after an
    // iteration was executed.
    if (!Before && Probing) {
      Elements.push_back(SymValue::scalar(More));
      continue;
    }
    if (!Before)
      return All(unknown(DiagID::UnsupportedType,
                         "the registers of a sum do not hold numbers of its "
                         "type"));
    Elements.push_back(numbered(Value::binary(
        Value::Kind::Add, F.Sum, (*Before)[Pairs ? N % 2 : 0].S, More)));
  }
  if (!Pairs)
    return Elements;
  return {SymValue::aggregate({Elements[0], Elements[1]}),
          SymValue::aggregate({Elements[2], Elements[3]})};
}

} // namespace warpwright::symbolic
