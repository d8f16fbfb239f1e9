// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop clears A behind itself, so the first column takes all.
//
// EXPECT: WW205

#include "near_miss.h"

#pragma warpwright matmul
__global__ void clears_operand(half *A, const half *B, float *C, int M, int N,
                               int K) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < M * N;
       i += gridDim.x * blockDim.x) {
    int row = i / N, col = i % N;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k) {
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
      A[row * K + k] = __float2half(0.0f);
    }
    C[i] = acc;
  }
}

int main() {
  const int M = 24, N = 16, K = 32;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  clears_operand<<<1, 1>>>(A.data(), B.data(), C.data(), M, N, K);
  near_miss::report("clears_operand", C);
  near_miss::report("clears_operand, A", A);
  return 0;
}
