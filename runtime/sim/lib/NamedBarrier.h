//===- NamedBarrier.h - bar.sync and barrier.cluster ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_NAMEDBARRIER_H
#define WARPWRIGHT_SIM_LIB_NAMEDBARRIER_H

#include "Shadow.h"

#include <map>
#include <vector>

namespace warpwright {
namespace sim {

/// One of a CTA's sixteen barriers.
struct NamedBarrier {
  unsigned id = 0;
  uint32_t generation = 0; ///< times completed
  unsigned expected = 0;   ///< threads; 0: all of the CTA that have not ended
  bool begun = false;      ///< somebody arrived in this generation
  /// Lanes that arrived, of each warp that did.
  std::map<unsigned, unsigned> arrived;
  Sync gathering, published;
  std::vector<Thread *> waiters;
  std::vector<unsigned> waiting_warps; ///< components that acquire
  /// Of barrier.red: what the threads brought.
  unsigned count = 0;
  bool all = true, any = false;
  unsigned result_count[2] = {};
  bool result_all[2] = {}, result_any[2] = {};
};

/// barrier.cluster.
struct ClusterBarrier {
  uint32_t generation = 0;
  unsigned arrived = 0; ///< threads
  unsigned live = 0;    ///< threads of the cluster that have not ended
  Sync gathering, published;
  std::vector<Thread *> waiters;
};

enum class BarrierReduction : uint8_t { none, count, all, any };

/// `lanes` of a warp arrive together. Returns the generation to wait for, -1
/// where something was wrong (and reported). The lanes in `values` bring true.
int64_t arrive_at_barrier(Warp &warp, unsigned lanes, unsigned id,
                          unsigned count, bool wait, unsigned values,
                          const char *what);
/// Until that generation is over; returns what barrier.red gives.
unsigned wait_at_barrier(Cta &cta, unsigned id, int64_t generation,
                         BarrierReduction reduction, const char *what);
/// As named_barrier (Machine.h), for barrier.red too.
unsigned named_barrier(unsigned id, unsigned count, bool wait,
                       BarrierReduction reduction, bool value,
                       const char *what);
void cluster_arrive(Thread &thread, bool releases);
void cluster_wait(Thread &thread, bool acquires);
/// A thread has ended: barriers that waited for all may now be complete.
void recount_barriers(Thread &thread);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_NAMEDBARRIER_H
