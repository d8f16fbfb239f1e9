//===- WgmmaMathTest.cpp - The tensor cores' arithmetic -------------------===//
//
// Part of Warpwright, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WgmmaMath.h"
#include "WgmmaDescriptor.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

using namespace warpwright::sim;

namespace {

ElementType element_type(const std::string &name) {
  return name == "f16"    ? ElementType::f16
         : name == "bf16" ? ElementType::bf16
         : name == "tf32" ? ElementType::tf32
         : name == "e4m3" ? ElementType::e4m3
                          : ElementType::e5m2;
}

void set_row(OperandBlock &block, bool is_b, unsigned column, ElementType type,
             const std::string &hex) {
  const unsigned digits = 2 * bytes_of(type);
  for (unsigned i = 0; i != hex.size() / digits; ++i) {
    const uint32_t bits = static_cast<uint32_t>(
        std::stoul(hex.substr(i * digits, digits), nullptr, 16));
    if (is_b)
      block.set(i, column, type, bits, false);
    else
      block.set(0, i, type, bits, false);
  }
}

TEST(WgmmaMathTest, as_the_h200_computed_it) {
  std::ifstream file(WARPWRIGHT_TEST_INPUTS "/tensor_core.txt");
  ASSERT_TRUE(file);
  std::string line;
  unsigned lines = 0;
  while (std::getline(file, line)) {
    if (line[0] == '#')
      continue;
    std::istringstream words(line);
    std::string a_type, b_type, d_type, a_bits, b_bits, c, d;
    words >> a_type >> b_type >> d_type >> a_bits >> b_bits >> c >> d;
    const ElementType type = element_type(a_type);
    // Every column of a wide tile is computed the same way.
    const unsigned n = 40, k = 32 / bytes_of(type);
    OperandBlock a, b;
    a.resize(1, k);
    b.resize(k, n);
    set_row(a, false, 0, type, a_bits);
    for (unsigned j = 0; j != n; ++j)
      set_row(b, true, j, element_type(b_type), b_bits);
    std::vector<uint32_t> tile(
        n, static_cast<uint32_t>(std::stoul(c, nullptr, 16)));
    const AccumulatorType accumulator =
        d_type == "f16" ? AccumulatorType::f16 : AccumulatorType::f32;
    multiply({type, element_type(b_type), accumulator}, tile.data(), a, b, 0,
             1);
    for (unsigned j = 0; j != n; ++j)
      ASSERT_EQ(tile[j], std::stoul(d, nullptr, 16)) << line << " column " << j;
    ++lines;
  }
  EXPECT_GE(lines, 300u);
}

/// ||D - reference|| / ||reference|| of a product summed over `depth`.
double error_of(ElementType type, unsigned depth, bool uniform, bool exact) {
  const unsigned k = 32 / bytes_of(type), n = 32, rows = 16;
  std::mt19937 generator(depth + uniform);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> flat;
  std::vector<uint32_t> d(rows * n, 0);
  std::vector<double> reference(rows * n, 0);
  OperandBlock a, b;
  a.resize(rows, k);
  b.resize(k, n);
  const auto draw = [&](OperandBlock &block, unsigned o, unsigned i) {
    const float value = uniform ? flat(generator) : normal(generator);
    uint32_t bits;
    memcpy(&bits, &value, 4);
    block.set(o, i, type, type == ElementType::bf16 ? bits >> 16 : bits, false);
  };
  for (unsigned step = 0; step != depth / k; ++step) {
    for (unsigned i = 0; i != rows; ++i)
      for (unsigned x = 0; x != k; ++x)
        draw(a, i, x);
    for (unsigned x = 0; x != k; ++x)
      for (unsigned j = 0; j != n; ++j)
        draw(b, x, j);
    multiply({type, type, AccumulatorType::f32, false, exact}, d.data(), a, b,
             0, rows);
    for (unsigned i = 0; i != rows; ++i)
      for (unsigned j = 0; j != n; ++j)
        for (unsigned x = 0; x != k; ++x)
          reference[i * n + j] +=
              double(a.value[i * k + x]) * double(b.value[x * n + j]);
  }
  double difference = 0, norm = 0;
  for (unsigned i = 0; i != rows * n; ++i) {
    float value;
    memcpy(&value, &d[i], 4);
    difference += (value - reference[i]) * (value - reference[i]);
    norm += reference[i] * reference[i];
  }
  return std::sqrt(difference / norm);
}

// Measured through cuBLAS on an H200, where it does not split K.
TEST(WgmmaMathTest, errors_grow_with_k_as_measured) {
  EXPECT_NEAR(error_of(ElementType::tf32, 64, false, false), 1.8e-7, 0.4e-7);
  EXPECT_NEAR(error_of(ElementType::tf32, 512, false, false), 1.2e-6, 0.3e-6);
  EXPECT_NEAR(error_of(ElementType::tf32, 64, true, false), 2.7e-7, 0.6e-7);
  EXPECT_NEAR(error_of(ElementType::tf32, 512, true, false), 3.1e-6, 0.8e-6);
  EXPECT_NEAR(error_of(ElementType::bf16, 64, false, false), 6.5e-8, 3e-8);
  EXPECT_NEAR(error_of(ElementType::bf16, 64, true, false), 7.7e-8, 6e-8);
  // With rounding to nearest the error does not grow.
  EXPECT_LT(error_of(ElementType::tf32, 4096, true, true), 1e-6);
  EXPECT_GT(error_of(ElementType::tf32, 4096, true, false), 1e-5);
}

// Subnormal factors count with all their bits: sums that fit the accumulator
// are exact.
TEST(WgmmaMathTest, subnormal_halves) {
  std::mt19937 random(7);
  for (int round = 0; round != 2000; ++round) {
    const unsigned k = 16, n = 8;
    OperandBlock a, b;
    a.resize(1, k);
    b.resize(k, n);
    double sum[n] = {};
    for (unsigned x = 0; x != k; ++x) {
      // Multiples of 2^-24 below 2^-14, and below 2^-13 every other time.
      const uint32_t factor = (random() & (round % 2 ? 0x7ff : 0x3ff)) |
                              (random() & 1 ? 0x8000 : 0);
      a.set(0, x, ElementType::f16, factor, false);
      for (unsigned j = 0; j != n; ++j) {
        // Also subnormal numbers, or a power of two from 2^-14 up to 8.
        const uint32_t other =
            (j % 2 ? random() & 0x3ff : (1 + round % 18) << 10) |
            (random() & 0x8000);
        b.set(x, j, ElementType::f16, other, false);
        sum[j] += double(half_to_float(uint16_t(factor))) *
                  double(half_to_float(uint16_t(other)));
      }
    }
    std::vector<uint32_t> d(n, 0);
    multiply({ElementType::f16, ElementType::f16, AccumulatorType::f32},
             d.data(), a, b, 0, 1);
    for (unsigned j = 0; j != n; ++j) {
      float value;
      memcpy(&value, &d[j], 4);
      ASSERT_EQ(double(value), sum[j]) << "round " << round;
    }
  }
}

/// ||D - reference|| / ||reference|| of a product of floats, each of which is
/// two halves x = (high + low / 2048) / scale. In windows of 64, the products
/// with a low part are added first, then those of the high parts, and then the
/// sum is added in float.
double error_of_parts(unsigned depth, bool uniform) {
  const unsigned k = 16, n = 32, rows = 16, window = 64;
  std::mt19937 generator(depth + uniform);
  std::normal_distribution<float> normal;
  std::uniform_real_distribution<float> flat;
  constexpr float scale = 4096;
  std::vector<float> sum(rows * n, 0);
  std::vector<double> reference(rows * n, 0);
  for (unsigned from = 0; from != depth; from += window) {
    std::vector<float> a(rows * window), b(window * n);
    for (float &x : a)
      x = uniform ? flat(generator) : normal(generator);
    for (float &x : b)
      x = uniform ? flat(generator) : normal(generator);
    std::vector<uint32_t> acc(rows * n, 0);
    for (int pass = 0; pass != 3; ++pass)
      for (unsigned at = 0; at != window; at += k) {
        const auto part = [](float x, bool low) {
          const uint16_t high = double_to_half(double(x) * scale);
          return low ? double_to_half(
                           (double(x) * scale - double(half_to_float(high))) *
                           2048)
                     : high;
        };
        OperandBlock left, right;
        left.resize(rows, k);
        right.resize(k, n);
        for (unsigned x = 0; x != k; ++x) {
          for (unsigned i = 0; i != rows; ++i)
            left.set(i, x, ElementType::f16,
                     part(a[i * window + at + x], pass == 0), false);
          for (unsigned j = 0; j != n; ++j)
            right.set(x, j, ElementType::f16,
                      part(b[(at + x) * n + j], pass == 1), false);
        }
        if (pass == 2 && at == 0)
          for (uint32_t &each : acc) {
            float value;
            memcpy(&value, &each, 4);
            value /= 2048;
            memcpy(&each, &value, 4);
          }
        multiply({ElementType::f16, ElementType::f16, AccumulatorType::f32},
                 acc.data(), left, right, 0, rows);
      }
    for (unsigned i = 0; i != rows * n; ++i) {
      float value;
      memcpy(&value, &acc[i], 4);
      sum[i] = std::fma(value, 1 / scale / scale, sum[i]);
      for (unsigned x = 0; x != window; ++x)
        reference[i] +=
            double(a[i / n * window + x]) * double(b[x * n + i % n]);
    }
  }
  double difference = 0, norm = 0;
  for (unsigned i = 0; i != rows * n; ++i) {
    difference += (sum[i] - reference[i]) * (sum[i] - reference[i]);
    norm += reference[i] * reference[i];
  }
  return std::sqrt(difference / norm);
}

// An H200 was measured to have 1.3e-7 to 2.5e-7.
TEST(WgmmaMathTest, floats_in_two_parts) {
  EXPECT_NEAR(error_of_parts(2048, false), 1.9e-7, 0.7e-7);
  EXPECT_NEAR(error_of_parts(2048, true), 1.9e-7, 0.7e-7);
}

TEST(WgmmaMathTest, integers) {
  OperandBlock a, b;
  a.resize(1, 32);
  b.resize(32, 8);
  for (unsigned i = 0; i != 32; ++i) {
    a.set(0, i, ElementType::u8, 255, false);
    for (unsigned j = 0; j != 8; ++j)
      b.set(i, j, ElementType::s8, 0x80, false);
  }
  std::vector<uint32_t> d(8, 0x80000010u);
  multiply({ElementType::u8, ElementType::s8, AccumulatorType::s32}, d.data(),
           a, b, 0, 1);
  EXPECT_EQ(d[3], 0x80000010u - 255u * 128u * 32u); // wraps
  d.assign(8, 0x80000010u);
  multiply({ElementType::u8, ElementType::s8, AccumulatorType::s32, true},
           d.data(), a, b, 0, 1);
  EXPECT_EQ(d[3], 0x80000000u); // .satfinite
}

TEST(WgmmaMathTest, descriptors) {
  // start 0x1400, leading 0x800, stride 0x400, 128-byte swizzle.
  const uint64_t bits =
      0x140 | uint64_t(0x80) << 16 | uint64_t(0x40) << 32 | uint64_t(1) << 62;
  const MatrixDescriptor d = decode_descriptor(bits);
  EXPECT_EQ(d.start, 0x1400u);
  EXPECT_EQ(d.leading, 0x800u);
  EXPECT_EQ(d.stride, 0x400u);
  EXPECT_EQ(d.width, 128u);
  EXPECT_TRUE(d.is_aligned());
  // K-major: chunk 1 of row 3 moves to chunk 1 ^ 3; row 9 is one stride
  // further.
  EXPECT_EQ(d.address(true, 3, 16), 0x1400u + 3 * 128 + (1 ^ 3) * 16);
  EXPECT_EQ(d.address(true, 9, 0), 0x1400u + 0x400 + 128 + 1 * 16);
  // MN-major: 128 bytes further along the rows is one leading offset.
  EXPECT_EQ(d.address(false, 2, 128 + 32),
            0x1400u + 0x800 + 2 * 128 + (2 ^ 2) * 16);
  EXPECT_EQ(d.address(false, 8, 0), 0x1400u + 0x400);
  // Without swizzle the two distances are exchanged for the other major.
  const MatrixDescriptor plain = decode_descriptor(bits & ~(uint64_t(3) << 62));
  EXPECT_EQ(plain.address(true, 9, 20), 0x1400u + 0x400 + 16 + 0x800 + 4);
  EXPECT_EQ(plain.address(false, 9, 20), 0x1400u + 0x800 + 16 + 0x400 + 4);
  EXPECT_EQ(decode_descriptor(uint64_t(2) << 62).width, 64u);
  EXPECT_EQ(decode_descriptor(uint64_t(3) << 62).width, 32u);
  EXPECT_EQ(decode_descriptor(uint64_t(5) << 49).base_offset, 5u);
  EXPECT_FALSE(decode_descriptor(bits + 8).is_aligned());
  EXPECT_TRUE(decode_descriptor(bits + 6).is_aligned()); // along k
}

} // namespace
