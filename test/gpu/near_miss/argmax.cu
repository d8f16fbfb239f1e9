// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which column of the product is largest, one thread per row.
//
// EXPECT: WW202

#include "near_miss.h"

#pragma warpwright matmul
__global__ void argmax(const half *A, const half *B, int *best, int M, int N,
                       int K) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M)
    return;
  float most = -1e30f;
  int where = 0;
  for (int col = 0; col < N; ++col) {
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    if (acc > most) {
      most = acc;
      where = col;
    }
  }
  best[row] = where;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<int> best(1, M);
  A.integers(1);
  B.integers(2);
  argmax<<<2, 64>>>(A.data(), B.data(), best.data(), M, N, K);
  near_miss::report("argmax", best);
  return 0;
}
