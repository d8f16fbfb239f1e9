//===- Shadow.cpp - Who wrote and read which shared memory ----------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shadow.h"
#include "Async.h"

#include <string.h>
#include <utility>

using namespace warpwright::sim;

namespace {

constexpr uint32_t granule_bytes = 16;

uint16_t mask_of(uint32_t first, uint32_t end) {
  return static_cast<uint16_t>(((1u << end) - 1) & ~((1u << first) - 1));
}

/// Calls visit(base of the granule, mask) for the granules of a range.
template <class Visit>
void for_each_granule(uint32_t address, uint32_t bytes, Visit visit) {
  const uint32_t end = address + bytes;
  for (uint32_t base = address & ~(granule_bytes - 1); base < end;
       base += granule_bytes)
    visit(base,
          mask_of(address > base ? address - base : 0,
                  end - base < granule_bytes ? end - base : granule_bytes));
}

uint32_t first_byte(uint16_t mask) {
  return static_cast<uint32_t>(__builtin_ctz(mask));
}
uint32_t count_bytes(uint16_t mask) {
  return 32 - static_cast<uint32_t>(__builtin_clz(mask)) - first_byte(mask);
}

std::string describe_mask(const Cta &cta, uint32_t base, uint16_t mask) {
  return describe_bytes(cta, base + first_byte(mask), count_bytes(mask));
}

} // namespace

Shadow::Granule &Shadow::granule(const Cta &cta, uint32_t index) {
  if (granules.size() <= index) {
    const size_t wanted = cta.window_end / granule_bytes + 1;
    granules.resize(wanted > index ? wanted : index + 1);
  }
  return granules[index];
}

uint32_t Shadow::new_op(AsyncOp::Kind kind, std::string what) {
  ops.emplace_back();
  ops.back().kind = kind;
  ops.back().what = std::move(what);
  ops.back().issued = current_stack();
  return static_cast<uint32_t>(ops.size() - 1);
}

bool Shadow::is_known(const Warp &warp, const Access &access) const {
  if (access.kind != Kind::op)
    return access.time <= warp.known.at(access.component);
  const AsyncOp &op = ops[access.op];
  for (unsigned i = 0; i < 4; ++i)
    if ((access.lane >> i & 1) &&
        (op.done[i] == 0 || op.done[i] > warp.known.at(op.warps[i])))
      return false;
  return true;
}

void Shadow::record_write(Granule &granule, const Access &access) {
  const uint16_t keep = static_cast<uint16_t>(~access.mask);
  granule.initialised |= access.mask;
  Access old = granule.write;
  old.mask &= keep;
  granule.write = access;
  granule.read.mask &= keep;
  granule.read.knows_all = false;
  if (granule.read.mask == 0)
    granule.read.kind = Kind::none;
  if (granule.more) {
    size_t kept = 0;
    std::vector<Access> &more = *granule.more;
    for (Access &other : more) {
      other.mask &= keep;
      other.knows_all = false;
      if (other.mask != 0)
        more[kept++] = other;
    }
    more.resize(kept);
  }
  if (old.kind != Kind::none && old.mask != 0) {
    if (!granule.more)
      granule.more = std::make_unique<std::vector<Access>>();
    granule.more->push_back(old);
  }
}

void Shadow::record_read(Granule &granule, const Access &access) {
  // Reads of one warp, or of one operation, share an entry if nothing is lost.
  const auto merge = [&access](Access &old) {
    if (old.kind != access.kind || old.component != access.component ||
        old.op != access.op || !old.is_read)
      return false;
    if (access.kind == Kind::op) {
      if (old.mask != access.mask)
        return false;
      old.lane |= access.lane;
      return true;
    }
    if (old.time == access.time) {
      old.mask |= access.mask;
      old.knows_all = access.knows_all;
      return true;
    }
    if ((old.mask & ~access.mask) == 0) {
      old = access;
      return true;
    }
    return false;
  };
  if (granule.read.kind == Kind::none) {
    granule.read = access;
    return;
  }
  if (merge(granule.read))
    return;
  if (!granule.more)
    granule.more = std::make_unique<std::vector<Access>>();
  // The latest reader comes first, since it is the most likely to read again;
  // plain_granule then finds it at once.
  for (Access &old : *granule.more)
    if (merge(old)) {
      std::swap(old, granule.read);
      return;
    }
  granule.more->push_back(granule.read);
  granule.read = access;
}

std::string Shadow::describe(Thread &thread, const Access &access) const {
  Cluster &cluster = *thread.cta->cluster;
  if (access.kind == Kind::op || access.kind == Kind::bulk)
    return ops[access.op].what;
  return std::string(access.is_read ? "a read" : "a write") + " by " +
         describe_warp(cluster, access.component) + ", lane " +
         std::to_string(access.lane);
}

void Shadow::conflict(Thread &thread, Cta &cta, uint32_t base,
                      const Access &earlier, uint16_t mask, const char *doing,
                      bool now_writes, bool now_async) {
  const std::string bytes = describe_mask(cta, base, earlier.mask & mask);
  std::vector<Note> notes;
  if (earlier.op != 0)
    notes.push_back(
        {ops[earlier.op].what + " was issued here", ops[earlier.op].issued});
  if (earlier.kind == Kind::bulk && !now_writes) {
    report(Finding::read_in_flight,
           std::string(doing) + " reads " + bytes +
               ", which a bulk copy may still be writing: nothing on the way "
               "here waited for the phase of the mbarrier that counts its "
               "bytes",
           notes);
    return;
  }
  if (earlier.kind == Kind::op && !earlier.is_read && !now_writes) {
    report(Finding::read_in_flight,
           std::string(doing) + " reads " + bytes +
               ", which a cp.async may still be writing: nothing on the way "
               "here waited for it (cp.async.wait_group by the thread that "
               "issued it, then a barrier)",
           notes);
    return;
  }
  const bool earlier_async =
      earlier.kind == Kind::op || earlier.kind == Kind::bulk;
  if (now_async || earlier_async) {
    if (!now_writes) {
      report(Finding::shared_race,
             std::string(doing) + " reads " + bytes + " with no order after " +
                 describe(thread, earlier) +
                 ": a barrier is missing between them",
             notes);
      return;
    }
    std::string still =
        earlier.is_read ? " may still read" : " may still write";
    if (earlier.kind == Kind::op) {
      bool over = true;
      for (unsigned i = 0; i < 4; ++i)
        if (earlier.lane >> i & 1)
          over &= ops[earlier.op].done[i] != 0;
      if (over)
        still = std::string(earlier.is_read ? " has read" : " has written") +
                ", but nothing tells the writer that it is over";
    } else if (earlier.kind != Kind::bulk) {
      still = earlier.is_read ? " reads, with no order between the two"
                              : " writes, with no order between the two";
    }
    report(Finding::stage_overwritten,
           std::string(doing) + " writes " + bytes + ", which " +
               describe(thread, earlier) + still,
           notes);
    return;
  }
  const std::string message =
      std::string(doing) + (now_writes ? " writes " : " reads ") + bytes +
      " with no order after " + describe(thread, earlier) +
      ": a barrier is missing between them";
  report(Finding::shared_race, message, notes);
}

void Shadow::missing_fence(Thread &thread, Cta &cta, uint32_t base,
                           const Access &write, const char *doing) {
  std::vector<Note> notes;
  report(Finding::proxy_fence,
         std::string(doing) + " uses " + describe_mask(cta, base, write.mask) +
             " after " + describe(thread, write) +
             " without a proxy fence between them: the thread that wrote must "
             "execute fence.proxy.async after its writes and before the "
             "barrier (its ordinary stores and the asynchronous units reach "
             "shared memory by different ways)",
         notes);
}

void Shadow::uninitialised(Thread &thread, Cta &cta, uint32_t base,
                           uint16_t mask, const char *doing, bool is_warning) {
  const std::string message = std::string(doing) + " reads " +
                              describe_mask(cta, base, mask) +
                              ", which nothing has written";
  if (!is_warning) {
    report(Finding::shared_uninitialised, message);
    return;
  }
  AsyncCluster &cluster = async(*thread.cta->cluster);
  if (!(cluster.warned & 1))
    warn(Finding::shared_uninitialised, message);
  cluster.warned |= 1;
}

void Shadow::plain_granule(Thread &thread, Cta &cta, uint32_t base,
                           uint16_t mask, bool is_store, Kind kind) {
  Granule &here = granule(cta, base / granule_bytes);
  Warp &warp = *thread.warp;
  const uint16_t component = static_cast<uint16_t>(warp.clock_index);
  const uint32_t time = now(warp);
  // The same access again, as in a loop over a tile, or that of the next lane.
  if (!is_store && here.read.kind == kind && here.read.component == component &&
      here.read.time == time &&
      ((mask & ~here.read.mask) == 0 ||
       (here.read.knows_all && (mask & ~here.initialised) == 0))) {
    here.read.mask |= mask;
    return;
  }
  const char *doing = kind == Kind::atomic ? "an atomic" : "this";
  if (is_store &&
      (here.barrier & ((mask & 0xff ? 1 : 0) | (mask & 0xff00 ? 2 : 0))))
    report(Finding::barrier_misuse, "this writes " +
                                        describe_mask(cta, base, mask) +
                                        ", where an mbarrier lies");
  if (!is_store && (mask & ~here.initialised))
    uninitialised(thread, cta, base,
                  static_cast<uint16_t>(mask & ~here.initialised), "this",
                  false);
  const auto check = [&](const Access &old) {
    if (old.kind == Kind::none || !(old.mask & mask) ||
        (old.is_read && !is_store))
      return false;
    if (old.kind == Kind::atomic && kind == Kind::atomic)
      return false;
    const bool both_plain = old.kind == Kind::plain && kind == Kind::plain;
    if ((old.kind == Kind::plain || old.kind == Kind::atomic) &&
        old.component == component) {
      // Accesses of two lanes of a warp are ordered if the lanes have
      // converged, or one has released, in between: the warp's time has
      // advanced then.
      if (!both_plain || is_store || old.lane == thread.lane ||
          old.time != time)
        return false;
    } else if (is_known(warp, old)) {
      return false;
    }
    const Access copy = old;
    if (both_plain && is_store && !old.is_read) {
      pending.cta = &cta;
      pending.base = base;
      pending.mask = copy.mask & mask;
      pending.earlier = copy;
      memcpy(pending.bytes, cta.window + base, sizeof(pending.bytes));
      pending.stack = current_stack();
      return true;
    }
    conflict(thread, cta, base, copy, mask, doing, is_store, false);
    return true;
  };
  bool found = check(here.write) || check(here.read);
  if (here.more)
    for (size_t i = 0; !found && i < here.more->size(); ++i)
      found = check((*here.more)[i]);
  Access access;
  access.kind = kind;
  access.component = component;
  access.time = time;
  access.mask = mask;
  access.lane = static_cast<uint8_t>(thread.lane);
  access.is_read = !is_store;
  if (is_store) {
    record_write(here, access);
    return;
  }
  const auto knows = [&](const Access &old) {
    return old.kind == Kind::none || old.is_read ||
           (old.component == component && old.kind != Kind::op
                ? old.time != time
                : is_known(warp, old));
  };
  access.knows_all = kind == Kind::plain && !found && knows(here.write);
  if (here.more)
    for (size_t i = 0; access.knows_all && i < here.more->size(); ++i)
      access.knows_all = knows((*here.more)[i]);
  record_read(here, access);
}

void Shadow::settle_pending() {
  Cta &cta = *pending.cta;
  pending.cta = nullptr;
  for (uint32_t i = 0; i < granule_bytes; ++i) {
    if (!(pending.mask >> i & 1) ||
        pending.bytes[i] == cta.window[pending.base + i])
      continue;
    report_with(
        Finding::shared_race,
        "this writes " + describe_mask(cta, pending.base, pending.mask) +
            " with no order after " + describe(self(), pending.earlier) +
            ", and another value: a barrier is missing between them",
        pending.stack);
    return;
  }
}

void Shadow::plain(Thread &thread, Cta &cta, uint32_t address, uint32_t bytes,
                   bool is_store, bool is_atomic) {
  settle();
  const Kind kind = is_atomic ? Kind::atomic : Kind::plain;
  const uint32_t base = address & ~(granule_bytes - 1);
  if (address + bytes <= base + granule_bytes) {
    plain_granule(thread, cta, base,
                  mask_of(address - base, address - base + bytes), is_store,
                  kind);
    return;
  }
  for_each_granule(address, bytes, [&](uint32_t at, uint16_t mask) {
    plain_granule(thread, cta, at, mask, is_store, kind);
  });
}

void Shadow::async_read(Thread &thread, Cta &cta, uint32_t address,
                        uint32_t bytes, uint32_t op, uint8_t warps) {
  Warp &warp = *thread.warp;
  for_each_granule(address, bytes, [&](uint32_t base, uint16_t mask) {
    Granule &here = granule(cta, base / granule_bytes);
    const bool is_wgmma = ops[op].kind == AsyncOp::Kind::wgmma;
    if (mask & ~here.initialised)
      uninitialised(thread, cta, base,
                    static_cast<uint16_t>(mask & ~here.initialised),
                    ops[op].what.c_str(), is_wgmma);
    const auto check = [&](const Access &old) {
      if (old.kind == Kind::none || old.is_read || !(old.mask & mask))
        return false;
      const bool own =
          old.kind == Kind::plain && old.component == warp.clock_index;
      if (!own && !is_known(warp, old)) {
        const Access copy = old;
        conflict(thread, cta, base, copy, mask, ops[op].what.c_str(), false,
                 true);
        return true;
      }
      if (old.kind == Kind::bulk)
        return false;
      // cp.async writes as its thread does, and is over at `done`.
      unsigned component = old.component;
      uint32_t time = old.time;
      if (old.kind == Kind::op) {
        component = ops[old.op].warps[0];
        time = ops[old.op].done[0];
      }
      if (is_fenced(thread, component, old.lane, time, false))
        return false;
      const Access copy = old;
      missing_fence(thread, cta, base, copy, ops[op].what.c_str());
      return true;
    };
    bool found = check(here.write);
    if (here.more)
      for (size_t i = 0; !found && i < here.more->size(); ++i)
        found = check((*here.more)[i]);
    Access access;
    access.kind = Kind::op;
    access.op = op;
    access.mask = mask;
    access.lane = warps;
    access.is_read = true;
    record_read(here, access);
  });
}

void Shadow::bulk_write(Thread &thread, Cta &cta, uint32_t address,
                        uint32_t bytes, uint32_t op, uint32_t component,
                        uint32_t time) {
  Warp &warp = *thread.warp;
  for_each_granule(address, bytes, [&](uint32_t base, uint16_t mask) {
    Granule &here = granule(cta, base / granule_bytes);
    if (here.barrier)
      report(Finding::barrier_misuse, ops[op].what + " writes " +
                                          describe_mask(cta, base, mask) +
                                          ", where an mbarrier lies");
    const auto check = [&](const Access &old) {
      if (old.kind == Kind::none || !(old.mask & mask))
        return false;
      const bool own = (old.kind == Kind::plain || old.kind == Kind::atomic) &&
                       old.component == warp.clock_index;
      if (!own && !is_known(warp, old)) {
        const Access copy = old;
        conflict(thread, cta, base, copy, mask, ops[op].what.c_str(), true,
                 true);
        return true;
      }
      if (old.is_read || (old.kind != Kind::plain && old.kind != Kind::atomic))
        return false;
      if (is_fenced(thread, old.component, old.lane, old.time, false))
        return false;
      const Access copy = old;
      missing_fence(thread, cta, base, copy, ops[op].what.c_str());
      return true;
    };
    bool found = check(here.write) || check(here.read);
    if (here.more)
      for (size_t i = 0; !found && i < here.more->size(); ++i)
        found = check((*here.more)[i]);
    Access access;
    access.kind = Kind::bulk;
    access.op = op;
    access.component = static_cast<uint16_t>(component);
    access.time = time;
    access.mask = mask;
    record_write(here, access);
  });
}

void Shadow::copy_write(Thread &thread, Cta &cta, uint32_t address,
                        uint32_t bytes, uint32_t op) {
  for_each_granule(address, bytes, [&](uint32_t base, uint16_t mask) {
    // It is ordered like a store of the thread, but complete only after a wait.
    plain_granule(thread, cta, base, mask, true, Kind::plain);
    Granule &here = granule(cta, base / granule_bytes);
    here.write.kind = Kind::op;
    here.write.op = op;
    here.write.lane = 1;
  });
}

void Shadow::set_barrier(Cta &cta, uint32_t address, bool is_barrier) {
  Granule &here = granule(cta, address / granule_bytes);
  const uint8_t bit = address % granule_bytes < 8 ? 1 : 2;
  if (is_barrier)
    here.barrier |= bit;
  else
    here.barrier &= static_cast<uint8_t>(~bit);
  here.initialised |=
      mask_of(address % granule_bytes, address % granule_bytes + 8);
}
