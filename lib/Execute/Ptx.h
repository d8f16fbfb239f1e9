//===-- Ptx.h - Inline assembly of CUDA's headers ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The half and bfloat16 functions of CUDA's headers are inline assembly. The
/// straight-line PTX in them is parsed once and executed.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_EXECUTE_PTX_H
#define WARPWRIGHT_LIB_EXECUTE_PTX_H

#include "warpwright/Contraction/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace warpwright {
namespace execute {

enum class PtxOp {
  Move,
  Split,
  Join,
  Convert,
  ToTf32,
  Add,
  Sub,
  Mul,
  Fma,
  Dot4, ///< the products of four bytes each, To and From, and a number
  Neg,
  Abs,
  Min,
  Max,
  Rcp,
  Sqrt,
  Exp2,
  Log2,
  Tanh,
  Load,      ///< one register, or two or four, and the address
  CopyAsync, ///< to, from, size, bytes that are copied
  CopyCommit,
  CopyWait,
  SetP,
  SelP,
  Set
};
enum class PtxType {
  B16,
  B32,
  B64,
  U16,
  S16,
  U32,
  S32,
  U64,
  S64,
  F16,
  BF16,
  F16x2,
  BF16x2,
  E4M3x2,
  E5M2x2,
  F32,
  F64,
  Pred
};

struct PtxInst {
  PtxOp Code = PtxOp::Move;
  PtxType To = PtxType::B32, From = PtxType::B32;
  bool FlushDenormals = false;
  bool Nan = false; ///< min.NaN and max.NaN
  enum class Compare { EQ, NE, LT, LE, GT, GE } Test = Compare::EQ;
  bool Unordered = false;          ///< the comparison holds for NaN
  std::vector<uint32_t> Registers; ///< results first
  /// `@p`, `@!p`: executed only if the register has that value.
  std::optional<uint32_t> Predicate;
  bool Negated = false;
};

/// mma.sync or ldmatrix, executed by all lanes of a warp (Matrices.cpp).
struct MatrixOperation {
  enum class Kind { Load, Multiply } Code = Kind::Load;
  std::vector<uint32_t> Results; ///< register numbers, as in the next ones
  uint32_t Address = 0;          ///< Load: of a row of one of the matrices
  unsigned Count = 0;            ///< Load: matrices
  bool Transposed = false;
  bool Generic = false; ///< Load: the address is no offset in shared memory
  std::vector<uint32_t> A, B, C;
  ScalarType Left = ScalarType::F16, Right = ScalarType::F16,
             Sum = ScalarType::F32; ///< of A, of B, and of C
  bool Tf32 = false;
  /// Elements of A and of B in a register.
  unsigned packed() const {
    return Left == ScalarType::F64 ? 1 : 4 / byteSize(Left);
  }
  unsigned Rows = 16; ///< of A and C
  unsigned Depth = 0; ///< columns of A, rows of B
};

/// \p Operands has the registers of each operand. Nothing for an unknown form.
std::optional<MatrixOperation>
parseMatrixOperation(llvm::StringRef Word,
                     llvm::ArrayRef<std::vector<uint32_t>> Operands);

/// Registers 0 .. Outputs - 1 are the results; the arguments follow.
struct PtxProgram {
  unsigned Outputs = 0, Inputs = 0;
  std::vector<uint64_t> Initial; ///< of every register; immediate values
  std::vector<PtxInst> Code;
  /// Results that initially have the value of an argument: both registers.
  std::vector<std::pair<uint32_t, uint32_t>> Tied;
  /// Executed after Code, which then uses nothing but registers.
  std::optional<MatrixOperation> Matrices;
};

/// Fails, naming the instruction, for an unknown one.
llvm::Expected<std::shared_ptr<const PtxProgram>>
parsePtx(llvm::StringRef Text, llvm::StringRef Constraints);

/// The operations that reach beyond registers.
struct PtxMemory {
  /// Reads numbers that follow one another in memory: address, and the size of
  /// one in bytes.
  llvm::function_ref<bool(uint64_t, unsigned, llvm::MutableArrayRef<uint64_t>)>
      Load;
  /// Issues an asynchronous copy: destination (32 bits, in shared memory),
  /// source, size, and the number of bytes that are copied and not zero-filled.
  llvm::function_ref<bool(uint64_t, uint64_t, uint64_t, uint64_t)> Copy;
  llvm::function_ref<void()> Commit;
  /// Waits for all but the given number of groups.
  llvm::function_ref<void(uint64_t)> Wait;
};

/// \p Registers has the arguments on entry, and the results on return.
bool runPtx(const PtxProgram &Program, std::vector<uint64_t> &Registers,
            const PtxMemory &Memory);

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_PTX_H
