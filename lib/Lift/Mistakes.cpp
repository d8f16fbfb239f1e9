//===-- Mistakes.cpp - Which mistake is made ------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Compiled into the test-only program `warpwright-mistaken` alone.
///
//===----------------------------------------------------------------------===//

#include "Mistakes.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Process.h"
#include <optional>

namespace warpwright::symbolic {

/// The mistake that WARPWRIGHT_MISTAKE names, if it is set.
static std::optional<Mistake> chosen() {
  std::optional<std::string> Name =
      llvm::sys::Process::GetEnv("WARPWRIGHT_MISTAKE");
  if (!Name)
    return std::nullopt;
  auto M = llvm::StringSwitch<std::optional<Mistake>>(*Name)
#define MISTAKE(Name, What) .Case(#Name, Mistake::Name)
#include "Mistakes.def"
               .Default(std::nullopt);
  if (!M)
    llvm::report_fatal_error("WARPWRIGHT_MISTAKE names no mistake", false);
  return M;
}

bool mistaken(Mistake M) {
  static const std::optional<Mistake> Made = chosen();
  return Made == M;
}

} // namespace warpwright::symbolic
