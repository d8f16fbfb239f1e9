// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole numbers have no tensor core path here.
//
// EXPECT: WW302

#include "near_miss.h"

#pragma warpwright matmul
__global__ void int_types(const int *A, const int *B, int *C, int M, int N,
                          int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  int acc = 0;
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<int> A(M, K), B(K, N), C(M, N);
  A.integers(1, 1000);
  B.integers(2, 1000);
  int_types<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M, N,
                                          K);
  near_miss::report("int_types", C);
  return 0;
}
