// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stride of the sum is a parameter, and zero: the copy that the launcher makes
// of A, which no TMA could read, repeats the element as the original does.
//
// EXPECT-RUNTIME: hopper

#include "near_miss.h"

#pragma warpwright matmul
__global__ void repeated_element(const half *A, const half *B, float *C, int M,
                                 int N, int K, int sk) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    acc += __half2float(A[row * K + k * sk]) * __half2float(B[k * N + col]);
  }
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  repeated_element<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(),
                                                 M, N, K, 0);
  near_miss::report("repeated_element", C);
  return 0;
}
