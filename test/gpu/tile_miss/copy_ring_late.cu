// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three stages, and the wait leaves the one that is read.
//
// EXPECT: WW224

#include "../near_miss/near_miss.h"

#include <cuda_pipeline.h>

constexpr int T = 16;

__device__ void fill(float (*As)[T], float (*Bs)[T], const float *A,
                     const float *B, int t, int N, int K) {
  const int tx = threadIdx.x, ty = threadIdx.y;
  __pipeline_memcpy_async(
      &As[ty][tx], &A[(blockIdx.y * T + ty) * K + t * T + tx], sizeof(float));
  __pipeline_memcpy_async(
      &Bs[ty][tx], &B[(t * T + ty) * N + blockIdx.x * T + tx], sizeof(float));
}

#pragma warpwright matmul
__global__ void copy_ring_late(const float *A, const float *B, float *C, int M,
                               int N, int K) {
  __shared__ float As[3][T][T], Bs[3][T][T];
  const int tx = threadIdx.x, ty = threadIdx.y, tiles = K / T;
  float acc = 0.0f;
  fill(As[0], Bs[0], A, B, 0, N, K);
  __pipeline_commit();
  if (1 < tiles)
    fill(As[1], Bs[1], A, B, 1, N, K);
  __pipeline_commit();
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(2);
    __syncthreads();
    if (t + 2 < tiles)
      fill(As[(t + 2) % 3], Bs[(t + 2) % 3], A, B, t + 2, N, K);
    __pipeline_commit();
    for (int k = 0; k < T; ++k)
      acc += As[t % 3][ty][k] * Bs[t % 3][k][tx];
  }
  C[(blockIdx.y * T + ty) * N + blockIdx.x * T + tx] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<float> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  copy_ring_late<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                         C.data(), M, N, K);
  near_miss::report("copy_ring_late", C);
  return 0;
}
