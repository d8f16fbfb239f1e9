//===-- Addresses.cpp - Where the address of a kernel goes ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Addresses.h"
#include "Discover.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMapContext.h"
#include "llvm/ADT/StringSwitch.h"

using namespace warpwright;
using namespace clang;

bool warpwright::isLaunchFunction(llvm::StringRef Name) {
  Name.consume_back("_ptsz");
  return llvm::StringSwitch<bool>(Name)
      .Cases({"cudaLaunchKernel", "cudaLaunchKernelEx", "cudaLaunchKernelExC",
              "cudaLaunchCooperativeKernel"},
             true)
      .Default(false);
}

/// Functions that get a kernel's address and launch nothing.
static bool onlyAsks(llvm::StringRef Name) {
  return Name.starts_with("cudaFuncSet") || Name.starts_with("cudaFuncGet") ||
         Name.starts_with("cudaOccupancy");
}

const NamedDecl *warpwright::findRuntimeFunction(
    const CallExpr &Call, const SourceManager &SM,
    llvm::function_ref<bool(llvm::StringRef)> Test) {
  auto IsIt = [&](const NamedDecl *D) {
    return D && D->getIdentifier() && Test(D->getName()) &&
           D->getDeclContext()->getRedeclContext()->isTranslationUnit() &&
           SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation()));
  };
  if (const FunctionDecl *Callee = Call.getDirectCallee())
    return IsIt(Callee) ? Callee : nullptr;
  const auto *Overload =
      dyn_cast<OverloadExpr>(Call.getCallee()->IgnoreParenImpCasts());
  if (!Overload || !Overload->getNumDecls())
    return nullptr;
  const NamedDecl *First = (*Overload->decls_begin())->getUnderlyingDecl();
  return IsIt(First) ? First : nullptr;
}

/// Types that hold values and launch no kernel.
static bool isContainer(const Decl &D) {
  const auto *Class = dyn_cast<CXXRecordDecl>(
      isa<CXXMethodDecl>(D) ? cast<Decl>(D.getDeclContext()) : &D);
  return Class && Class->isInStdNamespace() && Class->getIdentifier() &&
         llvm::StringSwitch<bool>(Class->getName())
             .Cases({"array", "deque", "initializer_list", "list", "map",
                     "multimap", "optional", "pair", "tuple", "unordered_map",
                     "vector"},
                    true)
             .Default(false);
}

/// Functions whose result contains their argument.
static bool handsOn(const FunctionDecl &F) {
  return F.isInStdNamespace() && F.getIdentifier() &&
         llvm::StringSwitch<bool>(F.getName())
             .Cases({"forward", "get", "make_pair", "make_tuple", "move"}, true)
             .Default(false);
}

/// The definition as it is written in the source; for an instance, that of its
/// template.
static const FunctionDecl *findDefinition(const FunctionDecl &F) {
  const FunctionDecl *Written = F.getTemplateInstantiationPattern();
  const FunctionDecl *Definition = nullptr;
  return (Written ? Written : &F)->hasBody(Definition) ? Definition : nullptr;
}

/// \p E without conversions. A list is taken in its checked form, with all
/// members.
static const Expr *withoutForm(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *List = dyn_cast<InitListExpr>(E))
    if (const InitListExpr *Semantic = List->getSemanticForm())
      return Semantic;
  return E;
}

namespace {
class UseFinder : public DynamicRecursiveASTVisitor {
public:
  using Table =
      llvm::DenseMap<const ValueDecl *, llvm::SmallVector<const Expr *, 4>>;
  explicit UseFinder(Table &Uses) : Uses(Uses) {}

  bool VisitDeclRefExpr(DeclRefExpr *E) override {
    if (!isa<FunctionDecl>(E->getDecl()))
      add(*E->getDecl(), *E);
    return true;
  }
  bool VisitMemberExpr(MemberExpr *E) override {
    if (!isa<FunctionDecl>(E->getMemberDecl()))
      add(*E->getMemberDecl(), *E);
    return true;
  }
  // A function passes on what it returns.
  bool VisitCallExpr(CallExpr *E) override {
    if (const FunctionDecl *Callee = E->getDirectCallee())
      if (const FunctionDecl *Definition = findDefinition(*Callee))
        add(*Definition, *E);
    return true;
  }

private:
  void add(const ValueDecl &D, const Expr &E) {
    Uses[cast<ValueDecl>(D.getCanonicalDecl())].push_back(&E);
  }
  Table &Uses;
};
} // namespace

AddressFlow::AddressFlow(ParsedFile &File)
    : Context(File.Context), SM(File.Context.getSourceManager()) {
  UseFinder Finder(Uses);
  forEachUserDecl(Context, [&](Decl *D) { Finder.TraverseDecl(D); });
}

AddressFlow::Result AddressFlow::follow(const Expr &Use) {
  Result R;
  Followed.clear();
  Waiting.assign(1, &Use);
  while (!Waiting.empty())
    climb(*Waiting.pop_back_val(), R);
  return R;
}

bool AddressFlow::isInMain(const Decl &D) const {
  return SM.isInMainFile(SM.getExpansionLoc(D.getLocation()));
}

void AddressFlow::leaves(Result &R, SourceLocation Where,
                         const llvm::Twine &What) {
  R.Kept = true;
  R.Leaves.emplace_back(Where, What.str());
}

void AddressFlow::climb(const Expr &From, Result &R) {
  const Expr *Child = &From;
  for (;;) {
    const DynTypedNodeList Parents = Context.getParents(*Child);
    if (Parents.empty())
      return leaves(R, Child->getExprLoc(),
                    "it is used in a way that is not "
                    "followed");
    const DynTypedNode Parent = Parents[0];
    if (!step(*Child, Parent, R))
      return;
    Child = Parent.get<Expr>();
  }
}

bool AddressFlow::step(const Expr &Child, const DynTypedNode &Parent,
                       Result &R) {
  const SourceLocation Where = Child.getExprLoc();
  if (const auto *D = Parent.get<Decl>()) {
    if (const auto *Value = dyn_cast<ValueDecl>(D))
      keptIn(*Value, Where, R);
    return false; // otherwise a condition of the compiler
  }
  if (const auto *Init = Parent.get<CXXCtorInitializer>()) {
    if (const FieldDecl *Field = Init->getAnyMember())
      keptIn(*Field, Where, R);
    else
      leaves(R, Where, "it is given to a base class");
    return false;
  }
  if (const auto *Type = Parent.get<TypeLoc>()) {
    if (auto Named = Type->getAs<TemplateSpecializationTypeLoc>())
      passedTo(Named.getTypePtr()->getTemplateName().getAsTemplateDecl(), Where,
               R);
    return false; // otherwise: decltype
  }
  const auto *S = Parent.get<Stmt>();
  if (!S) {
    leaves(R, Where, "it is used in a way that is not followed");
    return false;
  }
  if (isa<ReturnStmt>(S)) {
    returned(Parent, Where, R);
    return false;
  }
  const auto *E = dyn_cast<Expr>(S);
  if (!E)
    return false; // discarded, or a condition
  if (isa<ParenExpr, CastExpr, FullExpr, MaterializeTemporaryExpr,
          CXXBindTemporaryExpr, SubstNonTypeTemplateParmExpr, ParenListExpr,
          CXXDefaultArgExpr, PackExpansionExpr, CXXStdInitializerListExpr>(E))
    return true;
  if (isa<LambdaExpr, UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, CXXTypeidExpr>(
          E))
    return false; // captures are used by name, or unevaluated
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return Unary->getOpcode() == UO_AddrOf || Unary->getOpcode() == UO_Deref;
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->getOpcode() == BO_Comma)
      return &Child == Binary->getRHS();
    if (Binary->getOpcode() != BO_Assign || &Child == Binary->getLHS())
      return false;
    const Expr *To = Binary->getLHS()->IgnoreParenCasts();
    while (const auto *Element = dyn_cast<ArraySubscriptExpr>(To))
      To = Element->getBase()->IgnoreParenCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(To))
      keptIn(*Ref->getDecl(), Where, R);
    else if (const auto *Member = dyn_cast<MemberExpr>(To))
      keptIn(*Member->getMemberDecl(), Where, R);
    else
      leaves(R, Where, "it is stored through a pointer");
    return false;
  }
  if (const auto *Conditional = dyn_cast<AbstractConditionalOperator>(E))
    return &Child != Conditional->getCond() ||
           isa<BinaryConditionalOperator>(Conditional);
  if (const auto *Element = dyn_cast<ArraySubscriptExpr>(E))
    return &Child == Element->getBase();
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *F = dyn_cast<FunctionDecl>(Ref->getDecl());
    passedTo(F ? F->getPrimaryTemplate() : nullptr, Where, R);
    return false;
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    // The members of a container have no uses here; other members have their
    // own.
    return SM.isInSystemHeader(
        SM.getExpansionLoc(Member->getMemberDecl()->getLocation()));
  if (isa<CXXDependentScopeMemberExpr>(E))
    return true;
  if (const auto *List = dyn_cast<InitListExpr>(E)) {
    if (const RecordDecl *Record = List->getType()->getAsRecordDecl()) {
      if (isContainer(*Record))
        return true;
      List = cast<InitListExpr>(withoutForm(List));
      unsigned I = 0;
      while (I != List->getNumInits() &&
             (!List->getInit(I) ||
              withoutForm(List->getInit(I)) != withoutForm(&Child)))
        ++I;
      keptInMembers(*Record, I, Where, R);
      return false;
    }
    return true;
  }
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return passedTo(Child, *Call, R);
  if (const auto *Construct = dyn_cast<CXXConstructExpr>(E)) {
    if (Construct->getConstructor()->isCopyOrMoveConstructor() ||
        isContainer(*Construct->getConstructor()))
      return true;
    for (unsigned I = 0; I != Construct->getNumArgs(); ++I)
      if (Construct->getArg(I) == &Child)
        passedTo(*Construct->getConstructor(), I, Where, R);
    return false;
  }
  leaves(R, Where, "it is used in a way that is not followed");
  return false;
}

bool AddressFlow::passedTo(const Expr &Child, const CallExpr &Call, Result &R) {
  const SourceLocation Where = Child.getExprLoc();
  if (isa<CUDAKernelCallExpr>(Call)) {
    // Launched by this call, as a pointer: a launch by name is not followed.
    R.Kept |= Call.getCallee() == &Child;
    return false;
  }
  if (Call.getCallee() == &Child) // the object of a member, or the callee
    return isa<MemberExpr, CXXDependentScopeMemberExpr>(&Child);
  if (findRuntimeFunction(Call, SM, onlyAsks))
    return false;
  if (findRuntimeFunction(Call, SM, isLaunchFunction)) {
    R.Kept = true;
    return false;
  }
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee) {
    const auto *Overload =
        dyn_cast<OverloadExpr>(Call.getCallee()->IgnoreParenImpCasts());
    if (Overload && Overload->getNumDecls() == 1)
      Callee = (*Overload->decls_begin())->getUnderlyingDecl()->getAsFunction();
  }
  if (!Callee) {
    leaves(R, Where, "it is passed to a function that is not known here");
    return false;
  }
  // A function of the C library launches nothing.
  if (Callee->isExternC() && !Callee->getName().starts_with("cu") &&
      SM.isInSystemHeader(SM.getExpansionLoc(Callee->getLocation())))
    return false;
  const std::string Name = Callee->getQualifiedNameAsString();
  if (llvm::StringRef(Name).starts_with("warpwright::rt::by_address::")) {
    R.Redirected = true;
    return false;
  }
  if (handsOn(*Callee))
    return true;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
      Member && isContainer(*Callee)) {
    const Expr *Object =
        Member->getImplicitObjectArgument()->IgnoreParenCasts();
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Object))
      keptIn(*Ref->getDecl(), Where, R);
    else if (const auto *Field = dyn_cast<MemberExpr>(Object))
      keptIn(*Field->getMemberDecl(), Where, R);
    else
      leaves(R, Where, "it is kept where it is not followed");
    return false;
  }
  for (unsigned I = 0; I != Call.getNumArgs(); ++I)
    if (Call.getArg(I) == &Child) {
      const bool Object =
          isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(Callee);
      if (Object && I == 0) // the result may be an element
        return SM.isInSystemHeader(SM.getExpansionLoc(Callee->getLocation()));
      passedTo(*Callee, Object ? I - 1 : I, Where, R);
      return false;
    }
  return false;
}

void AddressFlow::passedTo(const FunctionDecl &Callee, unsigned Argument,
                           SourceLocation Where, Result &R) {
  const FunctionDecl *Definition = findDefinition(Callee);
  if (Definition && isInMain(*Definition) && Definition->getNumParams()) {
    keptIn(*Definition->getParamDecl(
               std::min(Argument, Definition->getNumParams() - 1)),
           Where, R);
    return;
  }
  leaves(R, Where,
         "it is passed to '" + Callee.getNameAsString() +
             "', which this file does not define");
}

/// An argument of a template: the parameter is launched.
void AddressFlow::passedTo(const TemplateDecl *Template, SourceLocation Where,
                           Result &R) {
  if (const auto *Function = dyn_cast_or_null<FunctionTemplateDecl>(Template))
    if (const FunctionDecl *Definition =
            findDefinition(*Function->getTemplatedDecl()))
      Template = Definition->getDescribedFunctionTemplate();
  if (const auto *Class = dyn_cast_or_null<ClassTemplateDecl>(Template))
    if (const CXXRecordDecl *Definition =
            Class->getTemplatedDecl()->getDefinition())
      Template = Definition->getDescribedClassTemplate();
  if (!Template || !isInMain(*Template))
    return leaves(R, Where,
                  "it is an argument of a template that this file does not "
                  "define");
  R.Kept = true;
  for (const NamedDecl *P : *Template->getTemplateParameters())
    if (const auto *Value = dyn_cast<NonTypeTemplateParmDecl>(P))
      keptIn(*Value, Where, R);
}

/// \p Index is that of the member, or past the last one if it is not known.
void AddressFlow::keptInMembers(const RecordDecl &Record, unsigned Index,
                                SourceLocation Where, Result &R) {
  const RecordDecl *Written = &Record;
  if (const auto *Class = dyn_cast<CXXRecordDecl>(&Record))
    if (const CXXRecordDecl *Pattern = Class->getTemplateInstantiationPattern())
      Written = Pattern;
  if (!isInMain(*Written))
    return leaves(R, Where,
                  "it is kept in a '" + Written->getNameAsString() +
                      "', which another file defines");
  const unsigned Count =
      std::distance(Written->field_begin(), Written->field_end());
  for (const FieldDecl *Field : Written->fields())
    if (Index >= Count || Field->getFieldIndex() == Index)
      keptIn(*Field, Where, R);
}

void AddressFlow::keptIn(const ValueDecl &D, SourceLocation Where, Result &R) {
  R.Kept = true;
  const auto *Canonical = cast<ValueDecl>(D.getCanonicalDecl());
  if (!Followed.insert(Canonical).second)
    return;
  if (!isInMain(D) ||
      (isa<VarDecl>(D) && !isa<ParmVarDecl>(D) && D.hasExternalFormalLinkage()))
    return leaves(R, Where,
                  "it is kept in '" + D.getNameAsString() +
                      "', which other files can see");
  if (auto It = Uses.find(Canonical); It != Uses.end())
    Waiting.append(It->second.begin(), It->second.end());
}

void AddressFlow::returned(const DynTypedNode &From, SourceLocation Where,
                           Result &R) {
  const FunctionDecl *Function = nullptr;
  DynTypedNode Node = From;
  while (!Function) {
    const DynTypedNodeList Parents = Context.getParents(Node);
    if (Parents.empty())
      return leaves(R, Where, "it is returned");
    Node = Parents[0];
    Function = Node.get<FunctionDecl>();
    if (const auto *Lambda = Node.get<LambdaExpr>())
      Function = Lambda->getCallOperator();
  }
  // No other file sees a member, an inline function or a template of the main
  // file.
  const bool Seen = Function->hasExternalFormalLinkage() &&
                    !Function->isInlined() && !isa<CXXMethodDecl>(Function) &&
                    !Function->isTemplated();
  if (Seen && !Function->isMain())
    return leaves(R, Where,
                  "'" + Function->getNameAsString() +
                      "', which other files can call, returns it");
  R.Kept = true;
  const auto *Canonical = cast<ValueDecl>(Function->getCanonicalDecl());
  if (Followed.insert(Canonical).second)
    if (auto It = Uses.find(Canonical); It != Uses.end())
      Waiting.append(It->second.begin(), It->second.end());
}
