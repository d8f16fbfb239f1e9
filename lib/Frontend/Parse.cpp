//===-- Parse.cpp - One parse of one file ---------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Frontend/Parse.h"
#include "DiagnosticCollector.h"
#include "Discover.h"
#include "GeneratedText.h"
#include "HeaderCache.h"
#include "Pragma.h"
#include "UnusedBodies.h"
#include "warpwright/Frontend/JoinedChevrons.h"
#include "warpwright/Frontend/NvccMacros.h"
#include "warpwright/Frontend/Region.h"
#include "warpwright/Source/Chevrons.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace warpwright;
using namespace clang;

namespace {

/// The state of one parse, in place of global variables.
struct ParseState {
  llvm::StringRef Path;
  const ParseOptions &Options;
  llvm::function_ref<void(ParsedFile &)> Use;
  DiagnosticCollector &Collector;
  ParseResult &Result;
  PragmaTable Pragmas;
  std::unique_ptr<Reporter> Diags;
  UnusedBodies Unused;
  /// What preprocessor conditionals hide in the main file.
  std::vector<llvm::StringRef> Skipped;
  /// Whether the main file defines a macro that launches.
  bool HasLaunchMacro = false;
  /// Files as they are on disk, where Clang reads another text: the main file,
  /// and the user's headers.
  std::optional<std::string> Original;
  OriginalTexts OriginalHeaders;
  /// Whether this is the second, host-side parse.
  bool IsHostParse = false;
};

/// Records what preprocessor conditionals hide in the main file, and macros
/// that launch.
class SkippedLaunches : public PPCallbacks {
public:
  SkippedLaunches(const SourceManager &SM, ParseState &State)
      : SM(SM), State(State) {}

  void SourceRangeSkipped(SourceRange Range, SourceLocation) override {
    if (!SM.isInMainFile(Range.getBegin()))
      return;
    llvm::StringRef Text = SM.getBufferData(SM.getMainFileID());
    unsigned Begin = SM.getFileOffset(Range.getBegin());
    unsigned End = SM.getFileOffset(Range.getEnd());
    State.Skipped.push_back(Text.slice(Begin, End));
  }
  void MacroDefined(const Token &Name, const MacroDirective *MD) override {
    State.HasLaunchMacro |=
        SM.isInMainFile(Name.getLocation()) &&
        llvm::any_of(MD->getMacroInfo()->tokens(), [](const Token &Each) {
          return Each.is(tok::lesslessless);
        });
  }

private:
  const SourceManager &SM;
  ParseState &State;
};

/// Gives the user's headers to Clang in a form that it can parse.
class HeaderSpelling : public PPCallbacks {
public:
  HeaderSpelling(SourceManager &SM, OriginalTexts &Originals)
      : SM(SM), Originals(Originals) {}

  void InclusionDirective(SourceLocation, const Token &, llvm::StringRef, bool,
                          CharSourceRange, OptionalFileEntryRef File,
                          llvm::StringRef, llvm::StringRef, const Module *,
                          bool, SrcMgr::CharacteristicKind Kind) override {
    // It is called before Clang opens the file.
    if (!File || Kind != SrcMgr::C_User ||
        !Seen.insert(&File->getFileEntry()).second)
      return;
    auto Buffer = SM.getMemoryBufferForFileOrNone(*File);
    if (!Buffer)
      return;
    if (auto Parsed = respellLaunches(Buffer->getBuffer())) {
      Originals[&File->getFileEntry()] = Buffer->getBuffer().str();
      SM.overrideFileContents(*File, llvm::MemoryBuffer::getMemBufferCopy(
                                         *Parsed, File->getName()));
    }
  }

private:
  SourceManager &SM;
  OriginalTexts &Originals;
  llvm::DenseSet<const FileEntry *> Seen;
};

class ParseConsumer : public ASTConsumer {
public:
  ParseConsumer(CompilerInstance &CI, ParseState &State)
      : CI(CI), State(State) {}

  void HandleTranslationUnit(ASTContext &Context) override;

  bool HandleTopLevelDecl(DeclGroupRef Group) override {
    for (const Decl *D : Group)
      State.Unused.sawDeclaration(*D);
    return true;
  }
  bool shouldSkipFunctionBody(Decl *D) override {
    return State.Unused.isUnused(*D);
  }

private:
  /// An error in a kernel without a pragma concerns that kernel alone.
  void declineIfBroken(ParsedFile &File, Region &R);

  CompilerInstance &CI;
  ParseState &State;
};

class ParseAction : public ASTFrontendAction {
public:
  explicit ParseAction(ParseState &State) : State(State) {}

  bool BeginInvocation(CompilerInstance &CI) override {
    usePrecompiledHeaders(CI);
    return true;
  }

  bool BeginSourceFileAction(CompilerInstance &CI) override {
    State.Diags = std::make_unique<Reporter>(
        CI.getDiagnostics(), State.Options.Strict, State.Options.ShowRemarks);
    registerPragma(CI.getPreprocessor(), State.Pragmas, *State.Diags);
    CI.getPreprocessor().addPPCallbacks(
        std::make_unique<SkippedLaunches>(CI.getSourceManager(), State));
    CI.getPreprocessor().addPPCallbacks(std::make_unique<HeaderSpelling>(
        CI.getSourceManager(), State.OriginalHeaders));
    CI.getPreprocessor().addPPCallbacks(std::make_unique<NvccMacros>(
        CI.getPreprocessor(), !State.Options.HostIsClang));
    State.Unused.watch(CI);
    return true;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 llvm::StringRef) override {
    return std::make_unique<ParseConsumer>(CI, State);
  }

private:
  ParseState &State;
};

} // namespace

static void addHostLaunches(ParsedFile &File, const ParseOptions &Options);

void ParseConsumer::declineIfBroken(ParsedFile &File, Region &R) {
  UsedSource Used(File, R);
  const StoredDiagnostic *Error = State.Collector.findOpen(
      [&](SourceLocation Location) { return Used.contains(Location); });
  if (!Error || R.Declined)
    return;
  R.Declined = true;
  PresumedLoc Where =
      File.Context.getSourceManager().getPresumedLoc(Error->getLocation());
  std::string Why = Error->getMessage().str();
  if (Where.isValid())
    Why = "line " + std::to_string(Where.getLine()) + ": " + Why;
  File.Diags.decline(DiagID::KernelHasErrors, R.PragmaLocation, SourceRange(),
                     R.Name, Why);
}

/// Whether text that the device-side parse has not seen may launch a kernel of
/// \p File, by a name, an address or a macro.
static bool mayLaunch(const ParsedFile &File, const ParseState &State) {
  return llvm::any_of(State.Skipped, [&](llvm::StringRef Text) {
    return findChevrons(Text) != llvm::StringRef::npos ||
           Text.contains("cudaLaunch") ||
           (State.HasLaunchMacro && Text.contains('(')) ||
           llvm::any_of(File.Regions, [&](const Region &R) {
             return Text.contains(R.Source.Name);
           });
  });
}

static constexpr char LostLaunchReason[] =
    "it is in device code, in a function for host and device, in a default "
    "argument or in the initializer of a member";

void ParseConsumer::HandleTranslationUnit(ASTContext &Context) {
  const SourceManager &SM = Context.getSourceManager();
  ParsedFile File{Context,
                  CI.getSema(),
                  *State.Diags,
                  State.Path.str(),
                  State.Original ? llvm::StringRef(*State.Original)
                                 : SM.getBufferData(SM.getMainFileID()),
                  {}};
  File.OriginalHeaders = &State.OriginalHeaders;
  for (SourceLocation Open : State.Collector.lostLaunches())
    if (auto [In, Offset] = SM.getDecomposedLoc(SM.getExpansionLoc(Open));
        In == SM.getMainFileID())
      File.LostLaunches.emplace_back(Offset, LostLaunchReason);
  discoverRegions(File, State.Pragmas, State.Options.FindUnannotated);

  for (Region &R : File.Regions)
    if (R.Unannotated)
      declineIfBroken(File, R);
  UsedSource Used(File, State.Pragmas);
  State.Collector.settle(
      [&](SourceLocation Location) { return Used.contains(Location); },
      [&](SourceLocation Location) {
        return llvm::any_of(State.Pragmas.Specs, [&](const auto &Spec) {
          return SM.isPointWithin(SM.getExpansionLoc(Location),
                                  Spec->Range.getBegin(), Spec->Range.getEnd());
        });
      });
  State.Result.NumPragmas = State.Pragmas.NumPragmas;
  bool Annotated = State.Pragmas.NumPragmas || State.Pragmas.NumMisspelt ||
                   File.Text.contains("warpwright");
  if (State.Options.Quiet && !Annotated)
    State.Collector.silence();
  if (State.Collector.getNumFailures())
    return;
  if (!State.IsHostParse && !File.Regions.empty() &&
      (mayLaunch(File, State) || !File.LostLaunches.empty())) {
    const auto LostHere = File.LostLaunches;
    addHostLaunches(File, State.Options);
    // What this parse has seen is reported, or redirected.
    const char *Buffer = SM.getBufferData(SM.getMainFileID()).data();
    llvm::erase_if(File.LostLaunches, [&](const auto &Lost) {
      const char *Open = Buffer + Lost.first;
      return llvm::none_of(
                 LostHere,
                 [&](const auto &Each) { return Each.first == Lost.first; }) &&
             llvm::none_of(State.Skipped, [&](llvm::StringRef Text) {
               return Text.begin() <= Open && Open < Text.end();
             });
    });
    reportLostLaunches(File);
  }
  State.Use(File);
}

static ParseResult run(llvm::StringRef Path, const ParseOptions &Options,
                       DiagnosticCollector &Collector, bool IsHostParse,
                       llvm::function_ref<void(ParsedFile &)> Use) {
  ParseResult Result;
  ParseState State{Path,         Options,         Use,        Collector, Result,
                   {},           nullptr,         {},         {},        false,
                   std::nullopt, OriginalTexts(), IsHostParse};

  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> FS =
      llvm::vfs::createPhysicalFileSystem();
  if (!Options.Directory.empty())
    FS->setCurrentWorkingDirectory(Options.Directory);
  auto Replace = [&](llvm::ArrayRef<std::pair<std::string, std::string>> With) {
    auto Layers = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(FS);
    auto Memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    if (auto Folder = FS->getCurrentWorkingDirectory())
      Memory->setCurrentWorkingDirectory(*Folder);
    for (const auto &[File, Text] : With)
      Memory->addFile(File, 0,
                      llvm::MemoryBuffer::getMemBufferCopy(Text, File));
    Layers->pushOverlay(Memory);
    FS = Layers;
  };
  if (!Options.Replaced.empty())
    Replace(Options.Replaced);
  // Included before the file so that no offset in it changes.
  constexpr char MissingPlans[] = "/warpwright/missing_plans.cuh";
  bool HasMissingPlans = false;
  if (auto Buffer = FS->getBufferForFile(Path)) {
    llvm::StringRef Text = (*Buffer)->getBuffer();
    if (std::string Plans = declareMissingPlans(Text); !Plans.empty()) {
      HasMissingPlans = true;
      Replace({{MissingPlans, Plans}});
    }
    if (std::optional<std::string> Parsed = respellLaunches(Text)) {
      State.Original = Text.str();
      Replace({{Path.str(), *Parsed}});
    }
  }
  auto Files = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), FS);

  std::vector<std::string> Command = {"clang++"};
  Command.insert(Command.end(), Options.ClangArgs.begin(),
                 Options.ClangArgs.end());
  if (HasMissingPlans)
    Command.insert(Command.end(), {"-include", MissingPlans});
  Command.push_back("--");
  Command.push_back(Path.str());

  tooling::ToolInvocation Invocation(
      std::move(Command), std::make_unique<ParseAction>(State), Files.get());
  Invocation.setDiagnosticConsumer(&Collector);
  bool Ran = Invocation.run();

  Result.NumErrors = Collector.getNumFailures();
  // Clang also reports failure after errors that do not count here; the
  // collector has seen those. It has not seen the failure of a parse that never
  // started.
  Result.Failed = Result.NumErrors != 0 || (!Ran && !State.Diags);
  if (State.Diags)
    Result.NumDeclines = State.Diags->getNumDeclines();
  return Result;
}

/// Adds what the host-side parse \p Host has found about launches by address.
/// It has seen more uses of each macro, so its decisions about macros replace
/// the others.
static void addHostAddresses(ParsedFile &File, const ParsedFile &Host) {
  const SourceManager &SM = File.Context.getSourceManager();
  const SourceManager &HostSM = Host.Context.getSourceManager();
  auto Translate = [&](SourceLocation Location) {
    Location = HostSM.getExpansionLoc(Location);
    SourceLocation Start = SM.getLocForStartOfFile(SM.getMainFileID());
    return HostSM.isInMainFile(Location)
               ? Start.getLocWithOffset(HostSM.getFileOffset(Location))
               : Start;
  };
  auto IsKeptHere = [&](const LaunchSource &Launch) {
    return llvm::any_of(File.KeptBodies, [&](const auto &Kept) {
      return Kept.first == Launch.OpenBegin;
    });
  };
  for (const LaunchSource &Launch : Host.ByAddress.Launches)
    if (!IsKeptHere(Launch))
      addLaunches(File.ByAddress.Launches, Launch);
  for (unsigned Offset : Host.ByAddress.Calls)
    if (!llvm::is_contained(File.ByAddress.Calls, Offset))
      File.ByAddress.Calls.push_back(Offset);
  llvm::sort(File.ByAddress.Calls);
  auto Merge = [&](auto &Into, const auto &From) {
    for (const auto &[Location, Why] : From) {
      const SourceLocation Here = Translate(Location);
      if (llvm::none_of(Into, [&](const auto &Each) {
            return SM.getExpansionLoc(Each.first) == Here;
          }))
        Into.emplace_back(Here, Why);
    }
  };
  Merge(File.NotByAddress, Host.NotByAddress);

  for (Region &R : File.Regions) {
    for (const Region &Other : Host.Regions)
      if (Other.Source.SectionOffset == R.Source.SectionOffset &&
          Other.Name == R.Name) {
        R.Source.ByAddress |= Other.Source.ByAddress;
        Merge(R.AddressLeaves, Other.AddressLeaves);
      }
    llvm::erase_if(R.Source.Launches, IsKeptHere);
    // Looked up by name, in what the device-side parse has seen.
    llvm::erase_if(R.Source.Launches, [&](const LaunchSource &Launch) {
      if (llvm::none_of(Host.ByAddress.Launches, [&](const LaunchSource &Each) {
            return Each.OpenBegin == Launch.OpenBegin;
          }))
        return false;
      R.Source.ByAddress = true;
      return true;
    });
  }
  for (const auto &[Offset, Why] : Host.KeptBodies) {
    auto IsKept = [&, At = Offset](const LaunchSource &Launch) {
      return Launch.OpenBegin == At;
    };
    const SourceLocation Where =
        SM.getLocForStartOfFile(SM.getMainFileID()).getLocWithOffset(Offset);
    if (llvm::any_of(File.ByAddress.Launches, IsKept))
      File.NotByAddress.emplace_back(Where, Why);
    llvm::erase_if(File.ByAddress.Launches, IsKept);
    for (Region &R : File.Regions) {
      if (llvm::any_of(R.Source.Launches, IsKept))
        File.Diags.report(DiagID::LaunchInMacro, Where) << R.Name << Why;
      llvm::erase_if(R.Source.Launches, IsKept);
    }
  }
}

/// Launches under `#ifndef __CUDA_ARCH__` are not in the device-side AST; takes
/// them from a host-side parse. Offsets are the same in both.
static void addHostLaunches(ParsedFile &File, const ParseOptions &Options) {
  ParseOptions HostOptions = Options;
  for (std::string &Arg : HostOptions.ClangArgs)
    if (Arg == "--cuda-device-only")
      Arg = "--cuda-host-only";
  DiagnosticCollector Collector(/*ErrorsAsWarnings=*/true, /*Silent=*/true);
  run(File.Path, HostOptions, Collector, /*IsHostParse=*/true,
      [&](ParsedFile &Host) {
        for (Region &R : File.Regions)
          for (Region &Other : Host.Regions) {
            if (Other.Source.SectionOffset != R.Source.SectionOffset ||
                Other.Name != R.Name)
              continue;
            addLaunches(R.Source.Launches, Other.Source.Launches);
            if (!R.Source.ForwardDeclaration)
              R.Source.ForwardDeclaration = Other.Source.ForwardDeclaration;
          }
        addHostAddresses(File, Host);
        checkSectionLists(File);
        File.LostLaunches = Host.LostLaunches;
      });
}

llvm::StringRef ParsedFile::getText(FileID FID) const {
  const SourceManager &SM = Context.getSourceManager();
  if (FID == SM.getMainFileID())
    return Text;
  if (OriginalHeaders)
    if (OptionalFileEntryRef Entry = SM.getFileEntryRefForID(FID))
      if (auto Found = OriginalHeaders->find(&Entry->getFileEntry());
          Found != OriginalHeaders->end())
        return Found->second;
  return SM.getBufferData(FID);
}

ParseResult warpwright::parseFile(llvm::StringRef Path,
                                  const ParseOptions &Options,
                                  llvm::function_ref<void(ParsedFile &)> Use) {
  DiagnosticCollector Collector(Options.ErrorsAsWarnings, /*Silent=*/false,
                                &Options.Observer);
  return run(Path, Options, Collector, /*IsHostParse=*/false, Use);
}
