//===-- Lift.cpp - From a kernel's IR to a contraction --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Lift/Lift.h"
#include "Assume.h"
#include "Executor.h"
#include "Normalize.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace warpwright {

using namespace symbolic;

std::optional<Contraction> lift(ParsedFile &File, const KernelModule &Module,
                                const Region &R,
                                const RegionInstance &Instance) {
  const FunctionDecl &Kernel = *Instance.Function;
  auto Decline = [&](const Failure &F) -> std::optional<Contraction> {
    SourceLocation Loc = F.Loc;
    if (Loc.isInvalid() ||
        File.Context.getSourceManager().isInSystemHeader(Loc))
      Loc = Kernel.getLocation();
    File.Diags.decline(F.ID, Loc, SourceRange(Loc), R.Name, F.Message);
    return std::nullopt;
  };
  const KernelIR *IR = Module.kernel(Kernel);
  if (!IR)
    return Decline({DiagID::UnsupportedStatement, Kernel.getLocation(),
                    Module.whyNot().empty() ? "Clang generates no code for it"
                                            : Module.whyNot().str()});
  std::vector<Executor::ForAll> Conditions;
  auto Run = std::make_unique<Executor>(Module, *IR, Conditions);
  bool Understood = Run->run();
  while (!Understood && !Run->wanted().empty()) {
    Conditions.insert(Conditions.end(), Run->wanted().begin(),
                      Run->wanted().end());
    Run = std::make_unique<Executor>(Module, *IR, Conditions);
    Understood = Run->run();
  }
  Executor &E = *Run;
  if (!Understood)
    return Decline(E.failure().value_or(
        Failure{DiagID::UnsupportedStatement, Kernel.getLocation(),
                "the kernel is not understood"}));

  NormalizeInput In;
  In.Final = E.finalMemory();
  In.Params = IR->Params;
  In.Requires = E.requirements();
  In.Obligations = E.obligations();
  In.Traps = E.traps();
  In.Unset = E.unset();
  In.Bounds = E.ranges();
  In.KernelLoc = Kernel.getLocation();
  In.FreeCounter = E.freeCounter();
  if (E.anyNarrowOffset()) {
    In.IndexBits = 32;
    In.IndexSigned = !E.narrowOffsetsUnsigned();
  }
  In.KeepFactors = Instance.Clauses.Factors == Directives::FactorsKind::Inside;
  for (const Assumption &A : Instance.Assumptions) {
    auto B =
        translateAssumption(File.Context, Kernel, IR->Params, *A.Condition);
    if (!B)
      return Decline({DiagID::BadAssumption, A.Condition->getExprLoc(),
                      "the assumption is not a condition over integer and "
                      "pointer parameters"});
    In.Requires.push_back({*B, "assume(" + A.Text + ") does not hold"});
  }
  std::optional<Failure> Why;
  NormalizeRemarks Remarks;
  std::optional<Contraction> C = normalize(std::move(In), Why, Remarks);
  if (!C)
    return Decline(
        Why.value_or(Failure{DiagID::UnsupportedStatement, Kernel.getLocation(),
                             "the kernel is not understood"}));
  // A pragma on a loop promises that this loop is the sum.
  if (Instance.Loop) {
    const SourceManager &SM = File.Context.getSourceManager();
    bool Found = false;
    for (const auto &[Counter, Where] : E.loops())
      Found |= Where.isValid() &&
               SM.isPointWithin(
                   Where, SM.getExpansionLoc(Instance.Loop->getBeginLoc()),
                   SM.getExpansionLoc(Instance.Loop->getEndLoc()));
    if (!Found)
      return Decline({DiagID::NoSumStored, Instance.Loop->getBeginLoc(),
                      "the annotated loop is not the one that sums"});
  }
  C->Kernel = Kernel.getNameAsString();
  if (!Instance.Source.TemplateArgs.empty()) {
    C->Kernel += '<';
    for (size_t N = 0; N < Instance.Source.TemplateArgs.size(); ++N)
      C->Kernel += (N ? ", " : "") + Instance.Source.TemplateArgs[N];
    C->Kernel += '>';
  }
  C->LoadsAfterStores = E.loadsAfterStores();
  bool InHalf = false;
  for (unsigned I = 0; I != C->sumCount(); ++I)
    InHalf |= byteSize(C->sum(I).OriginalAccType) == 2;
  if (InHalf)
    File.Diags.report(DiagID::HalfAccumulator, Kernel.getLocation()) << R.Name;
  if (Remarks.MovedFactor)
    File.Diags.report(DiagID::FactorMoved, Remarks.FactorLoc.isValid()
                                               ? Remarks.FactorLoc
                                               : Kernel.getLocation())
        << R.Name;
  return C;
}

} // namespace warpwright
