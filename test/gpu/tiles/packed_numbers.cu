// FORM: numbers of four bits that are computed with, or lie across k in words
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights of four bits that plans do not convert in pairs: words of eight
// numbers that lie across k, with packed zero points; zero points that are
// halves, groups of 32, activations of float or across k, an order of a word's
// numbers that a table says. Where the range of k ends inside of a word, the
// original runs.

#include "check.h"

using bf16 = __nv_bfloat16;
using u8 = unsigned char;
using u16 = unsigned short;
using u32 = unsigned;

#define OUTPUT_OF_THREAD                                                       \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0;

// Words across k, and zero points of eight columns in a word, less one.
#pragma warpwright matmul tile(64, 64, 32)
__global__ void words_across(const half *X, const u32 *W, const u32 *zeros,
                             const half *scale, half *C, int M, int N, int K,
                             int group) {
  OUTPUT_OF_THREAD
  for (int k = 0; k < K; ++k) {
    const int g = k / group;
    const int w = W[k / 8 * N + col] >> 4 * (k % 8) & 15;
    const int z =
        (zeros[g * ((N + 7) / 8) + col / 8] >> 4 * (col % 8) & 15) + 1;
    acc += __half2float(X[row * K + k]) * (w - z) *
           __half2float(scale[g * N + col]);
  }
  C[row * N + col] = __float2half(acc);
}

// Two numbers of a byte have a scale and a zero point that are halves.
#pragma warpwright matmul tile(64, 64, 32)
__global__ void half_zeros(const half *X, const u8 *W, const half *scale,
                           const half *zero, half *C, int M, int N, int K) {
  OUTPUT_OF_THREAD
  for (int k = 0; k < K / 2; ++k) {
    const u8 both = W[col * (K / 2) + k];
    const int g = col * ((K + 63) / 64) + k / 32;
    const float s = __half2float(scale[g]), z = __half2float(zero[g]);
    acc += __half2float(X[row * K + 2 * k]) * (((both & 15) - z) * s);
    acc += __half2float(X[row * K + 2 * k + 1]) * (((both >> 4) - z) * s);
  }
  C[row * N + col] = __float2half(acc);
}

// Activations are floats, and groups have 32 numbers.
#pragma warpwright matmul tile(128, 32, 32)
__global__ void by_floats(const float *X, const u8 *W, const float *scale,
                          float *C, int M, int N, int K) {
  OUTPUT_OF_THREAD
  for (int k = 0; k < K; ++k) {
    const int both = W[col * (K / 2) + k / 2];
    const int w = (k % 2 ? both >> 4 : both & 15) - 8;
    acc += X[row * K + k] * (w * scale[col * ((K + 31) / 32) + k / 32]);
  }
  C[row * N + col] = acc;
}

// Activations lie across k, and weights are the rows of the product.
#pragma warpwright matmul tile(64, 64, 32)
__global__ void transposed(const u32 *W, const bf16 *X, const float *scale,
                           float *C, int M, int N, int K) {
  OUTPUT_OF_THREAD
  for (int k = 0; k < K / 8; ++k) {
    const u32 word = W[row * (K / 8) + k];
    for (int i = 0; i < 8; ++i)
      acc += (static_cast<float>(word >> 4 * i & 15) - 7.5f) * scale[row] *
             __bfloat162float(X[(8 * k + i) * N + col]);
  }
  C[row * N + col] = acc;
}

// A table says where in a word each number is.
#pragma warpwright matmul tile(64, 128, 32)
__global__ void in_another_order(const half *X, const u32 *W,
                                 const float *scale, float *C, int M, int N,
                                 int K) {
  OUTPUT_OF_THREAD
  const int place[8] = {0, 4, 1, 5, 2, 6, 3, 7};
  for (int k = 0; k < K / 8; ++k) {
    const u32 word = W[k * N + col];
#pragma unroll
    for (int i = 0; i < 8; ++i)
      acc += __half2float(X[row * K + 8 * k + i]) *
             (static_cast<int>(word >> 4 * place[i] & 15) - 8) *
             scale[k / 16 * N + col];
  }
  C[row * N + col] = acc;
}

// Words of 16 bits have four numbers, with signs.
#pragma warpwright matmul tile(64, 32, 32)
__global__ void short_words(const float *X, const u16 *W, float *C, int M,
                            int N, int K) {
  OUTPUT_OF_THREAD
  for (int k = 0; k < K / 4; ++k) {
    const u32 word = W[k * N + col];
    for (int i = 0; i < 4; ++i) {
      const int w = static_cast<int>(word << (28 - 4 * i)) >> 28;
      acc += X[row * K + 4 * k + i] * static_cast<float>(w);
    }
  }
  C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{67, 45, 128},
                         {130, 72, 192},
                         {16, 80, 320},
                         {33, 40, 72},
                         {3, 5, 8}}) {
    const int group = 64, groups = check::ceilDiv(s.k, group);
    const int packed_columns = check::ceilDiv(s.n, 8);
    check::Matrix<half> X(s.m, s.k), scale_of_group(groups, s.n);
    check::Matrix<half> half_scale(s.n, groups), half_zero(s.n, groups);
    check::Matrix<float> Y(s.m, s.k), short_scale(s.n, check::ceilDiv(s.k, 32));
    check::Matrix<float> of_row(1, s.m), of_128(check::ceilDiv(s.k, 128), s.n);
    check::Matrix<bf16> Z(s.k, s.n);
    check::Matrix<u32> across(s.k / 8, s.n), zeros(groups, packed_columns),
        rows(s.m, s.k / 8);
    check::Matrix<u8> bytes(s.n, s.k / 2);
    check::Matrix<u16> shorts(s.k / 4, s.n);
    X.random(1), scale_of_group.random(2), half_scale.random(3);
    half_zero.random(4, 4), Y.random(5), short_scale.random(6);
    of_row.random(7), of_128.random(8), Z.random(9);
    const auto fill = [](auto &matrix, u32 step) {
      for (int r = 0; r < matrix.rows(); ++r)
        for (int c = 0; c < matrix.cols(); ++c)
          matrix.set(r, c, (r * 2654435761u + c * step) >> 3);
      matrix.upload();
    };
    const auto fill_narrow = [](auto &matrix, u32 step, u32 values) {
      for (int r = 0; r < matrix.rows(); ++r)
        for (int c = 0; c < matrix.cols(); ++c)
          matrix.set(r, c, ((r * 2654435761u + c * step) >> 7) % values);
      matrix.upload();
    };
    fill(across, 2246822519u), fill(zeros, 3266489917u), fill(rows, 374761393u);
    fill_narrow(bytes, 668265263u, 256), fill_narrow(shorts, 374761393u, 65536);
    const auto number = [](double word, int i) {
      return static_cast<int>(static_cast<u32>(word) >> 4 * i & 15);
    };

    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    const dim3 block(16, 16);
    check::Matrix<half> A(s.m, s.n), B(s.m, s.n);
    check::Matrix<float> C(s.m, s.n), D(s.m, s.n), E(s.m, s.n), F(s.m, s.n);
    words_across<<<grid, block>>>(X.data(), across.data(), zeros.data(),
                                  scale_of_group.data(), A.data(), s.m, s.n,
                                  s.k, group);
    half_zeros<<<grid, block>>>(X.data(), bytes.data(), half_scale.data(),
                                half_zero.data(), B.data(), s.m, s.n, s.k);
    by_floats<<<grid, block>>>(Y.data(), bytes.data(), short_scale.data(),
                               C.data(), s.m, s.n, s.k);
    transposed<<<grid, block>>>(rows.data(), Z.data(), of_row.data(), D.data(),
                                s.m, s.n, s.k);
    in_another_order<<<grid, block>>>(X.data(), across.data(), of_128.data(),
                                      E.data(), s.m, s.n, s.k);
    short_words<<<grid, block>>>(Y.data(), shorts.data(), F.data(), s.m, s.n,
                                 s.k);
    const auto verdict = [&](const char *name, auto &got, auto x, auto weight) {
      check::Table sum = check::product(s, x, weight);
      test.expect(name, s, got, [&](int m, int n) { return sum(m, n); });
    };
    const auto halves = [&](int m, int k) { return X(m, k); };
    const auto floats = [&](int m, int k) { return Y(m, k); };
    verdict("words_across", A, halves, [&](int k, int n) {
      const int z = number(zeros(k / group, n / 8), n % 8) + 1;
      return (number(across(k / 8, n), k % 8) - z) *
             scale_of_group(k / group, n);
    });
    verdict("half_zeros", B, halves, [&](int k, int n) {
      return (number(bytes(n, k / 2), k % 2) - half_zero(n, k / 64)) *
             half_scale(n, k / 64);
    });
    verdict("by_floats", C, floats, [&](int k, int n) {
      return (number(bytes(n, k / 2), k % 2) - 8) * short_scale(n, k / 32);
    });
    verdict(
        "transposed", D,
        [&](int m, int k) {
          return (number(rows(m, k / 8), k % 8) - 7.5) * of_row(0, m);
        },
        [&](int k, int n) { return Z(k, n); });
    verdict("in_another_order", E, halves, [&](int k, int n) {
      const int i = k % 8, place = i / 2 + i % 2 * 4;
      return (number(across(k / 8, n), place) - 8) * of_128(k / 128, n);
    });
    verdict("short_words", F, floats, [&](int k, int n) {
      const int w = number(shorts(k / 4, n), k % 4);
      return static_cast<double>(w < 8 ? w : w - 16);
    });
  }
  return test.finish();
}
