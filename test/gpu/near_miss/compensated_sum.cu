// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kahan's summation: what each addition loses is added to the next. It looks
// like zero to anyone who treats floats as real numbers.
//
// EXPECT: WW202

#include "near_miss.h"

#pragma warpwright matmul
__global__ void compensated_sum(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f, lost = 0.0f;
  for (int k = 0; k < K; ++k) {
    const float y = A[row * K + k] * B[k * N + col] - lost;
    const float t = sum + y;
    lost = (t - sum) - y;
    sum = t;
  }
  C[row * N + col] = sum;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<float> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.random(1);
  B.random(2);
  compensated_sum<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M,
                                                N, K);
  near_miss::report("compensated_sum", C);
  return 0;
}
