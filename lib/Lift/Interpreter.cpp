//===-- Interpreter.cpp - Statements --------------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace warpwright::symbolic {

/// More statements than this is not a kernel that one can say anything about.
static constexpr unsigned MaxSteps = 200000;

Interpreter::Interpreter(ASTContext &Context, const FunctionDecl &Kernel)
    : Context(Context), Kernel(Kernel) {}

bool Interpreter::fail(DiagID ID, SourceLocation Loc, llvm::Twine Message) {
  // In a library's header the user cannot do anything about it: show the call.
  const SourceManager &SM = Context.getSourceManager();
  for (const Frame &F : llvm::reverse(Frames)) {
    if (!SM.isInSystemHeader(Loc))
      break;
    Loc = F.CallLoc;
  }
  if (!Failed)
    Failed = Failure{ID, Loc, Message.str()};
  return false;
}

void Interpreter::require(BoolExpr C, llvm::Twine Reason) {
  if (C.isTrue())
    return;
  for (const Requirement &R : Requires)
    if (R.Condition == C)
      return;
  Requires.push_back({std::move(C), Reason.str()});
}

static bool isLaunchAtom(const IntAtom &A) {
  switch (A.getKind()) {
  case AtomKind::ThreadIdx:
  case AtomKind::BlockIdx:
  case AtomKind::BlockDim:
  case AtomKind::GridDim:
  case AtomKind::Counter:
    return true;
  default:
    return false;
  }
}

bool Interpreter::nonNegative(const IntExpr &E) {
  if (auto C = E.getConstant())
    return *C >= 0;
  if (mentionsPhi(E))
    return true; // only while a loop is probed; asked again with the real value
  // Terms with a thread, block or loop number must be non-negative one by one;
  // the rest is a matter of the parameters.
  IntExpr Rest;
  for (const auto &[M, C] : E.terms()) {
    IntExpr Term(C);
    bool Varies = false;
    bool AtomsNonNegative = true;
    for (const AtomRef &A : M) {
      Term = Term * IntExpr(A);
      bool Launch = isLaunchAtom(*A);
      bool Quotient =
          A->getKind() == AtomKind::FloorDiv || A->getKind() == AtomKind::Mod;
      IntExpr(A).walk([&](const IntAtom &X) {
        Varies |= X.getKind() == AtomKind::ThreadIdx ||
                  X.getKind() == AtomKind::BlockIdx ||
                  X.getKind() == AtomKind::Counter;
      });
      if (!Launch && !Quotient && A->getKind() != AtomKind::Param)
        AtomsNonNegative = false;
    }
    if (!Varies) {
      Rest += Term;
      continue;
    }
    if (C < 0 || !AtomsNonNegative)
      return false;
    for (const AtomRef &A : M)
      if (A->getKind() == AtomKind::Param)
        require(BoolExpr::compare(CmpOp::GE, IntExpr(A), 0),
                A->getKey() + " is negative");
  }
  if (Rest.isZero())
    return true;
  if (auto C = Rest.getConstant())
    return *C >= 0;
  bool AllLaunch = true;
  for (const auto &[M, C] : Rest.terms())
    AllLaunch &= C > 0 && llvm::all_of(M, [](const AtomRef &A) {
                   return isLaunchAtom(*A);
                 });
  if (!AllLaunch)
    require(BoolExpr::compare(CmpOp::GE, Rest, 0), Rest.str() + " is negative");
  return true;
}

bool Interpreter::sameUnsigned(const IntExpr &E) {
  if (auto C = E.getConstant())
    return *C >= 0;
  if (mentionsPhi(E))
    return true; // as in nonNegative
  // A counter that runs down ends its loop before it wraps; where it starts is
  // what matters.
  IntExpr Start;
  bool Varies = false;
  for (const auto &[M, C] : E.terms()) {
    IntExpr Term(C);
    bool Counts = false, OfThread = false;
    for (const AtomRef &A : M) {
      Term = Term * IntExpr(A);
      IntExpr(A).walk([&](const IntAtom &X) {
        Counts |= X.getKind() == AtomKind::Counter;
        OfThread |= X.getKind() == AtomKind::ThreadIdx ||
                    X.getKind() == AtomKind::BlockIdx;
      });
    }
    Varies |= Counts || OfThread;
    if (C > 0 || !Counts || OfThread)
      Start += Term;
  }
  // A bound that wraps as unsigned is no extent: the launcher sees that.
  return !Varies || nonNegative(Start);
}

bool Interpreter::positive(const IntExpr &E) {
  if (auto C = E.getConstant())
    return *C > 0;
  if (mentionsPhi(E))
    return true;
  bool Varies = false, AllDims = true;
  E.walk([&](const IntAtom &A) {
    Varies |= A.getKind() == AtomKind::ThreadIdx ||
              A.getKind() == AtomKind::BlockIdx ||
              A.getKind() == AtomKind::Counter;
    AllDims &=
        A.getKind() == AtomKind::BlockDim || A.getKind() == AtomKind::GridDim;
  });
  if (Varies)
    return false;
  for (const auto &[M, C] : E.terms())
    AllDims &= C > 0;
  if (!AllDims)
    require(BoolExpr::compare(CmpOp::GT, E, 0), E.str() + " is not positive");
  return true;
}

bool Interpreter::run() {
  Frames.emplace_back();
  Frames.back().Function = &Kernel;
  for (const ParmVarDecl *P : Kernel.parameters()) {
    bool Restrict = P->getType().isRestrictQualified();
    LValue L = newCell(parameter(P->getType(), P->getName().str(), Restrict,
                                 P->getLocation()));
    Frames.back().Vars[P] = L;
  }
  return exec(Kernel.getBody()) && !Failed;
}

bool Interpreter::exec(const Stmt *St) {
  if (!St)
    return true;
  if (Failed)
    return false;
  if (++Steps > MaxSteps)
    return fail(DiagID::TooComplex, St->getBeginLoc(),
                "the kernel is too large to analyse");
  if (S.Active.isFalse())
    return true; // after a return on every path
  if (const auto *E = dyn_cast<Expr>(St)) {
    eval(E);
    return !Failed;
  }
  switch (St->getStmtClass()) {
  case Stmt::NullStmtClass:
    return true;
  case Stmt::CompoundStmtClass:
    for (const Stmt *Child : cast<CompoundStmt>(St)->body())
      if (!exec(Child))
        return false;
    return true;
  case Stmt::DeclStmtClass:
    for (const Decl *D : cast<DeclStmt>(St)->decls())
      if (const auto *V = dyn_cast<VarDecl>(D))
        if (!execDecl(*V))
          return false;
    return true;
  case Stmt::AttributedStmtClass:
    return exec(cast<AttributedStmt>(St)->getSubStmt());
  case Stmt::IfStmtClass:
    return execIf(*cast<IfStmt>(St));
  case Stmt::SwitchStmtClass:
    return execSwitch(*cast<SwitchStmt>(St));
  case Stmt::ReturnStmtClass:
    return execReturn(*cast<ReturnStmt>(St));
  case Stmt::ForStmtClass: {
    const auto *F = cast<ForStmt>(St);
    if (!exec(F->getInit()))
      return false;
    return execLoop({F, F->getCond(), F->getBody(), F->getInc(), true});
  }
  case Stmt::WhileStmtClass: {
    const auto *W = cast<WhileStmt>(St);
    return execLoop({W, W->getCond(), W->getBody(), nullptr, true});
  }
  case Stmt::DoStmtClass: {
    const auto *D = cast<DoStmt>(St);
    return execLoop({D, D->getCond(), D->getBody(), nullptr, false});
  }
  case Stmt::ContinueStmtClass:
    if (Continues.empty())
      return fail(DiagID::UnsupportedStatement, St->getBeginLoc(),
                  "continue outside a loop");
    Continues.back().push_back(S);
    S.Active = BoolExpr::constant(false);
    return true;
  case Stmt::BreakStmtClass:
    return fail(DiagID::DataDependentExit, St->getBeginLoc(),
                "the loop is left early, so how many products are summed "
                "depends on the data or the thread");
  case Stmt::GCCAsmStmtClass:
  case Stmt::MSAsmStmtClass:
    return fail(DiagID::UnsupportedStatement, St->getBeginLoc(),
                "inline assembly cannot be analysed");
  case Stmt::GotoStmtClass:
  case Stmt::LabelStmtClass:
    return fail(DiagID::UnsupportedStatement, St->getBeginLoc(),
                "goto cannot be analysed");
  default:
    return fail(DiagID::UnsupportedStatement, St->getBeginLoc(),
                "this kind of statement cannot be analysed");
  }
}

bool Interpreter::execDecl(const VarDecl &V) {
  if (V.hasAttr<CUDASharedAttr>())
    return fail(DiagID::SharedMemory, V.getLocation(),
                "kernels that stage tiles in __shared__ memory are not "
                "supported by this version");
  if (V.isStaticLocal())
    return fail(DiagID::UnsupportedStatement, V.getLocation(),
                "static variables keep their value between threads");
  QualType T = V.getType();
  if (T->isReferenceType()) {
    LValue L = evalLValue(V.getInit());
    if (Failed)
      return false;
    Frames.back().Vars[&V] = L;
    return true;
  }
  if (const auto *A = Context.getAsConstantArrayType(T)) {
    // A local array: memory of its own, addressed like any other.
    QualType Elem = Context.getBaseElementType(T);
    auto ST = scalarType(Elem);
    std::string Name = "#" + std::to_string(NextObject++);
    SymValue P =
        ST ? SymValue::pointer(Name, *ST, IntExpr())
           : SymValue::unknown(DiagID::UnsupportedType, V.getLocation(),
                               "array of a type that is not a scalar");
    if (ST) {
      S.Arrays[Name].Elem = *ST;
      S.Arrays[Name].IsLocal = true;
    }
    Frames.back().Vars[&V] = newCell(P);
    if (const Expr *Init = V.getInit()) {
      const auto *List = dyn_cast<InitListExpr>(Init->IgnoreImplicit());
      if (isa<CXXConstructExpr>(Init->IgnoreImplicit()))
        return true; // default construction of a class like __half
      if (!List || !ST || A->getElementType()->isArrayType())
        return fail(DiagID::UnsupportedStatement, V.getLocation(),
                    "this array initialiser is not understood");
      uint64_t Size = A->getSize().getZExtValue();
      if (Size > 4096)
        return fail(DiagID::TooComplex, V.getLocation(),
                    "the array is too large to analyse");
      for (uint64_t N = 0; N < Size; ++N) {
        SymValue E = N < List->getNumInits()
                         ? eval(List->getInit(N))
                         : zero(A->getElementType(), V.getLocation());
        SymValue At = P;
        At.I = IntExpr(static_cast<int64_t>(N));
        if (Failed || !storeElement(At, E, V.getLocation()))
          return false;
      }
    }
    return true;
  }
  SymValue Init = SymValue::unknown(
      DiagID::UnsupportedExpression, V.getLocation(),
      "'" + V.getName() + "' is used without having been set");
  if (const Expr *E = V.getInit()) {
    Init = eval(E);
    if (Failed)
      return false;
  }
  Init.AssignLoc = V.getLocation();
  Frames.back().Vars[&V] = newCell(std::move(Init));
  return true;
}

State Interpreter::merge(const BoolExpr &C, State Then, State Else,
                         const State &Before) {
  if (Then.Active.isFalse() && Else.Active.isFalse()) {
    // Nothing runs after this, but the writes of both sides remain.
  } else if (Then.Active.isFalse()) {
    Then.Cells = Else.Cells;
  } else if (Else.Active.isFalse()) {
    Else.Cells = Then.Cells;
  }
  State R = Before;
  for (auto &[Id, V] : R.Cells) {
    auto A = Then.Cells.find(Id), B = Else.Cells.find(Id);
    if (A == Then.Cells.end() || B == Else.Cells.end())
      continue;
    V = select(C, A->second, B->second);
  }
  // Cells that only one side knows are out of scope, or belong to a caller's
  // temporaries: keep them.
  for (State *Side : {&Then, &Else})
    for (auto &[Id, V] : Side->Cells)
      R.Cells.try_emplace(Id, V);

  for (State *Side : {&Then, &Else})
    for (auto &[Name, A] : Side->Arrays)
      if (!R.Arrays.count(Name)) {
        R.Arrays[Name].Elem = A.Elem;
        R.Arrays[Name].IsLocal = A.IsLocal;
      }
  for (auto &NamedArray : R.Arrays) {
    const std::string &Name = NamedArray.first;
    ArrayState &A = NamedArray.second;
    std::set<unsigned> Old;
    for (const Write &W : A.Writes)
      Old.insert(W.Id);
    auto NewOf = [&](State &Side) {
      std::vector<Write> New;
      for (const Write &W : Side.Arrays[Name].Writes)
        if (!Old.count(W.Id))
          New.push_back(W);
      return New;
    };
    auto WT = NewOf(Then), WE = NewOf(Else);
    BoolExpr GuardThen = BoolExpr::conjunction(Before.Active, C);
    BoolExpr GuardElse =
        BoolExpr::conjunction(Before.Active, BoolExpr::negation(C));
    // Both sides store to the same places in the same order, always: one
    // store of a selected value.
    bool Pairwise = WT.size() == WE.size() && !WT.empty();
    for (size_t N = 0; Pairwise && N < WT.size(); ++N)
      Pairwise = WT[N].Index == WE[N].Index && WT[N].Loops.empty() &&
                 WE[N].Loops.empty() && WT[N].Guard == GuardThen &&
                 WE[N].Guard == GuardElse;
    if (Pairwise) {
      for (size_t N = 0; N < WT.size(); ++N) {
        Write W = WT[N];
        W.Value = select(C, WT[N].Value, WE[N].Value);
        W.Guard = Before.Active;
        W.Id = NextWrite++;
        A.Writes.push_back(std::move(W));
      }
      continue;
    }
    A.Writes.insert(A.Writes.end(), WT.begin(), WT.end());
    A.Writes.insert(A.Writes.end(), WE.begin(), WE.end());
  }
  if (Then.Active.isFalse())
    R.Active = Else.Active;
  else if (Else.Active.isFalse())
    R.Active = Then.Active;
  else if (Then.Active == BoolExpr::conjunction(Before.Active, C) &&
           Else.Active ==
               BoolExpr::conjunction(Before.Active, BoolExpr::negation(C)))
    R.Active = Before.Active;
  else
    R.Active = BoolExpr::disjunction(Then.Active, Else.Active);
  return R;
}

bool Interpreter::execIf(const IfStmt &If) {
  if (If.getInit() && !exec(If.getInit()))
    return false;
  if (const VarDecl *V = If.getConditionVariable())
    if (!execDecl(*V))
      return false;
  if (If.isConstexpr())
    if (auto Taken = If.getNondiscardedCase(Context))
      return exec(*Taken);
  BoolExpr C = toBool(eval(If.getCond()), If.getCond()->getExprLoc());
  if (Failed)
    return false;
  if (C.isTrue() || implies(S.Active, C))
    return exec(If.getThen());
  if (C.isFalse() || implies(S.Active, BoolExpr::negation(C)))
    return exec(If.getElse());
  State Before = S;
  S.Active = BoolExpr::conjunction(Before.Active, C);
  if (!exec(If.getThen()))
    return false;
  State Then = std::move(S);
  S = Before;
  S.Active = BoolExpr::conjunction(Before.Active, BoolExpr::negation(C));
  if (!exec(If.getElse()))
    return false;
  S = merge(C, std::move(Then), std::move(S), Before);
  return true;
}

bool Interpreter::execSwitch(const SwitchStmt &Sw) {
  SymValue V = eval(Sw.getCond());
  if (Failed)
    return false;
  auto C = V.is(SymValue::Kind::Int) ? V.I.getConstant() : std::nullopt;
  const auto *Body = dyn_cast<CompoundStmt>(Sw.getBody());
  if (!C || !Body)
    return fail(DiagID::UnsupportedStatement, Sw.getBeginLoc(),
                "a switch on something that is not a constant");
  // Runs from the matching label up to the first break at the top level.
  bool Running = false;
  for (bool WantDefault : {false, true}) {
    for (const Stmt *Child : Body->body()) {
      const Stmt *Inner = Child;
      while (const auto *Case = dyn_cast<SwitchCase>(Inner)) {
        if (const auto *CS = dyn_cast<CaseStmt>(Case))
          Running |= !WantDefault &&
                     CS->getLHS()->EvaluateKnownConstInt(Context) == *C;
        else
          Running |= WantDefault;
        Inner = Case->getSubStmt();
      }
      if (!Running)
        continue;
      if (isa<BreakStmt>(Inner))
        return true;
      if (!exec(Inner))
        return false;
    }
    if (Running)
      return true;
  }
  return true;
}

bool Interpreter::execReturn(const ReturnStmt &R) {
  Frame &F = Frames.back();
  if (F.LoopDepth)
    return fail(DiagID::DataDependentExit, R.getBeginLoc(),
                "a return inside a loop ends it early");
  if (const Expr *E = R.getRetValue()) {
    if (F.ReturnsReference) {
      LValue L = evalLValue(E);
      if (Failed)
        return false;
      Frames.back().ReferenceReturns.push_back({S.Active, L});
    } else {
      SymValue V = eval(E);
      if (Failed)
        return false;
      Frames.back().Returns.push_back({S.Active, V});
    }
  }
  S.Active = BoolExpr::constant(false);
  return true;
}

} // namespace warpwright::symbolic
