//===- PtxWarp.cpp - Votes, shuffles, elections ---------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Async.h"
#include "Ptx.h"

using namespace warpwright::sim;

namespace {

using Kind = PtxOperand::Kind;

/// d|p: either part may be missing.
void set_pair(PtxFrame &frame, const PtxOperand &to, uint64_t value,
              bool predicate, PtxType type) {
  if (to.kind != Kind::pair) {
    frame.set(to, value, type);
    return;
  }
  frame.set(to.parts[0], value, type);
  frame.set(to.parts[1], predicate, PtxType::pred);
}

enum VoteKind : uint8_t { vote_all, vote_any, vote_uniform, vote_ballot };

void run_vote(PtxFrame &frame, const PtxInstruction &instruction) {
  const bool predicate = frame.get_predicate(instruction.operands[1]);
  const uint32_t mask = instruction.operands.size() > 2
                            ? frame.get32(instruction.operands[2])
                            : 0xffffffff;
  switch (static_cast<VoteKind>(instruction.operation)) {
  case vote_ballot:
    frame.set(instruction.operands[0], vote(Vote::ballot, mask, predicate),
              PtxType::b32);
    return;
  case vote_uniform: {
    const unsigned set = vote(Vote::ballot, mask, predicate);
    const unsigned there = mask & frame.thread.warp->present;
    frame.set(instruction.operands[0], set == 0 || set == there, PtxType::pred);
    return;
  }
  case vote_all:
  case vote_any:
    frame.set(instruction.operands[0],
              vote(instruction.operation == vote_all ? Vote::all : Vote::any,
                   mask, predicate) != 0,
              PtxType::pred);
    return;
  }
}

/// shfl.sync.mode d|p, a, b, c, mask. c holds the clamp (low five bits) and the
/// segment mask (bits 8 to 12).
void run_shuffle(PtxFrame &frame, const PtxInstruction &instruction) {
  const uint64_t value = frame.get(instruction.operands[1], PtxType::b32);
  const uint32_t b = frame.get32(instruction.operands[2]) & 31;
  const uint32_t c = frame.get32(instruction.operands[3]);
  const uint32_t mask = frame.get32(instruction.operands[4]);
  const uint32_t clamp = c & 31, segment = c >> 8 & 31;
  const uint32_t lane = frame.thread.lane;
  const uint32_t first = lane & segment;
  const uint32_t last = (lane & segment) | (clamp & ~segment);
  int64_t source = lane;
  bool inside = true;
  switch (static_cast<Shuffle>(instruction.operation)) {
  case Shuffle::up:
    source = static_cast<int64_t>(lane) - b;
    inside = source >= static_cast<int64_t>(last);
    break;
  case Shuffle::down:
    source = lane + b;
    inside = source <= last;
    break;
  case Shuffle::exclusive:
    source = lane ^ b;
    inside = source <= last;
    break;
  case Shuffle::index:
    source = first | (b & ~segment);
    inside = source <= last;
    break;
  }
  if (!inside)
    source = lane;
  const uint64_t result =
      shuffle(Shuffle::index, mask, value, static_cast<unsigned>(source), 32);
  set_pair(frame, instruction.operands[0], result, inside, PtxType::b32);
}

void run_redux(PtxFrame &frame, const PtxInstruction &instruction) {
  frame.set(instruction.operands[0],
            reduce(static_cast<Reduce>(instruction.operation),
                   frame.get32(instruction.operands[2]),
                   frame.get32(instruction.operands[1])),
            PtxType::b32);
}

void run_match(PtxFrame &frame, const PtxInstruction &instruction) {
  const uint64_t value =
      frame.get(instruction.operands[1], instruction.type) &
      (instruction.type == PtxType::b32 ? 0xffffffffu : ~uint64_t(0));
  int all = 0;
  const unsigned result = match(frame.get32(instruction.operands[2]), value,
                                instruction.flags ? &all : nullptr);
  set_pair(frame, instruction.operands[0], result, all != 0, PtxType::b32);
}

void run_activemask(PtxFrame &frame, const PtxInstruction &instruction) {
  frame.set(instruction.operands[0], active_mask(), PtxType::b32);
}

/// One lane is elected: the lowest, as on the hardware so far.
void run_elect(PtxFrame &frame, const PtxInstruction &instruction) {
  const uint32_t mask = frame.get32(instruction.operands[1]);
  Thread &thread = frame.thread;
  const unsigned there = mask & thread.warp->present;
  if (!(there >> thread.lane & 1)) {
    report(Finding::divergence,
           "elect.sync by a lane that is not in its member mask");
    return;
  }
  meet(there, &instruction, "elect.sync", nullptr,
       [](Warp &warp, void *const *) { converged(warp); });
  const unsigned leader = static_cast<unsigned>(__builtin_ctz(there));
  set_pair(frame, instruction.operands[0], leader, leader == thread.lane,
           PtxType::b32);
}

void run_warp_sync(PtxFrame &frame, const PtxInstruction &instruction) {
  sync_warp(frame.get32(instruction.operands[0]));
}

} // namespace

bool warpwright::sim::decode_warp(PtxInstruction &instruction) {
  const std::string &name = instruction.name[0];
  const size_t operands = instruction.operands.size();
  instruction.type = ptx_type(instruction.name.back());
  if (name == "vote" && operands >= 2) {
    const struct {
      const char *name;
      VoteKind kind;
    } kinds[] = {{"all", vote_all},
                 {"any", vote_any},
                 {"uni", vote_uniform},
                 {"ballot", vote_ballot}};
    for (const auto &kind : kinds)
      if (instruction.has(kind.name)) {
        instruction.operation = kind.kind;
        instruction.run = run_vote;
        return true;
      }
    return false;
  }
  if (name == "shfl" && operands == 5) {
    const struct {
      const char *name;
      Shuffle kind;
    } kinds[] = {{"up", Shuffle::up},
                 {"down", Shuffle::down},
                 {"bfly", Shuffle::exclusive},
                 {"idx", Shuffle::index}};
    for (const auto &kind : kinds)
      if (instruction.has(kind.name)) {
        instruction.operation = static_cast<uint8_t>(kind.kind);
        instruction.run = run_shuffle;
        return instruction.has("sync");
      }
    return false;
  }
  if (name == "redux" && operands == 3) {
    const bool sign = is_signed(instruction.type);
    const struct {
      const char *name;
      Reduce kind;
    } kinds[] = {{"add", Reduce::add},
                 {"min", sign ? Reduce::min_s : Reduce::min_u},
                 {"max", sign ? Reduce::max_s : Reduce::max_u},
                 {"and", Reduce::and_},
                 {"or", Reduce::or_},
                 {"xor", Reduce::xor_}};
    for (const auto &kind : kinds)
      if (instruction.has(kind.name)) {
        instruction.operation = static_cast<uint8_t>(kind.kind);
        instruction.run = run_redux;
        return bytes_of(instruction.type) == 4 && !is_float(instruction.type);
      }
    return false;
  }
  if (name == "match" && operands == 3) {
    instruction.flags = instruction.has("all");
    instruction.run = run_match;
    return instruction.has("all") || instruction.has("any");
  }
  if (name == "activemask" && operands == 1)
    instruction.run = run_activemask;
  else if (name == "elect" && operands == 2)
    instruction.run = run_elect;
  else if (name == "bar" && instruction.has("warp") && operands == 1)
    instruction.run = run_warp_sync;
  else
    return false;
  return true;
}
