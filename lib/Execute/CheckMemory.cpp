//===-- CheckMemory.cpp - Arrays of one launch, before and after ----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckMemory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"
#include <algorithm>
#include <cmath>
#include <limits>

namespace warpwright {
namespace execute {

std::string LaunchMemory::rootOf(llvm::StringRef Pointer) const {
  auto It = L.Alias.find(Pointer);
  return It == L.Alias.end() ? Pointer.str() : It->second;
}

bool LaunchMemory::place(Environment &Env, uint64_t Least) {
  const std::array<Wide, 4> Sizes = P.extents(Env);
  Extents Extent;
  for (unsigned I = 0; I < 4; ++I)
    Extent[I] = static_cast<int64_t>(
        std::min<Wide>(std::max<Wide>(Sizes[I], 1), 1 << 24));
  struct Span {
    Wide Lo = 0, Hi = 255; ///< bytes
    std::optional<ScalarType> Type;
    bool Output = false, Operand = false, Scale = false;
  };
  std::map<std::string, Span> Spans;
  for (const ParamLeaf &Leaf : Kernel.Params)
    if (Leaf.IsPointer)
      Spans[rootOf(Leaf.Path)];
  for (const ArrayAccess &A : P.Accesses) {
    auto It = Spans.find(rootOf(A.Pointer));
    if (It == Spans.end())
      continue;
    const Reach R = P.reach(A, Env, Extent);
    Span &S = It->second;
    const unsigned Size = byteSize(A.Type);
    S.Lo = std::min<Wide>(S.Lo, multiply(R.Lo, Size));
    S.Hi = std::max<Wide>(S.Hi, add(multiply(R.Hi, Size), Size - 1));
    S.Type = S.Type.value_or(A.Type);
    S.Output |= A.Use == ArrayUse::Output;
    S.Operand |= A.Use == ArrayUse::Operand;
    S.Scale |= A.Use == ArrayUse::Input && A.UsesK;
  }
  for (auto &[Name, S] : Spans) {
    constexpr Wide MaxBytes = 1 << 23;
    if (S.Hi - S.Lo > MaxBytes || S.Lo < -MaxBytes)
      return false;
    const uint64_t Bytes = static_cast<uint64_t>(S.Hi - S.Lo + 1);
    uint64_t Margin =
        std::max<uint64_t>(std::min<uint64_t>(Bytes, 65536), Least);
    // The pointer itself stays aligned as an allocation is.
    const uint64_t Before = static_cast<uint64_t>(-S.Lo);
    Margin += (256 - (Margin + Before) % 256) % 256;
    Placed A;
    A.O = &Mem.add(Name, Space::Array, Bytes + 2 * Margin);
    A.Margin = Margin;
    A.Output = S.Output;
    A.Operand = S.Operand;
    A.Scale = S.Scale;
    for (const ParamLeaf &Leaf : Kernel.Params)
      if (Leaf.Path == Name)
        A.Type = S.Type.value_or(Leaf.Type);
    // Races are looked for where something is to be written.
    if (A.Output)
      A.O->trackHistory();
    const uint64_t Start = Margin + Before;
    for (const ParamLeaf &Leaf : Kernel.Params) {
      if (!Leaf.IsPointer || rootOf(Leaf.Path) != Name)
        continue;
      ArrayValue &V = Env.Arrays[Leaf.Path];
      V.Null = L.Null.contains(Leaf.Path);
      V.Start = static_cast<int64_t>(Start);
      V.Address = V.Null ? 0 : A.O->Base + Start;
    }
    Arrays[Name] = std::move(A);
  }
  return true;
}

/// Small integers, so that sums are exact: the narrower the accumulator, the
/// smaller.
Num LaunchMemory::element(const Placed &A, Random &R) const {
  const ScalarType T = A.Type;
  if (!isFloating(T)) {
    const Num Probe = {T, 0};
    if (T == ScalarType::Bool)
      return fromInteger(T, R.chance(2));
    if (A.Operand && byteSize(T) == 1)
      return fromInteger(T, static_cast<int64_t>(R.below(256)));
    // Whether the highest bit is a sign shows in narrow and unsigned numbers,
    // which cannot overflow; masks are 0 often enough.
    if (!A.Operand && !A.Output && (byteSize(T) <= 2 || !Probe.isSigned()) &&
        R.chance(3))
      return fromInteger(T, static_cast<int64_t>(R.bits()));
    return fromInteger(T, Probe.isSigned() && (A.Operand || A.Output)
                              ? static_cast<int64_t>(R.below(13)) - 6
                              : static_cast<int64_t>(R.below(7)));
  }
  const unsigned Digits = P.leastDigits();
  if (L.Data == DataKind::Reals) {
    const double U = static_cast<double>(R.bits() >> 11) * 0x1p-53;
    return fromReal(T, 2 * U - 1);
  }
  if (L.Data == DataKind::Special && R.chance(24)) {
    static const double Special[] = {std::numeric_limits<double>::infinity(),
                                     -std::numeric_limits<double>::infinity(),
                                     std::numeric_limits<double>::quiet_NaN(),
                                     -0.0,
                                     0x1p-24,
                                     -0x1p-130,
                                     0x1p-10,
                                     0.0};
    double X = R.pick<double>(Special);
    // A product that is rounded to 16 bits may become 0 before it is multiplied
    // by an infinity.
    if (Digits <= 11 && X != 0 && std::fabs(X) < 0x1p-10)
      X = 0x1p-10;
    // A conversion gives no infinity.
    if (T == ScalarType::E5M2 && std::isinf(X) && !A.Scale)
      return {T, uint64_t(X < 0 ? 0xfc : 0x7c)};
    return fromReal(T, A.Scale && std::isinf(X) ? 2 : X);
  }
  const uint64_t Top = Digits <= 8 ? 1 : Digits <= 11 ? 2 : 4;
  return fromReal(T, static_cast<double>(R.below(2 * Top + 1)) -
                         static_cast<double>(Top));
}

void LaunchMemory::fill(Environment &Env, uint64_t Seed) {
  for (auto &[Name, A] : Arrays) {
    Random R(Seed ^ (A.O->Base >> Memory::WindowBits) * 7919);
    // A period that no pitch has.
    constexpr size_t Period = 4093;
    const unsigned Size = byteSize(A.Type);
    std::vector<uint8_t> &Bytes = A.O->Bytes;
    const size_t Fresh = std::min<size_t>(Bytes.size() / Size, Period) * Size;
    // Elements lie where the pointer's do.
    size_t Phase = 0;
    for (const ParamLeaf &Leaf : Kernel.Params)
      if (Leaf.IsPointer && rootOf(Leaf.Path) == Name)
        Phase = static_cast<size_t>(Env.Arrays[Leaf.Path].Start) % Size;
    for (size_t I = 0; I + Size <= Fresh; I += Size) {
      const Num N = element(A, R);
      std::memcpy(Bytes.data() + I, &N.Bits, Size);
    }
    for (size_t I = Fresh; I < Bytes.size(); ++I)
      Bytes[I] = Bytes[I - Period * Size];
    if (Phase)
      std::rotate(Bytes.begin(), Bytes.end() - static_cast<long>(Phase),
                  Bytes.end());
    A.Before = Bytes;
  }
  for (const ParamLeaf &Leaf : Kernel.Params)
    if (Leaf.IsPointer)
      if (auto It = Arrays.find(rootOf(Leaf.Path)); It != Arrays.end())
        Env.Arrays[Leaf.Path].Bytes = &It->second.Before;
}

std::vector<Argument> LaunchMemory::arguments(const Environment &Env) const {
  const llvm::Function &F = *Kernel.Function;
  const llvm::DataLayout &DL = F.getParent()->getDataLayout();
  std::vector<Argument> Result(F.arg_size());
  for (unsigned A = 0; A < F.arg_size(); ++A) {
    llvm::Type *T = F.getParamByValType(A);
    Result[A].Bytes.resize(T ? DL.getTypeAllocSize(T).getFixedValue() : 8);
  }
  for (const ParamLeaf &Leaf : Kernel.Params) {
    if (Leaf.Argument >= Result.size())
      continue;
    std::vector<uint8_t> &Bytes = Result[Leaf.Argument].Bytes;
    uint64_t Bits = 0;
    uint64_t Size = 8;
    if (Leaf.IsPointer) {
      if (auto It = Env.Arrays.find(Leaf.Path); It != Env.Arrays.end())
        Bits = It->second.Address;
    } else if (auto It = L.Scalars.find(Leaf.Path); It != L.Scalars.end()) {
      Bits = It->second.Bits;
      Size = byteSize(It->second.Type);
      // A narrow argument is extended as its type says.
      if (!F.getParamByValType(Leaf.Argument) && It->second.isSigned())
        Bits = static_cast<uint64_t>(It->second.integer());
    } else {
      continue;
    }
    if (Leaf.Offset < Bytes.size())
      std::memcpy(
          Bytes.data() + Leaf.Offset, &Bits,
          std::min<uint64_t>(F.getParamByValType(Leaf.Argument) ? Size : 8,
                             Bytes.size() - Leaf.Offset));
  }
  return Result;
}

} // namespace execute
} // namespace warpwright
