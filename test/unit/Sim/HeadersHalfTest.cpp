//===- HeadersHalfTest.cpp - Arithmetic of 16-bit numbers -------*- C++ -*-===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The half and bfloat16 of simulated programs against references that share
/// nothing with them: rounding by a search among all the numbers of the format,
/// and exact sums and products in quadruple precision.
///
//===----------------------------------------------------------------------===//

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace {

enum class To { nearest, zero, up, down };

/// The number that a format's bits represent, from its definition.
struct Reference {
  int mantissa;
  int bias;

  long double value(unsigned bits) const {
    const int exponent =
        static_cast<int>(bits >> mantissa) & ((1 << width()) - 1);
    const unsigned fraction = bits & ((1u << mantissa) - 1);
    const long double sign = bits & 0x8000 ? -1 : 1;
    if (exponent == (1 << width()) - 1)
      return fraction ? std::numeric_limits<long double>::quiet_NaN()
                      : sign * std::numeric_limits<long double>::infinity();
    if (exponent == 0)
      return sign * std::ldexp(static_cast<long double>(fraction),
                               1 - bias - mantissa);
    return sign *
           std::ldexp(static_cast<long double>(fraction + (1u << mantissa)),
                      exponent - bias - mantissa);
  }
  int width() const { return 15 - mantissa; }
  unsigned infinity() const { return ((1u << width()) - 1) << mantissa; }

  /// The bits of `x` rounded to one of its two neighbours, which are found by
  /// bisection. The type must hold x and the format's midpoints exactly. `tail`
  /// is the difference between the exact number and x, less than x's last
  /// digit; only rounding to nearest uses it.
  template <class Wide> unsigned round(Wide x, To to, Wide tail = 0) const {
    if (x != x)
      return 0x7fff;
    const bool negative = x < 0 || (x == 0 && signbit_of(x));
    const unsigned sign = negative ? 0x8000 : 0;
    const Wide magnitude = negative ? -x : x;
    const Wide beyond = negative ? -tail : tail;
    // The largest number that is not above x; infinity counts as the number
    // that would follow the largest one.
    unsigned low = 0, high = infinity();
    if (magnitude >= wide<Wide>(high)) {
      low = high;
      if (magnitude == magnitude + magnitude) // infinite
        return sign | infinity();
    }
    while (high - low > 1) {
      const unsigned middle = (low + high) / 2;
      (wide<Wide>(middle) <= magnitude ? low : high) = middle;
    }
    const bool exact = low < infinity() && wide<Wide>(low) == magnitude;
    if (exact)
      return sign | low;
    const unsigned next = low < infinity() ? low + 1 : low;
    const unsigned largest = infinity() - 1;
    const unsigned below = low < infinity() ? low : largest;
    switch (to) {
    case To::nearest: {
      const Wide middle = (wide<Wide>(low) + wide<Wide>(low + 1)) / 2;
      if (low >= infinity())
        return sign | infinity();
      if (magnitude != middle)
        return sign | (magnitude > middle ? next : low);
      if (beyond != 0)
        return sign | (beyond > 0 ? next : low);
      return sign | (low % 2 == 0 ? low : next);
    }
    case To::zero:
      return sign | below;
    case To::up:
      return sign | (negative ? below : next);
    case To::down:
      return sign | (negative ? next : below);
    }
    return 0;
  }

private:
  template <class Wide> static bool signbit_of(Wide x) {
    return std::signbit(static_cast<double>(x));
  }
  template <class Wide> Wide wide(unsigned bits) const {
    if (bits >= infinity()) // as if the format went on
      return static_cast<Wide>(value(infinity() - 1)) +
             static_cast<Wide>(value(infinity() - 1) - value(infinity() - 2)) *
                 static_cast<Wide>(bits - infinity() + 1);
    return static_cast<Wide>(value(bits));
  }
};

/// The functions under test, by type.
struct Half {
  typedef __half type;
  typedef __half2 pair;
  static constexpr Reference reference = {10, 15};
  static type make(unsigned bits) {
    return __ushort_as_half(static_cast<unsigned short>(bits));
  }
  static unsigned bits(type x) { return __half_as_ushort(x); }
  static float wide(type x) { return __half2float(x); }
  static type from(float x, To to) {
    return to == To::nearest ? __float2half_rn(x)
           : to == To::zero  ? __float2half_rz(x)
           : to == To::up    ? __float2half_ru(x)
                             : __float2half_rd(x);
  }
  static type from(double x) { return __double2half(x); }
  static type from(long long x, To to) {
    return to == To::nearest ? __ll2half_rn(x)
           : to == To::zero  ? __ll2half_rz(x)
           : to == To::up    ? __ll2half_ru(x)
                             : __ll2half_rd(x);
  }
  static int to_int(type x, To to) {
    return to == To::nearest ? __half2int_rn(x)
           : to == To::zero  ? __half2int_rz(x)
           : to == To::up    ? __half2int_ru(x)
                             : __half2int_rd(x);
  }
};
struct Bfloat16 {
  typedef __nv_bfloat16 type;
  typedef __nv_bfloat162 pair;
  static constexpr Reference reference = {7, 127};
  static type make(unsigned bits) {
    return __ushort_as_bfloat16(static_cast<unsigned short>(bits));
  }
  static unsigned bits(type x) { return __bfloat16_as_ushort(x); }
  static float wide(type x) { return __bfloat162float(x); }
  static type from(float x, To to) {
    return to == To::nearest ? __float2bfloat16_rn(x)
           : to == To::zero  ? __float2bfloat16_rz(x)
           : to == To::up    ? __float2bfloat16_ru(x)
                             : __float2bfloat16_rd(x);
  }
  static type from(double x) { return __double2bfloat16(x); }
  static type from(long long x, To to) {
    return to == To::nearest ? __ll2bfloat16_rn(x)
           : to == To::zero  ? __ll2bfloat16_rz(x)
           : to == To::up    ? __ll2bfloat16_ru(x)
                             : __ll2bfloat16_rd(x);
  }
  static int to_int(type x, To to) {
    return to == To::nearest ? __bfloat162int_rn(x)
           : to == To::zero  ? __bfloat162int_rz(x)
           : to == To::up    ? __bfloat162int_ru(x)
                             : __bfloat162int_rd(x);
  }
};

const To modes[] = {To::nearest, To::zero, To::up, To::down};

template <class T> class SixteenBits : public testing::Test {};
typedef testing::Types<Half, Bfloat16> Formats;
TYPED_TEST_SUITE(SixteenBits, Formats);

TYPED_TEST(SixteenBits, everyNumberWidensExactly) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const float wide = TypeParam::wide(TypeParam::make(bits));
    const long double expected = TypeParam::reference.value(bits);
    if (expected != expected) {
      EXPECT_TRUE(std::isnan(wide)) << bits;
      continue;
    }
    ASSERT_EQ(static_cast<long double>(wide), expected) << bits;
    ASSERT_EQ(std::signbit(wide), (bits & 0x8000) != 0) << bits;
    // And the reverse, from float and double.
    ASSERT_EQ(TypeParam::bits(TypeParam::from(wide, To::nearest)), bits);
    ASSERT_EQ(TypeParam::bits(TypeParam::from(static_cast<double>(wide))),
              bits);
  }
}

TYPED_TEST(SixteenBits, floatsAreRoundedInEveryDirection) {
  std::mt19937_64 random(1);
  std::vector<float> values = {0.0f,     -0.0f,     INFINITY,      -INFINITY,
                               NAN,      65504.0f,  65519.996f,    65520.0f,
                               65536.0f, -65520.0f, 3.4028235e38f, 1e-45f,
                               -1e-45f};
  // Midpoints between neighbours, and the numbers next to them.
  for (unsigned bits = 0; bits < TypeParam::reference.infinity(); bits += 7) {
    const float middle =
        static_cast<float>((TypeParam::reference.value(bits) +
                            TypeParam::reference.value(bits + 1)) /
                           2);
    values.insert(values.end(), {middle, -middle, std::nextafter(middle, 0.0f),
                                 std::nextafter(middle, INFINITY)});
  }
  for (int i = 0; i < 50000; ++i) {
    const uint32_t bits = static_cast<uint32_t>(random());
    float any;
    memcpy(&any, &bits, sizeof any);
    values.push_back(any);
    values.push_back(std::ldexp(static_cast<float>(bits), // in half's range
                                static_cast<int>(random() % 44) - 58));
  }
  for (float x : values)
    for (To to : modes)
      ASSERT_EQ(TypeParam::bits(TypeParam::from(x, to)),
                TypeParam::reference.round(static_cast<long double>(x), to))
          << x << " mode " << static_cast<int>(to);
}

TYPED_TEST(SixteenBits, doublesAreRoundedOnce) {
  std::mt19937_64 random(2);
  for (unsigned bits = 0; bits < TypeParam::reference.infinity(); bits += 3) {
    const double middle =
        static_cast<double>((TypeParam::reference.value(bits) +
                             TypeParam::reference.value(bits + 1)) /
                            2);
    // A float would lose the difference from the midpoint.
    for (double x :
         {middle, std::nextafter(middle, 0.0), std::nextafter(middle, 1e300),
          -middle, middle * (1 + std::ldexp(1.0, -40))})
      ASSERT_EQ(
          TypeParam::bits(TypeParam::from(x)),
          TypeParam::reference.round(static_cast<long double>(x), To::nearest))
          << x;
  }
  for (double x : {1e300, -1e300, 1e-300, 5e-324, -5e-324, 0.0, -0.0})
    EXPECT_EQ(
        TypeParam::bits(TypeParam::from(x)),
        TypeParam::reference.round(static_cast<long double>(x), To::nearest));
}

TYPED_TEST(SixteenBits, integersAreRoundedOnce) {
  std::mt19937_64 random(3);
  std::vector<long long> values = {0,         1,         -1,           2047,
                                   2049,      65504,     65519,        65520,
                                   INT64_MAX, INT64_MIN, INT64_MAX - 1};
  for (int i = 0; i < 20000; ++i) {
    values.push_back(static_cast<long long>(random()) >> (random() % 63));
    // One more or less than a midpoint of two numbers of 8 bits.
    const long long high = static_cast<long long>(128 + random() % 128);
    values.push_back(((2 * high + 1) << (random() % 53)) +
                     static_cast<long long>(random() % 3) - 1);
  }
  for (long long x : values)
    for (To to : modes)
      ASSERT_EQ(TypeParam::bits(TypeParam::from(x, to)),
                TypeParam::reference.round(static_cast<long double>(x), to))
          << x << " mode " << static_cast<int>(to);
}

TYPED_TEST(SixteenBits, conversionToIntegersClamps) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const long double x = TypeParam::reference.value(bits);
    for (To to : modes) {
      const long double whole = to == To::nearest ? std::rint(x)
                                : to == To::zero  ? std::trunc(x)
                                : to == To::up    ? std::ceil(x)
                                                  : std::floor(x);
      const int expected = x != x                   ? 0
                           : whole > 2147483647.0L  ? 2147483647
                           : whole < -2147483648.0L ? INT32_MIN
                                                    : static_cast<int>(whole);
      ASSERT_EQ(TypeParam::to_int(TypeParam::make(bits), to), expected) << bits;
    }
    const int small = static_cast<signed char>(TypeParam::make(bits));
    const long double whole = std::trunc(x);
    ASSERT_EQ(small, x != x         ? 0
                     : whole > 127  ? 127
                     : whole < -128 ? -128
                                    : static_cast<int>(whole));
  }
}

/// Pairs for the tests: all special values with each other, then random ones
/// with close exponents, for which results are inexact.
template <class T, class Check> void forPairs(int count, Check check) {
  std::mt19937_64 random(4);
  const unsigned special[] = {0,      0x8000, 1,      0x8001, 0x3c00, 0xbc00,
                              0x03ff, 0x0400, 0x7bff, 0xfbff, 0x7c00, 0xfc00,
                              0x7e00, 0x0080, 0x007f, 0x7f7f, 0x7f80, 0xff80,
                              0x7fff, 0x3f80, 0x3c01, 0x3f81};
  for (unsigned a : special)
    for (unsigned b : special)
      check(a, b);
  for (int i = 0; i < count; ++i) {
    const unsigned a = static_cast<unsigned>(random()) & 0xffff;
    unsigned b = static_cast<unsigned>(random()) & 0xffff;
    if (i % 2) // the same exponent, or one near it
      b = (b & 0x83ff) | (a & 0x7c00);
    check(a, b);
  }
}

TYPED_TEST(SixteenBits, arithmeticIsRoundedOnce) {
  typedef __float128 Quad;
  const Reference reference = TypeParam::reference;
  forPairs<TypeParam>(100000, [&](unsigned a, unsigned b) {
    const auto x = TypeParam::make(a), y = TypeParam::make(b);
    const Quad p = static_cast<Quad>(reference.value(a));
    const Quad q = static_cast<Quad>(reference.value(b));
    // Either 113 bits hold the sum exactly, or one operand is far below a
    // rounding error of the other.
    ASSERT_EQ(TypeParam::bits(x * y), reference.round(p * q, To::nearest))
        << std::hex << a << " * " << b;
    const unsigned sum = reference.round(p + q, To::nearest);
    ASSERT_EQ(TypeParam::bits(x + y), sum) << std::hex << a << " + " << b;
    ASSERT_EQ(TypeParam::bits(x - y), reference.round(p - q, To::nearest))
        << std::hex << a << " - " << b;
    ASSERT_EQ(TypeParam::bits(x / y), reference.round(p / q, To::nearest))
        << std::hex << a << " / " << b;
    const typename TypeParam::pair both(x, y), swapped(y, x);
    ASSERT_EQ(TypeParam::bits((both + swapped).y), sum);
    ASSERT_EQ(TypeParam::bits(hsqrt(x)),
              reference.round(std::sqrt(reference.value(a)), To::nearest))
        << std::hex << a;
  });
}

TYPED_TEST(SixteenBits, fusedMultiplyAddIsRoundedOnce) {
  typedef __float128 Quad;
  const Reference reference = TypeParam::reference;
  std::mt19937_64 random(5);
  int inexact = 0;
  for (int i = 0; i < 200000; ++i) {
    unsigned a = static_cast<unsigned>(random()) & 0xffff;
    unsigned b = static_cast<unsigned>(random()) & 0xffff;
    unsigned c = static_cast<unsigned>(random()) & 0xffff;
    if (i % 4 == 1) // a product halfway between two numbers, and a tiny c
      a = (a & 0xff00) | 0x81, b = (b & 0xff00) | 0x82, c &= 0x80ff;
    if (i % 4 == 2)
      b = (0x7c00 - (a & 0x7c00)) | (b & 0x83ff);
    const long double p = reference.value(a), q = reference.value(b),
                      r = reference.value(c);
    const Quad product = static_cast<Quad>(p) * static_cast<Quad>(q);
    // If 113 bits do not hold the sum, the error tells on which side of it the
    // result is.
    const Quad sum = product + static_cast<Quad>(r);
    const Quad of_r = sum - product;
    Quad error = (product - (sum - of_r)) + (static_cast<Quad>(r) - of_r);
    if (error != error) // something was infinite
      error = 0;
    inexact += error != 0;
    ASSERT_EQ(TypeParam::bits(__hfma(TypeParam::make(a), TypeParam::make(b),
                                     TypeParam::make(c))),
              reference.round(sum, To::nearest, error))
        << std::hex << a << " * " << b << " + " << c;
  }
  if (reference.mantissa == 7)
    EXPECT_GT(inexact, 1000); // the hard case was there
}

TYPED_TEST(SixteenBits, comparisonsAndExtremesKnowNaN) {
  const Reference reference = TypeParam::reference;
  forPairs<TypeParam>(100000, [&](unsigned a, unsigned b) {
    const auto x = TypeParam::make(a), y = TypeParam::make(b);
    const long double p = reference.value(a), q = reference.value(b);
    const bool unordered = p != p || q != q;
    ASSERT_EQ(x == y, p == q);
    ASSERT_EQ(x != y, p != q);
    ASSERT_EQ(x < y, p < q);
    ASSERT_EQ(x >= y, p >= q);
    ASSERT_EQ(__hne(x, y), !unordered && p != q);
    ASSERT_EQ(__hltu(x, y), unordered || p < q);
    ASSERT_EQ(__hgt2_mask(typename TypeParam::pair(x, y),
                          typename TypeParam::pair(y, x)),
              (p > q ? 0xffffu : 0u) | (q > p ? 0xffff0000u : 0u));
    const auto most = __hmax(x, y), least = __hmin(x, y);
    if (p != p && q != q) {
      ASSERT_EQ(TypeParam::bits(most), 0x7fffu);
    } else if (unordered) {
      ASSERT_EQ(TypeParam::bits(most), p != p ? b : a);
      ASSERT_EQ(TypeParam::bits(least), p != p ? b : a);
      ASSERT_EQ(TypeParam::bits(__hmin_nan(x, y)), 0x7fffu);
    } else if (p != q) {
      ASSERT_EQ(TypeParam::bits(most), p > q ? a : b);
      ASSERT_EQ(TypeParam::bits(least), p < q ? a : b);
    } else if (p == 0) { // -0 is below +0
      ASSERT_EQ(TypeParam::bits(most), a & b & 0x8000);
      ASSERT_EQ(TypeParam::bits(least), (a | b) & 0x8000);
    }
  });
}

TYPED_TEST(SixteenBits, conversionsConvertAsCudasDo) {
  typedef typename TypeParam::type T;
  T x = 3;        // int
  x = x + T(1.5); // double
  x += 2.0f;
  x++;
  EXPECT_EQ(static_cast<float>(x), 7.5f);
  EXPECT_EQ(static_cast<int>(x), 7);
  EXPECT_TRUE(x && !T(0.0f) && !T(-0.0f));
  const float product = 2.0f * static_cast<float>(x);
  EXPECT_EQ(product, 15.0f);
  const T clamped = __hadd_sat(x, x);
  EXPECT_EQ(static_cast<float>(clamped), 1.0f);
  EXPECT_EQ(TypeParam::bits(__hfma_relu(-x, x, x)), 0u);
  EXPECT_EQ(TypeParam::bits(-x), TypeParam::bits(x) ^ 0x8000u);
  EXPECT_EQ(sizeof(typename TypeParam::pair), 4u);
  EXPECT_EQ(alignof(typename TypeParam::pair), 4u);
}

TEST(SixteenBitsMixed, oneFormatToTheOther) {
  EXPECT_EQ(static_cast<float>(__half(__float2bfloat16(1.5f))), 1.5f);
  EXPECT_EQ(static_cast<float>(__nv_bfloat16(__float2half(257.0f))), 256.0f);
  const float2 both = __half22float2(__floats2half2_rn(1.0f, 2.5f));
  EXPECT_EQ(both.x, 1.0f);
  EXPECT_EQ(both.y, 2.5f);
  const float2 brain =
      __bfloat1622float2(__lowhigh2highlow(__floats2bfloat162_rn(1.0f, 2.5f)));
  EXPECT_EQ(brain.x, 2.5f);
  EXPECT_EQ(brain.y, 1.0f);
}

} // namespace
