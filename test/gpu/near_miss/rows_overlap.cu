// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of C lie closer than they are long: later stores win. One thread makes
// the order defined.
//
// EXPECT-RUNTIME: original

#include "near_miss.h"

#pragma warpwright matmul
__global__ void rows_overlap(const half *A, const half *B, float *C, int M,
                             int N, int K, int ldc) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < M * N;
       i += gridDim.x * blockDim.x) {
    int row = i / N, col = i % N;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * ldc + col] = acc;
  }
}

int main() {
  const int M = 16, N = 24, K = 32;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  rows_overlap<<<1, 1>>>(A.data(), B.data(), C.data(), M, N, K, 5);
  near_miss::report("rows_overlap", C);
  return 0;
}
