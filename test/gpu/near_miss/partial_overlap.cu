// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output starts in the last row of B.
//
// EXPECT-RUNTIME: original

#include "near_miss.h"

#pragma warpwright matmul
__global__ void partial_overlap(const half *A, const half *B, half *C, int M,
                                int N, int K) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < M * N;
       i += gridDim.x * blockDim.x) {
    int row = i / N, col = i % N;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[i] = __float2half(acc);
  }
}

int main() {
  const int M = 16, N = 32, K = 32;
  check::Matrix<half> A(M, K), B(K + M, N);
  A.integers(1, 1);
  B.integers(2, 1);
  partial_overlap<<<1, 1>>>(A.data(), B.data(), B.data() + (K - 1) * N, M, N,
                            K);
  near_miss::report("partial_overlap", B);
  return 0;
}
