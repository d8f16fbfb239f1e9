// FORM: bytes that are computed with before they are multiplied, or meet floats
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is done to bytes in these kernels is more than to subtract whole zero
// points and to multiply by scales of groups of 64: zero points are floats or
// halves, weights are rounded to half, scales change with k, groups are short.
// Others multiply bytes by floats, or add their products, or what a group's
// products are in integers, as floats.

#include <cuda_fp8.h>

#include "check.h"

#include <algorithm>
#include <cmath>
#include <limits>

using bf16 = __nv_bfloat16;
using e4m3 = __nv_fp8_e4m3;
using e5m2 = __nv_fp8_e5m2;
using s8 = signed char;
using u8 = unsigned char;

#define OUTPUT_OF_THREAD                                                       \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;

// A zero point of each column and group is a float.
#pragma warpwright matmul tile(128, 128, 32)
__global__ void float_zeros(const half *X, const u8 *W, const float *scale,
                            const float *zero, half *C, int M, int N, int K) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K; ++k) {
    const int g = k / 128 * N + col;
    const float w = (static_cast<float>(W[col * K + k]) - zero[g]) * scale[g];
    acc += __half2float(X[row * K + k]) * w;
  }
  C[row * N + col] = __float2half(acc);
}

// Weights are computed in half.
#pragma warpwright matmul tile(64, 128, 32)
__global__ void in_half(const half *X, const u8 *W, const half *scale,
                        const half *zero, half *C, int M, int N, int K) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K; ++k) {
    const half q = __int2half_rn(W[k * N + col]);
    const half w = __hmul(__hsub(q, zero[col]), scale[col]);
    acc += __half2float(X[row * K + k]) * __half2float(w);
  }
  C[row * N + col] = __float2half(acc);
}

// Weights are rounded to half.
#pragma warpwright matmul tile(64, 128, 32)
__global__ void rounded(const half *X, const s8 *W, const float *scale,
                        float *C, int M, int N, int K) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K; ++k) {
    const half w = __float2half(scale[col] * W[col * K + k]);
    acc += __half2float(X[row * K + k]) * __half2float(w);
  }
  C[row * N + col] = acc;
}

// Each 32 numbers have a scale.
#pragma warpwright matmul tile(64, 64, 32)
__global__ void groups_of_32(const bf16 *X, const s8 *W, const half *scale,
                             float *C, int M, int N, int K) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc +=
        __bfloat162float(X[row * K + k]) *
        (W[col * K + k] * __half2float(scale[col * ((K + 31) / 32) + k / 32]));
  C[row * N + col] = acc;
}

#pragma warpwright matmul tile(64, 32, 32)
__global__ void by_floats(const float *X, const s8 *W, const float *scale,
                          float *C, int M, int N, int K) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += X[row * K + k] * static_cast<float>(W[k * N + col]);
  C[row * N + col] = acc * scale[col];
}

// Rows of bytes lie across k, and their scales change with it.
#pragma warpwright matmul tile(128, 64, 32)
__global__ void scaled_by_k(const s8 *X, const float *Y, const float *scale,
                            float *C, int M, int N, int K) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += static_cast<float>(X[k * M + row]) * scale[k] * Y[col * K + k];
  C[row * N + col] = acc;
}

// The bytes of two pictures, from 0 to 1.
#pragma warpwright matmul tile(64, 64, 32)
__global__ void pictures(const u8 *X, const u8 *Y, float *C, int M, int N,
                         int K) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += X[row * K + k] / 255.0f * (Y[k * N + col] / 255.0f);
  C[row * N + col] = acc;
}

#pragma warpwright matmul tile(64, 64, 32)
__global__ void added_in_float(const u8 *X, const s8 *W, float *C, int M, int N,
                               int K) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc +=
        static_cast<float>(X[row * K + k]) * static_cast<float>(W[col * K + k]);
  C[row * N + col] = acc;
}

// Each group is summed in int, and its sum is scaled.
#pragma warpwright matmul tile(64, 64, 32)
__global__ void groups_in_int(const u8 *X, const s8 *W, const half *scale,
                              float *C, int M, int N, int K, int group) {
  OUTPUT_OF_THREAD
  const int pitch = (K + group - 1) / group;
  float acc = 0;
  for (int g = 0; g < K / group; ++g) {
    int sum = 0;
    for (int k = g * group; k < (g + 1) * group; ++k)
      sum += X[row * K + k] * W[col * K + k];
    acc += sum * __half2float(scale[col * pitch + g]);
  }
  C[row * N + col] = acc;
}

// Parts of a group have a scale that is an integer.
#pragma warpwright matmul tile(64, 64, 32)
__global__ void scaled_in_int(const s8 *X, const s8 *W, const u8 *of_parts,
                              const half *scale, float *C, int M, int N,
                              int K) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int g = 0; g < K / 32; ++g) {
    int sum = 0;
    for (int p = 0; p < 4; ++p) {
      int part = 0;
      for (int k = 32 * g + 8 * p; k < 32 * g + 8 * p + 8; ++k)
        part += X[k * M + row] * W[k * N + col];
      sum -= part * ((of_parts[col * (K / 8) + 4 * g + p] & 63) - 32);
    }
    acc -= __half2float(scale[col * ((K + 31) / 32) + g]) * sum;
  }
  C[row * N + col] = acc;
}

// The zero point of a group is taken from the sum of the other factor.
#pragma warpwright matmul tile(64, 64, 32)
__global__ void zeros_of_sums(const s8 *X, const u8 *W, const half *scale,
                              const u8 *zero, float *C, int M, int N, int K) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int g = 0; g < K / 32; ++g) {
    int sum = 0, of_x = 0;
    for (int k = 32 * g; k < 32 * g + 32; ++k) {
      sum += X[k * M + row] * W[col * K + k];
      of_x += X[k * M + row];
    }
    acc += __half2float(scale[col * ((K + 31) / 32) + g]) *
           (sum - zero[col * (K / 8) + g] * of_x);
  }
  C[row * N + col] = acc;
}

#pragma warpwright matmul tile(64, 64, 32)
__global__ void floats_of_bytes(const float *X, const e4m3 *W, float *C, int M,
                                int N, int K) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += X[row * K + k] * static_cast<float>(W[k * N + col]);
  C[row * N + col] = acc;
}

// Infinities and NaN come from W: a column with one has infinities or NaN.
#pragma warpwright matmul tile(64, 64, 32)
__global__ void with_infinities(const half *X, const e5m2 *W,
                                const float *scale, float *C, int M, int N,
                                int K) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __half2float(X[row * K + k]) *
           (static_cast<float>(W[col * K + k]) * scale[k]);
  C[row * N + col] = acc;
}

// 0 of a number, 1 and -1 of infinities, 2 of NaN.
static double kindOf(double x) {
  return std::isnan(x) ? 2 : std::isinf(x) ? std::copysign(1, x) : 0;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s :
       {check::Shape{67, 45, 83}, {130, 72, 160}, {16, 80, 288}, {1, 1, 1}}) {
    const int groups = check::ceilDiv(s.k, 128);
    const int short_groups = check::ceilDiv(s.k, 32);
    check::Matrix<half> X(s.m, s.k), half_scale(1, s.n), half_zero(1, s.n);
    check::Matrix<half> short_scale(s.n, short_groups);
    check::Matrix<bf16> Y(s.m, s.k);
    check::Matrix<float> Z(s.m, s.k), V(s.n, s.k), of_k(1, s.k);
    check::Matrix<float> scale(groups, s.n), zero(groups, s.n);
    check::Matrix<u8> U(s.n, s.k), across(s.k, s.n), picture(s.m, s.k);
    check::Matrix<u8> of_parts(s.n, std::max(s.k / 8, 1));
    check::Matrix<s8> S(s.n, s.k), signed_across(s.k, s.n), rows(s.k, s.m);
    check::Matrix<e4m3> E(s.k, s.n);
    check::Matrix<u8> bits(s.n, s.k); // of e5m2
    X.random(1), Y.random(2), Z.random(3), V.random(4), E.random(5);
    of_k.random(6), scale.random(7), half_scale.random(8),
        short_scale.random(9);
    zero.random(10, 40), half_zero.random(11, 40);
    const auto fill = [](auto &matrix, int step, int least) {
      for (int r = 0; r < matrix.rows(); ++r)
        for (int c = 0; c < matrix.cols(); ++c)
          matrix.set(r, c, int((r * 2654435761u + c * step) % 256) + least);
      matrix.upload();
    };
    fill(U, 37, 0), fill(across, 91, 0), fill(picture, 53, 0);
    fill(of_parts, 43, 0);
    fill(S, 11, -128), fill(signed_across, 29, -128), fill(rows, 71, -128);
    const auto weight = [&](int k, int n) {
      using limits = std::numeric_limits<double>;
      return k != n % s.k  ? ((n * 7 + k * 3) % 7 - 3) / 8.0
             : n % 16 == 5 ? limits::infinity()
             : n % 16 == 9 ? limits::quiet_NaN()
                           : 0.5;
    };
    for (int n = 0; n < s.n; ++n)
      for (int k = 0; k < s.k; ++k)
        bits.set(n, k,
                 std::isinf(weight(k, n))
                     ? 0x7c // which the constructor would make finite
                     : e5m2(static_cast<float>(weight(k, n))).__x);
    bits.upload();

    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    const dim3 block(16, 16);
    check::Matrix<half> A(s.m, s.n), B(s.m, s.n);
    check::Matrix<float> R(s.m, s.n), C(s.m, s.n), D(s.m, s.n), F(s.m, s.n),
        G(s.m, s.n), H(s.m, s.n), I(s.m, s.n), J(s.m, s.n), O(s.m, s.n),
        P(s.m, s.n), Q(s.m, s.n);
    float_zeros<<<grid, block>>>(X.data(), U.data(), scale.data(), zero.data(),
                                 A.data(), s.m, s.n, s.k);
    in_half<<<grid, block>>>(X.data(), across.data(), half_scale.data(),
                             half_zero.data(), B.data(), s.m, s.n, s.k);
    rounded<<<grid, block>>>(X.data(), S.data(), scale.data(), R.data(), s.m,
                             s.n, s.k);
    groups_of_32<<<grid, block>>>(Y.data(), S.data(), short_scale.data(),
                                  C.data(), s.m, s.n, s.k);
    by_floats<<<grid, block>>>(Z.data(), signed_across.data(), scale.data(),
                               D.data(), s.m, s.n, s.k);
    scaled_by_k<<<grid, block>>>(rows.data(), V.data(), of_k.data(), F.data(),
                                 s.m, s.n, s.k);
    pictures<<<grid, block>>>(picture.data(), across.data(), G.data(), s.m, s.n,
                              s.k);
    added_in_float<<<grid, block>>>(picture.data(), S.data(), H.data(), s.m,
                                    s.n, s.k);
    groups_in_int<<<grid, block>>>(picture.data(), S.data(), short_scale.data(),
                                   O.data(), s.m, s.n, s.k, 32);
    scaled_in_int<<<grid, block>>>(rows.data(), signed_across.data(),
                                   of_parts.data(), short_scale.data(),
                                   P.data(), s.m, s.n, s.k);
    zeros_of_sums<<<grid, block>>>(rows.data(), U.data(), short_scale.data(),
                                   of_parts.data(), Q.data(), s.m, s.n, s.k);
    floats_of_bytes<<<grid, block>>>(Z.data(), E.data(), I.data(), s.m, s.n,
                                     s.k);
    with_infinities<<<grid, block>>>(
        X.data(), reinterpret_cast<const e5m2 *>(bits.data()), of_k.data(),
        J.data(), s.m, s.n, s.k);
    const auto verdict = [&](const char *name, auto &got, const auto &x,
                             auto weight) {
      check::Table sum =
          check::product(s, [&](int m, int k) { return x(m, k); }, weight);
      test.expect(name, s, got, [&](int m, int n) { return sum(m, n); });
    };
    verdict("float_zeros", A, X, [&](int k, int n) {
      return (U(n, k) - zero(k / 128, n)) * scale(k / 128, n);
    });
    verdict("in_half", B, X, [&](int k, int n) {
      return (across(k, n) - half_zero(0, n)) * half_scale(0, n);
    });
    verdict("rounded", R, X, [&](int k, int n) {
      const float w = static_cast<float>(S(n, k) * scale(0, n));
      return static_cast<double>(__half2float(__float2half(w)));
    });
    verdict("groups_of_32", C, Y,
            [&](int k, int n) { return S(n, k) * short_scale(n, k / 32); });
    verdict("by_floats", D, Z,
            [&](int k, int n) { return signed_across(k, n) * scale(0, n); });
    verdict(
        "scaled_by_k", F, [&](int m, int k) { return rows(k, m) * of_k(0, k); },
        [&](int k, int n) { return V(n, k); });
    verdict(
        "pictures", G, [&](int m, int k) { return picture(m, k) / 255; },
        [&](int k, int n) { return across(k, n) / 255; });
    verdict("added_in_float", H, picture,
            [&](int k, int n) { return S(n, k); });
    const int whole = s.k / 32 * 32; // beyond it nothing is added
    verdict("groups_in_int", O, picture, [&](int k, int n) {
      return k < whole ? S(n, k) * short_scale(n, k / 32) : 0;
    });
    verdict(
        "scaled_in_int", P, [&](int m, int k) { return rows(k, m); },
        [&](int k, int n) {
          return k < whole ? signed_across(k, n) * short_scale(n, k / 32) *
                                 ((int(of_parts(n, k / 8)) & 63) - 32)
                           : 0;
        });
    verdict(
        "zeros_of_sums", Q, [&](int m, int k) { return rows(k, m); },
        [&](int k, int n) {
          return k < whole
                     ? short_scale(n, k / 32) * (U(n, k) - of_parts(n, k / 32))
                     : 0;
        });
    verdict("floats_of_bytes", I, Z, [&](int k, int n) { return E(k, n); });
    J.download();
    check::Matrix<float> finite(s.m, s.n), kinds(s.m, s.n);
    for (int m = 0; m < s.m; ++m)
      for (int n = 0; n < s.n; ++n) {
        kinds.set(m, n, kindOf(J(m, n)));
        finite.set(m, n, kindOf(J(m, n)) == 0 ? J(m, n) : 0);
      }
    kinds.upload(), finite.upload();
    const auto product = [&](int m, int k, int n) {
      return X(m, k) * weight(k, n) * of_k(0, k);
    };
    test.expect("with_infinities", s, finite, [&](int m, int n) {
      double sum = 0;
      for (int k = 0; k < s.k; ++k)
        sum += product(m, k, n);
      return kindOf(sum) == 0 ? sum : 0;
    });
    test.expect("kinds", s, kinds, [&](int m, int n) {
      double sum = 0;
      for (int k = 0; k < s.k; ++k)
        sum += product(m, k, n);
      return kindOf(sum);
    });
  }
  return test.finish();
}
