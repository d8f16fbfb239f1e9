//===-- HeaderCache.h - Headers ahead of a file, precompiled ----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_FRONTEND_HEADERCACHE_H
#define WARPWRIGHT_LIB_FRONTEND_HEADERCACHE_H

namespace clang {
class CompilerInstance;
}

namespace warpwright {

/// Much of the time that a small file takes is spent on the headers that come
/// before it: the CUDA Toolkit's, or what stands in for them. Where the
/// environment variable WARPWRIGHT_HEADER_CACHE names a folder, as it does
/// for the tests, these are precompiled into it when a command line is met for
/// the second time, with the standard headers that it includes behind them
/// (`-include vector`), and \p CI takes them from there. So are, with those
/// that come before the file, the system's headers that the file itself begins
/// with (LeadingHeaders.h), when they are met for the third time: unless the
/// command line has macros that they could see, one of them has an effect when
/// it is included once more, or one defines a macro that launches. What a
/// precompiled header was made with is part of its name; one whose files have
/// changed, or of whose headers \p CI would find another one, is not used.
/// Without the variable, or where anything is amiss, \p CI stays as it is.
void usePrecompiledHeaders(clang::CompilerInstance &CI);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_FRONTEND_HEADERCACHE_H
