//===- PtxBarrier.cpp - bar, barrier, proxy fences, setmaxnreg ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Async.h"
#include "Ptx.h"
#include "Trace.h"

using namespace warpwright::sim;

namespace {

enum Flag : uint32_t { aligned = 1, arrives = 2, ordered = 4, increases = 8 };

/// Aligned barriers are executed by whole warps at one place.
void meet_if_aligned(const PtxInstruction &instruction, const char *what) {
  if (instruction.flags & aligned)
    meet(
        self().warp->present, &instruction, what, nullptr,
        [](Warp &warp, void *const *) { converged(warp); }, false);
}

void run_bar(PtxFrame &frame, const PtxInstruction &instruction) {
  const bool arrive = instruction.flags & arrives;
  const char *what = arrive ? "bar.arrive" : "bar.sync";
  const uint32_t id = frame.get32(instruction.operands[0]);
  const uint32_t count = instruction.operands.size() > 1
                             ? frame.get32(instruction.operands[1])
                             : 0;
  if (instruction.operands.size() > 1 && count == 0) {
    report(Finding::barrier_misuse,
           std::string(what) + " with a thread count of 0");
    return;
  }
  if (!(instruction.flags & aligned)) {
    named_barrier(id, count, !arrive, what);
    reschedule();
    return;
  }
  trace(frame.thread, "barrier", {id, count, !arrive});
  // The lanes arrive as one: none goes on before the others have arrived.
  int64_t generation = -1;
  meet(
      self().warp->present, &instruction, what, &generation,
      [&](Warp &warp, void *const *payload) {
        converged(warp);
        unsigned lanes = 0;
        for (unsigned lane = 0; lane < 32; ++lane)
          if (payload[lane])
            lanes |= 1u << lane;
        const int64_t mine =
            arrive_at_barrier(warp, lanes, id, count, !arrive, 0, what);
        for (unsigned lane = 0; lane < 32; ++lane)
          if (payload[lane])
            *static_cast<int64_t *>(payload[lane]) = mine;
      },
      false);
  if (!arrive && generation >= 0)
    wait_at_barrier(*frame.thread.cta, id, generation, BarrierReduction::none,
                    what);
  reschedule();
}

/// barrier.red.op d, a{, b}, p
void run_bar_reduce(PtxFrame &frame, const PtxInstruction &instruction) {
  const size_t operands = instruction.operands.size();
  const uint32_t id = frame.get32(instruction.operands[1]);
  const uint32_t count =
      operands > 3 ? frame.get32(instruction.operands[2]) : 0;
  const bool value = frame.get_predicate(instruction.operands[operands - 1]);
  meet_if_aligned(instruction, "bar.red");
  const BarrierReduction how =
      static_cast<BarrierReduction>(instruction.operation);
  const unsigned result = named_barrier(id, count, true, how, value, "bar.red");
  frame.set(instruction.operands[0], result,
            how == BarrierReduction::count ? PtxType::b32 : PtxType::pred);
}

void run_cluster(PtxFrame &frame, const PtxInstruction &instruction) {
  const bool arrive = instruction.flags & arrives;
  meet_if_aligned(instruction,
                  arrive ? "barrier.cluster.arrive" : "barrier.cluster.wait");
  if (arrive)
    cluster_arrive(frame.thread, instruction.flags & ordered);
  else
    cluster_wait(frame.thread, true);
  reschedule();
}

void run_proxy_fence(PtxFrame &frame, const PtxInstruction &) {
  proxy_fence(frame.thread);
}
void run_init_fence(PtxFrame &frame, const PtxInstruction &) {
  init_fence(frame.thread);
}
void run_other_fence(PtxFrame &, const PtxInstruction &) {}

//===----------------------------------------------------------------------===//
// setmaxnreg
//===----------------------------------------------------------------------===//

/// Registers per thread that a launch gets: all that the bounds allow, as ptxas
/// takes them for kernels with setmaxnreg.
unsigned launch_registers(const Cta &cta) {
  constexpr unsigned file = 64 * 1024, most = 256;
  unsigned threads = 32 * static_cast<unsigned>(cta.warps.size());
  const KernelSite *site = cta.cluster->site;
  if (site && site->min_blocks > 1)
    threads *= static_cast<unsigned>(site->min_blocks);
  const unsigned share = file / threads / 8 * 8;
  return share < most ? share : most;
}

void check_bounds(const Cta &cta) {
  const KernelSite *site = cta.cluster->site;
  AsyncCluster &cluster = async(*cta.cluster);
  if (!site || (site->max_threads > 0 && site->min_blocks > 0) ||
      (cluster.warned & 2))
    return;
  cluster.warned |= 2;
  warn(Finding::setmaxnreg,
       "setmaxnreg in a kernel without __launch_bounds__(threads, 1): ptxas "
       "ignores it there");
}

void run_setmaxnreg(PtxFrame &frame, const PtxInstruction &instruction) {
  const uint32_t count = frame.get32(instruction.operands[0]);
  const bool inc = instruction.flags & increases;
  Thread &thread = frame.thread;
  Cta &cta = *thread.cta;
  const std::string name = inc ? "setmaxnreg.inc" : "setmaxnreg.dec";
  meet_aligned(
      &instruction, name.c_str(), nullptr, [&](Warp &warp, void *const *) {
        AsyncCta &state = async(cta);
        check_bounds(cta);
        if (count % 8 != 0 || count < 24 || count > 256)
          report(Finding::setmaxnreg,
                 name + " to " + std::to_string(count) +
                     ": multiples of 8 from 24 to 256 are possible");
        if (state.free_registers < 0)
          state.free_registers = 0;
        const unsigned launched = launch_registers(cta);
        const unsigned has = warp.registers ? warp.registers : launched;
        // What ptxas gave at launch may be less than the bounds allow, so an
        // increase is only judged against a number that the program has set.
        if (inc ? warp.registers != 0 && count < has : count > has)
          report(Finding::setmaxnreg,
                 name + " to " + std::to_string(count) +
                     " by a warp that has " + std::to_string(has) +
                     " registers per thread" +
                     (warp.registers ? "" : " from its launch"));
        // An increase never releases registers: if the launch gave the warp
        // more than `count`, it keeps them.
        if (count <= has && (!inc || warp.registers != 0)) {
          state.free_registers += static_cast<int>(32 * (has - count));
          warp.registers = count;
          for (Thread *waiter : state.register_waiters)
            wake(*waiter);
          state.register_waiters.clear();
        }
      });
  Warp &warp = *thread.warp;
  AsyncCta &state = async(cta);
  // The first lane that finds enough takes them for the warp.
  for (;;) {
    const unsigned has =
        warp.registers ? warp.registers : launch_registers(cta);
    if (has >= count)
      break;
    const int wanted = static_cast<int>(32 * (count - has));
    if (wanted <= state.free_registers) {
      state.free_registers -= wanted;
      warp.registers = count;
      break;
    }
    state.register_waiters.push_back(&thread);
    block([&state, count, has] {
      return "setmaxnreg.inc to " + std::to_string(count) +
             " registers per thread, for which the warp needs " +
             std::to_string(32 * (count - has)) + " more; the block has " +
             std::to_string(state.free_registers) +
             " free (a warp that was launched with all of the block's "
             "registers gets more only when others have released some)";
    });
  }
  reschedule();
}

} // namespace

bool warpwright::sim::decode_barrier(PtxInstruction &instruction) {
  const std::string &name = instruction.name[0];
  const size_t operands = instruction.operands.size();
  if (name == "fence") {
    if (instruction.has("mbarrier_init"))
      instruction.run = run_init_fence;
    else if (instruction.has("proxy") && instruction.has("async") &&
             !instruction.has("async::global") && !instruction.has("global"))
      instruction.run = run_proxy_fence;
    else if (instruction.has("proxy") || instruction.has("async"))
      instruction.run = run_other_fence;
    return instruction.run != nullptr;
  }
  if (name == "setmaxnreg" && operands == 1) {
    instruction.flags = instruction.has("inc") ? unsigned(increases) : 0u;
    instruction.run = run_setmaxnreg;
    return instruction.has("inc") || instruction.has("dec");
  }
  if (name != "bar" && name != "barrier")
    return false;
  if (instruction.has("aligned") || name == "bar")
    instruction.flags |= aligned;
  if (instruction.has("cluster")) {
    // The default of arrive is .release.
    if (instruction.has("arrive"))
      instruction.flags |=
          arrives | (instruction.has("relaxed") ? 0u : unsigned(ordered));
    if (instruction.has("barrier") || operands != 0)
      return false;
    // Not aligned unless it says so.
    instruction.run = run_cluster;
    return instruction.has("arrive") || instruction.has("wait");
  }
  if (instruction.has("red")) {
    instruction.operation =
        static_cast<uint8_t>(instruction.has("popc")  ? BarrierReduction::count
                             : instruction.has("and") ? BarrierReduction::all
                                                      : BarrierReduction::any);
    instruction.run = run_bar_reduce;
    return operands == 3 || operands == 4;
  }
  if (instruction.has("arrive"))
    instruction.flags |= arrives;
  else if (!instruction.has("sync"))
    return false;
  instruction.run = run_bar;
  return operands == 1 || operands == 2;
}
