//===-- Expressions.cpp - Symbolic evaluation of expressions --------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Interpreter.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

static ValueRef at(ValueRef V, SourceLocation Loc, const ASTContext &C) {
  if (V->Loc)
    return V;
  auto R = std::make_shared<Value>(*V);
  R->Loc = Loc.getRawEncoding();
  R->Line = C.getSourceManager().getExpansionLineNumber(Loc);
  return R;
}

BoolExpr Interpreter::toBool(const SymValue &V, SourceLocation Loc) {
  switch (V.K) {
  case VK::Bool:
    return V.B;
  case VK::Int:
    return BoolExpr::compare(CmpOp::NE, V.I, 0);
  case VK::Scalar:
    return BoolExpr::floatCompare(CmpOp::NE, V.S,
                                  Value::integer(V.Type, IntExpr()));
  case VK::Pointer:
    if (V.Array.empty())
      return BoolExpr::constant(false);
    if (V.Array[0] == '@' || V.Array[0] == '#')
      return BoolExpr::constant(true);
    if (V.I.isZero())
      return BoolExpr::nonNull(V.Array);
    break;
  case VK::Unknown:
    fail(V.ReasonID, V.ReasonLoc.isValid() ? V.ReasonLoc : Loc, V.Reason);
    return BoolExpr::constant(false);
  default:
    break;
  }
  fail(DiagID::UnsupportedExpression, Loc, "this condition is not understood");
  return BoolExpr::constant(false);
}

SymValue Interpreter::zero(QualType T, SourceLocation Loc) {
  if (auto ST = scalarType(T)) {
    if (isFloating(*ST))
      return SymValue::scalar(Value::integer(*ST, IntExpr()));
    if (*ST == ScalarType::Bool)
      return SymValue::boolean(BoolExpr::constant(false));
    return SymValue::integer(IntExpr(), *ST);
  }
  if (T->isPointerType())
    return SymValue::pointer("", ScalarType::F32, IntExpr());
  return SymValue::unknown(DiagID::UnsupportedType, Loc,
                           "this type is not supported");
}

SymValue Interpreter::foldConstant(const Expr *E) {
  Expr::EvalResult R;
  if (E->isValueDependent() || !E->EvaluateAsRValue(R, Context) ||
      R.HasSideEffects)
    return {};
  auto ST = scalarType(E->getType());
  if (!ST)
    return {};
  if (R.Val.isInt()) {
    if (*ST == ScalarType::Bool)
      return SymValue::boolean(BoolExpr::constant(R.Val.getInt() != 0));
    auto I = R.Val.getInt().tryExtValue();
    if (!I && R.Val.getInt().isUnsigned() &&
        R.Val.getInt().getActiveBits() < 64)
      I = static_cast<int64_t>(R.Val.getInt().getZExtValue());
    if (I)
      return SymValue::integer(IntExpr(*I), *ST);
  }
  if (R.Val.isFloat()) {
    llvm::SmallString<32> Text;
    R.Val.getFloat().toString(Text);
    std::string S(Text.str());
    if (S.find_first_of(".eEn") == std::string::npos)
      S += ".0";
    if (*ST == ScalarType::F32)
      S += "f";
    if (R.Val.getFloat().isFinite())
      return SymValue::scalar(Value::constant(*ST, S));
  }
  return {};
}

int Interpreter::specialKind(const Expr *Base) {
  Base = Base->IgnoreParenImpCasts();
  if (const auto *O = dyn_cast<OpaqueValueExpr>(Base))
    if (O->getSourceExpr())
      Base = O->getSourceExpr()->IgnoreParenImpCasts();
  const auto *D = dyn_cast<DeclRefExpr>(Base);
  if (!D || !isa<VarDecl>(D->getDecl()) ||
      !cast<VarDecl>(D->getDecl())->isFileVarDecl())
    return -1;
  return llvm::StringSwitch<int>(D->getDecl()->getName())
      .Case("threadIdx", static_cast<int>(AtomKind::ThreadIdx))
      .Case("blockIdx", static_cast<int>(AtomKind::BlockIdx))
      .Case("blockDim", static_cast<int>(AtomKind::BlockDim))
      .Case("gridDim", static_cast<int>(AtomKind::GridDim))
      .Default(-1);
}

SymValue Interpreter::specialRegister(const Expr *Base,
                                      llvm::StringRef Member) {
  int Kind = specialKind(Base);
  if (Kind < 0 || Member.size() != 1 || Member[0] < 'x' || Member[0] > 'z')
    return {};
  return SymValue::integer(
      IntExpr::special(static_cast<AtomKind>(Kind), Member[0] - 'x'),
      ScalarType::U32);
}

SymValue Interpreter::specialTriple(const Expr *Base) {
  SymValue V;
  V.K = VK::Struct;
  for (llvm::StringRef Member : {"x", "y", "z"})
    V.Fields.push_back(specialRegister(Base, Member));
  return V;
}

/// Number of scalars in one element that a pointer of type \p T steps over.
static std::optional<int64_t> stepOf(ASTContext &C, QualType Pointee,
                                     std::optional<int64_t> Lanes) {
  if (const auto *A = C.getAsConstantArrayType(Pointee))
    return static_cast<int64_t>(C.getConstantArrayElementCount(A));
  return Lanes;
}

LValue Interpreter::evalLValue(const Expr *E) {
  LValue L;
  if (Failed)
    return L;
  E = E->IgnoreParens();
  auto Unknown = [&](DiagID ID, llvm::Twine Why) {
    L.K = LValue::Kind::Temporary;
    L.Temporary = SymValue::unknown(ID, E->getExprLoc(), Why);
    return L;
  };
  auto ThroughPointer = [&](SymValue P) {
    L.K = LValue::Kind::Memory;
    L.Pointer = std::move(P);
    return L;
  };
  if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
    if (const auto *V = dyn_cast<VarDecl>(D->getDecl())) {
      if (LValue *Known = findVariable(V))
        return *Known;
      if (specialKind(D) >= 0) {
        L.K = LValue::Kind::Temporary;
        L.Temporary = specialTriple(D);
        return L;
      }
      L.K = LValue::Kind::Temporary;
      L.Temporary = foldConstant(E);
      if (!L.Temporary.is(VK::Unknown))
        return L;
      return Unknown(DiagID::UnsupportedExpression,
                     "'" + V->getName() +
                         "' is neither a parameter nor a variable of the "
                         "kernel");
    }
    L.K = LValue::Kind::Temporary;
    L.Temporary = foldConstant(E);
    return L;
  }
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    SymValue Special =
        specialRegister(M->getBase(), M->getMemberDecl()->getName());
    if (!Special.is(VK::Unknown)) {
      L.K = LValue::Kind::Temporary;
      L.Temporary = Special;
      return L;
    }
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    if (!F)
      return Unknown(DiagID::UnsupportedExpression,
                     "this member is not understood");
    LValue Base;
    bool IsVector =
        vectorType(Context.getCanonicalTagType(F->getParent())).has_value();
    if (M->isArrow()) {
      if (isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts()) &&
          Frames.back().This)
        Base = *Frames.back().This;
      else if (IsVector)
        Base = ThroughPointer(eval(M->getBase()));
      else
        return Unknown(DiagID::UnsupportedExpression,
                       "a member of something that a pointer points to");
    } else if (M->getBase()->isGLValue()) {
      Base = evalLValue(M->getBase());
    } else {
      Base.K = LValue::Kind::Temporary;
      Base.Temporary = eval(M->getBase());
    }
    if (Base.K == LValue::Kind::Cell) {
      Base.Path.push_back(F->getFieldIndex());
      return Base;
    }
    if (Base.K == LValue::Kind::Memory && IsVector) {
      Base.Pointer.I = Base.Pointer.I + IntExpr(F->getFieldIndex());
      return Base;
    }
    if (Base.K == LValue::Kind::Temporary) {
      if (Base.Temporary.is(VK::Struct) &&
          F->getFieldIndex() < Base.Temporary.Fields.size()) {
        SymValue Field = Base.Temporary.Fields[F->getFieldIndex()];
        Base.Temporary = std::move(Field);
        return Base;
      }
      if (Base.Temporary.is(VK::Unknown))
        return Base;
    }
    return Unknown(DiagID::UnsupportedExpression,
                   "this member is not understood");
  }
  if (const auto *A = dyn_cast<ArraySubscriptExpr>(E)) {
    SymValue P = eval(A->getBase());
    SymValue I = eval(A->getIdx());
    if (Failed)
      return L;
    return ThroughPointer(
        arithmetic(BO_Add, P, I, A->getBase()->getType(), A->getExprLoc()));
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Deref)
      return ThroughPointer(eval(U->getSubExpr()));
    if (U->isPrefix() && U->isIncrementDecrementOp()) {
      incDec(U->getSubExpr(), U->isIncrementOp() ? 1 : -1, true);
      return evalLValue(U->getSubExpr());
    }
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    if (B->isAssignmentOp()) {
      evalBinary(*B);
      return evalLValue(B->getLHS());
    }
    if (B->getOpcode() == BO_Comma) {
      eval(B->getLHS());
      return evalLValue(B->getRHS());
    }
  }
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    if (C->getCastKind() == CK_NoOp || C->getCastKind() == CK_LValueBitCast) {
      if (C->getCastKind() == CK_NoOp ||
          scalarType(C->getType()) == scalarType(C->getSubExpr()->getType()))
        return evalLValue(C->getSubExpr());
      LValue Object = evalLValue(C->getSubExpr());
      if (Object.K == LValue::Kind::Memory &&
          elementType(C->getType()) == Object.Pointer.Type)
        return Object;
      return Unknown(DiagID::UnsupportedType,
                     "an object is reinterpreted as another type");
    }
  }
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return newCell(eval(M->getSubExpr()));
  if (const auto *C = dyn_cast<ExprWithCleanups>(E))
    return evalLValue(C->getSubExpr());
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return evalLValue(S->getReplacement());
  if (isa<CXXOperatorCallExpr>(E)) {
    const auto *Call = cast<CXXOperatorCallExpr>(E);
    // Assignment operators of half types give the left side back.
    if (Call->isAssignmentOp() && isHalfClass(Call->getArg(0)->getType())) {
      evalOperatorCall(*Call);
      return evalLValue(Call->getArg(0));
    }
  }
  if (const auto *Call = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *F = Call->getDirectCallee();
    if (F && F->getReturnType()->isReferenceType()) {
      std::optional<LValue> This;
      llvm::SmallVector<const Expr *, 8> Args(Call->arguments());
      if (const auto *M = dyn_cast<CXXMemberCallExpr>(Call)) {
        if (M->getImplicitObjectArgument())
          This = M->getImplicitObjectArgument()->isGLValue()
                     ? evalLValue(M->getImplicitObjectArgument())
                     : LValue();
      } else if (isa<CXXOperatorCallExpr>(Call) && isa<CXXMethodDecl>(F)) {
        This = evalLValue(Args.front());
        Args.erase(Args.begin());
      }
      LValue Result;
      inlineCall(*F, Args, This, Call->getExprLoc(), &Result);
      return Result;
    }
  }
  if (E->isPRValue()) {
    L.K = LValue::Kind::Temporary;
    L.Temporary = eval(E);
    return L;
  }
  return Unknown(DiagID::UnsupportedExpression,
                 "this expression is not understood");
}

SymValue Interpreter::convert(const SymValue &V, QualType To,
                              SourceLocation Loc) {
  if (V.is(VK::Unknown))
    return V;
  auto ST = scalarType(To);
  if (!ST)
    return V;
  if (*ST == ScalarType::Bool)
    return SymValue::boolean(toBool(V, Loc));
  switch (V.K) {
  case VK::Bool: {
    IntExpr I = IntExpr::select(V.B, IntExpr(1), IntExpr(0));
    if (isFloating(*ST))
      return SymValue::scalar(Value::select(V.B,
                                            Value::integer(*ST, IntExpr(1)),
                                            Value::integer(*ST, IntExpr())));
    return SymValue::integer(I, *ST);
  }
  case VK::Int: {
    if (isFloating(*ST))
      return SymValue::scalar(at(Value::integer(*ST, V.I), Loc, Context));
    if (byteSize(*ST) < 4 && !V.I.getConstant())
      return SymValue::unknown(DiagID::IndexNotAffine, Loc,
                               "an index is cut to fewer than 32 bits");
    SymValue R = V;
    R.Type = *ST;
    if (byteSize(*ST) == 8 && byteSize(V.Type) < 8) {
      // Coordinates fit 32 bits (the launcher checks extents); what is
      // computed from here on has 64.
      R.Narrow = R.NarrowUnsigned = false;
    }
    return R;
  }
  case VK::Scalar:
    if (!isFloating(*ST) && isFloating(V.Type))
      return SymValue::scalar(
          Value::call(*ST, "static_cast<" + To.getAsString() + ">", {V.S}));
    return SymValue::scalar(at(Value::cast(*ST, V.S), Loc, Context));
  default:
    return SymValue::unknown(DiagID::UnsupportedExpression, Loc,
                             "this conversion is not understood");
  }
}

SymValue Interpreter::evalCast(const CastExpr &E) {
  const Expr *Sub = E.getSubExpr();
  SourceLocation Loc = E.getExprLoc();
  switch (E.getCastKind()) {
  case CK_LValueToRValue:
    // One of two objects, of which only the value is wanted.
    if (isa<ConditionalOperator>(Sub->IgnoreParens()))
      return eval(Sub);
    return load(evalLValue(Sub), Loc, Sub->getType());
  case CK_ArrayToPointerDecay: {
    // A local array's cell holds the pointer to its memory; an element of a
    // multi-dimensional one is an address already.
    LValue L = evalLValue(Sub);
    if (L.K == LValue::Kind::Memory)
      return L.Pointer;
    return load(L, Loc);
  }
  case CK_NullToPointer:
    return SymValue::pointer("", ScalarType::F32, IntExpr());
  case CK_NoOp:
  case CK_UserDefinedConversion:
  case CK_ConstructorConversion:
    if (Sub->isGLValue() && !E.isGLValue())
      return load(evalLValue(Sub), Loc, Sub->getType());
    return eval(Sub);
  case CK_IntegralCast:
  case CK_IntegralToBoolean:
  case CK_IntegralToFloating:
  case CK_BooleanToSignedIntegral:
  case CK_FloatingCast:
  case CK_FloatingToBoolean:
  case CK_FloatingToIntegral:
  case CK_PointerToBoolean: {
    SymValue V = eval(Sub);
    return Failed ? SymValue() : convert(V, E.getType(), Loc);
  }
  case CK_BitCast: {
    SymValue V = eval(Sub);
    const auto *P = E.getType()->getAs<PointerType>();
    auto Elem = P ? elementType(P->getPointeeType()) : std::nullopt;
    if (V.is(VK::Pointer) && Elem && *Elem == V.Type)
      return V;
    return SymValue::unknown(DiagID::UnsupportedType, Loc,
                             "memory is accessed as another type than it is "
                             "declared with");
  }
  case CK_ToVoid:
    eval(Sub);
    return {};
  case CK_FunctionToPointerDecay:
  default:
    break;
  }
  return SymValue::unknown(DiagID::UnsupportedExpression, Loc,
                           "this conversion is not understood");
}

SymValue Interpreter::arithmetic(BinaryOperatorKind Op, const SymValue &L,
                                 const SymValue &R, QualType ResultType,
                                 SourceLocation Loc) {
  if (L.is(VK::Unknown))
    return L;
  if (R.is(VK::Unknown))
    return R;
  auto Unknown = [&](DiagID ID, llvm::Twine Why) {
    return SymValue::unknown(ID, Loc, Why);
  };
  // Pointers.
  if (L.is(VK::Pointer) || R.is(VK::Pointer)) {
    if (Op == BO_Add && !L.is(VK::Pointer))
      return arithmetic(Op, R, L, ResultType, Loc);
    if (R.is(VK::Pointer)) {
      if (Op == BO_Sub && L.Array == R.Array)
        return SymValue::integer(L.I - R.I, ScalarType::I64);
      return Unknown(DiagID::UnsupportedExpression,
                     "this pointer arithmetic is not understood");
    }
    if (R.is(VK::Scalar))
      return Unknown(DiagID::IndexNotAffine,
                     "an element is addressed by a value that was loaded or "
                     "computed in floating point");
    QualType Pointee = ResultType->getPointeeType();
    std::optional<int64_t> Lanes, Step;
    if (!Pointee.isNull()) {
      if (scalarType(Pointee))
        Lanes = 1;
      else if (auto V = vectorType(Pointee))
        Lanes = V->Lanes;
      Step = stepOf(Context, Pointee, Lanes);
    }
    if ((Op != BO_Add && Op != BO_Sub) || !R.is(VK::Int) || !Step)
      return Unknown(DiagID::UnsupportedExpression,
                     "this pointer arithmetic is not understood");
    SymValue P = L;
    P.I = Op == BO_Add ? L.I + R.I * *Step : L.I - R.I * *Step;
    if (R.Narrow) {
      P.NarrowUnsigned =
          P.Narrow ? P.NarrowUnsigned && R.NarrowUnsigned : R.NarrowUnsigned;
      P.Narrow = true;
    }
    return P;
  }
  auto ST = scalarType(ResultType);
  if (!ST)
    return Unknown(DiagID::UnsupportedType, "this type is not supported");
  auto AsScalar = [&](const SymValue &V) -> ValueRef {
    if (V.is(VK::Scalar))
      return V.S;
    if (V.is(VK::Int))
      return Value::integer(*ST, V.I);
    return Value::select(V.B, Value::integer(*ST, IntExpr(1)),
                         Value::integer(*ST, IntExpr()));
  };
  if (L.is(VK::Scalar) || R.is(VK::Scalar)) {
    Value::Kind K;
    switch (Op) {
    case BO_Add:
      K = Value::Kind::Add;
      break;
    case BO_Sub:
      K = Value::Kind::Sub;
      break;
    case BO_Mul:
      K = Value::Kind::Mul;
      break;
    case BO_Div:
      if (isFloating(*ST)) {
        K = Value::Kind::Div;
        break;
      }
      [[fallthrough]];
    default:
      return Unknown(DiagID::UnsupportedExpression,
                     "this operation on loaded integers is not understood");
    }
    return SymValue::scalar(
        at(Value::binary(K, *ST, AsScalar(L), AsScalar(R)), Loc, Context));
  }
  auto AsInt = [](const SymValue &V) {
    return V.is(VK::Bool) ? IntExpr::select(V.B, IntExpr(1), IntExpr(0)) : V.I;
  };
  if ((!L.is(VK::Int) && !L.is(VK::Bool)) ||
      (!R.is(VK::Int) && !R.is(VK::Bool)))
    return Unknown(DiagID::UnsupportedExpression,
                   "this operation is not understood");
  IntExpr A = AsInt(L), B = AsInt(R), E;
  switch (Op) {
  case BO_Add:
    E = A + B;
    break;
  case BO_Sub:
    E = A - B;
    break;
  case BO_Mul:
    E = A * B;
    break;
  case BO_Shl:
    if (auto C = B.getConstant(); C && *C >= 0 && *C < 62) {
      E = A * IntExpr(int64_t(1) << *C);
      break;
    }
    return Unknown(DiagID::IndexNotAffine, "a shift by an unknown amount");
  case BO_Shr:
  case BO_Div:
  case BO_Rem:
  case BO_And: {
    IntExpr D = B;
    auto C = B.getConstant();
    if (Op == BO_Shr) {
      if (!C || *C < 0 || *C >= 62)
        return Unknown(DiagID::IndexNotAffine, "a shift by an unknown amount");
      D = IntExpr(int64_t(1) << *C);
    } else if (Op == BO_And) {
      // x & (2^n - 1) is x mod 2^n.
      if (!C || *C < 0 || ((*C + 1) & *C) != 0)
        return Unknown(DiagID::IndexNotAffine,
                       "'&' with something that is not 2^n - 1");
      D = IntExpr(*C + 1);
    }
    // C++ rounds toward zero, floordiv down: the same from zero on.
    if (!positive(D) || !nonNegative(A))
      return Unknown(DiagID::IndexNotAffine,
                     "a division whose operands may be negative");
    E = Op == BO_Rem || Op == BO_And ? IntExpr::mod(A, D)
                                     : IntExpr::floorDiv(A, D);
    break;
  }
  default:
    return Unknown(DiagID::IndexNotAffine,
                   "this integer operation is not affine");
  }
  SymValue V = SymValue::integer(E, *ST);
  bool Trivial = A.getConstant() && B.getConstant();
  if (byteSize(*ST) < 8 && !Trivial) {
    V.Narrow = true;
    V.NarrowUnsigned = *ST == ScalarType::U32;
  } else {
    V.Narrow = L.Narrow || R.Narrow;
    V.NarrowUnsigned =
        (!L.Narrow || L.NarrowUnsigned) && (!R.Narrow || R.NarrowUnsigned);
  }
  return V;
}

SymValue Interpreter::evalConditional(const Expr *Cond, const Expr *A,
                                      const Expr *B) {
  SymValue C = eval(Cond);
  if (Failed || C.is(VK::Unknown))
    return C;
  BoolExpr Test = toBool(C, Cond->getExprLoc());
  if (Test.isTrue() || implies(S.Active, Test))
    return eval(A);
  if (Test.isFalse() || implies(S.Active, BoolExpr::negation(Test)))
    return eval(B);
  State Before = S;
  S.Active = BoolExpr::conjunction(Before.Active, Test);
  SymValue VA = eval(A);
  State Then = std::move(S);
  S = Before;
  S.Active = BoolExpr::conjunction(Before.Active, BoolExpr::negation(Test));
  SymValue VB = eval(B);
  if (Failed)
    return {};
  S = merge(Test, std::move(Then), std::move(S), Before);
  SymValue V = select(Test, VA, VB);
  if (V.S)
    V.S = at(V.S, Cond->getExprLoc(), Context);
  return V;
}

SymValue Interpreter::evalInitList(const InitListExpr &E) {
  if (const auto *R = E.getType()->getAsCXXRecordDecl();
      R && !isHalfClass(E.getType())) {
    SymValue V;
    V.K = VK::Struct;
    if (R->getNumBases() || R->isUnion())
      return SymValue::unknown(DiagID::UnsupportedType, E.getExprLoc(),
                               "this type is not supported");
    for (const Expr *Init : E.inits())
      V.Fields.push_back(eval(Init));
    return V;
  }
  if (E.getNumInits() == 0)
    return zero(E.getType(), E.getExprLoc());
  if (E.getNumInits() == 1)
    return eval(E.getInit(0));
  return SymValue::unknown(DiagID::UnsupportedExpression, E.getExprLoc(),
                           "this initialiser is not understood");
}

SymValue Interpreter::eval(const Expr *E) {
  if (Failed || !E)
    return {};
  E = E->IgnoreParens();
  SourceLocation Loc = E->getExprLoc();
  if (const auto *C = dyn_cast<ExprWithCleanups>(E))
    return eval(C->getSubExpr());
  if (const auto *C = dyn_cast<ConstantExpr>(E))
    return eval(C->getSubExpr());
  if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
    return eval(M->getSubExpr());
  if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E))
    return eval(B->getSubExpr());
  if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
    return eval(D->getExpr());
  if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
    return eval(D->getExpr());
  if (const auto *T = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return eval(T->getReplacement());
  if (const auto *P = dyn_cast<PseudoObjectExpr>(E)) {
    // threadIdx.x is a property in Clang's CUDA headers.
    if (const auto *M = dyn_cast<MSPropertyRefExpr>(P->getSyntacticForm())) {
      SymValue V =
          specialRegister(M->getBaseExpr(), M->getPropertyDecl()->getName());
      if (!V.is(VK::Unknown))
        return V;
    }
    return SymValue::unknown(DiagID::UnsupportedExpression, Loc,
                             "this property is not understood");
  }
  if (const auto *C = dyn_cast<CastExpr>(E))
    return evalCast(*C);
  if (const auto *I = dyn_cast<IntegerLiteral>(E)) {
    auto V = I->getValue().tryZExtValue();
    if (V && *V <= static_cast<uint64_t>(INT64_MAX))
      return SymValue::integer(
          IntExpr(static_cast<int64_t>(*V)),
          scalarType(E->getType()).value_or(ScalarType::I32));
    return SymValue::unknown(DiagID::UnsupportedExpression, Loc,
                             "this number is too large");
  }
  if (const auto *F = dyn_cast<FloatingLiteral>(E)) {
    // As the user wrote it, when it stands in a file as one token.
    SymValue V = foldConstant(F);
    return V;
  }
  if (const auto *B = dyn_cast<CXXBoolLiteralExpr>(E))
    return SymValue::boolean(BoolExpr::constant(B->getValue()));
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr>(E))
    return SymValue::pointer("", ScalarType::F32, IntExpr());
  if (isa<UnaryExprOrTypeTraitExpr, CharacterLiteral, TypeTraitExpr,
          SizeOfPackExpr>(E))
    return foldConstant(E);
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    if (U->getOpcode() == UO_Deref)
      return load(evalLValue(E), Loc, E->getType());
    return evalUnary(*U);
  }
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return evalBinary(*B);
  if (const auto *C = dyn_cast<ConditionalOperator>(E))
    return evalConditional(C->getCond(), C->getTrueExpr(), C->getFalseExpr());
  if (const auto *C = dyn_cast<CXXOperatorCallExpr>(E))
    return evalOperatorCall(*C);
  if (const auto *C = dyn_cast<CallExpr>(E))
    return evalCall(*C);
  if (const auto *C = dyn_cast<CXXConstructExpr>(E))
    return evalConstruct(*C);
  if (const auto *L = dyn_cast<InitListExpr>(E))
    return evalInitList(*L);
  if (isa<CXXScalarValueInitExpr, ImplicitValueInitExpr>(E))
    return zero(E->getType(), Loc);
  if (const auto *L = dyn_cast<LambdaExpr>(E)) {
    auto C = std::make_shared<Closure>();
    C->Expr = L;
    for (const LambdaCapture &Cap : L->captures()) {
      if (!Cap.capturesVariable())
        return SymValue::unknown(DiagID::CallNotInlined, Loc,
                                 "this lambda captures something that is not "
                                 "understood");
      const auto *V = dyn_cast<VarDecl>(Cap.getCapturedVar());
      LValue *Known = V ? findVariable(V) : nullptr;
      if (!Known)
        continue; // a constant
      C->Captures[V] = Cap.getCaptureKind() == LCK_ByCopy
                           ? newCell(load(*Known, Loc))
                           : *Known;
    }
    SymValue V;
    V.K = VK::Lambda;
    V.L = std::move(C);
    return V;
  }
  if (E->isGLValue())
    return load(evalLValue(E), Loc, E->getType());
  if (isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr>(E))
    return load(evalLValue(E), Loc, E->getType());
  return SymValue::unknown(DiagID::UnsupportedExpression, Loc,
                           "this expression is not understood");
}

std::optional<BoolExpr> Interpreter::translateCondition(const Expr &E) {
  // Parameters are bound by position: a pragma on a declaration names those of
  // another FunctionDecl.
  struct Binder {
    Interpreter &I;
    void visit(const Stmt *St) {
      if (!St)
        return;
      if (const auto *D = dyn_cast<DeclRefExpr>(St))
        if (const auto *P = dyn_cast<ParmVarDecl>(D->getDecl())) {
          unsigned N = P->getFunctionScopeIndex();
          if (N < I.Kernel.getNumParams())
            if (LValue *L = I.findVariable(I.Kernel.getParamDecl(N))) {
              LValue Copy = *L;
              I.Frames.back().Vars[P] = Copy;
            }
        }
      for (const Stmt *Child : St->children())
        visit(Child);
    }
  };
  Interpreter Fresh(Context, Kernel);
  Fresh.Frames.emplace_back();
  for (const ParmVarDecl *P : Kernel.parameters()) {
    LValue L = Fresh.newCell(Fresh.parameter(P->getType(), P->getName().str(),
                                             false, P->getLocation()));
    Fresh.Frames.back().Vars[P] = L;
  }
  Binder{Fresh}.visit(&E);
  SymValue V = Fresh.eval(&E);
  if (Fresh.Failed || V.is(VK::Unknown))
    return std::nullopt;
  BoolExpr B = Fresh.toBool(V, E.getExprLoc());
  bool HasValues = false;
  B.walk([](const IntExpr &) {}, [&](const ValueRef &) { HasValues = true; });
  if (Fresh.Failed || HasValues)
    return std::nullopt;
  return B;
}

} // namespace warpwright::symbolic
