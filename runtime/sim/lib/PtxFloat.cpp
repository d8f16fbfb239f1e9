//===- PtxFloat.cpp - Floating-point arithmetic and conversion ------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PtxFloat.h"
#include "Machine.h"
#include "WgmmaMath.h"

#include <math.h>
#include <string.h>

using namespace warpwright::sim;

double warpwright::sim::to_double(uint64_t bits, PtxType type) {
  switch (type) {
  case PtxType::f16:
    return half_to_float(static_cast<uint16_t>(bits));
  case PtxType::bf16:
    bits <<= 16;
    break;
  case PtxType::e4m3:
  case PtxType::e5m2:
    return fp8_to_float(static_cast<uint8_t>(bits), type == PtxType::e5m2);
  case PtxType::f64: {
    double value;
    memcpy(&value, &bits, sizeof(value));
    return value;
  }
  default:
    break;
  }
  const uint32_t low = static_cast<uint32_t>(bits);
  float value;
  memcpy(&value, &low, sizeof(value));
  return value;
}

namespace {

/// A format of floating-point numbers.
struct Format {
  int mantissa; ///< explicit bits
  int smallest; ///< exponent of the smallest normal number
  int bits;
  double largest;
  uint64_t nan;
};

Format format_of(PtxType type) {
  switch (type) {
  case PtxType::f16:
    return {10, -14, 16, 65504, 0x7fff};
  case PtxType::bf16:
    return {7, -126, 16, 0x1.fep127, 0x7fff};
  case PtxType::tf32:
    return {10, -126, 19, 0x1.ffcp127, 0x7ffff};
  case PtxType::e4m3:
    return {3, -6, 8, 448, 0x7f};
  case PtxType::e5m2:
    return {2, -14, 8, 57344, 0x7f};
  default:
    return {23, -126, 32, 0x1.fffffep127, 0x7fffffff};
  }
}

double round_units(double units, Rounding rounding) {
  switch (rounding) {
  case Rounding::zero:
    return trunc(units);
  case Rounding::down:
    return floor(units);
  case Rounding::up:
    return ceil(units);
  case Rounding::nearest_away:
    return round(units);
  default:
    return nearbyint(units);
  }
}

} // namespace

uint64_t warpwright::sim::from_double(double value, PtxType type,
                                      Rounding rounding, bool finite) {
  if (type == PtxType::f64) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof(bits));
    return bits;
  }
  const Format format = format_of(type);
  if (isnan(value))
    return type == PtxType::tf32 ? format.nan << 13 : format.nan;
  const uint64_t sign = signbit(value) ? uint64_t(1) << (format.bits - 1) : 0;
  const unsigned left = type == PtxType::tf32 ? 13 : 0;
  int exponent = 0;
  uint64_t magnitude = 0;
  if (value != 0 && !isinf(value)) {
    frexp(value, &exponent);
    // The last place of numbers of this size.
    const int normal = exponent - 1 - format.mantissa;
    const int subnormal = format.smallest - format.mantissa;
    const int last = normal > subnormal ? normal : subnormal;
    const double units = fabs(round_units(ldexp(value, -last), rounding));
    value = copysign(ldexp(units, last), value);
    const uint64_t count = static_cast<uint64_t>(units);
    // A carry out of the mantissa goes into the exponent by itself.
    magnitude = last == subnormal ? count
                                  : (static_cast<uint64_t>(last - subnormal)
                                     << format.mantissa) +
                                        count;
  }
  if (fabs(value) > format.largest) {
    const bool is_fp8 = type == PtxType::e4m3 || type == PtxType::e5m2;
    const bool toward_zero = rounding == Rounding::zero ||
                             (rounding == Rounding::down && !sign) ||
                             (rounding == Rounding::up && sign);
    if (finite || is_fp8 || (toward_zero && !isinf(value)))
      return sign << left | from_double(format.largest, type);
    const uint64_t infinity =
        ((uint64_t(1) << (format.bits - 1 - format.mantissa)) - 1)
        << format.mantissa;
    return (sign | infinity) << left;
  }
  return (sign | magnitude) << left;
}

namespace {

enum Operation : uint8_t {
  add,
  sub,
  mul,
  fma_,
  div,
  neg,
  abs_,
  min_,
  max_,
  rcp,
  sqrt_,
  rsqrt,
  ex2,
  lg2,
  sin_,
  cos_,
  tanh_,
  copysign_,
};
enum Flag : uint32_t {
  saturate = 1,      ///< .sat: to [0, 1]
  propagate_nan = 2, ///< .NaN
  flush = 4,         ///< .ftz
  relu = 8,
};

double minimum(double a, double b, bool nan_wins, bool largest) {
  if (isnan(a) || isnan(b)) {
    if (nan_wins || (isnan(a) && isnan(b)))
      return NAN;
    return isnan(a) ? b : a;
  }
  if (a == b) // -0 is less than +0
    return (signbit(a) != 0) != largest ? a : b;
  return (a < b) != largest ? a : b;
}

double flushed(double value, PtxType type, uint32_t flags) {
  if ((flags & flush) && type == PtxType::f32 && fabs(value) < 0x1p-126)
    return copysign(0, value);
  return value;
}

Rounding rounding_of(const PtxInstruction &instruction) {
  return static_cast<Rounding>(instruction.variant);
}

uint64_t apply(const PtxInstruction &instruction, PtxType type, uint64_t a_bits,
               uint64_t b_bits, uint64_t c_bits) {
  const uint32_t flags = instruction.flags;
  const uint64_t sign_bit = uint64_t(1) << (8 * bytes_of(type) - 1);
  const Operation what = static_cast<Operation>(instruction.operation);
  // These work on the bits: NaNs keep theirs.
  if (what == neg)
    return a_bits ^ sign_bit;
  if (what == abs_)
    return a_bits & ~sign_bit;
  if (what == copysign_) // copysign d, sign's, magnitude's
    return (b_bits & ~sign_bit) | (a_bits & sign_bit);
  const double a = flushed(to_double(a_bits, type), type, flags);
  const double b = flushed(to_double(b_bits, type), type, flags);
  const double c = flushed(to_double(c_bits, type), type, flags);
  double result = 0;
  switch (what) {
  case add:
    result = a + b;
    break;
  case sub:
    result = a - b;
    break;
  case mul:
    result = a * b;
    break;
  case fma_:
    // Rounded once to the type where that is float: a double would round twice.
    result = type == PtxType::f32 &&
                     rounding_of(instruction) == Rounding::nearest_even
                 ? fmaf(static_cast<float>(a), static_cast<float>(b),
                        static_cast<float>(c))
                 : fma(a, b, c);
    break;
  case div:
    result = a / b;
    break;
  case min_:
  case max_:
    result = minimum(a, b, flags & propagate_nan, what == max_);
    if (instruction.operands.size() > 3)
      result = minimum(result, c, flags & propagate_nan, what == max_);
    break;
  case rcp:
    result = 1 / a;
    break;
  case sqrt_:
    result = sqrt(a);
    break;
  case rsqrt:
    result = 1 / sqrt(a);
    break;
  case ex2:
    result = exp2(a);
    break;
  case lg2:
    result = log2(a);
    break;
  case sin_:
    result = sin(a);
    break;
  case cos_:
    result = cos(a);
    break;
  case tanh_:
    result = tanh(a);
    break;
  default:
    break;
  }
  if (flags & saturate)
    result = isnan(result) ? 0 : result < 0 ? 0 : result > 1 ? 1 : result;
  if ((flags & relu) && !(result > 0) && !isnan(result))
    result = 0;
  return from_double(flushed(result, type, flags), type,
                     rounding_of(instruction));
}

uint64_t operand(const PtxFrame &frame, const PtxInstruction &instruction,
                 unsigned index) {
  return instruction.operands.size() > index
             ? frame.get(instruction.operands[index], instruction.type)
             : 0;
}

void run_float(PtxFrame &frame, const PtxInstruction &instruction) {
  const uint64_t a = operand(frame, instruction, 1);
  const uint64_t b = operand(frame, instruction, 2);
  const uint64_t c = operand(frame, instruction, 3);
  const PtxType type = instruction.type;
  uint64_t result;
  if (type == PtxType::f16x2 || type == PtxType::bf16x2) {
    const PtxType half = type == PtxType::f16x2 ? PtxType::f16 : PtxType::bf16;
    result = apply(instruction, half, a & 0xffff, b & 0xffff, c & 0xffff) |
             apply(instruction, half, a >> 16 & 0xffff, b >> 16 & 0xffff,
                   c >> 16 & 0xffff)
                 << 16;
  } else {
    result = apply(instruction, type, a, b, c);
  }
  frame.set(instruction.operands[0], result, type);
}

struct FloatName {
  const char *name;
  uint8_t operation;
  size_t least, most; ///< operands
};
const FloatName float_names[] = {
    {"add", add, 3, 3},
    {"sub", sub, 3, 3},
    {"mul", mul, 3, 3},
    {"fma", fma_, 4, 4},
    {"mad", fma_, 4, 4},
    {"div", div, 3, 3},
    {"neg", neg, 2, 2},
    {"abs", abs_, 2, 2},
    {"min", min_, 3, 4},
    {"max", max_, 3, 4},
    {"rcp", rcp, 2, 2},
    {"sqrt", sqrt_, 2, 2},
    {"rsqrt", rsqrt, 2, 2},
    {"ex2", ex2, 2, 2},
    {"lg2", lg2, 2, 2},
    {"sin", sin_, 2, 2},
    {"cos", cos_, 2, 2},
    {"tanh", tanh_, 2, 2},
    {"copysign", copysign_, 3, 3},
};

/// Of arithmetic, and of conversions to a floating-point type.
uint8_t rounding_in(const PtxInstruction &instruction) {
  Rounding result = Rounding::nearest_even;
  if (instruction.has("rz"))
    result = Rounding::zero;
  else if (instruction.has("rm"))
    result = Rounding::down;
  else if (instruction.has("rp"))
    result = Rounding::up;
  else if (instruction.has("rna"))
    result = Rounding::nearest_away;
  return static_cast<uint8_t>(result);
}

//===----------------------------------------------------------------------===//
// cvt
//===----------------------------------------------------------------------===//

bool is_packed(PtxType type) {
  return type == PtxType::f16x2 || type == PtxType::bf16x2 ||
         type == PtxType::e4m3x2 || type == PtxType::e5m2x2;
}
PtxType element_of(PtxType type) {
  switch (type) {
  case PtxType::f16x2:
    return PtxType::f16;
  case PtxType::bf16x2:
    return PtxType::bf16;
  case PtxType::e4m3x2:
    return PtxType::e4m3;
  case PtxType::e5m2x2:
    return PtxType::e5m2;
  default:
    return type;
  }
}
bool holds_float(PtxType type) {
  return is_float(type) || is_packed(type) || type == PtxType::e4m3 ||
         type == PtxType::e5m2;
}

uint64_t convert_float(const PtxInstruction &instruction, double value) {
  if ((instruction.flags & relu) && !(value > 0) && !isnan(value))
    value = 0;
  if (instruction.flags & saturate)
    value = isnan(value) ? 0 : value < 0 ? 0 : value > 1 ? 1 : value;
  return from_double(value, element_of(instruction.type),
                     rounding_of(instruction), instruction.count != 0);
}

uint64_t convert_to_integer(const PtxInstruction &instruction, double value) {
  const PtxType type = instruction.type;
  const int bits = static_cast<int>(8 * bytes_of(type));
  value = round_units(value, rounding_of(instruction));
  const double low = is_signed(type) ? -ldexp(1, bits - 1) : 0;
  const double high = ldexp(1, is_signed(type) ? bits - 1 : bits);
  if (isnan(value))
    return bits == 64 ? uint64_t(1) << 63 : 0;
  if (value < low)
    return is_signed(type) ? uint64_t(1) << (bits - 1) : 0;
  if (value >= high)
    return is_signed(type) ? (uint64_t(1) << (bits - 1)) - 1 : ~uint64_t(0);
  return value < 0 ? static_cast<uint64_t>(static_cast<int64_t>(value))
                   : static_cast<uint64_t>(value);
}

void run_convert(PtxFrame &frame, const PtxInstruction &instruction) {
  const PtxType from = instruction.source_type, to = instruction.type;
  const uint64_t a = frame.get(instruction.operands[1], from);
  if (is_packed(to)) {
    const PtxType part = element_of(to);
    const unsigned shift = 8 * bytes_of(part);
    double high, low;
    if (is_packed(from)) {
      const PtxType piece = element_of(from);
      const unsigned width = 8 * bytes_of(piece);
      low = to_double(a & ((uint64_t(1) << width) - 1), piece);
      high = to_double(a >> width & ((uint64_t(1) << width) - 1), piece);
    } else {
      // cvt d, a, b: a becomes the high half.
      high = to_double(a, from);
      low = to_double(frame.get(instruction.operands[2], from), from);
    }
    frame.set(instruction.operands[0],
              convert_float(instruction, low) | convert_float(instruction, high)
                                                    << shift,
              to);
    return;
  }
  uint64_t result;
  if (holds_float(from)) {
    const double value = flushed(to_double(a, from), from, instruction.flags);
    if (holds_float(to)) {
      const bool integral = instruction.k != 0; // .rni and the like
      result = convert_float(
          instruction,
          integral ? round_units(value, rounding_of(instruction)) : value);
    } else {
      result = convert_to_integer(instruction, value);
    }
  } else {
    const unsigned bits = 8 * bytes_of(from);
    const uint64_t plain = bits < 64 ? a & ((uint64_t(1) << bits) - 1) : a;
    const int64_t extended =
        static_cast<int64_t>(a << (64 - bits)) >> (64 - bits);
    if (holds_float(to)) {
      // Through long double, which holds every 64-bit integer.
      const long double exact = is_signed(from)
                                    ? static_cast<long double>(extended)
                                    : static_cast<long double>(plain);
      result = to == PtxType::f32 && instruction.variant == 0
                   ? from_double(static_cast<float>(exact), to)
                   : convert_float(instruction, static_cast<double>(exact));
    } else {
      result = is_signed(from) ? static_cast<uint64_t>(extended) : plain;
      if (instruction.flags & saturate) {
        const int width = static_cast<int>(8 * bytes_of(to));
        const __int128 value = is_signed(from) ? static_cast<__int128>(extended)
                                               : static_cast<__int128>(plain);
        const __int128 low =
            is_signed(to) ? -(static_cast<__int128>(1) << (width - 1)) : 0;
        const __int128 high =
            (static_cast<__int128>(1) << (is_signed(to) ? width - 1 : width)) -
            1;
        result = static_cast<uint64_t>(value < low    ? low
                                       : value > high ? high
                                                      : value);
      }
    }
  }
  frame.set(instruction.operands[0], result, to);
}

bool decode_cvt(PtxInstruction &instruction) {
  const size_t parts = instruction.name.size();
  if (parts < 3)
    return false;
  instruction.type = ptx_type(instruction.name[parts - 2]);
  instruction.source_type = ptx_type(instruction.name[parts - 1]);
  if (instruction.type == PtxType::none ||
      instruction.source_type == PtxType::none)
    return false;
  instruction.variant = rounding_in(instruction);
  instruction.count = instruction.has("satfinite");
  const struct {
    const char *name;
    Rounding rounding;
  } integral[] = {{"rni", Rounding::nearest_even},
                  {"rzi", Rounding::zero},
                  {"rmi", Rounding::down},
                  {"rpi", Rounding::up}};
  for (const auto &known : integral)
    if (instruction.has(known.name)) {
      instruction.variant = static_cast<uint8_t>(known.rounding);
      instruction.k = 1;
    }
  if (instruction.has("sat"))
    instruction.flags |= saturate;
  if (instruction.has("ftz"))
    instruction.flags |= flush;
  if (instruction.has("relu"))
    instruction.flags |= relu;
  const bool two_sources =
      is_packed(instruction.type) && !is_packed(instruction.source_type);
  instruction.run = run_convert;
  return instruction.operands.size() == (two_sources ? 3u : 2u) &&
         is_packed(instruction.source_type) <= is_packed(instruction.type);
}

} // namespace

bool warpwright::sim::decode_float(PtxInstruction &instruction) {
  const PtxType last = ptx_type(instruction.name.back());
  if (!is_float(last))
    return false;
  for (const FloatName &known : float_names) {
    if (instruction.name[0] != known.name ||
        instruction.operands.size() < known.least ||
        instruction.operands.size() > known.most)
      continue;
    instruction.type = last;
    instruction.operation = known.operation;
    instruction.variant = rounding_in(instruction);
    if (instruction.has("sat"))
      instruction.flags |= saturate;
    if (instruction.has("NaN"))
      instruction.flags |= propagate_nan;
    if (instruction.has("ftz"))
      instruction.flags |= flush;
    if (instruction.has("relu"))
      instruction.flags |= relu;
    instruction.run = run_float;
    return !instruction.has("xorsign");
  }
  return false;
}

bool warpwright::sim::decode_convert(PtxInstruction &instruction) {
  return instruction.name[0] == "cvt" && decode_cvt(instruction);
}
