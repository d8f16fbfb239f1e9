// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of two sums over one matrix, each has weights with scales of their own.
//
// EXPECT: WW310

#include "near_miss.h"

#pragma warpwright matmul
__global__ void scaled_weights_of_gates(const half *A, const half *B,
                                        const half *D, const float *scale,
                                        float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float gate = 0.0f, up = 0.0f;
  for (int k = 0; k < K; ++k) {
    const float a = __half2float(A[row * K + k]);
    gate += a * (__half2float(B[k * N + col]) * scale[k / 32 * N + col]);
    up += a * __half2float(D[k * N + col]);
  }
  C[row * N + col] = gate * up;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N), D(K, N);
  check::Matrix<float> scale(K / 32, N), C(M, N);
  A.integers(1);
  B.integers(2);
  D.integers(3);
  scale.integers(4);
  scaled_weights_of_gates<<<dim3(5, 6), dim3(16, 16)>>>(
      A.data(), B.data(), D.data(), scale.data(), C.data(), M, N, K);
  near_miss::report("scaled_weights_of_gates", C);
  return 0;
}
