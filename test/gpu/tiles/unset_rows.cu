// FORM: registers that are not set for rows beyond the matrix
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four rows of a thread are loaded under a condition each, and multiplied
// without one. What the last ones then hold is stored nowhere.

#include <cstdint>

#include "check.h"

#pragma warpwright matmul tile(64, 64, 32)
__global__ void four_rows(const float *A, const float *B, float *C, int M,
                          int N, int K) {
  const int row = 4 * (blockIdx.y * blockDim.y + threadIdx.y);
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  float acc[4] = {};
  for (int k = 0; k < K; ++k) {
    float a[4];
    for (int i = 0; i < 4; ++i)
      if (row + i < M)
        a[i] = A[(row + i) * K + k];
    if (col < N)
      for (int i = 0; i < 4; ++i)
        acc[i] += a[i] * B[col * K + k];
  }
  for (int i = 0; i < 4; ++i)
    if (row + i < M && col < N)
      C[(row + i) * N + col] = acc[i];
}

// Vectors of 16 of k, of which each group of 16 has a scale.
#pragma warpwright matmul tile(64, 64, 32)
__global__ void vectors_of_rows(const float *A, const int8_t *B,
                                const float *scale, float *C, int M, int N,
                                int K) {
  const int row = 4 * (blockIdx.y * blockDim.y + threadIdx.y);
  const int col = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  float acc[4][2] = {};
  for (int block = 0; block < K / 16; ++block) {
    float a[4][16];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      if (row + i < M)
        for (int k = 0; k < 16; k += 4)
          *reinterpret_cast<float4 *>(&a[i][k]) =
              *reinterpret_cast<const float4 *>(
                  &A[(row + i) * K + 16 * block + k]);
#pragma unroll
    for (int j = 0; j < 2; ++j)
      if (col + j < N) {
        alignas(16) int8_t b[16];
        *reinterpret_cast<uint4 *>(b) =
            *reinterpret_cast<const uint4 *>(&B[(col + j) * K + 16 * block]);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          float part = 0;
#pragma unroll
          for (int k = 0; k < 16; ++k)
            part += static_cast<float>(b[k]) * a[i][k];
          acc[i][j] += part * scale[(col + j) * (K / 16) + block];
        }
      }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 2; ++j)
      if (row + i < M && col + j < N)
        C[(row + i) * N + col + j] = acc[i][j];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{40, 48, 96}, check::Shape{33, 21, 64}}) {
    check::Matrix<float> A(s.m, s.k), B(s.n, s.k), scale(s.n, s.k / 16);
    check::Matrix<float> C(s.m, s.n), D(s.m, s.n);
    check::Matrix<int8_t> W(s.n, s.k);
    A.random(1), B.random(2), scale.random(3);
    for (int n = 0; n < s.n; ++n)
      for (int k = 0; k < s.k; ++k)
        W.set(n, k, (n * 29 + k * 5) % 255 - 127);
    W.upload();
    const dim3 block(16, 16);
    four_rows<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 64)),
                block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    vectors_of_rows<<<dim3(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 64)),
                      block>>>(A.data(), W.data(), scale.data(), D.data(), s.m,
                               s.n, s.k);
    test.expect("four_rows", s, C,
                check::product(
                    s, [&](int m, int k) { return A(m, k); },
                    [&](int k, int n) { return B(n, k); }),
                A, B);
    test.expect("vectors_of_rows", s, D,
                check::product(
                    s, [&](int m, int k) { return A(m, k); },
                    [&](int k, int n) { return W(n, k) * scale(n, k / 16); }),
                A, W);
  }
  return test.finish();
}
