//===- PtxMbarrier.cpp - mbarrier instructions ----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxMemory.h"
#include "Trace.h"

using namespace warpwright::sim;

namespace {

enum Flag : uint32_t {
  relaxed = 1,
  expects = 2,
  drops = 4,
  no_complete = 8,
  parity = 16,
  suspends = 32, ///< try_wait
};

/// What an arrival returns: the phase it was for, and the arrivals that were
/// pending then (opaque to programs).
uint64_t make_state(uint32_t phase, uint32_t pending) {
  return uint64_t(phase) << 20 | (pending & max_arrivals);
}

uint32_t own_barrier(PtxFrame &frame, const PtxInstruction &instruction,
                     unsigned operand, bool &found) {
  const SharedPlace place =
      shared_operand(frame.thread, instruction.space,
                     frame.address(instruction.operands[operand]), 8,
                     instruction.name[0].c_str());
  found = place.cta != nullptr;
  return place.cta ? place.cta->rank * window_pitch + place.offset : 0;
}

void run_init(PtxFrame &frame, const PtxInstruction &instruction) {
  bool found;
  const uint32_t address = own_barrier(frame, instruction, 0, found);
  if (found)
    mbarrier_init(frame.thread, address, frame.get32(instruction.operands[1]));
  trace(frame.thread, "init",
        {traced_address(frame.thread, address),
         frame.get32(instruction.operands[1])});
  reschedule();
}

void run_invalidate(PtxFrame &frame, const PtxInstruction &instruction) {
  bool found;
  const uint32_t address = own_barrier(frame, instruction, 0, found);
  if (found)
    mbarrier_invalidate(frame.thread, address);
}

void run_expect(PtxFrame &frame, const PtxInstruction &instruction) {
  const SharedPlace place = shared_operand(
      frame.thread, instruction.space, frame.address(instruction.operands[0]),
      8, "mbarrier.expect_tx");
  if (place.cta)
    mbarrier_expect(frame.thread, *place.cta, place.offset,
                    frame.get32(instruction.operands[1]));
  reschedule();
}

void run_complete(PtxFrame &frame, const PtxInstruction &instruction) {
  const SharedPlace place = shared_operand(
      frame.thread, instruction.space, frame.address(instruction.operands[0]),
      8, "mbarrier.complete_tx");
  if (!place.cta)
    return;
  Mbarrier *barrier = find_mbarrier(frame.thread, *place.cta, place.offset,
                                    "mbarrier.complete_tx", false);
  if (barrier)
    mbarrier_complete(*barrier, frame.get32(instruction.operands[1]));
  reschedule();
}

/// arrive{.expect_tx} state, [address]{, count or bytes}
void run_arrive(PtxFrame &frame, const PtxInstruction &instruction) {
  const bool has_state =
      instruction.operands[0].kind != PtxOperand::Kind::address;
  const unsigned first = has_state ? 1 : 0;
  const uint32_t number = instruction.operands.size() > first + 1
                              ? frame.get32(instruction.operands[first + 1])
                              : 1;
  const bool expecting = instruction.flags & expects;
  const SharedPlace place = shared_operand(
      frame.thread, instruction.space,
      frame.address(instruction.operands[first]), 8, "mbarrier.arrive");
  if (!place.cta)
    return;
  const uint32_t count = expecting ? 1 : number;
  Mbarrier *barrier = find_mbarrier(frame.thread, *place.cta, place.offset,
                                    "mbarrier.arrive", false);
  if (!barrier)
    return;
  const uint32_t pending = barrier->pending;
  trace(frame.thread, "arrive",
        {place.cta->rank, traced_address(frame.thread, place.offset), count,
         expecting ? number : 0});
  if (instruction.flags & drops) {
    if (barrier->expected < count)
      report(Finding::arrival_count,
             "mbarrier.arrive_drop takes away more arrivals than " +
                 describe_barrier(*barrier) + " has");
    else
      barrier->expected -= count;
  }
  const uint32_t phase =
      mbarrier_arrive(frame.thread, *place.cta, place.offset, count, expecting,
                      expecting ? number : 0, !(instruction.flags & relaxed),
                      !(instruction.flags & no_complete));
  if (has_state)
    frame.set(instruction.operands[0], make_state(phase, pending),
              PtxType::b64);
  reschedule();
}

void run_wait(PtxFrame &frame, const PtxInstruction &instruction) {
  AsyncThread &state = async(frame.thread);
  bool found;
  const uint32_t address = own_barrier(frame, instruction, 1, found);
  if (!found) {
    frame.set(instruction.operands[0], 1, PtxType::pred);
    return;
  }
  const uint64_t phase = frame.get(instruction.operands[2], PtxType::b64);
  // try_wait may give up before the phase is over: now and then it does, so
  // that programs which do not try again show it.
  bool blocks =
      (instruction.flags & suspends) &&
      (state.failed_tries > 0 || frame.thread.cta->cluster->random(8) != 0);
  const bool acquires = !(instruction.flags & relaxed);
  const bool over =
      instruction.flags & parity
          ? mbarrier_wait_parity(frame.thread, address, phase & 1, acquires,
                                 blocks)
          : mbarrier_wait_phase(frame.thread, address,
                                static_cast<uint32_t>(phase >> 20), acquires,
                                blocks);
  state.failed_tries = over ? 0 : state.failed_tries + 1;
  if (over && instruction.flags & parity)
    trace(frame.thread, "wait",
          {traced_address(frame.thread, address), int64_t(phase & 1)});
  frame.set(instruction.operands[0], over, PtxType::pred);
  if (over)
    reschedule();
  else
    yield();
}

void run_pending(PtxFrame &frame, const PtxInstruction &instruction) {
  frame.set(instruction.operands[0],
            frame.get(instruction.operands[1], PtxType::b64) & max_arrivals,
            PtxType::b32);
}

} // namespace

bool warpwright::sim::decode_mbarrier(PtxInstruction &instruction) {
  const size_t operands = instruction.operands.size();
  if (instruction.name[0] != "mbarrier" || instruction.name.size() < 2)
    return false;
  const std::string &what = instruction.name[1];
  instruction.space = space_of(instruction);
  if (instruction.has("relaxed"))
    instruction.flags |= relaxed;
  if (what == "init" && operands == 2) {
    instruction.run = run_init;
  } else if (what == "inval" && operands == 1) {
    instruction.run = run_invalidate;
  } else if (what == "expect_tx" && operands == 2) {
    instruction.run = run_expect;
  } else if (what == "complete_tx" && operands == 2) {
    instruction.run = run_complete;
  } else if ((what == "arrive" || what == "arrive_drop") && operands >= 1) {
    if (instruction.has("expect_tx"))
      instruction.flags |= expects;
    if (instruction.has("noComplete"))
      instruction.flags |= no_complete;
    if (what == "arrive_drop")
      instruction.flags |= drops;
    // Remote barriers return no state; the address comes first or second.
    const bool first =
        instruction.operands[0].kind == PtxOperand::Kind::address;
    if (!first && (operands < 2 ||
                   instruction.operands[1].kind != PtxOperand::Kind::address))
      return false;
    instruction.run = run_arrive;
  } else if ((what == "test_wait" || what == "try_wait") && operands >= 3) {
    if (instruction.has("parity"))
      instruction.flags |= parity;
    if (what == "try_wait")
      instruction.flags |= suspends;
    instruction.run = run_wait;
    return instruction.operands[1].kind == PtxOperand::Kind::address;
  } else if (what == "pending_count" && operands == 2) {
    instruction.run = run_pending;
    return true;
  } else {
    return false;
  }
  return true;
}
