//===-- Launches.cpp - Where annotated kernels are launched ---------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Discover.h"
#include "FileText.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/Sema.h"

using namespace warpwright;
using namespace clang;

namespace {

/// Visits every launch once, as it is written: templates, not instantiations.
class LaunchFinder : public RecursiveASTVisitor<LaunchFinder> {
public:
  explicit LaunchFinder(ParsedFile &File)
      : File(File), SM(File.Context.getSourceManager()), Main(File) {
    for (Region &R : File.Regions)
      Regions[R.Function->getCanonicalDecl()] = &R;
  }

  bool TraverseDecl(Decl *D) {
    const FunctionDecl *Outer = Function;
    if (const FunctionDecl *F = D ? D->getAsFunction() : nullptr)
      Function = F;
    bool Result = RecursiveASTVisitor::TraverseDecl(D);
    Function = Outer;
    return Result;
  }
  bool VisitCUDAKernelCallExpr(CUDAKernelCallExpr *Call);
  bool VisitDeclRefExpr(DeclRefExpr *Ref);
  bool VisitOverloadExpr(OverloadExpr *Ref);
  bool VisitNamedDecl(NamedDecl *D);

  /// Launches call the launcher by its name: it must not be another's there.
  void checkLauncherNames();
  /// Uses of a kernel that no launch accounts for.
  void finish();

private:
  Region *find(const NamedDecl *D) const;
  /// \p Qualified: the callee has a `ns::` before its name. \p ThroughUsing: it
  /// is named by a using-declaration.
  void addLaunch(Region &R, CUDAKernelCallExpr &Call, SourceLocation Name,
                 bool Qualified, bool ThroughUsing);
  /// In a section of ours, which launches the original on purpose.
  bool isGenerated(SourceLocation Location) const {
    PresumedLoc Presumed = SM.getPresumedLoc(SM.getExpansionLoc(Location));
    return Presumed.isValid() && llvm::StringRef(Presumed.getFilename())
                                     .ends_with(GeneratedFileSuffix);
  }
  /// Where a token of the file stands, macro arguments included.
  std::optional<unsigned> getEditOffset(SourceLocation Location) const;
  /// Why the text of a launch cannot be turned into a call; empty if it can.
  std::string findObstacle(const LaunchSource &Launch,
                           SourceLocation Name) const;
  /// The macro whose arguments the commas of a configuration may separate:
  /// they will not once the configuration is in parentheses.
  llvm::StringRef findSplittingMacro(SourceLocation Begin) const;

  ParsedFile &File;
  const SourceManager &SM;
  MainFileText Main;
  llvm::DenseMap<const FunctionDecl *, Region *> Regions;
  llvm::DenseSet<const Expr *> Callees;
  std::vector<std::pair<Region *, const Expr *>> Uses;
  const FunctionDecl *Function = nullptr; ///< around what is visited
  /// Declarations of the user's that are called as a launcher may be.
  std::vector<const NamedDecl *> LikeLaunchers;
  /// From `<<<` to `>>>` of the launches that are redirected.
  std::vector<std::pair<unsigned, unsigned>> Configurations;
};

} // namespace

Region *LaunchFinder::find(const NamedDecl *D) const {
  const auto *F =
      dyn_cast_or_null<FunctionDecl>(D ? D->getAsFunction() : nullptr);
  if (!F)
    return nullptr;
  if (auto It = Regions.find(F->getCanonicalDecl()); It != Regions.end())
    return It->second;
  // An instantiation belongs to its template; so does an explicit
  // specialisation, whose launcher is the template's and runs the original.
  if (const FunctionTemplateDecl *Template = F->getPrimaryTemplate())
    if (auto It =
            Regions.find(Template->getTemplatedDecl()->getCanonicalDecl());
        It != Regions.end())
      return It->second;
  return nullptr;
}

bool LaunchFinder::VisitCUDAKernelCallExpr(CUDAKernelCallExpr *Call) {
  const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(Callee)) {
    Callees.insert(Ref);
    if (Region *R = find(Ref->getDecl()))
      addLaunch(*R, *Call, Ref->getLocation(), Ref->hasQualifier(),
                isa<UsingShadowDecl>(Ref->getFoundDecl()));
    return true;
  }
  const auto *Overload = dyn_cast<OverloadExpr>(Callee);
  if (!Overload)
    return true;
  Callees.insert(Overload);
  Region *First = nullptr;
  bool Others = false, ThroughUsing = false;
  for (NamedDecl *D : Overload->decls()) {
    ThroughUsing |= isa<UsingShadowDecl>(D);
    Region *R = find(D->getUnderlyingDecl());
    Others |= !R;
    if (!First)
      First = R;
  }
  if (!First)
    return true;
  if (Others) {
    if (!First->Declined)
      File.Diags.report(DiagID::LaunchNotRedirected, Overload->getNameLoc())
          << First->Name << "it may call another kernel of that name";
    return true;
  }
  addLaunch(*First, *Call, Overload->getNameLoc(),
            static_cast<bool>(Overload->getQualifier()), ThroughUsing);
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
      // The section would declare it again, or call it.
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
    // A local variable or a member, or a function that arguments would find.
    if (Qualify)
      for (LaunchSource &Launch : R.Source.Launches)
        if (Launch.Begin == Launch.NameBegin && Launch.Qualifier.empty())
          Launch.Qualifier = getQualifier(*R.Function);
  }
}

void LaunchFinder::finish() {
  checkLauncherNames();
  for (auto [R, Use] : Uses)
    if (!Callees.count(Use) && !isGenerated(Use->getExprLoc()))
      R->AddressTaken.push_back(Use->getExprLoc());
}

std::optional<unsigned>
LaunchFinder::getEditOffset(SourceLocation Location) const {
  while (Location.isMacroID() && SM.isMacroArgExpansion(Location))
    Location = SM.getImmediateSpellingLoc(Location);
  return Main.getOffset(Location);
}

/// Whether preprocessor conditionals begin and end within \p Text.
static bool hasWholeConditionals(llvm::StringRef Text) {
  unsigned Depth = 0;
  // What the first line begins with is not at its beginning.
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

llvm::StringRef LaunchFinder::findSplittingMacro(SourceLocation Begin) const {
  Preprocessor &PP = File.Sema.getPreprocessor();
  for (; Begin.isMacroID() && SM.isMacroArgExpansion(Begin);
       Begin = SM.getImmediateSpellingLoc(Begin)) {
    // The tokens of this invocation before the launch, where they can be read.
    // An argument stands where the macro's body has its parameter.
    SourceLocation Parameter = SM.getImmediateExpansionRange(Begin).getBegin();
    SourceLocation Call = SM.getImmediateExpansionRange(Parameter).getBegin();
    llvm::StringRef Name =
        Lexer::getImmediateMacroName(Begin, SM, PP.getLangOpts());
    const MacroInfo *Macro = PP.getMacroInfo(PP.getIdentifierInfo(Name));
    unsigned Depth = 0, Argument = 0;
    std::optional<unsigned> From = Main.getOffset(Call);
    std::optional<unsigned> To = getEditOffset(Begin);
    if (From && To && *From < *To) {
      Lexer Raw(SM.getLocForStartOfFile(SM.getMainFileID()), PP.getLangOpts(),
                File.Text.begin(), File.Text.begin() + *From, File.Text.end());
      for (Token Tok; !Raw.LexFromRawLexer(Tok) &&
                      SM.getFileOffset(Tok.getLocation()) < *To;) {
        if (Tok.is(tok::l_paren))
          ++Depth;
        else if (Tok.is(tok::r_paren) && Depth)
          --Depth;
        else if (Tok.is(tok::comma) && Depth == 1)
          ++Argument;
      }
    }
    if (Depth > 1)
      return "";
    if (!Macro || !Macro->isVariadic() || Argument + 1 < Macro->getNumParams())
      return Name;
  }
  return "";
}

std::string LaunchFinder::findObstacle(const LaunchSource &Launch,
                                       SourceLocation Name) const {
  llvm::StringRef Text = File.Text;
  if (Function && (Function->hasAttr<CUDAGlobalAttr>() ||
                   Function->hasAttr<CUDADeviceAttr>()))
    return "device code makes it, and launchers are host functions";
  for (auto [Open, Close] : Configurations)
    if (Open <= Launch.Begin && Launch.Begin < Close)
      return "it stands in the configuration of another launch";
  if (!hasWholeConditionals(Text.slice(Launch.Begin, Launch.OpenBegin)) ||
      !hasWholeConditionals(Text.slice(Launch.OpenEnd, Launch.CloseBegin)) ||
      !hasWholeConditionals(Text.slice(Launch.CloseBegin, Launch.End)))
    return "preprocessor conditionals begin or end in the middle of it";
  Preprocessor &PP = File.Sema.getPreprocessor();
  llvm::SmallVector<llvm::StringRef, 4> Words;
  ConfigureName.split(Words, "::", /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (llvm::StringRef Word : Words)
    if (PP.getMacroDefinitionAtLoc(PP.getIdentifierInfo(Word),
                                   SM.getExpansionLoc(Name)))
      return ("'" + Word + "', which a redirected launch names, is a macro")
          .str();
  if (llvm::StringRef Macro = findSplittingMacro(Name); !Macro.empty())
    return ("its commas may separate arguments of the macro '" + Macro + "'")
        .str();
  return "";
}

void LaunchFinder::addLaunch(Region &R, CUDAKernelCallExpr &Call,
                             SourceLocation Name, bool Qualified,
                             bool ThroughUsing) {
  if (R.Declined || isGenerated(Name))
    return;
  const CallExpr *Config = Call.getConfig();
  std::optional<unsigned> NameAt = getEditOffset(Name);
  std::optional<unsigned> OpenAt = getEditOffset(Config->getBeginLoc());
  std::optional<unsigned> CloseAt = getEditOffset(Config->getRParenLoc());
  std::optional<unsigned> BeginAt = getEditOffset(Call.getBeginLoc());
  std::optional<unsigned> EndAt = getEditOffset(Call.getRParenLoc());
  if (!BeginAt || !NameAt || !OpenAt || !CloseAt || !EndAt) {
    bool InMain = SM.getFileID(SM.getExpansionLoc(Name)) == SM.getMainFileID();
    File.Diags.report(InMain ? DiagID::LaunchInMacro : DiagID::LaunchInHeader,
                      Name)
        << R.Name;
    return;
  }
  llvm::StringRef Text = File.Text;
  LaunchSource Launch;
  Launch.Begin = *BeginAt;
  Launch.End = *EndAt + 1;
  Launch.NameBegin = *NameAt;
  Launch.NameEnd = *NameAt + R.Source.Name.size();
  Launch.OpenBegin = *OpenAt;
  Launch.OpenEnd = *OpenAt + 3;
  Launch.CloseBegin = *CloseAt;
  // From `>>>` to the parenthesis there is nothing but space and comments.
  SourceLocation Close = SM.getLocForStartOfFile(SM.getMainFileID())
                             .getLocWithOffset(*CloseAt + 2);
  std::optional<Token> Paren =
      Lexer::findNextToken(Close, SM, File.Context.getLangOpts());
  std::optional<unsigned> ParenAt =
      Paren ? Main.getOffset(Paren->getLocation()) : std::nullopt;
  bool Spelled = Launch.Begin <= Launch.NameBegin &&
                 Text.substr(Launch.NameBegin).starts_with(R.Source.Name) &&
                 Text.substr(*EndAt).starts_with(")") &&
                 Text.substr(Launch.OpenBegin).starts_with("<<<") &&
                 Text.substr(Launch.CloseBegin).starts_with(">>>") && ParenAt &&
                 Paren->is(tok::l_paren);
  if (!Spelled) {
    File.Diags.report(DiagID::LaunchInMacro, Name) << R.Name;
    return;
  }
  Launch.CloseEnd = *ParenAt + 1;
  Launch.HasArguments = Call.getNumArgs() != 0;
  Launch.Line = Main.getLine(Launch.NameBegin);
  if (ThroughUsing && Qualified) {
    File.Diags.report(DiagID::LaunchNotRedirected, Name)
        << R.Name << "its name is qualified through a using-declaration";
    return;
  }
  if (std::string Why = findObstacle(Launch, Name); !Why.empty()) {
    File.Diags.report(DiagID::LaunchNotRedirected, Name) << R.Name << Why;
    return;
  }
  Configurations.emplace_back(Launch.OpenBegin, Launch.CloseBegin);
  if (ThroughUsing)
    Launch.Qualifier = getQualifier(*R.Function);
  addLaunches(R.Source, Launch);
}

void warpwright::addLaunches(KernelSource &Source,
                             llvm::ArrayRef<LaunchSource> More) {
  // One place may be seen twice: a macro argument that is expanded twice.
  for (const LaunchSource &Launch : More)
    if (llvm::none_of(Source.Launches, [&](const LaunchSource &Other) {
          return Other.NameBegin == Launch.NameBegin;
        }))
      Source.Launches.push_back(Launch);
  llvm::sort(Source.Launches, [](const LaunchSource &A, const LaunchSource &B) {
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
  // A new launch stands before a section that no declaration announces.
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

void warpwright::findLaunches(ParsedFile &File) {
  LaunchFinder Finder(File);
  forEachUserDecl(File.Context, [&](Decl *D) { Finder.TraverseDecl(D); });
  Finder.finish();
  for (Region &R : File.Regions) {
    if (!R.Declined && !R.HasDefinition && R.IsTemplate &&
        !R.Source.Launches.empty()) {
      File.Diags.report(DiagID::KernelNotReachable, R.PragmaLocation)
          << R.Name << "the template is only declared in this file";
      R.Declined = true;
    }
    if (!R.Declined)
      placeForwardDeclaration(File, R);
  }
}
