//===-- Passing.h - Parameters that a launcher can pass on ------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A launch copies an argument into the kernel's parameter. A launcher copies
/// it more often, on its way to the kernel, so the copies must be nothing but
/// bytes.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_FRONTEND_PASSING_H
#define WARPWRIGHT_FRONTEND_PASSING_H

#include "clang/AST/Decl.h"
#include <string>

namespace warpwright {

/// The reason why the launcher cannot pass on the argument for \p Param of a
/// kernel that is no pattern of a template; empty if it can.
std::string whyNotPassed(const clang::ParmVarDecl &Param);

} // namespace warpwright

#endif // WARPWRIGHT_FRONTEND_PASSING_H
