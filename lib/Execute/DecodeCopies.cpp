//===-- DecodeCopies.cpp - Copies, barriers and pipelines -----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Calls of the functions by which threads copy to shared memory and wait for
/// each other there.
///
//===----------------------------------------------------------------------===//

#include "Decode.h"
#include "llvm/ADT/StringSwitch.h"

namespace warpwright {
namespace execute {

/// The asynchronous copies of cuda_pipeline_primitives.h.
bool Decoder::decodeCopy(const llvm::CallBase &In, llvm::StringRef Name) {
  if (Name == "__pipeline_memcpy_async" && In.arg_size() == 4) {
    const uint32_t To = slot(In.getArgOperand(0)),
                   From = slot(In.getArgOperand(1)),
                   Size = slot(In.getArgOperand(2)),
                   Zeros = slot(In.getArgOperand(3));
    emit(Op::CopyAsync, 0, To, From, Size).Imm = Zeros;
    return true;
  }
  if (Name == "__warpwright_memcpy_async" && In.arg_size() == 3) {
    const uint32_t To = slot(In.getArgOperand(0)),
                   From = slot(In.getArgOperand(1)),
                   Size = slot(In.getArgOperand(2));
    Inst &New = emit(Op::CopyAsync, 0, To, From, Size);
    New.Imm = Size;
    New.Flags = 1; // no zeros
    return true;
  }
  if (Name == "__pipeline_commit" && In.arg_size() == 0) {
    emit(Op::CopyCommit);
    return true;
  }
  if (Name == "__pipeline_wait_prior" && In.arg_size() == 1) {
    const uint32_t Prior = slot(In.getArgOperand(0));
    emit(Op::CopyWait, 0, Prior);
    return true;
  }
  return false;
}

/// The primitives of barriers in shared memory.
bool Decoder::decodeSharedBarrier(const llvm::CallBase &In,
                                  llvm::StringRef Name) {
  using Does = SharedBarrierOp;
  const auto What = llvm::StringSwitch<std::optional<Does>>(Name)
                        .Case("__mbarrier_init", Does::Init)
                        .Case("__mbarrier_arrive", Does::Arrive)
                        .Case("__warpwright_mbarrier_wait", Does::Wait)
                        .Case("__pipeline_arrive_on", Does::Track)
                        .Default(std::nullopt);
  if (!What)
    return false;
  const bool Two = *What == Does::Init || *What == Does::Wait;
  if (In.arg_size() != (Two ? 2 : 1))
    return false;
  const uint32_t Barrier = slot(In.getArgOperand(0)),
                 Other = Two ? slot(In.getArgOperand(1)) : Barrier;
  const uint32_t D = *What == Does::Arrive ? define(In)[0] : 0;
  emit(Op::SharedBarrier, D, Barrier, Other).Flags =
      static_cast<uint8_t>(*What);
  return true;
}

/// The functions of which pipelines of the block consist.
bool Decoder::decodePipeline(const llvm::CallBase &In, llvm::StringRef Name) {
  using Does = PipelineOp;
  const auto What = llvm::StringSwitch<std::optional<Does>>(Name)
                        .Case("__warpwright_pipeline_make", Does::Make)
                        .Case("__warpwright_pipeline_acquire", Does::Acquire)
                        .Case("__warpwright_pipeline_commit", Does::Commit)
                        .Case("__warpwright_pipeline_wait", Does::Wait)
                        .Case("__warpwright_pipeline_release", Does::Release)
                        .Default(std::nullopt);
  const unsigned Last = What == Does::Make ? 2 : 3;
  if (!What || In.arg_size() != Last + 1)
    return false;
  const uint32_t State = slot(In.getArgOperand(0)),
                 Stages = slot(In.getArgOperand(1)),
                 Number = slot(In.getArgOperand(Last));
  emit(Op::Pipeline, 0, State, Stages, Number).Flags =
      static_cast<uint8_t>(*What);
  return true;
}

} // namespace execute
} // namespace warpwright
