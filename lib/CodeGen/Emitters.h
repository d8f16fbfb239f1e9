//===-- Emitters.h - The parts of a generated section -----------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One function per part of a section. All return text that is not yet laid
/// out (Format.h).
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_CODEGEN_EMITTERS_H
#define WARPWRIGHT_LIB_CODEGEN_EMITTERS_H

#include "Names.h"
#include "Quotients.h"
#include "warpwright/CodeGen/CodeGen.h"
#include "warpwright/CodeGen/ExprPrinter.h"
#include "warpwright/CodeGen/KernelEmitter.h"

namespace warpwright {

/// One instance of a kernel while its text is written.
struct InstanceContext {
  const KernelSource &Source;
  const KernelInstance &Instance;
  /// The epilogue struct: `gemm_epilogue_<hash>`.
  std::string Epilogue;
  PlanText Plans;
  /// The template arguments, `<__half, 16>`, and the original with them.
  std::string Arguments, Original;
  /// The function to define, and what stands before its type: `static `.
  std::string Launcher, Storage;
  /// The parameters as declarations without default arguments, and their types.
  std::vector<std::string> Declarations, Types;
  /// What `#line` calls the section.
  std::string SectionFile;
  /// Names that no local may have: macros, parameters, template parameters.
  NameTable Reserved;
  /// The launcher of the instantiation's next case; empty for the last one.
  std::string NextCase;
  /// Whether the heading has everything that was proven of each plan.
  bool WithCertificate = false;

  const Contraction &computation() const { return Instance.Computation; }
};

/// `Type Name` for any type that has a spelling, pointers to arrays included.
std::string declare(llvm::StringRef Type, llvm::StringRef Name);

/// `kernel<<<...>>>(arguments);` for the launch called \p Launch.
std::string launchOriginal(llvm::StringRef Original, const KernelSource &Source,
                           llvm::StringRef Launch);

/// The names of a kernel's parameters, separated by commas.
std::string argumentList(const KernelSource &Source);

/// The struct that holds the epilogue's arguments and computes its outputs.
llvm::Expected<std::string> emitEpilogue(const InstanceContext &Context);
/// The kernel's parameters that the epilogue mentions, by position.
std::vector<unsigned> epilogueParameters(const InstanceContext &Context);
/// What its struct has behind those: the launcher computes it.
Quotients quotientsOf(const InstanceContext &Context);
/// Whether it computes the offsets of elements in int, as the plans say.
bool countsInInt(const PlanSet &Plans);
/// Whether it also needs the grid and block of the launch.
bool epilogueNeedsLaunch(const InstanceContext &Context);
/// Whether its struct has the member `first_batch`, which the runtime sets.
bool epilogueNeedsFirstBatch(const InstanceContext &Context);

/// The first line of the comment at the head of a case of \p Instance, with its
/// template arguments; empty where the kernel has no other case.
std::string titleOf(llvm::StringRef Instance, const BoolExpr &When);
/// The comment at the head of an instance's code.
std::string emitHeading(const InstanceContext &Context);
/// The comment at the head of a file's plans.
std::string emitPlansHeading();

/// The launcher function.
llvm::Expected<std::string> emitLauncher(const InstanceContext &Context);

} // namespace warpwright

#endif // WARPWRIGHT_LIB_CODEGEN_EMITTERS_H
