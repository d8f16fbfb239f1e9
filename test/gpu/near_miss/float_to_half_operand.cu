// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats that are rounded to half before they are multiplied.
//
// EXPECT: WW310

#include "near_miss.h"

#pragma warpwright matmul
__global__ void float_to_half_operand(const float *A, const float *B, float *C,
                                      int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(__float2half(A[row * K + k])) *
           __half2float(__float2half(B[k * N + col]));
  C[row * N + col] = sum;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<float> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.random(1);
  B.random(2);
  float_to_half_operand<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(),
                                                      C.data(), M, N, K);
  near_miss::report("float_to_half_operand", C);
  return 0;
}
