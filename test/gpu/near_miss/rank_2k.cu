// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A symmetric update: two products in one step of the loop.
//
// EXPECT: WW309

#include "near_miss.h"

#pragma warpwright matmul
__global__ void rank_2k(const half *A, const half *B, float *C, int M, int K,
                        float alpha) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= M)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[row * K + k]) * __half2float(B[col * K + k]) +
           __half2float(B[row * K + k]) * __half2float(A[col * K + k]);
  C[row * M + col] = alpha * sum;
}

int main() {
  const int M = 96, K = 64;
  check::Matrix<half> A(M, K), B(M, K);
  check::Matrix<float> C(M, M);
  A.integers(1);
  B.integers(2);
  rank_2k<<<dim3(6, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M, K,
                                        0.5f);
  near_miss::report("rank_2k", C);
  return 0;
}
