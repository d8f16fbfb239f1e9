//===-- Copy.cpp - Objects that are filled and copied as a whole ----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `memset` and `memcpy`, into which Clang translates initializers and
/// assignments of structs. They copy the pieces that were stored, or single
/// elements if these are stored by index. Registers that hold several numbers
/// are loaded in the same way.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

namespace warpwright::symbolic {

using VK = SymValue::Kind;

bool Executor::fillZero(const SymValue &P, uint64_t Size) {
  if (!P.is(VK::Pointer) || P.Array.empty() || P.Array[0] != '#')
    return fail(DiagID::UnsupportedStatement, here(),
                "memory that is not the thread's own is filled");
  ArrayState &A = S[P.Array];
  Write W;
  W.Array = P.Array;
  W.Index = P.I;
  W.Size = Size;
  W.ZeroFill = true;
  W.Value = SymValue::exact(IntExpr(), 64);
  W.Guard = Active;
  W.Loc = here();
  W.Id = NextWrite++;
  A.Writes.push_back(std::move(W));
  return true;
}

/// Marks the bytes to which \p W stores. False if they cannot be enumerated.
static bool markBytes(const Write &W, IntExpr Index, size_t Depth,
                      std::vector<BoundLoop> Loops, std::vector<bool> &Bytes) {
  if (Depth == Loops.size()) {
    auto First = Index.getConstant();
    if (!First || *First < 0 ||
        static_cast<uint64_t>(*First) + W.Size > Bytes.size())
      return false;
    std::fill_n(Bytes.begin() + *First, W.Size, true);
    return true;
  }
  const std::string Key = IntExpr::counter(Loops[Depth].Counter).str();
  auto Trip = Loops[Depth].Trip.getConstant();
  if (!Trip || *Trip > static_cast<int64_t>(Bytes.size()))
    return false;
  for (int64_t N = 0; N < *Trip; ++N) {
    auto Inner = Loops;
    for (BoundLoop &L : llvm::drop_begin(Inner, Depth + 1))
      L.Trip = L.Trip.substitute(Key, IntExpr(N));
    if (!markBytes(W, Index.substitute(Key, IntExpr(N)), Depth + 1, Inner,
                   Bytes))
      return false;
  }
  return true;
}

/// `half sums[8][8] = {__float2half(0.0f)}` stores the first zero, and then the
/// others in loops.
void Executor::settleZeros() {
  constexpr uint64_t MostBytes = 4096;
  for (auto &Named : S) {
    ArrayState &A = Named.second;
    if (!A.IsLocal || A.IsShared || A.Writes.empty() || A.Size > MostBytes)
      continue;
    // Registers that are zero as integers may become pairs of numbers later.
    const Write &First = A.Writes.front();
    if (A.Writes.size() == 1 &&
        (First.Loops.empty() || !First.Value.is(VK::Int)))
      continue;
    std::vector<bool> Bytes(A.Size, false);
    if (!llvm::all_of(A.Writes,
                      [&](const Write &W) {
                        return !W.Clobber && !W.Async &&
                               (W.ZeroFill || hasZeroBits(W.Value)) &&
                               implies(Active, W.Guard) &&
                               markBytes(W, W.Index, 0, W.Loops, Bytes);
                      }) ||
        llvm::is_contained(Bytes, false))
      continue;
    Write All = A.Writes.back();
    All.Index = IntExpr();
    All.Size = static_cast<unsigned>(A.Size);
    All.ZeroFill = true;
    All.Value = SymValue::exact(IntExpr(), 64);
    // The conditions under which all of these stores were made; they hold here.
    All.Guard = BoolExpr::constant(true);
    for (const Write &W : A.Writes)
      All.Guard = BoolExpr::conjunction(All.Guard, W.Guard);
    All.Loops.clear();
    All.Id = NextWrite++;
    A.Writes = {All};
  }
}

/// The size of the numbers as which a register of \p Size bytes was stored: the
/// size of the register, unless only halves or quarters of it were stored.
static unsigned pieceOf(const ArrayState &A, unsigned Size) {
  unsigned Piece = Size;
  for (const Write &W : A.Writes) {
    // Of zeros any piece can be read.
    if (W.Clobber || W.ZeroFill ||
        (A.IsLocal && W.Size >= Size && hasZeroBits(W.Value)))
      continue;
    if (W.Size >= Size || Size % W.Size != 0)
      return Size;
    Piece = std::min(Piece, W.Size);
  }
  return Piece;
}

/// Loads \p Size bytes as one value.
SymValue Executor::loadPiece(const SymValue &P, unsigned Size) {
  if (P.Array[0] == '$')
    return loadParameterObject(P, Size);
  if (P.Array[0] == '#' || P.Array[0] == '!') {
    auto Read =
        S[P.Array].IsShared ? &Executor::readShared : &Executor::readArray;
    // Several numbers, each of which was stored by itself.
    const unsigned Piece = pieceOf(S[P.Array], Size);
    IntExpr Index = P.Array[0] == '!' ? inMultiples(P.I) : P.I;
    if (OwnElements.count(P.Array)) {
      const auto Place = ownPlace(P.Array, Index, Size);
      if (!Place)
        return {};
      Index = *Place;
    }
    if (Piece == Size)
      return (this->*Read)(P.Array, Index, Size);
    std::vector<SymValue> Numbers;
    for (unsigned At = 0; At < Size && !Failed; At += Piece)
      Numbers.push_back((this->*Read)(
          P.Array, Index + IntExpr(static_cast<int64_t>(At)), Piece));
    for (const SymValue &N : Numbers)
      if (N.is(VK::Unknown))
        return N;
    return SymValue::aggregate(std::move(Numbers));
  }
  ArrayState &A = S[P.Array];
  noteOffset(P);
  if (Size == 2)
    noteElements(P, llvm::Type::getInt16Ty(Module.module().getContext()));
  // Stores of earlier iterations are to other elements.
  for (const auto &[Name, Other] : S)
    if (Name != P.Array && !Other.IsLocal)
      LoadAfterStore |= llvm::any_of(
          Other.Writes, [](const Write &W) { return W.Loops.empty(); });
  unsigned ElemSize = byteSize(A.Elem);
  auto Index = elementAt(P.I, ElemSize);
  if (!Index || Size % ElemSize != 0)
    return unknown(DiagID::UnsupportedType,
                   "memory is accessed as another type than it is declared "
                   "with");
  if (Size == ElemSize)
    return readArray(P.Array, *Index, Size);
  // Several elements are loaded together.
  std::vector<SymValue> Lanes;
  for (unsigned N = 0; N < Size / ElemSize; ++N)
    Lanes.push_back(readArray(
        P.Array, *Index + IntExpr(static_cast<int64_t>(N)), ElemSize));
  return SymValue::aggregate(std::move(Lanes));
}

/// memcpy and memmove of a constant number of bytes.
bool Executor::copyBytes(const SymValue &To, const SymValue &From,
                         int64_t Size) {
  // While a loop is probed, the form of a pointer that it passes on may not be
  // known yet.
  if (Probing && From.is(VK::Unknown) && To.is(VK::Pointer) &&
      !To.Array.empty() && To.Array[0] == '#')
    return storePiece(To, From, Size);
  if (From.is(VK::Unknown) || To.is(VK::Unknown)) {
    const SymValue &Bad = To.is(VK::Unknown) ? To : From;
    return fail(Bad.ReasonID, Bad.ReasonLoc.isValid() ? Bad.ReasonLoc : here(),
                Bad.Reason);
  }
  if (From.is(VK::Choice))
    return onSides(
        From, [&](const SymValue &Side) { return copyBytes(To, Side, Size); });
  if (const auto Places = To.is(VK::Choice) ? std::optional(To) : twoPlaces(To))
    return onSides(*Places, [&](const SymValue &Side) {
      return copyBytes(Side, From, Size);
    });
  if (!From.is(VK::Pointer) || !To.is(VK::Pointer) || From.Array.empty() ||
      To.Array.empty())
    return fail(DiagID::UnsupportedExpression, here(),
                "the address of this copy is not understood");
  // An object of the size of a half number.
  if (Size == 2)
    for (const SymValue &P : {From, To})
      noteElements(P, llvm::Type::getInt16Ty(Module.module().getContext()));
  auto CopyPiece = [&](uint64_t Offset, unsigned Bytes) {
    SymValue Source = From, Target = To;
    Source.I = Source.I + IntExpr(static_cast<int64_t>(Offset));
    Target.I = Target.I + IntExpr(static_cast<int64_t>(Offset));
    SymValue V = loadPiece(Source, Bytes);
    return !Failed && storePiece(Target, std::move(V), Bytes);
  };
  if (isParameter(From.Array)) {
    unsigned ElemSize = byteSize(S[From.Array].Elem);
    if (Size % ElemSize != 0 || Size / ElemSize > 4096)
      return fail(DiagID::UnsupportedType, here(),
                  "memory is accessed as another type than it is declared "
                  "with");
    for (int64_t Offset = 0; Offset < Size; Offset += ElemSize)
      if (!CopyPiece(Offset, ElemSize))
        return false;
    return true;
  }
  auto Start = From.I.getConstant();
  if (From.Array[0] == '$' && Start) {
    unsigned Argument = std::stoul(From.Array.substr(1));
    for (const ParamLeaf &L : Kernel.Params)
      if (L.Argument == Argument && static_cast<int64_t>(L.Offset) >= *Start &&
          static_cast<int64_t>(L.Offset + L.ByteSize) <= *Start + Size &&
          L.ByteSize)
        if (!CopyPiece(L.Offset - *Start, L.ByteSize))
          return false;
    return true;
  }
  // Copies element by element, with the size that was stored. A shared buffer
  // may hold one type after another: then with that of the elements that are
  // written.
  auto ByElements = [&] {
    unsigned Bytes = 0;
    const unsigned Wanted =
        isParameter(To.Array) ? byteSize(S[To.Array].Elem) : 0;
    for (const Write &W : S[From.Array].Writes)
      if (W.Size && !W.ZeroFill &&
          (!Bytes || (Bytes != Wanted && W.Size < Bytes) || W.Size == Wanted))
        Bytes = W.Size;
    if (!Bytes && From.Array[0] == '!')
      return fail(DiagID::SharedElement, here(),
                  SharedNames[From.Array] + " is copied before it is filled");
    if (!Bytes)
      Bytes = std::min<int64_t>(Size, 4);
    if (Size % Bytes != 0 && From.Array[0] == '!')
      return fail(DiagID::UnsupportedType, here(),
                  SharedNames[From.Array] +
                      " is read as another type than it is stored as");
    if (Size % Bytes != 0 || Size / Bytes > 4096)
      return fail(DiagID::UnsupportedStatement, here(),
                  "a part of a stored number is copied");
    for (int64_t Offset = 0; Offset < Size; Offset += Bytes)
      if (!CopyPiece(Offset, Bytes))
        return false;
    return true;
  };
  if (From.Array[0] == '!')
    return ByElements();
  if (From.Array[0] == '#') {
    // The pieces that lie inside the copied bytes, as they were stored.
    std::map<uint64_t, unsigned> Pieces;
    for (const Write &W : S[From.Array].Writes) {
      auto D = (W.Index - From.I).getConstant();
      if (!W.Loops.empty() || !D || W.ZeroFill)
        return ByElements();
      if (*D + static_cast<int64_t>(W.Size) <= 0 || *D >= Size)
        continue;
      if (*D < 0 || *D + static_cast<int64_t>(W.Size) > Size)
        return fail(DiagID::UnsupportedStatement, here(),
                    "a part of a stored number is copied");
      Pieces[*D] = W.Size;
    }
    // Bytes that were never stored have no value after the copy either. Old
    // pieces at the target are removed.
    ArrayState *Target = To.Array[0] == '#' ? &S[To.Array] : nullptr;
    if (Target)
      for (const Write &W : Target->Writes) {
        auto D = (W.Index - To.I).getConstant();
        if (!D || !W.Loops.empty())
          return ByElements();
        if (*D + static_cast<int64_t>(W.Size) > 0 && *D < Size &&
            !Pieces.count(*D)) {
          if (*D < 0 || *D + static_cast<int64_t>(W.Size) > Size)
            return fail(DiagID::UnsupportedStatement, here(),
                        "a part of a stored number is copied");
          Pieces[*D] = W.Size;
        }
      }
    for (const auto &[Offset, Bytes] : Pieces)
      if (!CopyPiece(Offset, Bytes))
        return false;
    return true;
  }
  // Copies constant memory number by number.
  if (From.Array[0] == '@' && Start) {
    const llvm::GlobalVariable *G =
        Module.module().getGlobalVariable(From.Array.substr(1), true);
    if (G && Module.isConstantMemory(*G)) {
      int64_t Copied = 0;
      for (const ConstantLeaf &L : Module.constants()) {
        const int64_t At = static_cast<int64_t>(L.Offset) - *Start;
        if (L.Variable != G || At < 0 || At + byteSize(L.Type) > Size)
          continue;
        SymValue Target = To;
        Target.I = Target.I + IntExpr(At);
        if (!storePiece(Target, SymValue::scalar(Value::global(L.Type, L.Name)),
                        byteSize(L.Type)))
          return false;
        Copied += byteSize(L.Type);
      }
      if (Copied == Size)
        return true;
      return fail(DiagID::UnsupportedStatement, here(),
                  "'" + Module.variableName(*G).str() +
                      "', in constant memory, is copied with more than numbers "
                      "in it");
    }
  }
  // `float *stages[2] = {tile, tile + 256};`
  if (From.Array[0] == '@' && Start == 0) {
    const llvm::GlobalVariable *G =
        Module.module().getGlobalVariable(From.Array.substr(1), true);
    const auto *Table =
        G && G->isConstant() && G->hasInitializer()
            ? llvm::dyn_cast<llvm::ConstantArray>(G->getInitializer())
            : nullptr;
    const unsigned Bytes = sizeof(uint64_t);
    if (Table && Table->getType()->getElementType()->isPointerTy() &&
        Size == static_cast<int64_t>(Table->getNumOperands()) * Bytes) {
      for (unsigned N = 0; N < Table->getNumOperands(); ++N) {
        SymValue Target = To;
        Target.I = Target.I + IntExpr(static_cast<int64_t>(N) * Bytes);
        if (!storePiece(Target, valueOf(Table->getOperand(N)), Bytes))
          return false;
      }
      return true;
    }
  }
  // For a constant the size with which it will be read is not known, so the
  // usual sizes of numbers are tried.
  if (From.Array[0] == '@' && Start && Size % 4 == 0 && Size <= 4096) {
    llvm::Type *Word = llvm::Type::getInt32Ty(Module.module().getContext());
    const llvm::GlobalVariable *G =
        Module.module().getGlobalVariable(From.Array.substr(1), true);
    if (G && G->hasInitializer()) {
      llvm::Type *T = G->getValueType();
      while (T->isArrayTy() || T->isStructTy())
        T = T->isArrayTy() ? T->getArrayElementType()
                           : T->getStructElementType(0);
      if (!T->isPointerTy())
        Word = T;
    }
    unsigned Bytes = Layout.getTypeStoreSize(Word).getFixedValue();
    for (int64_t Offset = 0; Offset + Bytes <= Size; Offset += Bytes) {
      SymValue Source = From, Target = To;
      Source.I = Source.I + IntExpr(static_cast<int64_t>(Offset));
      Target.I = Target.I + IntExpr(static_cast<int64_t>(Offset));
      SymValue V = loadGlobal(Source, Word);
      if (Failed || !storePiece(Target, std::move(V), Bytes))
        return false;
    }
    return true;
  }
  return fail(DiagID::UnsupportedStatement, here(),
              "this copy of memory is not understood");
}

} // namespace warpwright::symbolic
