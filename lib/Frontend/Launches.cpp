//===-- Launches.cpp - Where annotated kernels are launched ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Addresses.h"
#include "Discover.h"
#include "FileText.h"
#include "LaunchText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"
#include <map>

using namespace warpwright;
using namespace clang;

namespace {

/// One launch, as it is written.
struct LaunchSite {
  const CUDAKernelCallExpr *Call = nullptr;
  SourceLocation Name;
  /// The annotated kernel that is launched by its name; null for another kernel
  /// and for a pointer.
  Region *R = nullptr;
  LaunchPlace Place;
  /// The reason why it cannot call the launcher of R; empty if it can.
  std::string Why;
  /// The reason why it cannot launch by address; empty if it can.
  std::string WhyNotByAddress;
  /// Whether the callee is a pointer, or may be one.
  bool ByAddress = false;
};

/// Visits every launch once, as it is written: in templates, not in
/// instantiations.
class LaunchFinder : public DynamicRecursiveASTVisitor {
public:
  explicit LaunchFinder(ParsedFile &File)
      : File(File), SM(File.Context.getSourceManager()), Text(File) {
    for (Region &R : File.Regions)
      Regions[R.Function->getCanonicalDecl()] = &R;
  }

  bool TraverseDecl(Decl *D) override {
    const FunctionDecl *Outer = Function;
    if (const FunctionDecl *F = D ? D->getAsFunction() : nullptr)
      Function = F;
    bool Result = DynamicRecursiveASTVisitor::TraverseDecl(D);
    Function = Outer;
    return Result;
  }
  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *Call) override;
  bool VisitCallExpr(CallExpr *Call) override;
  bool VisitDeclRefExpr(DeclRefExpr *Ref) override;
  bool VisitOverloadExpr(OverloadExpr *Ref) override;
  bool VisitNamedDecl(NamedDecl *D) override;

  /// Launches call the launcher by its name, so the name must not mean
  /// something else at the launch.
  void checkLauncherNames();
  /// Decisions for which all launches have to be known.
  void finish();

private:
  Region *find(const NamedDecl *D) const;
  /// \p Qualified: the callee has a `ns::` before its name. \p ThroughUsing: it
  /// is named by a using-declaration.
  void addSite(LaunchSite Site, bool Qualified, bool ThroughUsing);
  /// Makes the launch call the launcher of its kernel.
  void redirect(const LaunchSite &Site);
  /// Makes the launch look up the launcher by address.
  bool redirectByAddress(const LaunchSite &Site);
  /// Decides for all expansions of one macro together.
  void finishBody(llvm::ArrayRef<LaunchSite> Sites);
  void followAddresses();
  void finishByAddress();
  /// Whether \p Site may launch a kernel whose address is taken.
  bool mayLaunchTaken(const LaunchSite &Site) const;
  /// Whether the launch is in a generated section, where it launches the
  /// original on purpose.
  bool isGenerated(SourceLocation Location) const {
    PresumedLoc Presumed = SM.getPresumedLoc(SM.getExpansionLoc(Location));
    return Presumed.isValid() && llvm::StringRef(Presumed.getFilename())
                                     .ends_with(GeneratedFileSuffix);
  }
  /// The reason why the text of a launch cannot be turned into a call; empty if
  /// it can.
  std::string findObstacle(const LaunchSite &Site) const;
  /// The reason why the callee does not determine the kernel without the
  /// arguments.
  std::string whyNotAnAddress(const LaunchSite &Site) const;
  /// Whether edits of \p Launch would overlap those of another launch.
  bool isNested(const LaunchSource &Launch) const;

  ParsedFile &File;
  const SourceManager &SM;
  LaunchText Text;
  llvm::DenseMap<const FunctionDecl *, Region *> Regions;
  llvm::DenseSet<const Expr *> Callees;
  std::vector<std::pair<Region *, const Expr *>> Uses;
  const FunctionDecl *Function = nullptr; ///< around the visited node
  /// Declarations of the user's that have the name of a launcher.
  std::vector<const NamedDecl *> LikeLaunchers;
  /// The ranges from `<<<` to `>>>` of the launches that are redirected.
  std::vector<std::pair<unsigned, unsigned>> Configurations;
  /// The positions where redirected launches begin.
  std::vector<unsigned> Begins;
  /// Launches in bodies of macros by the offset of their `<<<`, and launches of
  /// pointers elsewhere.
  std::map<unsigned, std::vector<LaunchSite>> Bodies;
  std::vector<LaunchSite> Pointers;
  /// Calls of the runtime's launch functions.
  std::vector<std::pair<const CallExpr *, std::string>> Calls;
  /// Kernels whose address is taken outside of generated code.
  llvm::DenseSet<const Region *> Taken;
};

} // namespace

Region *LaunchFinder::find(const NamedDecl *D) const {
  const auto *F =
      dyn_cast_or_null<FunctionDecl>(D ? D->getAsFunction() : nullptr);
  if (!F)
    return nullptr;
  if (auto It = Regions.find(F->getCanonicalDecl()); It != Regions.end())
    return It->second;
  // An instantiation belongs to its template. So does an explicit
  // specialisation; the template's launcher runs the original for it.
  if (const FunctionTemplateDecl *Template = F->getPrimaryTemplate())
    if (auto It =
            Regions.find(Template->getTemplatedDecl()->getCanonicalDecl());
        It != Regions.end())
      return It->second;
  return nullptr;
}

bool LaunchFinder::VisitCUDAKernelCallExpr(CUDAKernelCallExpr *Call) {
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  LaunchSite Site;
  Site.Call = Call;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Callee)) {
    Site.Name = Ref->getLocation();
    Site.ByAddress = !isa<FunctionDecl>(Ref->getDecl());
    Site.R = find(Ref->getDecl());
    Callees.insert(Ref);
    addSite(std::move(Site), Ref->hasQualifier(),
            isa<UsingShadowDecl>(Ref->getFoundDecl()));
    return true;
  }
  const auto *Overload = dyn_cast<OverloadExpr>(Callee);
  if (!Overload) {
    Site.Name = Call->getBeginLoc();
    Site.ByAddress = true;
    addSite(std::move(Site), false, false);
    return true;
  }
  Callees.insert(Overload);
  Site.Name = Overload->getNameLoc();
  bool Others = false, ThroughUsing = false;
  for (NamedDecl *D : Overload->decls()) {
    ThroughUsing |= isa<UsingShadowDecl>(D);
    Region *R = find(D->getUnderlyingDecl());
    Others |= !R;
    if (!Site.R)
      Site.R = R;
  }
  if (Others && Site.R)
    Site.Why = "it may call another kernel of that name";
  addSite(std::move(Site), static_cast<bool>(Overload->getQualifier()),
          ThroughUsing);
  return true;
}

bool LaunchFinder::VisitCallExpr(CallExpr *Call) {
  const NamedDecl *Callee = findRuntimeFunction(*Call, SM, isLaunchFunction);
  if (!Callee || isGenerated(Call->getBeginLoc()))
    return true;
  // One overload takes a cudaKernel_t, which is not an address.
  if (const auto *F = dyn_cast<FunctionDecl>(Callee);
      F && F->getName() == "cudaLaunchKernelEx" && F->getNumParams() > 1 &&
      !F->getParamDecl(1)->getType()->isFunctionPointerType())
    return true;
  const bool OnDevice = Function && (Function->hasAttr<CUDAGlobalAttr>() ||
                                     (Function->hasAttr<CUDADeviceAttr>()));
  std::string Why;
  if (OnDevice)
    Why = "device code makes it, and launchers are host functions";
  Calls.emplace_back(Call, Why);
  return true;
}

bool LaunchFinder::VisitDeclRefExpr(DeclRefExpr *Ref) {
  if (Region *R = find(Ref->getDecl()))
    Uses.emplace_back(R, Ref);
  return true;
}

bool LaunchFinder::VisitOverloadExpr(OverloadExpr *Ref) {
  for (NamedDecl *D : Ref->decls())
    if (Region *R = find(D->getUnderlyingDecl())) {
      Uses.emplace_back(R, Ref);
      break;
    }
  return true;
}

/// `::a::b::` for a member of namespace a::b.
static std::string getQualifier(const FunctionDecl &Function) {
  std::string Text = "::";
  for (const DeclContext *C = Function.getDeclContext(); C; C = C->getParent())
    if (const auto *Namespace = dyn_cast<NamespaceDecl>(C))
      if (!Namespace->isAnonymousNamespace() && !Namespace->isInline())
        Text = "::" + Namespace->getName().str() + Text;
  return Text;
}

bool LaunchFinder::VisitNamedDecl(NamedDecl *D) {
  if (const IdentifierInfo *Name = D->getIdentifier())
    if ((Name->getName().ends_with("_warpwright") ||
         Name->getName().ends_with("_warpwright_weak")) &&
        !isGenerated(D->getLocation()))
      LikeLaunchers.push_back(D);
  return true;
}

void LaunchFinder::checkLauncherNames() {
  Preprocessor &PP = File.Sema.getPreprocessor();
  for (Region &R : File.Regions) {
    if (R.Declined)
      continue;
    const std::string Strong = R.Source.Name + "_warpwright";
    const std::string Launcher =
        R.Source.DeclarationOnly ? Strong + "_weak" : Strong;
    std::string Why;
    for (const std::string &Name : {Strong, Launcher})
      if (PP.getIdentifierInfo(Name)->hadMacroDefinition())
        Why = "'" + Name + "', the name of its launcher, is a macro";
    bool Qualify = false;
    const DeclContext *Own =
        R.Function->getDeclContext()->getEnclosingNamespaceContext();
    for (const NamedDecl *D : LikeLaunchers) {
      if (D->getName() != Strong && D->getName() != Launcher)
        continue;
      const DeclContext *Around = D->getDeclContext()->getRedeclContext();
      while (Around->isInlineNamespace() ||
             (Around->isNamespace() &&
              cast<NamespaceDecl>(Around)->isAnonymousNamespace()))
        Around = Around->getParent()->getRedeclContext();
      // The section would declare the name again, or call it.
      if (Around->isFileContext() && Around->Encloses(Own))
        Why = "'" + D->getQualifiedNameAsString() +
              "', the name of its launcher, is declared already";
      else
        Qualify = true;
    }
    if (!Why.empty()) {
      File.Diags.report(DiagID::KernelNotReachable, R.PragmaLocation)
          << R.Name << Why;
      R.Declined = true;
      R.Source.Launches.clear();
      continue;
    }
    // A local variable or a member, or a function that argument-dependent
    // lookup would find.
    if (Qualify)
      for (LaunchSource &Launch : R.Source.Launches)
        if (Launch.Begin == Launch.NameBegin && Launch.Qualifier.empty())
          Launch.Qualifier = getQualifier(*R.Function);
  }
}

/// Whether preprocessor conditionals begin and end within \p Text.
static bool hasWholeConditionals(llvm::StringRef Text) {
  unsigned Depth = 0;
  // A directive on the first line does not begin inside the text.
  for (Text = Text.split('\n').second; !Text.empty();) {
    auto [Line, Rest] = Text.split('\n');
    Text = Rest;
    Line = Line.ltrim();
    if (!Line.consume_front("#"))
      continue;
    Line = Line.ltrim();
    if (Line.starts_with("if"))
      ++Depth;
    else if (Line.starts_with("el") && !Depth)
      return false;
    else if (Line.starts_with("endif") && !Depth--)
      return false;
  }
  return Depth == 0;
}

std::string LaunchFinder::findObstacle(const LaunchSite &Site) const {
  const LaunchSource &Launch = Site.Place.Source;
  llvm::StringRef Whole = File.Text;
  if (Function && (Function->hasAttr<CUDAGlobalAttr>() ||
                   Function->hasAttr<CUDADeviceAttr>()))
    return "device code makes it, and launchers are host functions";
  for (auto [Open, Close] : Configurations)
    if (Open <= Launch.Begin && Launch.Begin < Close)
      return "it stands in the configuration of another launch";
  for (const Expr *A : Site.Call->arguments())
    if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(A))
      if (Site.R &&
          SM.isBeforeInTranslationUnit(Site.R->Function->getEndLoc(),
                                       Default->getParam()->getLocation()))
        return "it uses a default argument that is declared behind the kernel, "
               "which the launcher does not have";
  if (!hasWholeConditionals(Whole.slice(Launch.Begin, Launch.OpenBegin)) ||
      !hasWholeConditionals(Whole.slice(Launch.OpenEnd, Launch.CloseBegin)) ||
      !hasWholeConditionals(Whole.slice(Launch.CloseBegin, Launch.End)))
    return "preprocessor conditionals begin or end in the middle of it";
  if (std::string Why = Text.findMacroInName(Site.Name, ConfigureName);
      !Why.empty())
    return Why;
  // In the body of a macro, its own text makes it the argument of another
  // macro.
  const SourceLocation Begin =
      Site.Place.InBody ? Site.Call->getConfig()->getBeginLoc() : Site.Name;
  if (llvm::StringRef Macro = Text.findSplittingMacro(Begin); !Macro.empty())
    return ("its commas may separate arguments of the macro '" + Macro + "'")
        .str();
  if (llvm::StringRef Macro = Text.findStringMacro(Begin); !Macro.empty())
    return ("the macro '" + Macro + "' makes a string of it").str();
  return "";
}

/// Whether \p Given arguments determine all template arguments of \p F, without
/// deduction and default arguments.
static std::string whyNotAnAddress(const NamedDecl &D, unsigned Given,
                                   unsigned Arguments) {
  const FunctionDecl *F = D.getAsFunction();
  if (!F)
    return "";
  const FunctionTemplateDecl *Template = dyn_cast<FunctionTemplateDecl>(&D);
  if (!Template)
    Template = F->getPrimaryTemplate();
  const std::string Name = "'" + D.getNameAsString() + "'";
  if (Template && (Given != Template->getTemplateParameters()->size() ||
                   Template->getTemplateParameters()->hasParameterPack()))
    return "template arguments of " + Name + " follow from the launch";
  const FunctionDecl *Written = Template ? Template->getTemplatedDecl() : F;
  const bool HasDefaults =
      llvm::any_of(F->redecls(),
                   [](const FunctionDecl *R) {
                     return R->getNumParams() &&
                            R->parameters().back()->hasDefaultArg();
                   }) ||
      (Written->getNumParams() &&
       Written->parameters().back()->hasDefaultArg());
  if (HasDefaults && Arguments != F->getNumParams())
    return "it uses default arguments of " + Name;
  return "";
}

std::string LaunchFinder::whyNotAnAddress(const LaunchSite &Site) const {
  if (std::string Why =
          Text.findMacroInName(Site.Name, (ByAddressName + "::launch").str());
      !Why.empty())
    return Why;
  const Expr *Callee = Site.Call->getCallee()->IgnoreParenImpCasts();
  unsigned Arguments = 0;
  for (const Expr *A : Site.Call->arguments())
    Arguments += !isa<CXXDefaultArgExpr>(A);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Callee)) {
    if (isa<FunctionDecl>(Ref->getDecl()) && Ref->hadMultipleCandidates())
      return "'" + Ref->getDecl()->getNameAsString() + "' is overloaded";
    return ::whyNotAnAddress(*Ref->getDecl(), Ref->getNumTemplateArgs(),
                             Arguments);
  }
  if (const auto *Overload = dyn_cast<OverloadExpr>(Callee)) {
    if (Overload->getNumDecls() != 1)
      return "'" + Overload->getName().getAsString() + "' is overloaded";
    return ::whyNotAnAddress(*(*Overload->decls_begin())->getUnderlyingDecl(),
                             Overload->getNumTemplateArgs(), Arguments);
  }
  const QualType Type = Callee->getType().getNonReferenceType();
  if (!Callee->isTypeDependent() && !Type->isFunctionPointerType() &&
      !Type->isFunctionType())
    return "what it launches is not a pointer";
  return "";
}

void LaunchFinder::addSite(LaunchSite Site, bool Qualified, bool ThroughUsing) {
  if (isGenerated(Site.Name))
    return;
  if (Site.R && Site.R->Declined)
    Site.R = nullptr;
  Site.Place =
      Text.find(*Site.Call, Site.Name, Site.R ? Site.R->Source.Name.size() : 0);
  LaunchPlace &Place = Site.Place;
  Region *R = Site.R;
  if (Place.Problem.empty() && R && Place.NameStandsHere &&
      (Place.Source.NameBegin < Place.Source.Begin ||
       !File.Text.substr(Place.Source.NameBegin).starts_with(R->Source.Name)))
    Place.NameStandsHere = false;
  if (Place.Problem.empty()) {
    const std::string Obstacle = findObstacle(Site);
    if (Site.Why.empty() && ThroughUsing && Qualified)
      Site.Why = "its name is qualified through a using-declaration";
    if (Site.Why.empty())
      Site.Why = Obstacle;
    Site.WhyNotByAddress = Obstacle.empty() ? whyNotAnAddress(Site) : Obstacle;
    if (ThroughUsing && R)
      Place.Source.Qualifier = getQualifier(*R->Function);
  }
  if (Place.InBody && Place.HasOpen) {
    Bodies[Place.Source.OpenBegin].push_back(std::move(Site));
    return;
  }
  if (!R) {
    if (Site.ByAddress)
      Pointers.push_back(std::move(Site));
    return;
  }
  if (!Site.Why.empty() && Place.Problem.empty()) {
    File.Diags.report(DiagID::LaunchNotRedirected, Site.Name)
        << R->Name << Site.Why;
    if (!File.Context.getLangOpts().CUDAIsDevice && Place.HasOpen)
      File.LostLaunches.emplace_back(Place.Source.OpenBegin, Site.Why);
  } else if (!Place.Problem.empty() || !Place.NameStandsHere) {
    const bool InMain = SM.isInMainFile(SM.getExpansionLoc(Site.Name));
    if (!InMain)
      File.Diags.report(DiagID::LaunchInHeader, Site.Name) << R->Name;
    else
      File.Diags.report(DiagID::LaunchInMacro, Site.Name)
          << R->Name
          << (Place.Problem.empty() ? "a part of it stands elsewhere"
                                    : Place.Problem);
  } else {
    redirect(Site);
  }
}

void LaunchFinder::redirect(const LaunchSite &Site) {
  const LaunchSource &Launch = Site.Place.Source;
  addLaunches(Site.R->Source.Launches, Launch);
  Configurations.emplace_back(Launch.OpenBegin, Launch.CloseBegin);
  Begins.push_back(Launch.Begin);
}

bool LaunchFinder::isNested(const LaunchSource &Launch) const {
  for (auto [Open, Close] : Configurations)
    if (Open <= Launch.Begin && Launch.Begin < Close)
      return true;
  return llvm::any_of(Begins, [&](unsigned Begin) {
    return Launch.OpenBegin <= Begin && Begin < Launch.CloseBegin;
  });
}

bool LaunchFinder::redirectByAddress(const LaunchSite &Site) {
  LaunchSource Launch = Site.Place.Source;
  if (isNested(Launch))
    return false;
  Launch.NameBegin = Launch.Begin;
  Launch.NameEnd = Launch.OpenBegin;
  Launch.Qualifier.clear();
  addLaunches(File.ByAddress.Launches, Launch);
  Configurations.emplace_back(Launch.OpenBegin, Launch.CloseBegin);
  Begins.push_back(Launch.Begin);
  return true;
}

void LaunchFinder::finishBody(llvm::ArrayRef<LaunchSite> Sites) {
  const LaunchSite &First = Sites.front();
  auto Same = [&](const LaunchSite &Site) {
    const LaunchSource &A = Site.Place.Source, &B = First.Place.Source;
    return Site.Place.Problem.empty() && A.Begin == B.Begin &&
           A.CloseBegin == B.CloseBegin && A.End == B.End;
  };
  // The body names one kernel, for all uses of the macro.
  if (First.R && llvm::all_of(Sites, [&](const LaunchSite &Site) {
        return Same(Site) && Site.R == First.R && Site.Place.NameStandsHere &&
               Site.Why.empty() &&
               Site.Place.Source.Qualifier == First.Place.Source.Qualifier;
      }))
    return redirect(First);
  std::string Why;
  for (const LaunchSite &Site : Sites)
    if (Why.empty())
      Why = !Site.Place.Problem.empty() ? Site.Place.Problem
            : !Same(Site)               ? "it stands elsewhere in other uses"
                                        : Site.WhyNotByAddress;
  if (Why.empty() && !redirectByAddress(First))
    Why = "it stands in the configuration of another launch";
  if (!Why.empty())
    File.KeptBodies.emplace_back(First.Place.Source.OpenBegin, Why);
  for (const LaunchSite &Site : Sites) {
    if (Why.empty() && Site.R)
      Site.R->Source.ByAddress = true;
    else if (Site.R)
      File.Diags.report(DiagID::LaunchInMacro, Site.Name)
          << Site.R->Name << Why;
    else if (!Why.empty() && mayLaunchTaken(Site))
      File.NotByAddress.emplace_back(Site.Name, Why);
  }
}

bool LaunchFinder::mayLaunchTaken(const LaunchSite &Site) const {
  if (!Site.ByAddress)
    return false;
  const Expr *Callee = Site.Call->getCallee()->IgnoreParenImpCasts();
  if (Callee->isTypeDependent())
    return !Taken.empty();
  QualType Type = Callee->getType().getNonReferenceType();
  if (Type->isFunctionPointerType())
    Type = Type->getPointeeType();
  auto Is = [&](const FunctionDecl *F) {
    return File.Context.hasSameFunctionTypeIgnoringExceptionSpec(F->getType(),
                                                                 Type);
  };
  return llvm::any_of(Taken, [&](const Region *R) {
    return Is(R->Function) ||
           llvm::any_of(R->Instances, [&](const RegionInstance &I) {
             return Is(I.Function);
           });
  });
}

void LaunchFinder::followAddresses() {
  std::optional<AddressFlow> Flow;
  for (auto [R, Use] : Uses) {
    if (Callees.count(Use) || isGenerated(Use->getExprLoc()) || R->Declined)
      continue;
    if (!Flow)
      Flow.emplace(File);
    AddressFlow::Result Result = Flow->follow(*Use);
    R->Source.ByAddress |= Result.Redirected || Result.Kept;
    if (!Result.Kept)
      continue;
    Taken.insert(R);
    R->AddressTaken.push_back(Use->getExprLoc());
    for (auto &Place : Result.Leaves)
      if (!llvm::is_contained(R->AddressLeaves, Place))
        R->AddressLeaves.push_back(std::move(Place));
  }
}

void LaunchFinder::finishByAddress() {
  for (const LaunchSite &Site : Pointers) {
    if (!mayLaunchTaken(Site) ||
        !SM.isInMainFile(SM.getExpansionLoc(Site.Name)))
      continue;
    std::string Why =
        Site.Place.Problem.empty() ? Site.WhyNotByAddress : Site.Place.Problem;
    if (Why.empty() && !redirectByAddress(Site))
      Why = "it stands in the configuration of another launch";
    if (!Why.empty())
      File.NotByAddress.emplace_back(Site.Name, Why);
  }
  if (Taken.empty())
    return;
  for (const auto &[Call, Obstacle] : Calls) {
    const NamedDecl *Callee = findRuntimeFunction(*Call, SM, isLaunchFunction);
    llvm::StringRef Name = Callee->getName();
    Name.consume_back("_ptsz");
    const SourceLocation Where = Call->getBeginLoc();
    if (!SM.isInMainFile(SM.getExpansionLoc(Where)))
      continue;
    std::string Why = Obstacle;
    const std::optional<unsigned> At = Text.findName(Where, Name);
    if (!At)
      Why = "the macro is not defined in this file";
    if (Why.empty())
      Why = Text.findMacroInName(Where, ByAddressName);
    for (auto [Open, Close] : Configurations)
      if (At && Open <= *At && *At < Close)
        Why = "it stands in the configuration of another launch";
    if (!Why.empty())
      File.NotByAddress.emplace_back(Where, Why);
    else if (!llvm::is_contained(File.ByAddress.Calls, *At))
      File.ByAddress.Calls.push_back(*At);
  }
  llvm::sort(File.ByAddress.Calls);
}

void LaunchFinder::finish() {
  followAddresses();
  for (const auto &[Offset, Sites] : Bodies)
    if (llvm::any_of(Sites, [&](const LaunchSite &Site) {
          return Site.R || mayLaunchTaken(Site);
        }))
      finishBody(Sites);
  checkLauncherNames();
  finishByAddress();
}

void warpwright::addLaunches(std::vector<LaunchSource> &Launches,
                             llvm::ArrayRef<LaunchSource> More) {
  // A macro argument that is expanded twice is visited twice.
  for (const LaunchSource &Launch : More)
    if (llvm::none_of(Launches, [&](const LaunchSource &Other) {
          return Other.NameBegin == Launch.NameBegin;
        }))
      Launches.push_back(Launch);
  llvm::sort(Launches, [](const LaunchSource &A, const LaunchSource &B) {
    return A.NameBegin < B.NameBegin;
  });
}

/// The launcher must be declared before the first launch that comes before
/// the section.
static void placeForwardDeclaration(ParsedFile &File, Region &R) {
  KernelSource &S = R.Source;
  bool Early = llvm::any_of(S.Launches, [&](const LaunchSource &Launch) {
    return Launch.NameBegin < S.SectionOffset;
  });
  if (!Early && !S.OldDeclaration)
    return;
  MainFileText Main(File);
  if (S.OldDeclaration) {
    S.ForwardDeclaration = {S.OldDeclaration->Begin,
                            S.OldDeclaration->FollowLine};
    return;
  }
  // The launch comes before a section that no declaration announces.
  R.AlreadyRewritten = false;
  const FunctionDecl *First = R.Function->getFirstDecl();
  std::optional<MainFileText::Place> Place =
      Main.findPlaceAfter(*First, Main.getSemicolon(First->getEndLoc()));
  if (!Place || !Place->Namespaces.empty()) {
    File.Diags.report(DiagID::KernelNotReachable, R.PragmaLocation)
        << R.Name << "nothing can be added after its first declaration";
    R.Declined = true;
    return;
  }
  S.ForwardDeclaration = {Place->Offset, Place->Line};
}

void warpwright::checkSectionLists(ParsedFile &File) {
  for (Region &R : File.Regions)
    if (R.AlreadyRewritten && R.Source.ByAddress && R.Source.OldSection &&
        !File.Text.slice(R.Source.OldSection->Begin, R.Source.OldSection->End)
             .contains("init_priority"))
      R.AlreadyRewritten = false;
}

/// The name in front of \p Open in \p Text, without template arguments.
static llvm::StringRef getNameBefore(llvm::StringRef Text, unsigned Open) {
  Text = Text.take_front(Open).rtrim();
  if (Text.ends_with(">")) {
    unsigned Depth = 0;
    do {
      Depth += Text.ends_with(">");
      Depth -= Text.ends_with("<");
      Text = Text.drop_back();
    } while (Depth && !Text.empty());
    Text = Text.rtrim();
  }
  return Text.take_back(
      Text.size() -
      Text.find_last_not_of("abcdefghijklmnopqrstuvwxyz"
                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") -
      1);
}

void warpwright::reportLostLaunches(ParsedFile &File) {
  const SourceManager &SM = File.Context.getSourceManager();
  for (const auto &[Open, Why] : File.LostLaunches) {
    const llvm::StringRef Name = getNameBefore(File.Text, Open);
    const auto R = llvm::find_if(File.Regions, [&](const Region &Each) {
      return !Each.Declined && Each.Source.Name == Name;
    });
    if (R != File.Regions.end())
      File.Diags.report(
          DiagID::LaunchNotRedirected,
          SM.getLocForStartOfFile(SM.getMainFileID()).getLocWithOffset(Open))
          << R->Name << Why;
  }
}

void warpwright::findLaunches(ParsedFile &File) {
  LaunchFinder Finder(File);
  forEachUserDecl(File.Context, [&](Decl *D) { Finder.TraverseDecl(D); });
  Finder.finish();
  for (Region &R : File.Regions) {
    if (!R.Declined && !R.HasDefinition && R.IsTemplate &&
        (!R.Source.Launches.empty() || R.Source.ByAddress)) {
      File.Diags.report(DiagID::KernelNotReachable, R.PragmaLocation)
          << R.Name << "the template is only declared in this file";
      R.Declined = true;
    }
    if (!R.Declined)
      placeForwardDeclaration(File, R);
  }
  checkSectionLists(File);
}
