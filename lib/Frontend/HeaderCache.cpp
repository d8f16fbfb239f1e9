//===-- HeaderCache.cpp - Headers ahead of a file, precompiled ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeaderCache.h"
#include "warpwright/Frontend/NvccMacros.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
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
/// the standard library that follow it, whose names have no extension.
static size_t countHeaders(llvm::ArrayRef<std::string> Includes) {
  size_t Count = 1;
  while (
      Count < Includes.size() &&
      llvm::all_of(
          Includes[Count], [](char C) { return llvm::isAlpha(C) || C == '_'; }))
    ++Count;
  return Count;
}

/// A line for each file that was read, with its size and its time, and for
/// each name under which one was looked for.
static std::string fileLine(llvm::StringRef Path, uint64_t Size, time_t Time) {
  return ("file " + llvm::Twine(Size) + " " + llvm::Twine(Time) + " " + Path)
      .str();
}

namespace {
/// Records what a precompiled header is made of.
class RecordFiles : public PPCallbacks {
public:
  explicit RecordFiles(llvm::StringSet<> &Lines) : Lines(Lines) {}
  void InclusionDirective(SourceLocation, const Token &, llvm::StringRef Name,
                          bool, CharSourceRange, OptionalFileEntryRef File,
                          llvm::StringRef, llvm::StringRef, const Module *,
                          bool, SrcMgr::CharacteristicKind) override {
    record(Name, File);
  }
  void HasInclude(SourceLocation, llvm::StringRef Name, bool,
                  OptionalFileEntryRef File,
                  SrcMgr::CharacteristicKind) override {
    record(Name, File);
  }

private:
  void record(llvm::StringRef Name, OptionalFileEntryRef File) {
    Lines.insert(("name " + Name).str());
    if (File)
      Lines.insert(fileLine(File->getName(), File->getSize(),
                            File->getModificationTime()));
  }

  llvm::StringSet<> &Lines;
};

class PrecompileAction : public GeneratePCHAction {
public:
  explicit PrecompileAction(llvm::StringSet<> &Lines) : Lines(Lines) {}
  bool BeginSourceFileAction(CompilerInstance &CI) override {
    CI.getPreprocessor().addPPCallbacks(std::make_unique<RecordFiles>(Lines));
    return GeneratePCHAction::BeginSourceFileAction(CI);
  }

private:
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
    PrecompileAction Action(Lines);
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

void warpwright::usePrecompiledHeaders(CompilerInstance &CI) {
  const char *Folder = std::getenv("WARPWRIGHT_HEADER_CACHE");
  PreprocessorOptions &PP = CI.getPreprocessorOpts();
  if (!Folder || !*Folder || PP.Includes.empty() ||
      !isPrefixHeader(PP.Includes.front()) || !PP.ImplicitPCHInclude.empty())
    return;

  // What decides how the headers are read, and no more than that. Macros of the
  // command line that headers need not see are not defined in them
  // (NvccMacros).
  auto Invocation = std::make_shared<CompilerInvocation>(CI.getInvocation());
  const size_t Headers = countHeaders(PP.Includes);
  Invocation->getPreprocessorOpts().Includes.resize(Headers);
  llvm::erase_if(Invocation->getPreprocessorOpts().Macros,
                 [](const std::pair<std::string, bool> &Macro) {
                   return !isReservedMacro(
                       llvm::StringRef(Macro.first).split('=').first);
                 });
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
  const std::vector<std::string> Key = Invocation->getCC1CommandLine();

  llvm::SmallString<128> Path(Folder);
  path::append(Path, llvm::utohexstr(llvm::xxh3_64bits(llvm::join(Key, "\n"))));
  auto Record = llvm::MemoryBuffer::getFile(Path + ".files");
  if (!Record) {
    // The first time: what is met once only is not worth the time.
    if (!fs::create_directories(Folder))
      (void)writeFile(Path + ".files", "none");
    return;
  }
  if (!fs::exists(Path) || !isCurrent((*Record)->getBuffer(), {}, Files)) {
    if (!precompile(Invocation, Path))
      return;
    Record = llvm::MemoryBuffer::getFile(Path + ".files");
  }
  if (!Record || !isCurrent((*Record)->getBuffer(), Folders, Files))
    return;
  PP.Includes.erase(PP.Includes.begin(), PP.Includes.begin() + Headers);
  PP.ImplicitPCHInclude = Path.str().str();
}
