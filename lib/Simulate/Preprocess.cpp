//===-- Preprocess.cpp - Both passes over a CUDA source -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Preprocess.h"
#include "WgmmaFunctions.h"
#include "warpwright/Frontend/Diagnostics.h"
#include "warpwright/Frontend/NvccMacros.h"
#include "warpwright/Source/Chevrons.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/Basic/DiagnosticLex.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/FileManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/PreprocessorOutputOptions.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace warpwright;
using namespace clang;

namespace {

/// Prints errors, and those warnings that the program itself asks for
/// (`#warning`). Other warnings are left to the user's compiler.
class ErrorPrinter : public DiagnosticConsumer {
public:
  ErrorPrinter() : Printer(llvm::errs(), Options) {
    Options.ShowPresumedLoc = true; // line markers name the user's files
  }

  void BeginSourceFile(const LangOptions &LangOpts,
                       const Preprocessor *PP) override {
    Printer.BeginSourceFile(LangOpts, PP);
  }
  void EndSourceFile() override { Printer.EndSourceFile(); }

  void HandleDiagnostic(DiagnosticsEngine::Level Level,
                        const Diagnostic &Info) override {
    if (Level == DiagnosticsEngine::Note && !PrintsNotes)
      return;
    if (Level < DiagnosticsEngine::Error && Level != DiagnosticsEngine::Note &&
        Info.getID() != diag::pp_hash_warning) {
      PrintsNotes = false;
      return;
    }
    switch (Info.getID()) {
    // PTX operands are read by the simulator, not by this machine's assembler.
    case diag::err_asm_invalid_output_constraint:
    case diag::err_asm_invalid_input_constraint:
    case diag::err_asm_unknown_register_name:
    // Clang declares operator new for the host before it reads the first line.
    case diag::err_cuda_ovl_target:
      PrintsNotes = false;
      break;
    default:
      PrintsNotes = true;
      break;
    }
    if (!PrintsNotes)
      return;
    if (Level >= DiagnosticsEngine::Error)
      ++NumPrinted;
    Printer.HandleDiagnostic(Level, Info);
  }

  unsigned getNumPrinted() const { return NumPrinted; }

private:
  DiagnosticOptions Options;
  TextDiagnosticPrinter Printer;
  bool PrintsNotes = false;
  unsigned NumPrinted = 0;
};

/// Refuses launches that only the host would see. Host and device are compiled
/// as one here, and the device's side of conditionals is used.
class HiddenLaunches : public PPCallbacks {
public:
  explicit HiddenLaunches(CompilerInstance &CI)
      : CI(CI), SM(CI.getSourceManager()) {}

  void Else(SourceLocation Location, SourceLocation If) override {
    Conditions[Location.getRawEncoding()] = If;
  }
  void SourceRangeSkipped(SourceRange Range, SourceLocation) override {
    SourceLocation Begin = Range.getBegin();
    if (SM.isInSystemHeader(Begin))
      return;
    llvm::StringRef Text = getText(Begin);
    Text = Text.take_front(SM.getFileOffset(Range.getEnd()) -
                           SM.getFileOffset(Begin));
    size_t Launch = findChevrons(Text);
    if (Launch == llvm::StringRef::npos)
      return;
    // The skipped part starts at the `#`; the word `else` comes after it.
    llvm::StringRef Condition = Text;
    unsigned Word = Text.find_first_not_of("# \t");
    auto Found = Conditions.find(Begin.getLocWithOffset(Word).getRawEncoding());
    if (Found != Conditions.end())
      Condition = getText(Found->second);
    if (!Condition.take_until([](char C) { return C == '\n'; })
             .contains("__CUDA_ARCH__"))
      return;
    const DiagInfo &Info = getDiagInfo(DiagID::NotSimulated);
    DiagnosticsEngine &Engine = CI.getDiagnostics();
    std::string Format =
        (Info.Format + " [" + getDiagCode(DiagID::NotSimulated) + "]").str();
    Engine.Report(Begin.getLocWithOffset(Launch),
                  Engine.getDiagnosticIDs()->getCustomDiagID(
                      DiagnosticIDs::Level::Error, Format))
        << "launches that __CUDA_ARCH__ hides: host and device code are "
           "compiled together, with it defined";
  }

private:
  /// The text from \p Location to the end of its file.
  llvm::StringRef getText(SourceLocation Location) const {
    return SM.getBufferData(SM.getFileID(Location))
        .drop_front(SM.getFileOffset(Location));
  }

  CompilerInstance &CI;
  const SourceManager &SM;
  llvm::DenseMap<unsigned, SourceLocation> Conditions; ///< by `else`
};

class PrintAction : public PreprocessorFrontendAction {
public:
  PrintAction(std::string &Out, const WgmmaFunctions &Wgmmas, bool HostIsClang)
      : Out(Out), Wgmmas(Wgmmas), HostIsClang(HostIsClang) {}

  void ExecuteAction() override {
    Preprocessor &PP = getCompilerInstance().getPreprocessor();
    PP.addPPCallbacks(std::make_unique<HiddenLaunches>(getCompilerInstance()));
    PP.addPPCallbacks(dropOtherWgmmas(PP.getSourceManager(), Wgmmas));
    PP.addPPCallbacks(
        std::make_unique<NvccMacros>(PP, /*HidesClang=*/!HostIsClang));
    PreprocessorOutputOptions Options;
    Options.ShowCPP = true;
    Options.ShowLineMarkers = true;
    llvm::raw_string_ostream OS(Out);
    DoPrintPreprocessedInput(PP, &OS, Options);
  }

private:
  std::string &Out;
  const WgmmaFunctions Wgmmas;
  const bool HostIsClang;
};

/// Headers whose functions have bodies in which nothing is edited: those of the
/// simulator and of C++'s standard library that have no assembly, no launch and
/// no shared variable. Parsing them was half of the parse of a program.
class PlainHeaders {
public:
  PlainHeaders(llvm::StringRef Preprocessed, llvm::StringRef SimInclude) {
    llvm::StringMap<bool>::iterator File = Files.end();
    while (!Preprocessed.empty()) {
      auto [Line, Rest] = Preprocessed.split('\n');
      Preprocessed = Rest;
      if (auto Name = readMarker(Line))
        File = Files
                   .try_emplace(*Name, Name->starts_with(SimInclude) ||
                                           Name->contains("/include/c++/"))
                   .first;
      else if (File != Files.end() && File->second)
        File->second = !mayBeEdited(Line);
    }
  }

  bool contain(const Decl &D) const {
    const SourceManager &SM = D.getASTContext().getSourceManager();
    const PresumedLoc Place = SM.getPresumedLoc(D.getLocation());
    return Place.isValid() && SM.isInSystemHeader(D.getLocation()) &&
           Files.lookup(Place.getFilename());
  }

private:
  static bool mayBeEdited(llvm::StringRef Line) {
    return Line.contains("<<<") || Line.contains("asm") ||
           Line.contains("shared") || Line.contains("global");
  }

  llvm::StringMap<bool> Files; ///< whether a file is one, by its name
};

class UseConsumer : public ASTConsumer {
public:
  UseConsumer(CompilerInstance &CI, const PlainHeaders &Plain, bool &Good,
              llvm::function_ref<bool(ASTContext &)> Use)
      : CI(CI), Plain(Plain), Good(Good), Use(Use) {}

  bool shouldSkipFunctionBody(Decl *D) override { return Plain.contain(*D); }

  bool HandleTopLevelDecl(DeclGroupRef) override {
    // Only templates themselves are needed. Errors in an instance are reported
    // when the result is compiled.
    CI.getSema().PendingInstantiations.clear();
    CI.getSema().UndefinedButUsed.clear();
    return true;
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    auto &Errors =
        static_cast<ErrorPrinter &>(*CI.getDiagnostics().getClient());
    Good = Errors.getNumPrinted() == 0 && Use(Context);
  }

private:
  CompilerInstance &CI;
  const PlainHeaders &Plain;
  bool &Good;
  llvm::function_ref<bool(ASTContext &)> Use;
};

class UseAction : public ASTFrontendAction {
public:
  UseAction(const PlainHeaders &Plain, bool &Good,
            llvm::function_ref<bool(ASTContext &)> Use)
      : Plain(Plain), Good(Good), Use(Use) {}

  bool BeginSourceFileAction(CompilerInstance &CI) override {
    CI.getFrontendOpts().SkipFunctionBodies = true; // those that are plain
    return true;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 llvm::StringRef) override {
    return std::make_unique<UseConsumer>(CI, Plain, Good, Use);
  }

private:
  const PlainHeaders &Plain;
  bool &Good;
  llvm::function_ref<bool(ASTContext &)> Use;
};

} // namespace

std::vector<std::string>
warpwright::getLibraryFlags(const SimulateOptions &Options) {
  std::vector<std::string> Flags;
  if (Options.ToolkitInclude.empty())
    return Flags;
  for (llvm::StringRef Name :
       {"cublas", "cublas_api", "cublas_v2", "cublasLt", "cublasXt", "cudnn",
        "cufft", "curand", "cusparse", "library_types"}) {
    llvm::SmallString<128> Header(Options.ToolkitInclude);
    llvm::sys::path::append(Header, Name + ".h");
    if (llvm::sys::fs::exists(Header))
      Flags.push_back(
          ("-DWARPWRIGHT_TOOLKIT_" + Name + "=\"" + Header + "\"").str());
  }
  return Flags;
}

std::vector<std::string>
warpwright::getSimulatorFlags(const SimulateOptions &Options) {
  std::vector<std::string> Flags = {"-isystem",
                                    Options.SimInclude,
                                    "-isystem",
                                    Options.RuntimeInclude,
                                    "-D__CUDA_ARCH__=900",
                                    "-D__CUDA_ARCH_FEAT_SM90_ALL",
                                    "-D__CUDACC__",
                                    "-D__NVCC__",
                                    "-DWARPWRIGHT_SIMULATED=1",
                                    "-include",
                                    "cuda_runtime.h"};
  llvm::append_range(Flags, getLibraryFlags(Options));
  return Flags;
}

/// Runs \p Action on \p Path, whose content is \p Text if that is given.
/// Returns the number of errors that were printed, plus one if the action could
/// not start.
static unsigned
runAction(llvm::StringRef Path, std::optional<llvm::StringRef> Text,
          llvm::StringRef Language, const SimulateOptions &Options,
          std::unique_ptr<FrontendAction> Action, bool &Started) {
  auto FS = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::vfs::createPhysicalFileSystem());
  if (!Options.Directory.empty())
    FS->setCurrentWorkingDirectory(Options.Directory);
  if (Text) {
    auto InMemory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    llvm::SmallString<128> Absolute(Path);
    FS->makeAbsolute(Absolute);
    InMemory->addFile(Absolute, 0,
                      llvm::MemoryBuffer::getMemBufferCopy(*Text, Path));
    FS->pushOverlay(InMemory);
  }
  auto Files = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), FS);
  std::vector<std::string> Command = {
      WARPWRIGHT_HOST_CLANG, // its headers are found beside it
      "-x",
      Language.str(),
      "-fsyntax-only",
      "-ferror-limit=0",
      "-std=gnu++17",
  };
  if (Language == "c++") {
    for (std::string &Flag : getSimulatorFlags(Options))
      Command.push_back(std::move(Flag));
  } else {
    Command.insert(Command.end(), {"--cuda-host-only", "--cuda-gpu-arch=sm_90a",
                                   "-nocudainc", "-nocudalib",
                                   // The newest version that Clang 22 knows, in
                                   // whose terms it translates launches.
                                   "-Xclang", "-target-sdk-version=12.9"});
  }
  Command.insert(Command.end(), Options.ClangArgs.begin(),
                 Options.ClangArgs.end());
  Command.push_back("--");
  Command.push_back(Path.str());
  tooling::ToolInvocation Invocation(std::move(Command), std::move(Action),
                                     Files.get());
  ErrorPrinter Errors;
  Invocation.setDiagnosticConsumer(&Errors);
  Started = Invocation.run() || Errors.getNumPrinted() != 0;
  return Errors.getNumPrinted();
}

/// Host and device are one machine here. Puts functions of system headers,
/// which have neither attribute, into pragmas that give them both. The pragmas
/// stand before line markers, so that the numbers of lines do not change.
static std::string markSystemHeaders(llvm::StringRef Text) {
  std::string Out;
  Out.reserve(Text.size() + Text.size() / 16);
  bool IsSystem = false;
  auto Switch = [&](bool ToSystem) {
    if (ToSystem != IsSystem)
      Out += ToSystem ? "#pragma clang force_cuda_host_device begin\n"
                      : "#pragma clang force_cuda_host_device end\n";
    IsSystem = ToSystem;
  };
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    // `# 12 "file" 1 3 4`: 3 says that it is a system header.
    if (Line.starts_with("# ") && Line.contains('"'))
      Switch(Line.rsplit('"').second.contains('3'));
    Out += Line;
    Out += '\n';
    Text = Rest;
  }
  Switch(false);
  return Out;
}

/// The text of \p Path, which may be relative to the folder of the compilation.
static std::string readFile(llvm::StringRef Path,
                            const SimulateOptions &Options) {
  llvm::SmallString<128> Absolute(Path);
  if (!Options.Directory.empty())
    llvm::sys::path::make_absolute(Options.Directory, Absolute);
  auto Buffer = llvm::MemoryBuffer::getFile(Absolute);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

std::optional<std::string>
warpwright::preprocess(llvm::StringRef Path,
                       std::optional<llvm::StringRef> Text,
                       const SimulateOptions &Options) {
  // What the file itself says is enough, unless plans are in its headers.
  WgmmaFunctions Wgmmas =
      findWgmmaFunctions(Text ? Text->str() : readFile(Path, Options),
                         /*SimInclude=*/"");
  while (true) {
    std::string Out;
    bool Started = false;
    // Only the parse treats the text as CUDA, for which Clang would add headers
    // of its own.
    unsigned Errors = runAction(
        Path, Text, "c++", Options,
        std::make_unique<PrintAction>(Out, Wgmmas, Options.HostIsClang),
        Started);
    if (!Started || Errors)
      return std::nullopt;
    const WgmmaFunctions Needed = findWgmmaFunctions(Out, Options.SimInclude);
    if (Wgmmas.contain(Needed))
      return markSystemHeaders(Out);
    Wgmmas = Needed;
  }
}

bool warpwright::parsePreprocessed(llvm::StringRef Path,
                                   llvm::StringRef Preprocessed,
                                   const SimulateOptions &Options,
                                   llvm::function_ref<bool(ASTContext &)> Use) {
  bool Good = false, Started = false;
  const PlainHeaders Plain(Preprocessed, Options.SimInclude);
  unsigned Errors =
      runAction(Path, Preprocessed, "cuda-cpp-output", Options,
                std::make_unique<UseAction>(Plain, Good, Use), Started);
  return Good && !Errors;
}
