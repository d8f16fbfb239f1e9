//===-- Driver.h - What the subcommands share -------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The subcommands of `warpwright`, and the options that several have.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TOOLS_DRIVER_H
#define WARPWRIGHT_TOOLS_DRIVER_H

#include "Guard.h"
#include "warpwright/Frontend/CompileFlags.h"
#include "warpwright/Frontend/Parse.h"
#include "warpwright/Source/TextEdit.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warpwright {

/// Exit statuses of every subcommand but `launch`.
enum ExitStatus {
  ES_Success = 0,  ///< every annotated region was rewritten, or there was none
  ES_Failure = 1,  ///< nothing was written
  ES_Declined = 2, ///< written, but something was left as it was
};

/// The words of a command line after the subcommand, and the tool's own path.
struct CommandLine {
  std::vector<std::string> Args;
  std::string Executable; ///< the tool's own path, symbolic links resolved
};

int runRewrite(const CommandLine &Line);
int runExplain(const CommandLine &Line);
int runLaunch(const CommandLine &Line);
int runLayout(const CommandLine &Line);
int runScan(const CommandLine &Line);
int runVerify(const CommandLine &Line);
int runSim(const CommandLine &Line);

/// Options of the subcommands that read a source.
struct SourceOptions {
  std::string Input;
  std::string Output;                 ///< -o; empty: stdout
  bool InPlace = false;               ///< --in-place
  std::string Emit;                   ///< --emit=, or empty
  std::string PlanFile;               ///< --plan=
  std::string SvgFolder;              ///< --svg=, of explain
  bool Strict = false;                ///< --strict
  bool Check = true;                  ///< not --no-check
  bool Certificate = false;           ///< --certificate
  bool OnlyCompare = false;           ///< --check
  bool Revert = false;                ///< --revert
  std::string Mistake;                ///< --simulate-mistake=, for tests
  std::string BuildPath;              ///< -p
  std::vector<std::string> ExtraArgs; ///< --extra-arg=
  std::vector<std::string> Flags;     ///< behind `--`
  GuardOptions Guard;                 ///< --time-limit=
};

/// The options of a subcommand that reads one source. Fails with a usage error.
llvm::Expected<SourceOptions> makeSourceOptions(const Arguments &Given);

/// The compile flags for a parse of Options.Input. Fails with a DiagError.
llvm::Expected<ParseOptions> makeParseOptions(const SourceOptions &Options,
                                              llvm::StringRef Executable);

/// Runs \p Work on \p Input in a process of its own; \p Work returns an exit
/// status or an error. Errors are reported. Returns the exit status.
int runSubcommand(const GuardOptions &Options, llvm::StringRef Input,
                  llvm::function_ref<llvm::Expected<int>()> Work);

struct RewrittenSource {
  std::string Text;
  unsigned NumDeclines = 0;
};

/// The output of `rewrite` for Options.Input: the rewritten text, or what
/// Options.Emit requests. Diagnostics have been printed; an error is what ends
/// the tool.
llvm::Expected<RewrittenSource> rewriteSource(const SourceOptions &Options,
                                              const ParseOptions &Parse);

/// The path by which a parse in \p Parse.Directory finds \p Path.
std::string getParsePath(const ParseOptions &Parse, llvm::StringRef Path);

/// Edits that make the relative `#include "x.h"` of \p Text, a file in the
/// folder \p From, resolve from the folder \p To. With \p Absolute, to full
/// paths. Only includes that are found beside the file are touched.
std::vector<TextEdit> retargetIncludes(llvm::StringRef Text,
                                       llvm::StringRef From, llvm::StringRef To,
                                       bool Absolute);

/// False if neither \p Source nor anything that it includes by the folders of
/// \p ClangArgs holds the pragma; true if one may.
bool maySeePragma(llvm::StringRef Source,
                  llvm::ArrayRef<std::string> ClangArgs);

/// Whether \p Text may define or declare a kernel.
bool mayHoldKernel(llvm::StringRef Text);

/// False if neither \p Source nor anything of the user's that it includes holds
/// a kernel; true if one may.
bool maySeeKernel(llvm::StringRef Source,
                  llvm::ArrayRef<std::string> ClangArgs);

/// Fails if \p Path is no file that can be read.
llvm::Error checkInput(llvm::StringRef Path);

/// Fails if \p Output (empty or "-": stdout) is the file \p Input, which is
/// what
/// \p What says.
llvm::Error checkNotOutput(llvm::StringRef Output, llvm::StringRef Input,
                           llvm::StringRef What);

/// Writes \p Text to \p Path (empty or "-": stdout), all of it or nothing.
llvm::Error writeOutput(llvm::StringRef Path, llvm::StringRef Text);

/// The exit status after \p E, a contradiction in the tool's own results;
/// reports WW018.
llvm::Error makeInternalError(llvm::StringRef Input, llvm::Error E);

/// A usage error, WW001.
llvm::Error makeUsageError(const llvm::Twine &Message);

} // namespace warpwright

#endif // WARPWRIGHT_TOOLS_DRIVER_H
