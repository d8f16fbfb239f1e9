//===- HeadersFunctionsTest.cpp - Simulated functions ---------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Intrinsics that simulated programs call, on the host, where no simulated
/// thread is needed: directed roundings against quadruple precision,
/// conversions and bits against their definitions, 8-bit numbers against a
/// search.
///
//===----------------------------------------------------------------------===//

#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

typedef __float128 Quad;

/// Floats for the tests: special ones and random bits.
std::vector<float> someFloats(int count, unsigned seed) {
  std::vector<float> values = {
      0.0f,    -0.0f,           1.0f,          -1.0f,         3.0f, 1e-45f,
      -1e-45f, 1.17549435e-38f, 3.4028235e38f, -3.4028235e38f};
  std::mt19937 random(seed);
  while (static_cast<int>(values.size()) < count) {
    const float any = __uint_as_float(static_cast<unsigned>(random()));
    if (std::isfinite(any))
      values.push_back(any);
    values.push_back(std::ldexp(static_cast<float>(random() >> 8) - 8388608.0f,
                                static_cast<int>(random() % 40) - 40));
  }
  return values;
}

/// Whether `got` is `exact` rounded down (-1), up (1) or toward zero (0).
template <class Float> bool isRounded(Float got, Quad exact, int direction) {
  if (direction == 0)
    direction = exact < 0 ? 1 : -1;
  const Quad value = static_cast<Quad>(got);
  const Float infinity = std::numeric_limits<Float>::infinity();
  if (direction < 0)
    return value <= exact &&
           static_cast<Quad>(std::nextafter(got, infinity)) > exact;
  return value >= exact &&
         static_cast<Quad>(std::nextafter(got, -infinity)) < exact;
}

TEST(SimFunctions, floatsAreRoundedInTheDirectionOfTheName) {
  const std::vector<float> values = someFloats(120, 1);
  for (float a : values)
    for (float b : values) {
      const Quad p = static_cast<Quad>(a), q = static_cast<Quad>(b);
      if (p + q - p == q && p + q - q == p) { // exact in 113 bits
        ASSERT_TRUE(isRounded(__fadd_rd(a, b), p + q, -1)) << a << " + " << b;
        ASSERT_TRUE(isRounded(__fadd_ru(a, b), p + q, 1)) << a << " + " << b;
        ASSERT_TRUE(isRounded(__fadd_rz(a, b), p + q, 0)) << a << " + " << b;
        ASSERT_TRUE(isRounded(__fsub_rd(a, b), p - q, -1)) << a << " - " << b;
      }
      ASSERT_TRUE(isRounded(__fmul_ru(a, b), p * q, 1)) << a << " * " << b;
      ASSERT_TRUE(isRounded(__fmul_rz(a, b), p * q, 0)) << a << " * " << b;
      ASSERT_EQ(__fmul_rn(a, b), a * b);
      if (b != 0) {
        // A quotient of floats that is not itself a float is never the midpoint
        // of two quads, so quad precision rounds it correctly.
        ASSERT_TRUE(isRounded(__fdiv_rd(a, b), p / q, -1)) << a << " / " << b;
        ASSERT_TRUE(isRounded(__frcp_ru(b), 1 / q, 1)) << "1 / " << b;
      }
      ASSERT_EQ(__fmaf_rn(a, b, 1.5f), std::fma(a, b, 1.5f));
      const Quad fused = p * q + static_cast<Quad>(0.75f);
      if (fused - static_cast<Quad>(0.75f) == p * q &&
          fused - p * q == static_cast<Quad>(0.75f))
        ASSERT_TRUE(isRounded(__fmaf_rd(a, b, 0.75f), fused, -1));
    }
}

TEST(SimFunctions, doublesAndConversionsAreRoundedInTheDirectionOfTheName) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 20000; ++i) {
    const double a = std::ldexp(static_cast<double>(random() >> 11),
                                static_cast<int>(random() % 60) - 70);
    const double b = std::ldexp(static_cast<double>(random() >> 11),
                                static_cast<int>(random() % 60) - 70);
    const Quad p = static_cast<Quad>(a), q = static_cast<Quad>(b);
    ASSERT_TRUE(isRounded(__dadd_rd(a, -b), p - q, -1));
    ASSERT_TRUE(isRounded(__dmul_ru(a, b), p * q, 1));
    ASSERT_TRUE(isRounded(__double2float_rz(-a), -p, 0));
    ASSERT_TRUE(isRounded(__double2float_ru(a), p, 1));
    ASSERT_EQ(__double2float_rn(a), static_cast<float>(a));
    const auto whole = static_cast<long long>(random());
    const Quad exact = static_cast<Quad>(whole);
    ASSERT_TRUE(isRounded(__ll2float_rd(whole), exact, -1)) << whole;
    ASSERT_TRUE(isRounded(__ll2double_ru(whole), exact, 1)) << whole;
    const auto natural = static_cast<unsigned long long>(whole);
    ASSERT_TRUE(
        isRounded(__ull2float_rz(natural), static_cast<Quad>(natural), 0))
        << natural;
    const auto small = static_cast<int>(whole);
    ASSERT_TRUE(isRounded(__int2float_ru(small), static_cast<Quad>(small), 1));
  }
}

TEST(SimFunctions, theReciprocalRootIsTheNearestFloat) {
  // 2^23 numbers of one octave and of the next one are sufficient.
  for (uint32_t i = 0; i < (1u << 24); i += 7) {
    const float x = __uint_as_float(0x3f800000u + i);
    const float y = __frsqrt_rn(x);
    // Below the upper midpoint and above the lower one: x * m * m is compared
    // with 1.
    const Quad half = static_cast<Quad>(std::nextafter(y, 2.0f) - y) / 2;
    const Quad above = static_cast<Quad>(y) + half;
    const Quad below = static_cast<Quad>(y) - half;
    ASSERT_TRUE(static_cast<Quad>(x) * above * above >= 1) << x;
    ASSERT_TRUE(static_cast<Quad>(x) * below * below <= 1) << x;
  }
}

TEST(SimFunctions, conversionToIntegersClampsAndKnowsNaN) {
  EXPECT_EQ(__float2int_rn(2.5f), 2);
  EXPECT_EQ(__float2int_rn(-3.5f), -4);
  EXPECT_EQ(__float2int_rz(-2.9f), -2);
  EXPECT_EQ(__float2int_ru(2.1f), 3);
  EXPECT_EQ(__float2int_rd(-2.1f), -3);
  EXPECT_EQ(__float2int_rz(3e9f), INT32_MAX);
  EXPECT_EQ(__float2int_rz(-3e9f), INT32_MIN);
  EXPECT_EQ(__float2int_rz(NAN), 0);
  EXPECT_EQ(__float2uint_rz(-1.0f), 0u);
  EXPECT_EQ(__float2uint_rz(5e9f), UINT32_MAX);
  EXPECT_EQ(__float2uint_rz(4294967040.0f), 4294967040u);
  EXPECT_EQ(__float2ll_rz(NAN), INT64_MIN);
  EXPECT_EQ(__float2ll_rz(1e20f), INT64_MAX);
  EXPECT_EQ(__double2ull_rz(1.8446744073709552e19), UINT64_MAX);
  EXPECT_EQ(__double2ull_rz(-1.0), 0u);
  EXPECT_EQ(__double2int_rd(-0.5), -1);
  EXPECT_EQ(__double2ll_rn(4503599627370497.5), 4503599627370498);
}

TEST(SimFunctions, minimumAndMaximumMixTypesAsCudaDoes) {
  EXPECT_EQ(min(-1, 5u), 5u); // unsigned, like the device's
  EXPECT_EQ(max(-1, 5), 5);
  EXPECT_EQ(min(2.0f, NAN), 2.0f);
  EXPECT_EQ(max(1.5f, 2.0), 2.0);
  EXPECT_EQ(max(static_cast<long long>(-3), static_cast<long long>(-4)), -3);
  EXPECT_EQ(__saturatef(NAN), 0.0f);
  EXPECT_EQ(__saturatef(1.5f), 1.0f);
  EXPECT_EQ(__fdividef(1.0f, 0x1p127f), 0.0f);
}

TEST(SimFunctions, functionsThatTheCLibraryLacks) {
  for (double x = -5; x < 5; x += 0.037) {
    EXPECT_NEAR(normcdfinv(normcdf(x)), x, 1e-11 * std::exp(x * x / 2)) << x;
    EXPECT_NEAR(erfinv(std::erf(x / 3)), x / 3, 1e-13) << x;
    EXPECT_NEAR(sinpi(x), std::sin(3.14159265358979323846 * x), 1e-14) << x;
    EXPECT_NEAR(cospi(x), std::cos(3.14159265358979323846 * x), 1e-14) << x;
    EXPECT_NEAR(erfcx(x) / (std::exp(x * x) * std::erfc(x)), 1, 1e-13) << x;
  }
  for (double y : {1e-300, 1e-100, 1e-10, 0.1, 0.9, 1.0, 1.5, 1.999})
    EXPECT_NEAR(std::erfc(erfcinv(y)) / y, 1, 1e-11) << y;
  EXPECT_NEAR(erfcx(30.0), 0.018795888861416751, 1e-16);
  EXPECT_NEAR(cyl_bessel_i0(2.5), 3.2898391440501231, 1e-14);
  EXPECT_NEAR(cyl_bessel_i1(2.5), 2.5167162452886984, 1e-14);
  EXPECT_EQ(sinpif(1e10f), 0.0f);
  EXPECT_EQ(cospif(0.5f), 0.0f);
  EXPECT_EQ(rsqrtf(0.25f), 2.0f);
  EXPECT_EQ(rcbrt(8.0), 0.5);
  EXPECT_EQ(erfcinv(0.0), INFINITY);
  EXPECT_TRUE(std::isnan(normcdfinv(1.5)));
}

TEST(SimFunctions, bitsAgreeWithTheirDefinitions) {
  std::mt19937 random(3);
  for (int i = 0; i < 2000; ++i) {
    const unsigned x = i < 33 ? (i < 32 ? 1u << i : 0u)
                              : static_cast<unsigned>(random()),
                   y = static_cast<unsigned>(random()), shift = y % 70;
    unsigned reversed = 0;
    int first = 0, leading = 32;
    for (int b = 0; b < 32; ++b)
      if (x >> b & 1) {
        reversed |= 1u << (31 - b);
        leading = 31 - b;
        first = first ? first : b + 1;
      }
    ASSERT_EQ(__brev(x), reversed);
    ASSERT_EQ(__clz(static_cast<int>(x)), leading);
    ASSERT_EQ(__ffs(static_cast<int>(x)), first);
    const uint64_t both = static_cast<uint64_t>(y) << 32 | x;
    ASSERT_EQ(__funnelshift_l(x, y, shift),
              static_cast<unsigned>((both << (shift % 32)) >> 32));
    ASSERT_EQ(__funnelshift_rc(x, y, shift),
              static_cast<unsigned>(both >> (shift > 32 ? 32 : shift)));
    unsigned permuted = 0;
    for (int b = 0; b < 4; ++b) {
      const unsigned digit = shift * 2654435761u >> (4 * b) & 15;
      unsigned byte = static_cast<unsigned>(both >> (8 * (digit % 8))) & 255;
      if (digit >= 8)
        byte = byte >= 128 ? 255 : 0;
      permuted |= byte << (8 * b);
    }
    ASSERT_EQ(__byte_perm(x, y, shift * 2654435761u), permuted);
    ASSERT_EQ(
        __mul24(static_cast<int>(x), static_cast<int>(y)),
        static_cast<int>(static_cast<int64_t>(static_cast<int>(x << 8) >> 8) *
                         (static_cast<int>(y << 8) >> 8)));
    ASSERT_EQ(__vavgu4(x, y) & 255, ((x & 255) + (y & 255) + 1) / 2);
    ASSERT_EQ(__vsadu4(x, 0),
              (x & 255) + (x >> 8 & 255) + (x >> 16 & 255) + (x >> 24));
    const int low = static_cast<short>(x) + static_cast<short>(y);
    ASSERT_EQ(static_cast<short>(__vaddss2(x, y)), low > 32767    ? 32767
                                                   : low < -32768 ? -32768
                                                                  : low);
  }
  EXPECT_EQ(__fns(0xf0u, 0, 2), 5u);
  EXPECT_EQ(__fns(0xf0u, 31, -1), 7u);
  EXPECT_EQ(__fns(0xf0u, 0, 9), 0xffffffffu);
  EXPECT_EQ(__hadd(INT32_MAX, INT32_MAX), INT32_MAX);
  EXPECT_EQ(__mul64hi(INT64_MIN, 2), -1);
  EXPECT_EQ(__umul64hi(UINT64_MAX, UINT64_MAX), UINT64_MAX - 1);
}

TEST(Integers, FusedMinimumAndMaximum) {
  std::mt19937 random(4);
  for (int i = 0; i < 20000; ++i) {
    const unsigned x = static_cast<unsigned>(random());
    // Now and then both halves are equal.
    const unsigned y = i % 5 ? static_cast<unsigned>(random()) : x ^ 0x10000u;
    const unsigned z = i % 7 ? static_cast<unsigned>(random()) : y ^ 1u;
    const int a = static_cast<int>(x), b = static_cast<int>(y),
              c = static_cast<int>(z);
    ASSERT_EQ(__vimax3_s32(a, b, c), std::max({a, b, c}));
    ASSERT_EQ(__vimin3_u32(x, y, z), std::min({x, y, z}));
    ASSERT_EQ(__viaddmax_s32(a, b, c), std::max(static_cast<int>(x + y), c));
    ASSERT_EQ(__viaddmin_u32(x, y, z), std::min(x + y, z));
    ASSERT_EQ(__vimin3_s32_relu(a, b, c), std::max(std::min({a, b, c}), 0));
    ASSERT_EQ(__vimax_s32_relu(a, b), std::max({a, b, 0}));
    bool first = false, high = false, low = false;
    ASSERT_EQ(__vibmin_s32(a, b, &first), std::min(a, b));
    ASSERT_EQ(first, a <= b);
    const unsigned larger = __vibmax_u16x2(x, y, &high, &low);
    ASSERT_EQ(high, x >> 16 >= y >> 16);
    ASSERT_EQ(low, (x & 0xffff) >= (y & 0xffff));
    for (const int at : {0, 16}) {
      const auto half = [at](unsigned word) { return word >> at & 0xffff; };
      const auto number = [at](unsigned word) {
        return static_cast<int>(static_cast<int16_t>(word >> at));
      };
      ASSERT_EQ(half(larger), std::max(half(x), half(y)));
      ASSERT_EQ(half(__vimax3_u16x2(x, y, z)),
                std::max({half(x), half(y), half(z)}));
      ASSERT_EQ(half(__vimin3_u16x2(x, y, z)),
                std::min({half(x), half(y), half(z)}));
      ASSERT_EQ(number(__vimax3_s16x2(x, y, z)),
                std::max({number(x), number(y), number(z)}));
      ASSERT_EQ(number(__vimin_s16x2_relu(x, y)),
                std::max(std::min(number(x), number(y)), 0));
      const int16_t sum = static_cast<int16_t>(number(x) + number(y));
      ASSERT_EQ(number(__viaddmax_s16x2(x, y, z)),
                std::max<int>(sum, number(z)));
    }
  }
}

//===----------------------------------------------------------------------===//
// 8 bits
//===----------------------------------------------------------------------===//

double valueOf(unsigned bits, bool e4m3) {
  const int mantissa = e4m3 ? 3 : 2, bias = e4m3 ? 7 : 15;
  const int exponent = static_cast<int>(bits & 127) >> mantissa;
  const int fraction = static_cast<int>(bits) & ((1 << mantissa) - 1);
  const double sign = bits & 128 ? -1 : 1;
  if (e4m3 ? (bits & 127) == 127 : exponent == 31 && fraction)
    return NAN;
  if (!e4m3 && exponent == 31)
    return sign * INFINITY;
  return sign * (exponent ? std::ldexp(fraction + (1 << mantissa),
                                       exponent - bias - mantissa)
                          : std::ldexp(fraction, 1 - bias - mantissa));
}

/// The nearest finite number, the even one of two, found by comparing with all.
unsigned nearest(double x, bool e4m3) {
  const unsigned sign = std::signbit(x) ? 128 : 0;
  x = std::fmin(std::fabs(x), e4m3 ? 448 : 57344);
  unsigned best = 0;
  for (unsigned bits = 0; bits <= (e4m3 ? 0x7eu : 0x7bu); ++bits) {
    const double now = std::fabs(x - valueOf(bits, e4m3));
    const double before = std::fabs(x - valueOf(best, e4m3));
    if (now < before || (now == before && bits % 2 == 0))
      best = bits;
  }
  return sign | best;
}

TEST(SimFunctions, eightBitNumbersSaturateAndRoundOnce) {
  std::mt19937_64 random(4);
  for (bool e4m3 : {true, false}) {
    const __nv_fp8_interpretation_t kind = e4m3 ? __NV_E4M3 : __NV_E5M2;
    const double most = e4m3 ? 448 : 57344;
    for (unsigned bits = 0; bits < 256; ++bits) {
      const __half wide(
          __nv_cvt_fp8_to_halfraw(static_cast<__nv_fp8_storage_t>(bits), kind));
      const double expected = valueOf(bits, e4m3);
      if (expected != expected) {
        EXPECT_TRUE(std::isnan(__half2float(wide)));
        continue;
      }
      ASSERT_EQ(static_cast<double>(__half2float(wide)), expected) << bits;
      if (std::isfinite(expected))
        ASSERT_EQ(__nv_cvt_double_to_fp8(expected, __NV_SATFINITE, kind), bits);
    }
    std::vector<double> values = {most, most * 1.01, 1e300, -1e300,
                                  464,  464.01,      61440, 61439.99,
                                  0.0,  -0.0,        1e-300};
    for (unsigned bits = 0; bits < 0x7b; ++bits) {
      const double middle = (valueOf(bits, e4m3) + valueOf(bits + 1, e4m3)) / 2;
      values.insert(values.end(), {middle, -middle, std::nextafter(middle, 0.0),
                                   std::nextafter(middle, 1e9)});
    }
    for (int i = 0; i < 2000; ++i)
      values.push_back(std::ldexp(static_cast<double>(random() >> 11),
                                  static_cast<int>(random() % 40) - 70));
    for (double x : values) {
      ASSERT_EQ(__nv_cvt_double_to_fp8(x, __NV_SATFINITE, kind),
                nearest(x, e4m3))
          << x;
      const auto narrow = static_cast<float>(x);
      ASSERT_EQ(__nv_cvt_float_to_fp8(narrow, __NV_SATFINITE, kind),
                nearest(static_cast<double>(narrow), e4m3))
          << x;
    }
    EXPECT_EQ(__nv_cvt_float_to_fp8(NAN, __NV_SATFINITE, kind), 0x7f);
    EXPECT_EQ(__nv_cvt_float_to_fp8(1e9f, __NV_NOSAT, kind),
              e4m3 ? 0x7f : 0x7c);
    EXPECT_EQ(__nv_cvt_float_to_fp8(-INFINITY, __NV_SATFINITE, kind),
              e4m3 ? 0xfe : 0xfb);
  }
}

} // namespace
