// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of A are picked by a table.
//
// EXPECT: WW204

#include "near_miss.h"

#pragma warpwright matmul
__global__ void lookup_table(const half *A, const half *B, float *C,
                             const int *index, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[index[row] * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  check::Matrix<int> index(1, M);
  A.integers(1);
  B.integers(2);
  for (int m = 0; m < M; ++m)
    index.set(0, m, (m * 37 + 5) % M);
  index.upload();
  lookup_table<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(),
                                             index.data(), M, N, K);
  near_miss::report("lookup_table", C);
  return 0;
}
