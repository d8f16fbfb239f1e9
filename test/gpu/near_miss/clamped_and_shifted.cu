// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both operands are computed with before they are multiplied.
//
// EXPECT: WW310

#include "near_miss.h"

#pragma warpwright matmul
__global__ void clamped_and_shifted(const half *A, const half *B,
                                    const float *shift, float *C, int M, int N,
                                    int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    const float a = __half2float(A[row * K + k]);
    sum += (a > 0.0f ? a : 0.0f) * (__half2float(B[k * N + col]) - shift[k]);
  }
  C[row * N + col] = sum;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> shift(1, K), C(M, N);
  A.integers(1);
  B.integers(2);
  shift.integers(3);
  clamped_and_shifted<<<dim3(5, 6), dim3(16, 16)>>>(
      A.data(), B.data(), shift.data(), C.data(), M, N, K);
  near_miss::report("clamped_and_shifted", C);
  return 0;
}
