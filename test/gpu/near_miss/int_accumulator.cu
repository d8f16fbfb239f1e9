// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An integer adds up products of floats: every sum is cut to a whole number.
//
// EXPECT: WW202

#include "near_miss.h"

#pragma warpwright matmul
__global__ void int_accumulator(const float *A, const float *B, int *C, int M,
                                int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  int sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<float> A(M, K), B(K, N);
  check::Matrix<int> C(M, N);
  A.random(1);
  B.random(2);
  int_accumulator<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M,
                                                N, K);
  near_miss::report("int_accumulator", C);
  return 0;
}
