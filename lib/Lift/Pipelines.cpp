//===-- Pipelines.cpp - Pipelines of the block ----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A pipeline of block scope (`cuda::pipeline` with a `pipeline_shared_state`)
/// counts what all threads of the block have done. A producer acquires a stage,
/// fills it and commits it; a consumer waits for a stage, reads it and releases
/// it. Understood are pipelines of which every thread of the block is a
/// producer and a consumer, so that a thread waits for what all threads have
/// done as many times as it has done it itself, or fewer times:
///
///  - consumer_wait() is a wait for groups of copies (Async.cpp) that all
///  threads
///    have committed. Other threads see them without another barrier.
///  - producer_acquire() is a barrier for what was read before the last
///    consumer_release(), if it waits for all threads to come to that one. If
///    it waits for an older one, nothing is concluded from it.
///
/// Ordinary stores between producer_acquire() and producer_commit() are part of
/// the stage. They are taken for copies: these may happen as early as a store,
/// or later. Other stores are not ordered by a pipeline, for all that is known.
///
/// The functions of this pipeline count for the lift, in ordinary variables:
/// see runtime/parse/cuda/pipeline. Where it is not clear that a stage was
/// waited for before it is released, or that no more stages are filled than
/// there are, the kernel is declined; the barriers of which the pipeline
/// consists would then count other threads' next turns.
///
/// Source: the CUDA C++ Programming Guide, "Pipelines"; libcu++,
/// <cuda/pipeline>.
///
//===----------------------------------------------------------------------===//

#include "Executor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstrTypes.h"

using namespace clang;

namespace warpwright::symbolic {

using VK = SymValue::Kind;

bool Executor::makePipeline(const std::string &State, const SymValue &Threads) {
  if (!LiveLoops.empty() || (!Pipeline.empty() && !Probing))
    return fail(DiagID::UnsupportedStatement, here(),
                "more than one pipeline of a block is not understood");
  Pipeline = State;
  return reachedByBlock(/*Always=*/true) && isWholeBlock(Threads);
}

bool Executor::endReads() {
  const BoolExpr When = totalActive();
  const auto IsOver = [&](const Write &R) { return knows(When, R.Visible); };
  for (auto &Named : S) {
    if (!Named.second.IsShared)
      continue;
    for (Write &R : Named.second.Reads) {
      if (!IsOver(R) && !knows(When, R.Done) && !Probing)
        return fail(DiagID::MissingBarrier, here(),
                    "a stage is acquired here while other threads may still "
                    "read " +
                        SharedNames[Named.first] + " at line " +
                        llvm::Twine(Module.lineOf(R.Loc)) +
                        ": a consumer_release() has to come between them");
      R.Visible = either(R.Visible, When);
    }
    llvm::erase_if(Named.second.Reads,
                   [](const Write &R) { return implies(R.Guard, R.Visible); });
  }
  // As behind a barrier of the block, what other threads have read before
  // concerns nobody any more.
  passBarrier();
  return true;
}

bool Executor::pipelineCall(llvm::CallBase &Call, const FunctionInfo &Info) {
  const SymValue State = valueOf(argument(Call, Info, 0));
  const auto Offset =
      State.is(VK::Pointer) ? State.I.getConstant() : std::nullopt;
  if (!Offset || State.Array.empty() || State.Array[0] != '!')
    return fail(DiagID::UnsupportedStatement, here(),
                "which pipeline is meant is not understood");
  const std::string Name = State.Array + "+" + llvm::itostr(*Offset);
  const PipelineOp Op = *pipelineOp(Info.Name);
  if (Op == PipelineOp::Make)
    return makePipeline(Name, valueOf(argument(Call, Info, 2)));
  if (Name != Pipeline)
    return fail(DiagID::UnsupportedStatement, here(),
                "a pipeline that was not made before");
  if (!reachedByBlock(/*Always=*/true))
    return false;
  const BoolExpr All = totalActive();
  const Simplifier Facts(Bounds, bodyLoops(), All);
  // While a loop is probed, a counter may not be known to be one yet.
  auto Number = [&](unsigned Argument) -> std::optional<IntExpr> {
    const SymValue V = valueOf(argument(Call, Info, Argument));
    if (V.is(VK::Int) && !mentionsPhi(V.I))
      return Facts.simplify(V.I);
    if (!Probing)
      fail(DiagID::UnsupportedStatement, here(),
           "how often the threads have come here before is not understood");
    return std::nullopt;
  };
  auto Unclear = [&](const char *Why) {
    return fail(DiagID::UnsupportedStatement, here(), Why);
  };
  switch (Op) {
  case PipelineOp::Make:
    break;
  case PipelineOp::Acquire: {
    Producing = true;
    const auto Left = Number(3);
    return !Left ? Probing != 0 : !Left->isZero() || endReads();
  }
  case PipelineOp::Commit: {
    Producing = false;
    const auto Stage = Number(2), Left = Stage ? Number(3) : Stage;
    if (!Left)
      return Probing != 0;
    copyEvent({CopyEvent::Kind::CommitStage, All, 0, {}, *Stage});
    return Probing || Facts.neverNegative(*Left) ||
           Unclear("it is not clear that the pipeline has a free stage for "
                   "what is committed here");
  }
  case PipelineOp::Wait: {
    const auto Stage = Number(2);
    if (!Stage)
      return Probing != 0;
    copyEvent({CopyEvent::Kind::WaitStage, All, 0, {}, *Stage});
    return true;
  }
  case PipelineOp::Release: {
    for (auto &Named : S)
      for (Write &R : Named.second.Reads)
        R.Done = either(R.Done, All);
    // So that a loop with it is not taken for one without effects on others.
    copyEvent({CopyEvent::Kind::Release, All, 0});
    const auto Left = Number(3);
    return Probing || (Left && (Left->isZero() ||
                                Unclear("it is not clear that the stage that "
                                        "is released here was waited for")));
  }
  }
  llvm_unreachable("covered switch");
}

} // namespace warpwright::symbolic
