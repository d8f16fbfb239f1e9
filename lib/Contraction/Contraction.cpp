//===-- Contraction.cpp - What a kernel computes --------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Contraction/Contraction.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

namespace warpwright {

static IntExpr strideOf(const IntExpr &Index, llvm::StringRef Name) {
  return Index.coefficient(("%" + llvm::Twine(Name)).str()).value_or(IntExpr());
}

static IntExpr baseOf(const IntExpr &Index) {
  return Index.transform([](const IntAtom &A) -> std::optional<IntExpr> {
    if (A.getKind() == AtomKind::Index)
      return IntExpr();
    return std::nullopt;
  });
}

IntExpr Operand::stride(llvm::StringRef IndexName) const {
  return strideOf(Index, IndexName);
}

IntExpr Operand::base() const { return baseOf(Index); }

IntExpr Output::stride(llvm::StringRef IndexName) const {
  return strideOf(Index, IndexName);
}

IntExpr Output::base() const { return baseOf(Index); }

void Contraction::print(llvm::raw_ostream &OS) const {
  OS << "contraction \"" << Kernel << "\" {\n";
  OS << "  index %b < " << BatchExtent << '\n';
  OS << "  index %m < " << MExtent << '\n';
  OS << "  index %n < " << NExtent << '\n';
  OS << "  index %k < " << KExtent << '\n';
  auto PrintOperand = [&](char Name, const Operand &O) {
    OS << "  operand " << Name << " = " << O.Pointer << '[' << O.Index
       << "]:" << name(O.Type);
    if (O.Prologue) {
      OS << " as ";
      O.Prologue->print(OS);
    }
    OS << '\n';
  };
  PrintOperand('A', A);
  PrintOperand('B', B);
  OS << "  accumulate " << name(AccType);
  if (OriginalAccType != AccType)
    OS << " for " << name(OriginalAccType);
  OS << '\n';
  for (const Output &O : Outputs) {
    OS << "  output " << O.Pointer << '[' << O.Index << "]:" << name(O.Type)
       << " = ";
    O.Value->print(OS);
    OS << '\n';
  }
  for (const Requirement &R : Requires)
    OS << "  require " << R.Condition << " : \"" << R.Reason << "\"\n";
  if (RolesExchanged)
    OS << "  exchanged\n";
  OS << "  offsets " << (IndexSigned ? 'i' : 'u') << IndexBits << '\n';
  if (LoadsAfterStores)
    OS << "  loads after stores\n";
  if (!RestrictPointers.empty())
    OS << "  restrict " << llvm::join(RestrictPointers, ", ") << '\n';
  OS << "}\n";
}

} // namespace warpwright
