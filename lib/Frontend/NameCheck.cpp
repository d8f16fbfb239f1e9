//===-- NameCheck.cpp - What a section's names mean where it stands -------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "warpwright/Frontend/NameCheck.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Overload.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/Template.h"
#include "llvm/ADT/SetVector.h"

using namespace warpwright;
using namespace clang;

NameCheck::NameCheck(const ParsedFile &File, const Region &R)
    : File(File), R(R) {
  const SourceManager &SM = File.Context.getSourceManager();
  SectionPlace = SM.getLocForStartOfFile(SM.getMainFileID())
                     .getLocWithOffset(R.Source.SectionOffset);
  for (const ParmVarDecl *P : R.Function->parameters())
    Parameters.insert(P->getName());
  for (const DeclContext *C = R.Function->getDeclContext(); C;
       C = C->getParent())
    if (C->isFileContext() && C == C->getRedeclContext())
      Scopes.push_back(C->getPrimaryContext());
  // A using-directive also makes visible what the namespace's own
  // using-directives name.
  llvm::SmallPtrSet<const DeclContext *, 8> Seen(Scopes.begin(), Scopes.end());
  llvm::SmallVector<const DeclContext *, 8> Work(Scopes.begin(), Scopes.end());
  while (!Work.empty()) {
    const DeclContext *C = Work.pop_back_val();
    for (const UsingDirectiveDecl *D : C->using_directives()) {
      const auto *Ancestor = D->getCommonAncestor();
      Shown[Ancestor->getPrimaryContext()].push_back(D);
      const DeclContext *Target =
          D->getNominatedNamespace()->getPrimaryContext();
      if (Seen.insert(Target).second)
        Work.push_back(Target);
    }
  }
}

bool NameCheck::isVisible(const Decl &D, SourceLocation Place) const {
  const SourceManager &SM = File.Context.getSourceManager();
  if (D.getLocation().isInvalid())
    return true;
  PresumedLoc Presumed = SM.getPresumedLoc(SM.getExpansionLoc(D.getLocation()));
  if (Presumed.isValid() &&
      llvm::StringRef(Presumed.getFilename()).ends_with(GeneratedFileSuffix))
    return false;
  return Place.isInvalid() || llvm::any_of(D.redecls(), [&](const Decl *Each) {
           return SM.isBeforeInTranslationUnit(Each->getLocation(), Place);
         });
}

/// Members that the section declares under fixed names, and its local
/// variables.
bool NameCheck::isTakenByEpilogue(llvm::StringRef Name) const {
  if (Parameters.contains(Name) || Name == "value" || Name == "store_others" ||
      Name == "store_all")
    return true;
  if (!Name.consume_front("partial") && !Name.consume_front("part"))
    return false;
  return Name.starts_with("_") || (!Name.empty() && isDigit(Name.front()));
}

NameCheck::Names NameCheck::findUnqualified(DeclarationName Name, bool Global,
                                            SourceLocation Place) const {
  Names Found;
  for (const DeclContext *C : Scopes) {
    if (Global && !C->isTranslationUnit())
      continue;
    auto Add = [&](const DeclContext *In) {
      for (NamedDecl *D : In->lookup(Name))
        if (isVisible(*D, Place))
          Found.push_back(D->getUnderlyingDecl());
    };
    Add(C);
    if (auto It = Shown.find(C); It != Shown.end())
      for (const UsingDirectiveDecl *D : It->second)
        if (D->isImplicit() || isVisible(*D, Place))
          Add(D->getNominatedNamespace());
    if (!Found.empty())
      break;
  }
  return Found;
}

/// The scope that stands before the name of \p D in its qualified name.
static const DeclContext *writtenScope(const NamedDecl &D) {
  const DeclContext *C = D.getDeclContext()->getRedeclContext();
  while (const auto *Namespace = dyn_cast<NamespaceDecl>(C)) {
    if (!Namespace->isAnonymousNamespace() && !Namespace->isInline())
      break;
    C = C->getParent()->getRedeclContext();
  }
  return C;
}

std::optional<NameCheck::Names> NameCheck::find(const NamedDecl &D, bool Global,
                                                SourceLocation Place) const {
  const DeclContext *Scope = writtenScope(D);
  if (Scope->isTranslationUnit()) {
    if (!Global && D.getIdentifier() && isTakenByEpilogue(D.getName()))
      return std::nullopt;
    return findUnqualified(D.getDeclName(), Global, Place);
  }
  const auto *Named = dyn_cast<NamedDecl>(Scope);
  if (!Named || Scope->isFunctionOrMethod() ||
      !findsScope(*Named, Global, Place))
    return std::nullopt;
  LookupResult Result(File.Sema, D.getDeclName(), D.getLocation(),
                      Sema::LookupOrdinaryName);
  Result.suppressDiagnostics();
  File.Sema.LookupQualifiedName(Result, const_cast<DeclContext *>(Scope));
  Names Found;
  for (NamedDecl *Each : Result)
    if (isVisible(*Each, Place))
      Found.push_back(Each->getUnderlyingDecl());
  return Found;
}

/// The declaration to which a name refers; for specialisations it is the
/// template.
static const Decl *entityOf(const NamedDecl &D) {
  if (const auto *Alias = dyn_cast<NamespaceAliasDecl>(&D))
    return Alias->getNamespace()->getCanonicalDecl();
  if (const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(&D))
    return S->getSpecializedTemplate()->getCanonicalDecl();
  if (const auto *F = dyn_cast<FunctionDecl>(&D))
    if (const FunctionTemplateDecl *T = F->getPrimaryTemplate())
      return T->getCanonicalDecl();
  if (const auto *Typedef = dyn_cast<TypedefNameDecl>(&D))
    if (const TagDecl *Tag = Typedef->getUnderlyingType()->getAsTagDecl())
      return entityOf(*Tag);
  return D.getCanonicalDecl();
}

bool NameCheck::findsScope(const NamedDecl &Scope, bool Global,
                           SourceLocation Place) const {
  std::optional<Names> Found = find(Scope, Global, Place);
  if (!Found)
    return false;
  bool Any = false;
  for (const NamedDecl *Each : *Found) {
    // Before `::` only namespaces and types count.
    if (!isa<NamespaceDecl, NamespaceAliasDecl, TypeDecl, ClassTemplateDecl>(
            Each))
      continue;
    if (entityOf(*Each) != entityOf(Scope))
      return false;
    Any = true;
  }
  return Any;
}

/// The first private or protected declaration among \p D and the declarations
/// that enclose it.
static const NamedDecl *findHidden(const NamedDecl &D) {
  auto Hidden = [](const NamedDecl &Each) {
    return Each.getAccess() == AS_private || Each.getAccess() == AS_protected;
  };
  for (const NamedDecl *Each = &D; Each;
       Each = dyn_cast<NamedDecl>(Each->getDeclContext())) {
    if (Hidden(*Each))
      return Each;
    if (const auto *Template = dyn_cast<NamedDecl>(entityOf(*Each));
        Template && Hidden(*Template))
      return Each;
  }
  return nullptr;
}

/// The type of the number that a section passes for a parameter of \p Type.
static QualType numberType(const ASTContext &Context, QualType Type) {
  Type = Type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (const auto *Enum = Type->getAs<EnumType>()) {
    const EnumDecl *D = Enum->getDecl()->getDefinitionOrSelf();
    if (!D->getIntegerType().isNull())
      Type = D->getIntegerType().getCanonicalType();
  }
  if (Type->isIntegerType() && !Type->isBooleanType() && Type->isBuiltinType())
    return Context.getIntTypeForBitwidth(Context.getTypeSize(Type),
                                         Type->isSignedIntegerType());
  return Type;
}

/// The function that a call of \p Found with the arguments of \p Function
/// selects; null if there is none, or if several are equally good.
const FunctionDecl *
NameCheck::resolve(const FunctionDecl &Function,
                   llvm::ArrayRef<NamedDecl *> Found) const {
  Sema &S = File.Sema;
  const SourceLocation Where = R.Function->getLocation();
  // Between host and device functions, those for the kernel's side are
  // preferred.
  Sema::ContextRAII Inside(
      S, const_cast<FunctionDecl *>(
             R.Instances.empty() ? R.Function : R.Instances.front().Function));
  EnterExpressionEvaluationContext Unevaluated(
      S, Sema::ExpressionEvaluationContext::Unevaluated);
  llvm::SmallVector<Expr *, 4> Args;
  for (const ParmVarDecl *P : Function.parameters())
    Args.push_back(new (File.Context) OpaqueValueExpr(
        Where, numberType(File.Context, P->getType()), VK_PRValue));
  TemplateArgumentListInfo Explicit(Where, Where);
  const TemplateArgumentList *List = Function.getTemplateSpecializationArgs();
  const bool Library =
      File.Context.getSourceManager().isInSystemHeader(Function.getLocation());
  if (List && !Library) {
    auto Add = [&](const TemplateArgument &A) {
      QualType Type;
      if (A.getKind() == TemplateArgument::Integral)
        Type = A.getIntegralType();
      else if (A.getKind() == TemplateArgument::Declaration)
        Type = A.getParamTypeForDecl();
      Explicit.addArgument(S.getTrivialTemplateArgumentLoc(A, Type, Where));
    };
    for (const TemplateArgument &A : List->asArray()) {
      if (A.getKind() == TemplateArgument::Pack)
        for (const TemplateArgument &Each : A.pack_elements())
          Add(Each);
      else
        Add(A);
    }
  }
  OverloadCandidateSet Set(Where, OverloadCandidateSet::CSK_Normal);
  for (NamedDecl *D : Found) {
    auto Access = DeclAccessPair::make(D, AS_public);
    if (auto *Template = dyn_cast<FunctionTemplateDecl>(D))
      S.AddTemplateOverloadCandidate(
          Template, Access, List && !Library ? &Explicit : nullptr, Args, Set);
    else if (auto *F = dyn_cast<FunctionDecl>(D); !F)
      return nullptr;
    else if (!List || Library)
      S.AddOverloadCandidate(F, Access, Args, Set);
  }
  OverloadCandidateSet::iterator Best;
  return Set.BestViableFunction(S, Where, Best) == OR_Success ? Best->Function
                                                              : nullptr;
}

bool NameCheck::callsAt(const FunctionDecl &Function, bool Global,
                        SourceLocation Place) const {
  std::optional<Names> Found = find(Function, Global, Place);
  if (!Found || Found->empty())
    return false;
  const FunctionDecl *Best = resolve(Function, *Found);
  return Best && Best->getCanonicalDecl() == Function.getCanonicalDecl();
}

bool warpwright::isUsersMacro(const ParsedFile &File, llvm::StringRef Name) {
  const SourceManager &SM = File.Context.getSourceManager();
  Preprocessor &PP = File.Sema.getPreprocessor();
  const IdentifierInfo *II = PP.getIdentifierInfo(Name);
  if (!II->hadMacroDefinition())
    return false;
  for (const MacroDirective *M = PP.getLocalMacroDirectiveHistory(II); M;
       M = M->getPrevious())
    if (isa<DefMacroDirective>(M) &&
        !SM.isInSystemHeader(SM.getExpansionLoc(M->getLocation())))
      return true;
  return false;
}

bool NameCheck::isMacro(const NamedDecl &D) const {
  for (const NamedDecl *Each = &D; Each;
       Each = dyn_cast<NamedDecl>(Each->getDeclContext()))
    if (Each->getIdentifier() && isUsersMacro(File, Each->getName()))
      return true;
  return false;
}

bool NameCheck::calls(const FunctionDecl &Function, bool Global) const {
  if (!Function.getDeclName().isIdentifier() || findHidden(Function) ||
      isMacro(Function))
    return false;
  for (const DeclContext *C = &Function; C && !C->isFileContext();
       C = C->getParent()) {
    const TemplateArgumentList *List = nullptr;
    if (C == &Function)
      List = Function.getTemplateSpecializationArgs();
    else if (const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(C))
      List = &S->getTemplateArgs();
    else if (C->isFunctionOrMethod())
      return false;
    if (List)
      for (const TemplateArgument &A : List->asArray())
        if (!whyNot(A, "").empty())
          return false;
  }
  // What is declared behind a kernel it cannot call, unless it is a template.
  if (!isVisible(Function, SectionPlace))
    return !R.IsTemplate || callsAt(Function, Global, SourceLocation());
  if (!callsAt(Function, Global, SectionPlace))
    return false;
  // The section of a template may come to stand at the end of the file.
  return !R.IsTemplate || callsAt(Function, Global, SourceLocation());
}

bool NameCheck::names(const VarDecl &Variable, bool Global) const {
  if (!Variable.getDeclName().isIdentifier() || findHidden(Variable) ||
      isMacro(Variable) || isa<VarTemplateSpecializationDecl>(Variable))
    return false;
  for (const DeclContext *C = Variable.getDeclContext(); !C->isFileContext();
       C = C->getParent())
    if (C->isFunctionOrMethod() || isa<ClassTemplateSpecializationDecl>(C))
      return false;
  auto IsIt = [&](SourceLocation Place) {
    std::optional<Names> Found = find(Variable, Global, Place);
    return Found && !Found->empty() &&
           llvm::all_of(*Found, [&](const NamedDecl *Each) {
             return Each->getCanonicalDecl() == Variable.getCanonicalDecl();
           });
  };
  // The section of a template may come to stand at the end of the file.
  return IsIt(SectionPlace) && (!R.IsTemplate || IsIt(SourceLocation()));
}

bool NameCheck::hides(const FunctionDecl &Function) const {
  if (!Function.getDeclName().isIdentifier())
    return false;
  if (isMacro(Function))
    return true;
  const SourceManager &SM = File.Context.getSourceManager();
  auto OfLibrary = [&](const Decl *D) {
    return D->getLocation().isInvalid() ||
           SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation()));
  };
  for (SourceLocation Place : {SectionPlace, SourceLocation()}) {
    if (Place.isInvalid() && !R.IsTemplate)
      continue;
    std::optional<Names> Found = find(Function, /*Global=*/false, Place);
    if (!Found)
      return true;
    if (llvm::all_of(*Found, OfLibrary))
      continue;
    const FunctionDecl *Best = resolve(Function, *Found);
    if (!Best || !OfLibrary(Best))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Types and template arguments
//===----------------------------------------------------------------------===//

namespace {
/// The declarations that a type names, as it is written and as it is known.
class NamedInType : public DynamicRecursiveASTVisitor {
public:
  void add(QualType Type) {
    if (!Type.isNull())
      TraverseType(Type);
  }
  void add(const TemplateArgument &A) {
    switch (A.getKind()) {
    case TemplateArgument::Type:
      return add(A.getAsType());
    case TemplateArgument::Integral:
      return add(A.getIntegralType());
    case TemplateArgument::Declaration:
      Decls.insert(A.getAsDecl());
      return;
    case TemplateArgument::Template:
      if (const TemplateDecl *T = A.getAsTemplate().getAsTemplateDecl())
        Decls.insert(T);
      return;
    case TemplateArgument::Pack:
      for (const TemplateArgument &Each : A.pack_elements())
        add(Each);
      return;
    default:
      return;
    }
  }
  bool VisitTypedefType(TypedefType *T) override {
    Decls.insert(T->getDecl());
    return true;
  }
  bool VisitTagType(TagType *T) override {
    const TagDecl *D = T->getDecl();
    const auto *S = dyn_cast<ClassTemplateSpecializationDecl>(D);
    if (Decls.insert(D) && S)
      for (const TemplateArgument &A : S->getTemplateArgs().asArray())
        add(A);
    return true;
  }

  llvm::SetVector<const NamedDecl *> Decls;
};
} // namespace

std::string NameCheck::whyNot(const NamedDecl &D, llvm::StringRef Use) const {
  const std::string Name = "'" + D.getQualifiedNameAsString() + "'";
  // Lambdas, and types without a name.
  if (D.getParentFunctionOrMethod())
    return (Use + " names " + Name + ", which is declared in a function").str();
  if (!D.getIdentifier() || D.getName().empty())
    return (Use + " names a type that has no name").str();
  if (const NamedDecl *Hidden = findHidden(D))
    return (Use + " names " + Name + ", and '" + Hidden->getNameAsString() +
            "' is a " +
            (Hidden->getAccess() == AS_private ? "private" : "protected") +
            " member")
        .str();
  // Places behind the section are CodeGen's matter.
  std::optional<Names> Found = find(D, /*Global=*/false, SourceLocation());
  if (Found && llvm::any_of(*Found, [&](const NamedDecl *Each) {
        return entityOf(*Each) == entityOf(D);
      }))
    return "";
  // Injected by the compiler, like __int128.
  if (Found && Found->empty())
    return "";
  return (Use + " names " + Name +
          ", which is something else beside the kernel")
      .str();
}

std::string NameCheck::whyNot(QualType Type, llvm::StringRef Use) const {
  NamedInType Named;
  Named.add(Type);
  for (const NamedDecl *D : Named.Decls)
    if (std::string Why = whyNot(*D, Use); !Why.empty())
      return Why;
  return "";
}

std::string NameCheck::whyNot(const TemplateArgument &Argument,
                              llvm::StringRef Use) const {
  NamedInType Named;
  Named.add(Argument);
  for (const NamedDecl *D : Named.Decls)
    if (std::string Why = whyNot(*D, Use); !Why.empty())
      return Why;
  return "";
}

/// Names at global scope that a section writes without `::`.
static constexpr llvm::StringLiteral SectionWords[] = {
    "CUtensorMap", "dim3",     "cudaStream_t", "size_t",        "int8_t",
    "uint8_t",     "int16_t",  "uint16_t",     "int32_t",       "uint32_t",
    "int64_t",     "uint64_t", "blockIdx",     "threadIdx",     "blockDim",
    "gridDim",     "half",     "__half",       "__nv_bfloat16", "fma",
    "fmaf"};

/// Whether the user's code has it, and neither the runtime, wherever that is
/// installed, nor a section.
bool NameCheck::isUsers(const Decl &D) const {
  const SourceManager &SM = File.Context.getSourceManager();
  const SourceLocation Place = SM.getExpansionLoc(D.getLocation());
  return Place.isValid() && !SM.isInSystemHeader(Place) &&
         !SM.getFilename(Place).contains("warpwright/rt/") &&
         isVisible(D, SourceLocation());
}

/// The runtime is included in front of everything else, and its names are all
/// in the namespace warpwright::rt. That is no place for anything else,
/// wherever the file declares it: a plain namespace can be continued, but not
/// be a class, an alias or inline, and what is declared in it can be meant by
/// the runtime.
std::string NameCheck::whyNotRuntime() const {
  for (const std::string &Macro : getCommandLineMacros(File))
    for (llvm::StringRef Word : {"warpwright", "rt", "same_tokens"})
      if (Macro == Word)
        return "'" + Macro +
               "', a macro of the command line, is a name of the "
               "runtime, which its launcher needs";
  const DeclContext *Scope = File.Context.getTranslationUnitDecl();
  std::string Name;
  for (llvm::StringRef Word : {"warpwright", "rt"}) {
    Name += (Name.empty() ? "" : "::") + Word.str();
    const NamespaceDecl *Plain = nullptr;
    for (const NamedDecl *D : Scope->lookup(&File.Context.Idents.get(Word))) {
      const auto *Namespace = dyn_cast<NamespaceDecl>(D);
      if (Namespace && !Namespace->isInline())
        Plain = Namespace;
      else if (isUsers(*D))
        return "'" + Name +
               "' is not only the runtime's namespace, which its "
               "launcher needs";
    }
    if (!Plain)
      return "";
    Scope = Plain;
    if (Word != "rt")
      continue;
    for (const NamespaceDecl *Each : Plain->redecls())
      for (const Decl *D : Each->decls())
        if (isUsers(*D))
          return "the file declares names in '" + Name +
                 "', the runtime's namespace, which its launcher needs";
  }
  return "";
}

std::string NameCheck::whyNot(const FunctionDecl &Kernel) const {
  const SourceManager &SM = File.Context.getSourceManager();
  if (std::string Why = whyNotRuntime(); !Why.empty())
    return Why;
  for (llvm::StringRef Word : SectionWords)
    for (const NamedDecl *D : findUnqualified(&File.Context.Idents.get(Word),
                                              /*Global=*/false, SectionPlace))
      // Other functions beside those of CUDA are told apart by their types.
      if (!D->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
          !SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation())))
        return "'" + D->getQualifiedNameAsString() +
               "' has the name of something that its launcher needs";
  if (const TemplateArgumentList *List = Kernel.getTemplateSpecializationArgs())
    for (const TemplateArgument &A : List->asArray())
      if (std::string Why = whyNot(A, "its template argument"); !Why.empty())
        return Why;
  for (const ParmVarDecl *P : Kernel.parameters()) {
    const std::string Use =
        "the type of its parameter '" + P->getName().str() + "'";
    QualType Type = Kernel.getTemplateSpecializationArgs()
                        ? P->getType().getCanonicalType()
                        : P->getType();
    if (std::string Why = whyNot(Type, Use); !Why.empty())
      return Why;
  }
  return "";
}
