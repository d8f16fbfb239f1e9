//===-- HeaderTable.h - Functions of CUDA's headers -------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions over scalars by the names that CUDA's headers, libdevice and the
/// C library give them. Whether a function of that name is theirs is the
/// caller's to know.
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
  /// Nothing where the result is undefined.
  std::optional<Num> (*Apply)(llvm::ArrayRef<Num>);
  /// Rounds as often as its definition says: the device computes the same bits
  /// (false for functions that a device approximates otherwise than the host).
  bool Exact;
};

/// \p Name as in C++, without `std::` and without template arguments.
const HeaderFunction *findHeaderFunction(llvm::StringRef Name, unsigned Arity);

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_HEADERTABLE_H
