//===-- Memory.cpp - Parameters, arrays and objects -----------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A pointer is the name of the array into which it points and an offset in
/// bytes. A parameter points to elements of one type. A local object is a list
/// of stored pieces; a read that does not match a piece is unknown.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "Mistakes.h"
#include "Stores.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

ArrayState &Executor::localArray(const std::string &Name) {
  ArrayState &A = S[Name];
  A.IsLocal = true;
  return A;
}

void Executor::noteOffset(const SymValue &P) {
  NarrowOffset |= P.Narrow;
  NarrowSigned |= P.Narrow && !P.NarrowUnsigned;
}

SymValue Executor::leafValue(const ParamLeaf &L) {
  if (!L.Problem.empty())
    return SymValue::unknown(DiagID::UnsupportedType, {}, L.Problem);
  if (L.IsPointer)
    return SymValue::pointer(L.Path, IntExpr());
  if (isFloating(L.Type))
    return SymValue::scalar(Value::param(L.Type, L.Path));
  const auto Divisor = Arguments.find(L.Path);
  SymValue V = SymValue::integer(Divisor == Arguments.end()
                                     ? IntExpr::param(L.Path)
                                     : asMultiple(L.Path, Divisor->second),
                                 8 * byteSize(L.Type));
  switch (L.Type) {
  case ScalarType::I8:
  case ScalarType::I16:
  case ScalarType::I32:
  case ScalarType::I64:
    V.SignedExact = true;
    break;
  case ScalarType::U64:
    // The launcher's arithmetic has 63 bits for this.
    V.SignedExact = true;
    break;
  default:
    V.UnsignedExact = true;
    break;
  }
  return V;
}

SymValue Executor::addressOf(const llvm::GEPOperator &G, SymValue P) {
  if (P.is(VK::Unknown)) {
    // A parameter that is not understood is reported where it is used.
    if (P.ReasonLoc.isInvalid())
      P.ReasonLoc = here();
    return P;
  }
  if (P.is(VK::Choice))
    return ofSides(P, [&](const SymValue &Side) { return addressOf(G, Side); });
  if (!P.is(VK::Pointer) || G.getType()->isVectorTy())
    return unknown(DiagID::UnsupportedExpression,
                   "this address is not understood");
  if (P.Array.empty())
    return unknown(DiagID::UnsupportedExpression,
                   "an element of a null pointer");
  const llvm::Type *Indexed = nullptr, *Next = nullptr;
  for (auto It = llvm::gep_type_begin(G), End = llvm::gep_type_end(G);
       It != End; ++It) {
    const llvm::Value *Operand = It.getOperand();
    Indexed = Next; // null: the first index, of the pointer itself
    Next = It.getIndexedType();
    if (llvm::StructType *ST = It.getStructTypeOrNull()) {
      uint64_t Field = llvm::cast<llvm::ConstantInt>(Operand)->getZExtValue();
      if (mistaken(Mistake::FieldOffsetIgnored))
        Field = 0;
      P.I = P.I + IntExpr(static_cast<int64_t>(
                      Layout.getStructLayout(ST)->getElementOffset(Field)));
      continue;
    }
    SymValue N = valueOf(Operand);
    if (N.is(VK::Unknown))
      return N;
    if (std::string Why = N.is(VK::Scalar) ? inConstantMemory(N.S) : "";
        !Why.empty())
      return unknown(
          DiagID::IndexNotAffine,
          "the address of an element is not known to the launcher: " + Why);
    if (N.is(VK::Scalar))
      return unknown(DiagID::IndexNotAffine,
                     "which element is meant depends on " + originOf(N.S));
    if (!N.is(VK::Int))
      return unknown(DiagID::UnsupportedExpression,
                     "this pointer arithmetic is not understood");
    // Addresses wrap at 64 bits, and so does the index; so only a narrower
    // index needs a proof.
    IntExpr I = N.Width >= 64 ? N.I : exactly(N, /*Signed=*/true);
    int64_t Step = It.getSequentialElementStride(Layout).getFixedValue();
    if (const auto *Whole = llvm::dyn_cast_or_null<llvm::ArrayType>(Indexed);
        Whole && P.Array[0] == '!' && Whole->getNumElements())
      keepInside(I, Whole->getNumElements());
    P.I = P.I + I * IntExpr(Step);
    if (N.Narrow) {
      P.NarrowUnsigned =
          P.Narrow ? P.NarrowUnsigned && N.NarrowUnsigned : N.NarrowUnsigned;
      P.Narrow = true;
    }
  }
  if (P.I.overflowed())
    return unknown(DiagID::IndexNotAffine,
                   "an index with numbers that leave 64 bits");
  return P;
}

/// The number of the element of \p Size bytes that begins at \p Bytes. If a
/// pitch is in bytes, it is required to be a multiple of the size.
std::optional<IntExpr> Executor::elementAt(const IntExpr &Bytes,
                                           unsigned Size) {
  const IntExpr Step(static_cast<int64_t>(Size));
  if (auto Index = Bytes.exactDivide(Step))
    return Index;
  auto IsWhole = [&](int64_t Factor) {
    return Factor % static_cast<int64_t>(Size) == 0;
  };
  std::vector<IntExpr> Pitches;
  for (const auto &[Atoms, Factor] : Bytes.terms()) {
    if (IsWhole(Factor))
      continue;
    const auto *Pitch = llvm::find_if(Atoms, [&](const AtomRef &A) {
      return A->getKind() == AtomKind::Param && !mentionsPhi(IntExpr(A));
    });
    if (Pitch == Atoms.end())
      return std::nullopt;
    if (!llvm::is_contained(Pitches, IntExpr(*Pitch)))
      Pitches.push_back(IntExpr(*Pitch));
  }
  // The rows of a tile and those of the blocks, `16 * blockIdx.y +
  // threadIdx.y`, are as far apart: what is a quotient in one term is one in
  // all of them.
  IntExpr Whole;
  for (const auto &[Atoms, Factor] : Bytes.terms()) {
    bool Replaced = false;
    IntExpr Term(Factor);
    for (const AtomRef &A : Atoms) {
      IntExpr X(A);
      if (!Replaced && llvm::is_contained(Pitches, X)) {
        Replaced = true;
        X = Step * IntExpr::floorDiv(X, Step);
      }
      Term = Term * X;
    }
    Whole += Term;
  }
  for (const IntExpr &Pitch : Pitches)
    require(BoolExpr::compare(CmpOp::EQ, IntExpr::mod(Pitch, Step), 0),
            Pitch.str() + " is not a multiple of " + llvm::Twine(Size));
  return Whole.exactDivide(Step);
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

SymValue Executor::loadParameterObject(const SymValue &P, unsigned Size) {
  unsigned Argument = std::stoul(P.Array.substr(1));
  auto Offset = P.I.getConstant();
  if (!Offset)
    return unknown(DiagID::IndexNotAffine,
                   "an element of an array inside of a parameter is chosen by "
                   "an index; an array that is passed by a pointer, of "
                   "matrices at one distance for instance, may be read so");
  for (const ParamLeaf &L : Kernel.Params) {
    if (L.Argument != Argument)
      continue;
    const int64_t Begin = L.Offset, End = Begin + L.ByteSize;
    const bool IsWhole = *Offset == Begin && L.ByteSize == Size;
    const bool IsIn = *Offset == Begin || (*Offset > Begin && *Offset < End);
    if (IsWhole || (!L.Problem.empty() && IsIn)) {
      SymValue V = leafValue(L);
      if (V.is(VK::Unknown))
        V.ReasonLoc = here();
      return V;
    }
  }
  return unknown(DiagID::UnsupportedType,
                 "this part of a parameter is not understood");
}

SymValue Executor::loadGlobal(const SymValue &P, llvm::Type *T) {
  const llvm::GlobalVariable *G =
      Module.module().getGlobalVariable(P.Array.substr(1), true);
  std::string Name = G ? Module.variableName(*G).str() : std::string();
  if (!G)
    return unknown(DiagID::UnsupportedExpression,
                   "this address is not understood");
  // `threadIdx.x`, if the header declares it as a plain variable.
  if (Module.isHeaderVariable(*G)) {
    static const std::pair<llvm::StringRef, AtomKind> Registers[] = {
        {"threadIdx", AtomKind::ThreadIdx},
        {"blockIdx", AtomKind::BlockIdx},
        {"blockDim", AtomKind::BlockDim},
        {"gridDim", AtomKind::GridDim}};
    for (const auto &[Register, Kind] : Registers)
      if (Name == Register)
        if (auto Offset = P.I.getConstant();
            Offset && *Offset % 4 == 0 && *Offset / 4 < 3) {
          SymValue V = SymValue::exact(
              special(Kind, static_cast<unsigned>(*Offset / 4)), 32);
          return V;
        }
    if (Name == "warpSize")
      return SymValue::exact(IntExpr(32), 32);
  }
  auto Offset = P.I.getConstant();
  // A const-qualified variable keeps its initializer, in constant memory too.
  if (!Offset && Module.keepsInitializer(*G))
    return constantElement(P, *G, T);
  if (Offset && Module.keepsInitializer(*G)) {
    llvm::APInt At(64, static_cast<uint64_t>(*Offset), true);
    if (llvm::Constant *C = llvm::ConstantFoldLoadFromConst(
            const_cast<llvm::Constant *>(G->getInitializer()), T, At, Layout))
      return constantValue(*C);
  }
  // The host may set any other variable at any time before the launch.
  if (Module.isConstantMemory(*G)) {
    if (!Offset)
      return unknown(DiagID::IndexNotAffine,
                     "an element of '" + Name +
                         "', in constant memory, is chosen by an index; an "
                         "array that is passed as an argument may be read so");
    std::string Why;
    const uint64_t Size = Layout.getTypeStoreSize(T).getFixedValue();
    if (auto Leaf = Module.constantAt(*G, *Offset, Size, Why))
      return SymValue::scalar(Value::global(Leaf->Type, Leaf->Name));
    return unknown(DiagID::UnsupportedExpression, Why);
  }
  if (Name.empty())
    Name = "a constant table";
  else if (!G->isConstant() && !Module.isHeaderVariable(*G))
    return unknown(DiagID::UnsupportedExpression,
                   "'" + Name +
                       "' is a variable of the device, which other kernels may "
                       "write; pass it as an argument");
  return unknown(DiagID::UnsupportedExpression,
                 "'" + Name +
                     "' is neither a parameter nor a variable of the "
                     "kernel");
}

SymValue Executor::loadType(const SymValue &P, llvm::Type *T) {
  if (P.is(VK::Unknown)) {
    SymValue V = P;
    if (V.ReasonLoc.isInvalid())
      V.ReasonLoc = here();
    return V;
  }
  if (P.is(VK::Choice))
    return ofSides(P, [&](const SymValue &Side) { return loadType(Side, T); });
  if (!P.is(VK::Pointer) || P.Array.empty())
    return unknown(DiagID::UnsupportedExpression,
                   "this address is not understood");
  auto Piece = [&](int64_t Offset, llvm::Type *Element) {
    SymValue Q = P;
    Q.I = Q.I + IntExpr(Offset);
    return loadType(Q, Element);
  };
  if (auto *ST = llvm::dyn_cast<llvm::StructType>(T)) {
    std::vector<SymValue> Fields;
    for (unsigned N = 0; N < ST->getNumElements(); ++N)
      Fields.push_back(Piece(Layout.getStructLayout(ST)->getElementOffset(N),
                             ST->getElementType(N)));
    return SymValue::aggregate(std::move(Fields));
  }
  if (T->isArrayTy() || T->isVectorTy()) {
    llvm::Type *Element =
        T->isArrayTy() ? T->getArrayElementType()
                       : llvm::cast<llvm::VectorType>(T)->getElementType();
    uint64_t Count =
        T->isArrayTy() ? T->getArrayNumElements()
                       : llvm::cast<llvm::FixedVectorType>(T)->getNumElements();
    uint64_t Size = Layout.getTypeAllocSize(Element);
    if (Count > 4096)
      return unknown(DiagID::TooComplex, "an array that is too large");
    std::vector<SymValue> Fields;
    for (uint64_t N = 0; N < Count; ++N)
      Fields.push_back(Piece(N * Size, Element));
    return SymValue::aggregate(std::move(Fields));
  }
  noteElements(P, T);
  unsigned Size = Layout.getTypeStoreSize(T).getFixedValue();
  SymValue V = P.Array[0] == '@' ? loadGlobal(P, T) : loadPiece(P, Size);
  if (T->isFloatingPointTy() && V.is(VK::Int))
    V = asNumber(V, T->isFloatTy()    ? ScalarType::F32
                    : T->isDoubleTy() ? ScalarType::F64
                    : T->isHalfTy()   ? ScalarType::F16
                                      : ScalarType::BF16);
  // A bool in memory is a byte.
  if (T->isIntegerTy(1) && V.is(VK::Int))
    return SymValue::boolean(
        BoolExpr::compare(CmpOp::NE, exactly(V, false), 0));
  if (T->isPointerTy() && !V.is(VK::Pointer) && !V.is(VK::Unknown))
    return unknown(DiagID::UnsupportedExpression,
                   "a pointer that is loaded from memory");
  return V;
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

bool Executor::storePiece(const SymValue &P, SymValue V, unsigned Size) {
  if (P.is(VK::Unknown))
    return fail(P.ReasonID, P.ReasonLoc.isValid() ? P.ReasonLoc : here(),
                P.Reason);
  if (!P.is(VK::Pointer) || P.Array.empty())
    return fail(DiagID::UnsupportedExpression, here(),
                "the address of this store is not understood");
  if (P.Array[0] == '@') {
    const llvm::GlobalVariable *G =
        Module.module().getGlobalVariable(P.Array.substr(1), true);
    return fail(DiagID::UnsupportedStatement, here(),
                "'" + (G ? Module.variableName(*G).str() : std::string()) +
                    "' is a variable that outlives the kernel");
  }
  // A parameter that is passed by value is local to the thread; its members are
  // read as they were passed.
  if (P.Array[0] == '$')
    return fail(DiagID::UnsupportedStatement, here(),
                "a member of a parameter is changed");
  // A register of several numbers is stored as these numbers.
  if (P.Array[0] != '$' && !isParameter(P.Array) && V.is(VK::Aggregate) &&
      V.Fields.size() > 1 && Size % V.Fields.size() == 0) {
    const unsigned Piece = Size / V.Fields.size();
    for (size_t N = 0; N < V.Fields.size(); ++N) {
      SymValue Q = P;
      Q.I = Q.I + IntExpr(static_cast<int64_t>(N * Piece));
      if (!storePiece(Q, V.Fields[N], Piece))
        return false;
    }
    return true;
  }
  ArrayState &A = S[P.Array];
  // Zeros are zeros in every type: `*(float4 *)&tile[i] = make_float4(0, ...)`
  // clears eight halves.
  if (const unsigned Piece = A.Element;
      Piece && Size > Piece && Size % Piece == 0 && hasZeroBits(V)) {
    for (unsigned At = 0; At < Size; At += Piece) {
      SymValue Q = P;
      Q.I = Q.I + IntExpr(static_cast<int64_t>(At));
      if (!storePiece(Q, SymValue::exact(IntExpr(), 8 * Piece), Piece))
        return false;
    }
    return true;
  }
  // Other threads would read it, but it is not specified which element it is.
  if ((!A.IsLocal || A.IsShared) && !StoresFragment && isOfFragment(V))
    return fail(
        DiagID::UnsupportedExpression, here(),
        "an element of a matrix fragment is stored by itself, and which "
        "one it is is not specified");
  Write W;
  W.Array = P.Array;
  W.Index = P.Array[0] == '!' ? inMultiples(P.I) : P.I;
  if (OwnElements.count(P.Array)) {
    const auto Place = ownPlace(P.Array, W.Index, Size);
    if (!Place)
      return false;
    W.Index = *Place;
  }
  // `tile[next % 3]`, where the condition says which number is the smaller one.
  if (A.IsShared &&
      (W.Index.containsKind(AtomKind::Min) || containsMinimum(V))) {
    const Simplifier Facts(Bounds, bodyLoops(), totalActive());
    if (W.Index.containsKind(AtomKind::Min))
      W.Index = Facts.simplify(W.Index);
    V.I = Facts.simplify(V.I);
    if (V.S)
      V.S = Facts.simplify(V.S);
  }
  W.Size = Size;
  if (A.IsLocal && !A.IsShared)
    noteChosen(W.Index, ChoosesOwn);
  if (!A.IsLocal) {
    if (!AddsAtomically && Atomics.count(P.Array))
      return fail(DiagID::Atomics, here(),
                  "'" + P.Array +
                      "' is stored to here, and added to atomically");
    noteOffset(P);
    unsigned ElemSize = byteSize(A.Elem);
    auto Index = elementAt(P.I, ElemSize);
    // While a loop is probed, it may not be known yet to which element a
    // pointer points that the loop passes on.
    if (!Index && Probing && mentionsPhi(P.I))
      Index = P.I;
    // A value that is not known yet is stored where known ones will be.
    if (V.is(VK::Unknown) && Index && Size > ElemSize && Size % ElemSize == 0)
      V = SymValue::aggregate(std::vector<SymValue>(Size / ElemSize, V));
    // An array of integers into which the bits of such numbers are written is
    // an array of these numbers.
    const SymValue &First =
        V.is(VK::Aggregate) && !V.Fields.empty() ? V.Fields.front() : V;
    const ValueRef Number =
        First.is(VK::Scalar) ? numberOfBits(First.S) : nullptr;
    if (Number && byteSize(Number->Type) <= 2 && !isFloating(A.Elem) &&
        (byteSize(A.Elem) == 2 || isFloat8(Number->Type)))
      Packed.try_emplace(P.Array, Number->Type);
    if (V.is(VK::Scalar) && Number && A.Elem == Number->Type)
      V.S = Number;
    bool Split = V.is(VK::Aggregate) && Index && Size % ElemSize == 0 &&
                 V.Fields.size() == Size / ElemSize;
    if (Split) {
      for (size_t N = 0; N < V.Fields.size(); ++N) {
        SymValue Q = P;
        Q.I = Q.I + IntExpr(static_cast<int64_t>(N * ElemSize));
        if (!storePiece(Q, V.Fields[N], ElemSize))
          return false;
      }
      return true;
    }
    if (!Index || Size != ElemSize)
      return fail(DiagID::UnsupportedType, here(),
                  "'" + P.Array + "' is written as another type");
    V = asNumber(V, A.Elem);
    W.Index = *Index;
    if (Exchanges)
      takeMultiples(W.Index, V);
  }
  // `if (more) x = ...; ... if (more) tile[i] = x;`
  if (A.IsLocal && V.is(VK::Scalar))
    V.S = chosen(V.S, totalActive(), /*Merge=*/A.IsShared);
  W.Value = std::move(V);
  W.Value.Loc = here();
  W.Guard =
      mistaken(Mistake::StoreGuardDropped) ? BoolExpr::constant(true) : Active;
  W.Loc = here();
  W.Id = NextWrite++;
  W.Phase = phaseOf(W.Array);
  if (A.IsShared) {
    W.Visible = BoolExpr::constant(false);
    W.Async = Asynchronous || Producing;
    if (W.Async) {
      W.Done = BoolExpr::constant(mistaken(Mistake::WaitNotNeeded));
      W.Issued = totalActive();
    }
    if (!noteSharedStore(W))
      return false;
  }
  // Stores that this one hides are removed.
  llvm::erase_if(A.Writes, [&](const Write &Old) {
    return Old.Loops.empty() && Old.Index == W.Index && Old.Size == W.Size &&
           !Old.Clobber && !Old.Async && Old.Phase == W.Phase &&
           implies(Old.Guard, W.Guard);
  });
  A.Writes.push_back(std::move(W));
  return true;
}

bool Executor::storeType(const SymValue &P, const SymValue &V, llvm::Type *T) {
  if (Failed)
    return false;
  const auto Places = P.is(VK::Choice) ? std::optional(P) : twoPlaces(P);
  if (Places)
    return onSides(*Places,
                   [&](const SymValue &Side) { return storeType(Side, V, T); });
  auto Piece = [&](int64_t Offset, const SymValue &Field, llvm::Type *Element) {
    SymValue Q = P;
    Q.I = Q.I + IntExpr(Offset);
    return storeType(Q, Field, Element);
  };
  if (V.is(VK::Aggregate) &&
      (T->isStructTy() || T->isArrayTy() || T->isVectorTy())) {
    for (size_t N = 0; N < V.Fields.size(); ++N) {
      llvm::Type *Element;
      int64_t Offset;
      if (auto *ST = llvm::dyn_cast<llvm::StructType>(T)) {
        if (N >= ST->getNumElements())
          return fail(DiagID::UnsupportedType, here(),
                      "what is stored here is not understood");
        Element = ST->getElementType(N);
        Offset = Layout.getStructLayout(ST)->getElementOffset(N);
      } else {
        Element = T->isArrayTy()
                      ? T->getArrayElementType()
                      : llvm::cast<llvm::VectorType>(T)->getElementType();
        Offset = N * Layout.getTypeAllocSize(Element).getFixedValue();
      }
      if (!Piece(Offset, V.Fields[N], Element))
        return false;
    }
    return true;
  }
  // Lanes that are not known yet are stored where known ones will be.
  if (auto *Vector = llvm::dyn_cast<llvm::FixedVectorType>(T);
      Vector && V.is(VK::Unknown) && P.is(VK::Pointer) &&
      !isParameter(P.Array)) {
    const std::vector<SymValue> Lanes(Vector->getNumElements(), V);
    return storeType(P, SymValue::aggregate(Lanes), T);
  }
  // The store is to all of an object of unknown size.
  if (T->isStructTy() || T->isArrayTy() || T->isVectorTy()) {
    if (P.is(VK::Pointer) && isParameter(P.Array))
      return V.is(VK::Unknown) ? fail(V.ReasonID, V.ReasonLoc, V.Reason)
                               : fail(DiagID::UnsupportedType, here(),
                                      "what is stored here is not understood");
  }
  noteElements(P, T, /*Stored=*/true);
  SymValue X = V;
  if (T->isIntegerTy(1) && V.is(VK::Bool))
    X = convert(V, ScalarType::U8);
  return storePiece(P, std::move(X),
                    Layout.getTypeStoreSize(T).getFixedValue());
}

} // namespace warpwright::symbolic
