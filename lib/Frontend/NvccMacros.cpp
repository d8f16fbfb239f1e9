//===-- NvccMacros.cpp - The macros that nvcc has -------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Frontend/NvccMacros.h"
#include "warpwright/Frontend/Region.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace warpwright;
using namespace clang;

/// Macros of Clang and its headers that g++ and nvcc do not have.
static constexpr llvm::StringLiteral ClangMacros[] = {
    "__clang__",
    "__clang_major__",
    "__clang_minor__",
    "__clang_patchlevel__",
    "__clang_version__",
    "__clang_literal_encoding__",
    "__llvm__",
    "__clang_wide_literal_encoding__",
    "__CUDA__",
    // Clang's own header sets it to 0; nvcc does not define it, not even with
    // --use_fast_math.
    "__USE_FAST_MATH__",
};

bool warpwright::isReservedMacro(llvm::StringRef Name) {
  return Name.starts_with("_") || Name.starts_with("CUDA_") || Name == "NDEBUG";
}

MacroInfo *NvccMacros::getMacro(llvm::StringRef Name) const {
  return PP.getMacroInfo(PP.getIdentifierInfo(Name));
}

MacroInfo *NvccMacros::makeNumber(llvm::StringRef Text,
                                  SourceLocation Location) {
  MacroInfo *Macro = PP.AllocateMacroInfo(Location);
  Token Number;
  Number.startToken();
  Number.setKind(tok::numeric_constant);
  PP.CreateString(Text, Number, Location, Location);
  Macro->setTokens({Number}, PP.getPreprocessorAllocator());
  return Macro;
}

void NvccMacros::undefine(IdentifierInfo *Name, SourceLocation Location) {
  if (PP.getMacroInfo(Name))
    PP.appendMacroDirective(Name, new (PP.getPreprocessorAllocator())
                                      UndefMacroDirective(Location));
}

void NvccMacros::define(IdentifierInfo *Name, MacroInfo *Macro,
                        SourceLocation Location) {
  PP.appendDefMacroDirective(Name, Macro, Location);
}

void NvccMacros::MacroDefined(const Token &Name,
                              const MacroDirective *Directive) {
  if (Prefix.isValid() ||
      !PP.getSourceManager().isWrittenInCommandLineFile(Name.getLocation()))
    return;
  IdentifierInfo *Identifier = Name.getIdentifierInfo();
  if (!isReservedMacro(Identifier->getName()))
    CommandLine[Identifier] =
        const_cast<MacroInfo *>(Directive->getMacroInfo());
}

void NvccMacros::setUserView(bool IsUser, SourceLocation Location) {
  if (IsUser == ShowsUserView)
    return;
  ShowsUserView = IsUser;
  if (!IsUser) {
    for (auto &[Name, Macro] : Hidden) {
      undefine(Name, Location);
      define(Name, Macro, Location);
    }
    Hidden.clear();
    return;
  }
  auto Hide = [&](llvm::StringRef Name, MacroInfo *Instead) {
    IdentifierInfo *Identifier = PP.getIdentifierInfo(Name);
    MacroInfo *Macro = PP.getMacroInfo(Identifier);
    // A macro that a file has undefined stays undefined, and one that the user
    // has defined stays defined.
    if (!Macro || PP.getSourceManager().isWrittenInCommandLineFile(
                      Macro->getDefinitionLoc()))
      return;
    Hidden[Identifier] = Macro;
    undefine(Identifier, Location);
    if (Instead)
      define(Identifier, Instead, Location);
  };
  for (llvm::StringRef Name : ClangMacros)
    Hide(Name, nullptr);
  MacroInfo *Release = getMacro("_GLIBCXX_RELEASE");
  if (!Release || Release->getNumTokens() != 1)
    return;
  Hide("__GNUC__", Release);
  Hide("__GNUC_MINOR__", makeNumber("0", Location));
  Hide("__GNUC_PATCHLEVEL__", makeNumber("0", Location));
}

bool warpwright::isPrefixHeader(llvm::StringRef Path) {
  llvm::StringRef Name = llvm::sys::path::filename(Path);
  return Name == "__clang_cuda_runtime_wrapper.h" ||
         Name == "warpwright_parse.h";
}

void NvccMacros::FileChanged(SourceLocation Location, FileChangeReason Reason,
                             SrcMgr::CharacteristicKind Kind, FileID Previous) {
  const SourceManager &SM = PP.getSourceManager();
  FileID File = SM.getFileID(Location);
  if (Reason == EnterFile && Prefix.isInvalid() &&
      isPrefixHeader(SM.getFilename(Location))) {
    Prefix = File;
    for (auto &[Name, Macro] : CommandLine)
      undefine(Name, Location);
  } else if (Reason == ExitFile && Prefix.isValid() && Previous == Prefix) {
    Prefix = FileID();
    for (auto &[Name, Macro] : CommandLine) {
      undefine(Name, Location);
      define(Name, Macro, Location);
    }
    CommandLine.clear();
  }
  // Clang's macros and those of the command line belong to no file.
  bool IsFile = SM.getFileEntryRefForID(File).has_value();
  if (HidesClang)
    setUserView(IsFile && Prefix.isInvalid() && !SrcMgr::isSystem(Kind),
                Location);
}

std::vector<std::string>
warpwright::getCommandLineMacros(const ParsedFile &File) {
  std::vector<std::string> Names;
  for (const auto &[Definition, IsUndefined] :
       File.Sema.getPreprocessor().getPreprocessorOpts().Macros) {
    const llvm::StringRef Name =
        llvm::StringRef(Definition).take_until([](char C) {
          return C == '=' || C == '(';
        });
    if (!IsUndefined && !isReservedMacro(Name) &&
        !llvm::is_contained(Names, Name))
      Names.push_back(Name.str());
  }
  llvm::sort(Names);
  return Names;
}
