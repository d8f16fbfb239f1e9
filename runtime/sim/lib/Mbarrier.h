//===- Mbarrier.h - Shared-memory barriers ----------------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mbarrier objects (PTX ISA, "mbarrier"). Their state lies here, not in the
// simulated shared memory, where their eight bytes are only reserved.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_MBARRIER_H
#define WARPWRIGHT_SIM_LIB_MBARRIER_H

#include "Clock.h"
#include "Shadow.h"

#include <vector>

namespace warpwright {
namespace sim {

struct Mbarrier {
  Cta *cta = nullptr;
  uint32_t address = 0;
  unsigned component = 0;   ///< of vector clocks: its time is `phase`
  bool live = false;        ///< initialised
  uint32_t expected = 0;    ///< arrivals of each phase
  uint32_t pending = 0;     ///< of them still to come in this one
  int64_t transactions = 0; ///< bytes expected minus bytes that came
  uint32_t phase = 0;       ///< phases completed
  int64_t in_flight = 0;    ///< bytes of copies issued that have not come
  uint32_t last_copy = 0;   ///< phase after which the last copy is known
  Sync published, gathering;
  /// Who initialised it and when.
  Epoch initialised;
  uint8_t initialiser_lane = 0;
  std::vector<Thread *> waiters;
  /// When each warp saw the last completed phase.
  std::vector<Epoch> observers;
  Stack last_issue; ///< of a copy that reports to it
};

/// Largest arrival count and transaction count (PTX ISA, "mbarrier").
constexpr uint32_t max_arrivals = (1u << 20) - 1;

void mbarrier_init(Thread &thread, uint32_t address, uint32_t count);
void mbarrier_invalidate(Thread &thread, uint32_t address);
/// `count` arrivals, after adding `bytes` to what the phase waits for (with
/// `expects`). Returns the phase that they were for.
uint32_t mbarrier_arrive(Thread &thread, Cta &cta, uint32_t address,
                         uint32_t count, bool expects, uint32_t bytes,
                         bool releases, bool completes = true);
void mbarrier_expect(Thread &thread, Cta &cta, uint32_t address,
                     uint32_t bytes);
/// mbarrier.complete_tx, also performed by a copy that has finished.
void mbarrier_complete(Mbarrier &barrier, uint32_t bytes);
/// Before a copy that will report `bytes`: null if there is no such barrier.
Mbarrier *mbarrier_begin_copy(Thread &thread, Cta &cta, uint32_t address,
                              uint32_t bytes);
/// Whether the phase that `parity` means for `thread` is over (test_wait); with
/// `blocks`, waits for that.
bool mbarrier_wait_parity(Thread &thread, uint32_t address, bool parity,
                          bool acquires, bool blocks);
/// The same for the phase number that an arrival returned.
bool mbarrier_wait_phase(Thread &thread, uint32_t address, uint32_t phase,
                         bool acquires, bool blocks);
/// The barrier at `address`; reports (WW722) and returns null if there is none
/// or `thread` cannot know that it was initialised. `async`: what uses it is
/// the async proxy.
Mbarrier *find_mbarrier(Thread &thread, Cta &cta, uint32_t address,
                        const char *what, bool async);
/// "waits for 2 of 4 arrivals and 1024 bytes"
std::string describe_state(const Mbarrier &barrier);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_MBARRIER_H
