//===-- FileText.h - Offsets into the main file -----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From places in Clang's terms to byte offsets into the main file, and the
/// places where something can be added.
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

  /// The offset of \p Location, which must stand in the main file itself and
  /// not in a macro.
  std::optional<unsigned> getOffset(clang::SourceLocation Location) const;

  /// The user's number of the line of \p Offset, #line directives obeyed.
  unsigned getLine(unsigned Offset) const;

  /// Where something can be added after a declaration.
  struct Place {
    unsigned Offset = 0;
    unsigned Line = 0; ///< of what follows
    /// To be opened around what is added.
    std::vector<std::string> Namespaces;
    bool InExternC = false; ///< inside a block of extern "C"
  };

  /// The place after a declaration of \p Function that ends at \p End: behind
  /// it, or behind the #include that brings it in. None if that is not at
  /// namespace scope.
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
