// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The next tile is copied over the one that others still read.
//
// EXPECT: WW221

#include "../near_miss/near_miss.h"

#include <cuda_pipeline.h>

constexpr int BM = 32, BN = 64, BK = 16, THREADS = 64;

__device__ void fetch(float (*As)[BK], float (*Bs)[BN], const float *A,
                      const float *B, int t, int N, int K) {
  for (int i = 0; i < BM * BK / 4 / THREADS; ++i) {
    const int x = threadIdx.x + i * THREADS, r = x / 4, c = x % 4 * 4;
    __pipeline_memcpy_async(&As[r][c],
                            &A[(blockIdx.y * BM + r) * K + t * BK + c], 16);
  }
  for (int i = 0; i < BK * BN / 4 / THREADS; ++i) {
    const int x = threadIdx.x + i * THREADS, r = x / 16, c = x % 16 * 4;
    __pipeline_memcpy_async(&Bs[r][c],
                            &B[(t * BK + r) * N + blockIdx.x * BN + c], 16);
  }
  __pipeline_commit();
}

#pragma warpwright matmul
__global__ void chunks_over_read(const float *A, const float *B, float *C,
                                 int N, int K) {
  __shared__ __align__(16) float As[2][BM][BK], Bs[2][BK][BN];
  const int tiles = K / BK;
  float acc[32] = {};
  fetch(As[0], Bs[0], A, B, 0, N, K);
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 32; ++i)
        acc[i] += As[t % 2][i][k] * Bs[t % 2][k][threadIdx.x];
    if (t + 1 < tiles)
      fetch(As[t % 2], Bs[t % 2], A, B, t + 1, N, K);
  }
  for (int i = 0; i < 32; ++i)
    C[(blockIdx.y * BM + i) * N + blockIdx.x * BN + threadIdx.x] = acc[i];
}

int main() {
  const int M = 64, N = 128, K = 64;
  check::Matrix<float> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  chunks_over_read<<<dim3(N / BN, M / BM), THREADS>>>(A.data(), B.data(),
                                                      C.data(), N, K);
  near_miss::report("chunks_over_read", C);
  return 0;
}
