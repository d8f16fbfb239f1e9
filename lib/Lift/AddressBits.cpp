//===-- AddressBits.cpp - Whether addresses are aligned -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AddressBits.h"
#include "llvm/IR/Instruction.h"
#include "llvm/Support/MathExtras.h"

namespace warpwright::symbolic {

using VK = SymValue::Kind;

/// The names of addresses begin with this. A user's name has no such character,
/// and what has it is no condition of a launch (isOfLaunch).
static constexpr llvm::StringLiteral Prefix = "address#";

/// The number of the address \p V, which is that of a parameter.
static std::optional<IntExpr> numberOf(const SymValue &V) {
  constexpr llvm::StringLiteral OtherArrays = "#!@%";
  if (!V.is(VK::Pointer) || V.Array.empty() || OtherArrays.contains(V.Array[0]))
    return std::nullopt;
  return IntExpr::param((Prefix + V.Array).str()) + V.I;
}

std::optional<SymValue> bitsOfAddress(unsigned Opcode, const SymValue &L,
                                      const SymValue &R) {
  using Op = llvm::Instruction;
  constexpr unsigned Width = 64;
  // `(a | b) & 15`: what it is matters as little, but it is the same for all
  // threads only if both are.
  if (Opcode == Op::Or && L.is(VK::Pointer) && R.is(VK::Pointer)) {
    const auto A = numberOf(L), B = numberOf(R);
    if (!A || !B || !L.I.getConstant() || !R.I.getConstant())
      return std::nullopt;
    return SymValue::integer(
        IntExpr::param((Prefix + A->str() + "|" + B->str()).str()), Width);
  }
  const bool Masks = Opcode == Op::And;
  const SymValue &P = L.is(VK::Pointer) || !Masks ? L : R;
  const SymValue &N = &P == &L ? R : L;
  const auto Number = numberOf(P);
  const auto C = N.is(VK::Int) ? N.constant() : std::nullopt;
  // Both are the address modulo a power of two, whatever wrapped around.
  if (!Number || !C || *C <= 0 || (!Masks && Opcode != Op::URem) ||
      !llvm::isPowerOf2_64(static_cast<uint64_t>(*C) + Masks))
    return std::nullopt;
  return SymValue::exact(IntExpr::mod(*Number, IntExpr(*C + Masks)), Width);
}

std::optional<std::string> arrayOfAddress(const Contraction &C) {
  std::optional<std::string> Found;
  auto Look = [&](llvm::StringRef Key) {
    // The last one of `address#A + 4|address#B + 8`.
    if (const size_t At = Key.rfind(Prefix); At != llvm::StringRef::npos)
      Found = Key.substr(At + Prefix.size()).split(' ').first.str();
    return false;
  };
  C.walk(
      [&](const IntExpr &E) {
        E.walk([&](const IntAtom &A) {
          if (A.getKind() == AtomKind::Param)
            Look(A.getKey());
        });
      },
      [&](const ValueRef &V) { mentionsAny(SymValue::scalar(V), Look); });
  return Found;
}

} // namespace warpwright::symbolic
