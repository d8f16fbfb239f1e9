// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices are built from a constant edge, the launch uses another block: some
// elements are written twice, some never.
//
// EXPECT-RUNTIME: original

#include "near_miss.h"

#define EDGE 16

#pragma warpwright matmul
__global__ void wrong_block(const half *A, const half *B, float *C, int M,
                            int N, int K) {
  int row = blockIdx.y * EDGE + threadIdx.y;
  int col = blockIdx.x * EDGE + threadIdx.x;
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
  check::Matrix<float> C(M, N), D(M, N);
  A.integers(1);
  B.integers(2);
  wrong_block<<<dim3(5, 6), dim3(8, 8)>>>(A.data(), B.data(), C.data(), M, N,
                                          K);
  near_miss::report("wrong_block, smaller", C);
  wrong_block<<<dim3(5, 6), dim3(32, 16)>>>(A.data(), B.data(), D.data(), M, N,
                                            K);
  near_miss::report("wrong_block, larger", D);
  return 0;
}
