//===- PtxMatrix.cpp - ldmatrix, stmatrix, mma ----------------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxFloat.h"
#include "PtxMemory.h"
#include "WgmmaMath.h"

#include <math.h>
#include <string.h>

using namespace warpwright::sim;

namespace {

using Kind = PtxOperand::Kind;

/// What one lane brings to an instruction of the whole warp.
struct LanePart {
  PtxFrame *frame;
  char *row;          ///< of a matrix in shared memory
  uint32_t values[4]; ///< registers of matrices
};

const PtxOperand &part(const PtxOperand &operand, unsigned i) {
  return operand.kind == Kind::vector ? operand.parts[i] : operand;
}
unsigned parts(const PtxOperand &operand) {
  return operand.kind == Kind::vector
             ? static_cast<unsigned>(operand.parts.size())
             : 1;
}

//===----------------------------------------------------------------------===//
// ldmatrix and stmatrix
//===----------------------------------------------------------------------===//

enum Flag : uint32_t { transposed = 1, saturates = 2, is_store = 4 };

/// The 16 bytes of row l % 8 of matrix l / 8, whose address lane l gives; null
/// where that is wrong.
char *find_row(PtxFrame &frame, const PtxInstruction &instruction,
               const PtxOperand &address, PtxAccess access, const char *what) {
  const SharedPlace place = shared_operand(frame.thread, instruction.space,
                                           frame.address(address), 16, what);
  if (!place.cta)
    return nullptr;
  return resolve(frame.thread, PtxSpace::shared_cta,
                 uint64_t(place.cta->rank) * window_pitch + place.offset, 16,
                 access, what);
}

/// Where element e (0 or 1) of a lane's register lies in a matrix: row lane /
/// 4, column 2 (lane % 4) + e; transposed, the other way round.
char *element(char *const *rows, unsigned lane, unsigned e, bool turned) {
  const unsigned i = lane / 4, j = 2 * (lane % 4) + e;
  char *row = rows[turned ? j : i];
  return row ? row + 2 * (turned ? i : j) : nullptr;
}

void run_move_matrix(PtxFrame &frame, const PtxInstruction &instruction) {
  const unsigned count = instruction.count;
  const bool store = instruction.flags & is_store;
  const char *what = store ? "stmatrix" : "ldmatrix";
  const PtxOperand &registers = instruction.operands[store ? 1 : 0];
  LanePart mine = {&frame, nullptr, {}};
  for (unsigned r = 0; store && r < count; ++r)
    mine.values[r] = frame.get32(part(registers, r));
  // First the lanes meet, so that what they do counts as done together.
  meet_aligned(&instruction, what, nullptr, [](Warp &, void *const *) {});
  if (frame.thread.lane < 8 * count)
    mine.row = find_row(frame, instruction, instruction.operands[store ? 0 : 1],
                        store ? PtxAccess::store : PtxAccess::load, what);
  meet_aligned(&instruction, what, &mine, [&](Warp &, void *const *payload) {
    const bool turned = instruction.flags & transposed;
    for (unsigned r = 0; r < count; ++r) {
      char *rows[8];
      for (unsigned i = 0; i < 8; ++i) {
        const LanePart *lane =
            static_cast<const LanePart *>(payload[8 * r + i]);
        rows[i] = lane ? lane->row : nullptr;
      }
      for (unsigned l = 0; l < 32; ++l) {
        LanePart *lane = static_cast<LanePart *>(payload[l]);
        if (!lane)
          continue;
        for (unsigned e = 0; e < 2; ++e) {
          char *at = element(rows, l, e, turned);
          uint16_t bits = static_cast<uint16_t>(lane->values[r] >> 16 * e);
          if (!at)
            continue;
          if (store) {
            memcpy(at, &bits, 2);
            continue;
          }
          memcpy(&bits, at, 2);
          lane->values[r] = (lane->values[r] & ~(0xffffu << 16 * e)) |
                            static_cast<uint32_t>(bits) << 16 * e;
        }
      }
    }
  });
  for (unsigned r = 0; !store && r < count; ++r)
    frame.set(part(registers, r), mine.values[r], PtxType::b32);
}

bool decode_move(PtxInstruction &instruction, bool store) {
  if (instruction.operands.size() != 2 || !instruction.has("m8n8") ||
      instruction.name.back() != "b16")
    return false;
  instruction.count = instruction.has("x4") ? 4 : instruction.has("x2") ? 2 : 1;
  instruction.space = space_of(instruction);
  if (instruction.has("trans"))
    instruction.flags |= transposed;
  if (store)
    instruction.flags |= is_store;
  instruction.run = run_move_matrix;
  const PtxOperand &registers = instruction.operands[store ? 1 : 0];
  const PtxOperand &address = instruction.operands[store ? 0 : 1];
  return parts(registers) == instruction.count && address.kind == Kind::address;
}

//===----------------------------------------------------------------------===//
// mma.sync m16n8k...
//===----------------------------------------------------------------------===//

ElementType element_type(PtxType type) {
  switch (type) {
  case PtxType::f16:
    return ElementType::f16;
  case PtxType::bf16:
    return ElementType::bf16;
  case PtxType::tf32:
    return ElementType::tf32;
  case PtxType::e4m3:
    return ElementType::e4m3;
  case PtxType::e5m2:
    return ElementType::e5m2;
  case PtxType::s8:
    return ElementType::s8;
  default:
    return ElementType::u8;
  }
}

/// Accumulators: registers 0 and 1 in row lane / 4, 2 and 3 eight rows below,
/// each pair two columns.
unsigned accumulator_index(unsigned lane, unsigned i) {
  return (lane / 4 + 8 * (i >> 1)) * 8 + 2 * (lane % 4) + (i & 1);
}

void multiply_warp(const PtxInstruction &instruction, bool exact,
                   void *const *payload) {
  static thread_local OperandBlock a, b;
  const ElementType a_type = element_type(instruction.source_type);
  const ElementType b_type =
      element_type(static_cast<PtxType>(instruction.variant));
  const unsigned size = bytes_of(a_type), per_register = 4 / size;
  const AccumulatorType d_type =
      static_cast<AccumulatorType>(instruction.operation);
  const bool halves = d_type == AccumulatorType::f16;
  const unsigned k = instruction.k;
  a.resize(16, k);
  b.resize(k, 8);
  uint32_t d[16 * 8] = {};
  const unsigned element_mask = size == 4 ? ~0u : (1u << (8 * size)) - 1;
  for (unsigned lane = 0; lane < 32; ++lane) {
    const LanePart *from = static_cast<const LanePart *>(payload[lane]);
    if (!from)
      continue;
    const PtxFrame &frame = *from->frame;
    const PtxOperand &a_registers = instruction.operands[1];
    for (unsigned r = 0; r < parts(a_registers); ++r) {
      const uint32_t bits = frame.get32(part(a_registers, r));
      for (unsigned e = 0; e < per_register; ++e)
        a.set(lane / 4 + 8 * (r & 1),
              per_register * (lane % 4) + e + (r >> 1) * 4 * per_register,
              a_type, bits >> (8 * size * e) & element_mask, false);
    }
    const PtxOperand &b_registers = instruction.operands[2];
    for (unsigned r = 0; r < parts(b_registers); ++r) {
      const uint32_t bits = frame.get32(part(b_registers, r));
      for (unsigned e = 0; e < per_register; ++e)
        b.set(per_register * (lane % 4) + e + r * 4 * per_register, lane / 4,
              b_type, bits >> (8 * size * e) & element_mask, false);
    }
    for (unsigned i = 0; i < 4; ++i) {
      const PtxOperand &c = part(instruction.operands[3], halves ? i / 2 : i);
      const uint32_t bits = frame.get32(c);
      d[accumulator_index(lane, i)] =
          halves ? bits >> 16 * (i & 1) & 0xffff : bits;
    }
  }
  const MmaSettings settings{a_type, b_type, d_type,
                             (instruction.flags & saturates) != 0, exact};
  multiply(settings, d, a, b, 0, 16);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const LanePart *to = static_cast<const LanePart *>(payload[lane]);
    if (!to)
      continue;
    const PtxOperand &registers = instruction.operands[0];
    for (unsigned r = 0; r < parts(registers); ++r) {
      const uint32_t bits = halves ? d[accumulator_index(lane, 2 * r)] |
                                         d[accumulator_index(lane, 2 * r + 1)]
                                             << 16
                                   : d[accumulator_index(lane, r)];
      to->frame->set(part(registers, r), bits, PtxType::b32);
    }
  }
}

void run_mma(PtxFrame &frame, const PtxInstruction &instruction) {
  LanePart mine = {&frame, nullptr, {}};
  const bool exact = frame.thread.cta->cluster->options.exact_accumulate;
  meet_aligned(&instruction, "mma.sync", &mine,
               [&instruction, exact](Warp &, void *const *payload) {
                 multiply_warp(instruction, exact, payload);
               });
}

/// mma.sync.aligned.m16n8k16.row.col.dtype.atype.btype.ctype d, a, b, c
bool decode_mma(PtxInstruction &instruction) {
  const size_t length = instruction.name.size();
  if (instruction.operands.size() != 4 || length < 8 ||
      !instruction.has("row") || !instruction.has("col") ||
      instruction.has("sp"))
    return false;
  const PtxType d = ptx_type(instruction.name[length - 4]);
  const PtxType a = ptx_type(instruction.name[length - 3]);
  const PtxType b = ptx_type(instruction.name[length - 2]);
  const PtxType c = ptx_type(instruction.name[length - 1]);
  for (const unsigned k : {4u, 8u, 16u, 32u})
    if (instruction.has(("m16n8k" + std::to_string(k)).c_str()))
      instruction.k = k;
  const bool narrow_float = a == PtxType::e4m3 || a == PtxType::e5m2;
  const bool integer = a == PtxType::s8 || a == PtxType::u8;
  const bool sixteen = a == PtxType::f16 || a == PtxType::bf16;
  const bool same = narrow_float ? b == PtxType::e4m3 || b == PtxType::e5m2
                    : integer    ? b == PtxType::s8 || b == PtxType::u8
                                 : a == b;
  if (!same || d != c ||
      (!narrow_float && !integer && !sixteen && a != PtxType::tf32))
    return false;
  if (integer != (d == PtxType::s32) ||
      (d == PtxType::f16 && a != PtxType::f16 && !narrow_float) ||
      (d != PtxType::s32 && d != PtxType::f16 && d != PtxType::f32))
    return false;
  const unsigned size = bytes_of(element_type(a));
  const unsigned a_registers = instruction.k * size / 8;
  if (instruction.k * size != 16 && instruction.k * size != 32)
    return false;
  const unsigned d_registers = d == PtxType::f16 ? 2 : 4;
  if (parts(instruction.operands[0]) != d_registers ||
      parts(instruction.operands[1]) != a_registers ||
      parts(instruction.operands[2]) != a_registers / 2 ||
      parts(instruction.operands[3]) != d_registers)
    return false;
  instruction.source_type = a;
  instruction.variant = static_cast<uint8_t>(b);
  instruction.operation =
      static_cast<uint8_t>(d == PtxType::f32   ? AccumulatorType::f32
                           : d == PtxType::f16 ? AccumulatorType::f16
                                               : AccumulatorType::s32);
  if (instruction.has("satfinite"))
    instruction.flags |= saturates;
  instruction.run = run_mma;
  return true;
}

//===----------------------------------------------------------------------===//
// mma.sync of f64
//===----------------------------------------------------------------------===//

/// Each element of the result is a chain of fused multiply-adds, which begins
/// with the accumulator: PTX says that products and sums have the precision of
/// fma, and leaves their order open. Here it is that of k.
void multiply_doubles(const PtxInstruction &instruction, void *const *payload) {
  const unsigned k = instruction.k, groups = instruction.m / 8;
  double a[16][16] = {}, b[16][8] = {}, d[16][8] = {};
  for (unsigned lane = 0; lane < 32; ++lane) {
    const LanePart *from = static_cast<const LanePart *>(payload[lane]);
    if (!from)
      continue;
    const auto number = [&](unsigned operand, unsigned r) {
      return to_double(from->frame->get(part(instruction.operands[operand], r),
                                        PtxType::f64),
                       PtxType::f64);
    };
    for (unsigned r = 0; r < parts(instruction.operands[1]); ++r)
      a[lane / 4 + 8 * (r % groups)][lane % 4 + 4 * (r / groups)] =
          number(1, r);
    for (unsigned r = 0; r < parts(instruction.operands[2]); ++r)
      b[lane % 4 + 4 * r][lane / 4] = number(2, r);
    for (unsigned r = 0; r < parts(instruction.operands[3]); ++r)
      d[lane / 4 + 8 * (r / 2)][2 * (lane % 4) + r % 2] = number(3, r);
  }
  for (unsigned i = 0; i < instruction.m; ++i)
    for (unsigned j = 0; j < 8; ++j)
      for (unsigned x = 0; x < k; ++x)
        d[i][j] = fma(a[i][x], b[x][j], d[i][j]);
  for (unsigned lane = 0; lane < 32; ++lane) {
    const LanePart *to = static_cast<const LanePart *>(payload[lane]);
    for (unsigned r = 0; to && r < parts(instruction.operands[0]); ++r)
      to->frame->set(
          part(instruction.operands[0], r),
          from_double(d[lane / 4 + 8 * (r / 2)][2 * (lane % 4) + r % 2],
                      PtxType::f64),
          PtxType::f64);
  }
}

void run_mma_of_doubles(PtxFrame &frame, const PtxInstruction &instruction) {
  LanePart mine = {&frame, nullptr, {}};
  meet_aligned(&instruction, "mma.sync", &mine,
               [&instruction](Warp &, void *const *payload) {
                 multiply_doubles(instruction, payload);
               });
}

/// mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 d, a, b, c
bool decode_mma_of_doubles(PtxInstruction &instruction) {
  const size_t length = instruction.name.size();
  if (instruction.operands.size() != 4 || length < 8 ||
      !instruction.has("row") || !instruction.has("col"))
    return false;
  for (size_t i = length - 4; i < length; ++i)
    if (ptx_type(instruction.name[i]) != PtxType::f64)
      return false;
  if (instruction.has("m8n8k4")) {
    instruction.m = 8;
    instruction.k = 4;
  } else {
    instruction.m = 16;
    for (const unsigned k : {4u, 8u, 16u})
      if (instruction.has(("m16n8k" + std::to_string(k)).c_str()))
        instruction.k = k;
  }
  const unsigned m = instruction.m, k = instruction.k;
  if (!k || parts(instruction.operands[0]) != m / 4 ||
      parts(instruction.operands[1]) != m * k / 32 ||
      parts(instruction.operands[2]) != k / 4 ||
      parts(instruction.operands[3]) != m / 4)
    return false;
  instruction.run = run_mma_of_doubles;
  return true;
}

} // namespace

bool warpwright::sim::decode_matrix(PtxInstruction &instruction) {
  const std::string &name = instruction.name[0];
  if (name == "ldmatrix" || name == "stmatrix")
    return decode_move(instruction, name == "stmatrix");
  return name == "mma" &&
         (decode_mma_of_doubles(instruction) || decode_mma(instruction));
}
