// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row that may be negative is compared as unsigned, which keeps it out.
//
// EXPECT: WW216

#include "near_miss.h"

#pragma warpwright matmul
__global__ void unsigned_compare(const half *A, const half *B, float *C,
                                 unsigned M, unsigned N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y - 4;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  unsigned_compare<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(),
                                                 M, N, K);
  near_miss::report("unsigned_compare", C);
  return 0;
}
