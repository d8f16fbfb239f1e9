// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of two products that one sum adds, one has a factor along k.
//
// EXPECT: WW310

#include "near_miss.h"

#pragma warpwright matmul
__global__ void scaled_product_of_two(const half *A, const half *B,
                                      const half *D, const half *E,
                                      const float *scale, float *C, int M,
                                      int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    sum +=
        __half2float(A[row * K + k]) * scale[k] * __half2float(B[k * N + col]);
    sum += __half2float(D[row * K + k]) * __half2float(E[k * N + col]);
  }
  C[row * N + col] = sum;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N), D(M, K), E(K, N);
  check::Matrix<float> scale(1, K), C(M, N);
  A.integers(1);
  B.integers(2);
  D.integers(3);
  E.integers(4);
  scale.integers(5);
  scaled_product_of_two<<<dim3(5, 6), dim3(16, 16)>>>(
      A.data(), B.data(), D.data(), E.data(), scale.data(), C.data(), M, N, K);
  near_miss::report("scaled_product_of_two", C);
  return 0;
}
