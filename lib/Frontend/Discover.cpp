//===-- Discover.cpp - Annotated kernels ----------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Discover.h"
#include "FileText.h"
#include "GeneratedText.h"
#include "Origin.h"
#include "warpwright/Frontend/Candidates.h"
#include "warpwright/Source/Markers.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"

using namespace warpwright;
using namespace clang;

SourceLocation Region::getClauseLocation(llvm::StringRef Clause) const {
  for (const auto &[Name, Location] : ClauseLocations)
    if (Name == Clause)
      return Location;
  return PragmaLocation;
}

static void visitUserDecls(const SourceManager &SM, DeclContext *Context,
                           llvm::function_ref<void(Decl *)> Visit) {
  for (Decl *D : Context->decls()) {
    if (SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      continue;
    if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(D))
      visitUserDecls(SM, cast<DeclContext>(D), Visit);
    else
      Visit(D);
  }
}

void warpwright::forEachUserDecl(ASTContext &Context,
                                 llvm::function_ref<void(Decl *)> Visit) {
  visitUserDecls(Context.getSourceManager(), Context.getTranslationUnitDecl(),
                 Visit);
}

namespace {

/// An AttributedStmt with our attribute, and its place.
struct Annotation {
  const PragmaSpec *Spec;
  const AnnotateAttr *Attribute;
  const FunctionDecl *Function;
  const Stmt *Annotated;
};

/// Collects the annotations of a declaration.
class AnnotationFinder : public DynamicRecursiveASTVisitor {
public:
  AnnotationFinder(const PragmaTable &Pragmas) : Pragmas(Pragmas) {}

  bool TraverseDecl(Decl *D) override {
    const FunctionDecl *Outer = Function;
    if (auto *F = dyn_cast_or_null<FunctionDecl>(D))
      Function = F;
    bool Result = DynamicRecursiveASTVisitor::TraverseDecl(D);
    Function = Outer;
    return Result;
  }

  bool VisitAttributedStmt(AttributedStmt *S) override {
    for (const Attr *A : S->getAttrs())
      if (const auto *Annotate = dyn_cast<AnnotateAttr>(A))
        if (const PragmaSpec *Spec = Pragmas.find(*Annotate))
          Found.push_back({Spec, Annotate, Function, S->getSubStmt()});
    return true;
  }

  std::vector<Annotation> Found;

private:
  const PragmaTable &Pragmas;
  const FunctionDecl *Function = nullptr;
};

/// What is known about one annotated kernel before its Region is made.
struct Candidate {
  std::vector<Annotation> InDefinition; ///< on its body or a loop
  std::vector<const PragmaSpec *> OnDeclarations;
  const FunctionDecl *Declaration = nullptr; ///< the first annotated one
};

class RegionFinder {
public:
  RegionFinder(ParsedFile &File, const PragmaTable &Pragmas)
      : File(File), Pragmas(Pragmas) {}

  void run(bool FindUnannotated);

private:
  void collect();
  /// Makes regions for kernels without a pragma that look like a matmul.
  void addUnannotated();
  void addUnannotated(const FunctionDecl &Kernel);
  void makeRegion(const Candidate &From);
  bool checkSamePragma(const Candidate &From);
  bool makeInstances(Region &R, const PragmaSpec &Spec,
                     const AnnotateAttr *Clone);
  /// Finds the sections that the file already has, and determines which of them
  /// are up to date.
  void matchSections();
  void findMacroProblem(Region &R);
  bool isDependentClone(Region &R, const PragmaSpec &Spec,
                        const AnnotateAttr *Clone);

  ParsedFile &File;
  const PragmaTable &Pragmas;
  llvm::MapVector<const FunctionDecl *, Candidate> Candidates;
  /// For pragmas before declarations: the attribute in the body of the copy.
  llvm::DenseMap<const PragmaSpec *, const AnnotateAttr *> Clones;
};

} // namespace

void RegionFinder::collect() {
  llvm::DenseMap<SourceLocation, const PragmaSpec *> ByName;
  for (const auto &Spec : Pragmas.Specs)
    if (Spec->Place == PragmaSpec::Form::Declaration)
      ByName[Spec->FunctionName] = Spec.get();

  AnnotationFinder Finder(Pragmas);
  forEachUserDecl(File.Context, [&](Decl *D) {
    Finder.TraverseDecl(D);
    auto *Template = dyn_cast<FunctionTemplateDecl>(D);
    auto *Function =
        Template ? Template->getTemplatedDecl() : dyn_cast<FunctionDecl>(D);
    if (!Function)
      return;
    auto It = ByName.find(Function->getLocation());
    // A copy has the same position as its declaration.
    if (It == ByName.end() ||
        (Function->getIdentifier() &&
         Function->getName().starts_with(CloneNamePrefix)))
      return;
    Candidate &C = Candidates[Function->getCanonicalDecl()];
    C.OnDeclarations.push_back(It->second);
    if (!C.Declaration)
      C.Declaration = Function;
  });

  for (const Annotation &Each : Finder.Found) {
    if (Each.Spec->Place == PragmaSpec::Form::Declaration) {
      Clones[Each.Spec] = Each.Attribute;
      continue;
    }
    if (!Each.Function || !Each.Function->hasAttr<CUDAGlobalAttr>()) {
      DiagID ID = Each.Spec->Place == PragmaSpec::Form::Loop
                      ? DiagID::LoopOutsideKernel
                      : DiagID::NotBeforeKernel;
      File.Diags.report(ID, Each.Spec->Location) << Each.Spec->Range;
      continue;
    }
    Candidates[Each.Function->getCanonicalDecl()].InDefinition.push_back(Each);
  }
}

/// A definition has one pragma; if there are several in all, their clauses have
/// to agree.
bool RegionFinder::checkSamePragma(const Candidate &From) {
  if (From.InDefinition.size() > 1) {
    File.Diags.report(DiagID::DuplicatePragma,
                      From.InDefinition[1].Spec->Location);
    File.Diags.note(From.InDefinition[0].Spec->Location,
                    "the first one is here");
    return false;
  }
  std::vector<const PragmaSpec *> All = From.OnDeclarations;
  if (!From.InDefinition.empty())
    All.push_back(From.InDefinition[0].Spec);
  for (size_t I = 1; I < All.size(); ++I)
    for (const ClauseSpec &Later : All[I]->Clauses)
      for (const ClauseSpec &Earlier : All[0]->Clauses)
        if (Later.Kind == Earlier.Kind && Later.Kind != ClauseKind::Assume &&
            Later.ArgTexts != Earlier.ArgTexts) {
          File.Diags.report(DiagID::DeclarationDiffers, Later.NameLocation)
              << getClauseName(Later.Kind);
          File.Diags.note(Earlier.NameLocation, "the other one is here");
          return false;
        }
  return true;
}

void RegionFinder::matchSections() {
  const SourceManager &SM = File.Context.getSourceManager();
  auto LocationOf = [&](unsigned Offset) {
    return SM.getLocForStartOfFile(SM.getMainFileID()).getLocWithOffset(Offset);
  };
  const GeneratedText Generated = findGeneratedText(File.Text);
  for (const BrokenMarker &Each : Generated.Broken)
    File.Diags.report(DiagID::BrokenSection, LocationOf(Each.Offset))
        << Each.Kernel << Each.Reason;

  const std::vector<GeneratedBlock> &Blocks = Generated.Blocks;
  std::vector<bool> Taken(Blocks.size());
  MainFileText Main(File);
  llvm::StringSet<> Plans;
  for (size_t I = 0; I != Blocks.size(); ++I) {
    const GeneratedBlock &B = Blocks[I];
    if (B.Kernel != PlansBlock || File.OldPlans)
      continue;
    Taken[I] = true;
    File.OldPlans = {B.Begin, B.End, Main.getLine(B.Begin), B.FollowFile,
                     B.BreaksLine};
    // What was edited there has not been proven.
    if (B.isIntact())
      forEachPlanName(B.Text, /*Qualified=*/false,
                      [&](llvm::StringRef Name) { Plans.insert(Name); });
  }
  auto HasItsPlans = [&](const GeneratedBlock &B) {
    bool Has = true;
    forEachPlanName(B.Text, /*Qualified=*/true,
                    [&](llvm::StringRef Name) { Has &= Plans.contains(Name); });
    return Has;
  };
  auto Match = [&](bool AtItsPlace, bool Declaration) {
    for (Region &R : File.Regions) {
      KernelSource &S = R.Source;
      std::optional<OldText> &Old =
          Declaration ? S.OldDeclaration : S.OldSection;
      for (size_t I = 0; I != Blocks.size() && !Old; ++I) {
        const GeneratedBlock &B = Blocks[I];
        // Code after a kernel on the same line goes after the section.
        const bool Here =
            S.SectionOffset <= B.Marker && B.Marker <= S.SectionOffset + 1;
        if (Taken[I] || B.IsDeclaration != Declaration ||
            B.Kernel != R.Function->getName() || (AtItsPlace && !Here))
          continue;
        Taken[I] = true;
        Old = {B.Begin, B.End, Main.getLine(B.Begin), B.FollowFile,
               B.BreaksLine};
        // One without a hash of its text could not be taken out again.
        if (!Declaration)
          R.AlreadyRewritten = !R.Declined && B.Record == S.Origin &&
                               !B.RecordedDigest.empty() && HasItsPlans(B);
      }
    }
  };
  Match(/*AtItsPlace=*/true, /*Declaration=*/false);
  Match(/*AtItsPlace=*/false, /*Declaration=*/false);
  Match(/*AtItsPlace=*/false, /*Declaration=*/true);

  for (auto [Block, IsTaken] : llvm::zip(Blocks, Taken)) {
    if (IsTaken || Block.IsDeclaration)
      continue;
    const bool HasAnother =
        llvm::any_of(File.Regions, [&Kernel = Block.Kernel](const Region &R) {
          return R.Function->getName() == Kernel;
        });
    File.Diags.report(DiagID::StaleSection, LocationOf(Block.Begin))
        << Block.Kernel
        << (HasAnother ? "the kernel has another section"
                       : "the file has no annotated kernel of that name");
  }
}

void RegionFinder::findMacroProblem(Region &R) {
  const std::string Macro = describeOrigin(File, R);
  if (Macro.empty() || R.Declined)
    return;
  File.Diags.report(DiagID::KernelNotReachable, R.PragmaLocation)
      << R.Name
      << ("it uses the macro '" + Macro +
          "' of the command line, whose value no build could be held to");
  R.Declined = true;
}

/// Clauses on the declaration of a template were parsed once, without regard to
/// an instantiation.
bool RegionFinder::isDependentClone(Region &R, const PragmaSpec &Spec,
                                    const AnnotateAttr *Clone) {
  for (const ClauseSpec &Clause : Spec.Clauses)
    for (unsigned I = 0; I != Clause.NumExprs; ++I) {
      unsigned At = 1 + Clause.FirstExpr + I;
      bool Known = Clone && At < Clone->args_size();
      if (Known && !Clone->args_begin()[At]->isValueDependent())
        continue;
      File.Diags.report(DiagID::TemplateDeclarationClause, Clause.NameLocation)
          << getClauseName(Clause.Kind) << R.Name;
      R.Declined = true;
      return true;
    }
  return false;
}

bool RegionFinder::makeInstances(Region &R, const PragmaSpec &Spec,
                                 const AnnotateAttr *Clone) {
  llvm::SmallVector<const FunctionDecl *, 8> Functions;
  if (!R.IsTemplate) {
    Functions.push_back(R.Function);
  } else {
    for (FunctionDecl *Each :
         R.Function->getDescribedFunctionTemplate()->specializations()) {
      const FunctionDecl *Defined = nullptr;
      if (Each->getTemplateSpecializationKind() != TSK_ExplicitSpecialization &&
          Each->isDefined(Defined) && !Defined->isDependentContext())
        Functions.push_back(Defined);
    }
  }

  bool Valid = true;
  for (const FunctionDecl *Function : Functions) {
    RegionInstance Instance;
    Instance.Function = Function;
    const AnnotateAttr *Attribute = Clone;
    if (Spec.Place != PragmaSpec::Form::Declaration) {
      AnnotationFinder Finder(Pragmas);
      Finder.TraverseDecl(const_cast<FunctionDecl *>(Function));
      if (Finder.Found.empty())
        continue; // the body has errors, which are reported
      Attribute = Finder.Found.front().Attribute;
      if (Spec.Place == PragmaSpec::Form::Loop)
        Instance.Loop = Finder.Found.front().Annotated;
    }
    if (!evaluateClauses(File, Spec, Attribute, Instance)) {
      Valid = false;
      continue;
    }
    describeInstance(File, Instance);
    R.Instances.push_back(std::move(Instance));
  }
  return Valid;
}

void RegionFinder::makeRegion(const Candidate &From) {
  if (!checkSamePragma(From))
    return;
  Region R;
  const PragmaSpec &Spec = From.InDefinition.empty()
                               ? *From.OnDeclarations.front()
                               : *From.InDefinition.front().Spec;
  const FunctionDecl *Declared = From.InDefinition.empty()
                                     ? From.Declaration
                                     : From.InDefinition.front().Function;
  const FunctionDecl *Definition = nullptr;
  R.HasDefinition = Declared->isDefined(Definition);
  R.Function = R.HasDefinition ? Definition : Declared;
  R.IsTemplate = R.Function->getDescribedFunctionTemplate() != nullptr;
  R.Name = R.Function->getQualifiedNameAsString();
  switch (Spec.Place) {
  case PragmaSpec::Form::Definition:
    R.Place = Region::PragmaPlace::Definition;
    break;
  case PragmaSpec::Form::Declaration:
    R.Place = Region::PragmaPlace::Declaration;
    break;
  case PragmaSpec::Form::Loop:
    R.Place = Region::PragmaPlace::Loop;
    break;
  }
  R.PragmaLocation = Spec.Location;
  R.PragmaRange = Spec.Range;
  for (const ClauseSpec &Clause : Spec.Clauses)
    R.ClauseLocations.emplace_back(getClauseName(Clause.Kind),
                                   Clause.NameLocation);

  const AnnotateAttr *Clone = Clones.lookup(&Spec);
  bool IsDeclaration = Spec.Place == PragmaSpec::Form::Declaration;
  if (R.HasDefinition) {
    if (IsDeclaration && R.IsTemplate && isDependentClone(R, Spec, Clone)) {
      File.Regions.push_back(std::move(R));
      return;
    }
    if (!makeInstances(R, Spec, Clone))
      return;
    if (R.Instances.empty()) {
      File.Diags.report(DiagID::NoInstantiation, R.PragmaLocation) << R.Name;
      R.Declined = true;
    }
  } else if (!R.IsTemplate) {
    // Checked as far as possible, so that a mistake is reported in every file.
    RegionInstance Unused;
    if (!evaluateClauses(File, Spec, Clone, Unused))
      return;
  }
  if (!R.Declined)
    describeKernel(File, R);
  findMacroProblem(R);
  File.Regions.push_back(std::move(R));
}

/// An instance is easier to read than its template, since its calls are
/// resolved.
static const FunctionDecl &getBody(const Region &R) {
  return R.Instances.empty() ? *R.Function : *R.Instances.front().Function;
}

void RegionFinder::addUnannotated(const FunctionDecl &Kernel) {
  const SourceManager &SM = File.Context.getSourceManager();
  const PresumedLoc Where =
      SM.getPresumedLoc(SM.getExpansionLoc(Kernel.getLocation()));
  // Generated kernels must not be annotated.
  if (Where.isInvalid() ||
      llvm::StringRef(Where.getFilename()).ends_with(GeneratedFileSuffix))
    return;
  Region R;
  R.Unannotated = true;
  R.HasDefinition = true;
  R.Function = &Kernel;
  R.IsTemplate = Kernel.getDescribedFunctionTemplate() != nullptr;
  R.Name = Kernel.getQualifiedNameAsString();
  R.PragmaLocation = SM.getExpansionLoc(Kernel.getLocation());
  R.PragmaRange = R.PragmaLocation;
  // Without clauses there is nothing that an instance would have to evaluate,
  // so the pragma is treated like one on a declaration.
  PragmaSpec Spec;
  Spec.Place = PragmaSpec::Form::Declaration;
  Spec.Location = R.PragmaLocation;
  if (!makeInstances(R, Spec, /*Clone=*/nullptr))
    return;
  std::optional<KernelForm> Form = findMatmulForm(File.Context, getBody(R));
  if (!Form)
    return;
  R.Form = *Form;
  if (R.Instances.empty()) {
    File.Diags.report(DiagID::NoInstantiation, R.PragmaLocation) << R.Name;
    R.Declined = true;
  } else {
    describeKernel(File, R);
  }
  findMacroProblem(R);
  File.Regions.push_back(std::move(R));
}

void RegionFinder::addUnannotated() {
  llvm::DenseSet<const FunctionDecl *> Known;
  for (const auto &Entry : Candidates)
    Known.insert(Entry.first);
  forEachUserDecl(File.Context, [&](Decl *D) {
    auto *Template = dyn_cast<FunctionTemplateDecl>(D);
    auto *Function =
        Template ? Template->getTemplatedDecl() : dyn_cast<FunctionDecl>(D);
    if (!Function || !Function->hasAttr<CUDAGlobalAttr>() ||
        !Function->isThisDeclarationADefinition() ||
        Known.count(Function->getCanonicalDecl()))
      return;
    addUnannotated(*Function);
  });
}

void RegionFinder::run(bool FindUnannotated) {
  if (!Pragmas.Specs.empty()) {
    collect();
    for (auto &Entry : Candidates)
      makeRegion(Entry.second);
  }
  if (FindUnannotated) {
    for (Region &R : File.Regions)
      if (R.HasDefinition)
        R.Form =
            findMatmulForm(File.Context, getBody(R)).value_or(KernelForm());
    addUnannotated();
  }
  matchSections();
  if (File.Regions.empty())
    return;
  findLaunches(File);
  llvm::stable_sort(File.Regions, [](const Region &A, const Region &B) {
    return A.Source.SectionOffset < B.Source.SectionOffset;
  });
}

void warpwright::discoverRegions(ParsedFile &File, const PragmaTable &Pragmas,
                                 bool FindUnannotated) {
  RegionFinder(File, Pragmas).run(FindUnannotated);
}

//===----------------------------------------------------------------------===//
// UsedSource
//===----------------------------------------------------------------------===//

namespace {

/// Collects, transitively, the declarations to which a function refers.
class UseCollector : public DynamicRecursiveASTVisitor {
public:
  explicit UseCollector(const SourceManager &SM) : SM(SM) {
    ShouldVisitTemplateInstantiations = true;
  }

  void add(const Decl *D) {
    if (!D || D->getLocation().isInvalid() ||
        SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
      return;
    if (const auto *F = dyn_cast<FunctionDecl>(D)) {
      const FunctionDecl *Definition = nullptr;
      if (F->isDefined(Definition))
        D = Definition;
      if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
        add(Pattern);
    }
    if (!Decls.insert(D))
      return;
    Work.push_back(D);
  }

  void run() {
    while (!Work.empty()) {
      const Decl *D = Work.pop_back_val();
      TraverseDecl(const_cast<Decl *>(D));
    }
  }

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    add(E->getDecl());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) override {
    add(E->getMemberDecl());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) override {
    add(E->getConstructor());
    return true;
  }
  /// Clang puts this node in place of code that it could not understand. For
  /// example, a variable whose initializer was rejected is no longer
  /// referenced.
  bool VisitRecoveryExpr(RecoveryExpr *) override {
    Incomplete = true;
    return true;
  }
  bool VisitOverloadExpr(OverloadExpr *E) override {
    for (NamedDecl *D : E->decls())
      add(D->getAsFunction());
    return true;
  }
  bool VisitTypedefTypeLoc(TypedefTypeLoc T) override {
    add(T.getDecl());
    return true;
  }
  bool VisitTagTypeLoc(TagTypeLoc T) override {
    add(T.getDecl());
    return true;
  }

  llvm::SetVector<const Decl *> Decls;
  bool Incomplete = false;

private:
  const SourceManager &SM;
  llvm::SmallVector<const Decl *, 16> Work;
};

} // namespace

void UsedSource::addRange(SourceRange Range) {
  SourceLocation Begin = SM.getExpansionLoc(Range.getBegin());
  SourceLocation End = SM.getExpansionRange(Range.getEnd()).getEnd();
  if (Begin.isInvalid() || End.isInvalid())
    return;
  auto [FID, First] = SM.getDecomposedLoc(Begin);
  auto [EndFID, Last] = SM.getDecomposedLoc(End);
  if (FID == EndFID)
    Ranges[FID].emplace_back(First, Last);
}

/// Adds, transitively, the user's functions and types whose names occur in the
/// code that was already found. If Clang gave one of them up (its return type
/// cannot be deduced, its default argument makes no sense), Clang leaves
/// statements that use it out of the AST without a further error.
void UsedSource::addNamed(const ParsedFile &File) {
  Preprocessor &PP = File.Sema.getPreprocessor();
  llvm::StringMap<llvm::SmallVector<SourceRange, 1>> Named;
  forEachUserDecl(File.Context, [&](Decl *D) {
    if (const auto *N = dyn_cast<NamedDecl>(D);
        N && N->getIdentifier() &&
        (N->getAsFunction() || isa<TypeDecl>(N) || isa<TemplateDecl>(N)))
      Named[N->getName()].push_back(N->getSourceRange());
  });
  llvm::SmallVector<std::pair<FileID, std::pair<unsigned, unsigned>>> Work;
  for (const auto &[FID, Of] : Ranges)
    for (const auto &Each : Of)
      Work.push_back({FID, Each});
  llvm::StringSet<> Seen;
  llvm::SmallVector<std::string> Names;
  while (!Work.empty()) {
    const auto [FID, Range] = Work.pop_back_val();
    const llvm::StringRef Text = SM.getBufferData(FID);
    Lexer Raw(SM.getLocForStartOfFile(FID), File.Context.getLangOpts(),
              Text.begin(), Text.begin() + Range.first, Text.end());
    Token T;
    while (!Raw.LexFromRawLexer(T) &&
           SM.getFileOffset(T.getLocation()) <= Range.second)
      if (T.is(tok::raw_identifier))
        Names.push_back(T.getRawIdentifier().str());
    while (!Names.empty()) {
      const std::string Name = Names.pop_back_val();
      if (!Seen.insert(Name).second)
        continue;
      if (const MacroInfo *Macro = PP.getMacroInfo(PP.getIdentifierInfo(Name)))
        for (const Token &Inner : Macro->tokens())
          if (const IdentifierInfo *Id = Inner.getIdentifierInfo())
            Names.push_back(Id->getName().str());
      for (SourceRange Of : Named.lookup(Name)) {
        addRange(Of);
        const auto Begin =
            SM.getDecomposedLoc(SM.getExpansionLoc(Of.getBegin()));
        const auto It = Ranges.find(Begin.first);
        if (It != Ranges.end() && !It->second.empty() &&
            It->second.back().first == Begin.second)
          Work.push_back({Begin.first, It->second.back()});
      }
    }
  }
}

void UsedSource::addUses(const ParsedFile &File,
                         llvm::ArrayRef<const Region *> Regions) {
  UseCollector Uses(SM);
  for (const Region *R : Regions) {
    Uses.add(R->Function);
    for (const RegionInstance &Instance : R->Instances)
      Uses.add(Instance.Function);
  }
  Uses.run();
  Incomplete |= Uses.Incomplete;
  for (const Decl *D : Uses.Decls)
    addRange(D->getSourceRange());
  addNamed(File);
}

UsedSource::UsedSource(const ParsedFile &File, const Region &R)
    : SM(File.Context.getSourceManager()) {
  addUses(File, &R);
}

UsedSource::UsedSource(const ParsedFile &File, const PragmaTable &Pragmas)
    : SM(File.Context.getSourceManager()) {
  for (const auto &Spec : Pragmas.Specs)
    addRange(Spec->Range);
  std::vector<const Region *> Annotated;
  for (const Region &R : File.Regions)
    if (!R.Unannotated)
      Annotated.push_back(&R);
  addUses(File, Annotated);
  // The kernel of a pragma is missing in the AST. No later error can be told
  // apart from an error in that kernel.
  for (const auto &Spec : Pragmas.Specs) {
    bool Found = llvm::any_of(Annotated, [&](const Region *R) {
      return R->PragmaLocation == Spec->Location;
    });
    if (Found || Spec->Place == PragmaSpec::Form::Declaration)
      continue;
    auto [FID, First] = SM.getDecomposedLoc(SM.getExpansionLoc(Spec->Location));
    Ranges[FID].emplace_back(First, SM.getFileIDSize(FID));
  }
}

bool UsedSource::contains(SourceLocation Location) const {
  if (Incomplete)
    return true;
  auto [FID, Offset] = SM.getDecomposedLoc(SM.getExpansionLoc(Location));
  auto It = Ranges.find(FID);
  if (It == Ranges.end())
    return false;
  for (auto [First, Last] : It->second)
    if (Offset >= First && Offset <= Last)
      return true;
  return false;
}
