//===-- Findings.h - What the simulator found, as diagnostics ---*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_SIMULATE_FINDINGS_H
#define WARPWRIGHT_LIB_SIMULATE_FINDINGS_H

#include "warpwright/Simulate/Program.h"
#include "llvm/DebugInfo/Symbolize/Symbolize.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace warpwright {

/// Prints the lines of JSON that runtime/sim/lib/Report.cpp writes.
class FindingPrinter {
public:
  FindingPrinter(llvm::StringRef Program, const GeneratedLines &Generated,
                 llvm::raw_ostream &OS);

  /// Prints one finding; a line that cannot be read is printed unchanged.
  void print(llvm::StringRef Line);

  unsigned getNumErrors() const { return NumErrors; }
  unsigned getNumWarnings() const { return NumWarnings; }

private:
  /// One frame of a simulated thread; inlined calls have frames, too.
  struct Frame {
    std::string File, Function;
    unsigned Line = 0, Column = 0;
  };

  std::vector<Frame> symbolize(const llvm::json::Array *Stack);
  /// The innermost frame that belongs to the program, to code that was
  /// generated for it, or to a file of the runtime with one of the roles of a
  /// kernel's warpgroups. The first frame if there is none; null without
  /// frames.
  static const Frame *choose(llvm::ArrayRef<Frame> Frames);
  void printPlace(const Frame &At);
  void printSnippet(const Frame &At);
  void printNote(const llvm::json::Object &Note);

  std::string Program;
  const GeneratedLines &Generated;
  llvm::raw_ostream &OS;
  llvm::symbolize::LLVMSymbolizer Symbolizer;
  unsigned NumErrors = 0, NumWarnings = 0;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_SIMULATE_FINDINGS_H
