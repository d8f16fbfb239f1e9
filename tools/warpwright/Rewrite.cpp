//===-- Rewrite.cpp - warpwright rewrite ----------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Driver.h"
#include "Pipeline.h"
#include "warpwright/Frontend/Region.h"
#include "warpwright/Frontend/Revert.h"
#include "warpwright/IR/KernelModule.h"
#include "warpwright/Plan/Plan.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace warpwright;
namespace path = llvm::sys::path;

/// Prints the output of `--emit=contraction`, `--emit=plan` or
/// `--emit=plan-json`.
static std::string printStage(const PipelineResult &Result,
                              llvm::StringRef Stage) {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  std::vector<std::pair<std::string, PlanSet>> Plans;
  for (const KernelReport &Kernel : Result.Kernels) {
    if (Stage == "contraction") {
      for (const Contraction &Lifted : Kernel.Lifted)
        Lifted.print(OS);
      continue;
    }
    for (const auto &[Name, Instance] :
         llvm::zip_equal(Kernel.InstanceNames, Kernel.Unit.Instances)) {
      if (Stage == "plan-json")
        Plans.emplace_back(Name, Instance.Plans);
      else
        print(OS, Instance.Plans);
    }
  }
  if (!Plans.empty())
    OS << llvm::formatv("{0:2}\n", toJSON(Plans));
  return Text;
}

/// The folder of the file \p Path.
static llvm::StringRef getFolder(llvm::StringRef Path) {
  llvm::StringRef Folder = path::parent_path(Path);
  return Folder.empty() ? llvm::StringRef(".") : Folder;
}

static llvm::Error checkOutput(const SourceOptions &Options) {
  if (llvm::Error E = checkInput(Options.Input))
    return E;
  if (llvm::Error E =
          checkNotOutput(Options.Output, Options.Input,
                         "the input; say --in-place to overwrite it"))
    return E;
  return checkNotOutput(Options.Output, Options.PlanFile, "the plan file");
}

llvm::Expected<RewrittenSource>
warpwright::rewriteSource(const SourceOptions &Options,
                          const ParseOptions &Parse) {
  llvm::Expected<std::string> PlanText = readPlanFile(Options.PlanFile);
  if (!PlanText)
    return PlanText.takeError();
  RewrittenSource Out;
  llvm::Error E = llvm::Error::success();
  bool Failed = false;
  ParseResult Parsed = parseFile(
      getParsePath(Parse, Options.Input), Parse, [&](ParsedFile &File) {
        if (Options.Emit == "regions") {
          llvm::raw_string_ostream OS(Out.Text);
          printRegions(OS, File);
          return;
        }
        if (Options.Emit == "ir") {
          llvm::raw_string_ostream OS(Out.Text);
          KernelModule(File).print(OS);
          return;
        }
        // Nothing is generated from the plans of a contraction that is shown,
        // but whether there are any belongs to the answer.
        PipelineResult Result = runPipeline(
            File, {*PlanText, Options.PlanFile, Options.Check, Options.Mistake,
                   /*Prove=*/Options.Emit != "contraction"});
        Failed = Result.Failed;
        if (!Options.Emit.empty() && Options.Emit != "cuda") {
          Out.Text = printStage(Result, Options.Emit);
          return;
        }
        FileSource Source{Options.Input,
                          File.Text,
                          {},
                          getCommandLineMacros(File),
                          File.ByAddress,
                          Options.Certificate,
                          File.OldPlans};
        if (!Options.Output.empty() && Options.Output != "-")
          Source.Edits = retargetIncludes(File.Text, getFolder(Options.Input),
                                          getFolder(Options.Output), false);
        llvm::Expected<std::string> Generated =
            generate(Source, Result.takeUnits());
        if (Generated)
          Out.Text = std::move(*Generated);
        else
          E = llvm::joinErrors(std::move(E), Generated.takeError());
      });
  if (E)
    return makeInternalError(Options.Input, std::move(E));
  if (Parsed.Failed || Failed || (Options.Strict && Parsed.NumDeclines != 0)) {
    unsigned Errors = Parsed.NumErrors;
    std::string Why =
        Errors == 1 ? "1 error" : std::to_string(Errors) + " errors";
    if (!Errors)
      Why = "its parse could not start";
    return llvm::make_error<DiagError>(
        DiagID::ParseFailed, std::vector<std::string>{Options.Input, Why});
  }
  Out.NumDeclines = Parsed.NumDeclines;
  return Out;
}

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readInput(const std::string &Input) {
  auto Buffer = llvm::MemoryBuffer::getFile(Input);
  if (!Buffer)
    return llvm::make_error<DiagError>(
        DiagID::CannotRead,
        std::vector<std::string>{Input, Buffer.getError().message()});
  return std::move(*Buffer);
}

/// For `--check`: nothing, or an error that names the first line that would
/// change if \p Input became \p Text by \p What.
static llvm::Error compareWithInput(const std::string &Input,
                                    llvm::StringRef Text,
                                    const std::string &What) {
  auto Buffer = readInput(Input);
  if (!Buffer)
    return Buffer.takeError();
  llvm::StringRef Old = (*Buffer)->getBuffer();
  if (Old == Text)
    return llvm::Error::success();
  unsigned Line = 1;
  for (size_t I = 0; I < Old.size() && I < Text.size() && Old[I] == Text[I];
       ++I)
    Line += Old[I] == '\n';
  return llvm::make_error<DiagError>(
      DiagID::NotCurrent,
      std::vector<std::string>{Input, What + " it changes line " +
                                          std::to_string(Line) +
                                          " and perhaps others"});
}

/// What `--revert` makes of Options.Input.
static llvm::Expected<std::string> revertSource(const SourceOptions &Options) {
  auto Buffer = readInput(Options.Input);
  if (!Buffer)
    return Buffer.takeError();
  llvm::StringRef Text = (*Buffer)->getBuffer();
  Reversion Found = findReversion(Text);
  if (Found.Problem)
    return llvm::make_error<DiagError>(
        DiagID::CannotRevert,
        std::vector<std::string>{
            Options.Input,
            std::to_string(1 +
                           Text.take_front(Found.Problem->Offset).count('\n')),
            Found.Problem->Reason});
  llvm::Expected<std::string> Reverted =
      applyEdits(Text, std::move(Found.Edits));
  if (!Reverted)
    return makeInternalError(Options.Input, Reverted.takeError());
  if (Options.Output.empty() || Options.Output == "-")
    return Reverted;
  llvm::Expected<std::string> Moved = applyEdits(
      *Reverted, retargetIncludes(*Reverted, getFolder(Options.Input),
                                  getFolder(Options.Output), false));
  if (!Moved)
    return makeInternalError(Options.Input, Moved.takeError());
  return Moved;
}

/// Compares \p Text with the input or writes it, as the options say.
static llvm::Error deliver(const SourceOptions &Options, llvm::StringRef Text) {
  if (Options.OnlyCompare)
    return compareWithInput(Options.Input, Text,
                            Options.Revert ? "reverting" : "rewriting");
  return writeOutput(Options.InPlace ? Options.Input : Options.Output, Text);
}

static llvm::Expected<int> rewrite(const SourceOptions &Options,
                                   llvm::StringRef Executable) {
  if (llvm::Error E = checkOutput(Options))
    return E;
  if (Options.Revert) {
    llvm::Expected<std::string> Reverted = revertSource(Options);
    if (!Reverted)
      return Reverted.takeError();
    if (llvm::Error Bad = deliver(Options, *Reverted))
      return Bad;
    return ES_Success;
  }
  llvm::Expected<ParseOptions> Parse = makeParseOptions(Options, Executable);
  if (!Parse)
    return Parse.takeError();
  Parse->ShowRemarks = true;
  llvm::Expected<RewrittenSource> Rewritten = rewriteSource(Options, *Parse);
  if (!Rewritten)
    return Rewritten.takeError();
  if (llvm::Error Bad = deliver(Options, Rewritten->Text))
    return Bad;
  return Rewritten->NumDeclines ? ES_Declined : ES_Success;
}

int warpwright::runRewrite(const CommandLine &Line) {
  llvm::Expected<Arguments> Given = Arguments::parse(Line.Args, RewriteOption);
  llvm::Expected<SourceOptions> Options =
      Given ? makeSourceOptions(*Given) : Given.takeError();
  if (!Options) {
    reportError(Options.takeError());
    return ES_Failure;
  }
  return runSubcommand(Options->Guard, Options->Input,
                       [&] { return rewrite(*Options, Line.Executable); });
}
