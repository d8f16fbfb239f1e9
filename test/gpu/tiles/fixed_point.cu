// FORM: integers: sums of 8-bit products that are scaled in integers: by a
// multiplier of 31 bits and a shift, by a shift alone, by a quotient
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How networks without floating point bring sums back to 8 bits. The multiplier
// and the shift are arguments, or loaded for each column; products have 64
// bits.

#include <cstdint>

#include "check.h"

#define PLACE                                                                  \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  int acc = 0;                                                                 \
  for (int k = 0; k < K; ++k)                                                  \
    acc += A[row * K + k] * W[col * K + k];

/// The upper half of the doubled product, rounded to nearest, ties away from 0.
__device__ int doubled_high(int x, int y) {
  const int64_t product = static_cast<int64_t>(x) * y;
  const int64_t nudge = product >= 0 ? 1 << 30 : 1 - (1 << 30);
  return static_cast<int>((product + nudge) / (int64_t(1) << 31));
}
/// x over 2^by, rounded to nearest, ties away from 0.
__device__ int rounded_shift(int x, int by) {
  const int mask = (1 << by) - 1;
  const int threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> by) + ((x & mask) > threshold ? 1 : 0);
}
__device__ signed char clamped(int x) {
  return static_cast<signed char>(max(-128, min(127, x)));
}

#pragma warpwright matmul
__global__ void multiplier(const signed char *A, const signed char *W,
                           signed char *C, int M, int N, int K, int factor,
                           int shift, int zero) {
  PLACE
  C[row * N + col] =
      clamped(rounded_shift(doubled_high(acc, factor), shift) + zero);
}

#pragma warpwright matmul
__global__ void of_columns(const signed char *A, const signed char *W,
                           signed char *C, int M, int N, int K,
                           const int *factor, const int *shift) {
  PLACE
  int64_t scaled = static_cast<int64_t>(acc) * factor[col];
  scaled = (scaled + (int64_t(1) << (shift[col] - 1))) >> shift[col];
  C[row * N + col] = static_cast<signed char>(scaled < -128  ? -128
                                              : scaled > 127 ? 127
                                                             : scaled);
}

#pragma warpwright matmul
__global__ void shifted(const signed char *A, const signed char *W,
                        signed char *C, int M, int N, int K, int shift) {
  PLACE
  C[row * N + col] = clamped((acc + (1 << (shift - 1))) >> shift);
}

// Quotients are rounded to zero.
#pragma warpwright matmul
__global__ void quotient(const signed char *A, const signed char *W, int *C,
                         int M, int N, int K, const unsigned *step) {
  PLACE
  C[row * N + col] = acc / 64 + static_cast<int>(step[col] / 8) +
                     static_cast<int>(static_cast<unsigned>(acc) >> step[col]);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{144, 112, 144}, check::Shape{67, 45, 83},
                         check::Shape{130, 35, 200}, check::Shape{3, 5, 7},
                         check::Shape{1, 1, 1}}) {
    check::Matrix<signed char> A(s.m, s.k), W(s.n, s.k), C(s.m, s.n),
        D(s.m, s.n), E(s.m, s.n);
    check::Matrix<int> factor(1, s.n), shift(1, s.n), F(s.m, s.n);
    check::Matrix<unsigned> step(1, s.n);
    A.integers(1, 127), W.integers(2, 127);
    for (int n = 0; n < s.n; ++n) {
      factor.set(0, n, 1 + (n * 7919) % 30000);
      shift.set(0, n, 20 + n % 9);
      step.set(0, n, n % 31);
    }
    factor.upload(), shift.upload(), step.upload();
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    const dim3 block(16, 16);
    const int by = 1518500250, places = 9;
    multiplier<<<grid, block>>>(A.data(), W.data(), C.data(), s.m, s.n, s.k, by,
                                places, -3);
    of_columns<<<grid, block>>>(A.data(), W.data(), D.data(), s.m, s.n, s.k,
                                factor.data(), shift.data());
    shifted<<<grid, block>>>(A.data(), W.data(), E.data(), s.m, s.n, s.k, 10);
    quotient<<<grid, block>>>(A.data(), W.data(), F.data(), s.m, s.n, s.k,
                              step.data());
    check::Table sum = check::product(
        s, [&](int m, int k) { return A(m, k); },
        [&](int k, int n) { return W(n, k); });
    const auto within = [](double x) {
      return x < -128 ? -128 : x > 127 ? 127 : x;
    };
    const auto away = [](double x) { // ties away from 0
      return x < 0 ? -std::floor(0.5 - x) : std::floor(x + 0.5);
    };
    test.expect(
        "multiplier", s, C,
        [&](int m, int n) {
          const double high = away(sum(m, n) * by / 2147483648.0);
          return within(away(high / (1 << places)) - 3);
        },
        A, W);
    test.expect(
        "of_columns", s, D,
        [&](int m, int n) {
          const int64_t half = int64_t(1) << (int(shift(0, n)) - 1);
          const auto scaled = static_cast<int64_t>(sum(m, n)) *
                              static_cast<int64_t>(factor(0, n));
          return within(double((scaled + half) >> int(shift(0, n))));
        },
        A, W, factor, shift);
    test.expect(
        "shifted", s, E,
        [&](int m, int n) {
          return within(std::floor((sum(m, n) + 512) / 1024));
        },
        A, W);
    test.expect(
        "quotient", s, F,
        [&](int m, int n) {
          const int x = int(sum(m, n)), by_column = int(step(0, n));
          return double(x / 64 + by_column / 8 + int(unsigned(x) >> by_column));
        },
        A, W, step);
  }
  return test.finish();
}
