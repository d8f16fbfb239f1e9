//===- Trace.h - What each thread told the others ---------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// WARPWRIGHT_SIM_TRACE=FILE records what every thread does that others can see:
// barriers, copies, wgmma, fences, and accesses to shared memory. FILE then has
// for each thread of each launch a line
//
//   thread LAUNCH KERNEL CLUSTER RANK INDEX
//
// (its cluster's number in the grid, its block's rank in the cluster, its own
// number in the block), and below it one line for each operation, in the order
// in which the thread performed them:
//
//   init ADDRESS ARRIVALS              mbarrier.init
//   init_fence                         fence.mbarrier_init
//   arrive RANK ADDRESS COUNT BYTES    mbarrier.arrive, BYTES expected before
//   wait ADDRESS PARITY                a wait by parity that succeeded
//   copy RANK ADDRESS BYTES BARRIER    bulk copy to shared memory, for each
//                                      block of a multicast
//   store ADDRESS BYTES                bulk copy from shared memory
//   commit                             cp.async.bulk.commit_group
//   wait_bulk PENDING READ             its wait_group, READ = 1 for .read
//   fence                              fence.proxy.async
//   barrier ID THREADS WAITS           bar.sync (1), bar.arrive (0); THREADS is
//                                      0 for __syncthreads
//   cluster WAITS                      barrier.cluster.arrive (0), .wait (1)
//   wgmma_fence
//   wgmma A B                          operands' addresses in shared memory
//   wgmma_registers B                  the same with A in registers
//   wgmma_commit
//   wgmma_wait PENDING
//   read RANK ADDRESS BYTES            an ordinary load
//   write RANK ADDRESS BYTES           an ordinary store
//
// Addresses count from the block's dynamic shared memory. Clusters stand in the
// order in which they ended. Nothing is recorded, and nothing but one test of a
// flag is done, where the variable is not set.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_TRACE_H
#define WARPWRIGHT_SIM_LIB_TRACE_H

#include "Machine.h"

#include <initializer_list>
#include <stdint.h>

namespace warpwright {
namespace sim {

inline bool is_traced(const Thread &thread) {
  return thread.cta->cluster->options.trace;
}

void record(Thread &thread, const char *what,
            std::initializer_list<int64_t> numbers);
/// One operation of `thread`, if its launch is recorded.
inline void trace(Thread &thread, const char *what,
                  std::initializer_list<int64_t> numbers = {}) {
  if (is_traced(thread))
    record(thread, what, numbers);
}

/// A shared-window address, of any block, as traces have it.
inline int64_t traced_address(const Thread &thread, uint32_t address) {
  return int64_t(address % window_pitch) - thread.cta->dynamic_begin;
}

/// An access by an ordinary load or store.
void trace_access(Thread &thread, const Cta &cta, uint32_t address,
                  unsigned bytes, bool is_store);

/// Writes what the threads of a cluster that has ended did.
void write_trace(Cluster &cluster);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_TRACE_H
