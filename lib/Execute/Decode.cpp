//===-- Decode.cpp - From LLVM IR to the form that is executed ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

namespace warpwright {
namespace execute {

bool flatten(llvm::Type *T, const llvm::DataLayout &DL,
             llvm::SmallVectorImpl<Leaf> &Out, uint64_t Offset) {
  constexpr unsigned MaxLeaves = 1024;
  if (Out.size() > MaxLeaves)
    return false;
  if (auto *S = llvm::dyn_cast<llvm::StructType>(T)) {
    const llvm::StructLayout *Layout = DL.getStructLayout(S);
    for (unsigned E = 0; E < S->getNumElements(); ++E)
      if (!flatten(S->getElementType(E), DL, Out,
                   Offset + Layout->getElementOffset(E).getFixedValue()))
        return false;
    return true;
  }
  llvm::Type *Element = nullptr;
  uint64_t Count = 0;
  if (auto *A = llvm::dyn_cast<llvm::ArrayType>(T)) {
    Element = A->getElementType();
    Count = A->getNumElements();
  } else if (auto *V = llvm::dyn_cast<llvm::FixedVectorType>(T)) {
    Element = V->getElementType();
    Count = V->getNumElements();
  }
  if (Element) {
    if (Count > MaxLeaves)
      return false;
    // In memory the elements of a vector follow each other bit by bit.
    const uint64_t Stride = T->isVectorTy()
                                ? DL.getTypeSizeInBits(Element) / 8
                                : DL.getTypeAllocSize(Element).getFixedValue();
    for (uint64_t E = 0; E < Count; ++E)
      if (!flatten(Element, DL, Out, Offset + E * Stride))
        return false;
    return true;
  }
  const bool Scalar = T->isPointerTy() || floatType(T) ||
                      (T->isIntegerTy() && T->getIntegerBitWidth() <= 64);
  if (Scalar)
    Out.push_back({T, Offset});
  return Scalar;
}

unsigned widthOf(llvm::Type *T, const llvm::DataLayout &DL) {
  return static_cast<unsigned>(DL.getTypeSizeInBits(T).getFixedValue());
}

std::optional<ScalarType> floatType(llvm::Type *T) {
  if (T->isFloatTy())
    return ScalarType::F32;
  if (T->isDoubleTy())
    return ScalarType::F64;
  if (T->isHalfTy())
    return ScalarType::F16;
  if (T->isBFloatTy())
    return ScalarType::BF16;
  return std::nullopt;
}

/// Whether every scalar of the type has bytes of its own in memory. Elements of
/// vectors such as <8 x i1> do not, since they are packed.
static bool hasPlainMemory(llvm::Type *T, const llvm::DataLayout &DL) {
  if (auto *V = llvm::dyn_cast<llvm::FixedVectorType>(T))
    return DL.getTypeSizeInBits(V->getElementType()) % 8 == 0;
  if (T->isStructTy() || T->isArrayTy())
    return llvm::all_of(T->subtypes(), [&](llvm::Type *Sub) {
      return hasPlainMemory(Sub, DL);
    });
  return true;
}

bool Decoder::allocateConstant(const llvm::Constant &C) {
  if (Values.count(&C))
    return true;
  llvm::SmallVector<Leaf> Leaves;
  Slots List;
  if (!flatten(C.getType(), DL, Leaves))
    return false;
  auto Add = [&](const Slot &S) {
    List.push_back(Out.Constants.size());
    Out.Constants.push_back(S);
  };
  // Undefined bits of a constant are poison, with the constant as reason.
  auto AddUndefined = [&] {
    I.PoisonConstants = true;
    Add({0, I.poison("an undefined value")});
  };
  if (llvm::isa<llvm::UndefValue>(C)) {
    for (size_t L = 0; L < Leaves.size(); ++L)
      AddUndefined();
  } else if (C.getType()->isAggregateType() || C.getType()->isVectorTy()) {
    llvm::SmallVector<const llvm::Constant *> Work = {&C};
    while (!Work.empty()) {
      const llvm::Constant *Next = Work.pop_back_val();
      llvm::Type *T = Next->getType();
      if (T->isAggregateType() || T->isVectorTy()) {
        unsigned Count =
            T->isStructTy() ? T->getStructNumElements()
            : T->isArrayTy()
                ? static_cast<unsigned>(T->getArrayNumElements())
                : llvm::cast<llvm::FixedVectorType>(T)->getNumElements();
        while (Count-- > 0) {
          const llvm::Constant *Element = Next->getAggregateElement(Count);
          if (!Element)
            return false;
          Work.push_back(Element);
        }
        continue;
      }
      if (llvm::isa<llvm::UndefValue>(Next)) {
        AddUndefined();
        continue;
      }
      auto S = I.evaluate(*Next);
      if (!S)
        return false;
      Add(*S);
    }
  } else {
    auto S = I.evaluate(C);
    if (!S)
      return false;
    Add(*S);
  }
  Values[&C] = List;
  return true;
}

void Decoder::allocateConstants() {
  for (const llvm::BasicBlock &B : F)
    for (const llvm::Instruction &In : B) {
      // Constant indices of addresses and cases of a switch are parts of the
      // decoded instruction and need no slots.
      const bool Address = llvm::isa<llvm::GetElementPtrInst>(In);
      if (llvm::isa<llvm::SwitchInst>(In))
        continue;
      for (const llvm::Value *V : In.operand_values()) {
        auto *C = llvm::dyn_cast<llvm::Constant>(V);
        if (!C || (Address && llvm::isa<llvm::ConstantInt>(C)))
          continue;
        if (auto *Call = llvm::dyn_cast<llvm::CallBase>(&In))
          if (C == Call->getCalledOperand())
            continue;
        // If this fails, the instruction is decoded as unsupported.
        allocateConstant(*C);
      }
    }
}

llvm::ArrayRef<uint32_t> Decoder::define(const llvm::Instruction &In) {
  llvm::SmallVector<Leaf> Leaves;
  Slots List;
  if (!In.getType()->isVoidTy() && flatten(In.getType(), DL, Leaves))
    for (size_t L = 0; L < Leaves.size(); ++L)
      List.push_back(Out.SlotCount++);
  else
    List.push_back(Out.SlotCount++);
  return Values[&In] = List;
}

Inst &Decoder::emit(Op Code, uint32_t Dst, uint32_t A, uint32_t B, uint32_t C) {
  Inst In;
  In.Code = Code;
  In.Dst = Dst;
  In.A = A;
  In.B = B;
  In.C = C;
  Out.Code.push_back(In);
  Out.Origins.push_back(Origin);
  return Out.Code.back();
}

CallInfo &Decoder::newCall(Inst &In) {
  In.Imm = Out.Calls.size();
  return Out.Calls.emplace_back();
}

void Decoder::unsupported(const llvm::Instruction &In,
                          const llvm::Twine &What) {
  if (!In.getType()->isVoidTy() && !Values.count(&In))
    (void)define(In);
  newCall(emit(Op::Unsupported)).Reason = What.str();
}

uint32_t Decoder::addEdge(const llvm::BasicBlock *From,
                          const llvm::BasicBlock *To) {
  EdgeBlocks.push_back({From, To});
  return EdgeBlocks.size() - 1;
}

void Decoder::finishEdges() {
  for (auto [From, To] : EdgeBlocks) {
    Edge E;
    E.Target = Starts.lookup(To);
    E.FirstMove = Out.Moves.size();
    for (const llvm::PHINode &Phi : To->phis()) {
      const llvm::Value *V = Phi.getIncomingValueForBlock(From);
      auto Sources = Values.find(V);
      llvm::ArrayRef<uint32_t> Targets = slotsOf(&Phi);
      if (Sources == Values.end() || Sources->second.size() != Targets.size())
        continue; // reported where the phi is
      for (auto [D, S] : llvm::zip(Targets, Sources->second)) {
        for (size_t M = E.FirstMove; M < Out.Moves.size(); ++M)
          E.Parallel |= Out.Moves[M].first == S;
        Out.Moves.push_back({D, S});
      }
    }
    E.LastMove = Out.Moves.size();
    Out.Edges.push_back(E);
  }
}

void Decoder::run() {
  Out.Source = &F;
  allocateConstants();
  Out.SlotCount = Out.Constants.size();
  for (const llvm::Argument &A : F.args()) {
    llvm::SmallVector<Leaf> Leaves;
    Slots List;
    if (!flatten(A.getType(), DL, Leaves))
      Leaves.resize(1);
    for (size_t L = 0; L < Leaves.size(); ++L)
      List.push_back(Out.SlotCount++);
    Values[&A] = List;
  }
  Out.ArgumentCount = Out.SlotCount - Out.Constants.size();
  llvm::ReversePostOrderTraversal<const llvm::Function *> Traversal(&F);
  const std::vector<const llvm::BasicBlock *> Order(Traversal.begin(),
                                                    Traversal.end());
  findInvariants(Order);
  auto Decode = [&](const llvm::Instruction &In) {
    Origin = &In;
    decode(In);
  };
  for (const llvm::BasicBlock *B : Order) {
    Starts[B] = Out.Code.size();
    for (const llvm::Instruction &In : *B) {
      if (&In == B->getTerminator())
        for (const llvm::Instruction *Early : MovedTo[B])
          Decode(*Early);
      if (!Moved.contains(&In))
        Decode(In);
    }
  }
  finishEdges();
  // An edge to a phi whose incoming value has no slots is not supported.
  for (const auto &[Index, Blocks] : llvm::enumerate(EdgeBlocks))
    for (const llvm::PHINode &Phi : Blocks.second->phis()) {
      auto It = Values.find(Phi.getIncomingValueForBlock(Blocks.first));
      if (It != Values.end() && It->second.size() == slotsOf(&Phi).size())
        continue;
      Origin = &Phi;
      Out.Edges[Index].Target = Out.Code.size();
      unsupported(Phi, "a constant");
    }
}

static bool sameShape(llvm::ArrayRef<uint32_t> A, llvm::ArrayRef<uint32_t> B) {
  return A.size() == B.size();
}

void Decoder::decode(const llvm::Instruction &In) {
  // An instruction is not supported if one of its operands has no slots.
  for (const llvm::Value *V : In.operand_values()) {
    if (llvm::isa<llvm::PHINode>(In))
      break;
    const bool Needed =
        llvm::isa<llvm::Instruction>(V) || llvm::isa<llvm::Argument>(V) ||
        (llvm::isa<llvm::Constant>(V) &&
         !(llvm::isa<llvm::GetElementPtrInst>(In) &&
           llvm::isa<llvm::ConstantInt>(V)) &&
         !llvm::isa<llvm::SwitchInst>(In) &&
         !(llvm::isa<llvm::CallBase>(In) &&
           V == llvm::cast<llvm::CallBase>(In).getCalledOperand()));
    if (Needed && !Values.count(V)) {
      return unsupported(In, llvm::isa<llvm::Constant>(V)
                                 ? "a constant"
                                 : "a value of its type");
    }
  }
  llvm::SmallVector<Leaf> Leaves;
  if (!In.getType()->isVoidTy() && !flatten(In.getType(), DL, Leaves))
    return unsupported(In, "a value of its type");
  switch (In.getOpcode()) {
  case llvm::Instruction::PHI:
    (void)define(In);
    return;
  case llvm::Instruction::Br: {
    const auto &Br = llvm::cast<llvm::BranchInst>(In);
    if (Br.isUnconditional())
      emit(Op::Jump, 0, addEdge(In.getParent(), Br.getSuccessor(0)));
    else {
      const uint32_t Then = addEdge(In.getParent(), Br.getSuccessor(0));
      const uint32_t Else = addEdge(In.getParent(), Br.getSuccessor(1));
      emit(Op::Branch, 0, slot(Br.getCondition()), Then, Else);
    }
    return;
  }
  case llvm::Instruction::Switch: {
    const auto &Switch = llvm::cast<llvm::SwitchInst>(In);
    auto On = Values.find(Switch.getCondition());
    if (On == Values.end())
      return unsupported(In, "a switch over a constant");
    SwitchTable Table;
    Table.Default = addEdge(In.getParent(), Switch.getDefaultDest());
    for (const auto &Case : Switch.cases())
      Table.Cases.push_back({Case.getCaseValue()->getZExtValue(),
                             addEdge(In.getParent(), Case.getCaseSuccessor())});
    emit(Op::Switch, 0, On->second[0]).Imm = Out.Switches.size();
    Out.Switches.push_back(std::move(Table));
    return;
  }
  case llvm::Instruction::Ret: {
    const uint32_t First = Out.ReturnSlots.size();
    if (const llvm::Value *V =
            llvm::cast<llvm::ReturnInst>(In).getReturnValue())
      for (uint32_t S : slotsOf(V))
        Out.ReturnSlots.push_back(S);
    emit(Op::Return, 0, First, Out.ReturnSlots.size() - First);
    return;
  }
  case llvm::Instruction::Unreachable:
    emit(Op::Unreachable);
    return;
  case llvm::Instruction::Call:
  case llvm::Instruction::Invoke:
    return decodeCall(llvm::cast<llvm::CallBase>(In));
  case llvm::Instruction::GetElementPtr:
    return decodeAddress(llvm::cast<llvm::GetElementPtrInst>(In));
  case llvm::Instruction::Load:
  case llvm::Instruction::Store:
  case llvm::Instruction::Alloca:
  case llvm::Instruction::AtomicRMW:
    return decodeMemory(In);
  case llvm::Instruction::Fence:
    return;
  case llvm::Instruction::ExtractValue:
  case llvm::Instruction::InsertValue:
  case llvm::Instruction::ExtractElement:
  case llvm::Instruction::InsertElement:
  case llvm::Instruction::ShuffleVector:
    return decodeElement(In);
  case llvm::Instruction::ICmp:
  case llvm::Instruction::FCmp: {
    const auto &Cmp = llvm::cast<llvm::CmpInst>(In);
    Slots L(slotsOf(Cmp.getOperand(0))), R(slotsOf(Cmp.getOperand(1)));
    llvm::Type *T = Cmp.getOperand(0)->getType()->getScalarType();
    Slots D(define(In));
    for (size_t E = 0; E < D.size(); ++E) {
      Inst &New =
          emit(Cmp.isIntPredicate() ? Op::ICmp : Op::FCmp, D[E], L[E], R[E]);
      New.Flags = Cmp.getPredicate();
      New.Width = widthOf(T, DL);
      if (!Cmp.isIntPredicate())
        New.C = static_cast<uint32_t>(*floatType(T));
    }
    return;
  }
  case llvm::Instruction::Select: {
    Slots C(slotsOf(In.getOperand(0))), L(slotsOf(In.getOperand(1))),
        R(slotsOf(In.getOperand(2)));
    Slots D(define(In));
    for (size_t E = 0; E < D.size(); ++E)
      emit(Op::Select, D[E], C[C.size() == D.size() ? E : 0], L[E], R[E]);
    return;
  }
  case llvm::Instruction::FNeg: {
    Slots A(slotsOf(In.getOperand(0)));
    Slots D(define(In));
    for (size_t E = 0; E < D.size(); ++E)
      emit(Op::FNeg, D[E], A[E]).Width =
          widthOf(In.getType()->getScalarType(), DL);
    return;
  }
  case llvm::Instruction::Freeze: {
    Slots A(slotsOf(In.getOperand(0)));
    Slots D(define(In));
    for (size_t E = 0; E < D.size(); ++E)
      emit(Op::Freeze, D[E], A[E]);
    return;
  }
  default:
    break;
  }
  if (auto *Binary = llvm::dyn_cast<llvm::BinaryOperator>(&In))
    return decodeBinary(*Binary);
  if (auto *Cast = llvm::dyn_cast<llvm::CastInst>(&In))
    return decodeCast(*Cast);
  unsupported(In, llvm::Twine("the instruction '") + In.getOpcodeName() + "'");
}

void Decoder::decodeBinary(const llvm::BinaryOperator &In) {
  using I = llvm::Instruction;
  llvm::Type *T = In.getType()->getScalarType();
  Slots L(slotsOf(In.getOperand(0))), R(slotsOf(In.getOperand(1)));
  Slots D(define(In));
  std::optional<Op> Code;
  std::optional<Arithmetic> Float;
  switch (In.getOpcode()) {
  case I::Add:
    Code = Op::Add;
    break;
  case I::Sub:
    Code = Op::Sub;
    break;
  case I::Mul:
    Code = Op::Mul;
    break;
  case I::UDiv:
    Code = Op::UDiv;
    break;
  case I::SDiv:
    Code = Op::SDiv;
    break;
  case I::URem:
    Code = Op::URem;
    break;
  case I::SRem:
    Code = Op::SRem;
    break;
  case I::Shl:
    Code = Op::Shl;
    break;
  case I::LShr:
    Code = Op::LShr;
    break;
  case I::AShr:
    Code = Op::AShr;
    break;
  case I::And:
    Code = Op::And;
    break;
  case I::Or:
    Code = Op::Or;
    break;
  case I::Xor:
    Code = Op::Xor;
    break;
  case I::FAdd:
    Float = Arithmetic::Add;
    break;
  case I::FSub:
    Float = Arithmetic::Sub;
    break;
  case I::FMul:
    Float = Arithmetic::Mul;
    break;
  case I::FDiv:
    Float = Arithmetic::Div;
    break;
  default:
    return unsupported(In, llvm::Twine("the instruction '") +
                               In.getOpcodeName() + "'");
  }
  uint8_t Flags = 0;
  if (auto *O = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&In))
    Flags |= (O->hasNoSignedWrap() ? NoSigned : 0) |
             (O->hasNoUnsignedWrap() ? NoUnsigned : 0);
  if (auto *E = llvm::dyn_cast<llvm::PossiblyExactOperator>(&In))
    Flags |= E->isExact() ? ExactFlag : 0;
  if (auto *Or = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&In))
    Flags |= Or->isDisjoint() ? Disjoint : 0;
  for (size_t E = 0; E < D.size(); ++E) {
    Inst &New = emit(Code.value_or(Op::FArith), D[E], L[E], R[E]);
    New.Width = widthOf(T, DL);
    New.Flags = Flags;
    if (New.Width == 32 && Flags == NoSigned)
      New.Code = New.Code == Op::Add   ? Op::AddInt
                 : New.Code == Op::Sub ? Op::SubInt
                 : New.Code == Op::Mul ? Op::MulInt
                                       : New.Code;
    if (!Float)
      continue;
    New.Flags = static_cast<uint8_t>(*Float);
    New.C = static_cast<uint32_t>(*floatType(T));
    if (T->isFloatTy() && *Float != Arithmetic::Div)
      New.Code = *Float == Arithmetic::Add   ? Op::FAdd32
                 : *Float == Arithmetic::Sub ? Op::FSub32
                                             : Op::FMul32;
  }
}

void Decoder::decodeCast(const llvm::CastInst &In) {
  using I = llvm::Instruction;
  if (In.getOpcode() == I::BitCast)
    return decodeBitCast(In);
  llvm::Type *From = In.getSrcTy()->getScalarType(),
             *To = In.getDestTy()->getScalarType();
  const unsigned FromWidth = widthOf(From, DL), ToWidth = widthOf(To, DL);
  Slots A(slotsOf(In.getOperand(0)));
  if (In.getOpcode() == I::AddrSpaceCast) {
    // All address spaces share their addresses here.
    Values[&In] = A;
    return;
  }
  Slots D(define(In));
  auto IntegerType = [](unsigned Width, bool Signed) {
    // The narrowest type that holds it; the instruction knows the width.
    return Width <= 32 ? (Signed ? ScalarType::I32 : ScalarType::U32)
                       : (Signed ? ScalarType::I64 : ScalarType::U64);
  };
  for (size_t E = 0; E < D.size(); ++E) {
    switch (In.getOpcode()) {
    case I::Trunc: {
      Inst &New = emit(Op::Trunc, D[E], A[E]);
      New.Width = ToWidth;
      New.Imm = FromWidth;
      const auto &Trunc = llvm::cast<llvm::TruncInst>(In);
      New.Flags = (Trunc.hasNoSignedWrap() ? NoSigned : 0) |
                  (Trunc.hasNoUnsignedWrap() ? NoUnsigned : 0);
      break;
    }
    case I::ZExt: {
      Inst &New = emit(Op::ZExt, D[E], A[E]);
      New.Width = FromWidth;
      // `nneg`: a negative number has no result.
      New.Flags = In.hasNonNeg() ? NoSigned : 0;
      break;
    }
    case I::SExt: {
      Inst &New = emit(Op::SExt, D[E], A[E]);
      New.Width = FromWidth;
      New.Imm = ToWidth;
      break;
    }
    case I::IntToPtr:
      // An address of shared memory has 32 bits in inline assembly.
      if (FromWidth == 32 && In.getType()->isPointerTy() &&
          In.getType()->getPointerAddressSpace() == 3) {
        emit(Op::SharedAddress, D[E], A[E]);
        break;
      }
      [[fallthrough]];
    case I::PtrToInt:
    case I::PtrToAddr:
      emit(Op::Trunc, D[E], A[E]).Width = ToWidth;
      Out.Code.back().Imm = 64;
      break;
    case I::FPTrunc:
    case I::FPExt: {
      Inst &New =
          emit(Op::Convert, D[E], A[E], static_cast<uint32_t>(*floatType(From)),
               static_cast<uint32_t>(*floatType(To)));
      New.Width = 64;
      break;
    }
    case I::FPToSI:
    case I::FPToUI: {
      const bool Signed = In.getOpcode() == I::FPToSI;
      Inst &New =
          emit(Op::Convert, D[E], A[E], static_cast<uint32_t>(*floatType(From)),
               static_cast<uint32_t>(ScalarType::I64));
      New.C = static_cast<uint32_t>(ToWidth == 64 && !Signed ? ScalarType::U64
                                                             : ScalarType::I64);
      New.Width = ToWidth;
      New.Flags = Signed;
      break;
    }
    case I::SIToFP:
    case I::UIToFP: {
      const bool Signed = In.getOpcode() == I::SIToFP;
      Inst &New = emit(Op::Convert, D[E], A[E],
                       static_cast<uint32_t>(IntegerType(64, Signed)),
                       static_cast<uint32_t>(*floatType(To)));
      New.Width = 64;
      New.Imm = FromWidth; // extended first
      break;
    }
    default:
      return unsupported(In,
                         llvm::Twine("the cast '") + In.getOpcodeName() + "'");
    }
  }
}

void Decoder::decodeBitCast(const llvm::CastInst &In) {
  Slots A(slotsOf(In.getOperand(0)));
  llvm::SmallVector<Leaf> To;
  flatten(In.getDestTy(), DL, To);
  if (sameShape(A, Slots(To.size()))) {
    Values[&In] = A;
    return;
  }
  const unsigned FromWidth = widthOf(In.getSrcTy()->getScalarType(), DL),
                 ToWidth = widthOf(In.getDestTy()->getScalarType(), DL);
  Slots D(define(In));
  if (FromWidth < ToWidth && ToWidth % FromWidth == 0) {
    const unsigned Pieces = ToWidth / FromWidth;
    for (size_t E = 0; E < D.size(); ++E) {
      emit(Op::Move, D[E], A[E * Pieces]);
      for (unsigned P = 1; P < Pieces; ++P)
        emit(Op::Pack, D[E], D[E], A[E * Pieces + P]).Width = P * FromWidth;
    }
    return;
  }
  if (FromWidth % ToWidth == 0) {
    const unsigned Pieces = FromWidth / ToWidth;
    for (size_t E = 0; E < D.size(); ++E) {
      Inst &New = emit(Op::Extract, D[E], A[E / Pieces]);
      New.Imm = E % Pieces * ToWidth;
      New.Width = ToWidth;
    }
    return;
  }
  unsupported(In, "a bit cast between vectors");
}

void Decoder::decodeAddress(const llvm::GetElementPtrInst &In) {
  if (In.getType()->isVectorTy())
    return unsupported(In, "a vector of addresses");
  for (const llvm::Value *V : In.indices())
    if (V->getType()->isVectorTy())
      return unsupported(In, "a vector of addresses");
  llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> Variables;
  llvm::APInt Constant(64, 0);
  uint32_t Base = slot(In.getPointerOperand());
  if (!llvm::cast<llvm::GEPOperator>(In).collectOffset(DL, 64, Variables,
                                                       Constant))
    return unsupported(In, "an address");
  if (Variables.empty() && Constant.isZero()) {
    Values[&In] = {Base};
    return;
  }
  const uint32_t D = define(In)[0];
  uint64_t Offset = Constant.getZExtValue();
  const bool Strict = In.isInBounds();
  if (Variables.empty()) {
    // Without an index: B is the address itself, times 0.
    Inst &New = emit(Op::Address, D, Base, Base, 0);
    New.Width = 64;
    New.Flags = (Strict ? 1 : 0) | 2;
    New.Imm = Offset;
    return;
  }
  for (auto &[V, Scale] : Variables) {
    Inst &New = emit(Op::Address, D, Base, slot(V));
    New.Width = widthOf(V->getType(), DL);
    New.Flags = Strict;
    New.Imm = Scale.getZExtValue();
    Base = D;
  }
  if (Offset) {
    Inst &New = emit(Op::Address, D, D, D, 0);
    New.Width = 64;
    New.Flags = (Strict ? 1 : 0) | 2;
    New.Imm = Offset;
  }
}

void Decoder::decodeMemory(const llvm::Instruction &In) {
  if (auto *A = llvm::dyn_cast<llvm::AllocaInst>(&In)) {
    const uint64_t Size =
        DL.getTypeAllocSize(A->getAllocatedType()).getFixedValue();
    const uint32_t Count = slot(A->getArraySize());
    const uint32_t D = define(In)[0];
    emit(Op::Alloca, D, 0, Count).Imm = Size;
    return;
  }
  if (auto *R = llvm::dyn_cast<llvm::AtomicRMWInst>(&In)) {
    if (!In.use_empty())
      return unsupported(In, "an atomic operation whose result is used");
    const uint32_t Pointer = slot(R->getPointerOperand()),
                   V = slot(R->getValOperand());
    const uint32_t D = define(In)[0];
    llvm::Type *T = R->getValOperand()->getType();
    Inst &New = emit(Op::Atomic, D, Pointer, V);
    New.Width = widthOf(T, DL);
    New.Flags = R->getOperation();
    New.C = floatType(T) ? static_cast<uint32_t>(*floatType(T)) : 0;
    return;
  }
  auto *L = llvm::dyn_cast<llvm::LoadInst>(&In);
  auto *S = llvm::dyn_cast<llvm::StoreInst>(&In);
  llvm::Type *T = L ? L->getType() : S->getValueOperand()->getType();
  if (L ? L->isAtomic() : S->isAtomic())
    return unsupported(In, "an atomic access");
  llvm::SmallVector<Leaf> Leaves;
  if (!flatten(T, DL, Leaves) || !hasPlainMemory(T, DL))
    return unsupported(In, "an access of its type");
  const uint32_t Pointer =
      slot(L ? L->getPointerOperand() : S->getPointerOperand());
  Slots Scalars = L ? Slots(define(In)) : Slots(slotsOf(S->getValueOperand()));
  // The elements are loaded one by one. None overwrites the address, since the
  // result has new slots.
  for (auto [Leaf, Scalar] : llvm::zip(Leaves, Scalars)) {
    Inst &New = L ? emit(Op::Load, Scalar, Pointer)
                  : emit(Op::Store, 0, Pointer, Scalar);
    New.Width = widthOf(Leaf.Type, DL);
    New.Imm = Leaf.Offset;
  }
}

void Decoder::decodeElement(const llvm::Instruction &In) {
  Slots A(slotsOf(In.getOperand(0)));
  // The range of scalars of an aggregate that belong to one of its elements.
  auto Range = [&](llvm::Type *T, llvm::ArrayRef<unsigned> Indices) {
    uint64_t First = 0, Count = 0;
    auto CountOf = [&](llvm::Type *Of) {
      llvm::SmallVector<Leaf> Leaves;
      flatten(Of, DL, Leaves);
      return Leaves.size();
    };
    for (unsigned Index : Indices) {
      if (auto *S = llvm::dyn_cast<llvm::StructType>(T)) {
        for (unsigned E = 0; E < Index; ++E)
          First += CountOf(S->getElementType(E));
        T = S->getElementType(Index);
      } else {
        T = T->getArrayElementType();
        First += Index * CountOf(T);
      }
    }
    Count = CountOf(T);
    return std::make_pair(First, Count);
  };
  if (auto *E = llvm::dyn_cast<llvm::ExtractValueInst>(&In)) {
    auto [First, Count] =
        Range(E->getAggregateOperand()->getType(), E->getIndices());
    Values[&In] = Slots(llvm::ArrayRef(A).slice(First, Count));
    return;
  }
  if (auto *E = llvm::dyn_cast<llvm::InsertValueInst>(&In)) {
    auto [First, Count] =
        Range(E->getAggregateOperand()->getType(), E->getIndices());
    llvm::copy(slotsOf(E->getInsertedValueOperand()), A.begin() + First);
    Values[&In] = A;
    return;
  }
  if (auto *S = llvm::dyn_cast<llvm::ShuffleVectorInst>(&In)) {
    Slots B(slotsOf(In.getOperand(1))), D;
    for (int Index : S->getShuffleMask()) {
      if (Index < 0)
        return unsupported(In, "an undefined element");
      D.push_back(static_cast<size_t>(Index) < A.size() ? A[Index]
                                                        : B[Index - A.size()]);
    }
    Values[&In] = D;
    return;
  }
  const bool Insert = llvm::isa<llvm::InsertElementInst>(In);
  const llvm::Value *Index = In.getOperand(Insert ? 2 : 1);
  auto *C = llvm::dyn_cast<llvm::ConstantInt>(Index);
  if (!C || C->getZExtValue() >= A.size())
    return unsupported(In, "an element chosen at run time");
  if (Insert)
    A[C->getZExtValue()] = slot(In.getOperand(1));
  Values[&In] = Insert ? A : Slots{A[C->getZExtValue()]};
}

} // namespace execute
} // namespace warpwright
