//===- Atomics.cpp - Atomic additions to elements -------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `atomicAdd(&C[i], x)` whose result is not used is `C[i] += x`, apart from
/// what other threads and other kernels do to the element meanwhile. The
/// executor takes it for that; an array to which a kernel adds in this way is
/// not used otherwise, and the rewritten kernel adds to it atomically, too.
/// That one thread adds to each element is shown as for any store.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"

namespace warpwright::symbolic {

using VK = SymValue::Kind;

SymValue Executor::atomicCall(llvm::CallBase &Call, const FunctionInfo &Info) {
  auto Decline = [&](const llvm::Twine &Why) {
    return failValue(DiagID::Atomics, "'" + Info.Name + "' " + Why);
  };
  const char *const Combines =
      "combines the work of several threads in an order that is not fixed";
  if (Info.Name != "atomicAdd" || Call.arg_size() != 2)
    return Decline(Combines);
  if (!Call.use_empty())
    return Decline("gives the element as it was, which depends on the order "
                   "of threads");
  const SymValue Place = valueOf(Call.getArgOperand(0));
  llvm::Type *T = Call.getArgOperand(1)->getType();
  if (!Place.is(VK::Pointer) || !isParameter(Place.Array))
    return Decline(Combines);
  if (!T->isFloatTy() && !T->isDoubleTy())
    return Decline("is understood for float and double only; where one thread "
                   "adds to each element, 'C[i] += x' does the same");
  noteElements(Place, T, /*Stored=*/true);
  const ArrayState &A = S[Place.Array];
  if (A.Elem != (T->isFloatTy() ? ScalarType::F32 : ScalarType::F64))
    return Decline("adds a " +
                   llvm::Twine(T->isFloatTy() ? "float" : "double") + " to '" +
                   Place.Array + "', which has other elements");
  if (!A.Writes.empty() && !Atomics.count(Place.Array))
    return Decline("adds to '" + Place.Array +
                   "' here, which is also stored to");
  Atomics[Place.Array].insert(here());
  const SymValue Old = asFloat(loadType(Place, T), T),
                 More = asFloat(valueOf(Call.getArgOperand(1)), T);
  if (Failed)
    return {};
  SymValue Sum = Old.is(VK::Unknown) ? Old : More;
  if (Old.is(VK::Scalar) && More.is(VK::Scalar))
    Sum = numbered(Value::binary(Value::Kind::Add, A.Elem, Old.S, More.S));
  AddsAtomically = true;
  storeType(Place, Sum, T);
  AddsAtomically = false;
  return {};
}

} // namespace warpwright::symbolic
