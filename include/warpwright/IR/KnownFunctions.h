//===-- KnownFunctions.h - Functions of the CUDA headers --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The table of functions whose effect the lift knows. A row applies only to a
/// declaration in a header of CUDA, Clang or the C library
/// (FunctionInfo::Header); a user's function of the same name is executed like
/// any other. A header function without a row is executed as well if it has a
/// body, and is unknown otherwise.
///
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_IR_KNOWNFUNCTIONS_H
#define WARPWRIGHT_IR_KNOWNFUNCTIONS_H

#include "warpwright/IR/FunctionInfo.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace warpwright {

/// The effect of a known function. "Numbers" are scalars, or each lane of
/// __half2 and similar types.
enum class KnownOp {
  Convert,      ///< its argument as a number of the result's type
  Add,          ///< arg0 + arg1, rounded to nearest even
  Sub,          ///< arg0 - arg1, rounded to nearest even
  Mul,          ///< arg0 * arg1, rounded to nearest even
  Div,          ///< arg0 / arg1, rounded to nearest even
  Fma,          ///< arg0 * arg1 + arg2, one rounding
  Neg,          ///< -arg0
  Plus,         ///< arg0
  Less,         ///< arg0 < arg1, false for NaN
  LessEqual,    ///< arg0 <= arg1, false for NaN
  Greater,      ///< arg0 > arg1, false for NaN
  GreaterEqual, ///< arg0 >= arg1, false for NaN
  Equal,        ///< arg0 == arg1, false for NaN
  NotEqual,     ///< arg0 != arg1, see the row: true for NaN
  Low,       ///< lane 0 of each argument, converted, or of arg0 in every lane
  High,      ///< lane 1, likewise
  Both,      ///< lanes of arg0, converted one by one
  Pack,      ///< its arguments as lanes
  Splat,     ///< arg0 in every lane
  Load,      ///< *arg0
  Store,     ///< *arg0 = arg1
  Construct, ///< *this = its arguments, converted
  Copy,      ///< *this = arg0 as it is; a default constructor does nothing
  ReadThis,  ///< *this, converted to the result's type
  ToFloat8, ///< bits of arg0 in the type of 8 bits that arg2 is; arg1: saturate
  FromFloat8, ///< bits in half precision of arg0, bits in the type that arg1 is
  AssignAdd,  ///< arg0 = arg0 + arg1, and a reference to it
  AssignSub,  ///< arg0 = arg0 - arg1, and a reference to it
  AssignMul,  ///< arg0 = arg0 * arg1, and a reference to it
  AssignDiv,  ///< arg0 = arg0 / arg1, and a reference to it
  Minimum,    ///< the smaller of two integers
  Maximum,    ///< the larger of two integers
  Multiply24, ///< the low 32 bits of the product of the low 24 bits of two
  Math,       ///< a function of its arguments alone, called by its name
  Barrier,    ///< orders memory; all threads of the block wait
  BarrierVote,   ///< a barrier, and a value that depends on other threads
  Fence,         ///< orders memory
  CopyAsync,     ///< *arg0 = *arg1, arg2 bytes, the last arg3 of them 0; later
  CopyCommit,    ///< closes a group of such copies
  CopyWait,      ///< until all but the last arg0 groups are there
  SharedBarrier, ///< makes a barrier in shared memory, arrives at it, waits for
                 ///< it, or lets it wait for copies: see sharedBarrier()
  Pipeline,      ///< an operation of a pipeline of the block: see pipelineOp()
  Atomic,        ///< reads and writes memory in no fixed order
  Exchange,      ///< the value depends on other threads (votes, shuffles)
  Effect,        ///< visible outside of memory (printf, trap)
  Assertion,     ///< reached only when an assertion fails
  Nothing,       ///< no effect
  First,         ///< arg0
  SpecialX,      ///< component x of threadIdx, blockIdx, blockDim or gridDim
  SpecialY,
  SpecialZ,
};

/// What is done with a barrier in shared memory, *arg0.
enum class SharedBarrierOp {
  Init,   ///< arg1 threads have to arrive
  Arrive, ///< one does; the result is a token
  Wait,   ///< for the phase that the token arg1 is from
  Track,  ///< copies that the thread has issued are part of its arrival
};

/// The operation of a function that is a KnownOp::SharedBarrier.
std::optional<SharedBarrierOp> sharedBarrier(llvm::StringRef Name);

/// What is done with a pipeline (`cuda::pipeline`) of which all threads of the
/// block are producers and consumers. arg0 points to its state in shared
/// memory, arg1 is its number of stages. All but Make have arg2, how many times
/// the thread has done the same to the pipeline before (for Acquire: has
/// committed; for Wait: has released), and a number arg3:
enum class PipelineOp {
  Make,    ///< for arg2 threads
  Acquire, ///< waits until all threads have released a stage for as many times
           ///< as this thread has, less arg3
  Commit,  ///< the thread's copies since the last time are of one stage; after
           ///< that the pipeline has arg3 free stages left
  Wait, ///< until all threads' copies up to those are complete that they have
        ///< committed as many times as this thread has, less arg3
  Release, ///< of a stage, which was waited for where arg3 is 0
};

/// The operation of a function that is a KnownOp::Pipeline.
std::optional<PipelineOp> pipelineOp(llvm::StringRef Name);

/// What \p F does, if it is a header's function that the table has.
std::optional<KnownOp> knownFunction(const FunctionInfo &F);

} // namespace warpwright

#endif // WARPWRIGHT_IR_KNOWNFUNCTIONS_H
