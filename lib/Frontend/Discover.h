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

/// Fills \p File.Regions. Reports pragmas that belong to no kernel, clause
/// values that are wrong, kernels beside which no section can stand, and
/// launches that cannot be redirected. With \p FindUnannotated, kernels that
/// look like a matmul have a Region without any pragma.
void discoverRegions(ParsedFile &File, const PragmaTable &Pragmas,
                     bool FindUnannotated);

/// Evaluates the clauses of \p Spec from the expressions of \p Attribute
/// (null: there are none) into \p Instance. Reports and returns false for
/// values out of range or contradictory. \p ReportOnly: expressions may be
/// dependent, then they are left out (the pattern of a template).
bool evaluateClauses(ParsedFile &File, const PragmaSpec &Spec,
                     const clang::AnnotateAttr *Attribute,
                     RegionInstance &Instance);

/// Fills the text and the offsets of \p R.Source, but not its launches.
/// Reports and sets Declined if there is no place for a section.
void describeKernel(ParsedFile &File, Region &R);

/// Template arguments and parameter types of \p Instance as C++ text.
void describeInstance(const ParsedFile &File, RegionInstance &Instance);

/// Finds launches and other uses of the kernels of all regions.
void findLaunches(ParsedFile &File);

/// Adds those of \p More that \p Launches does not have, and sorts.
void addLaunches(std::vector<LaunchSource> &Launches,
                 llvm::ArrayRef<LaunchSource> More);

/// A section that lacks what launches by address need is made anew.
void checkSectionLists(ParsedFile &File);

/// The declarations of the user's that are outside of system headers, in
/// order, namespaces and linkage specifications opened.
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
  /// Something that they name is not in the AST, because of an error that may
  /// be anywhere.
  bool Incomplete = false;
  /// Per file, ranges of offsets.
  llvm::DenseMap<clang::FileID, std::vector<std::pair<unsigned, unsigned>>>
      Ranges;
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_FRONTEND_DISCOVER_H
