//===-- Parse.h - One parse of one file -------------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Parses a CUDA source once, device side, finds its annotated kernels and
/// hands them to a callback while the AST is alive. No Clang header is needed
/// to call this.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_FRONTEND_PARSE_H
#define WARPWRIGHT_FRONTEND_PARSE_H

#include "warpwright/Source/DiagID.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace warpwright {

struct ParsedFile;

/// A diagnostic as data, for a caller that reports in its own form.
struct SourceMessage {
  unsigned Code = 0; ///< its number in Diagnostics.def; 0: Clang's own
  bool IsError = false;
  std::string Text; ///< without the ID
  std::string File; ///< as Clang opened it; empty: no place
  unsigned Line = 0, Column = 0;
  OpaqueLocation Location = 0;
};

struct ParseOptions {
  /// Flags for Clang, from translateFlags; without the input.
  std::vector<std::string> ClangArgs;
  /// The folder from which relative paths of the flags start; empty: the
  /// current directory.
  std::string Directory;
  /// Whether the user's compiler is Clang, or nvcc with Clang for the host, so
  /// that Clang's macros are defined.
  bool HostIsClang = false;
  bool Strict = false;      ///< declines are errors
  bool ShowRemarks = false; ///< print WW5xx
  /// `launch`: every problem is a warning, since nvcc compiles the file in any
  /// case.
  bool ErrorsAsWarnings = false;
  /// Report nothing about files without a pragma.
  bool Quiet = false;
  /// `scan`: kernels without a pragma that look like a matmul get a Region as
  /// well.
  bool FindUnannotated = false;
  /// Receives the diagnostics that count, without remarks and notes, as soon as
  /// it is known that they count. Nothing is printed then.
  std::function<void(const SourceMessage &)> Observer;
  /// Files (path and text) whose text replaces that on the disk.
  std::vector<std::pair<std::string, std::string>> Replaced;
};

struct ParseResult {
  /// Whether an error was reported, so that nothing may be written.
  bool Failed = false;
  unsigned NumErrors = 0;
  unsigned NumDeclines = 0;
  /// Number of `#pragma warpwright` lines seen.
  unsigned NumPragmas = 0;
};

/// True if \p Word, after `#pragma`, may have been meant as `warpwright`.
bool isMisspeltPragma(llvm::StringRef Word);

/// Parses \p Path and calls \p Use unless the parse failed (exit status 1 of
/// `warpwright rewrite`). Errors that nvcc may not report, outside of every
/// annotated kernel and of what it uses, are printed as warnings. All
/// diagnostics, including those that \p Use reports, go to stderr in order.
ParseResult parseFile(llvm::StringRef Path, const ParseOptions &Options,
                      llvm::function_ref<void(ParsedFile &)> Use);

} // namespace warpwright

#endif // WARPWRIGHT_FRONTEND_PARSE_H
