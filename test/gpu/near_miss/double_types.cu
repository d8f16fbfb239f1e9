// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of doubles are added in float, which rounds each sum to float.
//
// EXPECT: WW302

#include "near_miss.h"

#pragma warpwright matmul
__global__ void double_types(const double *A, const double *B, double *C, int M,
                             int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<double> A(M, K), B(K, N), C(M, N);
  A.random(1);
  B.random(2);
  double_types<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M, N,
                                             K);
  near_miss::report("double_types", C);
  return 0;
}
