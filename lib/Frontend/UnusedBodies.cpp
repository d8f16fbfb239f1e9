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
#include "llvm/Support/Path.h"

using namespace warpwright;
using namespace clang;

/// What the names of the functions that launch begin with (isLaunchFunction in
/// Addresses.cpp). The Toolkit has others with cudaLaunch, such as
/// cudaLaunchAttributeID, in many macros.
static constexpr llvm::StringLiteral LaunchFunctions[] = {
    "cudaLaunchKernel", "cudaLaunchCooperative"};

static constexpr llvm::StringLiteral Textures =
    "__clang_cuda_texture_intrinsics.h";

/// Notices macros that launch, wherever they are defined: a header may use them
/// without a launch in its own text. Where a launching function's own name is a
/// macro, as the Toolkit has it for per-thread streams, its uses have that
/// name.
class UnusedBodies::Macros : public PPCallbacks {
public:
  explicit Macros(UnusedBodies &Bodies) : Bodies(Bodies) {}

  void MacroDefined(const Token &Name, const MacroDirective *MD) override {
    Bodies.HasLaunchMacro |=
        !launches(Name) && llvm::any_of(MD->getMacroInfo()->tokens(), launches);
  }

private:
  static bool launches(const Token &T) {
    const IdentifierInfo *Name = T.getIdentifierInfo();
    return T.is(tok::lesslessless) ||
           (Name && llvm::any_of(LaunchFunctions, [&](llvm::StringRef Each) {
              return Name->getName().starts_with(Each);
            }));
  }

  UnusedBodies &Bodies;
};

void UnusedBodies::watch(CompilerInstance &CI) {
  SM = &CI.getSourceManager();
  CI.getFrontendOpts().SkipFunctionBodies = true;
  CI.getPreprocessor().addPPCallbacks(std::make_unique<Macros>(*this));
}

bool UnusedBodies::isUnused(const Decl &Function) {
  const SourceLocation Where = SM->getExpansionLoc(Function.getLocation());
  if (Function.isTemplated() || !SM->isInSystemHeader(Where))
    return false;
  if (Function.hasAttr<CUDADeviceAttr>() || Function.hasAttr<CUDAGlobalAttr>())
    return llvm::sys::path::filename(SM->getFilename(Where)) == Textures;
  if (HasLaunchMacro || HasUsers)
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
