// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The residual is C itself, one row ahead.
//
// EXPECT-RUNTIME: original

#include "near_miss.h"

#pragma warpwright matmul
__global__ void residual_ahead(const half *A, const half *B, float *C, int M,
                               int N, int K, const float *R) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < M * N;
       i += gridDim.x * blockDim.x) {
    int row = i / N, col = i % N;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = acc + R[row * N + col];
  }
}

int main() {
  const int M = 16, N = 24, K = 32;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M + 1, N);
  A.integers(1);
  B.integers(2);
  C.integers(3);
  residual_ahead<<<1, 1>>>(A.data(), B.data(), C.data(), M, N, K, C.data() + N);
  near_miss::report("residual_ahead", C);
  return 0;
}
