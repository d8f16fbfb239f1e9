//===-- LaunchText.h - Where the text of a launch stands --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From the tokens of a launch in Clang's AST to the bytes of the main file
/// that have to change, in the code or in the definition of a macro.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_FRONTEND_LAUNCHTEXT_H
#define WARPWRIGHT_LIB_FRONTEND_LAUNCHTEXT_H

#include "FileText.h"
#include "clang/AST/ExprCXX.h"

namespace warpwright {

/// The text of one launch.
struct LaunchPlace {
  /// NameBegin and NameEnd delimit the last identifier of the callee, if
  /// NameStandsHere; otherwise an argument of the macro.
  LaunchSource Source;
  /// Whether `<<<` is in the body of a macro.
  bool InBody = false;
  bool NameStandsHere = false;
  /// The reason why the text cannot be edited; empty if it can.
  /// Source.OpenBegin is then still known if HasOpen is set.
  std::string Problem;
  bool HasOpen = false;
};

class LaunchText {
public:
  explicit LaunchText(const ParsedFile &File);

  /// \p Name is the last identifier of the callee, \p Length bytes long; or the
  /// beginning of the callee, with a length of 0.
  LaunchPlace find(const clang::CUDAKernelCallExpr &Call,
                   clang::SourceLocation Name, unsigned Length) const;

  /// The position of the name of a function that is called at \p Location,
  /// where a qualifier can be put before it. \p Location may be that of a
  /// qualifier.
  std::optional<unsigned> findName(clang::SourceLocation Location,
                                   llvm::StringRef Name) const;

  /// A macro whose arguments the commas of a configuration may separate; they
  /// no longer do when the configuration is in parentheses.
  llvm::StringRef findSplittingMacro(clang::SourceLocation Begin) const;

  /// A macro that makes a string of the argument in which a launch stands: the
  /// string would show what the launch has become.
  llvm::StringRef findStringMacro(clang::SourceLocation Begin) const;

  /// The reason why an edit at \p Name cannot use the name \p Qualified of the
  /// runtime: a part of it is a macro there. Empty if none is.
  std::string findMacroInName(clang::SourceLocation Name,
                              llvm::StringRef Qualified) const;

  unsigned getLine(unsigned Offset) const { return Main.getLine(Offset); }

private:
  std::optional<unsigned> getEditOffset(clang::SourceLocation Location) const;
  std::optional<unsigned> getBodyOffset(clang::SourceLocation Location,
                                        clang::FileID Body, bool AtEnd) const;

  const ParsedFile &File;
  const clang::SourceManager &SM;
  MainFileText Main;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_FRONTEND_LAUNCHTEXT_H
