// FORM: a square block that fills tiles by its flat number, and multiplies them
// by its rows and columns
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four by four outputs a thread, guarded one by one, with those of a thread
// side by side, and sixteen apart.

#include "check.h"

constexpr int BM = 64, BN = 64, BK = 16, TM = 4, TN = 4;

#define KERNEL(NAME, ROW, COLUMN)                                              \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    __shared__ float As[BK][BM], Bs[BK][BN];                                   \
    const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;          \
    const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;                      \
    float sum[TM][TN] = {};                                                    \
    for (int k0 = 0; k0 < K; k0 += BK) {                                       \
      for (int o = 0; o < BM; o += 16) {                                       \
        const int r = tid / BK + o, l = tid % BK;                              \
        As[l][r] = m0 + r < M && k0 + l < K ? A[(m0 + r) * K + k0 + l] : 0.0f; \
      }                                                                        \
      for (int i = 0; i < BK * BN / 256; ++i) {                                \
        const int e = tid + i * 256, l = e / BN, j = e % BN;                   \
        Bs[l][j] = k0 + l < K && n0 + j < N ? B[(k0 + l) * N + n0 + j] : 0.0f; \
      }                                                                        \
      __syncthreads();                                                         \
      for (int l = 0; l < BK; ++l)                                             \
        for (int i = 0; i < TM; ++i)                                           \
          for (int j = 0; j < TN; ++j)                                         \
            sum[i][j] += As[l][ROW] * Bs[l][COLUMN];                           \
      __syncthreads();                                                         \
    }                                                                          \
    for (int i = 0; i < TM; ++i)                                               \
      for (int j = 0; j < TN; ++j) {                                           \
        const int row = m0 + ROW, col = n0 + COLUMN;                           \
        if (row < M && col < N)                                                \
          C[row * N + col] = sum[i][j];                                        \
      }                                                                        \
  }

#pragma warpwright matmul
KERNEL(side_by_side, ty *TM + i, tx *TN + j)
#pragma warpwright matmul
KERNEL(apart, ty + i * 16, tx + j * 16)

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{200, 72, 40},
                         check::Shape{67, 45, 23}, check::Shape{5, 3, 7}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n), D(s.m, s.n);
    A.random(1);
    B.random(2);
    const dim3 grid(check::ceilDiv(s.n, BN), check::ceilDiv(s.m, BM));
    const dim3 block(16, 16);
    side_by_side<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    apart<<<grid, block>>>(A.data(), B.data(), D.data(), s.m, s.n, s.k);
    check::Table sum = check::product(s, A, B);
    test.expect("side_by_side", s, C, sum, A, B);
    test.expect("apart", s, D, sum, A, B);
  }
  return test.finish();
}
