//===-- Explain.cpp - warpwright explain ----------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Driver.h"
#include "ExplainPictures.h"
#include "Pipeline.h"
#include "warpwright/Frontend/Region.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Roles.h"
#include "warpwright/Verify/Evaluate.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace warpwright;

/// \p Text with \p Indent before each line.
static void printIndented(llvm::raw_ostream &OS, llvm::StringRef Text,
                          llvm::StringRef Indent) {
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    OS << (Line.empty() ? "" : Indent) << Line << '\n';
    Text = Rest;
  }
}

static void printLines(llvm::raw_ostream &OS, llvm::ArrayRef<unsigned> Lines) {
  for (size_t I = 0; I != Lines.size(); ++I)
    OS << (I ? ", " : "") << Lines[I];
}

/// The parameter that \p Extent is, or that it equals if the grid covers the
/// problem: `min(M, blockDim.y * gridDim.y)`. Null if there is none.
static AtomRef findParameter(const IntExpr &Extent) {
  AtomRef Atom = Extent.getAtom();
  if (!Atom || Atom->getKind() == AtomKind::Param)
    return Atom;
  if (Atom->getKind() != AtomKind::Min)
    return nullptr;
  for (const IntExpr *Side : {&Atom->getLHS(), &Atom->getRHS()})
    if (AtomRef Inner = Side->getAtom();
        Inner && Inner->getKind() == AtomKind::Param)
      return Inner;
  return nullptr;
}

/// The reason why the launcher runs the original for a problem of that size, in
/// the words of its log; empty if the size alone does not determine it. Reasons
/// that depend on other parameters (a leading dimension, an address) are not
/// considered.
static std::string explainOriginal(const Contraction &C, int64_t M, int64_t N,
                                   int64_t K) {
  if (C.RolesExchanged)
    std::swap(M, N);
  Assignment Known;
  const std::pair<const IntExpr *, int64_t> Extents[] = {
      {&C.MExtent, M}, {&C.NExtent, N}, {&C.KExtent, K}};
  for (auto [Extent, Value] : Extents) {
    AtomRef Atom = findParameter(*Extent);
    if (!Atom)
      continue;
    auto [Place, New] = Known.Ints.try_emplace(Atom->getKey().str(), Value);
    if (!New && Place->second != Value)
      return "one parameter cannot have both values";
  }
  for (const Requirement &R : C.Requires)
    if (evaluate(R.Condition, Known) == false)
      return R.Reason;

  // The largest index, with every stride at least 0.
  Assignment Last = Known;
  Last.Ints["%b"] = 0;
  Last.Ints["%m"] = M - 1;
  Last.Ints["%n"] = N - 1;
  Last.Ints["%k"] = K - 1;
  const int64_t Most = C.IndexBits > 32 ? int64_t(1) << 61
                       : C.IndexSigned  ? INT32_MAX
                                        : UINT32_MAX;
  auto IsBeyond = [&](const IntExpr &Index) {
    return evaluate(Index, Last).value_or(0) > Most;
  };
  std::vector<Product> Products;
  for (unsigned I = 0; I != C.sumCount(); ++I)
    llvm::append_range(Products, C.sum(I).Products);
  for (const Product &P : Products)
    for (const Operand *Op : {&P.A, &P.B})
      if (IsBeyond(Op->Index))
        return Op->Pointer + ": an index is out of its type's range";
  for (const Output &Out : C.Outputs) {
    const int64_t All = Last.Ints["%" + (Out.When ? Out.When->Index : "n")];
    if (Out.When && Out.When->End)
      Last.Ints["%" + Out.When->Index] =
          std::min(All, evaluate(*Out.When->End - 1, Known).value_or(All));
    if (IsBeyond(Out.Index))
      return Out.Pointer + ": an index is out of its type's range";
    Last.Ints["%" + (Out.When ? Out.When->Index : "n")] = All;
  }
  return "";
}

namespace {
/// An operand that a launch copies before its kernel.
struct CopiedOperand {
  std::string Name;
  int64_t Bytes;
};
} // namespace

/// The operands that a launch of this size copies first, since TMA cannot read
/// rows that are so far apart. As above, what a leading dimension or an address
/// decides is left open.
static std::vector<CopiedOperand>
copiedOperands(const Contraction &C, int64_t M, int64_t N, int64_t K) {
  if (C.RolesExchanged)
    std::swap(M, N);
  Assignment Known;
  const std::pair<const IntExpr *, int64_t> Extents[] = {
      {&C.MExtent, M}, {&C.NExtent, N}, {&C.KExtent, K}};
  for (auto [Extent, Value] : Extents)
    if (AtomRef Atom = findParameter(*Extent))
      Known.Ints.try_emplace(Atom->getKey().str(), Value);
  std::vector<CopiedOperand> Copied;
  auto Look = [&](const Operand &Op, bool IsA) {
    constexpr int64_t TmaUnit = 16;
    const char *Free = IsA ? "m" : "n";
    const bool AlongK = Op.stride("k").isOne();
    if (!AlongK && !Op.stride(Free).isOne())
      return;
    const int64_t Extent = IsA ? M : N;
    if ((AlongK ? Extent : K) <= 1 || // never stepped along
        llvm::any_of(Copied, [&](const CopiedOperand &Other) {
          return Other.Name == Op.Pointer;
        }))
      return;
    std::optional<int64_t> Pitch =
        evaluate(Op.stride(AlongK ? Free : "k"), Known);
    const int64_t Bytes = static_cast<int64_t>(byteSize(Op.Type));
    if (Pitch && *Pitch * Bytes % TmaUnit != 0)
      Copied.push_back({Op.Pointer, Extent * K * Bytes});
  };
  for (unsigned I = 0; I != C.sumCount(); ++I)
    for (const Product &P : C.sum(I).Products) {
      Look(P.A, true);
      Look(P.B, false);
    }
  return Copied;
}

/// For each size of interest one line: the plan, its predicted time, and what
/// bounds it.
static void printPredictions(llvm::raw_ostream &OS,
                             const KernelInstance &Instance,
                             const Directives &Clauses) {
  std::vector<std::array<int64_t, 3>> Shapes = Clauses.Shapes;
  if (Shapes.empty())
    Shapes = {{8192, 8192, 8192}, {4096, 4096, 4096}, {128, 4096, 4096}};
  const Machine Hopper;
  for (const std::array<int64_t, 3> &Shape : Shapes) {
    auto [M, N, K] = Shape;
    std::string Why = explainOriginal(Instance.Computation, M, N, K);
    if (!Why.empty()) {
      OS << "    " << M << 'x' << N << 'x' << K << ": original: " << Why
         << '\n';
      continue;
    }
    size_t Chosen = selectPlan(Instance.Plans, M, N, K, 1, deviceOf(Hopper));
    if (Chosen >= Instance.Plans.Plans.size())
      continue;
    const KernelPlan &Plan = Instance.Plans.Plans[Chosen];
    Prediction Expected = predict(Plan, M, N, K, 1);
    std::string Copies;
    int64_t Bytes = 0;
    for (const CopiedOperand &Each :
         copiedOperands(Instance.Computation, M, N, K)) {
      Copies += (Copies.empty() ? "; copied first: " : ", ") + Each.Name;
      Bytes += Each.Bytes;
    }
    Expected.Seconds += copySeconds(Bytes);
    OS << "    " << M << 'x' << N << 'x' << K << ": " << Plan.Name << ", "
       << llvm::format("%.1f us, %.0f Tflop/s, ", Expected.Seconds * 1e6,
                       Expected.Flops / Expected.Seconds * 1e-12)
       << "bound by " << Expected.Bound << Copies << '\n';
  }
}

static void printPlan(llvm::raw_ostream &OS, const KernelPlan &Plan) {
  OS << "    " << Plan.Name << ": tile " << Plan.TileM << 'x' << Plan.TileN
     << 'x' << Plan.TileK << ", " << Plan.Stages << " stages, "
     << Plan.ConsumerWarpgroups << " consumer warpgroup"
     << (Plan.ConsumerWarpgroups == 1 ? "" : "s") << Plan.Schedule->Remark
     << ", cluster " << Plan.ClusterM << 'x' << Plan.ClusterN
     << (Plan.SwapAB ? ", operands swapped" : "");
  if (Plan.Sums > 1)
    OS << ", " << Plan.Sums << " sums side by side";
  if (Plan.Products > 1)
    OS << ", " << Plan.Products << " products one after the other";
  OS << ", " << Plan.SmemBytes << " bytes of shared memory\n";
  if (std::string Products = Plan.Feed->describeProducts(Plan);
      !Products.empty())
    OS << "      products: " << Products << '\n';
  for (const std::string &Proven : Plan.Certificate)
    OS << "      proven: " << Proven << '\n';
}

static void printKernel(llvm::raw_ostream &OS, const KernelReport &Kernel) {
  OS << Kernel.File << ':' << Kernel.Line << ": kernel " << Kernel.Name << '\n';
  if (Kernel.AlreadyRewritten) {
    OS << "  rewritten already\n";
    return;
  }
  if (Kernel.Declined) {
    OS << "  left as it is; the reason is in the warning\n";
    return;
  }
  const KernelSource &Source = Kernel.Unit.Source;
  if (Source.DeclarationOnly)
    OS << "  declared here only: launches go to the file that defines it\n";
  for (size_t I = 0; I != Kernel.Unit.Instances.size(); ++I) {
    const KernelInstance &Instance = Kernel.Unit.Instances[I];
    if (!Instance.Source.TemplateArgs.empty()) {
      OS << "  instance <";
      for (size_t A = 0; A != Instance.Source.TemplateArgs.size(); ++A)
        OS << (A ? ", " : "") << Instance.Source.TemplateArgs[A];
      OS << ">\n";
    }
    if (!Instance.When.isTrue())
      OS << "  where " << Instance.When.str() << ":\n";
    std::string Text;
    llvm::raw_string_ostream Stream(Text);
    OS << "  recognised:\n";
    Instance.Computation.print(Stream);
    printIndented(OS, Text, "    ");
    OS << "  plans, with their certificates (--emit=plan prints them in "
          "full):\n";
    for (const KernelPlan &Plan : Instance.Plans.Plans)
      printPlan(OS, Plan);
    for (const std::string &Note : Instance.Plans.Notes)
      OS << "    note: " << Note << '\n';
    OS << "  predicted on an H200:\n";
    printPredictions(OS, Instance, Kernel.Clauses[I]);
  }
  std::vector<unsigned> Lines;
  for (const LaunchSource &Launch : Source.Launches)
    Lines.push_back(Launch.Line);
  OS << "  redirected launches: ";
  if (Lines.empty())
    OS << "none in this file";
  else
    OS << "line ";
  printLines(OS, Lines);
  OS << '\n';
  if (!Kernel.AddressLines.empty()) {
    OS << "  its address is taken (line ";
    printLines(OS, Kernel.AddressLines);
    OS << "): launches by it in this file go to the launcher\n";
  } else if (Source.ByAddress) {
    OS << "  macros launch it by its address, and so its launcher\n";
  }
}

static llvm::Expected<int> explain(const SourceOptions &Options,
                                   llvm::StringRef Executable) {
  if (llvm::Error E = checkInput(Options.Input))
    return E;
  llvm::Expected<std::string> PlanText = readPlanFile(Options.PlanFile);
  if (!PlanText)
    return PlanText.takeError();
  llvm::Expected<ParseOptions> Parse = makeParseOptions(Options, Executable);
  if (!Parse)
    return Parse.takeError();
  Parse->ShowRemarks = true;
  bool Failed = false;
  std::string Text;
  PictureFiles Pictures;
  llvm::Error Undrawn = llvm::Error::success();
  ParseResult Parsed = parseFile(
      getParsePath(*Parse, Options.Input), *Parse, [&](ParsedFile &File) {
        PipelineResult Result =
            runPipeline(File, {*PlanText, Options.PlanFile, Options.Check,
                               Options.Mistake});
        Failed = Result.Failed;
        llvm::raw_string_ostream OS(Text);
        if (Result.Kernels.empty())
          OS << Options.Input << ": no annotated kernel\n";
        for (const KernelReport &Kernel : Result.Kernels)
          printKernel(OS, Kernel);
        if (Options.SvgFolder.empty() || Failed)
          return;
        if (llvm::Expected<PictureFiles> Drawn =
                drawKernels(Options.Input, Result.Kernels))
          Pictures = std::move(*Drawn);
        else
          Undrawn = llvm::joinErrors(std::move(Undrawn), Drawn.takeError());
      });
  if (Undrawn)
    return makeInternalError(Options.Input, std::move(Undrawn));
  if (Parsed.Failed || Failed)
    return ES_Failure;
  // With --strict a declined kernel is an error, and nothing is written.
  if (Options.Strict && Parsed.NumDeclines)
    Pictures.clear();
  if (!Pictures.empty())
    if (llvm::Error E = writePictures(Options.SvgFolder, Pictures))
      return E;
  llvm::outs() << Text;
  if (!Pictures.empty()) {
    llvm::SmallString<128> Index(Options.SvgFolder);
    llvm::sys::path::append(Index, Pictures.back().first);
    llvm::outs() << "pictures: " << Index << '\n';
  }
  if (Parsed.NumDeclines == 0)
    return ES_Success;
  return Options.Strict ? ES_Failure : ES_Declined;
}

int warpwright::runExplain(const CommandLine &Line) {
  llvm::Expected<Arguments> Given = Arguments::parse(Line.Args, ExplainOption);
  llvm::Expected<SourceOptions> Options =
      Given ? makeSourceOptions(*Given) : Given.takeError();
  if (!Options) {
    reportError(Options.takeError());
    return ES_Failure;
  }
  return runSubcommand(Options->Guard, Options->Input,
                       [&] { return explain(*Options, Line.Executable); });
}
