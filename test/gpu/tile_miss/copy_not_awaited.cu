// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asynchronous copies, and nobody waits for them.
//
// EXPECT: WW224

#include "../near_miss/near_miss.h"

#include <cuda_pipeline.h>

constexpr int T = 16;

#pragma warpwright matmul
__global__ void copy_not_awaited(const float *A, const float *B, float *C,
                                 int M, int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;

  for (int k0 = 0; k0 < K; k0 += T) {
    __pipeline_memcpy_async(&As[ty][tx], &A[row * K + k0 + tx], sizeof(float));
    __pipeline_memcpy_async(&Bs[ty][tx], &B[(k0 + ty) * N + col],
                            sizeof(float));
    __pipeline_commit();
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<float> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  copy_not_awaited<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                           C.data(), M, N, K);
  near_miss::report("copy_not_awaited", C);
  return 0;
}
