// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The epilogue reads the row above of what it writes.
//
// EXPECT: WW212

#include "near_miss.h"

#pragma warpwright matmul
__global__ void shifted_residual(const half *A, const half *B, float *C, int M,
                                 int N, int K) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < M * N;
       i += gridDim.x * blockDim.x) {
    int row = i / N, col = i % N;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[(row + 1) * N + col] = acc + C[row * N + col];
  }
}

int main() {
  const int M = 24, N = 16, K = 32;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M + 1, N);
  A.integers(1);
  B.integers(2);
  C.integers(3);
  shifted_residual<<<1, 1>>>(A.data(), B.data(), C.data(), M, N, K);
  near_miss::report("shifted_residual", C);
  return 0;
}
