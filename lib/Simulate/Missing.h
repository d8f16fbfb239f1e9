//===-- Missing.h - Functions that nothing defines --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A source may call functions of other files or libraries that are not part of
/// the simulated program. Such a function gets a body that ends the program
/// with a finding, so that programs which do not call it can run.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_SIMULATE_MISSING_H
#define WARPWRIGHT_LIB_SIMULATE_MISSING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warpwright {

/// The undefined symbols in a linker's messages, \p Log.
std::vector<std::string> findUndefinedSymbols(llvm::StringRef Log);

/// The functions among \p Symbols: by their mangled names, or because one of \p
/// Objects calls them. Another undefined symbol may be a variable, which
/// nothing can replace.
std::vector<std::string> selectFunctions(llvm::ArrayRef<std::string> Symbols,
                                         llvm::ArrayRef<std::string> Objects);

/// C++ that defines every one of \p Symbols.
std::string writeMissingFunctions(llvm::ArrayRef<std::string> Symbols);

/// The first few names of \p Symbols, as their declarations have them.
std::string listFunctions(llvm::ArrayRef<std::string> Symbols);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_SIMULATE_MISSING_H
