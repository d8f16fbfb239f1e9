//===-- Executor.cpp - Blocks, branches and merges ------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A region is a function or the body of one loop, with inner loops taken as
/// single steps: an acyclic graph. Its blocks run once, in reverse post-order,
/// each under the condition that it is reached. Memory is one list of guarded
/// writes in that order, which is the order of every path through the region,
/// so branches need no copies of it.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Mistakes.h"
#include "NumberSets.h"
#include "Stores.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

/// The limit of executed instructions. A kernel that exceeds it is declined,
/// which happens within a second.
static constexpr unsigned MaxSteps = 300000;

Executor::Shape::Shape(llvm::Function &F)
    : Dominators(F), PostDominators(F), Loops(Dominators) {
  llvm::ReversePostOrderTraversal<llvm::Function *> Traversal(&F);
  Order.assign(Traversal.begin(), Traversal.end());
}

Executor::Executor(const KernelModule &Module, const KernelIR &Kernel,
                   Given Asked)
    : Module(Module), Kernel(Kernel), Layout(Module.module().getDataLayout()) {
  for (const ParamLeaf &L : Kernel.Params) {
    Leaves[L.Path] = &L;
    if (!L.IsPointer && L.Problem.empty())
      Bounds.setParam(L.Path, L.Type);
  }
  OwnParts = Asked.OwnParts;
  OwnElements = Asked.OwnElements;
  grant(Asked);
}

Executor::Shape &Executor::shapeOf(llvm::Function &F) {
  std::unique_ptr<Shape> &Form = Shapes[&F];
  if (!Form)
    Form = std::make_unique<Shape>(F);
  return *Form;
}

SourceLocation Executor::locationOf(const llvm::Instruction &I) const {
  // The innermost place in the user's code: an instruction of a header is
  // reported at the line that calls it.
  for (const llvm::DILocation *L = I.getDebugLoc(); L; L = L->getInlinedAt()) {
    SourceLocation Where = Module.locate(L);
    if (Where.isValid() && !Module.inSystemHeader(Where))
      return Where;
  }
  return {};
}

SourceLocation Executor::here() const {
  return Current ? locationOf(*Current) : SourceLocation();
}

bool Executor::fail(DiagID ID, SourceLocation Loc, llvm::Twine Message) {
  if (!Failed)
    Failed = Failure{ID, Loc, Message.str()};
  return false;
}

void Executor::require(BoolExpr C, llvm::Twine Reason) {
  if (C.isTrue() || mistaken(Mistake::RequirementsDropped))
    return;
  for (const Requirement &R : Requires)
    if (R.Condition == C)
      return;
  // The requirement holds wherever the result of the lift is used.
  if (C.getKind() == BoolExpr::Kind::Compare &&
      (C.getOp() == CmpOp::GE || C.getOp() == CmpOp::GT))
    Bounds.learnAtLeast(C.getLHS() - C.getRHS(), C.getOp() == CmpOp::GT);
  Requires.push_back({std::move(C), Reason.str()});
}

BoolExpr Executor::totalActive() const {
  BoolExpr A = Active;
  for (const BoolExpr &O : OuterActive)
    A = BoolExpr::conjunction(O, A);
  return A;
}

ValueRef Executor::at(ValueRef V) const {
  if (V->Loc)
    return V;
  SourceLocation Loc = here();
  if (Loc.isInvalid())
    return V;
  auto R = std::make_shared<Value>(*V);
  R->Loc = Loc.getRawEncoding();
  R->Line = Module.lineOf(Loc);
  return R;
}

/// Larger expressions would be unreadable when printed, and each step could
/// double their size again.
static constexpr unsigned MaxValueSize = 10000;

SymValue Executor::numbered(ValueRef V) {
  if (V->size() > MaxValueSize)
    return unknown(DiagID::TooComplex,
                   "a value takes too many operations to be written down");
  SymValue R = SymValue::scalar(at(std::move(V)));
  R.Loc = here();
  return R;
}

bool Executor::run() {
  auto F = std::make_unique<Frame>();
  F->Function = Kernel.Function;
  F->Form = &shapeOf(*Kernel.Function);
  F->Id = NextFrame++;
  for (llvm::Argument &A : Kernel.Function->args()) {
    SymValue V;
    if (A.hasByValAttr()) {
      V = SymValue::pointer("$" + std::to_string(A.getArgNo()), IntExpr());
    } else {
      V = SymValue::unknown(DiagID::UnsupportedType, {},
                            "a parameter has a type that is not supported");
      for (const ParamLeaf &L : Kernel.Params)
        if (L.Argument == A.getArgNo() && L.Offset == 0)
          V = leafValue(L);
      // A bool arrives as an i1.
      if (V.is(VK::Int) && A.getType()->isIntegerTy(1))
        V = SymValue::boolean(BoolExpr::compare(CmpOp::NE, V.I, 0));
    }
    F->Values[&A] = std::move(V);
  }
  for (const ParamLeaf &L : Kernel.Params)
    if (L.IsPointer && L.Problem.empty())
      S[L.Path].Elem = L.Type;
  declareShared();
  Frames.push_back(std::move(F));
  Region R;
  bool Ok = runRegion(R, &Kernel.Function->getEntryBlock());
  return Ok && !Failed && checkCopySources();
}

const llvm::BasicBlock *
Executor::representative(const Region &R, const llvm::BasicBlock *B) const {
  const llvm::LoopInfo &LI = Frames.back()->Form->Loops;
  llvm::Loop *L = LI.getLoopFor(B);
  if (L == R.Loop)
    return B;
  while (L && L->getParentLoop() != R.Loop)
    L = L->getParentLoop();
  return L ? L->getHeader() : nullptr;
}

bool Executor::runRegion(Region &R, llvm::BasicBlock *Header, BoolExpr Start) {
  Shape &Form = *Frames.back()->Form;
  R.Reached[Header] = std::move(Start);
  for (llvm::BasicBlock *B : Form.Order) {
    llvm::Loop *Inner = Form.Loops.getLoopFor(B);
    bool IsInnerHeader = Inner && Inner != R.Loop &&
                         Inner->getParentLoop() == R.Loop &&
                         Inner->getHeader() == B;
    if (Inner != R.Loop && !IsInnerHeader)
      continue;
    if (B != Header)
      R.Reached[B] = reachOf(R, B);
    Active = R.Reached[B];
    if (Active.isFalse())
      continue;
    if (IsInnerHeader) {
      BoolExpr Entry = Active;
      if (!runLoop(R, *Inner, Entry))
        return false;
      continue;
    }
    if (!runBlock(R, B))
      return false;
  }
  return !Failed;
}

BoolExpr Executor::reachOf(Region &R, llvm::BasicBlock *B) {
  Shape &Form = *Frames.back()->Form;
  // A block where divergent paths meet again is reached whenever the branch is.
  auto *Node = Form.Dominators.getNode(B);
  if (Node && Node->getIDom()) {
    const llvm::BasicBlock *D = representative(R, Node->getIDom()->getBlock());
    auto It = D ? R.Reached.find(D) : R.Reached.end();
    if (It != R.Reached.end() && Form.PostDominators.dominates(B, D))
      return It->second;
  }
  BoolExpr Reach = BoolExpr::constant(false);
  for (const llvm::BasicBlock *P : llvm::predecessors(B)) {
    auto It = R.Edges.find({P, B});
    if (It != R.Edges.end())
      Reach = either(Reach, It->second);
  }
  return Reach;
}

/// A branch to a block that ends the program has the condition of a failing
/// assertion.
static bool neverReturns(const llvm::BasicBlock *B) {
  return llvm::isa<llvm::UnreachableInst>(B->getTerminator());
}

bool Executor::runBlock(Region &R, llvm::BasicBlock *B) {
  for (llvm::Instruction &I : *B) {
    Current = &I;
    if (++Steps > MaxSteps)
      return fail(DiagID::TooComplex, here(),
                  "the kernel is too large to analyse");
    if (I.isTerminator())
      return runTerminator(R, B);
    if (auto *Phi = llvm::dyn_cast<llvm::PHINode>(&I)) {
      // The loop sets the phis of its own header.
      if (R.Loop && B == R.Loop->getHeader())
        continue;
      SymValue V = mergePhi(R, *Phi);
      if (Failed)
        return false;
      Frames.back()->Values[Phi] = std::move(V);
      continue;
    }
    if (!execute(I))
      return false;
  }
  return true;
}

bool Executor::recordTrap(const llvm::BasicBlock &B, const BoolExpr &When) {
  for (const llvm::Instruction &I : B)
    if (const auto *Call = llvm::dyn_cast<llvm::CallBase>(&I)) {
      const llvm::Function *F = Call->getCalledFunction();
      if (F && F->isIntrinsic() && F->doesNotAccessMemory())
        continue;
      const FunctionInfo *Info = F ? Module.info(*F) : nullptr;
      if (!Info || knownFunction(*Info) != KnownOp::Assertion)
        return notReached(When, "the kernel ends the program") ||
               fail(DiagID::CallNotInlined, locationOf(I), EndsProgram);
      Traps.push_back(
          {BoolExpr::conjunction(totalActive(), When), locationOf(I)});
    }
  return true;
}

bool Executor::runTerminator(Region &R, llvm::BasicBlock *B) {
  llvm::Instruction *T = B->getTerminator();
  auto Leaves = [&](const llvm::BasicBlock *To) {
    return R.Loop && !R.Loop->contains(To);
  };
  auto Go = [&](const llvm::BasicBlock *To, const BoolExpr &Condition) {
    BoolExpr &E =
        R.Edges.try_emplace({B, To}, BoolExpr::constant(false)).first->second;
    E = underGrants(either(E, BoolExpr::conjunction(Active, Condition)));
    return true;
  };
  if (auto *Return = llvm::dyn_cast<llvm::ReturnInst>(T)) {
    if (const llvm::Value *V = Return->getReturnValue())
      Frames.back()->Result = valueOf(V);
    Frames.back()->Returned = true;
    return true;
  }
  if (llvm::isa<llvm::UnreachableInst>(T))
    return true;
  if (auto *Branch = llvm::dyn_cast<llvm::BranchInst>(T)) {
    if (Branch->isUnconditional())
      return Go(Branch->getSuccessor(0), BoolExpr::constant(true));
    const llvm::BasicBlock *Then = Branch->getSuccessor(0),
                           *Else = Branch->getSuccessor(1);
    SymValue V = valueOf(Branch->getCondition());
    bool ThenLeaves = Leaves(Then), ElseLeaves = Leaves(Else);
    bool Exit =
        ThenLeaves != ElseLeaves && !neverReturns(ThenLeaves ? Then : Else);
    SourceLocation Loc = here();
    if (const auto *I =
            llvm::dyn_cast<llvm::Instruction>(Branch->getCondition()))
      if (SourceLocation Where = locationOf(*I); Where.isValid())
        Loc = Where;
    // `for (int offset = 16; offset > 0; offset /= 2)` around a shuffle: the
    // offsets are not why it is declined.
    if (V.is(VK::Unknown) && Exit && exchangesIn(*R.Loop))
      return false;
    // Steps that double up to the block's width can be counted if it is known.
    if (auto *Test = llvm::dyn_cast<llvm::ICmpInst>(Branch->getCondition());
        Test && V.is(VK::Unknown))
      for (const llvm::Value *Side : Test->operands()) {
        const SymValue X = valueOf(Side);
        DividesBlock |= X.is(VK::Int) && X.I.containsKind(AtomKind::BlockDim);
      }
    if (V.is(VK::Unknown) && (Exit || (R.Loop && mayBreak(*R.Loop, *B))))
      return fail(DiagID::DataDependentExit, Loc,
                  "how often the loop runs is not understood: " + V.Reason);
    BoolExpr C = toBool(V);
    if (Failed)
      return false;
    if (!Exit)
      noteChoice(C);
    C = underGrants(C);
    if (Exit && R.Early && R.Early->count(B))
      return goPastExit(R, B, ThenLeaves ? Else : Then,
                        ThenLeaves ? C : BoolExpr::negation(C), Loc);
    if (Exit) {
      // The loop itself determines how often it continues; what an iteration
      // does, it does in every iteration.
      R.Continue = ThenLeaves ? BoolExpr::negation(C) : C;
      R.ContinueLoc = Loc;
      R.Tested = true;
      // After a test in the middle of the body, the rest does not run in the
      // last iteration.
      const bool First = B == R.Loop->getHeader() && Around.back()->TestsFirst;
      const bool InMiddle = !First && B != R.Loop->getLoopLatch();
      Go(ThenLeaves ? Else : Then,
         InMiddle ? R.Continue : BoolExpr::constant(true));
      return true;
    }
    BoolExpr NotC =
        mistaken(Mistake::ElseNotNegated) ? C : BoolExpr::negation(C);
    if (mistaken(Mistake::BranchTakenAlways) && !ThenLeaves && !ElseLeaves)
      C = BoolExpr::constant(true);
    BoolExpr All = totalActive();
    if (implies(All, C))
      NotC = BoolExpr::constant(false), C = BoolExpr::constant(true);
    else if (implies(All, NotC))
      C = BoolExpr::constant(false), NotC = BoolExpr::constant(true);
    // An edge from a loop to a failing assertion is not one of the loop's own
    // paths.
    for (auto [To, When] : {std::pair{Then, C}, {Else, NotC}})
      if (Leaves(To) && !When.isFalse() && !recordTrap(*To, When))
        return false;
    if (!ThenLeaves)
      Go(Then, C);
    if (!ElseLeaves)
      Go(Else, NotC);
    return true;
  }
  if (auto *Switch = llvm::dyn_cast<llvm::SwitchInst>(T)) {
    SymValue V = valueOf(Switch->getCondition());
    if (V.is(VK::Unknown))
      return fail(V.ReasonID, V.ReasonLoc, V.Reason);
    BoolExpr None = BoolExpr::constant(true);
    const Simplifier Facts(Bounds, bodyLoops(), totalActive());
    auto Take = [&](const llvm::BasicBlock *To, const BoolExpr &When) {
      // Where all numbers have a case, there is no other one.
      if (Leaves(To) && neverReturns(To))
        return When.isFalse() || recordTrap(*To, When);
      if (Leaves(To))
        return fail(DiagID::DataDependentExit, here(),
                    "the loop is left early, so how many products are summed "
                    "depends on the data or the thread");
      return Go(To, When);
    };
    for (const auto &Case : Switch->cases()) {
      BoolExpr C = toBool(compareInts(llvm::CmpInst::ICMP_EQ, V,
                                      constantValue(*Case.getCaseValue())));
      if (Failed)
        return false;
      noteChoice(C);
      C = asOuterRange(underGrants(C), Facts);
      if (!Take(Case.getCaseSuccessor(), C))
        return false;
      None = BoolExpr::conjunction(None, BoolExpr::negation(C));
    }
    return Take(Switch->getDefaultDest(), asOneRange(None));
  }
  return fail(DiagID::UnsupportedStatement, here(),
              "this kind of statement cannot be analysed");
}

SymValue Executor::mergePhi(Region &R, const llvm::PHINode &Phi) {
  Frame &F = *Frames.back();
  struct Incoming {
    BoolExpr When;
    SymValue V;
  };
  std::vector<Incoming> In;
  const llvm::BasicBlock *B = Phi.getParent();
  std::set<const llvm::BasicBlock *> Seen;
  for (unsigned N = 0; N < Phi.getNumIncomingValues(); ++N) {
    const llvm::BasicBlock *P = Phi.getIncomingBlock(N);
    auto It = R.Edges.find({P, B});
    // Nobody reads what a variable is after a break (Breaks.cpp).
    if (llvm::isa<llvm::PoisonValue>(Phi.getIncomingValue(N)) ||
        It == R.Edges.end() || It->second.isFalse() || !Seen.insert(P).second)
      continue;
    const llvm::Value *V = Phi.getIncomingValue(N);
    auto Left = F.Left.find(P);
    // After a loop a value is what the last iteration left.
    SymValue X = Left != F.Left.end() && !Left->second->Loop->contains(B)
                     ? exitValue(*Left->second, V)
                     : valueOf(V);
    In.push_back({It->second, std::move(X)});
  }
  if (In.empty())
    return unknown(DiagID::UnsupportedExpression,
                   "this value is never computed");
  if (In.size() == 1)
    return In[0].V;
  // Conditions are relative to the branch from which the paths come.
  const llvm::BasicBlock *D = nullptr;
  if (auto *Node = F.Form->Dominators.getNode(B); Node && Node->getIDom())
    D = Node->getIDom()->getBlock();
  const llvm::BasicBlock *Represents = D ? representative(R, D) : nullptr;
  if (auto Known = R.Reached.find(Represents); Known != R.Reached.end())
    for (Incoming &I : In)
      I.When = strongest(withoutConjuncts(I.When, Known->second));
  // `c ? a : b` reads as it was written: the side of the true branch first.
  if (const auto *Branch =
          D ? llvm::dyn_cast<llvm::BranchInst>(D->getTerminator()) : nullptr;
      Branch && Branch->isConditional() && D == Represents) {
    SymValue C = valueOf(Branch->getCondition());
    if (C.is(VK::Bool))
      llvm::stable_sort(In, [&](const Incoming &X, const Incoming &Y) {
        return implies(X.When, C.B) && !implies(Y.When, C.B);
      });
  }
  SymValue Result = In.back().V;
  for (Incoming &I : llvm::reverse(llvm::MutableArrayRef(In).drop_back())) {
    noteMeeting(I.V, Result);
    Result = mistaken(Mistake::PhiOrderSwapped) ? select(I.When, Result, I.V)
                                                : select(I.When, I.V, Result);
  }
  if (Result.S)
    Result.S = at(Result.S);
  return Result;
}

/// Whether \p P is in an array that only threads of the block can access. Their
/// accesses are ordered by barriers, so that `volatile` adds nothing.
static bool isOfBlock(const SymValue &P) {
  return P.is(VK::Pointer) && !P.Array.empty() &&
         (P.Array[0] == '!' || P.Array[0] == '#');
}

bool Executor::execute(llvm::Instruction &I) {
  if (auto *Store = llvm::dyn_cast<llvm::StoreInst>(&I)) {
    if (Store->isAtomic() || (Store->isVolatile() &&
                              !isOfBlock(valueOf(Store->getPointerOperand()))))
      return fail(DiagID::UnsupportedStatement, here(),
                  "a volatile or atomic store cannot be moved");
    return storeType(valueOf(Store->getPointerOperand()),
                     valueOf(Store->getValueOperand()),
                     Store->getValueOperand()->getType());
  }
  if (llvm::isa<llvm::FenceInst>(I))
    return true;
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(I))
    return fail(DiagID::Atomics, here(),
                "an atomic operation combines the work of several threads in "
                "an order that is not fixed");
  SymValue V = evaluate(I);
  if (Failed)
    return false;
  if (I.getType()->isVoidTy())
    return true;
  if (V.Loc.isInvalid())
    V.Loc = here();
  // In a block of one warp the lane is threadIdx, wherever it occurs.
  if (Block[0] == WarpLanes && V.is(VK::Int) &&
      V.I.containsKind(AtomKind::ThreadIdx))
    V.I = Simplifier(Bounds, {}, BoolExpr()).simplify(V.I);
  if (AtomRef A = V.is(VK::Int) ? V.I.getAtom() : nullptr) {
    if (A->getKind() == AtomKind::BlockDim)
      UsesBlockDim[A->getDim()] = true;
    else if (A->getKind() == AtomKind::ThreadIdx)
      UsedThreads[A->getDim()] = true;
    else if (A->getKind() == AtomKind::FloorDiv)
      DividesBlock |= A->getLHS().containsKind(AtomKind::BlockDim) &&
                      !A->getLHS().containsKind(AtomKind::ThreadIdx) &&
                      !A->getLHS().containsKind(AtomKind::BlockIdx);
  }
  if (V.is(VK::Int) && !DividesWarps)
    V.I.walk([&](const IntAtom &A) {
      auto D = A.getKind() == AtomKind::FloorDiv ? A.getRHS().getConstant()
                                                 : std::nullopt;
      DividesWarps |= D && *D % WarpLanes == 0 &&
                      A.getLHS().containsKind(AtomKind::ThreadIdx);
    });
  for (unsigned D = 0; D < 3 && V.is(VK::Int) && V.I.terms().size() == 2; ++D) {
    IntExpr Rest = V.I - IntExpr::special(AtomKind::ThreadIdx, D);
    auto Step = Rest.exactDivide(IntExpr::special(AtomKind::BlockIdx, D));
    auto C = Step ? Step->getConstant() : std::nullopt;
    if (C && *C > 0 && *C <= 1024)
      Width[D] = *C;
  }
  Frames.back()->Values[&I] = std::move(V);
  return true;
}

SymValue Executor::evaluate(llvm::Instruction &I) {
  if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&I))
    return call(*Call);
  if (auto *Alloca = llvm::dyn_cast<llvm::AllocaInst>(&I)) {
    if (!Alloca->isStaticAlloca())
      return failValue(DiagID::UnsupportedStatement,
                       "an array whose size is not a constant");
    std::string Name =
        "#" + std::to_string(Frames.back()->Id) + "." +
        std::to_string(std::distance(I.getParent()->begin(), I.getIterator())) +
        "." + I.getName().str();
    ArrayState &Object = localArray(Name);
    Object.Writes.clear();
    Object.Size = Layout.getTypeAllocSize(Alloca->getAllocatedType());
    // What a loop adds to, before the values that it adds are known.
    llvm::Type *Element = Alloca->getAllocatedType();
    while (Element->isArrayTy() ||
           (Element->isStructTy() && Element->getStructNumElements() == 1))
      Element = Element->getContainedType(0);
    if (Element->isIntegerTy(32))
      Object.Elem = ScalarType::I32;
    return SymValue::pointer(Name, IntExpr());
  }
  if (auto *Load = llvm::dyn_cast<llvm::LoadInst>(&I)) {
    SymValue P = valueOf(Load->getPointerOperand());
    if (Load->isAtomic() || (Load->isVolatile() && !isOfBlock(P)))
      return failValue(DiagID::UnsupportedStatement,
                       "a volatile or atomic load cannot be moved");
    return loadType(P, Load->getType());
  }
  if (auto *GEP = llvm::dyn_cast<llvm::GEPOperator>(&I))
    return addressOf(*GEP, valueOf(GEP->getPointerOperand()));
  if (auto *Binary = llvm::dyn_cast<llvm::BinaryOperator>(&I)) {
    if (Binary->getType()->isFPOrFPVectorTy())
      return floatOp(I);
    SymValue L = valueOf(Binary->getOperand(0)),
             R = valueOf(Binary->getOperand(1));
    return integerOp(*Binary, L, R);
  }
  if (I.getOpcode() == llvm::Instruction::FNeg)
    return floatOp(I);
  if (auto *Cast = llvm::dyn_cast<llvm::CastInst>(&I))
    return castOp(*Cast);
  if (auto *Compare = llvm::dyn_cast<llvm::ICmpInst>(&I))
    return compareInts(Compare->getPredicate(), valueOf(I.getOperand(0)),
                       valueOf(I.getOperand(1)));
  if (auto *Compare = llvm::dyn_cast<llvm::FCmpInst>(&I))
    return compareFloats(Compare->getPredicate(), valueOf(I.getOperand(0)),
                         valueOf(I.getOperand(1)), I.getOperand(0)->getType());
  if (auto *Select = llvm::dyn_cast<llvm::SelectInst>(&I)) {
    SymValue C = valueOf(Select->getCondition());
    if (C.is(VK::Unknown))
      return C;
    if (!C.is(VK::Bool))
      return unknown(DiagID::UnsupportedExpression,
                     "a selection between vectors");
    noteChoice(C.B);
    C.B = underGrants(C.B);
    BoolExpr All = totalActive();
    if (implies(All, C.B))
      return valueOf(Select->getTrueValue());
    if (implies(All, BoolExpr::negation(C.B)))
      return valueOf(Select->getFalseValue());
    SymValue A = valueOf(Select->getTrueValue()),
             B = valueOf(Select->getFalseValue());
    if (mistaken(Mistake::SelectSwapped))
      std::swap(A, B);
    // In `a && b` and `a || b` an operand that is not evaluated may have any
    // value.
    if (A.is(VK::Bool) && A.B.isTrue() && B.is(VK::Bool))
      return SymValue::boolean(BoolExpr::disjunction(C.B, B.B));
    if (B.is(VK::Bool) && B.B.isFalse() && A.is(VK::Bool))
      return SymValue::boolean(BoolExpr::conjunction(C.B, A.B));
    noteMeeting(A, B);
    SymValue V = select(C.B, A, B);
    if (V.S)
      V.S = at(V.S);
    return V;
  }
  if (auto *Extract = llvm::dyn_cast<llvm::ExtractValueInst>(&I)) {
    SymValue V = valueOf(Extract->getAggregateOperand());
    for (unsigned N : Extract->indices()) {
      if (!V.is(VK::Aggregate) || N >= V.Fields.size())
        return V.is(VK::Unknown) ? V
                                 : unknown(DiagID::UnsupportedExpression,
                                           "this member is not understood");
      SymValue Field = V.Fields[N];
      V = std::move(Field);
    }
    return V;
  }
  if (auto *Insert = llvm::dyn_cast<llvm::InsertValueInst>(&I)) {
    SymValue V = valueOf(Insert->getAggregateOperand());
    SymValue *Slot = &V;
    for (unsigned N : Insert->indices()) {
      if (!Slot->is(VK::Aggregate) || N >= Slot->Fields.size())
        return unknown(DiagID::UnsupportedExpression,
                       "this member is not understood");
      Slot = &Slot->Fields[N];
    }
    *Slot = valueOf(Insert->getInsertedValueOperand());
    return V;
  }
  if (auto *Extract = llvm::dyn_cast<llvm::ExtractElementInst>(&I)) {
    SymValue V = valueOf(Extract->getVectorOperand()),
             N = valueOf(Extract->getIndexOperand());
    auto C = N.constant();
    if (V.is(VK::Aggregate) && C && *C >= 0 &&
        static_cast<size_t>(*C) < V.Fields.size())
      return V.Fields[*C];
    return unknown(DiagID::UnsupportedExpression,
                   "this element of a vector is not understood");
  }
  if (auto *Insert = llvm::dyn_cast<llvm::InsertElementInst>(&I)) {
    SymValue V = valueOf(I.getOperand(0)), X = valueOf(I.getOperand(1)),
             N = valueOf(Insert->getOperand(2));
    auto C = N.constant();
    if (!V.is(VK::Aggregate) || !C || *C < 0 ||
        static_cast<size_t>(*C) >= V.Fields.size())
      return unknown(DiagID::UnsupportedExpression,
                     "this element of a vector is not understood");
    V.Fields[*C] = X;
    return V;
  }
  if (auto *Shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&I)) {
    SymValue A = valueOf(I.getOperand(0)), B = valueOf(I.getOperand(1));
    if (!A.is(VK::Aggregate) || !B.is(VK::Aggregate))
      return unknown(DiagID::UnsupportedExpression,
                     "this vector is not understood");
    std::vector<SymValue> All = A.Fields, Lanes;
    All.insert(All.end(), B.Fields.begin(), B.Fields.end());
    for (int Lane : Shuffle->getShuffleMask())
      Lanes.push_back(Lane >= 0 && static_cast<size_t>(Lane) < All.size()
                          ? All[Lane]
                          : unknown(DiagID::UnsupportedExpression,
                                    "a value is used without having been set"));
    return SymValue::aggregate(std::move(Lanes));
  }
  if (I.getOpcode() == llvm::Instruction::Freeze)
    return valueOf(I.getOperand(0));
  return unknown(DiagID::UnsupportedExpression,
                 llvm::Twine("this operation (") + I.getOpcodeName() +
                     ") is not understood");
}

SymValue Executor::valueOf(const llvm::Value *V) {
  if (const auto *C = llvm::dyn_cast<llvm::Constant>(V))
    return constantValue(*C);
  auto It = Frames.back()->Values.find(V);
  if (const auto Only = Frames.back()->Only.find(V);
      Only != Frames.back()->Only.end() && !knows(totalActive(), Only->second))
    return unknown(DiagID::NotASum,
                   "a value that only some iterations set is used where it is "
                   "not known how many did");
  if (It != Frames.back()->Values.end())
    return It->second;
  return unknown(DiagID::UnsupportedExpression, "this value is never computed");
}

/// A floating-point constant as C++ writes it.
static SymValue floatConstant(const llvm::APFloat &F, ScalarType T) {
  llvm::SmallString<32> Text;
  F.toString(Text);
  std::string Spelling(Text.str());
  if (F.isInfinity() || F.isNaN()) {
    if (F.isNaN())
      return SymValue::unknown(DiagID::UnsupportedExpression, {},
                               "a constant that is not a number");
    Spelling = T == ScalarType::F64 ? "HUGE_VAL" : "INFINITY";
    Spelling = (F.isNegative() ? "-" : "") + Spelling;
    return SymValue::scalar(Value::constant(T, Spelling));
  }
  if (F.isZero())
    Spelling = F.isNegative() ? "-0.0" : "0.0";
  if (Spelling.find_first_of(".eEn") == std::string::npos)
    Spelling += ".0";
  if (T != ScalarType::F64)
    Spelling += "f";
  // As in C++, where a minus sign is an operator.
  if (llvm::StringRef(Spelling).consume_front("-"))
    return SymValue::scalar(
        Value::unary(Value::Kind::Neg, Value::constant(T, Spelling.substr(1))));
  return SymValue::scalar(Value::constant(T, Spelling));
}

SymValue Executor::constantValue(const llvm::Constant &C) {
  if (const auto *I = llvm::dyn_cast<llvm::ConstantInt>(&C)) {
    unsigned Width = I->getBitWidth();
    if (Width == 1)
      return SymValue::boolean(BoolExpr::constant(I->isOne()));
    if (Width > 64)
      return unknown(DiagID::UnsupportedExpression,
                     "an integer of more than 64 bits");
    return SymValue::exact(IntExpr(I->getSExtValue()), Width);
  }
  if (const auto *F = llvm::dyn_cast<llvm::ConstantFP>(&C)) {
    if (C.getType()->isFloatTy())
      return floatConstant(F->getValueAPF(), ScalarType::F32);
    if (C.getType()->isDoubleTy())
      return floatConstant(F->getValueAPF(), ScalarType::F64);
    if (C.getType()->isHalfTy())
      return floatConstant(F->getValueAPF(), ScalarType::F16);
    if (C.getType()->isBFloatTy())
      return floatConstant(F->getValueAPF(), ScalarType::BF16);
    return unknown(DiagID::UnsupportedType, "a type that is not supported");
  }
  if (llvm::isa<llvm::ConstantPointerNull>(C))
    return SymValue::pointer("", IntExpr());
  if (llvm::isa<llvm::UndefValue>(C)) {
    if (auto *T = llvm::dyn_cast<llvm::StructType>(C.getType())) {
      std::vector<SymValue> Fields;
      for (llvm::Type *Member : T->elements())
        Fields.push_back(
            Member->isAggregateType()
                ? constantValue(*llvm::UndefValue::get(Member))
                : notSet(Member,
                         unknown(DiagID::UnsupportedExpression,
                                 "a member is used without having been set")));
      return SymValue::aggregate(std::move(Fields));
    }
    const SymValue Not = unknown(DiagID::UnsupportedExpression,
                                 "a value is used without having been set");
    if (auto *T = llvm::dyn_cast<llvm::FixedVectorType>(C.getType()))
      return SymValue::aggregate(std::vector<SymValue>(
          T->getNumElements(), notSet(T->getElementType(), Not)));
    if (auto *T = llvm::dyn_cast<llvm::ArrayType>(C.getType());
        T && T->getNumElements() <= 4096)
      return SymValue::aggregate(std::vector<SymValue>(
          T->getNumElements(),
          constantValue(*llvm::UndefValue::get(T->getElementType()))));
    return notSet(C.getType(), Not);
  }
  if (const auto *G = llvm::dyn_cast<llvm::GlobalVariable>(&C)) {
    if (G->getAddressSpace() == 3 && !Module.isHeaderVariable(*G))
      return SymValue::pointer(sharedName(*G), IntExpr());
    return SymValue::pointer("@" + G->getName().str(), IntExpr());
  }
  if (const auto *E = llvm::dyn_cast<llvm::ConstantExpr>(&C)) {
    if (E->getOpcode() == llvm::Instruction::AddrSpaceCast)
      return constantValue(*E->getOperand(0));
    // The integer value of the address of a shared array.
    if (E->getOpcode() == llvm::Instruction::PtrToInt ||
        E->getOpcode() == llvm::Instruction::Trunc) {
      SymValue P = constantValue(*E->getOperand(0));
      if (P.is(VK::Pointer) && isAddress(P, E->getType()->getIntegerBitWidth()))
        return P;
    }
    if (const auto *GEP = llvm::dyn_cast<llvm::GEPOperator>(E))
      return addressOf(*GEP, valueOf(GEP->getPointerOperand()));
    return unknown(DiagID::UnsupportedExpression,
                   "this constant is not understood");
  }
  if (C.getType()->isAggregateType() || C.getType()->isVectorTy()) {
    unsigned Count =
        C.getType()->isVectorTy()
            ? llvm::cast<llvm::FixedVectorType>(C.getType())->getNumElements()
        : C.getType()->isArrayTy() ? C.getType()->getArrayNumElements()
                                   : C.getType()->getStructNumElements();
    if (Count > 4096)
      return unknown(DiagID::TooComplex, "a constant of too many elements");
    std::vector<SymValue> Fields;
    for (unsigned N = 0; N < Count; ++N) {
      const llvm::Constant *Element = C.getAggregateElement(N);
      if (!Element)
        return unknown(DiagID::UnsupportedExpression,
                       "this constant is not understood");
      Fields.push_back(constantValue(*Element));
    }
    return SymValue::aggregate(std::move(Fields));
  }
  return unknown(DiagID::UnsupportedExpression,
                 "this constant is not understood");
}

} // namespace warpwright::symbolic
