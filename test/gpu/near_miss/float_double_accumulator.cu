// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products of a float and a half are added in double, and a double is stored.
//
// EXPECT: WW302

#include "near_miss.h"

#pragma warpwright matmul
__global__ void float_double_accumulator(const float *A, const half *B,
                                         double *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  double sum = 0;
  for (int k = 0; k < K; ++k)
    sum += (double)A[row * K + k] * __half2float(B[k * N + col]);
  C[row * N + col] = sum;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<float> A(M, K);
  check::Matrix<half> B(K, N);
  check::Matrix<double> C(M, N);
  A.random(1);
  B.random(2);
  float_double_accumulator<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(),
                                                         C.data(), M, N, K);
  near_miss::report("float_double_accumulator", C);
  return 0;
}
