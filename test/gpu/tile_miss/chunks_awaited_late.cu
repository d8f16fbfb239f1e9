// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three stages, and the wait leaves one group too many.
//
// EXPECT: WW224

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
__global__ void chunks_awaited_late(const float *A, const float *B, float *C,
                                    int N, int K) {
  __shared__ __align__(16) float As[3][BM][BK], Bs[3][BK][BN];
  const int tiles = K / BK;
  float acc[32] = {};
  fetch(As[0], Bs[0], A, B, 0, N, K);
  if (1 < tiles)
    fetch(As[1], Bs[1], A, B, 1, N, K);
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(2);
    __syncthreads();
    if (t + 2 < tiles)
      fetch(As[(t + 2) % 3], Bs[(t + 2) % 3], A, B, t + 2, N, K);
    else
      __pipeline_commit();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 32; ++i)
        acc[i] += As[t % 3][i][k] * Bs[t % 3][k][threadIdx.x];
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
  chunks_awaited_late<<<dim3(N / BN, M / BM), THREADS>>>(A.data(), B.data(),
                                                         C.data(), N, K);
  near_miss::report("chunks_awaited_late", C);
  return 0;
}
