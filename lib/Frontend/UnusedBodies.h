//===- UnusedBodies.h - Function bodies that need no parse -----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_FRONTEND_UNUSEDBODIES_H
#define WARPWRIGHT_LIB_FRONTEND_UNUSEDBODIES_H

#include "clang/Lex/PPCallbacks.h"

#include "llvm/ADT/DenseMap.h"

namespace clang {
class CompilerInstance;
class Decl;
class MacroDirective;
class SourceManager;
class Token;
} // namespace clang

namespace warpwright {

/// Whether the definition of the macro \p Name has a launch in it.
bool definesLaunch(const clang::Token &Name,
                   const clang::MacroDirective &Directive);

/// Decides which function bodies a parse may leave out, since parsing headers
/// takes most of the time that a file takes.
class UnusedBodies {
public:
  /// Makes \p CI ask isUnused, through its consumer's shouldSkipFunctionBody,
  /// and watches its preprocessor. Clang never asks about constexpr functions
  /// and about functions whose return type their body says. Clang's header of
  /// 600 functions that read textures, by macros in macros and inline assembly,
  /// becomes a declaration: Lift follows none of them, it says that a texture
  /// is accessed.
  void watch(clang::CompilerInstance &CI);

  /// Whether nothing that is read of a file depends on the body of \p Function,
  /// whose declaration is complete and which is no template and no member of
  /// one: instances may be the only ones that use, and so instantiate,
  /// functions of the user's. It stands in a system header and is for the host
  /// alone, so that no kernel calls it, before anything of the user's is
  /// declared, so that it uses and instantiates none of that; in a header
  /// without launches, since kernels may be in system headers too: neither its
  /// text nor any macro defined so far, in whatever file, has one.
  bool isUnused(const clang::Decl &Function);

  /// To be called for each declaration of the file, at the outermost level.
  void sawDeclaration(const clang::Decl &D);

private:
  class Macros;

  const clang::SourceManager *SM = nullptr;
  bool HasLaunchMacro = false;
  bool HasUsers = false; ///< a declaration outside of system headers
  llvm::DenseMap<unsigned, bool> MayLaunch; ///< by the file's hash
};

} // namespace warpwright

#endif // WARPWRIGHT_LIB_FRONTEND_UNUSEDBODIES_H
