// FORM: mixed inputs: groups along k whose size is an argument
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales and zero points of groups as kernels for quantised weights have them:
// their size is an argument, rows of scales follow one another, the numbers of
// a word are taken out in a loop of their own, and a scale multiplies the sum
// of four products. Groups of 32 run the original, and where stages have 128 of
// k those of 64 and 192, too. A group may be far longer than k: nothing is read
// for the groups behind it.

#include <cuda_fp8.h>

#include "check.h"

using bf16 = __nv_bfloat16;
using e4m3 = __nv_fp8_e4m3;
using s8 = signed char;
using u8 = unsigned char;

#define OUTPUT_OF_THREAD                                                       \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;

// Rows of weights are whole groups.
#pragma warpwright matmul tile(16, 128, 64)
__global__ void along_rows(const half *X, const s8 *W, const half *scale,
                           half *C, int M, int N, int K, int group) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K; ++k) {
    const float s = __half2float(scale[(col * K + k) / group]);
    acc += __half2float(X[row * K + k]) * (s * W[col * K + k]);
  }
  C[row * N + col] = __float2half(acc);
}

#pragma warpwright matmul tile(128, 128, 64)
__global__ void with_zeros(const bf16 *X, const u8 *W, const bf16 *scale,
                           const u8 *zero, float *C, int M, int N, int K,
                           int group) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K; ++k) {
    const int g = k / group * N + col;
    const float w = static_cast<float>(W[k * N + col] - zero[g]);
    acc += __bfloat162float(X[row * K + k]) * (w * __bfloat162float(scale[g]));
  }
  C[row * N + col] = acc;
}

// Two numbers of a byte have one scale. Stages are whole groups of 128.
#pragma warpwright matmul tile(16, 128, 128)
__global__ void bytes_of_two(const half *X, const u8 *W, const float *scale,
                             half *C, int M, int N, int K, int group) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K / 2; ++k) {
    const u8 both = W[col * (K / 2) + k];
    const float s = scale[col * (K / group) + 2 * k / group];
    acc += __half2float(X[row * K + 2 * k]) * ((both & 15) - 8) * s;
    acc += __half2float(X[row * K + 2 * k + 1]) * ((both >> 4) - 8) * s;
  }
  C[row * N + col] = __float2half(acc);
}

// The scale comes first, and the zero points are packed as the numbers are.
#pragma warpwright matmul tile(16, 128, 64)
__global__ void words(const half *X, const unsigned *W, const float *scale,
                      const unsigned *zero, half *C, int M, int N, int K,
                      int group) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K / 8; ++k) {
    const unsigned word = W[col * (K / 8) + k];
    const int g = k * 8 / group;
    const int z = zero[g * N + col] & 15;
    for (int i = 0; i < 8; ++i) {
      const int w = (word >> 4 * i) & 15;
      acc +=
          __half2float(X[row * K + 8 * k + i]) * (scale[g * N + col] * (w - z));
    }
  }
  C[row * N + col] = __float2half(acc);
}

#pragma warpwright matmul tile(16, 128, 64)
__global__ void by_vectors(const half *X, const s8 *W, const float *scale,
                           float *C, int M, int N, int K, int group) {
  OUTPUT_OF_THREAD
  float acc = 0;
  for (int k = 0; k < K; k += 4) {
    const char4 w = *reinterpret_cast<const char4 *>(W + col * K + k);
    const half2 a = *reinterpret_cast<const half2 *>(X + row * K + k);
    const half2 b = *reinterpret_cast<const half2 *>(X + row * K + k + 2);
    acc += scale[col * (K / group) + k / group] *
           (__low2float(a) * w.x + __high2float(a) * w.y +
            __low2float(b) * w.z + __high2float(b) * w.w);
  }
  C[row * N + col] = acc;
}

// 128 of k and 128 columns of B share a scale where the group is 128.
#pragma warpwright matmul tile(128, 128, 128)
__global__ void blocks(const e4m3 *A, const e4m3 *B, const float *of_a,
                       const float *of_b, bf16 *C, int M, int N, int K,
                       int group) {
  OUTPUT_OF_THREAD
  float acc = 0;
  const int groups = K / group;
  for (int k = 0; k < K; ++k)
    acc += static_cast<float>(A[row * K + k]) *
           static_cast<float>(B[col * K + k]) * of_a[row * groups + k / group] *
           of_b[col / group * groups + k / group];
  C[row * N + col] = __float2bfloat16(acc);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  struct Problem {
    check::Shape shape;
    int group;
  };
  for (Problem p : {Problem{{40, 272, 512}, 128},
                    {{16, 128, 384}, 64},
                    {{67, 45, 256}, 32},
                    {{21, 130, 576}, 192},
                    {{9, 80, 128}, 128},
                    {{33, 40, 1024}, 256}}) {
    const check::Shape s = p.shape;
    const int g = p.group, groups = s.k / g;
    const int no_less = groups == 1 ? 1 << 30 : g;
    check::Matrix<half> X(s.m, s.k);
    check::Matrix<bf16> Y(s.m, s.k), bf16_scale(groups, s.n);
    check::Matrix<e4m3> P(s.m, s.k), Q(s.n, s.k);
    check::Matrix<s8> W(s.n, s.k);
    check::Matrix<u8> U(s.k, s.n), zero(groups, s.n), two(s.n, s.k / 2);
    check::Matrix<unsigned> eight(s.n, s.k / 8), zeros(groups, s.n);
    check::Matrix<half> half_scale(s.n, groups);
    check::Matrix<float> scale(s.n, groups), turned(groups, s.n),
        of_rows(s.m, groups);
    X.random(1), Y.random(2), P.random(3), Q.random(4), half_scale.random(5),
        scale.random(6), turned.random(7), of_rows.random(8),
        bf16_scale.random(9);
    const auto fill = [](auto &matrix, unsigned step, long least,
                         unsigned values) {
      for (int r = 0; r < matrix.rows(); ++r)
        for (int c = 0; c < matrix.cols(); ++c)
          matrix.set(r, c, (r * 2654435761u + c * step) % values + least);
      matrix.upload();
    };
    fill(W, 11, -128, 256), fill(U, 37, 0, 256), fill(zero, 29, 0, 256);
    fill(two, 91, 0, 256), fill(eight, 2246822519u, 0, 4294967291u);
    fill(zeros, 7, 0, 16);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    const dim3 block(16, 16);
    check::Matrix<half> A(s.m, s.n), C(s.m, s.n), D(s.m, s.n);
    check::Matrix<float> B(s.m, s.n), E(s.m, s.n);
    check::Matrix<bf16> F(s.m, s.n);
    along_rows<<<grid, block>>>(X.data(), W.data(), half_scale.data(), A.data(),
                                s.m, s.n, s.k, g);
    bf16 *exact = nullptr; // without guard bands
    const size_t bytes = sizeof(bf16) * groups * s.n;
    CUDA_CHECK(cudaMalloc(&exact, bytes));
    CUDA_CHECK(
        cudaMemcpy(exact, bf16_scale.data(), bytes, cudaMemcpyDeviceToDevice));
    with_zeros<<<grid, block>>>(Y.data(), U.data(), exact, zero.data(),
                                B.data(), s.m, s.n, s.k, no_less);
    bytes_of_two<<<grid, block>>>(X.data(), two.data(), scale.data(), C.data(),
                                  s.m, s.n, s.k, g);
    words<<<grid, block>>>(X.data(), eight.data(), turned.data(), zeros.data(),
                           D.data(), s.m, s.n, s.k, no_less);
    by_vectors<<<grid, block>>>(X.data(), W.data(), scale.data(), E.data(), s.m,
                                s.n, s.k, g);
    blocks<<<grid, block>>>(P.data(), Q.data(), of_rows.data(), scale.data(),
                            F.data(), s.m, s.n, s.k, g);
    CUDA_CHECK(cudaDeviceSynchronize());
    CUDA_CHECK(cudaFree(exact));
    const auto verdict = [&](const char *name, auto &got, const auto &x,
                             auto weight) {
      check::Table sum =
          check::product(s, [&](int m, int k) { return x(m, k); }, weight);
      test.expect(name, s, got, [&](int m, int n) { return sum(m, n); });
    };
    verdict("along_rows", A, X,
            [&](int k, int n) { return W(n, k) * half_scale(n, k / g); });
    verdict("with_zeros", B, Y, [&](int k, int n) {
      return (U(k, n) - zero(k / g, n)) * bf16_scale(k / g, n);
    });
    verdict("bytes_of_two", C, X, [&](int k, int n) {
      const int both = int(two(n, k / 2));
      return ((k % 2 ? both >> 4 : both & 15) - 8) * scale(n, k / g);
    });
    verdict("words", D, X, [&](int k, int n) {
      const unsigned word = unsigned(eight(n, k / 8));
      return (int(word >> 4 * (k % 8) & 15) - zeros(k / g, n)) *
             turned(k / g, n);
    });
    verdict("by_vectors", E, X,
            [&](int k, int n) { return W(n, k) * scale(n, k / g); });
    check::Table sum = check::product(
        s, [&](int m, int k) { return P(m, k) * of_rows(m, k / g); },
        [&](int k, int n) { return Q(n, k) * scale(n / g, k / g); });
    test.expect("blocks", s, F, [&](int m, int n) { return sum(m, n); });
  }
  return test.finish();
}
