//===- PtxBulk.cpp - cp.async.bulk instructions ---------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxMemory.h"
#include "Tma.h"

#include <string.h>

using namespace warpwright::sim;

namespace {

enum Flag : uint32_t { multicast = 1, reads_only = 2 };

BulkReduction reduction_of(const PtxInstruction &instruction) {
  const struct {
    const char *name;
    BulkReduction reduction;
  } reductions[] = {{"add", BulkReduction::add}, {"min", BulkReduction::min},
                    {"max", BulkReduction::max}, {"inc", BulkReduction::inc},
                    {"dec", BulkReduction::dec}, {"and", BulkReduction::and_},
                    {"or", BulkReduction::or_},  {"xor", BulkReduction::xor_}};
  for (const auto &known : reductions)
    if (instruction.has(known.name))
      return known.reduction;
  return BulkReduction::none;
}

/// The tensor and the coordinates of "[map, {x, y}]".
void set_tensor(PtxFrame &frame, const PtxOperand &operand, TensorCopy &copy) {
  copy.map = reinterpret_cast<const void *>(
      frame.get(operand.parts[0], PtxType::b64) + operand.bits);
  const PtxOperand &coordinates = operand.parts[1];
  if (coordinates.kind != PtxOperand::Kind::vector) {
    copy.at[0] = static_cast<int32_t>(frame.get32(coordinates));
    return;
  }
  for (size_t d = 0; d < coordinates.parts.size() && d < 5; ++d)
    copy.at[d] = static_cast<int32_t>(frame.get32(coordinates.parts[d]));
}

void run_tensor_load(PtxFrame &frame, const PtxInstruction &instruction) {
  TensorCopy copy;
  copy.what = instruction.text();
  copy.dimensions = instruction.count;
  copy.shared = static_cast<uint32_t>(frame.address(instruction.operands[0]));
  set_tensor(frame, instruction.operands[1], copy);
  copy.barrier = static_cast<uint32_t>(frame.address(instruction.operands[2]));
  copy.is_multicast = instruction.flags & multicast;
  if (copy.is_multicast)
    copy.ctas = static_cast<uint16_t>(frame.get32(instruction.operands[3]));
  tensor_load(frame.thread, copy);
}

void run_tensor_store(PtxFrame &frame, const PtxInstruction &instruction) {
  TensorCopy copy;
  copy.what = instruction.text();
  copy.dimensions = instruction.count;
  set_tensor(frame, instruction.operands[0], copy);
  copy.shared = static_cast<uint32_t>(frame.address(instruction.operands[1]));
  copy.reduction = static_cast<BulkReduction>(instruction.operation);
  tensor_store(frame.thread, copy);
}

void run_load(PtxFrame &frame, const PtxInstruction &instruction) {
  BulkCopy copy;
  copy.what = instruction.text();
  copy.shared = static_cast<uint32_t>(frame.address(instruction.operands[0]));
  const uint64_t source = frame.address(instruction.operands[1]);
  copy.bytes = frame.get32(instruction.operands[2]);
  copy.barrier = static_cast<uint32_t>(frame.address(instruction.operands[3]));
  if (instruction.has("global")) {
    copy.global = reinterpret_cast<const char *>(source);
    copy.is_multicast = instruction.flags & multicast;
    if (copy.is_multicast)
      copy.ctas = static_cast<uint16_t>(frame.get32(instruction.operands[4]));
    bulk_load(frame.thread, copy);
  } else {
    copy.source = static_cast<uint32_t>(source);
    bulk_copy_to_cluster(frame.thread, copy);
  }
}

void run_store(PtxFrame &frame, const PtxInstruction &instruction) {
  BulkCopy copy;
  copy.what = instruction.text();
  copy.global =
      reinterpret_cast<const char *>(frame.address(instruction.operands[0]));
  copy.shared = static_cast<uint32_t>(frame.address(instruction.operands[1]));
  copy.bytes = frame.get32(instruction.operands[2]);
  copy.reduction = static_cast<BulkReduction>(instruction.operation);
  copy.type = static_cast<MapType>(instruction.variant);
  bulk_store(frame.thread, copy);
}

/// st.async [address], value, [mbarrier]: a store to shared memory of the
/// cluster whose bytes the mbarrier counts.
void run_store_async(PtxFrame &frame, const PtxInstruction &instruction) {
  const unsigned size = bytes_of(instruction.type);
  const PtxOperand &value = instruction.operands[1];
  char bytes[16];
  for (unsigned i = 0; i < instruction.count; ++i) {
    const uint64_t bits = frame.get(
        instruction.count > 1 ? value.parts[i] : value, instruction.type);
    memcpy(bytes + i * size, &bits, size);
  }
  async_store(frame.thread, instruction.text(),
              static_cast<uint32_t>(frame.address(instruction.operands[0])),
              bytes, size * instruction.count,
              static_cast<uint32_t>(frame.address(instruction.operands[2])));
}

void run_commit(PtxFrame &frame, const PtxInstruction &) {
  bulk_commit(frame.thread);
}
void run_wait(PtxFrame &frame, const PtxInstruction &instruction) {
  bulk_wait(frame.thread, frame.get32(instruction.operands[0]),
            instruction.flags & reads_only);
  reschedule();
}
void run_prefetch(PtxFrame &, const PtxInstruction &) {}

bool find_map_type(PtxType type, uint8_t &result) {
  const struct {
    PtxType from;
    MapType to;
  } types[] = {{PtxType::u8, MapType::u8},   {PtxType::b8, MapType::u8},
               {PtxType::u16, MapType::u16}, {PtxType::b16, MapType::u16},
               {PtxType::u32, MapType::u32}, {PtxType::b32, MapType::u32},
               {PtxType::s32, MapType::s32}, {PtxType::u64, MapType::u64},
               {PtxType::b64, MapType::u64}, {PtxType::s64, MapType::s64},
               {PtxType::f16, MapType::f16}, {PtxType::f32, MapType::f32},
               {PtxType::f64, MapType::f64}, {PtxType::bf16, MapType::bf16}};
  for (const auto &known : types)
    if (known.from == type) {
      result = static_cast<uint8_t>(known.to);
      return true;
    }
  return false;
}

bool is_address(const PtxInstruction &instruction, size_t operand) {
  return operand < instruction.operands.size() &&
         instruction.operands[operand].kind == PtxOperand::Kind::address;
}

bool decode_store_async(PtxInstruction &instruction) {
  instruction.type = ptx_type(instruction.name.back());
  for (const char *vector : {"v2", "v4"})
    if (instruction.has(vector))
      instruction.count = static_cast<uint8_t>(vector[1] - '0');
  const unsigned size = bytes_of(instruction.type);
  if (instruction.operands.size() != 3 || !is_address(instruction, 0) ||
      !is_address(instruction, 2) || (size != 4 && size != 8) ||
      size * instruction.count > 16 ||
      !instruction.has("mbarrier::complete_tx::bytes"))
    return false;
  const PtxOperand &value = instruction.operands[1];
  instruction.run = run_store_async;
  return instruction.count == 1 || (value.kind == PtxOperand::Kind::vector &&
                                    value.parts.size() == instruction.count);
}

bool decode_tensor(PtxInstruction &instruction, bool is_reduction) {
  for (const char *dimensions : {"1d", "2d", "3d", "4d", "5d"})
    if (instruction.has(dimensions))
      instruction.m = static_cast<unsigned>(dimensions[0] - '0');
  instruction.count = static_cast<uint8_t>(instruction.m);
  // Other modes than tiles are not simulated.
  for (const std::string &part : instruction.name)
    if (part.compare(0, 6, "im2col") == 0 || part.compare(0, 6, "tile::") == 0)
      return false;
  const bool is_store = instruction.has("bulk_group");
  const size_t tensor = is_store ? 0 : 1;
  if (instruction.count == 0 || !is_address(instruction, 0) ||
      !is_address(instruction, 1) ||
      instruction.operands[tensor].parts.size() < 2)
    return false;
  const PtxOperand &coordinates = instruction.operands[tensor].parts[1];
  if (coordinates.kind == PtxOperand::Kind::vector
          ? coordinates.parts.size() != instruction.count
          : instruction.count != 1)
    return false;
  if (is_store) {
    instruction.operation = static_cast<uint8_t>(
        is_reduction ? reduction_of(instruction) : BulkReduction::none);
    instruction.run = run_tensor_store;
    return !is_reduction || reduction_of(instruction) != BulkReduction::none;
  }
  if (is_reduction || !instruction.has("mbarrier::complete_tx::bytes") ||
      !is_address(instruction, 2))
    return false;
  if (instruction.has("multicast::cluster"))
    instruction.flags |= multicast;
  instruction.run = run_tensor_load;
  return instruction.operands.size() >=
         (instruction.flags & multicast ? 4u : 3u);
}

} // namespace

bool warpwright::sim::decode_bulk(PtxInstruction &instruction) {
  if (instruction.name[0] == "st" && instruction.has("async"))
    return decode_store_async(instruction);
  if (instruction.name[0] != "cp" || !instruction.has("bulk"))
    return false;
  const bool is_reduction = instruction.has("reduce");
  const size_t operands = instruction.operands.size();
  if (instruction.has("prefetch")) {
    instruction.run = run_prefetch;
    return true;
  }
  if (instruction.has("commit_group") && operands == 0) {
    instruction.run = run_commit;
    return true;
  }
  if (instruction.has("wait_group") && operands == 1) {
    if (instruction.has("read"))
      instruction.flags |= reads_only;
    instruction.run = run_wait;
    return true;
  }
  if (instruction.has("tensor"))
    return decode_tensor(instruction, is_reduction);
  if (!is_address(instruction, 0) || !is_address(instruction, 1) ||
      operands < 3 || instruction.has("cp_mask"))
    return false;
  if (instruction.has("bulk_group")) {
    instruction.operation = static_cast<uint8_t>(
        is_reduction ? reduction_of(instruction) : BulkReduction::none);
    instruction.run = run_store;
    if (!is_reduction)
      return true;
    return find_map_type(ptx_type(instruction.name.back()),
                         instruction.variant) &&
           instruction.operation != 0;
  }
  if (is_reduction || !is_address(instruction, 3))
    return false;
  if (instruction.has("multicast::cluster"))
    instruction.flags |= multicast;
  instruction.run = run_load;
  return operands >= (instruction.flags & multicast ? 5u : 4u);
}
