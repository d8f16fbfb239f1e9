//===-- Candidates.cpp - Kernels that look like a matmul ------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// There are two walks. The first records, for the kernel and the functions
/// that it calls, what is assigned to which variable, and every statement that
/// may add to a sum. The second checks for each such statement whether it adds
/// a product of two numbers that come from memory. Neither follows the order of
/// statements: whether the kernel is a matmul is decided by Lift; here it only
/// has to look like one.
///
//===----------------------------------------------------------------------===//

#include "warpwright/Frontend/Candidates.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/FoldingSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace warpwright;
using namespace clang;

/// \p E without nodes that change neither its value nor its meaning here.
static const Expr *strip(const Expr *E) {
  while (E) {
    const Expr *Inner = E->IgnoreParenCasts()->IgnoreImplicit();
    if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(Inner))
      Inner = Temporary->getSubExpr();
    else if (const auto *Made = dyn_cast<CXXConstructExpr>(Inner);
             Made && Made->getNumArgs() == 1)
      Inner = Made->getArg(0);
    else if (const auto *Made = dyn_cast<CXXUnresolvedConstructExpr>(Inner);
             Made && Made->getNumArgs() == 1)
      Inner = Made->getArg(0);
    else if (const auto *Listed = dyn_cast<InitListExpr>(Inner);
             Listed && Listed->getNumInits() == 1)
      Inner = Listed->getInit(0);
    else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(Inner);
             Call && isa_and_nonnull<CXXConversionDecl>(Call->getMethodDecl()))
      Inner = Call->getImplicitObjectArgument();
    if (Inner == E)
      return E;
    E = Inner;
  }
  return E;
}

/// The name of the function that \p Call calls, resolved or not; empty if it
/// has none.
static llvm::StringRef getCalleeName(const CallExpr &Call) {
  if (const FunctionDecl *F = Call.getDirectCallee())
    return F->getIdentifier() ? F->getName() : "";
  const Expr *Callee = Call.getCallee()->IgnoreParenImpCasts();
  if (const auto *Overload = dyn_cast<OverloadExpr>(Callee))
    if (const IdentifierInfo *Name = Overload->getName().getAsIdentifierInfo())
      return Name->getName();
  if (const auto *Scoped = dyn_cast<DependentScopeDeclRefExpr>(Callee))
    if (const IdentifierInfo *Name =
            Scoped->getDeclName().getAsIdentifierInfo())
      return Name->getName();
  return "";
}

/// Calls \p Visit for the expressions in \p S, outermost first, until it
/// returns true.
static bool anyOf(const Stmt *S, llvm::function_ref<bool(const Expr *)> Visit) {
  if (!S)
    return false;
  if (const auto *E = dyn_cast<Expr>(S)) {
    if (isa<UnaryExprOrTypeTraitExpr>(E)) // sizeof reads nothing
      return false;
    if (Visit(E))
      return true;
  }
  for (const Stmt *Child : S->children())
    if (anyOf(Child, Visit))
      return true;
  return false;
}

namespace {

enum class Arithmetic { None, Add, Multiply, MultiplyAdd };

/// A sum, a product, or both, in any spelling.
struct Operation {
  Arithmetic Kind = Arithmetic::None;
  llvm::SmallVector<const Expr *, 3> Operands;
};

struct Loop {
  llvm::DenseSet<const VarDecl *> Counters; ///< changed in its header
  llvm::DenseSet<const VarDecl *> Locals;   ///< declared in its body
};

/// `Sum += Value`, or a form of it.
struct Addition {
  const Expr *Sum; ///< or a pointer to the sum, if ByPointer
  const Expr *Value;
  std::vector<Loop *> Loops; ///< the loops around it, in its function
  bool ByPointer;
  bool CalledInLoop; ///< a loop calls its function
};

class FormFinder : public DynamicRecursiveASTVisitor {
  using Base = DynamicRecursiveASTVisitor;

public:
  explicit FormFinder(ASTContext &Context) : Context(Context) {}

  std::optional<KernelForm> find(const FunctionDecl &Kernel);

  bool TraverseForStmt(ForStmt *S) override {
    return TraverseStmt(S->getInit()) && inLoop(S, S->getInc());
  }
  bool TraverseWhileStmt(WhileStmt *S) override { return inLoop(S, nullptr); }
  bool TraverseDoStmt(DoStmt *S) override { return inLoop(S, nullptr); }
  bool TraverseCXXForRangeStmt(CXXForRangeStmt *S) override {
    return inLoop(S, nullptr);
  }
  bool VisitVarDecl(VarDecl *D) override;
  bool VisitBinaryOperator(BinaryOperator *E) override;
  bool VisitCallExpr(CallExpr *E) override;
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *E) override;
  bool VisitGCCAsmStmt(GCCAsmStmt *S) override;
  bool VisitReturnStmt(ReturnStmt *S) override;

private:
  bool inLoop(Stmt *S, Expr *Increment);
  void enter(const FunctionDecl &F, bool InLoop);
  void assign(const Expr *To, const Expr *From);
  void add(const Expr *Sum, const Expr *Value, bool ByPointer = false);
  void noteIndex(const Expr *E);

  Operation classify(const Expr *E) const;
  bool isReadFromMemory(const Expr *E);
  bool isFilledFromMemory(const VarDecl *D);
  bool addsProduct(const Expr *E, unsigned Depth);
  bool isProductOfElements(llvm::ArrayRef<const Expr *> Factors);
  bool areSame(const Expr *A, const Expr *B) const;
  bool containsSame(const Expr *In, const Expr *E) const;
  bool isCarried(const Addition &A);
  bool dependsOn(const Expr *E, const llvm::DenseSet<const VarDecl *> &Which,
                 llvm::DenseSet<const VarDecl *> &Seen) const;
  bool isIndex(const Expr *Sum) const;
  const Expr *getPointee(const Expr *Pointer) const;
  const VarDecl *getRoot(const Expr *E) const;

  ASTContext &Context;
  KernelForm Form;
  bool HasShared = false;
  /// What is assigned to a variable or to a part of it.
  llvm::DenseMap<const VarDecl *, llvm::SmallVector<const Expr *, 4>> Sources;
  llvm::DenseMap<const FunctionDecl *, llvm::SmallVector<const Expr *, 2>>
      Returned;
  /// Integers that are used as positions in memory.
  llvm::DenseSet<const VarDecl *> Indices;
  std::vector<Addition> Additions;

  /// Functions that remain to be walked, and whether they are called in a loop.
  llvm::SmallVector<std::pair<const FunctionDecl *, bool>, 8> Work;
  llvm::DenseMap<const FunctionDecl *, bool> Entered;
  const FunctionDecl *Function = nullptr;
  bool FunctionInLoop = false;
  std::vector<Loop *> Loops;
  std::vector<std::unique_ptr<Loop>> AllLoops;

  llvm::DenseMap<const VarDecl *, bool> Filled;
};

} // namespace

//===----------------------------------------------------------------------===//
// The first walk
//===----------------------------------------------------------------------===//

bool FormFinder::inLoop(Stmt *S, Expr *Increment) {
  auto Here = std::make_unique<Loop>();
  if (Increment)
    anyOf(Increment, [&](const Expr *E) {
      if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
        if (const auto *D = dyn_cast<VarDecl>(Ref->getDecl()))
          Here->Counters.insert(D);
      return false;
    });
  Loops.push_back(Here.get());
  AllLoops.push_back(std::move(Here));
  const auto *For = dyn_cast<ForStmt>(S);
  bool Result = true;
  for (Stmt *Child : S->children())
    if (Child && !(For && Child == For->getInit()))
      Result &= TraverseStmt(Child);
  Loops.pop_back();
  return Result;
}

void FormFinder::enter(const FunctionDecl &F, bool InLoop) {
  const FunctionDecl *Definition = nullptr;
  if (!F.isDefined(Definition))
    return;
  const SourceManager &SM = Context.getSourceManager();
  if (SM.isInSystemHeader(SM.getExpansionLoc(Definition->getLocation())))
    return;
  auto [It, New] = Entered.try_emplace(Definition, InLoop);
  if (!New && (It->second || !InLoop))
    return;
  It->second = InLoop;
  Work.emplace_back(Definition, InLoop);
}

/// The variable to which \p Pointer points, if that can be seen: an array that
/// decays, the operand of `&`, also with something added, or what a variable or
/// parameter was given in such a form; otherwise null.
const Expr *FormFinder::getPointee(const Expr *Pointer) const {
  for (unsigned MostSteps = 16; MostSteps != 0; --MostSteps) {
    Pointer = strip(Pointer);
    if (Pointer->getType()->isArrayType())
      return Pointer;
    if (const auto *Unary = dyn_cast<UnaryOperator>(Pointer))
      return Unary->getOpcode() == UO_AddrOf ? Unary->getSubExpr() : nullptr;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Pointer)) {
      auto Known = Sources.end();
      if (const auto *D = dyn_cast<VarDecl>(Ref->getDecl()))
        Known = Sources.find(D);
      if (Known == Sources.end())
        return nullptr;
      Pointer = Known->second.front();
      continue;
    }
    const auto *Binary = dyn_cast<BinaryOperator>(Pointer);
    if (!Binary || !Binary->isAdditiveOp())
      return nullptr;
    const bool Left = Binary->getLHS()->getType()->isPointerType();
    Pointer = Left ? Binary->getLHS() : Binary->getRHS();
  }
  return nullptr;
}

/// The variable that \p E names, or of which it is a part without following a
/// pointer.
const VarDecl *FormFinder::getRoot(const Expr *E) const {
  // `A = &A[row * K]` makes A a part of itself.
  for (unsigned MostSteps = 16; E && MostSteps != 0; --MostSteps) {
    E = strip(E);
    if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
      return dyn_cast<VarDecl>(Ref->getDecl());
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
      E = getPointee(Subscript->getBase());
    else if (const auto *Member = dyn_cast<MemberExpr>(E))
      E = Member->isArrow() ? getPointee(Member->getBase()) : Member->getBase();
    else if (const auto *Unary = dyn_cast<UnaryOperator>(E);
             Unary && Unary->getOpcode() == UO_Deref)
      E = getPointee(Unary->getSubExpr());
    else
      return nullptr;
  }
  return nullptr;
}

void FormFinder::assign(const Expr *To, const Expr *From) {
  if (const VarDecl *D = getRoot(To))
    Sources[D].push_back(From);
}

void FormFinder::add(const Expr *Sum, const Expr *Value, bool ByPointer) {
  Additions.push_back({Sum, Value, Loops, ByPointer, FunctionInLoop});
}

void FormFinder::noteIndex(const Expr *E) {
  anyOf(E, [&](const Expr *Each) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Each))
      if (const auto *D = dyn_cast<VarDecl>(Ref->getDecl()))
        Indices.insert(D);
    return false;
  });
}

bool FormFinder::VisitVarDecl(VarDecl *D) {
  HasShared |= D->hasAttr<CUDASharedAttr>();
  for (Loop *L : Loops)
    L->Locals.insert(D);
  if (const Expr *Init = D->getInit())
    Sources[D].push_back(Init);
  return true;
}

bool FormFinder::VisitBinaryOperator(BinaryOperator *E) {
  const Expr *Left = E->getLHS(), *Right = E->getRHS();
  if (E->getType()->isPointerType() &&
      (E->isAdditiveOp() || E->isCompoundAssignmentOp()))
    noteIndex(Left->getType()->isPointerType() ? Right : Left);
  if (!E->isAssignmentOp())
    return true;
  assign(Left, Right);
  if (E->getOpcode() == BO_AddAssign || E->getOpcode() == BO_SubAssign)
    add(Left, Right);
  else if (E->getOpcode() == BO_Assign && containsSame(Right, Left))
    add(Left, Right);
  return true;
}

bool FormFinder::VisitArraySubscriptExpr(ArraySubscriptExpr *E) {
  noteIndex(E->getIdx());
  return true;
}

bool FormFinder::VisitReturnStmt(ReturnStmt *S) {
  if (Function && S->getRetValue())
    Returned[Function].push_back(S->getRetValue());
  return true;
}

bool FormFinder::VisitGCCAsmStmt(GCCAsmStmt *S) {
  const std::string Text = S->getAsmString();
  Form.InlineMma |= llvm::StringRef(Text).contains("mma.");
  return true;
}

bool FormFinder::VisitCallExpr(CallExpr *E) {
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E)) {
    const OverloadedOperatorKind Kind = Operator->getOperator();
    if (Operator->getNumArgs() == 2) {
      const Expr *Left = Operator->getArg(0), *Right = Operator->getArg(1);
      if (Kind == OO_Equal || Kind == OO_PlusEqual || Kind == OO_MinusEqual)
        assign(Left, Right);
      if (Kind == OO_PlusEqual || Kind == OO_MinusEqual ||
          (Kind == OO_Equal && containsSame(Right, Left)))
        add(Left, Right);
    }
  }
  const llvm::StringRef Name = getCalleeName(*E);
  Form.Wmma |= Name == "mma_sync";
  if (Name.starts_with("atomicAdd") && E->getNumArgs() >= 2) {
    Form.Atomics = true;
    add(E->getArg(0), E->getArg(1), /*ByPointer=*/true);
  }
  // load(fragment, A + i): a function that is not visible here fills a local
  // array.
  bool FromMemory = false;
  for (const Expr *Argument : E->arguments())
    FromMemory |= Argument->getType()->isPointerType() &&
                  (!getPointee(Argument) || !getRoot(getPointee(Argument)) ||
                   getRoot(getPointee(Argument))->hasAttr<CUDASharedAttr>());
  if (FromMemory)
    for (const Expr *Argument : E->arguments()) {
      const Expr *Local =
          Argument->getType()->isArrayType() ? Argument : getPointee(Argument);
      if (const VarDecl *D = Local ? getRoot(Local) : nullptr)
        Filled[D] = true;
    }
  const FunctionDecl *Callee = E->getDirectCallee();
  if (!Callee)
    if (const auto *Overload =
            dyn_cast<OverloadExpr>(E->getCallee()->IgnoreParenImpCasts()))
      if (Overload->getNumDecls() == 1)
        Callee = (*Overload->decls_begin())->getAsFunction();
  if (!Callee)
    return true;
  const FunctionDecl *Definition = nullptr;
  if (Callee->isDefined(Definition)) {
    const unsigned First = isa<CXXOperatorCallExpr>(E) &&
                                   isa<CXXMethodDecl>(Callee) &&
                                   !cast<CXXMethodDecl>(Callee)->isStatic()
                               ? 1
                               : 0;
    for (unsigned I = 0; I != Definition->getNumParams(); ++I)
      if (I + First < E->getNumArgs())
        Sources[Definition->getParamDecl(I)].push_back(E->getArg(I + First));
  }
  enter(*Callee, FunctionInLoop || !Loops.empty());
  return true;
}

//===----------------------------------------------------------------------===//
// The second walk
//===----------------------------------------------------------------------===//

bool FormFinder::areSame(const Expr *A, const Expr *B) const {
  A = strip(A);
  B = strip(B);
  llvm::FoldingSetNodeID First, Second;
  A->Profile(First, Context, /*Canonical=*/true);
  B->Profile(Second, Context, /*Canonical=*/true);
  return First == Second;
}

bool FormFinder::containsSame(const Expr *In, const Expr *E) const {
  E = strip(E);
  return anyOf(In, [&](const Expr *Each) {
    return Each->getStmtClass() == E->getStmtClass() && areSame(Each, E);
  });
}

Operation FormFinder::classify(const Expr *E) const {
  Operation Result;
  if (const auto *Binary = dyn_cast<BinaryOperator>(E)) {
    if (Binary->getOpcode() == BO_Mul)
      Result.Kind = Arithmetic::Multiply;
    else if (Binary->isAdditiveOp())
      Result.Kind = Arithmetic::Add;
    Result.Operands = {Binary->getLHS(), Binary->getRHS()};
    return Result;
  }
  const auto *Call = dyn_cast<CallExpr>(E);
  if (!Call)
    return Result;
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Call)) {
    if (Operator->getNumArgs() == 2 && Operator->getOperator() == OO_Star)
      Result.Kind = Arithmetic::Multiply;
    else if (Operator->getNumArgs() == 2 &&
             (Operator->getOperator() == OO_Plus ||
              Operator->getOperator() == OO_Minus))
      Result.Kind = Arithmetic::Add;
  } else {
    llvm::StringRef Name = getCalleeName(*Call);
    // Functions of CUDA's headers, in all roundings and widths.
    const bool Intrinsic = Name.consume_front("__");
    for (llvm::StringRef Ending :
         {"_rn", "_rz", "_ru", "_rd", "_sat", "_relu", "2", "f"})
      while (Name.size() > Ending.size() + 2 && Name.consume_back(Ending)) {
      }
    Result.Kind =
        llvm::StringSwitch<Arithmetic>(Name)
            .Cases({"fma", "hfma", "ffma", "dp4a", "dp2a", "mad"},
                   Arithmetic::MultiplyAdd)
            .Cases({"hmul", "fmul", "dmul"}, Arithmetic::Multiply)
            .Cases({"hadd", "fadd", "dadd", "hsub", "fsub"}, Arithmetic::Add)
            .Default(Arithmetic::None);
    const unsigned Wanted = Result.Kind == Arithmetic::MultiplyAdd ? 3 : 2;
    if (Call->getNumArgs() < Wanted ||
        (!Intrinsic && Result.Kind != Arithmetic::MultiplyAdd))
      Result.Kind = Arithmetic::None;
  }
  if (Result.Kind != Arithmetic::None)
    Result.Operands.append(Call->arg_begin(), Call->arg_end());
  return Result;
}

/// Whether a part of the variable sometimes comes from memory.
bool FormFinder::isFilledFromMemory(const VarDecl *D) {
  if (D->hasAttr<CUDASharedAttr>())
    return true;
  if (D->getType()->isPointerType()) // an address is not an element
    return false;
  auto [It, New] = Filled.try_emplace(D, false);
  if (!New)
    return It->second;
  auto Known = Sources.find(D);
  if (Known == Sources.end())
    return false;
  const llvm::SmallVector<const Expr *, 4> From = Known->second;
  for (const Expr *E : From)
    if (isReadFromMemory(E))
      return Filled[D] = true;
  return false;
}

bool FormFinder::isReadFromMemory(const Expr *E) {
  return anyOf(E, [&](const Expr *Each) {
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Each)) {
      const VarDecl *Array = getRoot(Subscript);
      return !Array || isFilledFromMemory(Array);
    }
    if (const auto *Unary = dyn_cast<UnaryOperator>(Each);
        Unary && Unary->getOpcode() == UO_Deref) {
      const VarDecl *Object = getRoot(Unary);
      return !Object || isFilledFromMemory(Object);
    }
    if (const auto *Member = dyn_cast<MemberExpr>(Each))
      return Member->isArrow() &&
             !isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts()) &&
             !isa<FunctionDecl>(Member->getMemberDecl());
    if (const auto *Ref = dyn_cast<DeclRefExpr>(Each)) {
      const auto *D = dyn_cast<VarDecl>(Ref->getDecl());
      return D && isFilledFromMemory(D);
    }
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Each))
      return Operator->getOperator() == OO_Subscript ||
             Operator->getOperator() == OO_Call;
    if (const auto *Call = dyn_cast<CallExpr>(Each)) {
      // A(m, k) and A.at(m, k) in a template, where the type of A is not known
      // yet.
      const Expr *Callee = Call->getCallee()->IgnoreParenImpCasts();
      const auto *Named = dyn_cast<DeclRefExpr>(Callee);
      if (Call->getNumArgs() && (isa<CXXDependentScopeMemberExpr>(Callee) ||
                                 (Named && isa<VarDecl>(Named->getDecl()))))
        return true;
      for (const Expr *Argument : Call->arguments())
        if (Argument->getType()->isPointerType())
          return true; // __ldg(&A[i]), load(A, i)
      if (const FunctionDecl *F = Call->getDirectCallee()) {
        const FunctionDecl *Definition = nullptr;
        if (F->isDefined(Definition))
          if (auto It = Returned.find(Definition); It != Returned.end()) {
            const llvm::SmallVector<const Expr *, 2> Values = It->second;
            Returned.erase(It); // a function that calls itself
            bool Any = false;
            for (const Expr *Value : Values)
              Any |= isReadFromMemory(Value);
            Returned[Definition] = Values;
            return Any;
          }
      }
    }
    return false;
  });
}

/// At least two factors are read from memory and are not the same number: a sum
/// of squares is a norm.
bool FormFinder::isProductOfElements(llvm::ArrayRef<const Expr *> Factors) {
  llvm::SmallVector<const Expr *, 4> Elements;
  for (const Expr *F : Factors)
    if (isReadFromMemory(F))
      Elements.push_back(F);
  for (size_t I = 1; I < Elements.size(); ++I)
    if (!areSame(Elements[0], Elements[I]))
      return true;
  return false;
}

/// Whether a summand in \p E is a product of elements.
bool FormFinder::addsProduct(const Expr *E, unsigned Depth) {
  constexpr unsigned MostSteps = 12; // follows variables and calls
  E = strip(E);
  if (!E || Depth > MostSteps)
    return false;
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
    return addsProduct(Choice->getTrueExpr(), Depth + 1) ||
           addsProduct(Choice->getFalseExpr(), Depth + 1);
  const Operation Op = classify(E);
  switch (Op.Kind) {
  case Arithmetic::Add:
    return addsProduct(Op.Operands[0], Depth) ||
           addsProduct(Op.Operands[1], Depth);
  case Arithmetic::Multiply: {
    llvm::SmallVector<const Expr *, 4> Factors,
        Open(Op.Operands.begin(), Op.Operands.end());
    while (!Open.empty()) {
      const Expr *Factor = strip(Open.pop_back_val());
      const Operation Inner = classify(Factor);
      if (Inner.Kind == Arithmetic::Multiply)
        Open.append(Inner.Operands.begin(), Inner.Operands.end());
      else
        Factors.push_back(Factor);
    }
    return isProductOfElements(Factors);
  }
  case Arithmetic::MultiplyAdd:
    return isProductOfElements(
               llvm::ArrayRef<const Expr *>(Op.Operands).take_front(2)) ||
           addsProduct(Op.Operands[2], Depth);
  case Arithmetic::None:
    break;
  }
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E)) {
    const auto *D = dyn_cast<VarDecl>(Ref->getDecl());
    auto Known = D ? Sources.find(D) : Sources.end();
    if (Known == Sources.end())
      return false;
    return llvm::any_of(Known->second, [&](const Expr *From) {
      return addsProduct(From, Depth + 1);
    });
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *F = Call->getDirectCallee();
    const FunctionDecl *Definition = nullptr;
    if (F && F->isDefined(Definition))
      if (auto It = Returned.find(Definition); It != Returned.end())
        return llvm::any_of(It->second, [&](const Expr *Value) {
          return addsProduct(Value, Depth + 1);
        });
    if (Call->getNumArgs() == 1) // a user-defined conversion
      return addsProduct(Call->getArg(0), Depth + 1);
  }
  return false;
}

bool FormFinder::dependsOn(const Expr *E,
                           const llvm::DenseSet<const VarDecl *> &Which,
                           llvm::DenseSet<const VarDecl *> &Seen) const {
  return anyOf(E, [&](const Expr *Each) {
    const auto *Ref = dyn_cast<DeclRefExpr>(Each);
    const auto *D = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!D || !Seen.insert(D).second)
      return false;
    if (Which.count(D))
      return true;
    auto Known = Sources.find(D);
    return D->getType()->isIntegerType() && Known != Sources.end() &&
           llvm::any_of(Known->second, [&](const Expr *From) {
             return dependsOn(From, Which, Seen);
           });
  });
}

/// Whether some loop adds to the same sum repeatedly, not to another element in
/// each iteration.
bool FormFinder::isCarried(const Addition &A) {
  if (A.CalledInLoop)
    return true;
  const VarDecl *Root = getRoot(A.Sum);
  for (const Loop *L : A.Loops) {
    if (Root && L->Locals.count(Root))
      continue; // starts anew in each iteration
    llvm::DenseSet<const VarDecl *> Seen;
    if (isa<DeclRefExpr>(strip(A.Sum)) || !dependsOn(A.Sum, L->Counters, Seen))
      return true;
  }
  return false;
}

/// An integer that is summed to compute a position in memory.
bool FormFinder::isIndex(const Expr *Sum) const {
  const auto *Ref = dyn_cast<DeclRefExpr>(strip(Sum));
  const auto *D = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return D && (D->getType()->isPointerType() ||
               (D->getType()->isIntegerType() && Indices.count(D)));
}

std::optional<KernelForm> FormFinder::find(const FunctionDecl &Kernel) {
  enter(Kernel, /*InLoop=*/false);
  while (!Work.empty()) {
    std::tie(Function, FunctionInLoop) = Work.pop_back_val();
    TraverseStmt(Function->getBody());
  }
  bool Found = Form.Wmma || Form.InlineMma;
  for (const Addition &A : Additions) {
    if ((!A.ByPointer && isIndex(A.Sum)) || !isCarried(A) ||
        !addsProduct(A.Value, 0))
      continue;
    Found = true;
    const VarDecl *Root = getRoot(A.Sum);
    if (Root && Root->getType()->isArrayType() &&
        !Root->hasAttr<CUDASharedAttr>())
      Form.RegisterTiles = true;
  }
  if (!Found)
    return std::nullopt;
  Form.SharedTiles = HasShared;
  return Form;
}

std::optional<KernelForm>
warpwright::findMatmulForm(ASTContext &Context, const FunctionDecl &Kernel) {
  return FormFinder(Context).find(Kernel);
}
