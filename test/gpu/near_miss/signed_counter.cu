// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A counter from below zero is compared as unsigned: the loop never runs.
//
// EXPECT: WW216

#include "near_miss.h"

#pragma warpwright matmul
__global__ void signed_counter(const half *A, const half *B, float *C, int M,
                               int N, int K, unsigned terms) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = -2; k < terms; ++k)
    acc +=
        __half2float(A[row * K + k + 2]) * __half2float(B[(k + 2) * N + col]);
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  signed_counter<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M,
                                               N, K, 20);
  near_miss::report("signed_counter", C);
  return 0;
}
