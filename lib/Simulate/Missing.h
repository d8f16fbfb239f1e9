//===-- Missing.h - Functions that nothing defines --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A source may call functions of other files or of libraries that are not part
/// of the simulated program. Those get a body that ends the program with a
/// finding, so that what does not call them runs.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_SIMULATE_MISSING_H
#define WARPWRIGHT_LIB_SIMULATE_MISSING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warpwright {

/// The symbols that a linker's messages, \p Log, call undefined.
std::vector<std::string> findUndefinedSymbols(llvm::StringRef Log);

/// Of \p Symbols those that are functions: by their mangled names, or because
/// one of \p Objects calls them. What else is undefined may be a variable, for
/// which nothing can stand in.
std::vector<std::string> selectFunctions(llvm::ArrayRef<std::string> Symbols,
                                         llvm::ArrayRef<std::string> Objects);

/// C++ that defines every one of \p Symbols.
std::string writeMissingFunctions(llvm::ArrayRef<std::string> Symbols);

/// The names of \p Symbols as their declarations have them, the first few of
/// them.
std::string listFunctions(llvm::ArrayRef<std::string> Symbols);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_SIMULATE_MISSING_H
