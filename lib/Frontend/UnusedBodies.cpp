//===- UnusedBodies.cpp - Function bodies that need no parse --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnusedBodies.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace warpwright;
using namespace clang;

/// What the names of the functions that launch begin with (isLaunchFunction in
/// Addresses.cpp). The Toolkit has others with cudaLaunch, such as
/// cudaLaunchAttributeID, in many macros.
static constexpr llvm::StringLiteral LaunchFunctions[] = {
    "cudaLaunchKernel", "cudaLaunchCooperative"};

/// What stands in for Clang's header of functions that read textures, with
/// which Clang spends two fifths of the instructions that an empty file takes.
/// Lift looks for its namespace.
static constexpr llvm::StringLiteral TexturesName =
    "__clang_cuda_texture_intrinsics.h";
static constexpr llvm::StringLiteral Textures = R"(
#ifndef __CLANG_CUDA_TEXTURE_INTRINSICS_H__
#define __CLANG_CUDA_TEXTURE_INTRINSICS_H__
#define __nv_tex_surf_handler(op, ptr, ...)                                    \
  ::__cuda_tex::__tex_fetch(ptr, __VA_ARGS__)
namespace __cuda_tex {
template <class... T> __attribute__((device)) void __tex_fetch(T...);
}
#endif
)";

static bool launches(const Token &T) {
  const IdentifierInfo *Name = T.getIdentifierInfo();
  return T.is(tok::lesslessless) ||
         (Name && llvm::any_of(LaunchFunctions, [&](llvm::StringRef Each) {
            return Name->getName().starts_with(Each);
          }));
}

bool warpwright::definesLaunch(const Token &Name,
                               const MacroDirective &Directive) {
  return !launches(Name) &&
         llvm::any_of(Directive.getMacroInfo()->tokens(), launches);
}

/// Notices macros that launch, wherever they are defined: a header may use them
/// without a launch in its own text. Where a launching function's own name is a
/// macro, as the Toolkit has it for per-thread streams, its uses have that
/// name. Puts Textures in their place.
class UnusedBodies::Macros : public PPCallbacks {
public:
  Macros(UnusedBodies &Bodies, SourceManager &SM) : Bodies(Bodies), SM(SM) {}

  // It is called before Clang opens the file.
  void InclusionDirective(SourceLocation, const Token &, llvm::StringRef Name,
                          bool, CharSourceRange, OptionalFileEntryRef File,
                          llvm::StringRef, llvm::StringRef, const Module *,
                          bool, SrcMgr::CharacteristicKind Kind) override {
    if (File && Kind != SrcMgr::C_User && Name == TexturesName)
      SM.overrideFileContents(*File,
                              llvm::MemoryBuffer::getMemBuffer(Textures, Name));
  }

  void MacroDefined(const Token &Name, const MacroDirective *MD) override {
    Bodies.HasLaunchMacro |= definesLaunch(Name, *MD);
  }

private:
  UnusedBodies &Bodies;
  SourceManager &SM;
};

void UnusedBodies::watch(CompilerInstance &CI) {
  SM = &CI.getSourceManager();
  CI.getFrontendOpts().SkipFunctionBodies = true;
  CI.getPreprocessor().addPPCallbacks(
      std::make_unique<Macros>(*this, CI.getSourceManager()));
}

bool UnusedBodies::isUnused(const Decl &Function) {
  const SourceLocation Where = SM->getExpansionLoc(Function.getLocation());
  if (Function.isTemplated() || !SM->isInSystemHeader(Where) ||
      Function.hasAttr<CUDADeviceAttr>() ||
      Function.hasAttr<CUDAGlobalAttr>() || HasLaunchMacro || HasUsers)
    return false;
  const FileID File = SM->getFileID(Where);
  auto [Known, New] = MayLaunch.try_emplace(File.getHashValue(), true);
  if (New) {
    const llvm::StringRef Text = SM->getBufferData(File);
    Known->second = Text.contains("<<<") ||
                    llvm::any_of(LaunchFunctions, [&](llvm::StringRef Each) {
                      return Text.contains(Each);
                    });
  }
  return !Known->second;
}

void UnusedBodies::sawDeclaration(const Decl &D) {
  const SourceLocation Where = SM->getExpansionLoc(D.getLocation());
  HasUsers |= Where.isValid() && !SM->isInSystemHeader(Where);
}
