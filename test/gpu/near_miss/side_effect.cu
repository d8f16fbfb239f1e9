// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every thread counts itself.
//
// EXPECT: WW210

#include "near_miss.h"

__device__ int visits;

#pragma warpwright matmul
__global__ void side_effect(const half *A, const half *B, float *C, int M,
                            int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
  atomicAdd(&visits, 1);
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  side_effect<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M, N,
                                            K);
  near_miss::report("side_effect", C);
  int count = 0;
  CUDA_CHECK(cudaMemcpyFromSymbol(&count, visits, sizeof count));
  std::printf("visits %d\n", count);
  return 0;
}
