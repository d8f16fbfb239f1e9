// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The group is closed after the wait, so that nothing is waited for.
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
__global__ void copy_group_open(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  const int tx = threadIdx.x, ty = threadIdx.y, tiles = K / T;
  float acc = 0.0f;

  for (int t = 0; t < tiles; ++t) {
    fill(As[0], Bs[0], A, B, t, N, K);
    __pipeline_wait_prior(0);
    __pipeline_commit();
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[0][ty][k] * Bs[0][k][tx];

    __syncthreads();
  }
  C[(blockIdx.y * T + ty) * N + blockIdx.x * T + tx] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<float> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  copy_group_open<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                          C.data(), M, N, K);
  near_miss::report("copy_group_open", C);
  return 0;
}
