//===- PtxScalar.cpp - Integer arithmetic, comparison, movement -----------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine.h"
#include "Ptx.h"
#include "PtxFloat.h"

#include <string.h>

using namespace warpwright::sim;

namespace {

using Kind = PtxOperand::Kind;

int64_t sign_extend(uint64_t bits, unsigned bytes) {
  if (bytes >= 8)
    return static_cast<int64_t>(bits);
  const unsigned shift = 64 - 8 * bytes;
  return static_cast<int64_t>(bits << shift) >> shift;
}
uint64_t zero_extend(uint64_t bits, unsigned bytes) {
  return bytes >= 8 ? bits : bits & ((uint64_t(1) << (8 * bytes)) - 1);
}

/// A source operand as the instruction's type sees it, widened to 64 bits.
uint64_t source(const PtxFrame &frame, const PtxInstruction &instruction,
                unsigned index) {
  const uint64_t bits =
      frame.get(instruction.operands[index], instruction.type);
  const unsigned bytes = bytes_of(instruction.type);
  return is_signed(instruction.type)
             ? static_cast<uint64_t>(sign_extend(bits, bytes))
             : zero_extend(bits, bytes);
}

enum Operation : uint8_t {
  add,
  sub,
  mul_lo,
  mul_hi,
  mul_wide,
  mad_lo,
  mad_hi,
  mad_wide,
  div,
  rem,
  neg,
  abs_,
  min_,
  max_,
  and_,
  or_,
  xor_,
  not_,
  cnot,
  shl,
  shr,
  bfe,
  bfi,
  brev,
  popc,
  clz,
  bfind,
  prmt,
  lop3,
  shf_left,
  shf_right,
  sad,
  mul24,
};
/// The sum of four products of bytes, dp4a, or of two of 16 by 8 bits, dp2a.
void run_dot_product(PtxFrame &frame, const PtxInstruction &instruction) {
  const bool bytes = instruction.count == 4;
  const uint32_t a = frame.get32(instruction.operands[1]);
  uint32_t b = frame.get32(instruction.operands[2]);
  if (!bytes && instruction.flags) // .hi: the upper two bytes of b
    b >>= 16;
  const auto part = [](uint32_t from, unsigned width, unsigned i, bool sign) {
    const uint32_t bits = from >> (width * i) & ((1u << width) - 1);
    return sign && bits >> (width - 1)
               ? static_cast<int64_t>(bits) - (int64_t(1) << width)
               : static_cast<int64_t>(bits);
  };
  int64_t sum = static_cast<int64_t>(frame.get32(instruction.operands[3]));
  for (unsigned i = 0; i < instruction.count; ++i)
    sum += part(a, bytes ? 8 : 16, i, is_signed(instruction.source_type)) *
           part(b, 8, i, is_signed(instruction.type));
  frame.set(instruction.operands[0], static_cast<uint64_t>(sum), PtxType::b32);
}

enum Flag : uint32_t { carry_out = 1, carry_in = 2, wrap = 4, saturate = 8 };

uint64_t high_half(uint64_t a, uint64_t b, PtxType type) {
  const unsigned bits = 8 * bytes_of(type);
  if (is_signed(type)) {
    const __int128 product = static_cast<__int128>(static_cast<int64_t>(a)) *
                             static_cast<int64_t>(b);
    return static_cast<uint64_t>(product >> bits);
  }
  return static_cast<uint64_t>(static_cast<unsigned __int128>(a) * b >> bits);
}

uint64_t permute_bytes(uint64_t a, uint64_t b, uint64_t selector) {
  const uint64_t bytes = (a & 0xffffffff) | b << 32;
  uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned nibble = selector >> (4 * i) & 15;
    uint64_t byte = bytes >> (8 * (nibble & 7)) & 255;
    if (nibble & 8)
      byte = byte & 0x80 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}

uint64_t reverse_bits(uint64_t value, unsigned bits) {
  uint64_t result = 0;
  for (unsigned i = 0; i < bits; ++i)
    result |= (value >> i & 1) << (bits - 1 - i);
  return result;
}

uint64_t find_most_significant(uint64_t value, PtxType type) {
  const unsigned bits = 8 * bytes_of(type);
  if (is_signed(type) && static_cast<int64_t>(value) < 0)
    value = ~value;
  value = zero_extend(value, bits / 8);
  return value == 0 ? 0xffffffff : 63 - __builtin_clzll(value);
}

uint64_t add_with_carry(PtxFrame &frame, const PtxInstruction &instruction,
                        uint64_t a, uint64_t b) {
  const unsigned bytes = bytes_of(instruction.type);
  // a - b is a + ~b + 1; PTX's carry of a subtraction is a borrow.
  const bool is_sub = instruction.operation == sub;
  unsigned __int128 sum = zero_extend(a, bytes);
  const uint64_t other = zero_extend(is_sub ? ~b : b, bytes);
  bool in = is_sub;
  if (instruction.flags & carry_in)
    in = frame.carry != is_sub;
  sum += other;
  sum += in;
  if (instruction.flags & carry_out)
    frame.carry = (static_cast<uint64_t>(sum >> (8 * bytes)) & 1) != is_sub;
  return static_cast<uint64_t>(sum);
}

void run_integer(PtxFrame &frame, const PtxInstruction &instruction) {
  const PtxType type = instruction.type;
  const unsigned bytes = bytes_of(type), bits = 8 * bytes;
  const size_t operands = instruction.operands.size();
  const uint64_t a = source(frame, instruction, 1);
  const uint64_t b = operands > 2 ? source(frame, instruction, 2) : 0;
  const uint64_t c = operands > 3 ? source(frame, instruction, 3) : 0;
  const int64_t sa = static_cast<int64_t>(a), sb = static_cast<int64_t>(b);
  const bool sign = is_signed(type);
  PtxType result_type = type;
  uint64_t result = 0;
  switch (static_cast<Operation>(instruction.operation)) {
  case add:
  case sub:
    result = add_with_carry(frame, instruction, a, b);
    if (instruction.flags & saturate) {
      const int64_t exact = instruction.operation == add ? sa + sb : sa - sb;
      result = static_cast<uint64_t>(exact > INT32_MAX   ? INT32_MAX
                                     : exact < INT32_MIN ? INT32_MIN
                                                         : exact);
    }
    break;
  case mul_lo:
    result = a * b;
    break;
  case mul24: // products of the low 24 bits, their low 32 bits
    result = sign ? static_cast<uint64_t>((sa << 40 >> 40) * (sb << 40 >> 40))
                  : (a & 0xffffff) * (b & 0xffffff);
    if (operands > 3)
      result += c;
    break;
  case mul_hi:
    result = high_half(a, b, type);
    break;
  case mad_lo:
    result = a * b + c;
    break;
  case mad_hi:
    result = high_half(a, b, type) + c;
    break;
  case mul_wide:
  case mad_wide:
    result = a * b;
    result_type = bytes == 2 ? PtxType::b32 : PtxType::b64;
    if (instruction.operation == mad_wide)
      result += frame.get(instruction.operands[3], result_type);
    break;
  case div:
    if (zero_extend(b, bytes) == 0)
      result = ~uint64_t(0);
    else if (sign)
      result = sb == -1 ? 0 - a : static_cast<uint64_t>(sa / sb);
    else
      result = a / b;
    break;
  case rem:
    if (zero_extend(b, bytes) == 0)
      result = a;
    else if (sign)
      result = sb == -1 ? 0 : static_cast<uint64_t>(sa % sb);
    else
      result = a % b;
    break;
  case neg:
    result = 0 - a;
    break;
  case abs_:
    result = sa < 0 ? 0 - a : a;
    break;
  case min_:
    result = sign ? (sa < sb ? a : b) : (a < b ? a : b);
    break;
  case max_:
    result = sign ? (sa > sb ? a : b) : (a > b ? a : b);
    break;
  case and_:
    result = a & b;
    break;
  case or_:
    result = a | b;
    break;
  case xor_:
    result = a ^ b;
    break;
  case not_:
    result = ~a;
    break;
  case cnot:
    result = a == 0;
    break;
  case shl: {
    // Shift counts are 32 bits whatever the type, and are clamped.
    const uint32_t count = frame.get32(instruction.operands[2]);
    result = count >= bits ? 0 : a << count;
    break;
  }
  case shr: {
    const uint32_t count = frame.get32(instruction.operands[2]);
    if (sign)
      result = static_cast<uint64_t>(sa >> (count >= bits ? bits - 1 : count));
    else
      result = count >= bits ? 0 : a >> count;
    break;
  }
  case bfe: {
    const unsigned position = frame.get32(instruction.operands[2]) & 255;
    const unsigned length = frame.get32(instruction.operands[3]) & 255;
    const uint64_t plain = zero_extend(a, bytes);
    const unsigned last =
        position + length - 1 < bits - 1 ? position + length - 1 : bits - 1;
    const bool fill = sign && length > 0 && (plain >> last & 1);
    for (unsigned i = 0; i < bits; ++i)
      result |= static_cast<uint64_t>(i < length && position + i < bits
                                          ? plain >> (position + i) & 1
                                          : fill)
                << i;
    break;
  }
  case bfi: { // bfi d, value, into, position, length
    const unsigned position = static_cast<unsigned>(c & 255);
    const unsigned length = frame.get32(instruction.operands[4]) & 255;
    result = b;
    for (unsigned i = 0; i < length && position + i < bits; ++i) {
      const uint64_t bit = uint64_t(1) << (position + i);
      result = (a >> i & 1) ? result | bit : result & ~bit;
    }
    break;
  }
  case brev:
    result = reverse_bits(a, bits);
    break;
  case popc:
    result = static_cast<uint64_t>(__builtin_popcountll(zero_extend(a, bytes)));
    result_type = PtxType::b32;
    break;
  case clz: {
    const uint64_t plain = zero_extend(a, bytes);
    result = plain ? static_cast<uint64_t>(__builtin_clzll(plain)) - (64 - bits)
                   : bits;
    result_type = PtxType::b32;
    break;
  }
  case bfind:
    result = find_most_significant(a, type);
    if (instruction.flags & wrap && result != 0xffffffff) // .shiftamt
      result = bits - 1 - result;
    result_type = PtxType::b32;
    break;
  case prmt:
    result = permute_bytes(a, b, c);
    break;
  case lop3: {
    const uint64_t table = frame.get32(instruction.operands[4]);
    for (unsigned i = 0; i < bits; ++i) {
      const unsigned row = static_cast<unsigned>(
          (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1));
      result |= (table >> row & 1) << i;
    }
    break;
  }
  case shf_left:
  case shf_right: {
    const uint32_t raw = frame.get32(instruction.operands[3]);
    const uint32_t count = instruction.flags & wrap ? raw & 31
                           : raw < 32               ? raw
                                                    : 32;
    const uint64_t both = (b & 0xffffffff) << 32 | (a & 0xffffffff);
    result =
        instruction.operation == shf_left ? both << count >> 32 : both >> count;
    if (instruction.operation == shf_left && count == 32)
      result = a;
    break;
  }
  case sad:
    result = c + (sign ? (sa < sb ? b - a : a - b) : (a < b ? b - a : a - b));
    break;
  }
  frame.set(instruction.operands[0], result, result_type);
}

//===----------------------------------------------------------------------===//
// Comparison and selection
//===----------------------------------------------------------------------===//

enum Comparison : uint8_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan,
};
const char *const comparison_names[] = {"eq",  "ne",  "lt",  "le",  "gt",
                                        "ge",  "equ", "neu", "ltu", "leu",
                                        "gtu", "geu", "num", "nan"};
enum Combination : uint32_t {
  combine_none,
  combine_and,
  combine_or,
  combine_xor
};

template <class T> bool compare(Comparison how, T a, T b) {
  switch (how) {
  case eq:
  case equ:
    return a == b;
  case ne:
  case neu:
    return a != b;
  case lt:
  case ltu:
    return a < b;
  case le:
  case leu:
    return a <= b;
  case gt:
  case gtu:
    return a > b;
  case ge:
  case geu:
    return a >= b;
  default:
    return how == num;
  }
}

bool compare_operands(const PtxFrame &frame, const PtxInstruction &instruction,
                      unsigned first) {
  const Comparison how = static_cast<Comparison>(instruction.operation);
  if (is_float(instruction.type)) {
    const double a =
        to_double(frame.get(instruction.operands[first], instruction.type),
                  instruction.type);
    const double b =
        to_double(frame.get(instruction.operands[first + 1], instruction.type),
                  instruction.type);
    if (a != a || b != b)
      return how == nan || (how >= equ && how <= geu);
    return compare(how, a, b);
  }
  const uint64_t a = source(frame, instruction, first);
  const uint64_t b = source(frame, instruction, first + 1);
  if (is_signed(instruction.type))
    return compare(how, static_cast<int64_t>(a), static_cast<int64_t>(b));
  return compare(how, a, b);
}

bool combine(uint32_t how, bool a, bool b) {
  return how == combine_and   ? a && b
         : how == combine_or  ? a || b
         : how == combine_xor ? a != b
                              : a;
}

void run_setp(PtxFrame &frame, const PtxInstruction &instruction) {
  const bool result = compare_operands(frame, instruction, 1);
  const bool with = instruction.operands.size() > 3
                        ? frame.get_predicate(instruction.operands[3])
                        : true;
  const PtxOperand &to = instruction.operands[0];
  const bool first = combine(instruction.flags, result, with);
  const bool second = combine(instruction.flags, !result, with);
  if (to.kind == Kind::pair) {
    frame.set(to.parts[0], first, PtxType::pred);
    frame.set(to.parts[1], second, PtxType::pred);
  } else {
    frame.set(to, first, PtxType::pred);
  }
}

void run_set(PtxFrame &frame, const PtxInstruction &instruction) {
  const bool result = compare_operands(frame, instruction, 1);
  const PtxType to = instruction.source_type;
  frame.set(instruction.operands[0],
            !result              ? 0
            : to == PtxType::f32 ? 0x3f800000u
                                 : ~uint64_t(0),
            to);
}

void run_selp(PtxFrame &frame, const PtxInstruction &instruction) {
  const bool which = frame.get_predicate(instruction.operands[3]);
  frame.set(instruction.operands[0],
            frame.get(instruction.operands[which ? 1 : 2], instruction.type),
            instruction.type);
}

void run_slct(PtxFrame &frame, const PtxInstruction &instruction) {
  const uint64_t bits = frame.get(instruction.operands[3], PtxType::b32);
  float number;
  memcpy(&number, &bits, sizeof(number));
  const bool which = instruction.source_type == PtxType::f32
                         ? number >= 0
                         : static_cast<int32_t>(bits) >= 0;
  frame.set(instruction.operands[0],
            frame.get(instruction.operands[which ? 1 : 2], instruction.type),
            instruction.type);
}

void run_move(PtxFrame &frame, const PtxInstruction &instruction) {
  frame.set(instruction.operands[0],
            instruction.type == PtxType::pred
                ? frame.get_predicate(instruction.operands[1])
                : frame.get(instruction.operands[1], instruction.type),
            instruction.type);
}

void run_predicate_logic(PtxFrame &frame, const PtxInstruction &instruction) {
  const bool a = frame.get_predicate(instruction.operands[1]);
  const bool b = instruction.operands.size() > 2 &&
                 frame.get_predicate(instruction.operands[2]);
  const Operation what = static_cast<Operation>(instruction.operation);
  frame.set(instruction.operands[0],
            what == and_   ? a && b
            : what == or_  ? a || b
            : what == xor_ ? a != b
                           : !a,
            PtxType::pred);
}

bool decode_comparison(PtxInstruction &instruction) {
  const std::string &name = instruction.name[0];
  if (instruction.operands.size() < 3 || instruction.name.size() < 3)
    return false;
  bool found = false;
  for (size_t i = 1; i < instruction.name.size(); ++i) {
    const std::string &part = instruction.name[i];
    if (part == "and")
      instruction.flags = combine_and;
    else if (part == "or")
      instruction.flags = combine_or;
    else if (part == "xor")
      instruction.flags = combine_xor;
    for (uint8_t c = 0; c < sizeof(comparison_names) / sizeof(char *); ++c)
      if (part == comparison_names[c]) {
        instruction.operation = c;
        found = true;
      }
    // lo, ls, hi, hs: unsigned comparisons under other names.
    const char *const unsigned_names[] = {"lo", "ls", "hi", "hs"};
    for (uint8_t c = 0; c < 4; ++c)
      if (part == unsigned_names[c]) {
        instruction.operation = static_cast<uint8_t>(lt + c);
        found = true;
      }
    if (ptx_type(part) != PtxType::none) {
      instruction.source_type = instruction.type;
      instruction.type = ptx_type(part);
    }
  }
  instruction.run = name == "set" ? run_set : run_setp;
  return found && instruction.type != PtxType::none &&
         instruction.type != PtxType::f16x2 &&
         instruction.type != PtxType::bf16x2;
}

struct IntegerName {
  const char *name;
  const char *part; ///< that must be there, or null
  uint8_t operation;
  size_t operands;
};
const IntegerName integer_names[] = {
    {"add", nullptr, add, 3},     {"addc", nullptr, add, 3},
    {"sub", nullptr, sub, 3},     {"subc", nullptr, sub, 3},
    {"mul", "lo", mul_lo, 3},     {"mul", "hi", mul_hi, 3},
    {"mul", "wide", mul_wide, 3}, {"mad", "lo", mad_lo, 4},
    {"mad", "hi", mad_hi, 4},     {"mad", "wide", mad_wide, 4},
    {"mul24", "lo", mul24, 3},    {"mad24", "lo", mul24, 4},
    {"div", nullptr, div, 3},     {"rem", nullptr, rem, 3},
    {"neg", nullptr, neg, 2},     {"abs", nullptr, abs_, 2},
    {"min", nullptr, min_, 3},    {"max", nullptr, max_, 3},
    {"and", nullptr, and_, 3},    {"or", nullptr, or_, 3},
    {"xor", nullptr, xor_, 3},    {"not", nullptr, not_, 2},
    {"cnot", nullptr, cnot, 2},   {"shl", nullptr, shl, 3},
    {"shr", nullptr, shr, 3},     {"bfe", nullptr, bfe, 4},
    {"bfi", nullptr, bfi, 5},     {"brev", nullptr, brev, 2},
    {"popc", nullptr, popc, 2},   {"clz", nullptr, clz, 2},
    {"bfind", nullptr, bfind, 2}, {"prmt", nullptr, prmt, 4},
    {"lop3", nullptr, lop3, 5},   {"shf", "l", shf_left, 4},
    {"shf", "r", shf_right, 4},   {"sad", nullptr, sad, 4},
};

} // namespace

bool warpwright::sim::decode_scalar(PtxInstruction &instruction) {
  const std::string &name = instruction.name[0];
  const PtxType last = ptx_type(instruction.name.back());
  if (name == "setp" || name == "set")
    return decode_comparison(instruction);
  if (last == PtxType::none)
    return false;
  instruction.type = last;
  const size_t operands = instruction.operands.size();
  if (name == "mov" && operands == 2) {
    instruction.run = run_move;
    return last != PtxType::b128;
  }
  if (name == "selp" && operands == 4) {
    instruction.run = run_selp;
    return true;
  }
  if ((name == "dp4a" || name == "dp2a") && operands == 4 &&
      instruction.name.size() > 2) {
    instruction.source_type =
        ptx_type(instruction.name[instruction.name.size() - 2]);
    instruction.count = name == "dp4a" ? 4 : 2;
    instruction.flags = instruction.has("hi");
    instruction.run = run_dot_product;
    return bytes_of(last) == 4 && bytes_of(instruction.source_type) == 4;
  }
  if (name == "slct" && operands == 4 && instruction.name.size() > 2) {
    instruction.source_type = last;
    instruction.type = ptx_type(instruction.name[instruction.name.size() - 2]);
    instruction.run = run_slct;
    return instruction.type != PtxType::none;
  }
  if (last == PtxType::pred) {
    for (const IntegerName &known : integer_names)
      if (name == known.name && operands == known.operands &&
          (known.operation == and_ || known.operation == or_ ||
           known.operation == xor_ || known.operation == not_)) {
        instruction.operation = known.operation;
        instruction.run = run_predicate_logic;
        return true;
      }
    return false;
  }
  if (is_float(last))
    return false;
  for (const IntegerName &known : integer_names) {
    if (name != known.name || operands != known.operands ||
        (known.part && !instruction.has(known.part)))
      continue;
    instruction.operation = known.operation;
    if (instruction.has("cc")) {
      if (known.operation != add && known.operation != sub)
        return false;
      instruction.flags |= carry_out;
    }
    if (name == "addc" || name == "subc")
      instruction.flags |= carry_in;
    if (instruction.has("wrap") || instruction.has("shiftamt"))
      instruction.flags |= wrap;
    if (instruction.has("sat"))
      instruction.flags |= saturate;
    // prmt's special modes are not in use anywhere known.
    if (known.operation == prmt && instruction.name.size() > 2)
      return false;
    instruction.run = run_integer;
    return true;
  }
  return false;
}
