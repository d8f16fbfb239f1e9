// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum is kept in double: float accumulation would lose bits that the
// program asked for.
//
// EXPECT: WW302

#include "near_miss.h"

#pragma warpwright matmul
__global__ void double_accumulator(const half *A, const half *B, float *C,
                                   int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  double acc = 0;
  for (int k = 0; k < K; ++k)
    acc += (double)__half2float(A[row * K + k]) * __half2float(B[k * N + col]) *
           (1.0 + 1e-9);
  C[row * N + col] = (float)(acc * 1e9 - floor(acc * 1e9));
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  double_accumulator<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(),
                                                   M, N, K);
  near_miss::report("double_accumulator", C);
  return 0;
}
