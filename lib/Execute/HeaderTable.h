//===-- HeaderTable.h - Functions of CUDA's headers -------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions over scalars under the names that CUDA's headers, libdevice and
/// the C library give them. The caller has to know whether a function of that
/// name is really theirs.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_EXECUTE_HEADERTABLE_H
#define WARPWRIGHT_LIB_EXECUTE_HEADERTABLE_H

#include "Numbers.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace warpwright {
namespace execute {

struct HeaderFunction {
  unsigned Arity;
  /// Nothing if the result is undefined.
  std::optional<Num> (*Apply)(llvm::ArrayRef<Num>);
  /// Whether it rounds exactly as its definition says, so that the device
  /// computes the same bits. False for functions that the device approximates
  /// differently from the host.
  bool Exact;
};

/// \p Name is the C++ name without `std::` and without template arguments.
const HeaderFunction *findHeaderFunction(llvm::StringRef Name, unsigned Arity);

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_HEADERTABLE_H
