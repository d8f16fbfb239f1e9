//===-- NvccMacros.h - The macros that nvcc has -----------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_FRONTEND_NVCCMACROS_H
#define WARPWRIGHT_FRONTEND_NVCCMACROS_H

#include "clang/Lex/PPCallbacks.h"
#include "llvm/ADT/MapVector.h"

namespace clang {
class IdentifierInfo;
class MacroInfo;
class Preprocessor;
} // namespace clang

namespace warpwright {

/// Whether headers may need to see a macro of that name from the command line.
bool isReservedMacro(llvm::StringRef Name);

/// Whether it is one of the headers that this parse reads before everything
/// else, and nvcc does not.
bool isPrefixHeader(llvm::StringRef Path);

/// Shows the user's code the macros that it sees when nvcc compiles it, with
/// g++ as its host compiler. Each is set where a file begins and ends:
///
///  - __clang__ and its like are there in system headers only, which this Clang
///    must be able to read; so is the __GNUC__ that Clang claims to be. In the
///    user's files __GNUC__ is the release of the libstdc++ that is found.
///  - Macros of the command line are not there in the headers that Clang, and
///    not nvcc, reads before everything else. `-DN=64` would break them: they
///    include cuda.h, whose functions have parameters of that name.
///
/// Reserved names (`_GLIBCXX_...`, `__CUDA_...`, `CUDA_...`) stay as they are
/// everywhere: those are for headers.
class NvccMacros : public clang::PPCallbacks {
public:
  /// \p HidesClang: whether nvcc's host compiler is not Clang.
  NvccMacros(clang::Preprocessor &PP, bool HidesClang)
      : PP(PP), HidesClang(HidesClang) {}

  void FileChanged(clang::SourceLocation Location, FileChangeReason Reason,
                   clang::SrcMgr::CharacteristicKind Kind,
                   clang::FileID Previous) override;
  void MacroDefined(const clang::Token &Name,
                    const clang::MacroDirective *Directive) override;

private:
  using Macros = llvm::MapVector<clang::IdentifierInfo *, clang::MacroInfo *>;

  void setUserView(bool IsUser, clang::SourceLocation Location);
  clang::MacroInfo *getMacro(llvm::StringRef Name) const;
  clang::MacroInfo *makeNumber(llvm::StringRef Text,
                               clang::SourceLocation Location);
  void undefine(clang::IdentifierInfo *Name, clang::SourceLocation Location);
  void define(clang::IdentifierInfo *Name, clang::MacroInfo *Macro,
              clang::SourceLocation Location);

  clang::Preprocessor &PP;
  bool HidesClang;
  bool ShowsUserView = false;
  /// Macros of the command line that are not reserved.
  Macros CommandLine;
  /// The header that Clang or we put before everything; valid while inside of
  /// it.
  clang::FileID Prefix;
  /// Macros that were removed or changed for the user's files.
  Macros Hidden;
};

} // namespace warpwright

#endif // WARPWRIGHT_FRONTEND_NVCCMACROS_H
