//===-- Mistakes.h - Mistakes to test the executed check with ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Mistakes that are put into the lift to measure the executed check: how many
/// wrong lifts does it find? The test-only program `warpwright-mistaken` is
/// compiled from the same sources as `warpwright`, with WARPWRIGHT_MISTAKES
/// defined, and makes the mistake of Mistakes.def that an environment variable
/// names. In `warpwright` mistaken() is the constant false, so the compiler
/// removes the code that it guards.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_LIFT_MISTAKES_H
#define WARPWRIGHT_LIB_LIFT_MISTAKES_H

namespace warpwright::symbolic {

enum class Mistake {
#define MISTAKE(Name, What) Name,
#include "Mistakes.def"
};

#ifdef WARPWRIGHT_MISTAKES
/// Whether the environment names the mistake \p M.
bool mistaken(Mistake M);
#else
constexpr bool mistaken(Mistake) { return false; }
#endif

} // namespace warpwright::symbolic

#endif // WARPWRIGHT_LIB_LIFT_MISTAKES_H
