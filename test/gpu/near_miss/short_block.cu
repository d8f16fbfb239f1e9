// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half a block: the tile that / and % lay it over is covered in part.
//
// EXPECT-RUNTIME: original

#include "near_miss.h"

#pragma warpwright matmul
__global__ void short_block(const half *A, const half *B, float *C, int M,
                            int N, int K) {
  int row = blockIdx.y * 16 + threadIdx.x / 16;
  int col = blockIdx.x * 16 + threadIdx.x % 16;
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
  short_block<<<dim3(5, 6), 128>>>(A.data(), B.data(), C.data(), M, N, K);
  near_miss::report("short_block", C);
  return 0;
}
