//===-- Format.h - Layout of generated text ---------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_CODEGEN_FORMAT_H
#define WARPWRIGHT_LIB_CODEGEN_FORMAT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpwright {

/// \p Code in the LLVM style, whatever .clang-format files lie around.
llvm::Expected<std::string> formatCode(llvm::StringRef Code);

/// A C++ string literal.
std::string quoted(llvm::StringRef S);

/// `#line 12 "dir/in.cu"`, with what must be escaped escaped; no newline.
std::string lineDirective(unsigned Line, llvm::StringRef File);

/// Gives every `#line 0 "<File>"` in \p Text the number that makes the next
/// line's number its true one, where \p Text starts at line 1.
std::string numberLines(llvm::StringRef Text, llvm::StringRef File);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_CODEGEN_FORMAT_H
