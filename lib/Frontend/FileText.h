//===-- FileText.h - Offsets into the main file -----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Translates Clang's positions into byte offsets in the main file, and finds
/// places where text can be inserted.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_FRONTEND_FILETEXT_H
#define WARPWRIGHT_LIB_FRONTEND_FILETEXT_H

#include "warpwright/Frontend/Region.h"
#include "clang/Basic/SourceManager.h"
#include <optional>

namespace warpwright {

class MainFileText {
public:
  explicit MainFileText(const ParsedFile &File);

  /// The offset of \p Location, which must be in the main file itself and not
  /// in a macro.
  std::optional<unsigned> getOffset(clang::SourceLocation Location) const;

  /// The line number of \p Offset as the user sees it, with #line directives
  /// applied.
  unsigned getLine(unsigned Offset) const;

  /// A place after a declaration where text can be inserted.
  struct Place {
    unsigned Offset = 0;
    unsigned Line = 0; ///< the line of what follows
    /// Namespaces to be opened around the inserted text.
    std::vector<std::string> Namespaces;
    bool InExternC = false; ///< inside of a block of extern "C"
  };

  /// The place after a declaration of \p Function that ends at \p End: after
  /// the declaration, or after the #include that brings it in. None if that is
  /// not at namespace scope.
  std::optional<Place> findPlaceAfter(const clang::FunctionDecl &Function,
                                      clang::SourceLocation End) const;

  /// The semicolon of a declaration that ends at \p End.
  clang::SourceLocation getSemicolon(clang::SourceLocation End) const;

private:
  unsigned skipRestOfLine(unsigned Offset) const;
  unsigned skipDirective(unsigned Offset) const;
  clang::SourceLocation getIncludeInMain(clang::SourceLocation L) const;
  bool isAtFileScope(unsigned Offset) const;

  const clang::SourceManager &SM;
  const clang::ASTContext &Context;
  llvm::StringRef Text;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_FRONTEND_FILETEXT_H
