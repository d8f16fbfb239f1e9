//===-- VerifySubject.cpp - What is to be verified in a file --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From the front end's regions and their contractions to plain data for the
/// library: names to call, launch bounds, and restrictions on the arguments
/// that follow from how the original reads memory.
///
//===----------------------------------------------------------------------===//

#include "VerifySubject.h"
#include "warpwright/CodeGen/CodeGen.h"
#include "warpwright/Frontend/Region.h"
#include "warpwright/Lift/Lift.h"
#include "warpwright/Plan/Bits.h"
#include "warpwright/Plan/GroupedFactor.h"
#include "warpwright/Plan/Groups.h"
#include "warpwright/Plan/Nibbles.h"
#include "warpwright/Plan/Plan.h"
#include "warpwright/Plan/Scales.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace warpwright;

namespace {

/// Looks in a kernel and the functions that it calls for facts about its
/// launches that the contraction does not have.
class BodyScan : public clang::DynamicRecursiveASTVisitor {
public:
  explicit BodyScan(const clang::ASTContext &Context) : Context(Context) {}

  bool ReadsVectors = false;  ///< reads through pointers to larger types
  bool DynamicShared = false; ///< `extern __shared__`

  void scan(const clang::FunctionDecl &F) {
    const clang::FunctionDecl *Definition = nullptr;
    if (!F.hasBody(Definition) || !Seen.insert(Definition).second)
      return;
    if (Context.getSourceManager().isInSystemHeader(Definition->getLocation()))
      return;
    TraverseStmt(Definition->getBody());
  }

  bool VisitCallExpr(clang::CallExpr *E) override {
    if (const clang::FunctionDecl *F = E->getDirectCallee())
      scan(*F);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl *V) override {
    DynamicShared |=
        V->hasAttr<clang::CUDASharedAttr>() && V->hasExternalStorage();
    return true;
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr *E) override {
    if (auto *V = llvm::dyn_cast<clang::VarDecl>(E->getDecl()))
      VisitVarDecl(V);
    return true;
  }
  bool VisitCastExpr(clang::CastExpr *E) override {
    int64_t From = getPointeeSize(E->getSubExpr()->getType()),
            To = getPointeeSize(E->getType());
    ReadsVectors |= From > 0 && To > From;
    return true;
  }

private:
  int64_t getPointeeSize(clang::QualType T) const {
    const auto *Pointer = T->getAs<clang::PointerType>();
    if (!Pointer || Pointer->isVoidPointerType() ||
        Pointer->getPointeeType()->isIncompleteType() ||
        Pointer->getPointeeType()->isFunctionType())
      return 0;
    return Context.getTypeSizeInChars(Pointer->getPointeeType()).getQuantity();
  }
  const clang::ASTContext &Context;
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> Seen;
};

} // namespace

static std::string withTemplateArgs(std::string Name,
                                    llvm::ArrayRef<std::string> Args) {
  if (Args.empty())
    return Name;
  Name += '<';
  for (size_t I = 0; I != Args.size(); ++I)
    Name += (I ? ", " : "") + Args[I];
  return Name + '>';
}

/// `::ops::` for `ops::gemm`; unnamed namespaces are skipped.
static std::string getQualifier(llvm::StringRef QualifiedName) {
  std::string Result = "::";
  llvm::SmallVector<llvm::StringRef, 4> Parts;
  QualifiedName.split(Parts, "::");
  for (llvm::StringRef Part : llvm::ArrayRef(Parts).drop_back())
    if (!Part.empty() && Part.front() != '(')
      Result += (Part + "::").str();
  return Result;
}

static void fillFromFunction(const clang::FunctionDecl &F, Subject &S) {
  clang::ASTContext &Context = F.getASTContext();
  if (const auto *Bounds = F.getAttr<clang::CUDALaunchBoundsAttr>()) {
    clang::Expr::EvalResult Result;
    if (Bounds->getMaxThreads() &&
        !Bounds->getMaxThreads()->isValueDependent() &&
        Bounds->getMaxThreads()->EvaluateAsInt(Result, Context))
      S.MaxThreads = Result.Val.getInt().getExtValue();
  }
  BodyScan Scan(Context);
  Scan.scan(F);
  S.AlignedLoads = Scan.ReadsVectors;
  // As much as every device has without opting in.
  S.DynamicShared = Scan.DynamicShared ? 48 * 1024 : 0;
}

/// The plans of a case of an instance whose section is in the file already.
static std::vector<SubjectPlan> plansInFile(const ParsedFile &File,
                                            const KernelSource &Source,
                                            llvm::ArrayRef<std::string> Args,
                                            const BoolExpr &When) {
  auto TextOf = [&](const std::optional<OldText> &Old) {
    return Old ? File.Text.slice(Old->Begin, Old->End) : llvm::StringRef();
  };
  std::vector<SubjectPlan> Plans;
  for (const WrittenPlan &P :
       readPlans(TextOf(Source.OldSection), TextOf(File.OldPlans), Source.Name,
                 Args, When))
    Plans.push_back({P.Name, P.TileM, P.TileN, P.TileK, P.Stages, P.Ctas});
  return Plans;
}

/// What is the same for all cases of an instance.
static void describeKernel(const Region &R, const RegionInstance &Instance,
                           llvm::ArrayRef<UnnamedMember> Members, Subject &S) {
  const std::string Qualifier = getQualifier(R.Source.QualifiedName);
  S.Kernel =
      withTemplateArgs(Qualifier + R.Source.Name, Instance.Source.TemplateArgs);
  S.Launcher = withTemplateArgs(Qualifier + launcherName(R.Source),
                                Instance.Source.TemplateArgs);
  for (size_t P = 0; P != R.Source.Params.size(); ++P)
    S.Parameters.push_back(
        {R.Source.Params[P].Name, P < Instance.Source.ParamTypes.size()
                                      ? Instance.Source.ParamTypes[P]
                                      : R.Source.Params[P].Type});
  for (const UnnamedMember &M : Members)
    S.UnnamedMembers[M.Path] =
        (cppType(M.Type) + (M.IsPointer ? " *, " : ", ") +
         llvm::Twine(M.Offset))
            .str();
  using Kind = Directives::PrecisionKind;
  S.OriginalRounds = S.Clauses.Precision == Kind::TF32 &&
                     Instance.Clauses.Precision != Kind::TF32;
  fillFromFunction(*Instance.Function, S);
}

/// Pointers of \p C to what sums of a block or a group of k are multiplied by.
static std::vector<std::string> pointersToScales(const Contraction &C) {
  std::vector<std::string> Pointers;
  for (const Operand *O : {&C.A, &C.B}) {
    if (!O->Prologue)
      continue;
    const std::optional<GroupedFactor> Grouped = groupedFactor(*O);
    const ValueRef Scale = depthOfScaledBlocks(C) ? O->Prologue
                           : Grouped              ? Grouped->Scale
                                                  : nullptr;
    if (Scale)
      Scale->walk([&](const Value &V) {
        if (V.K == Value::Kind::Load && !O->isElement(V))
          Pointers.push_back(V.Name);
      });
  }
  return Pointers;
}

/// The subjects of a kernel that \p Report has plans for.
static void collectPlanned(const Region &R, const RegionInstance &Instance,
                           const KernelReport &Report,
                           std::vector<Subject> &Subjects) {
  for (const auto &[Planned, Clauses, Lifted] :
       llvm::zip_equal(Report.Unit.Instances, Report.Clauses, Report.Planned)) {
    if (Planned.Source.TemplateArgs != Instance.Source.TemplateArgs)
      continue;
    Subject S;
    // Of words whose bits are counted the reference has the bits, and of pairs
    // the numbers.
    S.Computation =
        tableOfBits(Planned.Computation) || hasNibbles(Planned.Computation)
            ? Report.Lifted[Lifted]
            : Planned.Computation;
    // What plans ask of launches besides, as that groups are whole blocks.
    auto Require = [&](const Requirement &Asked) {
      if (llvm::none_of(S.Computation.Requires, [&](const Requirement &R) {
            return R.Condition == Asked.Condition;
          }))
        S.Computation.Requires.push_back(Asked);
    };
    llvm::for_each(Planned.Computation.Requires, Require);
    for (const KernelPlan &Plan : Planned.Plans.Plans)
      if (Plan.AskedGroup) {
        const Contraction &C = Planned.Computation;
        const Operand &Rows = Plan.Rows.IsA ? C.A : C.B;
        Require(groupsAreMultiples(C, Rows, groupedFactor(Rows)->GroupK,
                                   Plan.AskedGroup));
      }
    S.Scales = pointersToScales(Planned.Computation);
    S.Clauses = Clauses;
    for (const KernelPlan &Plan : Planned.Plans.Plans)
      S.Plans.push_back({Plan.Name, Plan.TileM, Plan.TileN, Plan.TileK,
                         Plan.Stages, Plan.clusterSize()});
    describeKernel(R, Instance, Planned.UnnamedMembers, S);
    Subjects.push_back(std::move(S));
  }
}

/// The subjects of a kernel whose section is in the file already.
static void collectRewritten(ParsedFile &File, const KernelModule &Module,
                             const Region &R, const RegionInstance &Instance,
                             std::vector<Subject> &Subjects) {
  for (LiftedCase &Case : lift(File, Module, R, Instance)) {
    Subject S;
    S.Computation = std::move(Case.Computation);
    S.Clauses = Instance.Clauses;
    takeRoundings(S.Computation, S.Clauses);
    arrangeProducts(S.Computation);
    S.Scales = pointersToScales(S.Computation);
    S.Plans =
        plansInFile(File, R.Source, Instance.Source.TemplateArgs, Case.When);
    describeKernel(R, Instance, unnamedMembersOf(Module, *Instance.Function),
                   S);
    Subjects.push_back(std::move(S));
  }
}

std::vector<Subject> warpwright::collectSubjects(ParsedFile &File,
                                                 const PipelineResult &Lifted) {
  std::vector<Subject> Subjects;
  std::unique_ptr<KernelModule> Module;
  for (size_t I = 0; I != File.Regions.size(); ++I) {
    const Region &R = File.Regions[I];
    for (const RegionInstance &Instance : R.Instances) {
      if (!R.AlreadyRewritten || !R.HasDefinition) {
        collectPlanned(R, Instance, Lifted.Kernels[I], Subjects);
        continue;
      }
      if (!Module)
        Module = std::make_unique<KernelModule>(File);
      collectRewritten(File, *Module, R, Instance, Subjects);
    }
  }
  return Subjects;
}
