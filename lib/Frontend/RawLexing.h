//===-- RawLexing.h - Tokens of a text without preprocessing ----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_FRONTEND_RAWLEXING_H
#define WARPWRIGHT_LIB_FRONTEND_RAWLEXING_H

#include "clang/Basic/LangOptions.h"

namespace warpwright {

/// The language in which a raw lexer reads the text of a CUDA file: raw string
/// literals, `<<<`, and digraphs are tokens.
inline clang::LangOptions rawLexOptions() {
  clang::LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.CPlusPlus14 =
      Options.CPlusPlus17 = Options.CUDA = Options.Digraphs = true;
  return Options;
}

} // namespace warpwright

#endif // WARPWRIGHT_LIB_FRONTEND_RAWLEXING_H
