//===-- Discover.h - Annotated kernels and their launches -------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From the AST and the pragmas to Regions.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_FRONTEND_DISCOVER_H
#define WARPWRIGHT_LIB_FRONTEND_DISCOVER_H

#include "Pragma.h"
#include "warpwright/Frontend/Region.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"

namespace warpwright {

/// Fills \p File.Regions. Reports pragmas that belong to no kernel, wrong
/// clause values, kernels at which no section can be placed, and launches that
/// cannot be redirected. With \p FindUnannotated, kernels without a pragma that
/// look like a matmul get a Region, too.
void discoverRegions(ParsedFile &File, const PragmaTable &Pragmas,
                     bool FindUnannotated);

/// Evaluates the clauses of \p Spec from the expressions of \p Attribute (null
/// if there are none) into \p Instance. Reports values that are out of range or
/// contradictory, and returns false then. With \p ReportOnly, expressions may
/// be dependent (in the pattern of a template) and are left out then.
bool evaluateClauses(ParsedFile &File, const PragmaSpec &Spec,
                     const clang::AnnotateAttr *Attribute,
                     RegionInstance &Instance);

/// Fills the text and the offsets of \p R.Source, except its launches. If there
/// is no place for a section, reports that and sets Declined.
void describeKernel(ParsedFile &File, Region &R);

/// Template arguments and parameter types of \p Instance as C++ text.
void describeInstance(const ParsedFile &File, RegionInstance &Instance);

/// Finds launches and other uses of the kernels of all regions.
void findLaunches(ParsedFile &File);

/// Reports those of ParsedFile::LostLaunches that launch an annotated kernel.
void reportLostLaunches(ParsedFile &File);

/// Adds the launches of \p More that \p Launches does not have, and sorts them.
void addLaunches(std::vector<LaunchSource> &Launches,
                 llvm::ArrayRef<LaunchSource> More);

/// If a section lacks what launches by address need, it is generated anew.
void checkSectionLists(ParsedFile &File);

/// The user's declarations outside of system headers, in order. Namespaces and
/// linkage specifications are replaced by their contents.
void forEachUserDecl(clang::ASTContext &Context,
                     llvm::function_ref<void(clang::Decl *)> Visit);

/// The source text that kernels depend on.
class UsedSource {
public:
  /// All kernels with a pragma.
  UsedSource(const ParsedFile &File, const PragmaTable &Pragmas);
  /// The kernel of \p R.
  UsedSource(const ParsedFile &File, const Region &R);
  bool contains(clang::SourceLocation Location) const;

private:
  void addRange(clang::SourceRange Range);
  void addUses(const ParsedFile &File, llvm::ArrayRef<const Region *> Regions);
  void addNamed(const ParsedFile &File);

  const clang::SourceManager &SM;
  /// Whether the kernels name something that is not in the AST, because of an
  /// error that may be anywhere.
  bool Incomplete = false;
  /// For each file, ranges of offsets.
  llvm::DenseMap<clang::FileID, std::vector<std::pair<unsigned, unsigned>>>
      Ranges;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_FRONTEND_DISCOVER_H
