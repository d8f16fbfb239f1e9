//===-- Tables.cpp - Tables of indices ------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An element of a small table is an expression of its number where all
/// elements are. A loop that takes its indices from a table without one is
/// executed one iteration after the other (Unroll.cpp).
///
//===----------------------------------------------------------------------===//

#include "Tables.h"
#include "Executor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalVariable.h"

namespace warpwright::symbolic {

using VK = SymValue::Kind;

std::optional<SymValue> elementOf(llvm::ArrayRef<SymValue> Table,
                                  const IntExpr &Place) {
  const int64_t Count = static_cast<int64_t>(Table.size());
  if (Count < 2 || !llvm::all_of(
                       Table,
                       [&](const SymValue &V) {
                         return (V.is(VK::Int) && Table[0].is(VK::Int) &&
                                 V.Width == Table[0].Width) ||
                                (V.is(VK::Pointer) &&
                                 Table[0].is(VK::Pointer) &&
                                 V.Array == Table[0].Array);
                       }))
    return std::nullopt;
  for (int64_t Period = Count; Period >= 1; --Period) {
    const IntExpr Within = Period > 1 ? Table[1].I - Table[0].I : IntExpr(),
                  Next =
                      Period < Count ? Table[Period].I - Table[0].I : IntExpr();
    auto At = [&](const IntExpr &N) {
      return Table[0].I + Next * IntExpr::floorDiv(N, IntExpr(Period)) +
             Within * IntExpr::mod(N, IntExpr(Period));
    };
    bool Fits = true;
    for (int64_t N = 0; N < Count && Fits; ++N)
      Fits = Table[N].I == At(IntExpr(N));
    if (!Fits)
      continue;
    SymValue V = Table[0];
    // It is inside of the table.
    V.I = Period == Count ? Table[0].I + Within * Place : At(Place);
    for (const SymValue &Each : Table) {
      V.SignedExact &= Each.SignedExact;
      V.UnsignedExact &= Each.UnsignedExact;
      V.NarrowUnsigned = V.Narrow && Each.Narrow
                             ? V.NarrowUnsigned && Each.NarrowUnsigned
                         : Each.Narrow ? Each.NarrowUnsigned
                                       : V.NarrowUnsigned;
      V.Narrow |= Each.Narrow;
    }
    if (V.I.overflowed())
      return std::nullopt;
    return V;
  }
  return std::nullopt;
}

std::vector<SymValue> tableOf(const ArrayState &A, unsigned Size,
                              const BoolExpr &Known) {
  if (!A.IsLocal || A.IsShared || !A.Size || A.Size % Size != 0 ||
      A.Size / Size > MaxTable)
    return {};
  std::vector<SymValue> Table(A.Size / Size);
  std::vector<bool> Set(Table.size());
  for (const Write &W : A.Writes) {
    const auto At = W.Index.getConstant();
    if (W.Clobber || W.ZeroFill || !W.Loops.empty() || W.Size != Size || !At ||
        *At < 0 || *At % Size != 0 ||
        static_cast<uint64_t>(*At) + Size > A.Size ||
        (!W.Value.is(VK::Int) && !W.Value.is(VK::Pointer)) ||
        !implies(Known, W.Guard))
      return {};
    Table[*At / Size] = W.Value;
    Set[*At / Size] = true;
  }
  return llvm::all_of(Set, [](bool Is) { return Is; })
             ? Table
             : std::vector<SymValue>();
}

/// Whether \p Place is the number of one of \p Count elements. While a loop is
/// probed, it is not known yet how often it runs, and so that is assumed. There
/// are no other elements, and the last execution has to show it.
bool Executor::isInTable(const IntExpr &Place, size_t Count) const {
  if (Probing)
    return true;
  if (mentionsPhi(Place))
    return false;
  const Simplifier Facts(Bounds, bodyLoops(), totalActive());
  return Facts.neverNegative(Place) &&
         Facts.neverNegative(IntExpr(static_cast<int64_t>(Count) - 1) - Place);
}

/// The element of \p Table at \p Index, in bytes, if the elements are one
/// expression of their number.
std::optional<SymValue> Executor::chosenFrom(llvm::ArrayRef<SymValue> Table,
                                             const IntExpr &Index,
                                             unsigned Size) const {
  auto Place = Index.exactDivide(IntExpr(static_cast<int64_t>(Size)));
  return Place && isInTable(*Place, Table.size()) ? elementOf(Table, *Place)
                                                  : std::nullopt;
}

/// The element of \p G, a constant, at the place \p P, which is no constant.
SymValue Executor::constantElement(const SymValue &P,
                                   const llvm::GlobalVariable &G,
                                   llvm::Type *T) {
  const uint64_t Size = Layout.getTypeAllocSize(T).getFixedValue(),
                 Bytes =
                     Layout.getTypeAllocSize(G.getValueType()).getFixedValue();
  if (T->isIntegerTy() && Bytes % Size == 0 && Bytes <= MaxTable * Size) {
    std::vector<SymValue> Table;
    for (uint64_t At = 0; At < Bytes; At += Size)
      if (llvm::Constant *C = llvm::ConstantFoldLoadFromConst(
              const_cast<llvm::Constant *>(G.getInitializer()), T,
              llvm::APInt(64, At), Layout))
        Table.push_back(constantValue(*C));
    if (Table.size() == Bytes / Size)
      if (auto V = chosenFrom(Table, P.I, Size))
        return *V;
  }
  const llvm::StringRef Name = Module.variableName(G);
  return unknown(DiagID::OrderingHazard,
                 (Name.empty() ? "an array" : "'" + Name.str() + "'") +
                     NoFormula);
}

} // namespace warpwright::symbolic
