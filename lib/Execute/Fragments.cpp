//===-- Fragments.cpp - Matrix fragments of a warp ------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fragments.h"
#include "Interpreter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <random>

namespace warpwright {
namespace execute {

unsigned FragmentType::perLane() const {
  // PTX ISA, "Matrix fragments for wmma": half operands of every shape are a
  // vector of eight .f16x2 registers, which is 16 elements for each thread.
  if (Part != Use::Accumulator && Element == ScalarType::F16)
    return 16;
  return Rows * Columns / WarpLanes;
}

unsigned FragmentOperation::arguments() const {
  switch (Code) {
  case Kind::Load:
    return 2; // address and stride
  case Kind::Store:
    return 2 + Matrix.slots();
  case Kind::Multiply:
    return A.slots() + B.slots() + Old.slots();
  }
  return 0;
}

/// Sets the type of elements from its name in PTX.
static bool setElement(FragmentType &T, llvm::StringRef Name) {
  auto Element = llvm::StringSwitch<std::optional<ScalarType>>(Name)
                     .Case("f16", ScalarType::F16)
                     .Case("bf16", ScalarType::BF16)
                     .Cases({"f32", "tf32"}, ScalarType::F32)
                     .Case("f64", ScalarType::F64)
                     .Case("s8", ScalarType::I8)
                     .Case("u8", ScalarType::U8)
                     .Case("s32", ScalarType::I32)
                     .Default(std::nullopt);
  T.Element = Element.value_or(T.Element);
  T.Tf32 = Name == "tf32";
  return Element.has_value();
}

static std::optional<bool> isByRows(llvm::StringRef Name) {
  if (Name == "row" || Name == "col")
    return Name == "row";
  return std::nullopt;
}

/// The type of sums of products of \p T that the intrinsic does not name.
static ScalarType sumOf(const FragmentType &T) {
  switch (T.Element) {
  case ScalarType::I8:
  case ScalarType::U8:
    return ScalarType::I32;
  case ScalarType::F64:
    return ScalarType::F64;
  default:
    return ScalarType::F32;
  }
}

/// Whether operands of this type are multiplied in this shape.
static bool isShape(unsigned M, unsigned N, unsigned K, const FragmentType &T) {
  if (T.Element == ScalarType::F64)
    return M == 8 && N == 8 && K == 4;
  if (T.Tf32)
    return M == 16 && N == 16 && K == 8;
  return K == 16 &&
         ((M == 16 && N == 16) || (M == 32 && N == 8) || (M == 8 && N == 32));
}

std::optional<FragmentOperation> parseFragmentOperation(llvm::StringRef Name) {
  llvm::SmallVector<llvm::StringRef, 8> Words;
  Name.split(Words, '.');
  // m16n16k16.load.a.row.stride.f16.p0, m16n16k16.mma.row.col.bf16
  unsigned M = 0, N = 0, K = 0;
  llvm::StringRef Shape = Words[0];
  if (Words.size() < 5 || !Shape.consume_front("m") ||
      Shape.consumeInteger(10, M) || !Shape.consume_front("n") ||
      Shape.consumeInteger(10, N) || !Shape.consume_front("k") ||
      Shape.getAsInteger(10, K))
    return std::nullopt;
  using Use = FragmentType::Use;
  auto Matrix = [&](Use Part) {
    FragmentType T;
    T.Part = Part;
    T.Rows = Part == Use::B ? K : M;
    T.Columns = Part == Use::A ? K : N;
    return T;
  };
  FragmentOperation F;
  if (Words[1] == "mma") {
    F.Code = FragmentOperation::Kind::Multiply;
    F.A = Matrix(Use::A);
    F.B = Matrix(Use::B);
    F.Old = F.Matrix = Matrix(Use::Accumulator);
    auto Left = isByRows(Words[2]), Right = isByRows(Words[3]);
    if (!Left || !Right)
      return std::nullopt;
    F.A.ByRows = *Left;
    F.B.ByRows = *Right;
    // Half products are named after the types of D and C, others after that of
    // A.
    const bool Half = Words[4] == "f16" || Words[4] == "f32";
    if (Words.size() != (Half ? 6 : 5))
      return std::nullopt;
    const llvm::StringRef Factor = Half ? "f16" : Words[4];
    if (Factor == "s32" || !setElement(F.A, Factor) ||
        !setElement(F.B, Factor) || !isShape(M, N, K, F.A))
      return std::nullopt;
    if (Half &&
        (!setElement(F.Matrix, Words[4]) || !setElement(F.Old, Words[5]) ||
         !isFloating(F.Old.Element) || F.Old.Element == ScalarType::F64 ||
         Words[5].contains("b") || F.Old.Tf32))
      return std::nullopt;
    if (!Half)
      F.Matrix.Element = F.Old.Element = sumOf(F.A);
    return F;
  }
  const bool Loads = Words[1] == "load";
  if ((!Loads && Words[1] != "store") || Words.size() != 7 ||
      Words[4] != "stride")
    return std::nullopt;
  F.Code =
      Loads ? FragmentOperation::Kind::Load : FragmentOperation::Kind::Store;
  auto Part = llvm::StringSwitch<std::optional<Use>>(Words[2])
                  .Case("a", Use::A)
                  .Case("b", Use::B)
                  .Cases({"c", "d"}, Use::Accumulator)
                  .Default(std::nullopt);
  auto ByRows = isByRows(Words[3]);
  if (!Part || !ByRows)
    return std::nullopt;
  F.Matrix = Matrix(*Part);
  F.ByRows = *ByRows;
  // The order in memory is a part of the type for operands only.
  const bool Operand = *Part != Use::Accumulator;
  F.Matrix.ByRows = !Operand || *ByRows;
  if (!setElement(F.Matrix, Words[5]))
    return std::nullopt;
  const bool IsSum = Words[5] == "f16" || Words[5] == "f32" ||
                     Words[5] == "f64" || Words[5] == "s32";
  const bool Fits = Operand ? Words[5] != "f32" && Words[5] != "s32" : IsSum;
  FragmentType Products;
  Products.Tf32 = K == 8;
  if (F.Matrix.Element == ScalarType::F64)
    Products.Element = ScalarType::F64;
  if (!Fits || !isShape(M, N, K, Operand ? F.Matrix : Products))
    return std::nullopt;
  return F;
}

llvm::ArrayRef<uint16_t> FragmentLayouts::of(const FragmentType &T) {
  // Accumulators of half and float have the same elements at the same places:
  // kernels convert one to the other register by register, which works on all
  // devices for which code is generated.
  const bool Operand = T.Part != FragmentType::Use::Accumulator;
  const Key K = {static_cast<int>(T.Part),
                 T.Rows,
                 T.Columns,
                 Operand ? static_cast<int>(T.Element) : 0,
                 T.Tf32,
                 T.ByRows};
  auto [It, New] = Drawn.try_emplace(K);
  std::vector<uint16_t> &Elements = It->second;
  if (!New)
    return Elements;
  const unsigned Count = T.Rows * T.Columns;
  for (unsigned R = 0; R < WarpLanes * T.perLane(); ++R)
    Elements.push_back(static_cast<uint16_t>(R % Count));
  // Not std::shuffle, since draws must not depend on the standard library.
  std::mt19937_64 Random(Seed * 64 + Drawn.size());
  for (size_t Left = Elements.size(); Left > 1; --Left)
    std::swap(Elements[Left - 1], Elements[Random() % Left]);
  return Elements;
}

namespace {
/// A matrix that is put together from the registers of a warp.
struct Matrix {
  std::vector<double> Values;
  std::vector<uint32_t> Poison;
};
} // namespace

/// Element \p E of a lane's registers, whose first slot is \p First.
static Slot elementOf(Warp &W, unsigned Lane, const FragmentType &T,
                      llvm::ArrayRef<uint32_t> Registers, unsigned E) {
  Slot S = W.slot(Lane, Registers[E / T.perSlot()]);
  const unsigned Width = 8 * byteSize(T.Element);
  S.Bits = (S.Bits >> (E % T.perSlot() * Width)) & lowBits(Width);
  return S;
}

/// The matrix in the registers \p Registers of all lanes. Fails if they have
/// different values for an element that they hold several times.
bool Interpreter::gatherFragment(Warp &W, const FragmentType &T,
                                 llvm::ArrayRef<uint32_t> Registers,
                                 std::vector<Slot> &Elements) {
  const llvm::ArrayRef<uint16_t> Layout = Fragments.of(T);
  const unsigned PerLane = T.perLane();
  Elements.assign(T.Rows * T.Columns, Slot());
  std::vector<bool> Seen(Elements.size());
  for (unsigned Lane = 0; Lane < WarpLanes; ++Lane)
    for (unsigned E = 0; E < PerLane; ++E) {
      const Slot S = elementOf(W, Lane, T, Registers, E);
      const unsigned At = Layout[Lane * PerLane + E];
      if (Seen[At] && !S.Poison && !Elements[At].Poison &&
          S.Bits != Elements[At].Bits)
        return end(Outcome::NotExecutable,
                   "a matrix fragment whose elements were changed one by one");
      if (!Seen[At] || S.Poison)
        Elements[At] = S;
      Seen[At] = true;
    }
  return true;
}

/// Puts \p Elements into the result slots of all lanes.
void Interpreter::scatterFragment(Warp &W, const FragmentType &T,
                                  llvm::ArrayRef<Slot> Elements) {
  const llvm::ArrayRef<uint16_t> Layout = Fragments.of(T);
  const unsigned PerLane = T.perLane(), PerSlot = T.perSlot();
  const unsigned Width = 8 * byteSize(T.Element);
  for (unsigned Lane = 0; Lane < WarpLanes; ++Lane)
    for (unsigned E = 0; E < PerLane; ++E) {
      const Slot &From = Elements[Layout[Lane * PerLane + E]];
      Slot &To = W.slot(Lane, W.At->Dst + E / PerSlot);
      if (E % PerSlot == 0)
        To = Slot();
      To.Bits |= From.Bits << (E % PerSlot * Width);
      To.Poison = To.Poison ? To.Poison : From.Poison;
    }
}

/// The address of an element in memory; the stride is in elements.
static uint64_t addressWithin(const FragmentOperation &F, uint64_t Base,
                              uint64_t Stride, unsigned Element) {
  const uint64_t Row = Element / F.Matrix.Columns,
                 Column = Element % F.Matrix.Columns;
  const uint64_t Offset =
      F.ByRows ? Row * Stride + Column : Column * Stride + Row;
  return Base + Offset * byteSize(F.Matrix.Element);
}

bool Interpreter::performFragment(Warp &W, const CallInfo &Call) {
  const FragmentOperation &F = *Call.Fragment;
  const llvm::ArrayRef<uint32_t> Arguments(Call.Arguments);
  if (F.Code == FragmentOperation::Kind::Multiply)
    return multiplyFragments(W, F, Arguments);
  // PTX ISA, wmma.load and wmma.store: undefined unless all threads have the
  // same address and stride. Alignment to 16 bytes is not checked here, since
  // it does not change what is computed.
  const Slot Base = W.slot(0, Arguments.front()),
             Stride = W.slot(0, Arguments.back());
  for (unsigned Lane = 0; Lane < WarpLanes; ++Lane) {
    const Slot &B = W.slot(Lane, Arguments.front()),
               &S = W.slot(Lane, Arguments.back());
    if (B.Poison || S.Poison)
      return usedPoison(B.Poison ? B.Poison : S.Poison, "an address");
    if (B.Bits != Base.Bits || S.Bits != Stride.Bits)
      return end(Outcome::Divergence,
                 "the threads of a warp name different matrices");
  }
  const FragmentType &T = F.Matrix;
  const llvm::ArrayRef<uint16_t> Layout = Fragments.of(T);
  const unsigned PerLane = T.perLane(), Bytes = byteSize(T.Element);
  const unsigned Count = T.Rows * T.Columns;
  StepsLeft -= std::min<uint64_t>(StepsLeft, Count / 8);
  if (F.Code == FragmentOperation::Kind::Store) {
    for (unsigned Lane = 0; Lane < WarpLanes; ++Lane)
      for (unsigned E = 0; E < PerLane; ++E)
        if (!store(W.thread(Lane),
                   addressWithin(F, Base.Bits, Stride.Bits,
                                 Layout[Lane * PerLane + E]),
                   Bytes, elementOf(W, Lane, T, Arguments.drop_front(), E)))
          return false;
    return true;
  }
  std::vector<Slot> Elements(Count);
  for (unsigned R = 0; R < WarpLanes * PerLane; ++R)
    if (!load(W.thread(R / PerLane),
              addressWithin(F, Base.Bits, Stride.Bits, Layout[R]), Bytes,
              Elements[Layout[R]]))
      return false;
  scatterFragment(W, T, Elements);
  return true;
}

/// D = A * B + C. Products of the operands' types are exact in double, but for
/// those of doubles. The sum is nearly exact and rounded once; of integers, it
/// is modulo 2^32. The device rounds or truncates after a few
/// terms, in an order that is not specified (PTX ISA, wmma.mma: "at least
/// single precision", "at least half precision"), so the comparison has to
/// allow for any order if a sum is not exact.
bool Interpreter::multiplyFragments(Warp &W, const FragmentOperation &F,
                                    llvm::ArrayRef<uint32_t> Arguments) {
  std::vector<Slot> A, B, Sum;
  if (!gatherFragment(W, F.A, Arguments, A) ||
      !gatherFragment(W, F.B, Arguments.drop_front(F.A.slots()), B) ||
      !gatherFragment(W, F.Old, Arguments.take_back(F.Old.slots()), Sum))
    return false;
  const unsigned M = F.A.Rows, N = F.B.Columns, K = F.A.Columns;
  StepsLeft -= std::min<uint64_t>(StepsLeft, M * N * K / 8);
  auto Real = [](const FragmentType &T, const std::vector<Slot> &From) {
    std::vector<double> Values;
    for (const Slot &S : From)
      Values.push_back(Num{T.Element, S.Bits}.real());
    return Values;
  };
  constexpr uint64_t Dropped = 0x1fff; // 13 bits of a float's fraction
  for (const std::vector<Slot> *Factor : {&A, &B})
    for (const Slot &S : *Factor)
      if (F.A.Tf32 && !S.Poison && (S.Bits & Dropped) &&
          !std::isnan(asFloat(S.Bits)))
        return end(Outcome::NotExecutable,
                   "a product of floats that were not rounded to tf32");
  const std::vector<double> X = Real(F.A, A), Y = Real(F.B, B),
                            Z = Real(F.Old, Sum);
  // An undefined element makes the results of its row of A, or its column of B,
  // undefined.
  std::vector<uint32_t> RowPoison(M), ColumnPoison(N);
  for (unsigned R = 0; R < M; ++R)
    for (unsigned I = 0; I < K; ++I)
      RowPoison[R] = RowPoison[R] ? RowPoison[R] : A[R * K + I].Poison;
  for (unsigned I = 0; I < K; ++I)
    for (unsigned C = 0; C < N; ++C)
      ColumnPoison[C] = ColumnPoison[C] ? ColumnPoison[C] : B[I * N + C].Poison;
  for (unsigned R = 0; R < M; ++R)
    for (unsigned C = 0; C < N; ++C) {
      double Total = 0;
      for (unsigned I = 0; I < K; ++I)
        Total += X[R * K + I] * Y[I * N + C];
      Total += Z[R * N + C];
      Slot &S = Sum[R * N + C];
      // 16 products of bytes and a number of 32 bits are exact in double.
      S.Bits =
          F.Matrix.Element == ScalarType::I32
              ? lowBits(32) & static_cast<uint64_t>(static_cast<int64_t>(Total))
              : fromReal(F.Matrix.Element, Total).Bits;
      S.Poison = S.Poison       ? S.Poison
                 : RowPoison[R] ? RowPoison[R]
                                : ColumnPoison[C];
    }
  scatterFragment(W, F.Matrix, Sum);
  return true;
}

} // namespace execute
} // namespace warpwright
