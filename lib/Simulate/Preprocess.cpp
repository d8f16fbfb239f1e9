//===-- Preprocess.cpp - Both passes over a CUDA source -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Preprocess.h"
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
#include <tuple>

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
  PrintAction(std::string &Out, bool HostIsClang)
      : Out(Out), HostIsClang(HostIsClang) {}

  void ExecuteAction() override {
    Preprocessor &PP = getCompilerInstance().getPreprocessor();
    PP.addPPCallbacks(std::make_unique<HiddenLaunches>(getCompilerInstance()));
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
  const bool HostIsClang;
};

class UseConsumer : public ASTConsumer {
public:
  UseConsumer(CompilerInstance &CI, bool &Good,
              llvm::function_ref<bool(ASTContext &)> Use)
      : CI(CI), Good(Good), Use(Use) {}

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
  bool &Good;
  llvm::function_ref<bool(ASTContext &)> Use;
};

class UseAction : public ASTFrontendAction {
public:
  UseAction(bool &Good, llvm::function_ref<bool(ASTContext &)> Use)
      : Good(Good), Use(Use) {}

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 llvm::StringRef) override {
    return std::make_unique<UseConsumer>(CI, Good, Use);
  }

private:
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

/// The file that the line marker \p Line, `# 12 "file" 1 3 4`, names.
static std::optional<llvm::StringRef> readMarker(llvm::StringRef Line) {
  if (!Line.starts_with("# ") || !Line.contains('"'))
    return std::nullopt;
  return Line.split('"').second.rsplit('"').first;
}

/// The columns of instructions that plans in \p Text may have, a bit for every
/// eight: multiples of their tiles' extents, as an instruction computes some
/// sums of all columns (plan.cuh). All of them if the text, but for our own
/// headers, has any other use of the names of extents or of wgmma.
static uint64_t findWidths(llvm::StringRef Text,
                           const SimulateOptions &Options) {
  constexpr uint64_t All = ~uint64_t(0);
  uint64_t Widths = 0;
  bool IsOurs = false;
  while (!Text.empty()) {
    llvm::StringRef Line;
    std::tie(Line, Text) = Text.split('\n');
    if (auto File = readMarker(Line)) {
      IsOurs = File->starts_with(Options.RuntimeInclude) ||
               File->starts_with(Options.SimInclude);
      continue;
    }
    if (IsOurs)
      continue;
    if (Line.contains("wgmma"))
      return All;
    for (llvm::StringRef Name : {"tile_m", "tile_n"})
      for (llvm::StringRef Rest = Line; Rest.contains(Name);) {
        Rest = Rest.split(Name).second;
        unsigned Extent;
        if (!Rest.consume_front(" = ") || Rest.consumeInteger(10, Extent) ||
            !Extent || Extent % 8 ||
            !(Rest.starts_with(",") || Rest.starts_with(";")))
          return All;
        for (unsigned Width = Extent; Width <= 256; Width += Extent)
          Widths |= uint64_t(1) << Width / 8;
      }
  }
  return Widths ? Widths : All;
}

/// Leaves those functions of wgmma.cuh out that no plan calls: they are more
/// text than everything else. A call of one that is left out does not compile.
static std::string dropWidths(llvm::StringRef Text,
                              const SimulateOptions &Options) {
  const uint64_t Widths = findWidths(Text, Options);
  llvm::SmallString<128> Header(Options.RuntimeInclude);
  llvm::sys::path::append(Header, "warpwright", "rt", "wgmma.cuh");
  std::string Out;
  Out.reserve(Text.size());
  bool IsHeader = false;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    if (auto File = readMarker(Line))
      IsHeader = *File == Header;
    // A line has the functions of one width, with `float (&d)[96 / 2]`.
    unsigned Width;
    llvm::StringRef Extent = Line.split("(&d)[").second;
    bool IsDropped = IsHeader && Line.ltrim().starts_with("template <bool") &&
                     !Extent.consumeInteger(10, Width) && Width <= 256 &&
                     !(Widths >> Width / 8 & 1);
    if (!IsDropped)
      Out += Line;
    Out += '\n'; // lines keep their numbers
  }
  return Out;
}

std::optional<std::string>
warpwright::preprocess(llvm::StringRef Path,
                       std::optional<llvm::StringRef> Text,
                       const SimulateOptions &Options) {
  std::string Out;
  bool Started = false;
  // Only the parse treats the text as CUDA, for which Clang would add headers
  // of its own.
  unsigned Errors = runAction(
      Path, Text, "c++", Options,
      std::make_unique<PrintAction>(Out, Options.HostIsClang), Started);
  if (!Started || Errors)
    return std::nullopt;
  return markSystemHeaders(dropWidths(Out, Options));
}

bool warpwright::parsePreprocessed(llvm::StringRef Path,
                                   llvm::StringRef Preprocessed,
                                   const SimulateOptions &Options,
                                   llvm::function_ref<bool(ASTContext &)> Use) {
  bool Good = false, Started = false;
  unsigned Errors = runAction(Path, Preprocessed, "cuda-cpp-output", Options,
                              std::make_unique<UseAction>(Good, Use), Started);
  return Good && !Errors;
}
