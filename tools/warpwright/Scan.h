//===-- Scan.h - The matmuls of a code base ---------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The findings of `warpwright scan`, as plain data: each file is read in a
/// process of its own that passes its findings on as text.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TOOLS_SCAN_H
#define WARPWRIGHT_TOOLS_SCAN_H

#include "Driver.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace warpwright {

/// The reason why a kernel was declined or a file was not read.
struct ScanReason {
  unsigned Code = 0; ///< in Diagnostics.def
  std::string Text;  ///< without the kernel's name and the ID
  std::string File;  ///< real path, or empty
  unsigned Line = 0, Column = 0;
};

/// The text that annotates a kernel, and its position.
struct ScanInsertion {
  std::string File;   ///< real path
  std::string Opened; ///< as Clang opened it
  uint64_t Hash = 0;  ///< of the text that was read
  unsigned Offset = 0;
  std::string Text;
};

struct ScannedKernel {
  enum class Verdict { Converts, Declined, NotInstantiated };

  std::string File; ///< real path
  unsigned Line = 0, Column = 0;
  std::string Name; ///< qualified
  Verdict What = Verdict::Declined;
  bool Annotated = false;
  bool Rewritten = false; ///< it already has its section
  std::vector<std::string> Form;
  /// A summary of the contraction: `bf16 bf16 -> f32`, `NT`, `C[m,n] = sum(k)
  /// ...`, and its full text; empty if nothing was lifted.
  std::string Types, Layout, Formula, Contraction;
  unsigned Instances = 0, Converted = 0; ///< of a template; 1 for a kernel
  /// The first reason; also for a template that converts in part.
  std::optional<ScanReason> Reason;
  /// The place for its pragma, if it converts and has none.
  std::optional<ScanInsertion> Insertion;
  std::string NoInsertion; ///< why there is none, if one was requested
};

struct ScannedFile {
  std::string Path;                  ///< real path
  std::optional<ScanReason> Failure; ///< it could not be read
  std::vector<ScannedKernel> Kernels;
  /// Real paths of the user's files that belong to this source and may contain
  /// kernels.
  std::vector<std::string> Entered;
};

llvm::json::Value toJSON(const ScannedFile &File);
bool fromJSON(const llvm::json::Value &From, ScannedFile &File,
              llvm::json::Path Path);

/// Reads Options.Input and every kernel in it that looks like a matmul. With \p
/// Quick, a file without kernels is not parsed. With \p Annotate, each
/// insertion was tried out, and is left out if the kernel does not convert with
/// it.
ScannedFile scanFile(const SourceOptions &Options, llvm::StringRef Executable,
                     bool Quick, bool Annotate);

/// The findings in all files, with each kernel once, in the order of the
/// report.
struct ScanReport {
  struct Failure {
    std::string Path;
    ScanReason Why;
  };
  std::vector<ScannedKernel> Kernels;
  std::vector<Failure> Failures;
  unsigned NumFiles = 0;

  unsigned count(ScannedKernel::Verdict What) const;
};

/// The form in which a real path is printed.
using PathPrinter = llvm::function_ref<std::string(llvm::StringRef)>;

std::string printScanText(const ScanReport &Report, PathPrinter Show);
std::string printScanJSON(const ScanReport &Report, PathPrinter Show);
/// A log of SARIF 2.1.0.
std::string printScanSarif(const ScanReport &Report, PathPrinter Show);

} // namespace warpwright

#endif // WARPWRIGHT_TOOLS_SCAN_H
