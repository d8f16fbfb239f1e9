// FORM: integers: sums of 8-bit products that are scaled, shifted, clamped and
// rounded to 8 bits, or to 16
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a quantised layer does to its sums: the zero point of A leaves the sum
// for the epilogue, which subtracts it times the sums of the columns of B. The
// rounded results are compared exactly.

#include "check.h"

#define PLACE                                                                  \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  int acc = 0;

#pragma warpwright matmul
__global__ void requantize(const unsigned char *A, const signed char *W,
                           const int *bias, const int *column_sums,
                           signed char *C, int M, int N, int K, float scale,
                           int zero_a, int zero_c) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += static_cast<int>(A[row * K + k]) * static_cast<int>(W[col * K + k]);
  acc += bias[col] - zero_a * column_sums[col];
  const int q = __float2int_rn(static_cast<float>(acc) * scale) + zero_c;
  C[row * N + col] = static_cast<signed char>(max(-128, min(127, q)));
}

#pragma warpwright matmul
__global__ void to_unsigned(const signed char *A, const signed char *W,
                            unsigned char *C, int M, int N, int K,
                            float scale) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * W[k * N + col];
  C[row * N + col] = static_cast<unsigned char>(
      max(0, min(255, __float2int_rn(static_cast<float>(acc) * scale))));
}

// Stored by columns: a warp's rows lie side by side in memory.
#pragma warpwright matmul
__global__ void by_columns(const signed char *A, const signed char *W,
                           signed char *C, int M, int N, int K, float scale) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * W[col * K + k];
  C[col * M + row] = static_cast<signed char>(
      max(-128, min(127, __float2int_rn(static_cast<float>(acc) * scale))));
}

#pragma warpwright matmul
__global__ void to_half(const signed char *A, const signed char *W,
                        const float *of_row, const float *of_col, half *C,
                        int M, int N, int K) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * W[col * K + k];
  C[row * N + col] =
      __float2half(static_cast<float>(acc) * of_row[row] * of_col[col]);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  const float scale = 0.0009765625f; // exact in float: no doubt in rounding
  for (check::Shape s :
       {check::Shape{144, 112, 144}, check::Shape{128, 64, 128},
        check::Shape{67, 45, 83}, check::Shape{130, 35, 200},
        check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<unsigned char> UA(s.m, s.k), U(s.m, s.n);
    check::Matrix<signed char> A(s.m, s.k), W(s.n, s.k), V(s.k, s.n),
        C(s.m, s.n), T(s.n, s.m);
    check::Matrix<int> bias(1, s.n), sums(1, s.n);
    check::Matrix<float> of_row(1, s.m), of_col(1, s.n);
    check::Matrix<half> H(s.m, s.n);
    UA.integers(1, 127), A.integers(2, 127), W.integers(3, 127);
    V.integers(4, 127), bias.integers(5, 20000);
    for (int n = 0; n < s.n; ++n) {
      double sum = 0;
      for (int k = 0; k < s.k; ++k)
        sum += W(n, k);
      sums.set(0, n, sum);
    }
    sums.upload();
    for (int m = 0; m < s.m; ++m)
      of_row.set(0, m, m % 3 ? 0.0078125 : 0.015625);
    for (int n = 0; n < s.n; ++n)
      of_col.set(0, n, n % 2 ? 0.0625 : 0.03125);
    of_row.upload(), of_col.upload();
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    const dim3 block(16, 16);
    const int zero_a = 119, zero_c = -7;
    requantize<<<grid, block>>>(UA.data(), W.data(), bias.data(), sums.data(),
                                C.data(), s.m, s.n, s.k, scale, zero_a, zero_c);
    to_unsigned<<<grid, block>>>(A.data(), V.data(), U.data(), s.m, s.n, s.k,
                                 scale);
    by_columns<<<grid, block>>>(A.data(), W.data(), T.data(), s.m, s.n, s.k,
                                scale);
    to_half<<<grid, block>>>(A.data(), W.data(), of_row.data(), of_col.data(),
                             H.data(), s.m, s.n, s.k);
    const auto clamped = [](double x, double low, double high) {
      return x < low ? low : x > high ? high : x;
    };
    const auto a = [&](int m, int k) { return A(m, k); };
    const auto w = [&](int k, int n) { return W(n, k); };
    check::Table sum = check::product(s, a, w);
    check::Table shifted =
        check::product(s, [&](int m, int k) { return UA(m, k) - zero_a; }, w);
    check::Table other =
        check::product(s, a, [&](int k, int n) { return V(k, n); });
    test.expect(
        "requantize", s, C,
        [&](int m, int n) {
          return clamped(std::nearbyint((shifted(m, n) + bias(0, n)) * scale) +
                             zero_c,
                         -128, 127);
        },
        UA, W, bias, sums);
    test.expect(
        "to_unsigned", s, U,
        [&](int m, int n) {
          return clamped(std::nearbyint(other(m, n) * scale), 0, 255);
        },
        A, V);
    test.expect(
        "by_columns", s, T,
        [&](int n, int m) {
          return clamped(std::nearbyint(sum(m, n) * scale), -128, 127);
        },
        A, W);
    test.expect(
        "to_half", s, H,
        [&](int m, int n) { return sum(m, n) * of_row(0, m) * of_col(0, n); },
        A, W, of_row, of_col);
  }
  return test.finish();
}
