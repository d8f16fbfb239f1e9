//===-- Calls.cpp - Symbolic evaluation of calls --------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Functions of the program are executed in place. A function over scalars is
/// also remembered as a call, so that an epilogue can be printed the way the
/// user wrote it. Math functions stay calls; the intrinsics that matter for
/// arithmetic and memory are known by name.
///
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

static constexpr unsigned MaxCallDepth = 48;

std::string Interpreter::callee(const FunctionDecl &F) const {
  PrintingPolicy Policy(Context.getPrintingPolicy());
  Policy.SuppressUnwrittenScope = true;
  std::string Name;
  llvm::raw_string_ostream OS(Name);
  bool System = Context.getSourceManager().isInSystemHeader(F.getLocation());
  // A template from a library: its arguments are deduced again.
  if (System)
    F.printQualifiedName(OS, Policy);
  else
    F.getNameForDiagnostic(OS, Policy, /*Qualified=*/true);
  return Name;
}

/// Statements that a function without side effects consists of.
static bool isPureStatement(const Stmt *St,
                            llvm::function_ref<bool(const FunctionDecl &)> F) {
  if (!St)
    return true;
  if (isa<AsmStmt, CXXThisExpr, CXXNewExpr, CXXDeleteExpr, ArraySubscriptExpr,
          CXXThrowExpr, LambdaExpr>(St))
    return false;
  if (const auto *U = dyn_cast<UnaryOperator>(St))
    if (U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf)
      return false;
  if (const auto *D = dyn_cast<DeclRefExpr>(St))
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl()))
      if (V->hasGlobalStorage() && !V->isConstexpr() &&
          !V->getType().isConstQualified())
        return false;
  if (const auto *D = dyn_cast<DeclStmt>(St))
    for (const Decl *X : D->decls())
      if (const auto *V = dyn_cast<VarDecl>(X))
        if (V->isStaticLocal() && !V->isConstexpr())
          return false;
  if (const auto *C = dyn_cast<CallExpr>(St)) {
    const FunctionDecl *Callee = C->getDirectCallee();
    if (!Callee || !F(*Callee))
      return false;
  }
  return llvm::all_of(St->children(),
                      [&](const Stmt *C) { return isPureStatement(C, F); });
}

bool Interpreter::isPure(const FunctionDecl &F, unsigned Depth) const {
  if (Depth > MaxCallDepth)
    return false;
  auto IsScalar = [&](QualType T) {
    if (const auto *R = T->getAs<ReferenceType>()) {
      if (!R->getPointeeType().isConstQualified())
        return false;
      T = R->getPointeeType();
    }
    return scalarType(T).has_value();
  };
  if (F.getNumParams() == 0 ||
      !scalarType(F.getReturnType().getNonReferenceType()))
    return false;
  for (const ParmVarDecl *P : F.parameters())
    if (!IsScalar(P->getType()))
      return false;
  if (F.isVariadic())
    return false;
  if (const auto *M = dyn_cast<CXXMethodDecl>(&F))
    if (M->isInstance() &&
        !isHalfClass(Context.getCanonicalTagType(M->getParent())))
      return false;
  if (Context.getSourceManager().isInSystemHeader(F.getLocation()) ||
      F.getBuiltinID())
    return !F.getName().starts_with("atomic") && F.getName() != "__nanosleep";
  const FunctionDecl *Definition = nullptr;
  if (!F.hasBody(Definition))
    return false;
  return isPureStatement(Definition->getBody(), [&](const FunctionDecl &C) {
    return (C.getDeclName().isIdentifier() || isa<CXXConversionDecl>(C) ||
            C.isOverloadedOperator()) &&
           isPure(C, Depth + 1);
  });
}

SymValue Interpreter::inlineCall(const FunctionDecl &F,
                                 llvm::ArrayRef<const Expr *> Args,
                                 std::optional<LValue> This, SourceLocation Loc,
                                 LValue *ReferenceResult,
                                 const std::shared_ptr<const Closure> &Lambda) {
  const FunctionDecl *Definition = nullptr;
  if (!F.hasBody(Definition) || Definition->isDependentContext())
    return failValue(DiagID::CallNotInlined, Loc,
                     "'" + F.getNameAsString() +
                         "' is called, and its body is not in this file");
  if (Frames.size() >= MaxCallDepth)
    return failValue(DiagID::CallNotInlined, Loc,
                     "'" + F.getNameAsString() +
                         "' calls itself, or calls are "
                         "nested too deep");
  Frame New;
  New.Function = Definition;
  New.This = This;
  New.CallLoc = Loc;
  New.ReturnsReference = Definition->getReturnType()->isReferenceType();
  if (Lambda)
    New.Vars = Lambda->Captures;
  for (unsigned N = 0; N < Definition->getNumParams(); ++N) {
    const ParmVarDecl *P = Definition->getParamDecl(N);
    if (N >= Args.size())
      return failValue(DiagID::CallNotInlined, Loc,
                       "a call with variable arguments");
    LValue L;
    if (P->getType()->isReferenceType() && Args[N]->isGLValue()) {
      L = evalLValue(Args[N]);
      if (L.K == LValue::Kind::None || L.K == LValue::Kind::Temporary)
        L = newCell(load(L, Loc));
    } else {
      L = newCell(eval(Args[N]));
    }
    if (Failed)
      return {};
    New.Vars[P] = L;
  }
  BoolExpr Entry = S.Active;
  Frames.push_back(std::move(New));
  if (const auto *Ctor = dyn_cast<CXXConstructorDecl>(Definition))
    for (const CXXCtorInitializer *I : Ctor->inits()) {
      if (!I->isMemberInitializer() || !This) {
        fail(DiagID::CallNotInlined, Loc, "this constructor is not understood");
        break;
      }
      LValue Member = *This;
      Member.Path.push_back(I->getMember()->getFieldIndex());
      SymValue V = eval(I->getInit());
      if (Failed || !store(Member, V, Loc))
        break;
    }
  bool Ok = !Failed && exec(Definition->getBody());
  Frame Done = std::move(Frames.back());
  Frames.pop_back();
  S.Active = Entry;
  if (!Ok)
    return {};
  if (Done.ReturnsReference) {
    if (Done.ReferenceReturns.size() != 1)
      return failValue(DiagID::CallNotInlined, Loc,
                       "a function that returns different references");
    if (ReferenceResult)
      *ReferenceResult = Done.ReferenceReturns[0].second;
    return load(Done.ReferenceReturns[0].second, Loc);
  }
  if (Done.Returns.empty())
    return {};
  SymValue Result = Done.Returns.back().second;
  for (auto &[Condition, V] :
       llvm::reverse(llvm::ArrayRef(Done.Returns).drop_back()))
    Result = select(withoutConjuncts(Condition, Entry), V, Result);
  return Result;
}

std::optional<SymValue> Interpreter::evalIntrinsic(llvm::StringRef Name,
                                                   const CallExpr &E,
                                                   const FunctionDecl &F) {
  SourceLocation Loc = E.getExprLoc();
  auto Arg = [&](unsigned N) { return eval(E.getArg(N)); };
  unsigned Count = E.getNumArgs();
  enum class Op {
    None,
    Convert,
    Add,
    Sub,
    Mul,
    Div,
    Fma,
    Neg,
    Low,
    High,
    Both,
    Pack,
    Load,
    Store,
    MinMax,
    Barrier,
    Atomic,
    Effect,
    First,
    Nothing
  };
  Op Kind =
      llvm::StringSwitch<Op>(Name)
          .Cases({"__half2float", "__bfloat162float", "__float2half",
                  "__float2half_rn", "__float2bfloat16", "__float2bfloat16_rn",
                  "__double2half", "__double2bfloat16", "__int2half_rn",
                  "__uint2half_rn", "__int2bfloat16_rn", "__uint2bfloat16_rn",
                  "__int2float_rn", "__uint2float_rn"},
                 Op::Convert)
          .Cases({"__hadd", "__hadd_rn", "__fadd_rn", "__dadd_rn"}, Op::Add)
          .Cases({"__hsub", "__hsub_rn", "__fsub_rn", "__dsub_rn"}, Op::Sub)
          .Cases({"__hmul", "__hmul_rn", "__fmul_rn", "__dmul_rn"}, Op::Mul)
          .Cases({"__hdiv", "__fdiv_rn", "__ddiv_rn"}, Op::Div)
          .Cases({"fmaf", "fma", "__fmaf_rn", "__fma_rn", "__hfma"}, Op::Fma)
          .Case("__hneg", Op::Neg)
          .Cases({"__low2float", "__low2half", "__low2bfloat16"}, Op::Low)
          .Cases({"__high2float", "__high2half", "__high2bfloat16"}, Op::High)
          .Cases({"__half22float2", "__bfloat1622float2"}, Op::Both)
          .Cases({"make_float2", "make_float3", "make_float4", "make_half2",
                  "make_bfloat162", "__halves2half2", "__halves2bfloat162"},
                 Op::Pack)
          .Cases({"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldcv", "__ldlu"},
                 Op::Load)
          .Cases({"__stcs", "__stcg", "__stwb", "__stwt"}, Op::Store)
          .Cases({"min", "max"}, Op::MinMax)
          .Cases({"__syncthreads", "__syncwarp", "__threadfence",
                  "__threadfence_block"},
                 Op::Barrier)
          .Cases({"printf", "assert", "__assert_fail", "__assertfail", "__trap",
                  "__brkpt", "__nanosleep"},
                 Op::Effect)
          .Cases({"__builtin_expect", "__builtin_assume_aligned"}, Op::First)
          .Case("__builtin_assume", Op::Nothing)
          .Default(Op::None);
  if (Name.starts_with("atomic") && (Name.size() < 7 || isUppercase(Name[6])))
    Kind = Op::Atomic;
  auto Binary = [&](BinaryOperatorKind B) {
    SymValue L = Arg(0), R = Arg(1);
    return arithmetic(B, L, R, F.getReturnType().getNonReferenceType(), Loc);
  };
  switch (Kind) {
  case Op::None:
    return std::nullopt;
  case Op::Convert:
    return convert(Arg(0), F.getReturnType(), Loc);
  case Op::Add:
    return Binary(BO_Add);
  case Op::Sub:
    return Binary(BO_Sub);
  case Op::Mul:
    return Binary(BO_Mul);
  case Op::Div:
    return Binary(BO_Div);
  case Op::Neg: {
    SymValue V = Arg(0);
    return V.is(VK::Scalar)
               ? SymValue::scalar(Value::unary(Value::Kind::Neg, V.S))
               : V;
  }
  case Op::Fma: {
    if (Count != 3)
      return std::nullopt;
    SymValue V[3];
    ValueRef R[3];
    auto T = scalarType(F.getReturnType());
    for (unsigned N = 0; N < 3; ++N) {
      V[N] = convert(Arg(N), F.getReturnType(), Loc);
      if (!V[N].is(VK::Scalar) || !T)
        return V[N];
      R[N] = V[N].S;
    }
    return SymValue::scalar(Value::fma(*T, R[0], R[1], R[2]));
  }
  case Op::Low:
  case Op::High: {
    SymValue V = Arg(0);
    return V.is(VK::Struct) && V.Fields.size() == 2
               ? convert(V.Fields[Kind == Op::High], F.getReturnType(), Loc)
               : V;
  }
  case Op::Both: {
    SymValue V = Arg(0);
    for (SymValue &Half : V.Fields)
      Half = convert(Half, Context.FloatTy, Loc);
    return V;
  }
  case Op::Pack: {
    auto T = vectorType(F.getReturnType());
    if (!T || T->Lanes != Count)
      return std::nullopt;
    SymValue V;
    V.K = VK::Struct;
    for (unsigned N = 0; N < Count; ++N)
      V.Fields.push_back(convert(
          Arg(N), F.getParamDecl(N)->getType().getNonReferenceType(), Loc));
    return V;
  }
  case Op::Load: {
    if (!elementType(F.getReturnType()))
      return std::nullopt;
    LValue L;
    L.K = LValue::Kind::Memory;
    L.Pointer = Arg(0);
    return Failed ? SymValue() : load(L, Loc, F.getReturnType());
  }
  case Op::Store: {
    SymValue P = Arg(0), V = Arg(1);
    if (!Failed)
      storeElement(P, V, Loc);
    return SymValue();
  }
  case Op::MinMax: {
    auto T = scalarType(F.getReturnType().getNonReferenceType());
    if (Count != 2 || !T || isFloating(*T))
      return std::nullopt;
    SymValue L = Arg(0), R = Arg(1);
    if (!L.is(VK::Int) || !R.is(VK::Int))
      return SymValue::unknown(
          DiagID::UnsupportedExpression, Loc,
          "min or max of something that is not understood");
    return SymValue::integer(
        Name == "min" ? IntExpr::min(L.I, R.I) : IntExpr::max(L.I, R.I), *T);
  }
  case Op::Barrier:
    // Orders memory between threads; a thread here reads only what it wrote.
    return SymValue();
  case Op::Atomic:
    return failValue(DiagID::Atomics, Loc,
                     "'" + Name +
                         "' combines the work of several threads in "
                         "an order that is not fixed");
  case Op::Effect:
    return failValue(DiagID::CallNotInlined, Loc,
                     "'" + Name +
                         "' has an effect that the rewritten kernel "
                         "would not have");
  case Op::First:
    return Arg(0);
  case Op::Nothing:
    return SymValue();
  }
  llvm_unreachable("covered switch");
}

SymValue Interpreter::evalCall(const CallExpr &E) {
  SourceLocation Loc = E.getExprLoc();
  const FunctionDecl *F = E.getDirectCallee();
  if (!F)
    return failValue(DiagID::CallNotInlined, Loc,
                     "a call through a pointer cannot be followed");
  // Conversion operators of half types, and other member functions.
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(&E)) {
    const Expr *Object = M->getImplicitObjectArgument();
    if (isHalfClass(Object->getType().getNonReferenceType()) &&
        isa<CXXConversionDecl>(F)) {
      SymValue V = eval(Object);
      return Failed ? SymValue() : convert(V, F->getReturnType(), Loc);
    }
    // `dim3 block = blockDim;`
    if (specialKind(Object) >= 0 && isa<CXXConversionDecl>(F))
      return specialTriple(Object);
    LValue This;
    if (Object->getType()->isPointerType()) {
      if (isa<CXXThisExpr>(Object->IgnoreParenImpCasts()) && Frames.back().This)
        This = *Frames.back().This;
      else
        return failValue(DiagID::CallNotInlined, Loc,
                         "a member function is called through a pointer");
    } else {
      This = Object->isGLValue() ? evalLValue(Object) : newCell(eval(Object));
    }
    llvm::SmallVector<const Expr *, 8> Args(E.arguments());
    return Failed ? SymValue() : inlineCall(*F, Args, This, Loc, nullptr);
  }
  if (F->getDeclName().isIdentifier())
    if (auto V = evalIntrinsic(F->getName(), E, *F))
      return *V;
  llvm::SmallVector<const Expr *, 8> Args(E.arguments());
  bool System = Context.getSourceManager().isInSystemHeader(F->getLocation());
  bool Pure = isPure(*F);
  QualType Result = F->getReturnType().getNonReferenceType();
  auto ST = scalarType(Result);
  // The call itself, over its evaluated arguments.
  auto AsCall = [&](ValueRef Body) -> SymValue {
    std::vector<ValueRef> Values;
    for (unsigned N = 0; N < F->getNumParams(); ++N) {
      SymValue V = eval(Args[N]);
      QualType PT = F->getParamDecl(N)->getType().getNonReferenceType();
      if (V.is(VK::Int) || V.is(VK::Bool)) {
        auto T = scalarType(PT);
        V = V.is(VK::Int)
                ? SymValue::scalar(Value::integer(*T, V.I))
                : SymValue::scalar(Value::select(V.B, Value::integer(*T, 1),
                                                 Value::integer(*T, 0)));
      }
      if (!V.is(VK::Scalar))
        return V;
      Values.push_back(V.S);
    }
    auto C = std::make_shared<Value>(
        *Value::call(*ST, callee(*F), Values, std::move(Body)));
    C->Loc = Loc.getRawEncoding();
    C->Line = Context.getSourceManager().getExpansionLineNumber(Loc);
    return SymValue::scalar(C);
  };
  if (System && Pure && ST) {
    SymValue V = AsCall(nullptr);
    return V;
  }
  State Before = S;
  size_t Requirements = Requires.size();
  SymValue V = inlineCall(*F, Args, std::nullopt, Loc, nullptr);
  bool Understood = !Failed && !V.is(VK::Unknown);
  if (!Pure || !ST || !isFloating(*ST))
    return V;
  if (!Understood) {
    // Nothing is lost: it computes its result from its arguments alone.
    Failed.reset();
    S = Before;
    Requires.resize(Requirements);
    return AsCall(nullptr);
  }
  if (!V.is(VK::Scalar) || !F->getDeclName().isIdentifier())
    return V;
  // The arguments are evaluated once more for this; what they change must not
  // change twice.
  for (const Expr *A : Args)
    if (A->HasSideEffects(Context, /*IncludePossibleEffects=*/false))
      return V;
  return AsCall(V.S);
}

SymValue Interpreter::evalOperatorCall(const CXXOperatorCallExpr &E) {
  SourceLocation Loc = E.getOperatorLoc();
  const FunctionDecl *F = E.getDirectCallee();
  if (!F)
    return failValue(DiagID::CallNotInlined, Loc,
                     "this operator cannot be followed");
  OverloadedOperatorKind Op = E.getOperator();
  bool Half = llvm::any_of(E.arguments(), [&](const Expr *A) {
    return isHalfClass(A->getType().getNonReferenceType());
  });
  if (Half) {
    QualType HalfType = E.getArg(0)->getType().getNonReferenceType();
    auto Binary = [&](BinaryOperatorKind B) {
      SymValue L = eval(E.getArg(0)), R = eval(E.getArg(1));
      return Failed ? SymValue() : arithmetic(B, L, R, HalfType, Loc);
    };
    auto Assign = [&](std::optional<BinaryOperatorKind> B) -> SymValue {
      SymValue R = eval(E.getArg(1));
      LValue L = evalLValue(E.getArg(0));
      if (Failed)
        return {};
      R = convert(R, HalfType, Loc);
      if (B)
        R = arithmetic(*B, load(L, Loc), R, HalfType, Loc);
      if (Failed || !store(L, R, Loc))
        return {};
      return R;
    };
    auto Compare = [&](BinaryOperatorKind B) {
      SymValue L = eval(E.getArg(0)), R = eval(E.getArg(1));
      return Failed ? SymValue() : compare(B, L, R, Loc);
    };
    switch (Op) {
    case OO_Plus:
      return E.getNumArgs() == 1 ? eval(E.getArg(0)) : Binary(BO_Add);
    case OO_Minus:
      if (E.getNumArgs() == 1) {
        SymValue V = eval(E.getArg(0));
        return V.is(VK::Scalar)
                   ? SymValue::scalar(Value::unary(Value::Kind::Neg, V.S))
                   : V;
      }
      return Binary(BO_Sub);
    case OO_Star:
      return Binary(BO_Mul);
    case OO_Slash:
      return Binary(BO_Div);
    case OO_Equal:
      return Assign(std::nullopt);
    case OO_PlusEqual:
      return Assign(BO_Add);
    case OO_MinusEqual:
      return Assign(BO_Sub);
    case OO_StarEqual:
      return Assign(BO_Mul);
    case OO_SlashEqual:
      return Assign(BO_Div);
    case OO_Less:
      return Compare(BO_LT);
    case OO_Greater:
      return Compare(BO_GT);
    case OO_LessEqual:
      return Compare(BO_LE);
    case OO_GreaterEqual:
      return Compare(BO_GE);
    case OO_EqualEqual:
      return Compare(BO_EQ);
    case OO_ExclaimEqual:
      return Compare(BO_NE);
    default:
      return failValue(DiagID::UnsupportedExpression, Loc,
                       "this operator on half types is not understood");
    }
  }
  llvm::SmallVector<const Expr *, 8> Args(E.arguments());
  if (Op == OO_Call) {
    SymValue Object = eval(Args[0]);
    llvm::ArrayRef<const Expr *> Rest = llvm::ArrayRef(Args).drop_front();
    if (Object.is(VK::Lambda)) {
      auto L = Object.L;
      return inlineCall(*F, Rest, std::nullopt, Loc, nullptr, L);
    }
    LValue This = Args[0]->isGLValue() ? evalLValue(Args[0]) : newCell(Object);
    return Failed ? SymValue() : inlineCall(*F, Rest, This, Loc, nullptr);
  }
  if (const auto *M = dyn_cast<CXXMethodDecl>(F); M && M->isInstance()) {
    LValue This =
        Args[0]->isGLValue() ? evalLValue(Args[0]) : newCell(eval(Args[0]));
    if (Failed)
      return {};
    if (Op == OO_Equal &&
        (M->isTrivial() ||
         isHalf2Class(Context.getCanonicalTagType(M->getParent())))) {
      SymValue V = eval(Args[1]);
      if (!Failed)
        store(This, V, Loc);
      return V;
    }
    return inlineCall(*F, llvm::ArrayRef(Args).drop_front(), This, Loc,
                      nullptr);
  }
  return inlineCall(*F, Args, std::nullopt, Loc, nullptr);
}

SymValue Interpreter::evalConstruct(const CXXConstructExpr &E) {
  QualType T = E.getType();
  SourceLocation Loc = E.getExprLoc();
  const CXXConstructorDecl *Ctor = E.getConstructor();
  if (isHalfClass(T)) {
    if (E.getNumArgs() == 0)
      return E.requiresZeroInitialization()
                 ? zero(T, Loc)
                 : SymValue::unknown(DiagID::UnsupportedExpression, Loc,
                                     "a variable is used without having been "
                                     "set");
    SymValue V = eval(E.getArg(0));
    return Failed ? SymValue() : convert(V, T, Loc);
  }
  if (Ctor->isCopyOrMoveConstructor() &&
      (Ctor->isTrivial() || isHalf2Class(T)) && E.getNumArgs() >= 1)
    return eval(E.getArg(0));
  const CXXRecordDecl *R = Ctor->getParent();
  if (R->isLambda() && E.getNumArgs() == 1)
    return eval(E.getArg(0));
  // dim3 d = blockDim and the like would need the members by name.
  SymValue Object;
  Object.K = VK::Struct;
  for ([[maybe_unused]] const FieldDecl *F : R->fields())
    Object.Fields.push_back(
        SymValue::unknown(DiagID::UnsupportedExpression, Loc,
                          "a member is used without having been set"));
  if (R->getNumBases() || R->isUnion())
    return SymValue::unknown(DiagID::UnsupportedType, Loc,
                             "this type is not supported");
  if (Ctor->isTrivial() && E.getNumArgs() == 0)
    return Object;
  LValue This = newCell(Object);
  llvm::SmallVector<const Expr *, 8> Args(E.arguments());
  inlineCall(*Ctor, Args, This, Loc, nullptr);
  return Failed ? SymValue() : load(This, Loc);
}

} // namespace warpwright::symbolic
