// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every row has its own number of terms.
//
// EXPECT: WW203

#include "near_miss.h"

#pragma warpwright matmul
__global__ void ragged_k(const half *A, const half *B, float *C,
                         const int *length, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < length[row]; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  check::Matrix<int> length(1, M);
  A.integers(1);
  B.integers(2);
  for (int m = 0; m < M; ++m)
    length.set(0, m, m % (K + 1));
  length.upload();
  ragged_k<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(),
                                         length.data(), M, N, K);
  near_miss::report("ragged_k", C);
  return 0;
}
