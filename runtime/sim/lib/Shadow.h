//===- Shadow.h - Who wrote and read which shared memory --------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For every 16 bytes of a CTA's shared memory: which bytes were written at all,
// the last writes, and the reads since. Two accesses of which one writes must
// be ordered; since order is kept in vector clocks, what is reported does not
// depend on how the simulator happened to schedule the threads.
//
//===----------------------------------------------------------------------===//

#ifndef WARPWRIGHT_SIM_LIB_SHADOW_H
#define WARPWRIGHT_SIM_LIB_SHADOW_H

#include "Clock.h"
#include "Report.h"

#include <memory>
#include <stdint.h>
#include <vector>

namespace warpwright {
namespace sim {

struct Cta;
struct Thread;
struct Warp;

/// What a release hands over.
struct Sync {
  Clock known, fenced;
  void join(const Sync &other) {
    known.join(other.known);
    fenced.join(other.fenced);
  }
  void clear() {
    known.time.clear();
    fenced.time.clear();
  }
};

/// An operation that goes on after its instruction: it reads (wgmma, bulk
/// store) or writes (cp.async, TMA) shared memory until somebody has waited.
struct AsyncOp {
  enum class Kind : uint8_t { wgmma, bulk_read, copy, bulk_write } kind;
  /// Clock components of the warps that issued it, and their times when they
  /// had waited for it; 0: still going on. wgmma has four, others one.
  uint32_t warps[4] = {}, done[4] = {};
  std::string what; ///< for messages: the instruction
  Stack issued;
};

class Shadow {
public:
  /// A plain access of `thread` to [address, address + bytes) of `cta`.
  void plain(Thread &thread, Cta &cta, uint32_t address, uint32_t bytes,
             bool is_store, bool is_atomic = false);
  /// A read by the async proxy, issued by `thread` as part of `op`, on behalf
  /// of the op's warps in `warps` (bits).
  void async_read(Thread &thread, Cta &cta, uint32_t address, uint32_t bytes,
                  uint32_t op, uint8_t warps);
  /// A write by a bulk copy that is known when `component` (an mbarrier's)
  /// reaches `time`.
  void bulk_write(Thread &thread, Cta &cta, uint32_t address, uint32_t bytes,
                  uint32_t op, uint32_t component, uint32_t time);
  /// A cp.async write of `thread`, part of `op`.
  void copy_write(Thread &thread, Cta &cta, uint32_t address, uint32_t bytes,
                  uint32_t op);
  /// Marks 8 bytes as an mbarrier's, or frees them.
  void set_barrier(Cta &cta, uint32_t address, bool is_barrier);

  /// Decides about the last store that raced with another one, now that it has
  /// been performed: a store of the value that was there already is not
  /// reported.
  void settle() {
    if (pending.cta)
      settle_pending();
  }

  uint32_t new_op(AsyncOp::Kind kind, std::string what);
  AsyncOp &op(uint32_t number) { return ops[number]; }

private:
  enum class Kind : uint8_t { none, plain, atomic, op, bulk };
  /// Sixteen bytes; a granule has few of them.
  struct Access {
    uint32_t time = 0;
    uint32_t op = 0;
    uint16_t component = 0;
    uint16_t mask = 0; ///< bytes of the granule
    Kind kind = Kind::none;
    uint8_t lane = 0; ///< or bits: warps of the op
    bool is_read = false;
    /// For a read: its warp knew of all writes to the granule at that time, so
    /// reads of the other bytes by the warp's other lanes need no check.
    bool knows_all = false;
  };
  struct Granule {
    Access write, read;
    std::unique_ptr<std::vector<Access>> more;
    uint16_t initialised = 0;
    uint8_t barrier = 0; ///< bits: lower and upper 8 bytes
  };

  Granule &granule(const Cta &cta, uint32_t index);
  void plain_granule(Thread &thread, Cta &cta, uint32_t base, uint16_t mask,
                     bool is_store, Kind kind);
  /// Whether `access` happened before what `warp` does now.
  bool is_known(const Warp &warp, const Access &access) const;
  void record_write(Granule &granule, const Access &access);
  void record_read(Granule &granule, const Access &access);
  /// Reports that the accesses conflict. Returns false if they do not.
  void conflict(Thread &thread, Cta &cta, uint32_t base, const Access &earlier,
                uint16_t mask, const char *doing, bool now_writes,
                bool now_async);
  std::string describe(Thread &thread, const Access &access) const;
  void missing_fence(Thread &thread, Cta &cta, uint32_t base,
                     const Access &write, const char *doing);
  void uninitialised(Thread &thread, Cta &cta, uint32_t base, uint16_t mask,
                     const char *doing, bool is_warning);

  void settle_pending();

  /// A store that has not been performed yet and races with an earlier one.
  struct PendingStore {
    Cta *cta = nullptr; ///< null: there is none
    uint32_t base = 0;
    uint16_t mask = 0;
    Access earlier;
    char bytes[16] = {}; ///< of the granule before
    Stack stack;
  };
  PendingStore pending;
  std::vector<Granule> granules;
  std::vector<AsyncOp> ops = std::vector<AsyncOp>(1); ///< 0 is no operation
};

} // namespace sim
} // namespace warpwright

#endif // WARPWRIGHT_SIM_LIB_SHADOW_H
