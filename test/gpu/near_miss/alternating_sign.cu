// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The terms change sign with k.
//
// EXPECT: WW204

#include "near_miss.h"

#pragma warpwright matmul
__global__ void alternating_sign(const half *A, const half *B, float *C, int M,
                                 int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    acc += (k % 2 ? -1.0f : 1.0f) * __half2float(A[row * K + k]) *
           __half2float(B[k * N + col]);
  }
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  alternating_sign<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(),
                                                 M, N, K);
  near_miss::report("alternating_sign", C);
  return 0;
}
