//===-- Code.h - Functions in the form that is executed ---------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each function of LLVM IR is decoded once into instructions over numbered
/// slots. A scalar takes one slot, an aggregate or a vector one for each scalar
/// in it, so that aggregates are taken apart and put together without
/// instructions. Constants are slots, too.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_LIB_EXECUTE_CODE_H
#define WARPWRIGHT_LIB_EXECUTE_CODE_H

#include "Fragments.h"
#include "HeaderTable.h"
#include "Ptx.h"
#include "llvm/IR/Instruction.h"

namespace warpwright {
namespace execute {

/// A scalar: an integer, a pointer or the bits of a floating-point number,
/// zero-extended.
struct Slot {
  uint64_t Bits = 0;
  /// 0 for a defined value; otherwise 1 + the index of the reason why it is not
  /// defined (LLVM's poison, and undef, which is treated in the same way).
  uint32_t Poison = 0;
};

enum class Op : uint8_t {
  // Integers of Width bits. Flags: NoSigned, NoUnsigned, Exact, Disjoint.
  Add,
  Sub,
  Mul,
  UDiv,
  SDiv,
  URem,
  SRem,
  Shl,
  LShr,
  AShr,
  AddInt, ///< AddInt, SubInt, MulInt: of 32 bits with NoSigned
  SubInt,
  MulInt,
  And,
  Or,
  Xor,
  ICmp,   ///< Flags: llvm::CmpInst::Predicate
  Select, ///< A ? B : C
  Move,
  Trunc,
  ZExt,
  SExt, ///< Trunc: to Width; SExt: from Width to Imm
  // Floating-point numbers; C: ScalarType.
  FAdd32,
  FSub32,
  FMul32,
  FArith, ///< FArith: Flags says which Arithmetic
  FNeg,
  FCmp,    ///< FCmp: Flags predicate
  Convert, ///< from ScalarType B to ScalarType C
  Math,    ///< Calls[Imm]: a function of HeaderTable over typed slots
  // Memory. Width: bits; Imm: byte offset.
  Load,
  Store,
  SharedAddress, ///< of the array in which 32 bits, A, are an address
  Address,       ///< A + signed B (of Width bits) * Imm; C: bytes to add
  Alloca,        ///< Imm: bytes; B: slot of the number of elements
  CopyBytes, ///< memcpy from B to A, C: slot of the length; Flags: may overlap
  FillBytes, ///< memset
  Forget,    ///< Imm bytes at A become undefined
  Atomic,    ///< atomicrmw; Flags: BinOp; the old value goes to Dst
  // Control. Edges are indices into Function::Edges.
  Jump,   ///< edge A
  Branch, ///< A ? edge B : edge C
  Switch, ///< A; Switches[Imm]
  Return,
  Unreachable,
  Call,          ///< Calls[Imm]
  Indirect,      ///< Calls[Imm], the callee's address in A
  Header,        ///< Calls[Imm].Header
  Assembly,      ///< Calls[Imm].Ptx
  Special,       ///< Dst = special register Imm
  Barrier,       ///< Flags: of A threads
  BarrierReduce, ///< Flags: 0 count, 1 and, 2 or
  Shuffle,       ///< Flags: kind; A mask, B value, C lane, Imm clamp slot
  Vote,          ///< Flags: kind; A mask, B predicate
  Reduction,     ///< Flags: kind; A mask, B value
  ActiveMask,    ///< the lanes that come together
  WarpBarrier,   ///< A mask
  Fragment,      ///< Calls[Imm].Fragment, by a whole warp
  Matrices,      ///< Calls[Imm].Ptx, by a whole warp
  Assume,
  WithOverflow, ///< Dst, Dst + 1; Flags: Instruction opcode | Signed
  BitOp,        ///< Imm: intrinsic ID
  Pack,         ///< Dst = A | B << Width: pieces of a bit cast
  Extract,      ///< Dst = (A >> Imm) of Width bits
  Freeze,
  CopyAsync, ///< to A from B, C: slot of the length, Imm: of zeros in it
  CopyCommit,
  CopyWait,      ///< A: slot of the groups that are left
  SharedBarrier, ///< Flags: SharedBarrierOp; A: which one; B: count or token
  Pipeline, ///< Flags: PipelineOp; A: which one, B: stages; C: of threads, or
            ///< of
            ///< what is left: see PipelineOp
  IsShared, ///< Dst: the address A is of shared (Flags: of global) memory
  Trap,
  Unsupported, ///< Calls[Imm].Reason
};

/// What is done with a pipeline of which all threads of the block are producers
/// and consumers.
enum class PipelineOp : uint8_t { Make, Acquire, Commit, Wait, Release };

/// What is done with a barrier in shared memory.
enum class SharedBarrierOp : uint8_t { Init, Arrive, Wait, Track };

enum Flag : uint8_t {
  NoSigned = 1,   ///< nsw
  NoUnsigned = 2, ///< nuw
  ExactFlag = 4,
  Disjoint = 8,
};

enum class Special : uint8_t {
  TidX,
  TidY,
  TidZ,
  CtaX,
  CtaY,
  CtaZ,
  NTidX,
  NTidY,
  NTidZ,
  NCtaX,
  NCtaY,
  NCtaZ,
  LaneId,
  WarpSize,
  DynamicSharedSize,
};

struct Inst {
  Op Code = Op::Unreachable;
  uint8_t Width = 0;
  uint8_t Flags = 0;
  uint32_t Dst = 0, A = 0, B = 0, C = 0;
  uint64_t Imm = 0;
};

/// From a block to one of its successors.
struct Edge {
  uint32_t Target = 0;                  ///< instruction
  uint32_t FirstMove = 0, LastMove = 0; ///< into Function::Moves
  bool Parallel = false; ///< a move reads what an earlier one wrote
};

struct SwitchTable {
  uint32_t Default = 0; ///< edge
  std::vector<std::pair<uint64_t, uint32_t>> Cases;
};

struct Function;

/// How an argument of a call is converted to a number for the header table.
struct HeaderArgument {
  ScalarType Type = ScalarType::F32;
  bool ByPointer = false; ///< the slot is the address of the number
};

/// Details that do not fit into an instruction.
struct CallInfo {
  const llvm::Function *Callee = nullptr;
  Function *Decoded = nullptr;     ///< once it was called
  std::vector<uint32_t> Arguments; ///< slots, flat
  /// For each slot of Arguments the size of the object to which a byval
  /// argument points.
  std::vector<uint64_t> ByVal;
  std::vector<uint8_t> NoUndef;
  uint32_t Results = 0;
  const HeaderFunction *Header = nullptr;
  std::vector<HeaderArgument> HeaderArguments;
  /// For a constructor or an assignment: the result is stored at the address in
  /// this slot.
  std::optional<uint32_t> ResultAddress;
  ScalarType ResultType = ScalarType::F32;
  /// The result is converted to ResultType, in whatever type the function
  /// computes.
  bool FloatResult = false;
  std::shared_ptr<const PtxProgram> Ptx;
  std::optional<FragmentOperation> Fragment;
  std::string Reason;
};

struct Function {
  const llvm::Function *Source = nullptr;
  uint32_t SlotCount = 0;
  /// The first slots are constants; arguments follow.
  std::vector<Slot> Constants;
  uint32_t ArgumentCount = 0;
  std::vector<Inst> Code;
  /// The origin of each instruction.
  std::vector<const llvm::Instruction *> Origins;
  std::vector<Edge> Edges;
  std::vector<std::pair<uint32_t, uint32_t>> Moves; ///< destination, source
  std::vector<SwitchTable> Switches;
  std::vector<CallInfo> Calls;
  std::vector<uint32_t> ReturnSlots; ///< of Return: the entries A .. A + B
};

} // namespace execute
} // namespace warpwright

#endif // WARPWRIGHT_LIB_EXECUTE_CODE_H
