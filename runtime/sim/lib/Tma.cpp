//===- Tma.cpp - Bulk asynchronous copies ---------------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Tma.h"
#include "Async.h"
#include "Trace.h"

#include <string.h>

using namespace warpwright::sim;

namespace {

/// Scheduler steps within which a piece of a copy is delivered.
constexpr unsigned latency = 96;
/// What memory holds while a copy is on its way.
constexpr int poison = 0xff;

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// One row of a box: contiguous in shared memory, but for the swizzle.
struct BoxRow {
  bool inside = true;   ///< in all dimensions but the first
  uint64_t address = 0; ///< of element 0 of the tensor's row
};

BoxRow find_row(const TensorMap &map, const int32_t *at, uint32_t row) {
  BoxRow result;
  result.address = map.base;
  for (unsigned d = 1; d < map.rank; ++d) {
    const int64_t index =
        at[d] + static_cast<int64_t>(row % map.count(d)) * map.steps[d];
    row /= map.count(d);
    if (index < 0 || static_cast<uint64_t>(index) >= map.extents[d])
      result.inside = false;
    result.address += static_cast<uint64_t>(index) * map.strides[d - 1];
  }
  return result;
}

/// Elements [first, end) of a row's box that lie inside the tensor.
struct Span {
  int64_t first, end;
  bool is_empty() const { return first >= end; }
};
Span find_span(const TensorMap &map, int32_t start) {
  const int64_t extent = static_cast<int64_t>(map.extents[0]);
  const int64_t first = start < 0 ? -static_cast<int64_t>(start) : 0;
  int64_t end = extent - start;
  if (end > map.box[0])
    end = map.box[0];
  return {first, end};
}

/// Elements that a store writes: whole chunks of 16 bytes, also where the
/// tensor ends inside of one.
Span find_stored_span(const TensorMap &map, int32_t start) {
  Span span = find_span(map, start);
  if (span.is_empty())
    return span;
  const int64_t per_chunk = 16 / map.element_bytes();
  const int64_t end = (start + span.end + per_chunk - 1) / per_chunk;
  span.end = end * per_chunk - start;
  if (span.end > map.box[0])
    span.end = map.box[0];
  return span;
}

uint32_t swizzled(const TensorMap &map, uint32_t address) {
  return address ^ ((address >> 7 & (map.swizzle_bytes() / 16 - 1)) << 4);
}

void fill_outside(const TensorMap &map, char *row) {
  memset(row, 0, map.row_bytes());
  if (!map.fills_nan)
    return;
  for (uint32_t i = 0; i < map.box[0]; ++i) {
    const uint64_t nan = map.type == MapType::f64   ? 0x7fffffffffffffffu
                         : map.element_bytes() == 4 ? 0x7fffffffu
                                                    : 0x7fffu;
    memcpy(row + i * map.element_bytes(), &nan, map.element_bytes());
  }
}

/// Of rounding to tf32, which the data type asks for.
void convert_row(const TensorMap &map, char *row) {
  if (map.type != MapType::tf32 && map.type != MapType::tf32_ftz)
    return;
  for (uint32_t i = 0; i < map.box[0]; ++i) {
    uint32_t bits;
    memcpy(&bits, row + 4 * i, 4);
    // To nearest even; infinities stay, and NaNs, whose payload may lie in the
    // bits that are lost.
    if ((bits & 0x7fffffff) > 0x7f800000)
      bits |= 0x00400000;
    else if ((bits & 0x7f800000) != 0x7f800000)
      bits += 0xfff + (bits >> 13 & 1);
    bits &= 0xffffe000;
    memcpy(row + 4 * i, &bits, 4);
  }
}

/// Rows [first, end) of a box, from global memory to a CTA's window.
void load_rows(const TensorMap &map, const int32_t *at, Cta &cta,
               uint32_t shared, uint32_t first, uint32_t end) {
  std::vector<char> buffer(map.row_bytes());
  const Span span = find_span(map, at[0]);
  const unsigned size = map.element_bytes();
  for (uint32_t row = first; row < end; ++row) {
    const BoxRow place = find_row(map, at, row);
    fill_outside(map, buffer.data());
    if (place.inside && !span.is_empty())
      memcpy(buffer.data() + span.first * size,
             reinterpret_cast<const char *>(place.address) +
                 (at[0] + span.first) * size,
             static_cast<size_t>(span.end - span.first) * size);
    convert_row(map, buffer.data());
    const uint32_t linear = shared + row * map.row_bytes();
    for (uint32_t i = 0; i < map.row_bytes(); i += 16)
      memcpy(cta.window + swizzled(map, linear + i), buffer.data() + i, 16);
  }
}

const TensorMap *find_map(const TensorCopy &copy) {
  const TensorMap *map = static_cast<const TensorMap *>(copy.map);
  if (!map || reinterpret_cast<uintptr_t>(map) % 64 != 0 || !map->is_valid()) {
    report(Finding::tensor_map,
           copy.what + ": the address given does not hold a tensor map (it "
                       "must be a CUtensorMap that cuTensorMapEncodeTiled "
                       "filled, aligned to 64 bytes)");
    return nullptr;
  }
  if (map->rank != copy.dimensions) {
    report(Finding::tensor_map,
           copy.what + " takes " + std::to_string(copy.dimensions) +
               " coordinates, but the tensor map has rank " +
               std::to_string(map->rank) + " (" + map->describe() + ")");
    return nullptr;
  }
  if (map->interleave != MapInterleave::none) {
    report(Finding::unsupported,
           copy.what + ": the simulator has no interleaved tensor layouts");
    return nullptr;
  }
  return map;
}

bool is_aligned(const std::string &what, const char *which, uint32_t address,
                uint32_t unit) {
  if (address % unit == 0)
    return true;
  report(Finding::alignment, what + ": the " + which + " is shared address " +
                                 std::to_string(address) +
                                 ", which is not a multiple of " +
                                 std::to_string(unit));
  return false;
}

/// Whether all of the box that lies inside the tensor is memory of the device.
bool check_box(const TensorMap &map, const TensorCopy &copy, bool is_store) {
  const Span span =
      is_store ? find_stored_span(map, copy.at[0]) : find_span(map, copy.at[0]);
  if (span.is_empty())
    return true;
  const unsigned size = map.element_bytes();
  for (uint32_t row = 0; row < map.rows(); ++row) {
    const BoxRow place = find_row(map, copy.at, row);
    if (place.inside && !check_global_access(
                            reinterpret_cast<const char *>(place.address) +
                                (copy.at[0] + span.first) * size,
                            static_cast<uint64_t>(span.end - span.first) * size,
                            is_store, copy.what.c_str()))
      return false;
  }
  return true;
}

/// The CTAs that a load writes, with the place in each.
std::vector<SharedPlace> find_targets(Thread &thread, const std::string &what,
                                      uint32_t shared, uint32_t bytes,
                                      bool is_multicast, uint16_t ctas) {
  std::vector<SharedPlace> result;
  Cluster &cluster = *thread.cta->cluster;
  if (!is_multicast) {
    const SharedPlace place =
        shared_place(thread, shared, bytes, false, what.c_str(), true);
    if (place.cta)
      result.push_back(place);
    return result;
  }
  if (ctas == 0 || ctas >> cluster.ctas.size() != 0) {
    report(Finding::tensor_map,
           what + ": the multicast mask " + std::to_string(ctas) +
               " names no blocks, or blocks that the cluster of " +
               std::to_string(cluster.ctas.size()) + " does not have");
    return result;
  }
  for (unsigned rank = 0; rank < cluster.ctas.size(); ++rank) {
    if (!(ctas >> rank & 1))
      continue;
    const SharedPlace place =
        shared_place(thread, shared % window_pitch + rank * window_pitch, bytes,
                     false, what.c_str(), true);
    if (!place.cta)
      return {};
    result.push_back(place);
  }
  return result;
}

/// Marks the bytes that a load will write, and the barrier that counts them.
Mbarrier *begin_load(Thread &thread, const std::string &what,
                     const SharedPlace &place, uint32_t barrier_offset,
                     uint32_t bytes) {
  Mbarrier *barrier =
      mbarrier_begin_copy(thread, *place.cta, barrier_offset, bytes);
  if (!barrier)
    return nullptr;
  if (thread.cta->cluster->options.checks) {
    Shadow &shadow = async(*place.cta).shadow;
    const uint32_t op = shadow.new_op(AsyncOp::Kind::bulk_write, what);
    barrier->last_issue = shadow.op(op).issued;
    shadow.bulk_write(thread, *place.cta, place.offset, bytes, op,
                      barrier->component, barrier->phase + 1);
  }
  memset(place.data(), poison, bytes);
  return barrier;
}

/// A copy of `bytes` that reports to its own block's mbarrier.
void trace_load(Thread &thread, const SharedPlace &place, uint32_t bytes,
                uint32_t barrier) {
  trace(thread, "copy",
        {place.cta->rank, traced_address(thread, place.offset), bytes,
         traced_address(thread, barrier)});
}

/// Cuts [0, count) into one to three pieces and posts them.
template <class Deliver>
void post_pieces(Cluster &cluster, uint32_t count, Deliver deliver) {
  uint32_t pieces = 1 + cluster.random(3);
  if (pieces > count)
    pieces = count;
  for (uint32_t i = 0; i < pieces; ++i) {
    const uint32_t first = static_cast<uint32_t>(uint64_t(count) * i / pieces);
    const uint32_t end =
        static_cast<uint32_t>(uint64_t(count) * (i + 1) / pieces);
    cluster.post([deliver, first, end] { deliver(first, end); }, latency);
  }
}

} // namespace

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

void warpwright::sim::tensor_load(Thread &thread, const TensorCopy &copy) {
  check_started(thread, 0, false, copy.what.c_str());
  const TensorMap *found = find_map(copy);
  if (!found || !is_aligned(copy.what, "destination", copy.shared, 128) ||
      !check_box(*found, copy, false))
    return;
  const TensorMap map = *found;
  const uint32_t bytes = map.box_bytes();
  Cluster &cluster = *thread.cta->cluster;
  for (const SharedPlace &place :
       find_targets(thread, copy.what, copy.shared, bytes, copy.is_multicast,
                    copy.ctas)) {
    Mbarrier *barrier = begin_load(thread, copy.what, place,
                                   copy.barrier % window_pitch, bytes);
    if (!barrier)
      return;
    trace_load(thread, place, bytes, copy.barrier);
    post_pieces(cluster, map.rows(),
                [map, copy, place, barrier](uint32_t first, uint32_t end) {
                  load_rows(map, copy.at, *place.cta, place.offset, first, end);
                  const uint32_t came = (end - first) * map.row_bytes();
                  barrier->in_flight -= came;
                  mbarrier_complete(*barrier, came);
                });
  }
  reschedule();
}

void warpwright::sim::bulk_load(Thread &thread, const BulkCopy &copy) {
  check_started(thread, copy.bytes, false, copy.what.c_str());
  if (!is_aligned(copy.what, "destination", copy.shared, 16))
    return;
  if (copy.bytes % 16 != 0 || copy.bytes == 0 ||
      reinterpret_cast<uintptr_t>(copy.global) % 16 != 0) {
    report(Finding::alignment,
           copy.what + ": size (" + std::to_string(copy.bytes) +
               ") and global address must be multiples of 16 bytes");
    return;
  }
  if (!check_global_access(copy.global, copy.bytes, false, copy.what.c_str()))
    return;
  for (const SharedPlace &place :
       find_targets(thread, copy.what, copy.shared, copy.bytes,
                    copy.is_multicast, copy.ctas)) {
    Mbarrier *barrier = begin_load(thread, copy.what, place,
                                   copy.barrier % window_pitch, copy.bytes);
    if (!barrier)
      return;
    trace_load(thread, place, copy.bytes, copy.barrier);
    post_pieces(*thread.cta->cluster, copy.bytes / 16,
                [copy, place, barrier](uint32_t first, uint32_t end) {
                  const uint32_t came = 16 * (end - first);
                  memcpy(place.data() + 16 * first, copy.global + 16 * first,
                         came);
                  barrier->in_flight -= came;
                  mbarrier_complete(*barrier, came);
                });
  }
  reschedule();
}

void warpwright::sim::bulk_copy_to_cluster(Thread &thread,
                                           const BulkCopy &copy) {
  if (!is_aligned(copy.what, "destination", copy.shared, 16) ||
      !is_aligned(copy.what, "source", copy.source, 16) ||
      !is_aligned(copy.what, "size", copy.bytes, 16))
    return;
  const SharedPlace to = shared_place(thread, copy.shared, copy.bytes, false,
                                      copy.what.c_str(), true);
  const SharedPlace from =
      shared_place(thread, copy.source, copy.bytes, true, copy.what.c_str());
  if (!to.cta || !from.cta)
    return;
  uint32_t op = 0;
  Shadow &shadow = async(*from.cta).shadow;
  if (thread.cta->cluster->options.checks) {
    op = shadow.new_op(AsyncOp::Kind::bulk_read, copy.what);
    shadow.op(op).warps[0] = thread.warp->clock_index;
    shadow.async_read(thread, *from.cta, from.offset, copy.bytes, op, 1);
  }
  Mbarrier *barrier = begin_load(thread, copy.what, to,
                                 copy.barrier % window_pitch, copy.bytes);
  if (!barrier)
    return;
  // That the source has been read is known with the barrier's phase too.
  if (op) {
    shadow.op(op).warps[0] = barrier->component;
    shadow.op(op).done[0] = barrier->phase + 1;
  }
  post_pieces(*thread.cta->cluster, copy.bytes / 16,
              [to, from, barrier](uint32_t first, uint32_t end) {
                const uint32_t came = 16 * (end - first);
                memcpy(to.data() + 16 * first, from.data() + 16 * first, came);
                barrier->in_flight -= came;
                mbarrier_complete(*barrier, came);
              });
  reschedule();
}

void warpwright::sim::async_store(Thread &thread, const std::string &what,
                                  uint32_t shared, const char *bytes,
                                  uint32_t count, uint32_t barrier_address) {
  if (!is_aligned(what, "destination", shared, count))
    return;
  const SharedPlace to =
      shared_place(thread, shared, count, false, what.c_str(), true);
  if (!to.cta)
    return;
  Mbarrier *barrier =
      begin_load(thread, what, to, barrier_address % window_pitch, count);
  if (!barrier)
    return;
  const std::string copy(bytes, count);
  thread.cta->cluster->post(
      [to, copy, barrier, count] {
        memcpy(to.data(), copy.data(), count);
        barrier->in_flight -= count;
        mbarrier_complete(*barrier, count);
      },
      latency);
  reschedule();
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

namespace {

std::shared_ptr<BulkGroup> open_group(Thread &thread) {
  AsyncThread &state = async(thread);
  if (!state.open_bulk)
    state.open_bulk = std::make_shared<BulkGroup>();
  return state.open_bulk;
}

/// Posts a store: `read` takes the bytes out of shared memory, later `write`
/// puts them into global memory.
void post_store(Thread &thread, std::function<void()> read,
                std::function<void()> write) {
  Cluster &cluster = *thread.cta->cluster;
  const std::shared_ptr<BulkGroup> group = open_group(thread);
  ++group->reading;
  ++group->writing;
  const auto wake_waiter = [](BulkGroup &of) {
    if (of.waiter)
      wake(*of.waiter);
    of.waiter = nullptr;
  };
  cluster.post(
      [group, read, write, wake_waiter, &cluster] {
        read();
        --group->reading;
        wake_waiter(*group);
        cluster.post(
            [group, write, wake_waiter] {
              write();
              --group->writing;
              wake_waiter(*group);
            },
            latency);
      },
      latency);
}

uint32_t begin_store(Thread &thread, const std::string &what) {
  Shadow &shadow = async(*thread.cta).shadow;
  const uint32_t op = shadow.new_op(AsyncOp::Kind::bulk_read, what);
  shadow.op(op).warps[0] = thread.warp->clock_index;
  open_group(thread)->reads.push_back(op);
  return op;
}

} // namespace

void warpwright::sim::tensor_store(Thread &thread, const TensorCopy &copy) {
  check_started(thread, 0, true, copy.what.c_str());
  const TensorMap *found = find_map(copy);
  if (!found || !is_aligned(copy.what, "source", copy.shared, 128) ||
      !check_box(*found, copy, true))
    return;
  const TensorMap map = *found;
  const SharedPlace from = shared_place(thread, copy.shared, map.box_bytes(),
                                        true, copy.what.c_str());
  if (!from.cta)
    return;
  const Span span = find_stored_span(map, copy.at[0]);
  const unsigned size = map.element_bytes();
  const uint32_t row_bytes = map.row_bytes();
  trace(thread, "store",
        {traced_address(thread, copy.shared), map.box_bytes()});
  // A store always belongs to a group, also one that reads nothing.
  open_group(thread);
  if (thread.cta->cluster->options.checks && !span.is_empty()) {
    const uint32_t op = begin_store(thread, copy.what);
    for (uint32_t row = 0; row < map.rows(); ++row) {
      if (!find_row(map, copy.at, row).inside)
        continue;
      const uint32_t begin = static_cast<uint32_t>(span.first * size) & ~15u;
      const uint32_t end = static_cast<uint32_t>(span.end * size);
      for (uint32_t i = begin; i < end; i += 16)
        async(*from.cta).shadow.async_read(
            thread, *from.cta, swizzled(map, from.offset + row * row_bytes + i),
            16, op, 1);
    }
  }
  const auto buffer = std::make_shared<std::vector<char>>(map.box_bytes());
  const BulkReduction reduction = copy.reduction;
  post_store(
      thread,
      [map, from, buffer] {
        for (uint32_t i = 0; i < map.box_bytes(); i += 16)
          memcpy(buffer->data() + i,
                 from.cta->window + swizzled(map, from.offset + i), 16);
      },
      [map, copy, buffer, span, size, row_bytes, reduction] {
        if (span.is_empty())
          return;
        for (uint32_t row = 0; row < map.rows(); ++row) {
          const BoxRow place = find_row(map, copy.at, row);
          if (!place.inside)
            continue;
          char *to = reinterpret_cast<char *>(place.address) +
                     (copy.at[0] + span.first) * size;
          const char *source =
              buffer->data() + row * row_bytes + span.first * size;
          if (reduction == BulkReduction::none) {
            memcpy(to, source,
                   static_cast<size_t>(span.end - span.first) * size);
            continue;
          }
          for (int64_t i = 0; i < span.end - span.first; ++i)
            reduce_element(to + i * size, source + i * size, map.type,
                           reduction);
        }
      });
  reschedule();
}

void warpwright::sim::bulk_store(Thread &thread, const BulkCopy &copy) {
  check_started(thread, copy.bytes, true, copy.what.c_str());
  if (!is_aligned(copy.what, "source", copy.shared, 16))
    return;
  if (copy.bytes % 16 != 0 || copy.bytes == 0 ||
      reinterpret_cast<uintptr_t>(copy.global) % 16 != 0) {
    report(Finding::alignment,
           copy.what + ": size (" + std::to_string(copy.bytes) +
               ") and global address must be multiples of 16 bytes");
    return;
  }
  if (!check_global_access(copy.global, copy.bytes, true, copy.what.c_str()))
    return;
  const SharedPlace from =
      shared_place(thread, copy.shared, copy.bytes, true, copy.what.c_str());
  if (!from.cta)
    return;
  trace(thread, "store", {traced_address(thread, copy.shared), copy.bytes});
  if (thread.cta->cluster->options.checks)
    async(*from.cta).shadow.async_read(thread, *from.cta, from.offset,
                                       copy.bytes,
                                       begin_store(thread, copy.what), 1);
  const auto buffer = std::make_shared<std::vector<char>>(copy.bytes);
  post_store(
      thread,
      [from, buffer] { memcpy(buffer->data(), from.data(), buffer->size()); },
      [copy, buffer] {
        char *to = const_cast<char *>(copy.global);
        if (copy.reduction == BulkReduction::none) {
          memcpy(to, buffer->data(), buffer->size());
          return;
        }
        const unsigned size = bytes_of(copy.type);
        for (size_t i = 0; i < buffer->size(); i += size)
          reduce_element(to + i, buffer->data() + i, copy.type, copy.reduction);
      });
  reschedule();
}

void warpwright::sim::bulk_commit(Thread &thread) {
  trace(thread, "commit");
  AsyncThread &state = async(thread);
  // A group of nothing is a group too.
  state.bulk.push_back(open_group(thread));
  state.open_bulk.reset();
}

void warpwright::sim::bulk_wait(Thread &thread, unsigned pending, bool reads) {
  trace(thread, "wait_bulk", {pending, reads});
  AsyncThread &state = async(thread);
  Warp &warp = *thread.warp;
  if (state.bulk.size() <= pending)
    return;
  const size_t over = state.bulk.size() - pending;
  for (size_t i = 0; i < over; ++i) {
    const std::shared_ptr<BulkGroup> group = state.bulk[i];
    while (reads ? group->reading > 0 : group->writing > 0) {
      group->waiter = &thread;
      block([reads] {
        return std::string("bulk copies to ") +
               (reads ? "have read shared memory" : "be complete");
      });
    }
    Shadow &shadow = async(*thread.cta).shadow;
    for (const uint32_t op : group->reads)
      if (shadow.op(op).done[0] == 0)
        shadow.op(op).done[0] = now(warp);
    group->reads.clear();
  }
  tick(warp);
  // With .read a group's writes may go on: it stays until they are over, so
  // that a later full wait counts it. Groups complete in order.
  while (!state.bulk.empty() && state.bulk.size() > pending &&
         state.bulk.front()->writing == 0)
    state.bulk.pop_front();
}
