//===-- HostCheck.cpp - What a launcher may compute -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The launcher runs before the kernel and on the host: it knows the arguments
/// and the launch, and nothing else. This is the one place that says which
/// expressions it can evaluate.
///
//===----------------------------------------------------------------------===//

#include "Emitters.h"
#include "llvm/ADT/StringExtras.h"

namespace warpwright {

namespace {
class HostCheck {
public:
  explicit HostCheck(const KernelSource &Source) {
    for (const ParamSource &P : Source.Params)
      Parameters.insert(P.Name);
  }

  llvm::Error check(const KernelInstance &Instance) const;

private:
  /// \p Indices: the indices that it may depend on, each as a range: `%b%m%n`.
  llvm::Error integer(const IntExpr &E, llvm::StringRef Indices = "") const;
  llvm::Error condition(const BoolExpr &E, llvm::StringRef Indices = "") const;
  llvm::Error value(const ValueRef &V) const;
  llvm::Error parameter(llvm::StringRef Name) const;
  llvm::Error array(llvm::StringRef Pointer, const IntExpr &Index,
                    llvm::StringRef Indices) const;
  llvm::Error reads(const ValueRef &Top, llvm::StringRef Indices) const;
  llvm::Error factor(const Operand &O) const;
  llvm::Error output(const Output &O) const;

  llvm::StringSet<> Parameters;
};
} // namespace

static llvm::Error unknown(const llvm::Twine &What) {
  return llvm::createStringError("the launcher would have to know " + What);
}

/// Keeps the first of several reasons.
static void keepFirst(llvm::Error &First, llvm::Error Next) {
  if (First)
    llvm::consumeError(std::move(Next));
  else
    First = std::move(Next);
}

/// A parameter, a field of one, or an element of such a field; what a pointer
/// leads to is in device memory.
llvm::Error HostCheck::parameter(llvm::StringRef Name) const {
  const llvm::StringRef Whole = Name.take_front(Name.find('.'));
  if (Whole.contains('[') || Name.contains("->") || Name.contains('*'))
    return unknown("'" + Name + "', which is in device memory");
  if (!Parameters.contains(Whole))
    return unknown("'" + Name + "', which is no parameter of the kernel");
  return llvm::Error::success();
}

llvm::Error HostCheck::integer(const IntExpr &E,
                               llvm::StringRef Indices) const {
  if (E.overflowed())
    return unknown("an integer beyond 64 bits");
  llvm::Error Result = llvm::Error::success();
  auto Check = [&](llvm::Error Next) { keepFirst(Result, std::move(Next)); };
  E.walk([&](const IntAtom &A) {
    switch (A.getKind()) {
    case AtomKind::Param:
      return Check(parameter(A.getKey()));
    case AtomKind::BlockDim:
    case AtomKind::GridDim:
      return;
    case AtomKind::Index:
      if (!Indices.contains(A.getKey()))
        Check(unknown("the index " + A.getKey() + " of an element"));
      return;
    case AtomKind::ThreadIdx:
    case AtomKind::BlockIdx:
      return Check(unknown("'" + A.getKey() + "' of a thread"));
    case AtomKind::Counter:
      return Check(unknown("the iteration of a loop"));
    case AtomKind::Xor:
      return Check(unknown("the bits of an index"));
    case AtomKind::Select:
      Check(condition(A.getCondition(), Indices));
      [[fallthrough]];
    case AtomKind::FloorDiv:
    case AtomKind::Mod:
    case AtomKind::Min:
    case AtomKind::Max:
      if (A.getLHS().overflowed() || A.getRHS().overflowed())
        Check(unknown("an integer beyond 64 bits"));
      return;
    }
  });
  return Result;
}

llvm::Error HostCheck::condition(const BoolExpr &E,
                                 llvm::StringRef Indices) const {
  switch (E.getKind()) {
  case BoolExpr::Kind::Constant:
    return llvm::Error::success();
  case BoolExpr::Kind::NonNull:
    return parameter(E.getName());
  case BoolExpr::Kind::Compare:
    if (llvm::Error Bad = integer(E.getLHS(), Indices))
      return Bad;
    return integer(E.getRHS(), Indices);
  case BoolExpr::Kind::FloatCmp:
    if (llvm::Error Bad = value(E.getValueLHS()))
      return Bad;
    return value(E.getValueRHS());
  case BoolExpr::Kind::And:
  case BoolExpr::Kind::Or:
  case BoolExpr::Kind::Not:
    for (const BoolExpr &Operand : E.operands())
      if (llvm::Error Bad = condition(Operand, Indices))
        return Bad;
    return llvm::Error::success();
  }
  llvm_unreachable("covered switch");
}

/// Whether the host's arithmetic gives the device's result: the four operations
/// on float and double arguments.
llvm::Error HostCheck::value(const ValueRef &V) const {
  const bool IsNarrow = isNarrowFloat(V->Type);
  switch (V->K) {
  case Value::Kind::Constant:
    return llvm::Error::success();
  case Value::Kind::Param:
    return parameter(V->Name);
  case Value::Kind::Int:
    // The launcher computes integers in a type of its own, which does not
    // convert to floating-point types.
    if (!V->Index.getConstant() &&
        !(V->Index.getAtom() && V->Index.getAtom()->isLeaf()))
      return unknown("the value of " + V->str());
    return integer(V->Index);
  case Value::Kind::Cast:
    if (IsNarrow)
      return unknown("a value in half precision or less");
    return value(V->Ops[0]);
  case Value::Kind::Neg:
  case Value::Kind::Add:
  case Value::Kind::Sub:
  case Value::Kind::Mul:
  case Value::Kind::Div:
    if (IsNarrow)
      return unknown("a value in half precision or less");
    for (const ValueRef &Op : V->Ops)
      if (llvm::Error Bad = value(Op))
        return Bad;
    return llvm::Error::success();
  case Value::Kind::Load:
    return unknown("an element of '" + V->Name +
                   "', which is in device memory");
  case Value::Kind::Global:
    return unknown("'" + V->Name + "', which is in constant memory");
  case Value::Kind::Acc:
  case Value::Kind::Sum:
    return unknown("a sum");
  case Value::Kind::Call:
    return unknown("what the device function '" + V->Name + "' returns");
  case Value::Kind::Fma:
  case Value::Kind::And:
  case Value::Kind::Or:
  case Value::Kind::Xor:
  case Value::Kind::Shl:
  case Value::Kind::Shr:
  case Value::Kind::Select:
  case Value::Kind::Phi:
  case Value::Kind::Undefined:
    return unknown("the value of " + V->str());
  }
  llvm_unreachable("covered switch");
}

llvm::Error HostCheck::array(llvm::StringRef Pointer, const IntExpr &Index,
                             llvm::StringRef Indices) const {
  if (llvm::Error Bad = parameter(Pointer))
    return Bad;
  return integer(Index, Indices);
}

/// The launcher states where every array is read and written. The value itself
/// is computed on the device, but for an output no earlier than at the end of
/// the sum: of the kernel's indices, the epilogue has no `k`, and nothing has a
/// thread.
llvm::Error HostCheck::reads(const ValueRef &Top,
                             llvm::StringRef Indices) const {
  llvm::Error Result = llvm::Error::success();
  auto Check = [&](llvm::Error Next) { keepFirst(Result, std::move(Next)); };
  Top->walk([&](const Value &V) {
    if (V.K == Value::Kind::Load)
      Check(array(V.Name, V.Index, Indices));
    else if (V.K == Value::Kind::Int)
      Check(integer(V.Index, Indices));
    else if (V.K == Value::Kind::Select)
      V.Condition.walk([&](const IntExpr &E) { Check(integer(E, Indices)); },
                       [&](const ValueRef &) {});
  });
  return Result;
}

llvm::Error HostCheck::factor(const Operand &O) const {
  static constexpr char Indices[] = "%b%m%n%k";
  if (llvm::Error Bad = array(O.Pointer, O.Index, Indices))
    return Bad;
  return O.Prologue ? reads(O.Prologue, Indices) : llvm::Error::success();
}

llvm::Error HostCheck::output(const Output &O) const {
  static constexpr char Indices[] = "%b%m%n";
  if (llvm::Error Bad = array(O.Pointer, O.Index, Indices))
    return Bad;
  if (O.When) {
    if (llvm::Error Bad = integer(O.When->Begin))
      return Bad;
    if (O.When->End)
      if (llvm::Error Bad = integer(*O.When->End))
        return Bad;
  }
  return reads(O.Value, Indices);
}

llvm::Error HostCheck::check(const KernelInstance &Instance) const {
  const Contraction &C = Instance.Computation;
  for (const IntExpr *Extent :
       {&C.BatchExtent, &C.MExtent, &C.NExtent, &C.KExtent})
    if (llvm::Error Bad = integer(*Extent))
      return Bad;
  for (const IntExpr &Extent : C.BatchDigits)
    if (llvm::Error Bad = integer(Extent))
      return Bad;
  std::vector<IntExpr> OwnRanges;
  C.forEachProduct([&](const Accumulation &, const Product &P) {
    if (P.KExtent)
      OwnRanges.push_back(*P.KExtent);
  });
  for (const IntExpr &Extent : OwnRanges)
    if (llvm::Error Bad = integer(Extent))
      return Bad;
  std::vector<const Operand *> Operands;
  C.forEachOperand([&](const Operand &O) { Operands.push_back(&O); });
  for (const Operand *O : Operands)
    if (llvm::Error Bad = factor(*O))
      return Bad;
  for (const Output &O : C.Outputs)
    if (llvm::Error Bad = output(O))
      return Bad;
  for (const Requirement &R : C.Requires)
    if (llvm::Error Bad = condition(R.Condition))
      return Bad;
  return llvm::Error::success();
}

llvm::Error checkHostExpressions(const KernelSource &Source,
                                 const KernelInstance &Instance) {
  return HostCheck(Source).check(Instance);
}

} // namespace warpwright
