//===-- LeadingHeaders.h - The headers that a file begins with --*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_FRONTEND_LEADINGHEADERS_H
#define WARPWRIGHT_LIB_FRONTEND_LEADINGHEADERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"
#include <string>
#include <vector>

namespace warpwright {

/// The names in the directives `#include <name>` that stand before anything
/// else in \p File and in the headers of the user's that it begins with, in the
/// order in which they are read. Comments, `#pragma once` and guards against
/// double inclusion are nothing else; what has any effect on a header that
/// follows ends the list. \p Folders are the user's, and what is found in one
/// of them is the user's.
std::vector<std::string> findLeadingHeaders(llvm::StringRef File,
                                            llvm::ArrayRef<std::string> Folders,
                                            llvm::vfs::FileSystem &Files);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_FRONTEND_LEADINGHEADERS_H
