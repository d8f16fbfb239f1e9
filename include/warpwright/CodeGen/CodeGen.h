//===-- CodeGen.h - From plans to the rewritten file ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The last stage: kernels with their contractions and plans become CUDA text,
/// and the user's file becomes the same file with that text and the redirected
/// launches in it. Pure functions from plain data to text; no Clang AST.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_CODEGEN_CODEGEN_H
#define WARPWRIGHT_CODEGEN_CODEGEN_H

#include "warpwright/CodeGen/ExprPrinter.h"
#include "warpwright/Contraction/Contraction.h"
#include "warpwright/Plan/KernelPlan.h"
#include "warpwright/Source/KernelSource.h"
#include "warpwright/Source/TextEdit.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace warpwright {

/// The main file as it was read.
struct FileSource {
  std::string Name;     ///< for `#line`, as the user typed it
  llvm::StringRef Text; ///< what all offsets count in; outlives the call
  /// Edits that are not about kernels (relative #includes that must resolve
  /// from another directory).
  std::vector<TextEdit> Edits;
  /// Macros that the runtime's headers must not see (`-DN=64`: they include
  /// cuda.h, whose functions have parameters of that name).
  std::vector<std::string> HiddenMacros = {};
  /// Only edited where a kernel of Source.ByAddress is rewritten.
  ByAddressSource ByAddress = {};
  /// Headings say in full what was proven of each plan.
  bool WithCertificates = false;
  /// The plans that the file has already.
  std::optional<OldText> OldPlans = {};
};

/// What one instantiation, or a plain kernel, computes in the launches for
/// which a condition holds, lifted and planned.
struct KernelInstance {
  InstanceSource Source;
  Contraction Computation;
  PlanSet Plans;
  /// Those that Computation, which may use them like others, has to read by
  /// their place.
  std::vector<UnnamedMember> UnnamedMembers = {};
  /// On arguments and launch. The cases of an instantiation follow one another
  /// in a unit, and no two of them hold for the same launch.
  BoolExpr When = BoolExpr::constant(true);
};

/// An annotated kernel with all that was lifted of it.
struct KernelUnit {
  KernelSource Source;
  /// Empty for a declaration without a definition (Source.DeclarationOnly). A
  /// plain kernel has one, or one for each of its cases.
  std::vector<KernelInstance> Instances;
  /// The file already holds this kernel's section: only Source.Launches, the
  /// launches that do not go to the launcher yet, are edited.
  bool SectionExists = false;
};

/// Fails, with the reason, where the launcher of \p Instance would need what
/// the host cannot know before the launch: an element of an array, a thread's
/// or a loop's number, what a device function returns. generateSection() fails
/// on such an instance; whoever asks before can decline the kernel.
llvm::Error checkHostExpressions(const KernelSource &Source,
                                 const KernelInstance &Instance);

/// The generated section of one kernel of \p File, marker comments included,
/// without the `#line` that follows it, and without the plans that it names,
/// which generate() puts at the head of the file. Deterministic.
///
/// Fails when \p Unit asks for something that has no text: a declaration-only
/// template, a template without instances, a value of a kind that only the
/// lift uses.
llvm::Expected<std::string> generateSection(const FileSource &File,
                                            const KernelUnit &Unit);

/// The rewritten file: \p File's text byte for byte, with the runtime's
/// #include and the plans at the top, one section per unit and every launch in
/// KernelSource::Launches made a call of its launcher. Without units, and
/// without edits, it is the text itself.
///
/// Fails when an edit does not fit the text (a launch whose offsets do not
/// hold `<<<` and `>>>`, overlapping edits, offsets past the end) and where
/// generateSection does.
llvm::Expected<std::string> generate(const FileSource &File,
                                     llvm::ArrayRef<KernelUnit> Units);

/// The name of the launcher that this unit's launches are redirected to:
/// `gemm_warpwright`, or `gemm_warpwright_weak` when only a declaration of the
/// kernel is in sight.
std::string launcherName(const KernelSource &Source);

/// A plan as a rewritten file has it.
struct WrittenPlan {
  std::string Name;
  int64_t TileM = 0, TileN = 0, TileK = 0, Stages = 0, Ctas = 1;
};

/// The plans that \p Section, the section of the kernel \p Kernel, names for
/// the case \p When of the instance with \p TemplateArgs, as \p Plans, the
/// block at the head of the file, has them; none if they are not there.
std::vector<WrittenPlan>
readPlans(llvm::StringRef Section, llvm::StringRef Plans,
          llvm::StringRef Kernel, llvm::ArrayRef<std::string> TemplateArgs,
          const BoolExpr &When = BoolExpr::constant(true));

} // namespace warpwright

#endif // WARPWRIGHT_CODEGEN_CODEGEN_H
