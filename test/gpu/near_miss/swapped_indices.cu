// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The block index and the thread index have changed places.
//
// EXPECT: WW216

#include "near_miss.h"

#pragma warpwright matmul
__global__ void swapped_indices(const half *A, const half *B, float *C, int M,
                                int N, int K) {
  int row = threadIdx.y * blockDim.y + blockIdx.y;
  int col = threadIdx.x * blockDim.x + blockIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  swapped_indices<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M,
                                                N, K);
  near_miss::report("swapped_indices", C);
  return 0;
}
