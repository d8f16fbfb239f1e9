//===- Wgmma.cpp - Warpgroup multiplications in flight --------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Wgmma.h"
#include "Async.h"
#include "WgmmaDescriptor.h"

#include <string.h>

using namespace warpwright::sim;

namespace {

/// What -ftrivial-auto-var-init=pattern leaves in a float, and in an integer.
constexpr uint32_t float_pattern = 0xffffffff, integer_pattern = 0xaaaaaaaa;
/// What registers in flight hold.
constexpr uint32_t poison = 0xffffffff;

Warpgroup &warpgroup_of(Warp &warp) {
  AsyncCta &cta = async(*warp.cta);
  const unsigned index = warp.index / 4;
  if (cta.warpgroups.size() <= index)
    cta.warpgroups.resize(index + 1);
  if (!cta.warpgroups[index]) {
    cta.warpgroups[index] = std::make_unique<Warpgroup>();
    cta.warpgroups[index]->cta = warp.cta;
    cta.warpgroups[index]->first_warp = 4 * index;
  }
  return *cta.warpgroups[index];
}

/// Row (of the warp's 16) and column of a lane's accumulator element.
unsigned element_index(unsigned lane, unsigned element, unsigned n) {
  const unsigned row = lane / 4 + 8 * (element >> 1 & 1);
  const unsigned column = 8 * (element >> 2) + 2 * (lane % 4) + (element & 1);
  return row * n + column;
}

uint32_t load32(const char *from) {
  uint32_t bits;
  memcpy(&bits, from, sizeof(bits));
  return bits;
}

/// Moves the registers of all lanes to `values` (gather) or back.
void move_accumulators(WarpAccumulator &tile, bool gather) {
  for (unsigned lane = 0; lane < 32; ++lane) {
    const std::vector<char *> &registers = tile.registers[lane];
    for (unsigned r = 0; r < registers.size(); ++r) {
      if (tile.type != AccumulatorType::f16) {
        uint32_t &value = tile.values[element_index(lane, r, tile.n)];
        if (gather)
          value = load32(registers[r]);
        else
          memcpy(registers[r], &value, sizeof(value));
        continue;
      }
      uint32_t &low = tile.values[element_index(lane, 2 * r, tile.n)];
      uint32_t &high = tile.values[element_index(lane, 2 * r + 1, tile.n)];
      if (gather) {
        const uint32_t bits = load32(registers[r]);
        low = bits & 0xffff;
        high = bits >> 16;
      } else {
        const uint32_t bits = (low & 0xffff) | high << 16;
        memcpy(registers[r], &bits, sizeof(bits));
      }
    }
  }
}

void set_poison(const WarpAccumulator &tile) {
  for (const std::vector<char *> &registers : tile.registers)
    for (char *to : registers)
      memcpy(to, &poison, sizeof(poison));
}

/// One operand from shared memory: outer = its rows (m or n), inner = k, or
/// turned round for B, which the multiplication wants as k rows of n.
void load_operand(Cta &cta, const MatrixDescriptor &descriptor, bool k_major,
                  ElementType type, unsigned rows, unsigned k, bool negate,
                  bool turned, OperandBlock &block) {
  const unsigned size = bytes_of(type), per_chunk = 16 / size;
  if (turned)
    block.resize(k, rows);
  else
    block.resize(rows, k);
  const unsigned outer = k_major ? rows : k, inner = k_major ? k : rows;
  for (unsigned o = 0; o < outer; ++o)
    for (unsigned first = 0; first < inner; first += per_chunk) {
      const uint32_t at = descriptor.address(k_major, o, first * size);
      // Outside of the window (reported when it was issued): poison.
      char chunk[16];
      if (at + 16 <= cta.window_end)
        memcpy(chunk, cta.window + at, 16);
      else
        memset(chunk, 0xff, 16);
      for (unsigned e = 0; e < per_chunk; ++e) {
        uint32_t bits = 0;
        memcpy(&bits, chunk + e * size, size);
        const unsigned row = k_major ? o : first + e;
        const unsigned column = k_major ? first + e : o;
        block.set(turned ? column : row, turned ? row : column, type, bits,
                  negate);
      }
    }
}

/// A from registers: the fragment of the PTX ISA for every element size.
void load_fragments(const Warpgroup::Op &op, OperandBlock &block) {
  const unsigned size = bytes_of(op.shape.a), per_register = 4 / size;
  block.resize(64, op.shape.k);
  for (unsigned t = 0; t < 128; ++t)
    for (unsigned r = 0; r < 4; ++r)
      for (unsigned e = 0; e < per_register; ++e) {
        const unsigned row = 16 * (t / 32) + t % 32 / 4 + 8 * (r & 1);
        const unsigned k =
            per_register * (t % 4) + e + (r >> 1) * 4 * per_register;
        const uint32_t bits = op.a[t][r] >> (8 * size * e);
        block.set(row, k, op.shape.a, bits, op.common.scale_a < 0);
      }
}

void compute(Warpgroup &group, Warpgroup::Op &op) {
  static thread_local OperandBlock a, b;
  Cta &cta = *group.cta;
  const WgmmaLane &common = op.common;
  if (op.shape.a_in_registers)
    load_fragments(op, a);
  else
    load_operand(cta, decode_descriptor(common.a_descriptor),
                 !common.a_transposed, op.shape.a, 64, op.shape.k,
                 common.scale_a < 0, false, a);
  load_operand(cta, decode_descriptor(common.b_descriptor),
               !common.b_transposed, op.shape.b, op.shape.n, op.shape.k,
               common.scale_b < 0, true, b);
  MmaSettings settings{op.shape.a, op.shape.b, op.shape.d, op.shape.saturate,
                       cta.cluster->options.exact_accumulate};
  for (unsigned w = 0; w < 4; ++w) {
    WarpAccumulator &tile = *op.accumulators[w];
    if (!common.scale_d)
      tile.values.assign(tile.values.size(), 0);
    multiply(settings, tile.values.data(), a, b, 16 * w, 16);
  }
  op.computed = true;
}

/// Computes what can be, in order, up to op number `end`.
void compute_until(Warpgroup &group, uint64_t end) {
  while (group.computed < end) {
    Warpgroup::Op &op = group.ops[group.computed - group.first];
    if (op.issued != 15)
      return;
    compute(group, op);
    ++group.computed;
  }
}

/// Whether all four warps have issued the ops before `end`.
bool all_issued(const Warpgroup &group, uint64_t end) {
  for (const Warpgroup::PerWarp &warp : group.warps)
    if (warp.issued < end)
      return false;
  return true;
}

/// The reads of one operand by one warp, checked chunk by chunk.
bool check_operand(Thread &thread, Cta &cta, const char *name,
                   const char *operand, uint64_t bits, bool k_major,
                   unsigned first, unsigned rows, unsigned bytes_of_k,
                   unsigned size, uint32_t op, unsigned warp_in_group) {
  const MatrixDescriptor descriptor = decode_descriptor(bits);
  if (!descriptor.is_aligned()) {
    report(Finding::alignment,
           std::string("the descriptor of ") + operand + " of " + name +
               " starts at shared address " + std::to_string(descriptor.start) +
               ", which is not where a pattern of the " +
               std::to_string(descriptor.width) +
               "-byte swizzle starts: rows repeat every " +
               std::to_string(8 * descriptor.width) +
               " bytes (or the base offset field must say where)");
    return false;
  }
  const uint8_t warps = static_cast<uint8_t>(1u << warp_in_group);
  const unsigned outer_begin = k_major ? first : 0;
  const unsigned outer_end = k_major ? first + rows : bytes_of_k / size;
  const unsigned inner_begin = k_major ? 0 : first * size;
  const unsigned inner_end = k_major ? bytes_of_k : (first + rows) * size;
  Shadow &shadow = async(cta).shadow;
  for (unsigned o = outer_begin; o < outer_end; ++o)
    for (unsigned i = inner_begin; i < inner_end; i += 16) {
      const uint32_t at = descriptor.address(k_major, o, i);
      if (at < cta.static_begin || at + 16 > cta.window_end) {
        report(Finding::shared_bounds,
               std::string(name) + " reads " + operand +
                   " from shared address " + std::to_string(at) +
                   ", outside of the CTA's shared memory [" +
                   std::to_string(cta.static_begin) + ", " +
                   std::to_string(cta.window_end) +
                   "): the descriptor's address or strides are wrong");
        return false;
      }
      shadow.async_read(thread, cta, at, 16, op, warps);
    }
  return true;
}

/// What all lanes must agree on.
bool agree(const WgmmaLane &a, const WgmmaLane &b, bool a_in_registers) {
  return (a_in_registers || a.a_descriptor == b.a_descriptor) &&
         a.b_descriptor == b.b_descriptor && a.scale_d == b.scale_d &&
         a.scale_a == b.scale_a && a.scale_b == b.scale_b &&
         a.a_transposed == b.a_transposed && a.b_transposed == b.b_transposed;
}

bool overlaps(const WarpAccumulator &tile, const WgmmaLane &other,
              unsigned registers) {
  for (const char *mine : tile.registers[0])
    for (unsigned r = 0; r < registers; ++r)
      if (mine == other.accumulators[r])
        return true;
  return false;
}

/// The tile in the lanes' registers; gathered if it is not in flight.
std::shared_ptr<WarpAccumulator>
find_accumulator(Warpgroup::PerWarp &state, const WgmmaShape &shape,
                 const char *name, const WgmmaLane *const *lanes) {
  const WgmmaLane &first = *lanes[0];
  const unsigned registers = shape.registers();
  std::shared_ptr<WarpAccumulator> &tile =
      state.accumulators[first.accumulators[0]];
  if (tile && tile->in_flight > 0) {
    if (tile->n == shape.n && tile->type == shape.d &&
        memcmp(tile->registers[0].data(), first.accumulators,
               registers * sizeof(char *)) == 0)
      return tile;
    report(Finding::accumulator_in_flight,
           std::string(name) +
               " uses accumulators of another shape that an earlier wgmma has "
               "not finished with: wait for it first");
  }
  for (const auto &entry : state.accumulators)
    if (entry.second && entry.second != tile && entry.second->in_flight > 0 &&
        overlaps(*entry.second, first, registers)) {
      report(Finding::accumulator_in_flight,
             std::string(name) +
                 " uses some of the registers of an earlier wgmma that has not "
                 "been waited for");
      break;
    }
  tile = std::make_shared<WarpAccumulator>();
  tile->n = shape.n;
  tile->type = shape.d;
  tile->values.resize(16 * shape.n);
  for (unsigned lane = 0; lane < 32; ++lane)
    tile->registers[lane].assign(lanes[lane]->accumulators,
                                 lanes[lane]->accumulators + registers);
  move_accumulators(*tile, true);
  if (!first.scale_d)
    return tile;
  for (unsigned lane = 0; lane < 32; ++lane) {
    // For integers only all registers together tell: the pattern of one is a
    // number like others.
    const uint32_t pattern =
        shape.d == AccumulatorType::s32 ? integer_pattern : float_pattern;
    unsigned same = 0;
    for (const char *at : tile->registers[lane])
      same += load32(at) == pattern;
    if (same == 0 || (shape.d == AccumulatorType::s32 &&
                      same != tile->registers[lane].size()))
      continue;
    report(Finding::accumulator_uninitialised,
           std::string(name) + " adds to accumulators that were never set (" +
               std::to_string(same) + " of the " +
               std::to_string(tile->registers[lane].size()) +
               " registers of lane " + std::to_string(lane) +
               "): the first one of a tile needs scale-d = 0, or zeroed "
               "registers");
    break;
  }
  return tile;
}

/// Whether any register of A was set.
void check_fragments(const char *name, const WgmmaLane *const *lanes) {
  for (unsigned lane = 0; lane < 32; ++lane)
    for (const uint32_t bits : lanes[lane]->a)
      if (bits != integer_pattern)
        return;
  report(Finding::accumulator_uninitialised,
         std::string(name) + " takes registers of A that were never set");
}

} // namespace

void warpwright::sim::wgmma_fence(Warp &warp) {
  warpgroup_of(warp).warps[warp.index % 4].fenced = true;
  for (Thread *thread : warp.lanes)
    if (thread && thread->async)
      forget_touches(*thread->async);
}

void warpwright::sim::wgmma_issue(Warp &warp, const WgmmaShape &shape,
                                  const char *name,
                                  const WgmmaLane *const *lanes) {
  const WgmmaLane &mine = *lanes[0];
  Cta &cta = *warp.cta;
  if (warp.index / 4 * 4 + 4 > cta.warps.size()) {
    report(Finding::divergence,
           std::string(name) +
               " needs the four warps of a warpgroup, of which this block has "
               "only " +
               std::to_string(cta.warps.size() % 4));
    return;
  }
  Warpgroup &group = warpgroup_of(warp);
  const unsigned w = warp.index % 4;
  Warpgroup::PerWarp &state = group.warps[w];
  for (unsigned lane = 1; lane < 32; ++lane)
    if (!agree(mine, *lanes[lane], shape.a_in_registers)) {
      report(Finding::descriptor,
             std::string(name) + ": lane " + std::to_string(lane) +
                 " gives another descriptor or scale than lane 0; all threads "
                 "of a warpgroup must agree");
      break;
    }
  if (!state.fenced)
    report(Finding::wgmma_fence,
           std::string(name) +
               " without a wgmma.fence before it: the first wgmma of a kernel "
               "must come after one");

  const uint64_t number = state.issued++;
  if (number - group.first == group.ops.size())
    group.ops.emplace_back();
  Warpgroup::Op &op = group.ops[number - group.first];
  if (op.issued == 0) {
    op.shape = shape;
    op.common = mine;
  } else if (op.shape.n != shape.n || op.shape.k != shape.k ||
             op.shape.a != shape.a || op.shape.d != shape.d ||
             !agree(op.common, mine, shape.a_in_registers)) {
    report(Finding::descriptor,
           std::string(name) + ": warp " + std::to_string(warp.index) +
               " gives another shape, descriptor or scale than the other warps "
               "of its warpgroup");
  }
  if (shape.a_in_registers)
    for (unsigned lane = 0; lane < 32; ++lane)
      memcpy(op.a[32 * w + lane], lanes[lane]->a, sizeof(lanes[lane]->a));
  op.issued |= 1u << w;

  // A group's reads are one operation for all of its wgmma and warps.
  uint32_t &reads = group.reads[state.groups];
  Shadow &shadow = async(cta).shadow;
  if (reads == 0) {
    reads = shadow.new_op(AsyncOp::Kind::wgmma, name);
    for (unsigned i = 0; i < 4; ++i)
      shadow.op(reads).warps[i] = cta.warps[group.first_warp + i].clock_index;
  }
  if (cta.cluster->options.checks) {
    Thread &thread = self();
    const unsigned k_bytes = shape.k * bytes_of(shape.a);
    if (!shape.a_in_registers)
      check_operand(thread, cta, name, "A", mine.a_descriptor,
                    !mine.a_transposed, 16 * w, 16, k_bytes, bytes_of(shape.a),
                    reads, w);
    check_operand(thread, cta, name, "B", mine.b_descriptor, !mine.b_transposed,
                  0, shape.n, k_bytes, bytes_of(shape.b), reads, w);
  }

  if (shape.a_in_registers && cta.cluster->options.checks) {
    if (watch_fragments(warp, lanes, number, reads))
      report(Finding::wgmma_fence,
             std::string(name) +
                 " takes registers of A that ordinary instructions have "
                 "written since the last wgmma.fence: one must come between");
    check_fragments(name, lanes);
  }
  op.accumulators[w] = find_accumulator(state, shape, name, lanes);
  if (op.accumulators[w]->in_flight++ == 0) {
    if (were_touched(warp, *op.accumulators[w]))
      report(Finding::wgmma_fence,
             std::string(name) +
                 " uses accumulators that ordinary instructions have touched "
                 "since the last wgmma.fence: one must come between");
    set_poison(*op.accumulators[w]);
    watch_accumulators(warp, *op.accumulators[w], reads);
  }
  if (op.issued == 15) {
    if (cta.cluster->random(2))
      compute_until(group, number + 1);
    for (Thread *waiter : group.waiters)
      wake(*waiter);
    group.waiters.clear();
  }
}

void warpwright::sim::wgmma_commit(Warp &warp) {
  Warpgroup::PerWarp &state = warpgroup_of(warp).warps[warp.index % 4];
  state.commits.push_back(state.issued);
  ++state.groups;
}

void warpwright::sim::wgmma_wait(Thread &thread, unsigned pending) {
  Warp &warp = *thread.warp;
  Warpgroup &group = warpgroup_of(warp);
  Warpgroup::PerWarp &state = group.warps[warp.index % 4];
  if (state.commits.size() <= pending)
    return;
  const size_t over = state.commits.size() - pending;
  const uint64_t end = state.commits[over - 1];
  const uint64_t groups_end = state.waited_groups + over;
  while (!all_issued(group, end)) {
    group.waiters.push_back(&thread);
    block([&group, end] {
      std::string missing;
      for (unsigned w = 0; w < 4; ++w)
        if (group.warps[w].issued < end)
          missing += (missing.empty() ? " " : ", ") +
                     std::to_string(group.first_warp + w);
      return "a wgmma that has not been issued by warp" + missing +
             " of its warpgroup";
    });
  }
  // The first lane to come here finishes for the others.
  if (state.waited_groups >= groups_end)
    return;
  compute_until(group, end);
  Shadow &shadow = async(*warp.cta).shadow;
  for (uint64_t g = state.waited_groups; g < groups_end; ++g) {
    const auto reads = group.reads.find(g);
    if (reads == group.reads.end())
      continue; // an empty group
    shadow.op(reads->second).done[warp.index % 4] = now(warp);
    bool all = true;
    for (const Warpgroup::PerWarp &other : group.warps)
      all &= &other == &state || other.waited_groups > g;
    if (all)
      group.reads.erase(reads);
  }
  state.waited_groups = groups_end;
  state.commits.erase(state.commits.begin(),
                      state.commits.begin() + static_cast<long>(over));
  for (uint64_t number = state.waited; number < end; ++number) {
    WarpAccumulator &tile =
        *group.ops[number - group.first].accumulators[warp.index % 4];
    if (--tile.in_flight == 0) {
      move_accumulators(tile, false);
      watch_accumulators(warp, tile, 0);
    }
  }
  state.waited = end;
  for (auto entry = state.accumulators.begin();
       entry != state.accumulators.end();)
    entry = entry->second->in_flight == 0 ? state.accumulators.erase(entry)
                                          : std::next(entry);
  tick(warp);
  uint64_t oldest = end;
  for (const Warpgroup::PerWarp &other : group.warps)
    oldest = oldest < other.waited ? oldest : other.waited;
  while (group.first < oldest) {
    group.ops.pop_front();
    ++group.first;
  }
}

namespace {

/// What a warp has issued; null: nothing.
const Warpgroup::PerWarp *state_of(const Warp &warp) {
  const AsyncCta &cta = *warp.cta->async;
  const unsigned index = warp.index / 4;
  if (cta.warpgroups.size() <= index || !cta.warpgroups[index])
    return nullptr;
  return &cta.warpgroups[index]->warps[warp.index % 4];
}

} // namespace

bool warpwright::sim::wgmma_pending(const Warp &warp) {
  const Warpgroup::PerWarp *state = state_of(warp);
  return state && state->waited < state->issued;
}

uint64_t warpwright::sim::waited_wgmmas(const Warp &warp) {
  const Warpgroup::PerWarp *state = state_of(warp);
  return state ? state->waited : 0;
}
