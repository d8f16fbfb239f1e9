//===-- Diagnostics.h - Reporting on the user's source ----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reports diagnostics of Diagnostics.def through Clang, each with its ID in
/// brackets at the end: `in.cu:3:27: error: unknown clause 'tiel' [WW103]`.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_FRONTEND_DIAGNOSTICS_H
#define WARPWRIGHT_FRONTEND_DIAGNOSTICS_H

#include "warpwright/Source/DiagID.h"
#include "clang/Basic/Diagnostic.h"

namespace warpwright {

enum class DiagSeverity { Error, Warning, Decline, Remark };

/// One row of Diagnostics.def.
struct DiagInfo {
  DiagID ID;
  llvm::StringRef Name;
  DiagSeverity Severity;
  llvm::StringRef Format;
};

/// The row of \p ID.
const DiagInfo &getDiagInfo(DiagID ID);

/// All rows, in the order of their numbers.
llvm::ArrayRef<DiagInfo> getAllDiagnostics();

/// "WW103".
std::string getDiagCode(DiagID ID);

/// Reports on one parsed source file and counts what it reported. Lives as
/// long as the parse.
class Reporter {
public:
  /// \p Strict turns declines into errors; remarks are dropped unless
  /// \p ShowRemarks.
  Reporter(clang::DiagnosticsEngine &Engine, bool Strict, bool ShowRemarks)
      : Engine(Engine), Strict(Strict), ShowRemarks(ShowRemarks) {}

  /// Starts a diagnostic; stream its arguments, ranges and fix-its into the
  /// result as with Clang's Diag(). It is emitted when the result dies.
  clang::DiagnosticBuilder report(DiagID ID, clang::SourceLocation Location);

  /// Reports that the region of \p Kernel is left as it is, with the caret at
  /// \p Location, \p Range underlined if valid, and \p Message as the reason.
  /// \p ID is a Decline diagnostic that takes the kernel and the reason.
  void decline(DiagID ID, clang::SourceLocation Location,
               clang::SourceRange Range, llvm::StringRef Kernel,
               llvm::StringRef Message);

  /// A note to the diagnostic before it, without an ID of its own.
  clang::DiagnosticBuilder note(clang::SourceLocation Location,
                                llvm::StringRef Message);

  unsigned getNumErrors() const { return NumErrors; }
  unsigned getNumDeclines() const { return NumDeclines; }
  bool isStrict() const { return Strict; }
  clang::DiagnosticsEngine &getEngine() { return Engine; }

private:
  clang::DiagnosticsEngine &Engine;
  bool Strict;
  bool ShowRemarks;
  unsigned NumErrors = 0;
  unsigned NumDeclines = 0;
};

/// The message of a diagnostic that has no place in a source file, without its
/// ID. \p Arguments replace %0, %1, ...
std::string formatPlain(DiagID ID, llvm::ArrayRef<std::string> Arguments);

/// Prints `warpwright: error: <message> [WWnnn]` for a diagnostic that has no
/// place in a source file. \p Arguments replace %0, %1, ...
void reportPlain(DiagID ID, llvm::ArrayRef<std::string> Arguments,
                 bool Strict = false);

} // namespace warpwright

#endif // WARPWRIGHT_FRONTEND_DIAGNOSTICS_H
