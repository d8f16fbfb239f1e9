//===-- Known.cpp - Functions of the CUDA headers -------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One function for each row of KnownOp. An argument is read as the numbers
/// that its C++ type holds, whether IR passes it in a register, in a struct, or
/// by a pointer to an object.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

/// Argument \p N as C++ counts them; -1 is the object.
llvm::Value *Executor::argument(llvm::CallBase &Call, const FunctionInfo &Info,
                                int N) {
  unsigned At = N + (Info.HasThis ? 1 : 0);
  if (Call.arg_size() && Call.paramHasAttr(0, llvm::Attribute::StructRet))
    ++At;
  return At < Call.arg_size() ? Call.getArgOperand(At) : nullptr;
}

static void flatten(const SymValue &V, std::vector<SymValue> &Out) {
  if (!V.is(VK::Aggregate)) {
    Out.push_back(V);
    return;
  }
  for (const SymValue &F : V.Fields)
    flatten(F, Out);
}

std::vector<SymValue> Executor::argumentNumbers(llvm::CallBase &Call,
                                                const FunctionInfo &Info,
                                                int N) {
  const TypeInfo &T = N < 0 ? Info.This : Info.Params[N];
  llvm::Value *A = argument(Call, Info, N);
  std::vector<SymValue> Lanes;
  if (!A)
    return Lanes;
  SymValue V = valueOf(A);
  if (!A->getType()->isPointerTy()) {
    flatten(V, Lanes);
    return Lanes;
  }
  if (V.is(VK::Unknown))
    return {V};
  // An object: __half by value, or a reference to one.
  for (unsigned L = 0; L < T.Lanes; ++L) {
    SymValue P = V;
    P.I = P.I + IntExpr(static_cast<int64_t>(L * byteSize(T.Element)));
    if (!P.is(VK::Pointer) || P.Array.empty())
      return {unknown(DiagID::UnsupportedExpression,
                      "this address is not understood")};
    Lanes.push_back(
        P.Array[0] == '@'
            ? loadGlobal(P, llvm::Type::getIntNTy(Call.getContext(),
                                                  8 * byteSize(T.Element)))
            : loadPiece(P, byteSize(T.Element)));
    if (Lanes.back().is(VK::Aggregate)) {
      SymValue Only = Lanes.back();
      Lanes.pop_back();
      flatten(Only, Lanes);
    }
  }
  return Lanes;
}

SymValue Executor::packType(llvm::Type *T, std::vector<SymValue> &Lanes,
                            size_t &Next) {
  unsigned Count = 0;
  if (auto *ST = llvm::dyn_cast<llvm::StructType>(T))
    Count = ST->getNumElements();
  else if (T->isArrayTy())
    Count = T->getArrayNumElements();
  else if (auto *VT = llvm::dyn_cast<llvm::FixedVectorType>(T))
    Count = VT->getNumElements();
  else
    return Next < Lanes.size()
               ? Lanes[Next++]
               : unknown(DiagID::UnsupportedExpression,
                         "what this call gives is not understood");
  std::vector<SymValue> Fields;
  for (unsigned N = 0; N < Count; ++N) {
    llvm::Type *Element = T->isStructTy()  ? T->getStructElementType(N)
                          : T->isArrayTy() ? T->getArrayElementType()
                                           : T->getScalarType();
    Fields.push_back(packType(Element, Lanes, Next));
  }
  return SymValue::aggregate(std::move(Fields));
}

SymValue Executor::packResult(llvm::CallBase &Call, const FunctionInfo &Info,
                              std::vector<SymValue> Lanes) {
  if (Call.arg_size() && Call.paramHasAttr(0, llvm::Attribute::StructRet)) {
    SymValue P = valueOf(Call.getArgOperand(0));
    for (SymValue &Lane : Lanes) {
      if (!storePiece(P, Lane, byteSize(Info.Result.Element)))
        return {};
      P.I = P.I + IntExpr(static_cast<int64_t>(byteSize(Info.Result.Element)));
    }
    return {};
  }
  // A bool is an i1.
  if (Call.getType()->isIntegerTy(1) && Lanes.size() == 1 &&
      Lanes[0].is(VK::Scalar))
    return SymValue::boolean(BoolExpr::floatCompare(
        CmpOp::NE, Lanes[0].S, Value::integer(Lanes[0].S->Type, IntExpr())));
  size_t Next = 0;
  return packType(Call.getType(), Lanes, Next);
}

static bool isSignedType(ScalarType T) {
  return T == ScalarType::I8 || T == ScalarType::I16 || T == ScalarType::I32 ||
         T == ScalarType::I64;
}

SymValue Executor::mathCall(llvm::CallBase &Call, const FunctionInfo &Info) {
  if (!Info.Callable)
    return unknown(DiagID::CallNotInlined,
                   "'" + Info.Name +
                       "' is called, and beside the kernel that name is "
                       "something else");
  if (auto Number = bitsCall(Call, Info))
    return *Number;
  std::vector<ValueRef> Values;
  for (unsigned N = 0; N < Info.Params.size(); ++N) {
    std::vector<SymValue> Lanes = argumentNumbers(Call, Info, N);
    if (Failed)
      return {};
    if (Lanes.size() != 1)
      return unknown(DiagID::UnsupportedExpression,
                     "an argument of '" + Info.Name + "' is not understood");
    SymValue V = asNumber(Lanes[0], Info.Params[N].Element);
    if (!V.is(VK::Scalar))
      return V;
    Values.push_back(V.S);
  }
  SymValue V = numbered(
      Value::call(Info.Result.Element, Info.CallName, std::move(Values)));
  return packResult(Call, Info, {V});
}

SymValue Executor::knownCall(llvm::CallBase &Call, const FunctionInfo &Info,
                             KnownOp Op) {
  auto Unknown = [&](llvm::Twine Why) {
    return unknown(DiagID::UnsupportedExpression, Why);
  };
  /// The numbers of parameter \p N in the type with which it is declared.
  auto Numbers = [&](int N) {
    const TypeInfo &T = N < 0 ? Info.This : Info.Params[N];
    std::vector<SymValue> Lanes = argumentNumbers(Call, Info, N);
    for (SymValue &V : Lanes)
      if (!V.is(VK::Int) || isFloating(T.Element))
        V = asNumber(V, T.Element);
    return Lanes;
  };
  auto Bad = [](const std::vector<SymValue> &Lanes) -> const SymValue * {
    for (const SymValue &V : Lanes)
      if (V.is(VK::Unknown))
        return &V;
    return nullptr;
  };
  auto ConvertTo = [&](const SymValue &V, ScalarType From, ScalarType T) {
    if (V.is(VK::Int) && isFloating(T))
      return numbered(Value::integer(T, exactly(V, isSignedType(From))));
    return convert(V, T);
  };
  auto StoreTo = [&](int N, const std::vector<SymValue> &Lanes,
                     const TypeInfo &T) {
    SymValue P = valueOf(argument(Call, Info, N));
    for (const SymValue &V : Lanes) {
      if (Failed || !storePiece(P, V, byteSize(T.Element)))
        return false;
      P.I = P.I + IntExpr(static_cast<int64_t>(byteSize(T.Element)));
    }
    return true;
  };
  switch (Op) {
  case KnownOp::SpecialX:
  case KnownOp::SpecialY:
  case KnownOp::SpecialZ: {
    AtomKind Kind =
        llvm::StringRef(Info.Name).contains("threadIdx")  ? AtomKind::ThreadIdx
        : llvm::StringRef(Info.Name).contains("blockIdx") ? AtomKind::BlockIdx
        : llvm::StringRef(Info.Name).contains("blockDim") ? AtomKind::BlockDim
                                                          : AtomKind::GridDim;
    return SymValue::exact(
        special(Kind, static_cast<unsigned>(Op) -
                          static_cast<unsigned>(KnownOp::SpecialX)),
        32);
  }
  case KnownOp::Math:
    return mathCall(Call, Info);
  case KnownOp::Barrier:
    if (Info.Name == "__syncwarp")
      warpBarrier(Call.arg_size() ? valueOf(Call.getArgOperand(0))
                                  : SymValue::exact(IntExpr(-1), 32));
    else
      barrier();
    return {};
  case KnownOp::BarrierVote:
    barrier();
    return unknown(DiagID::CallNotInlined,
                   "'" + Info.Name + "' gives what other threads computed");
  case KnownOp::Fence:
    return {};
  case KnownOp::CopyAsync: {
    const bool Narrow = Info.Params.size() == 3;
    SymValue Size = valueOf(argument(Call, Info, 2)),
             Zeros = Narrow ? SymValue::exact(IntExpr(), 64)
                            : valueOf(argument(Call, Info, 3));
    if (!Size.constant() || !Zeros.is(VK::Int) ||
        (*Size.constant() < 4) != Narrow)
      return failValue(DiagID::UnsupportedStatement,
                       "how many bytes this copies is not understood");
    copyAsync(valueOf(argument(Call, Info, 0)),
              valueOf(argument(Call, Info, 1)), *Size.constant(),
              IntExpr(*Size.constant()) - Zeros.I);
    return {};
  }
  case KnownOp::CopyCommit:
    commitCopies();
    return {};
  case KnownOp::CopyWait:
    if (SymValue Prior = valueOf(argument(Call, Info, 0)); Prior.is(VK::Int))
      waitForCopies(Prior.I, totalActive());
    return {};
  case KnownOp::SharedBarrier:
    return sharedBarrierCall(Call, Info);
  case KnownOp::Pipeline:
    pipelineCall(Call, Info);
    return {};
  case KnownOp::Nothing:
    return {};
  case KnownOp::First:
    return valueOf(Call.getArgOperand(0));
  case KnownOp::Atomic:
    return atomicCall(Call, Info);
  case KnownOp::Exchange:
    if (auto How = llvm::StringSwitch<std::optional<Exchanged::Kind>>(Info.Name)
                       .Case("__shfl_xor_sync", Exchanged::Kind::Xor)
                       .Case("__shfl_down_sync", Exchanged::Kind::Down)
                       .Case("__shfl_sync", Exchanged::Kind::From)
                       .Default(std::nullopt);
        How && Call.arg_size() == 4)
      if (auto V = exchange(valueOf(argument(Call, Info, 0)),
                            valueOf(argument(Call, Info, 1)),
                            valueOf(argument(Call, Info, 2)),
                            valueOf(argument(Call, Info, 3)), *How)) {
        Shuffle = {here(), Info.Name};
        return *V;
      }
    if (Info.Name == "__reduce_add_sync" && Call.arg_size() == 2)
      if (auto V = sumOfLanes(valueOf(argument(Call, Info, 0)),
                              valueOf(argument(Call, Info, 1))))
        return *V;
    {
      std::vector<SymValue> Arguments;
      for (unsigned N = 0; N < Info.Params.size(); ++N)
        Arguments.push_back(valueOf(argument(Call, Info, N)));
      if (auto V = vote(Info.Name, Arguments))
        return *V;
      if (Failed)
        return {};
    }
    return unknown(DiagID::CallNotInlined,
                   "'" + Info.Name + "' gives what other threads computed");
  case KnownOp::Effect:
    return effect(Info.Name);
  case KnownOp::Assertion:
    Traps.push_back({totalActive(), here()});
    return {};
  case KnownOp::Minimum:
  case KnownOp::Maximum: {
    SymValue L = valueOf(argument(Call, Info, 0)),
             R = valueOf(argument(Call, Info, 1));
    if (argument(Call, Info, 0)->getType()->isPointerTy()) {
      auto A = argumentNumbers(Call, Info, 0),
           B = argumentNumbers(Call, Info, 1);
      if (A.size() != 1 || B.size() != 1)
        return Unknown("min or max of something that is not understood");
      L = A[0];
      R = B[0];
      if (Call.getType()->isPointerTy())
        return Unknown("a reference to the smaller or larger of two numbers");
    }
    // For computed values, as in `min(127, (int)acc)`.
    if (L.is(VK::Scalar) || R.is(VK::Scalar))
      return mathCall(Call, Info);
    return minMax(L, R, Op == KnownOp::Maximum,
                  isSignedType(Info.Result.Element));
  }
  case KnownOp::Multiply24: {
    const SymValue L = valueOf(argument(Call, Info, 0)),
                   R = valueOf(argument(Call, Info, 1));
    for (const SymValue *Factor : {&L, &R})
      if (Factor->is(VK::Unknown))
        return *Factor;
    auto Varies = [](const SymValue &V) {
      bool Found = false;
      V.I.walk([&](const IntAtom &A) { Found |= Simplifier::varies(A); });
      return Found;
    };
    // A row times a column is no place in an array, but may be stored.
    if (!L.is(VK::Int) || !R.is(VK::Int) || (Varies(L) && Varies(R)))
      return mathCall(Call, Info);
    // A number within 24 bits is what its low 24 bits are.
    const bool Signed = isSignedType(Info.Result.Element);
    const int64_t End = int64_t(1) << (Signed ? 23 : 24);
    for (const SymValue *Factor : {&L, &R})
      oblige(Factor->I, IntExpr(Signed ? -End : 0), IntExpr(End - 1),
             "a factor of '" + llvm::Twine(Info.Name) + "' leaves its 24 bits");
    SymValue V = SymValue::integer(L.I * R.I, L.Width);
    V.Narrow = true;
    V.NarrowUnsigned = !Signed;
    return V;
  }
  case KnownOp::Load: {
    std::function<SymValue(SymValue)> From = [&](SymValue P) {
      if (P.is(VK::Unknown))
        return P;
      if (P.is(VK::Choice))
        return ofSides(P, From);
      if (!P.is(VK::Pointer) || P.Array.empty() || P.Array[0] == '$' ||
          P.Array[0] == '@')
        return Unknown("this address is not understood");
      if (Info.Result.K != TypeInfo::Kind::Scalar &&
          Info.Result.K != TypeInfo::Kind::Vector)
        return unknown(DiagID::UnsupportedType,
                       "'" + Info.Name + "' of a type that is not supported");
      const int64_t Size = byteSize(Info.Result.Element);
      std::vector<SymValue> Lanes;
      for (unsigned N = 0; N < Info.Result.Lanes; ++N) {
        Lanes.push_back(loadPiece(P, Size));
        P.I = P.I + IntExpr(Size);
      }
      return packResult(Call, Info, std::move(Lanes));
    };
    return From(valueOf(argument(Call, Info, 0)));
  }
  case KnownOp::Store: {
    auto Lanes = argumentNumbers(Call, Info, 1);
    StoreTo(0, Lanes, Info.Params[1]);
    return {};
  }
  case KnownOp::Copy: {
    // A default constructor does not change its object.
    if (!Info.Params.empty())
      StoreTo(-1, argumentNumbers(Call, Info, 0), Info.This);
    return Call.getType()->isPointerTy() ? valueOf(argument(Call, Info, -1))
                                         : SymValue();
  }
  case KnownOp::Construct: {
    std::vector<SymValue> Lanes;
    for (unsigned N = 0; N < Info.Params.size(); ++N)
      for (const SymValue &V : Numbers(N))
        Lanes.push_back(
            ConvertTo(V, Info.Params[N].Element, Info.This.Element));
    if (Lanes.size() != Info.This.Lanes)
      return failValue(DiagID::UnsupportedExpression,
                       "'" + Info.Name + "' is not understood");
    StoreTo(-1, Lanes, Info.This);
    return Call.getType()->isPointerTy() ? valueOf(argument(Call, Info, -1))
                                         : SymValue();
  }
  case KnownOp::ReadThis: {
    auto Lanes = Numbers(-1);
    if (const SymValue *U = Bad(Lanes))
      return *U;
    if (Lanes.size() != Info.This.Lanes || Info.Result.Lanes != Info.This.Lanes)
      return Unknown("this conversion is not understood");
    for (SymValue &V : Lanes)
      V = ConvertTo(V, Info.This.Element, Info.Result.Element);
    return Lanes[0].is(VK::Bool) ? Lanes[0]
                                 : packResult(Call, Info, std::move(Lanes));
  }
  case KnownOp::ToFloat8:
    return toFloat8(Call, Info);
  case KnownOp::FromFloat8:
    return fromFloat8(Call, Info);
  case KnownOp::AssignAdd:
  case KnownOp::AssignSub:
  case KnownOp::AssignMul:
  case KnownOp::AssignDiv:
  default:
    break;
  }
  if (Info.Params.empty())
    return Unknown("'" + Info.Name + "' is not understood");
  auto A = Numbers(0);
  if (Failed)
    return {};
  std::vector<SymValue> Result;
  ScalarType From = Info.Params[0].Element, To = Info.Result.Element;
  auto Binary = [&](Value::Kind K) -> SymValue {
    if (Info.Params.size() < 2)
      return Unknown("'" + Info.Name + "' is not understood");
    auto B = Numbers(1);
    if (A.size() != B.size())
      return Unknown("'" + Info.Name + "' is not understood");
    for (size_t N = 0; N < A.size(); ++N) {
      if (A[N].is(VK::Unknown) || B[N].is(VK::Unknown)) {
        Result.push_back(A[N].is(VK::Unknown) ? A[N] : B[N]);
        continue;
      }
      auto Number = std::make_shared<Value>(K, From);
      Number->setOperands({A[N].S, B[N].S});
      Number->Alone = llvm::StringRef(Info.Name).ends_with("_rn");
      Result.push_back(numbered(std::move(Number)));
    }
    return SymValue::boolean(BoolExpr());
  };
  auto Compare = [&](CmpOp C) -> SymValue {
    auto B = Numbers(1);
    if (A.size() != 1 || B.size() != 1)
      return Unknown("'" + Info.Name + "' is not understood");
    if (A[0].is(VK::Unknown))
      return A[0];
    if (B[0].is(VK::Unknown))
      return B[0];
    return SymValue::boolean(BoolExpr::floatCompare(C, A[0].S, B[0].S));
  };
  switch (Op) {
  case KnownOp::Convert:
  case KnownOp::Both:
    for (SymValue &V : A)
      Result.push_back(V.is(VK::Unknown) ? V : ConvertTo(V, From, To));
    break;
  case KnownOp::Plus:
    Result = A;
    break;
  case KnownOp::Neg:
    for (SymValue &V : A)
      Result.push_back(V.is(VK::Unknown)
                           ? V
                           : numbered(Value::unary(Value::Kind::Neg, V.S)));
    break;
  case KnownOp::Add:
  case KnownOp::AssignAdd:
    if (SymValue E = Binary(Value::Kind::Add); E.is(VK::Unknown))
      return E;
    break;
  case KnownOp::Sub:
  case KnownOp::AssignSub:
    if (SymValue E = Binary(Value::Kind::Sub); E.is(VK::Unknown))
      return E;
    break;
  case KnownOp::Mul:
  case KnownOp::AssignMul:
    if (SymValue E = Binary(Value::Kind::Mul); E.is(VK::Unknown))
      return E;
    break;
  case KnownOp::Div:
  case KnownOp::AssignDiv:
    if (SymValue E = Binary(Value::Kind::Div); E.is(VK::Unknown))
      return E;
    break;
  case KnownOp::Fma: {
    if (Info.Params.size() != 3)
      return Unknown("'" + Info.Name + "' is not understood");
    auto B = Numbers(1), C = Numbers(2);
    if (A.size() != B.size() || A.size() != C.size())
      return Unknown("'" + Info.Name + "' is not understood");
    // <cmath> declares it for several types, and computes in double.
    const ScalarType T = Info.Result.Element;
    for (size_t N = 0; N < A.size(); ++N) {
      ValueRef Factors[3];
      std::optional<SymValue> Not;
      const SymValue *Given[] = {&A[N], &B[N], &C[N]};
      for (unsigned Place = 0; Place < 3; ++Place) {
        SymValue Number = asNumber(*Given[Place], Info.Params[Place].Element);
        if (Number.is(VK::Scalar))
          Factors[Place] = Value::cast(T, Number.S);
        else if (!Not)
          Not = Number;
      }
      Result.push_back(
          Not ? *Not
              : numbered(Value::fma(T, Factors[0], Factors[1], Factors[2])));
    }
    break;
  }
  case KnownOp::Less:
    return Compare(CmpOp::LT);
  case KnownOp::LessEqual:
    return Compare(CmpOp::LE);
  case KnownOp::Greater:
    return Compare(CmpOp::GT);
  case KnownOp::GreaterEqual:
    return Compare(CmpOp::GE);
  case KnownOp::Equal:
    return Compare(CmpOp::EQ);
  case KnownOp::NotEqual:
    return Compare(CmpOp::NE);
  case KnownOp::Low:
  case KnownOp::High: {
    const size_t Lane = Op == KnownOp::High;
    for (unsigned N = 0; N < Info.Params.size(); ++N) {
      auto Lanes = Numbers(N);
      if (Lanes.size() != 2)
        return Unknown("'" + Info.Name + "' is not understood");
      const SymValue &V = Lanes[Lane];
      Result.push_back(
          V.is(VK::Unknown) ? V : ConvertTo(V, Info.Params[N].Element, To));
    }
    while (Result.size() < Info.Result.Lanes && Info.Params.size() == 1)
      Result.push_back(Result.front());
    break;
  }
  case KnownOp::Splat:
    for (unsigned N = 0; N < Info.Result.Lanes && A.size() == 1; ++N)
      Result.push_back(A[0].is(VK::Unknown) ? A[0] : ConvertTo(A[0], From, To));
    break;
  case KnownOp::Pack:
    for (unsigned N = 0; N < Info.Params.size(); ++N) {
      auto Lanes = Numbers(N);
      if (Lanes.size() != 1)
        return Unknown("'" + Info.Name + "' is not understood");
      Result.push_back(Lanes[0].is(VK::Unknown)
                           ? Lanes[0]
                           : ConvertTo(Lanes[0], Info.Params[N].Element, To));
    }
    break;
  default:
    return Unknown("'" + Info.Name + "' is not understood");
  }
  if (Failed)
    return {};
  switch (Op) {
  case KnownOp::AssignAdd:
  case KnownOp::AssignSub:
  case KnownOp::AssignMul:
  case KnownOp::AssignDiv:
    StoreTo(0, Result, Info.Params[0]);
    return valueOf(argument(Call, Info, 0));
  default:
    return packResult(Call, Info, std::move(Result));
  }
}

} // namespace warpwright::symbolic
