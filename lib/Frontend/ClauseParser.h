//===-- ClauseParser.h - The clauses of one pragma --------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Parses the rest of a `#pragma warpwright` line from the preprocessor.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_FRONTEND_CLAUSEPARSER_H
#define WARPWRIGHT_LIB_FRONTEND_CLAUSEPARSER_H

#include "Pragma.h"

namespace warpwright {

/// Reads everything after the word `warpwright` (the token \p Name) up to and
/// including the end of the directive into \p Spec. Returns false after
/// reporting an error; the directive is consumed then, too.
bool parsePragmaLine(clang::Preprocessor &PP, const clang::Token &Name,
                     Reporter &Diags, PragmaSpec &Spec);

/// `; did you mean 'tile'?` if \p Word is close to one of \p Candidates
/// (returned in \p Best), or the empty string.
std::string suggest(llvm::StringRef Word,
                    llvm::ArrayRef<llvm::StringRef> Candidates,
                    llvm::StringRef &Best);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_FRONTEND_CLAUSEPARSER_H
