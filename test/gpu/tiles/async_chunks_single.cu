// FORM: shared-memory tiles: __pipeline_memcpy_async, several chunks of a
// thread in a strided loop, zero fill by the first element of a chunk
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One buffer. A chunk has four floats: where it begins beyond the matrix, there
// are zeros.

#include "check.h"

#include <cuda_pipeline.h>

constexpr int BM = 64, BN = 64, BK = 16, THREADS = 128;

#pragma warpwright matmul
__global__ void async_chunks_single(const float *A, const float *B, float *C,
                                    int M, int N, int K) {
  __shared__ __align__(16) float As[BM][BK];
  __shared__ __align__(16) float Bs[BK][BN];
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;
  const int m = blockIdx.y * BM, n = blockIdx.x * BN;
  float acc[8][4] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int c = tid; c < BM * BK / 4; c += THREADS) {
      const int row = m + c / 4, k = k0 + c % 4 * 4;
      const bool inside = row < M && k < K;
      __pipeline_memcpy_async(&As[c / 4][c % 4 * 4],
                              &A[inside ? row * K + k : 0], 16,
                              inside ? 0 : 16);
    }
    for (int c = tid; c < BK * BN / 4; c += THREADS) {
      const int k = k0 + c / 16, col = n + c % 16 * 4;
      const bool inside = k < K && col < N;
      __pipeline_memcpy_async(&Bs[c / 16][c % 16 * 4],
                              &B[inside ? k * N + col : 0], 16,
                              inside ? 0 : 16);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += As[ty * 8 + i][k] * Bs[k][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j)
      if (m + ty * 8 + i < M && n + tx * 4 + j < N)
        C[(m + ty * 8 + i) * N + n + tx * 4 + j] = acc[i][j];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{100, 60, 52},
                         check::Shape{33, 200, 16}, check::Shape{65, 64, 4}}) {
    check::Matrix<float> A(s.m, s.k);
    check::Matrix<float> B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    async_chunks_single<<<dim3((s.n + BN - 1) / BN, (s.m + BM - 1) / BM),
                          THREADS>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                     s.k);
    test.expect("async_chunks_single", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
