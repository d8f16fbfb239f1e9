//===-- Region.h - Annotated kernels and their launches ---------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the front end finds in one file: a Region per annotated kernel, with
/// its instantiations and clauses (for Lift and Plan) and its KernelSource
/// (for CodeGen). Valid only while the parse that made it is alive.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_FRONTEND_REGION_H
#define WARPWRIGHT_FRONTEND_REGION_H

#include "warpwright/Contraction/Directives.h"
#include "warpwright/Frontend/Diagnostics.h"
#include "warpwright/Source/KernelSource.h"
#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace clang {
class ASTContext;
class Expr;
class FileEntry;
class FunctionDecl;
class Preprocessor;
class Sema;
class Stmt;
} // namespace clang

namespace warpwright {

/// The name of the AnnotateAttr that the pragma leaves in the AST: on a null
/// statement that opens the kernel's body, or on the annotated loop. Whoever
/// interprets a body steps over the AttributedStmt.
constexpr llvm::StringLiteral PragmaAnnotation = "warpwright.matmul";

/// The suffix of the name that `#line` gives to a generated section; nothing
/// under such a name is the user's.
constexpr llvm::StringLiteral GeneratedFileSuffix = ".warpwright>";

/// One `assume` condition.
struct Assumption {
  /// A condition over the kernel's parameters (after substitution of template
  /// arguments), as Sema built it; the outermost node may be an implicit
  /// conversion to bool. If the pragma stands before a declaration only, the
  /// DeclRefExprs in it name parameters of another FunctionDecl: use
  /// getFunctionScopeIndex().
  const clang::Expr *Condition;
  std::string Text; ///< as the user wrote it
};

/// A kernel, or one instantiation of a kernel template.
struct RegionInstance {
  /// The function has a body and is not dependent.
  const clang::FunctionDecl *Function = nullptr;
  /// The clauses, with template arguments substituted.
  Directives Clauses;
  std::vector<Assumption> Assumptions;
  /// The annotated loop, when the pragma stood before one.
  const clang::Stmt *Loop = nullptr;
  /// For CodeGen.
  InstanceSource Source;
};

/// The form of the kernel's sum, in the words that `scan` reports.
struct KernelForm {
  bool Wmma = false;          ///< calls of nvcuda::wmma
  bool InlineMma = false;     ///< inline assembly with mma or wgmma
  bool SharedTiles = false;   ///< factors go through shared memory
  bool RegisterTiles = false; ///< sums are elements of a local array
  bool Atomics = false;       ///< sums are added to memory atomically
};

/// A place where `scan --annotate` can put a pragma for a kernel.
struct PragmaInsertion {
  std::string File; ///< as Clang opened it
  unsigned Offset = 0;
  std::string Text; ///< the whole line, with the line endings of the file
};

/// An annotated kernel or kernel template.
struct Region {
  enum class PragmaPlace { Definition, Declaration, Loop };

  std::string Name; ///< qualified, for messages
  PragmaPlace Place = PragmaPlace::Definition;
  clang::SourceLocation PragmaLocation; ///< the word `warpwright`
  clang::SourceRange PragmaRange;
  /// The position of the clause with the given name ("tile"), or
  /// PragmaLocation.
  clang::SourceLocation getClauseLocation(llvm::StringRef Clause) const;
  std::vector<std::pair<std::string, clang::SourceLocation>> ClauseLocations;

  /// The definition (for a template its pattern), or the first annotated
  /// declaration when this file has no definition.
  const clang::FunctionDecl *Function = nullptr;
  bool IsTemplate = false;
  bool HasDefinition = false;
  /// The definition (or declaration) is in an included file.
  bool InHeader = false;
  /// The file already has the launcher: nothing to do; counts as rewritten.
  bool AlreadyRewritten = false;
  /// No section can be placed, or the file does not instantiate the template,
  /// or a launch cannot be redirected. The reason has been reported.
  bool Declined = false;

  /// One for a plain kernel; none for a template without instantiation and
  /// for a declaration.
  std::vector<RegionInstance> Instances;

  KernelSource Source;

  /// Places where the kernel is used without being launched by <<<>>>.
  std::vector<clang::SourceLocation> AddressTaken;
  /// Places where its address goes to code that launches the original, and what
  /// that code is.
  std::vector<std::pair<clang::SourceLocation, std::string>> AddressLeaves;

  /// There is no pragma. `scan` treats the kernel as if a pragma without
  /// clauses stood before its definition; PragmaLocation is the definition's
  /// name then.
  bool Unannotated = false;
  /// Set only by `scan`.
  KernelForm Form;
};

/// A parsed file with everything found in it.
/// The texts of files that Clang reads in another form.
using OriginalTexts = llvm::DenseMap<const clang::FileEntry *, std::string>;

struct ParsedFile {
  clang::ASTContext &Context;
  clang::Sema &Sema;
  Reporter &Diags;
  std::string Path;     ///< as the user typed it
  llvm::StringRef Text; ///< the main file as it was read
  /// In the order of their sections in the file.
  std::vector<Region> Regions;
  ByAddressSource ByAddress = {};
  /// The plans at its head, if it was rewritten before.
  std::optional<OldText> OldPlans = {};
  /// Launches by address that cannot be edited, and why. They are reported when
  /// it is known that a kernel whose address is taken is rewritten.
  std::vector<std::pair<clang::SourceLocation, std::string>> NotByAddress = {};
  /// `<<<` in bodies of macros that are not edited, with the reason.
  std::vector<std::pair<unsigned, std::string>> KeptBodies = {};
  /// The `<<<` of launches in the main file that are not redirected, and why,
  /// as far as this is not reported yet: Clang has left them out of the AST,
  /// because it takes them for launches by the device, or this is a host-side
  /// parse.
  std::vector<std::pair<unsigned, std::string>> LostLaunches = {};
  const OriginalTexts *OriginalHeaders = nullptr;

  /// A file as it was read. Clang may have been given another text.
  llvm::StringRef getText(clang::FileID FID) const;
};

/// The place where a pragma for the definition of \p R can be inserted, or
/// nothing: its first token has to be in a file, not in the body of a macro
/// that begins elsewhere.
std::optional<PragmaInsertion> findPragmaInsertion(const ParsedFile &File,
                                                   const Region &R);

/// Macros of the command line (`-DN=64`), sorted, without those that are meant
/// for headers (`_GLIBCXX_...`, `CUDA_...`, `NDEBUG`).
std::vector<std::string> getCommandLineMacros(const ParsedFile &File);

/// Prints what was found, for `--emit=regions`: one block per kernel.
void printRegions(llvm::raw_ostream &OS, const ParsedFile &File);

} // namespace warpwright

#endif // WARPWRIGHT_FRONTEND_REGION_H
