//===- Wgmma.h - Warpgroup multiplications in flight ------------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The four warps of a warpgroup issue the same sequence of wgmma. One is
// computed when all four have issued it: at once or when somebody waits for it,
// as the seed says. Until a warp has waited, the accumulators live here and the
// threads' own registers hold poison.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_WGMMA_H
#define WARPWRIGHT_SIM_LIB_WGMMA_H

#include "WgmmaMath.h"

#include <deque>
#include <map>
#include <memory>
#include <vector>

namespace warpwright {
namespace sim {

struct AsyncThread;
struct Thread;
struct Warp;
struct Cta;

/// What a wgmma.mma_async instruction says, apart from its operands.
struct WgmmaShape {
  ElementType a = ElementType::f16, b = ElementType::f16;
  AccumulatorType d = AccumulatorType::f32;
  unsigned n = 8, k = 16; ///< k in elements; bytes for b1
  bool saturate = false;
  bool a_in_registers = false;
  unsigned registers() const {
    return d == AccumulatorType::f16 ? n / 4 : n / 2;
  }
};

/// The operands of one lane.
struct WgmmaLane {
  char *accumulators[128]; ///< addresses of the registers
  uint32_t a[4];
  /// Addresses of the registers of A, null where the operand is no variable.
  const char *a_registers[4];
  uint64_t a_descriptor, b_descriptor;
  bool scale_d, a_transposed, b_transposed;
  int scale_a, scale_b; ///< 1 or -1
};

/// The 16 rows of a tile that one warp holds.
struct WarpAccumulator {
  std::vector<char *> registers[32]; ///< of each lane
  std::vector<uint32_t> values;      ///< [16][n]
  unsigned n = 0;
  AccumulatorType type = AccumulatorType::f32;
  unsigned in_flight = 0;
};

struct Warpgroup {
  struct Op {
    WgmmaShape shape;
    WgmmaLane common; ///< what all lanes agree on
    uint32_t a[128][4];
    std::shared_ptr<WarpAccumulator> accumulators[4];
    unsigned issued = 0; ///< bits: warps
    bool computed = false;
  };
  struct PerWarp {
    uint64_t issued = 0;          ///< ops
    std::deque<uint64_t> commits; ///< ops issued at each commit not waited for
    uint64_t groups = 0;          ///< commits so far
    uint64_t waited_groups = 0;
    uint64_t waited = 0; ///< ops
    bool fenced = false; ///< a wgmma.fence was ever executed
    /// By the address of lane 0's first register.
    std::map<const char *, std::shared_ptr<WarpAccumulator>> accumulators;
  };
  Cta *cta = nullptr;
  unsigned first_warp = 0;
  std::deque<Op> ops;
  uint64_t first = 0; ///< number of ops[0]
  uint64_t computed = 0;
  PerWarp warps[4];
  /// The reads of the groups not over yet, by number: ops of the Shadow.
  std::map<uint64_t, uint32_t> reads;
  std::vector<Thread *> waiters;
};

void wgmma_fence(Warp &warp);
/// `lanes`: the operands of the warp's 32 lanes.
void wgmma_issue(Warp &warp, const WgmmaShape &shape, const char *name,
                 const WgmmaLane *const *lanes);
void wgmma_commit(Warp &warp);
/// Called by every lane, after they have met.
void wgmma_wait(Thread &thread, unsigned pending);
/// From now on the program's accesses to a tile's registers are watched. `op`:
/// the reads of its wgmma.
void watch_accumulators(Warp &warp, const WarpAccumulator &tile, uint32_t op);
/// Whether the program touched some of these registers after the last fence.
bool were_touched(Warp &warp, const WarpAccumulator &tile);
/// The same of the registers of A that the wgmma with this number in its warp
/// takes; says whether they were written after the last fence.
bool watch_fragments(Warp &warp, const WgmmaLane *const *lanes, uint64_t number,
                     uint32_t op);
/// wgmma.fence: what was touched until now no longer counts.
void forget_touches(AsyncThread &thread);
/// How many of the warp's wgmma have been waited for.
uint64_t waited_wgmmas(const Warp &warp);
/// Operations that the warp of a thread which ends has not waited for.
bool wgmma_pending(const Warp &warp);

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_WGMMA_H
