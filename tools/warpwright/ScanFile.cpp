//===-- ScanFile.cpp - The matmuls of one source --------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"
#include "Scan.h"
#include "warpwright/Frontend/Region.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include <map>

using namespace warpwright;
using clang::SourceManager;
using Verdict = ScannedKernel::Verdict;
namespace fs = llvm::sys::fs;

//===----------------------------------------------------------------------===//
// A contraction in one line
//===----------------------------------------------------------------------===//

static std::string printOperand(const Operand &O, llvm::StringRef Indices) {
  std::string Text = O.Pointer + "[" + (O.Index.contains("%b") ? "b," : "") +
                     Indices.str() + "]";
  return O.Prologue ? "f(" + Text + ")" : Text;
}

/// `C[m,n] = f(sum(k) A[m,k] * B[k,n])`, where f stands for the epilogue.
static std::string printFormula(const Contraction &C) {
  std::string Sum =
      "sum(k) " + printOperand(C.A, "m,k") + " * " + printOperand(C.B, "k,n");
  for (const Product &More : C.MoreProducts)
    Sum += " + " + printOperand(More.A, "m,k") + " * " +
           printOperand(More.B, "k,n");
  if (!C.MoreSums.empty())
    Sum += ", " + std::to_string(C.MoreSums.size()) + " more";
  const bool Batched = C.BatchExtent.getConstant() != 1;
  std::string Text;
  for (const Output &O : C.Outputs) {
    const Value *V = O.Value.get();
    while (V && V->K == Value::Kind::Cast)
      V = V->Ops[0].get();
    const bool Plain = V && V->K == Value::Kind::Acc && C.MoreSums.empty();
    Text += (Text.empty() ? "" : "; ") + O.Pointer +
            (Batched ? "[b,m,n] = " : "[m,n] = ") +
            (Plain ? Sum : "f(" + Sum + ")");
  }
  return Text;
}

static std::string printTypes(const Contraction &C) {
  std::string Text = (name(C.A.Type) + " " + name(C.B.Type) + " ->").str();
  for (const Output &O : C.Outputs)
    Text += " " + name(O.Type).str();
  return Text;
}

/// N if k is contiguous in A, or n in B; T if m or k is; - if neither is known
/// to be.
static std::string printLayout(const Contraction &C) {
  auto Letter = [](const Operand &O, const char *Plain, const char *Other) {
    if (O.stride(Plain).isOne())
      return 'N';
    return O.stride(Other).isOne() ? 'T' : '-';
  };
  return {Letter(C.A, "k", "m"), Letter(C.B, "n", "k")};
}

//===----------------------------------------------------------------------===//
// One parse
//===----------------------------------------------------------------------===//

namespace {

/// Reads one source once.
class FileScan {
public:
  FileScan(const SourceOptions &Options, const ParseOptions &Parse)
      : Options(Options), Parse(Parse) {}

  /// \p Replaced as in ParseOptions.
  void run(std::vector<std::pair<std::string, std::string>> Replaced);

  ScannedFile Result;
  /// The texts of the files that get insertions, as Clang opened them.
  std::map<std::string, std::string> Texts;

private:
  void use(ParsedFile &File);
  void describe(ScannedKernel &K, const ParsedFile &File, const Region &R);
  void conclude(ScannedKernel &K, const ParsedFile &File, const Region &R,
                const KernelReport &Report, size_t FirstMessage,
                size_t LastMessage);
  ScanReason makeReason(const SourceMessage &Message) const;
  std::string getRealPath(llvm::StringRef Opened) const;

  const SourceOptions &Options;
  const ParseOptions &Parse;
  std::vector<SourceMessage> Messages;
};

} // namespace

std::string FileScan::getRealPath(llvm::StringRef Opened) const {
  llvm::SmallString<256> Path(Opened), Real;
  if (!Parse.Directory.empty())
    llvm::sys::path::make_absolute(Parse.Directory, Path);
  if (!fs::real_path(Path, Real))
    return Real.str().str();
  fs::make_absolute(Path);
  return Path.str().str();
}

ScanReason FileScan::makeReason(const SourceMessage &Message) const {
  ScanReason Reason;
  Reason.Code = Message.Code;
  // `'gemm' is not rewritten: `, which the report says in any case.
  llvm::StringRef Text = Message.Text;
  const llvm::StringRef Verdict = "' is not rewritten: ";
  if (size_t At = Text.find(Verdict);
      Text.starts_with("'") && At != llvm::StringRef::npos)
    Text = Text.drop_front(At + Verdict.size());
  Reason.Text = Text.str();
  if (!Message.File.empty())
    Reason.File = getRealPath(Message.File);
  Reason.Line = Message.Line;
  Reason.Column = Message.Column;
  return Reason;
}

void FileScan::describe(ScannedKernel &K, const ParsedFile &File,
                        const Region &R) {
  const SourceManager &SM = File.Context.getSourceManager();
  clang::SourceLocation Where = SM.getExpansionLoc(R.Function->getLocation());
  if (auto Entry = SM.getFileEntryRefForID(SM.getFileID(Where)))
    K.File = getRealPath(Entry->getName());
  K.Line = SM.getSpellingLineNumber(Where);
  K.Column = SM.getSpellingColumnNumber(Where);
  K.Name = R.Name;
  K.Annotated = !R.Unannotated;
  K.Rewritten = R.AlreadyRewritten;
  K.Instances = R.Instances.size();
  if (R.Form.Wmma)
    K.Form.push_back("wmma");
  if (R.Form.InlineMma)
    K.Form.push_back("inline mma");
  if (R.Form.SharedTiles)
    K.Form.push_back("shared tiles");
  if (R.Form.RegisterTiles)
    K.Form.push_back("register tiles");
  if (K.Form.empty())
    K.Form.push_back("naive");
  if (R.Form.Atomics)
    K.Form.push_back("atomics");
}

void FileScan::conclude(ScannedKernel &K, const ParsedFile &File,
                        const Region &R, const KernelReport &Report,
                        size_t FirstMessage, size_t LastMessage) {
  const SourceManager &SM = File.Context.getSourceManager();
  // An instance may have several cases.
  llvm::StringSet<> Instances;
  for (const KernelInstance &I : Report.Unit.Instances)
    Instances.insert(llvm::join(I.Source.TemplateArgs, ","));
  K.Converted = Instances.size();
  if (R.AlreadyRewritten || (!R.Declined && !Report.Declined))
    K.What = Verdict::Converts;
  if (!Report.Lifted.empty()) {
    const Contraction &C = Report.Lifted.front();
    K.Types = printTypes(C);
    K.Layout = printLayout(C);
    K.Formula = printFormula(C);
    llvm::raw_string_ostream OS(K.Contraction);
    C.print(OS);
    if (C.BatchExtent.getConstant() != 1)
      K.Form.push_back("batched");
    if (C.RolesExchanged)
      K.Form.push_back("column-major");
  }
  // The messages about a kernel from while it was lifted, or before that.
  for (size_t I = 0; I != Messages.size() && !K.Reason; ++I)
    if (I >= FirstMessage
            ? I < LastMessage
            : Messages[I].Location == R.PragmaLocation.getRawEncoding())
      K.Reason = makeReason(Messages[I]);
  if (K.Reason && K.What == Verdict::Declined &&
      K.Reason->Code == unsigned(DiagID::NoInstantiation))
    K.What = Verdict::NotInstantiated;
  if (K.What != Verdict::Converts || !R.Unannotated || R.AlreadyRewritten)
    return;
  std::optional<PragmaInsertion> Where = findPragmaInsertion(File, R);
  if (!Where) {
    K.NoInsertion = "its definition begins inside a macro";
    return;
  }
  auto FID = SM.getFileID(SM.getExpansionLoc(R.Function->getLocation()));
  llvm::StringRef Text = File.getText(FID);
  Texts.try_emplace(Where->File, Text.str());
  K.Insertion =
      ScanInsertion{getRealPath(Where->File), Where->File,
                    llvm::xxh3_64bits(Text), Where->Offset, Where->Text};
}

void FileScan::use(ParsedFile &File) {
  const SourceManager &SM = File.Context.getSourceManager();
  for (auto I = SM.fileinfo_begin(); I != SM.fileinfo_end(); ++I)
    if (I->second && I->second->getBufferDataIfLoaded())
      if (mayHoldKernel(*I->second->getBufferDataIfLoaded()))
        Result.Entered.push_back(getRealPath(I->first.getName()));
  llvm::sort(Result.Entered);
  // The messages about a kernel begin where those of the previous one end.
  std::vector<size_t> Begins;
  PipelineResult Converted = runPipeline(
      File, {"", "", Options.Check, Options.Mistake, /*Prove=*/false},
      [&](const Region &) { Begins.push_back(Messages.size()); });
  Begins.push_back(Messages.size());
  for (size_t I = 0; I != File.Regions.size(); ++I) {
    const Region &R = File.Regions[I];
    if (!R.HasDefinition)
      continue;
    ScannedKernel K;
    describe(K, File, R);
    conclude(K, File, R, Converted.Kernels[I], Begins[I], Begins[I + 1]);
    Result.Kernels.push_back(std::move(K));
  }
}

void FileScan::run(std::vector<std::pair<std::string, std::string>> Replaced) {
  ParseOptions Once = Parse;
  Once.FindUnannotated = true;
  Once.Replaced = std::move(Replaced);
  Once.Observer = [&](const SourceMessage &Message) {
    Messages.push_back(Message);
  };
  const std::string Path = getParsePath(Parse, Options.Input);
  Result.Path = getRealPath(Path);
  ParseResult Parsed =
      parseFile(Path, Once, [&](ParsedFile &File) { use(File); });
  if (!Parsed.Failed)
    return;
  Result.Kernels.clear();
  ScanReason Why;
  Why.Text = "its parse could not start";
  for (const SourceMessage &Message : Messages)
    if (Message.IsError) {
      Why = makeReason(Message);
      break;
    }
  if (Why.Code == 0)
    Why.Code = unsigned(DiagID::NotScanned);
  Result.Failure = std::move(Why);
}

//===----------------------------------------------------------------------===//
// Trying pragmas out
//===----------------------------------------------------------------------===//

/// Reads the file again with the pragmas of \p Tried. Returns which of these
/// kernels convert then.
static std::vector<bool>
tryInsertions(const SourceOptions &Options, const ParseOptions &Parse,
              const std::map<std::string, std::string> &Texts,
              llvm::ArrayRef<const ScannedKernel *> Tried) {
  // Two kernels that one macro defines have the same place, which can serve
  // only one of them.
  std::map<std::string, std::map<unsigned, std::string>> Edits;
  for (const ScannedKernel *K : Tried)
    Edits[K->Insertion->Opened][K->Insertion->Offset] = K->Insertion->Text;
  std::vector<std::pair<std::string, std::string>> Replaced;
  for (const auto &[File, Places] : Edits) {
    std::vector<TextEdit> All;
    for (const auto &[Offset, Text] : Places)
      All.push_back({Offset, 0, Text});
    llvm::Expected<std::string> Edited =
        applyEdits(Texts.find(File)->second, std::move(All));
    if (!Edited) {
      llvm::consumeError(Edited.takeError());
      return std::vector<bool>(Tried.size());
    }
    Replaced.emplace_back(File, std::move(*Edited));
  }
  FileScan Again(Options, Parse);
  Again.run(std::move(Replaced));
  std::vector<bool> Works;
  for (const ScannedKernel *K : Tried) {
    unsigned Line = K->Line;
    for (const auto &[Offset, Text] : Edits[K->Insertion->Opened])
      if (Offset <= K->Insertion->Offset)
        Line += llvm::StringRef(Text).count('\n');
    Works.push_back(
        llvm::any_of(Again.Result.Kernels, [&](const ScannedKernel &Other) {
          return Other.Annotated && Other.What == Verdict::Converts &&
                 Other.Name == K->Name && Other.File == K->File &&
                 Other.Line == Line;
        }));
  }
  return Works;
}

/// Removes those insertions with which the kernel does not convert.
static void checkInsertions(const SourceOptions &Options,
                            const ParseOptions &Parse, FileScan &Scan) {
  std::vector<ScannedKernel *> Open;
  for (ScannedKernel &K : Scan.Result.Kernels)
    if (K.Insertion)
      Open.push_back(&K);
  if (Open.empty())
    return;
  std::vector<const ScannedKernel *> All(Open.begin(), Open.end());
  std::vector<bool> Works = tryInsertions(Options, Parse, Scan.Texts, All);
  const bool Alone = Open.size() > 1 && llvm::is_contained(Works, false);
  for (size_t I = 0; I != Open.size(); ++I) {
    // A wrong insertion may cause an error, and then no kernel converts.
    if (Alone)
      Works[I] = tryInsertions(Options, Parse, Scan.Texts, All[I]).front();
    if (Works[I])
      continue;
    Open[I]->Insertion.reset();
    Open[I]->NoInsertion = "with a pragma before it, it does not convert";
  }
}

ScannedFile warpwright::scanFile(const SourceOptions &Options,
                                 llvm::StringRef Executable, bool Quick,
                                 bool Annotate) {
  llvm::Expected<ParseOptions> Parse = makeParseOptions(Options, Executable);
  if (!Parse) {
    ScannedFile Result;
    ScanReason Why;
    Why.Code = unsigned(DiagID::NotScanned);
    llvm::handleAllErrors(
        Parse.takeError(),
        [&](const DiagError &E) {
          Why.Code = unsigned(E.getDiagID());
          Why.Text = formatPlain(E.getDiagID(), E.getArguments());
        },
        [&](const llvm::ErrorInfoBase &E) { Why.Text = E.message(); });
    Result.Failure = std::move(Why);
    return Result;
  }
  FileScan Scan(Options, *Parse);
  if (Quick && !maySeeKernel(Options.Input, Parse->ClangArgs))
    return std::move(Scan.Result);
  Scan.run({});
  if (Annotate && !Scan.Result.Failure)
    checkInsertions(Options, *Parse, Scan);
  return std::move(Scan.Result);
}

//===----------------------------------------------------------------------===//
// From process to process
//===----------------------------------------------------------------------===//

/// Names in a source may not be UTF-8, which JSON requires.
static llvm::json::Value text(llvm::StringRef S) {
  return llvm::json::fixUTF8(S);
}

namespace warpwright {

static llvm::json::Value toJSON(const ScanReason &R) {
  return llvm::json::Object{{"code", R.Code},
                            {"text", text(R.Text)},
                            {"file", text(R.File)},
                            {"line", R.Line},
                            {"column", R.Column}};
}

static bool fromJSON(const llvm::json::Value &From, ScanReason &R,
                     llvm::json::Path Path) {
  llvm::json::ObjectMapper O(From, Path);
  return O && O.map("code", R.Code) && O.map("text", R.Text) &&
         O.map("file", R.File) && O.map("line", R.Line) &&
         O.map("column", R.Column);
}

static llvm::json::Value toJSON(const ScanInsertion &I) {
  return llvm::json::Object{{"file", text(I.File)},
                            {"hash", I.Hash},
                            {"offset", I.Offset},
                            {"text", text(I.Text)}};
}

static bool fromJSON(const llvm::json::Value &From, ScanInsertion &I,
                     llvm::json::Path Path) {
  llvm::json::ObjectMapper O(From, Path);
  return O && O.map("file", I.File) && O.map("hash", I.Hash) &&
         O.map("offset", I.Offset) && O.map("text", I.Text);
}

static llvm::json::Value toJSON(const ScannedKernel &K) {
  llvm::json::Array Form;
  for (const std::string &Word : K.Form)
    Form.push_back(Word);
  return llvm::json::Object{{"file", text(K.File)},
                            {"line", K.Line},
                            {"column", K.Column},
                            {"name", text(K.Name)},
                            {"what", unsigned(K.What)},
                            {"annotated", K.Annotated},
                            {"rewritten", K.Rewritten},
                            {"form", std::move(Form)},
                            {"types", K.Types},
                            {"layout", K.Layout},
                            {"formula", text(K.Formula)},
                            {"contraction", text(K.Contraction)},
                            {"instances", K.Instances},
                            {"converted", K.Converted},
                            {"reason", K.Reason},
                            {"insertion", K.Insertion},
                            {"noInsertion", K.NoInsertion}};
}

static bool fromJSON(const llvm::json::Value &From, ScannedKernel &K,
                     llvm::json::Path Path) {
  llvm::json::ObjectMapper O(From, Path);
  unsigned What = 0;
  const bool Good =
      O && O.map("file", K.File) && O.map("line", K.Line) &&
      O.map("column", K.Column) && O.map("name", K.Name) &&
      O.map("what", What) && O.map("annotated", K.Annotated) &&
      O.map("rewritten", K.Rewritten) && O.map("form", K.Form) &&
      O.map("types", K.Types) && O.map("layout", K.Layout) &&
      O.map("formula", K.Formula) && O.map("contraction", K.Contraction) &&
      O.map("instances", K.Instances) && O.map("converted", K.Converted) &&
      O.map("reason", K.Reason) && O.map("insertion", K.Insertion) &&
      O.map("noInsertion", K.NoInsertion);
  K.What = static_cast<Verdict>(What);
  return Good;
}

} // namespace warpwright

llvm::json::Value warpwright::toJSON(const ScannedFile &File) {
  llvm::json::Array Kernels, Entered;
  for (const ScannedKernel &K : File.Kernels)
    Kernels.push_back(toJSON(K));
  for (const std::string &Each : File.Entered)
    Entered.push_back(text(Each));
  return llvm::json::Object{{"path", text(File.Path)},
                            {"failure", File.Failure},
                            {"kernels", std::move(Kernels)},
                            {"entered", std::move(Entered)}};
}

bool warpwright::fromJSON(const llvm::json::Value &From, ScannedFile &File,
                          llvm::json::Path Path) {
  llvm::json::ObjectMapper O(From, Path);
  return O && O.map("path", File.Path) && O.map("failure", File.Failure) &&
         O.map("kernels", File.Kernels) && O.map("entered", File.Entered);
}
