//===-- Support.h - The fixed part of verification programs -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_VERIFY_SUPPORT_H
#define WARPWRIGHT_LIB_VERIFY_SUPPORT_H

#include "llvm/ADT/StringRef.h"

namespace warpwright {

/// The texts of Numbers.cuh, Arrays.cuh and Comparison.cuh.
extern const llvm::StringLiteral VerifySupport[3];

} // namespace warpwright

#endif // WARPWRIGHT_LIB_VERIFY_SUPPORT_H
