//===-- Decode.h - From LLVM IR to the form that is executed ----*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_EXECUTE_DECODE_H
#define WARPWRIGHT_LIB_EXECUTE_DECODE_H

#include "Interpreter.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace warpwright {
namespace execute {

/// A scalar in an aggregate or a vector.
struct Leaf {
  llvm::Type *Type;
  uint64_t Offset; ///< in memory
};

/// Splits a type into scalars; false for types that are not supported.
bool flatten(llvm::Type *T, const llvm::DataLayout &DL,
             llvm::SmallVectorImpl<Leaf> &Out, uint64_t Offset = 0);
/// Width of an integer, pointer or floating-point type.
unsigned widthOf(llvm::Type *T, const llvm::DataLayout &DL);
std::optional<ScalarType> floatType(llvm::Type *T);

/// Decodes one function.
class Decoder {
public:
  Decoder(Interpreter &I, const llvm::Function &F, Function &Out)
      : I(I), F(F), Out(Out), DL(F.getParent()->getDataLayout()) {}
  void run();

private:
  using Slots = llvm::SmallVector<uint32_t, 4>;

  void allocateConstants();
  bool allocateConstant(const llvm::Constant &C);
  llvm::ArrayRef<uint32_t> slotsOf(const llvm::Value *V) {
    return Values.find(V)->second;
  }
  uint32_t slot(const llvm::Value *V) { return slotsOf(V)[0]; }
  /// New slots for the result of \p In.
  llvm::ArrayRef<uint32_t> define(const llvm::Instruction &In);
  Inst &emit(Op Code, uint32_t Dst = 0, uint32_t A = 0, uint32_t B = 0,
             uint32_t C = 0);
  void unsupported(const llvm::Instruction &In, const llvm::Twine &What);
  uint32_t addEdge(const llvm::BasicBlock *From, const llvm::BasicBlock *To);
  void finishEdges();

  // Invariant.cpp
  bool isMovable(const llvm::Instruction &In) const;
  void findInvariants(llvm::ArrayRef<const llvm::BasicBlock *> Order);

  void decode(const llvm::Instruction &In);
  void decodeBinary(const llvm::BinaryOperator &In);
  void decodeCast(const llvm::CastInst &In);
  void decodeBitCast(const llvm::CastInst &In);
  void decodeAddress(const llvm::GetElementPtrInst &In);
  void decodeMemory(const llvm::Instruction &In);
  void decodeElement(const llvm::Instruction &In);
  // DecodeCalls.cpp
  void decodeCall(const llvm::CallBase &In);
  bool decodeIntrinsic(const llvm::IntrinsicInst &In);
  bool decodeDevice(const llvm::CallBase &In, llvm::StringRef Name);
  bool decodeFragment(const llvm::CallBase &In, llvm::StringRef Name);
  bool decodeHeader(const llvm::CallBase &In, const llvm::Function &Callee);
  bool decodeCopy(const llvm::CallBase &In, llvm::StringRef Name);
  bool decodeSharedBarrier(const llvm::CallBase &In, llvm::StringRef Name);
  bool decodePipeline(const llvm::CallBase &In, llvm::StringRef Name);
  bool decodeAtomic(const llvm::CallBase &In, llvm::StringRef Name);
  bool decodeReflect(const llvm::CallBase &In);
  static bool isSpecialRegister(const llvm::CallInst &In);
  void decodeAssembly(const llvm::CallBase &In);
  bool emitMath(const llvm::CallBase &In, llvm::StringRef Name,
                unsigned Operands, bool Flush = false);
  bool emitSaturation(const llvm::CallBase &In, bool Signed);
  CallInfo &newCall(Inst &In);

  Interpreter &I;
  const llvm::Function &F;
  Function &Out;
  const llvm::DataLayout &DL;
  llvm::DenseMap<const llvm::Value *, Slots> Values;
  llvm::DenseMap<const llvm::BasicBlock *, uint32_t> Starts;
  std::vector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>>
      EdgeBlocks;
  const llvm::Instruction *Origin = nullptr;
  /// What is executed before the loops that it stands in, at the end of which
  /// block.
  llvm::DenseMap<const llvm::BasicBlock *,
                 std::vector<const llvm::Instruction *>>
      MovedTo;
  llvm::DenseSet<const llvm::Instruction *> Moved;
};

/// The special register that an intrinsic of this name reads.
std::optional<Special> specialRegister(llvm::StringRef Name);

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_DECODE_H
