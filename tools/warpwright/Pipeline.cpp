//===-- Pipeline.cpp - Lift, Plan and CodeGen on one file -----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pipeline.h"
#include "warpwright/Contraction/CaseName.h"
#include "warpwright/Execute/Execute.h"
#include "warpwright/Frontend/NameCheck.h"
#include "warpwright/Frontend/Passing.h"
#include "warpwright/Frontend/Region.h"
#include "warpwright/IR/KernelModule.h"
#include "warpwright/Lift/Lift.h"
#include "warpwright/Plan/Bits.h"
#include "warpwright/Plan/Gathered.h"
#include "warpwright/Plan/Groups.h"
#include "warpwright/Plan/Packed.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/RuntimePlan.h"
#include "warpwright/Plan/Vectors.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace warpwright;
using clang::SourceLocation;

std::vector<KernelUnit> PipelineResult::takeUnits() const {
  std::vector<KernelUnit> Units;
  for (const KernelReport &Kernel : Kernels)
    if (!Kernel.Declined)
      Units.push_back(Kernel.Unit);
  return Units;
}

/// `gemm`, or `gemm<__half, 16>` for an instantiation.
static std::string getInstanceName(const Region &R,
                                   const RegionInstance &Instance) {
  std::string Name = R.Name;
  if (!R.IsTemplate)
    return Name;
  Name += '<';
  for (size_t I = 0; I != Instance.Source.TemplateArgs.size(); ++I)
    Name += (I ? ", " : "") + Instance.Source.TemplateArgs[I];
  return Name + '>';
}

/// \p C, changed as a mistake in Lift would change it.
static Contraction withMistake(Contraction C, llvm::StringRef Mistake) {
  if (Mistake == "strides") { // of m and k in the first factor, exchanged
    const IntExpr M = IntExpr::index("m"), K = IntExpr::index("k");
    C.A.Index =
        C.A.Index.transform([&](const IntAtom &A) -> std::optional<IntExpr> {
          if (IntExpr(M).contains(A.getKey()))
            return K;
          if (IntExpr(K).contains(A.getKey()))
            return M;
          return std::nullopt;
        });
  } else if (Mistake == "guard") { // one row more than the guard lets through
    C.MExtent = C.MExtent + 1;
  } else if (Mistake == "sum") { // the last product is left out
    C.KExtent = C.KExtent - 1;
  }
  return C;
}

std::vector<UnnamedMember>
warpwright::unnamedMembersOf(const KernelModule &Module,
                             const clang::FunctionDecl &Kernel) {
  std::vector<UnnamedMember> Members;
  if (const KernelIR *IR = Module.kernel(Kernel))
    for (const ParamLeaf &L : IR->Params)
      if (L.UnnamedIn && L.Problem.empty())
        Members.push_back({L.Path, L.Type, L.IsPointer, L.Offset, L.UnnamedIn});
  return Members;
}

/// Compares the kernel's code with the contraction by execution. If they
/// differ, the kernel is declined and the result is false: either the lift is
/// wrong or the interpreter is, and in both cases the kernel must not be
/// rewritten.
static bool executedCheck(ParsedFile &File, const KernelModule &Module,
                          const Region &R, const RegionInstance &Instance,
                          const std::string &Name, const Contraction &C,
                          CheckOptions Options, StepPool &Steps) {
  const KernelIR *IR = Module.kernel(*Instance.Function);
  if (!IR)
    return true;
  const SourceLocation Where = Instance.Function->getLocation();
  Options.Callees = Module.callees();
  Options.Constants = Module.constants();
  CheckReport Report =
      checkContraction(*IR, Module.headerFunctions(), C, Options);
  Steps.spent(Report.Steps);
  switch (Report.Result) {
  case CheckReport::Verdict::Agrees:
    if (!Report.Complete)
      File.Diags.report(DiagID::ExecutedPartly, Where)
          << Name << Report.Executed << Report.Wanted;
    return true;
  case CheckReport::Verdict::NotExecuted:
    File.Diags.report(DiagID::NotExecuted, Where) << Name << Report.Message;
    return true;
  case CheckReport::Verdict::Differs:
    break;
  }
  std::string Saved = "; no file could be made for the launch and its data";
  llvm::SmallString<128> Path;
  int FD;
  if (!llvm::sys::fs::createTemporaryFile("warpwright-" + R.Source.Name, "txt",
                                          FD, Path)) {
    llvm::raw_fd_ostream OS(FD, /*shouldClose=*/true);
    OS << Report.Reproducer;
    Saved = ("; '" + Path + "' has the launch and its data").str();
  }
  // A mistake in the kernel itself has an ID of its own.
  DiagID ID = DiagID::ExecutedDifferently;
  if (Report.Found == CheckReport::Hazard::Race)
    ID = DiagID::MissingBarrier;
  else if (Report.Found == CheckReport::Hazard::Copy)
    ID = DiagID::CopyNotAwaited;
  else if (Report.Found == CheckReport::Hazard::Divergence)
    ID = DiagID::DivergentBarrier;
  llvm::StringRef How =
      ID == DiagID::ExecutedDifferently ? "" : "as it was executed, ";
  File.Diags.decline(ID, Where, clang::SourceRange(), Name,
                     (How + Report.Message + Saved).str());
  return false;
}

llvm::Expected<std::string> warpwright::readPlanFile(llvm::StringRef Path) {
  if (Path.empty())
    return std::string();
  auto Bad = [&](std::string Why) {
    return llvm::make_error<DiagError>(
        DiagID::BadPlanFile, std::vector<std::string>{Path.str(), Why});
  };
  auto Buffer = llvm::MemoryBuffer::getFile(Path);
  if (!Buffer)
    return Bad(Buffer.getError().message());
  std::string Text = (*Buffer)->getBuffer().str();
  if (llvm::Error E = checkPlanFile(Text))
    return Bad(llvm::toString(std::move(E)));
  return Text;
}

/// The plans of a file for a kernel with one of \p Names; the runtime has to
/// derive the same numbers from them.
static llvm::Expected<PlanSet>
readPlans(llvm::StringRef Text, const Contraction &C,
          llvm::ArrayRef<llvm::StringRef> Names) {
  llvm::Expected<PlanSet> Plans = planSetFromJSON(Text, C, Machine(), Names);
  if (!Plans)
    return Plans;
  for (const KernelPlan &P : Plans->Plans)
    if (llvm::Error E = checkAgainstRuntime(P))
      return llvm::createStringError("plan '" + P.Name +
                                     "': " + llvm::toString(std::move(E)));
  return Plans;
}

/// Reports an error if the plan file \p Text has a plan for a kernel that is
/// not in \p File: the plan would have no effect. Returns whether it did.
static bool reportUnknownKernel(ParsedFile &File, llvm::StringRef Text,
                                llvm::StringRef PlanName) {
  // A file without annotated kernels may be one of several of a program.
  if (Text.empty() || File.Regions.empty())
    return false;
  llvm::StringSet<> Known;
  for (const Region &R : File.Regions) {
    Known.insert(R.Name);
    for (const RegionInstance &Instance : R.Instances)
      Known.insert(getInstanceName(R, Instance));
  }
  llvm::Expected<std::vector<std::string>> Kernels = readPlanFileKernels(Text);
  std::string Why;
  if (!Kernels)
    Why = llvm::toString(Kernels.takeError());
  else if (auto Unknown = llvm::find_if(*Kernels,
                                        [&](llvm::StringRef Name) {
                                          return !Known.contains(
                                              Name.split(CaseBegin).first);
                                        });
           Unknown != Kernels->end())
    Why = "it has a plan for '" + *Unknown +
          "', which is no annotated kernel of this file";
  if (Why.empty())
    return false;
  File.Diags.report(DiagID::BadPlanFile, File.Regions.front().PragmaLocation)
      << PlanName << Why;
  return true;
}

namespace {
/// What is the same for all kernels of a run.
struct Conversion {
  ParsedFile &File;
  const KernelModule &Module;
  const PipelineOptions &Options;
  StepPool &Steps;
  bool &Failed;

  bool isReachable(const Region &R, const RegionInstance &Instance) const;
  std::optional<KernelInstance> plan(const Region &R,
                                     const RegionInstance &Instance,
                                     LiftedCase Case, const std::string &Name,
                                     bool IsFirst, KernelReport &Report) const;
  void convert(const Region &R, const RegionInstance &Instance,
               KernelReport &Report) const;
};
} // namespace

/// Whether a launcher can stand for launches of the instance.
bool Conversion::isReachable(const Region &R,
                             const RegionInstance &Instance) const {
  if (Instance.Source.ParamTypes.size() != R.Source.Params.size()) {
    File.Diags.decline(DiagID::UnsupportedType, R.PragmaLocation,
                       clang::SourceRange(), getInstanceName(R, Instance),
                       "it has a parameter pack, which the launcher cannot "
                       "pass on");
    return false;
  }
  // One launcher serves all instances, also those that run the original.
  auto PassesOn = [&](const RegionInstance &Each) {
    for (const clang::ParmVarDecl *P : Each.Function->parameters())
      if (std::string Why = whyNotPassed(*P); !Why.empty()) {
        File.Diags.decline(DiagID::UnsupportedType, P->getLocation(),
                           clang::SourceRange(), getInstanceName(R, Instance),
                           Why);
        return false;
      }
    return true;
  };
  if (!llvm::all_of(R.Instances, PassesOn))
    return false;
  if (std::string Why = NameCheck(File, R).whyNot(*Instance.Function);
      !Why.empty()) {
    File.Diags.decline(DiagID::KernelNotReachable, R.PragmaLocation,
                       clang::SourceRange(), getInstanceName(R, Instance), Why);
    return false;
  }
  return true;
}

/// Plans one case of an instance; nothing if it is declined. \p Name is that of
/// the case, for messages and plan files.
std::optional<KernelInstance>
Conversion::plan(const Region &R, const RegionInstance &Instance,
                 LiftedCase Case, const std::string &Name, bool IsFirst,
                 KernelReport &Report) const {
  Directives Clauses = Instance.Clauses;
  Contraction &Lifted = Case.Computation;
  takeRoundings(Lifted, Clauses);
  takeBits(Lifted);
  takeGathered(Lifted);
  takeGroups(Lifted);
  takeNumbers(Lifted,
              Clauses.Tile ? std::optional((*Clauses.Tile)[2]) : std::nullopt);
  arrangeProducts(Lifted);
  giveRows(Lifted);
  KernelInstance Result;
  Result.Source = Instance.Source;
  Result.UnnamedMembers = unnamedMembersOf(Module, *Instance.Function);
  Result.When = std::move(Case.When);
  if (!Options.PlanText.empty()) {
    // The names of the kernel and of the instance stand for its first case.
    const std::string OfInstance = getInstanceName(R, Instance);
    llvm::SmallVector<llvm::StringRef, 3> Names = {Name};
    if (IsFirst)
      Names.append({OfInstance, R.Name});
    llvm::Expected<PlanSet> Plans = readPlans(Options.PlanText, Lifted, Names);
    if (!Plans) {
      File.Diags.report(DiagID::BadPlanFile, R.PragmaLocation)
          << Options.PlanName << llvm::toString(Plans.takeError());
      Failed = true;
      return std::nullopt;
    }
    Result.Plans = std::move(*Plans);
  }
  // A plan file may be for other kernels.
  if (Result.Plans.Plans.empty()) {
    std::variant<PlanSet, Decline> Plans =
        planContraction(Lifted, Clauses, Machine(), Options.Prove);
    if (const auto *No = std::get_if<Decline>(&Plans)) {
      SourceLocation Where =
          No->Location ? SourceLocation::getFromRawEncoding(No->Location)
                       : R.PragmaLocation;
      if (!No->Location && !No->Clause.empty())
        Where = R.getClauseLocation(No->Clause);
      File.Diags.decline(No->ID, Where, clang::SourceRange(), Name,
                         No->Message);
      return std::nullopt;
    }
    Result.Plans = std::move(std::get<PlanSet>(Plans));
    if (truncatesLongSums(Lifted, Clauses, Result.Plans))
      File.Diags.report(DiagID::LongSumsTruncated, R.PragmaLocation) << Name;
  }
  Result.Computation = std::move(Lifted);
  if (llvm::Error Bad = checkHostExpressions(R.Source, Result)) {
    File.Diags.report(DiagID::KernelNotReachable, R.PragmaLocation)
        << Name << llvm::toString(std::move(Bad));
    return std::nullopt;
  }
  Report.Clauses.push_back(Clauses);
  return Result;
}

/// Lifts, checks and plans the cases of one instance, and adds those that were
/// not declined to \p Report.
void Conversion::convert(const Region &R, const RegionInstance &Instance,
                         KernelReport &Report) const {
  if (!isReachable(R, Instance))
    return;
  std::vector<LiftedCase> Cases = lift(File, Module, R, Instance);
  std::vector<std::string> Names;
  for (const LiftedCase &Case : Cases)
    Names.push_back(caseName(getInstanceName(R, Instance), Case.When));
  // A mistake that shows in one case may be in all of them.
  for (size_t I = 0; Options.Check && I != Cases.size(); ++I) {
    CheckOptions Lent;
    Steps.lend(Lent, Cases.size() - I);
    if (!executedCheck(File, Module, R, Instance, Names[I],
                       withMistake(Cases[I].Computation, Options.Mistake), Lent,
                       Steps))
      return;
  }
  for (size_t I = 0; I != Cases.size(); ++I) {
    Report.Lifted.push_back(Cases[I].Computation);
    std::optional<KernelInstance> Planned =
        plan(R, Instance, std::move(Cases[I]), Names[I], I == 0, Report);
    if (!Planned)
      continue;
    Report.Unit.Instances.push_back(std::move(*Planned));
    Report.InstanceNames.push_back(Names[I]);
    Report.Planned.push_back(Report.Lifted.size() - 1);
  }
}

PipelineResult
warpwright::runPipeline(ParsedFile &File, const PipelineOptions &Options,
                        llvm::function_ref<void(const Region &)> Begin) {
  PipelineResult Result;
  const clang::SourceManager &SM = File.Context.getSourceManager();
  KernelModule Module(File);
  bool ByAddress = false;
  StepPool Steps(File.Regions.size());
  Result.Failed = reportUnknownKernel(File, Options.PlanText, Options.PlanName);
  const Conversion Convert{File, Module, Options, Steps, Result.Failed};
  for (const Region &R : File.Regions) {
    if (Begin)
      Begin(R);
    KernelReport Report;
    Report.Name = R.Name;
    Report.File = R.Source.File;
    Report.Line = R.Source.Line;
    Report.AlreadyRewritten = R.AlreadyRewritten;
    Report.Declined = R.Declined;
    Report.Unit.Source = R.Source;
    Report.Unit.SectionExists = R.AlreadyRewritten;
    for (SourceLocation Location : R.AddressTaken)
      Report.AddressLines.push_back(
          SM.getPresumedLineNumber(SM.getExpansionLoc(Location)));
    if (R.AlreadyRewritten) {
      File.Diags.report(DiagID::AlreadyRewritten, R.PragmaLocation) << R.Name;
    } else if (!R.Declined && R.HasDefinition) {
      for (const RegionInstance &Instance : R.Instances)
        Convert.convert(R, Instance, Report);
      Report.Declined = Report.Unit.Instances.empty();
    }
    if (R.Source.OldSection && !R.AlreadyRewritten &&
        (Report.Declined || R.Declined)) {
      File.Diags.report(DiagID::StaleSection, R.PragmaLocation)
          << R.Name << "the kernel is declined now";
      Result.Failed = true;
    }
    if (!Report.Declined) {
      for (SourceLocation Location : R.AddressTaken)
        File.Diags.report(DiagID::AddressTaken, Location) << R.Name;
      for (const auto &[Location, Why] : R.AddressLeaves)
        File.Diags.report(DiagID::AddressLeaves, Location) << R.Name << Why;
      ByAddress |= R.Source.ByAddress;
    }
    if (!Report.Declined && R.Source.Launches.empty() && !R.Source.OldSection &&
        !R.Source.ByAddress && R.HasDefinition)
      File.Diags.report(DiagID::NeverLaunched, R.PragmaLocation) << R.Name;
    Result.Kernels.push_back(std::move(Report));
  }
  if (ByAddress)
    for (const auto &[Location, Why] : File.NotByAddress)
      File.Diags.report(DiagID::LaunchByAddressKept, Location) << Why;
  return Result;
}
