//===-- Pipeline.h - Lift, Plan and CodeGen on one file ---------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs the stages after the front end on a parsed file.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_TOOLS_PIPELINE_H
#define WARPWRIGHT_TOOLS_PIPELINE_H

#include "warpwright/CodeGen/CodeGen.h"
#include "warpwright/Contraction/Directives.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace warpwright {

class KernelModule;

struct ParsedFile;
struct Region;

/// The result for one annotated kernel.
struct KernelReport {
  std::string Name;
  std::string File;
  unsigned Line = 0;
  bool AlreadyRewritten = false;
  bool Declined = false;
  /// The clauses of each instance of the unit, for predictions.
  std::vector<Directives> Clauses;
  /// The name of each instance of the unit: `gemm`, or `gemm<__half, 16>`.
  std::vector<std::string> InstanceNames;
  /// The contractions that were lifted, including those that the planner
  /// declined.
  std::vector<Contraction> Lifted;
  /// For each instance of the unit, which of Lifted it was planned from.
  std::vector<size_t> Planned;
  /// The unit from which code is generated; it has no instances if the kernel
  /// was declined.
  KernelUnit Unit;
  /// The lines where the kernel's address is taken.
  std::vector<unsigned> AddressLines;
};

struct PipelineResult {
  std::vector<KernelReport> Kernels;
  bool Failed = false; ///< an error was reported: nothing may be written

  /// The units of all kernels that were rewritten.
  std::vector<KernelUnit> takeUnits() const;
};

/// The text of the plan file \p Path, empty without one; fails if it cannot be
/// read or is no plan file.
llvm::Expected<std::string> readPlanFile(llvm::StringRef Path);

/// The members of an instance's parameters that generated code cannot name.
std::vector<UnnamedMember> unnamedMembersOf(const KernelModule &Module,
                                            const clang::FunctionDecl &Kernel);

struct PipelineOptions {
  /// If not empty, plans in JSON that replace the planner's for the kernels
  /// that they are for; a kernel that they name has to be there.
  llvm::StringRef PlanText;
  llvm::StringRef PlanName; ///< where the text is from, for messages
  /// Each lifted kernel is executed and compared with its contraction, and
  /// declined if they differ.
  bool Check = true;
  /// If not empty, changes the contraction before the check, as a mistake in
  /// Lift would (for tests).
  llvm::StringRef Mistake = "";
  /// The plans are proven. No code may be generated from others.
  bool Prove = true;
};

/// Lifts and plans every region of \p File. Declines are reported through
/// File.Diags; \p Begin, if given, is called before each region, so that a
/// listener knows to which region they belong.
PipelineResult
runPipeline(ParsedFile &File, const PipelineOptions &Options = {},
            llvm::function_ref<void(const Region &)> Begin = nullptr);

} // namespace warpwright

#endif // WARPWRIGHT_TOOLS_PIPELINE_H
