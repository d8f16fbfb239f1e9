//===-- NameCheck.h - What a section's names mean where it stands -*- C++ -*-=//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A generated section uses the user's names: functions that its epilogue
/// calls, types of parameters, template arguments. The section stands beside
/// the kernel, not in it, and has names of its own. So each name is looked up
/// here as the compiler will look it up in the section.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_FRONTEND_NAMECHECK_H
#define WARPWRIGHT_FRONTEND_NAMECHECK_H

#include "warpwright/Frontend/Region.h"
#include "clang/AST/Decl.h"
#include "clang/AST/TemplateBase.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include <optional>

namespace warpwright {

/// Whether the user defines a macro called \p Name somewhere in the file.
/// Macros of libraries are undefined again, or expand to the same.
bool isUsersMacro(const ParsedFile &File, llvm::StringRef Name);

/// Looks names up at the place of one kernel's section.
class NameCheck {
public:
  NameCheck(const ParsedFile &File, const Region &R);

  /// Whether a call by the qualified name of \p Function, with numbers of its
  /// parameters' types as arguments, calls that function. \p Global: the name
  /// is written with a leading `::`.
  bool calls(const clang::FunctionDecl &Function, bool Global) const;

  /// Whether the qualified name of \p Variable refers to that variable there.
  bool names(const clang::VarDecl &Variable, bool Global) const;

  /// Whether the name of \p Function, a library function, refers to something
  /// of the user's there.
  bool hides(const clang::FunctionDecl &Function) const;

  /// The reason why the section cannot name the template arguments and the
  /// types of parameters of \p Kernel, which the region instantiates; empty if
  /// it can.
  std::string whyNot(const clang::FunctionDecl &Kernel) const;

private:
  using Names = llvm::SmallVector<clang::NamedDecl *, 8>;

  std::string whyNot(clang::QualType Type, llvm::StringRef Use) const;
  std::string whyNot(const clang::TemplateArgument &Argument,
                     llvm::StringRef Use) const;
  /// The same for one declaration that a type or an argument names.
  std::string whyNot(const clang::NamedDecl &D, llvm::StringRef Use) const;

  bool callsAt(const clang::FunctionDecl &Function, bool Global,
               clang::SourceLocation Place) const;
  const clang::FunctionDecl *
  resolve(const clang::FunctionDecl &Function,
          llvm::ArrayRef<clang::NamedDecl *> Found) const;
  /// Whether \p D is declared before \p Place (anywhere, if that is invalid),
  /// and by the user or a library, not by a section.
  bool isVisible(const clang::Decl &D, clang::SourceLocation Place) const;
  /// The declaration to which the qualified name of \p D refers; nothing if a
  /// part of the name refers to something else, or is local to a function.
  std::optional<Names> find(const clang::NamedDecl &D, bool Global,
                            clang::SourceLocation Place) const;
  Names findUnqualified(clang::DeclarationName Name, bool Global,
                        clang::SourceLocation Place) const;
  /// Whether `Scope::` refers to that scope.
  bool findsScope(const clang::NamedDecl &Scope, bool Global,
                  clang::SourceLocation Place) const;
  bool isTakenByEpilogue(llvm::StringRef Name) const;
  /// Whether a part of the qualified name of \p D is also the name of a macro
  /// of the user's, which would be expanded in the section.
  bool isMacro(const clang::NamedDecl &D) const;

  const ParsedFile &File;
  const Region &R;
  clang::SourceLocation SectionPlace;
  /// Scopes from that of the section to the translation unit.
  llvm::SmallVector<const clang::DeclContext *, 4> Scopes;
  /// Namespaces whose members using-directives make visible in these scopes.
  llvm::DenseMap<const clang::DeclContext *,
                 llvm::SmallVector<const clang::UsingDirectiveDecl *, 4>>
      Shown;
  llvm::StringSet<> Parameters;
};

} // namespace warpwright

#endif // WARPWRIGHT_FRONTEND_NAMECHECK_H
