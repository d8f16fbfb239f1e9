//===-- HeaderCache.cpp - Headers ahead of a file, precompiled ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeaderCache.h"
#include "LeadingHeaders.h"
#include "UnusedBodies.h"
#include "warpwright/Frontend/NvccMacros.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/xxhash.h"
#include <cstdlib>

using namespace warpwright;
using namespace clang;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// Whether a folder is searched before those of the system: by -I or -iquote.
static bool isUserFolder(const HeaderSearchOptions::Entry &E) {
  return E.Group == frontend::Quoted || E.Group == frontend::Angled;
}

/// How many of \p Includes are precompiled: the first one, and the headers of
/// the standard library that follow it, whose names have no extension. This
/// project's own header behind the CUDA Toolkit's sees the macros of the
/// command line, so it is among them only where \p HasUserMacros is false.
static size_t countHeaders(llvm::ArrayRef<std::string> Includes,
                           bool HasUserMacros) {
  auto IsStandard = [](llvm::StringRef Name) {
    return llvm::all_of(Name,
                        [](char C) { return llvm::isAlpha(C) || C == '_'; });
  };
  size_t Count = 1;
  while (
      Count < Includes.size() &&
      (IsStandard(Includes[Count]) ||
       (!HasUserMacros && path::filename(Includes[Count]) == "cache_hints.h")))
    ++Count;
  return Count;
}

/// A line for each file that was read, with its size and its time, and for
/// each name under which one was looked for.
static std::string fileLine(llvm::StringRef Path, uint64_t Size, time_t Time) {
  return ("file " + llvm::Twine(Size) + " " + llvm::Twine(Time) + " " + Path)
      .str();
}

/// The line of headers that are read at each time, whatever they are made of.
static constexpr llvm::StringLiteral NotForUse = "not for use";

namespace {
/// Records what a precompiled header is made of. The file includes the headers
/// in Added itself, which must have no effect when it does so once more.
class RecordFiles : public PPCallbacks {
public:
  RecordFiles(Preprocessor &PP, llvm::ArrayRef<std::string> Added,
              llvm::StringSet<> &Lines)
      : PP(PP), Added(Added), Lines(Lines) {}
  void InclusionDirective(SourceLocation Hash, const Token &,
                          llvm::StringRef Name, bool, CharSourceRange,
                          OptionalFileEntryRef File, llvm::StringRef,
                          llvm::StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    record(Name, File);
    if (File && llvm::is_contained(Added, Name) &&
        PP.getSourceManager().isWrittenInBuiltinFile(Hash))
      Twice.push_back(*File);
  }
  void HasInclude(SourceLocation, llvm::StringRef Name, bool,
                  OptionalFileEntryRef File,
                  SrcMgr::CharacteristicKind) override {
    record(Name, File);
  }
  void MacroDefined(const Token &Name, const MacroDirective *MD) override {
    if (definesLaunch(Name, *MD))
      Lines.insert(NotForUse); // UnusedBodies must see it
  }
  void EndOfMainFile() override {
    for (FileEntryRef File : Twice)
      if (!PP.getHeaderSearchInfo().isFileMultipleIncludeGuarded(File))
        Lines.insert(NotForUse);
  }

private:
  void record(llvm::StringRef Name, OptionalFileEntryRef File) {
    Lines.insert(("name " + Name).str());
    if (File)
      Lines.insert(fileLine(File->getName(), File->getSize(),
                            File->getModificationTime()));
  }

  Preprocessor &PP;
  const llvm::ArrayRef<std::string> Added;
  llvm::StringSet<> &Lines;
  std::vector<FileEntryRef> Twice;
};

class PrecompileAction : public GeneratePCHAction {
public:
  PrecompileAction(llvm::ArrayRef<std::string> Added, llvm::StringSet<> &Lines)
      : Added(Added), Lines(Lines) {}
  bool BeginSourceFileAction(CompilerInstance &CI) override {
    CI.getPreprocessor().addPPCallbacks(
        std::make_unique<RecordFiles>(CI.getPreprocessor(), Added, Lines));
    return GeneratePCHAction::BeginSourceFileAction(CI);
  }

private:
  const llvm::ArrayRef<std::string> Added;
  llvm::StringSet<> &Lines;
};
} // namespace

/// Whether all files are as they were, and no name would now be found in one of
/// \p Folders first.
static bool isCurrent(llvm::StringRef Record,
                      llvm::ArrayRef<std::string> Folders,
                      llvm::vfs::FileSystem &Files) {
  llvm::SmallVector<llvm::StringRef, 0> Lines;
  Record.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  return llvm::all_of(Lines, [&](llvm::StringRef Line) {
    auto [Kind, Rest] = Line.split(' ');
    if (Kind == "name")
      return llvm::none_of(Folders,
                           [&Files, Name = Rest](llvm::StringRef Folder) {
                             llvm::SmallString<128> Path(Folder);
                             path::append(Path, Name);
                             return Files.exists(Path);
                           });
    const llvm::StringRef Path = Rest.split(' ').second.split(' ').second;
    fs::file_status Status;
    return Kind == "file" && path::is_absolute(Path) &&
           !fs::status(Path, Status) &&
           Line ==
               fileLine(Path, Status.getSize(),
                        llvm::sys::toTimeT(Status.getLastModificationTime()));
  });
}

/// Writes \p Text to \p Path, in one step for whoever reads it.
static bool writeFile(const llvm::Twine &Path, llvm::StringRef Text) {
  return !llvm::errorToBool(
      llvm::writeToOutput(Path.str(), [&](llvm::raw_ostream &OS) {
        OS << Text;
        return llvm::Error::success();
      }));
}

/// Precompiles the headers of \p Invocation into \p Path.
static bool precompile(std::shared_ptr<CompilerInvocation> Invocation,
                       llvm::ArrayRef<std::string> Added,
                       llvm::StringRef Path) {
  llvm::SmallString<128> Temporary;
  if (fs::createUniqueFile(Path + ".%%%%%%%%.tmp", Temporary))
    return false;
  Invocation->getFrontendOpts().OutputFile = Temporary.str().str();
  llvm::StringSet<> Lines;
  bool Made = false;
  {
    CompilerInstance CI(std::move(Invocation));
    CI.createVirtualFileSystem();
    CI.createDiagnostics(new IgnoringDiagConsumer, /*ShouldOwnClient=*/true);
    PrecompileAction Action(Added, Lines);
    Made = CI.ExecuteAction(Action) && !CI.getDiagnostics().hasErrorOccurred();
  }
  std::vector<std::string> Sorted;
  for (const auto &Line : Lines)
    Sorted.push_back(Line.getKey().str());
  llvm::sort(Sorted);
  // In this order no list belongs to an older header.
  Made = Made && !fs::rename(Temporary, Path) &&
         writeFile(Path + ".files", llvm::join(Sorted, "\n"));
  if (!Made)
    fs::remove(Temporary);
  return Made;
}

/// Whether a macro of the command line is one that headers need not see.
static bool isUserMacro(const std::pair<std::string, bool> &Macro) {
  return !isReservedMacro(llvm::StringRef(Macro.first).split('=').first);
}

/// Has \p CI take the first \p Headers of its `-include` options, and the
/// headers \p Added behind them, from \p Cache. Returns false if they are not
/// there or not as they were.
static bool usePrecompiled(CompilerInstance &CI, llvm::StringRef Cache,
                           size_t Headers, llvm::ArrayRef<std::string> Added) {
  // What decides how the headers are read, and no more than that. Macros of the
  // command line that headers need not see are not defined in them
  // (NvccMacros).
  PreprocessorOptions &PP = CI.getPreprocessorOpts();
  auto Invocation = std::make_shared<CompilerInvocation>(CI.getInvocation());
  std::vector<std::string> &Includes =
      Invocation->getPreprocessorOpts().Includes;
  Includes.resize(Headers);
  Includes.insert(Includes.end(), Added.begin(), Added.end());
  llvm::erase_if(Invocation->getPreprocessorOpts().Macros, isUserMacro);
  // Relative to the folder of the compilation, which need not be the current.
  llvm::vfs::FileSystem &Files = CI.getVirtualFileSystem();
  llvm::SmallVector<std::string> Folders = {"."}; // of what -include names
  for (const auto &E : CI.getHeaderSearchOpts().UserEntries)
    if (isUserFolder(E))
      Folders.push_back(E.Path);
  llvm::erase_if(Invocation->getHeaderSearchOpts().UserEntries, isUserFolder);
  FrontendOptions &Frontend = Invocation->getFrontendOpts();
  Frontend.Inputs = {FrontendInputFile(llvm::MemoryBufferRef("", "headers.cu"),
                                       InputKind(Language::CUDA))};
  Frontend.OutputFile.clear();
  Frontend.ProgramAction = frontend::GeneratePCH;
  // Debug information would name it; no declaration does.
  CodeGenOptions &CodeGen = Invocation->getCodeGenOpts();
  CodeGen.DebugCompilationDir.clear();
  CodeGen.CoverageCompilationDir.clear();
  CodeGen.MainFileName.clear();
  Invocation->getLangOpts().CUID.clear(); // a hash of the file's path
  std::vector<std::string> Key = Invocation->getCC1CommandLine();
  Key.push_back(("added " + llvm::Twine(Added.size())).str());

  llvm::SmallString<128> Path(Cache);
  path::append(Path, llvm::utohexstr(llvm::xxh3_64bits(llvm::join(Key, "\n"))));
  auto Record = llvm::MemoryBuffer::getFile(Path + ".files");
  // What is met once only is not worth the time, and with headers added, for
  // which there is a stand-in, what is met twice.
  const llvm::StringRef Said = Record ? (*Record)->getBuffer() : "";
  if (!Record || (Said == "none" && !Added.empty())) {
    if (!fs::create_directories(Cache))
      (void)writeFile(Path + ".files", Record ? "none yet" : "none");
    return false;
  }
  if (Said.contains(NotForUse))
    return false;
  if (!fs::exists(Path) || !isCurrent(Said, {}, Files)) {
    if (!precompile(Invocation, Added, Path))
      return false;
    Record = llvm::MemoryBuffer::getFile(Path + ".files");
  }
  if (!Record || !isCurrent((*Record)->getBuffer(), Folders, Files))
    return false;
  PP.Includes.erase(PP.Includes.begin(), PP.Includes.begin() + Headers);
  PP.ImplicitPCHInclude = Path.str().str();
  return true;
}

void warpwright::usePrecompiledHeaders(CompilerInstance &CI) {
  const char *Cache = std::getenv("WARPWRIGHT_HEADER_CACHE");
  const PreprocessorOptions &PP = CI.getPreprocessorOpts();
  if (!Cache || !*Cache || PP.Includes.empty() ||
      !isPrefixHeader(PP.Includes.front()) || !PP.ImplicitPCHInclude.empty())
    return;
  const bool HasUserMacros = llvm::any_of(PP.Macros, isUserMacro);
  const size_t Headers = countHeaders(PP.Includes, HasUserMacros);
  // Headers that the file includes see all macros of the command line.
  const llvm::ArrayRef<FrontendInputFile> Inputs = CI.getFrontendOpts().Inputs;
  if (Headers == PP.Includes.size() && PP.MacroIncludes.empty() &&
      !HasUserMacros && Inputs.size() == 1 && Inputs.front().isFile()) {
    std::vector<std::string> Folders;
    for (const auto Group : {frontend::Quoted, frontend::Angled})
      for (const auto &E : CI.getHeaderSearchOpts().UserEntries)
        if (E.Group == Group)
          Folders.push_back(E.Path);
    std::vector<std::string> Added = findLeadingHeaders(
        Inputs.front().getFile(), Folders, CI.getVirtualFileSystem());
    llvm::erase_if(Added, [&](const std::string &Name) {
      return llvm::is_contained(PP.Includes, Name);
    });
    if (!Added.empty() && usePrecompiled(CI, Cache, Headers, Added))
      return;
  }
  (void)usePrecompiled(CI, Cache, Headers, {});
}
