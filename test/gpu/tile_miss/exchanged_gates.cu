// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two sums of a gated pair change places with every term.
//
// EXPECT: WW202

#include "../near_miss/near_miss.h"

#pragma warpwright matmul
__global__ void exchanged_gates(const half *A, const half *B, float *C, int M,
                                int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y,
            col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float gate = 0.0f, up = 0.0f;
  for (int k = 0; k < K; ++k) {
    const float a = __half2float(A[row * K + k]);
    const float g = gate;
    gate = up + a * __half2float(B[k * N + col]);
    up = g + a * __half2float(B[k * N + (col + 1) % N]);
  }
  C[row * N + col] = gate * up;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  exchanged_gates<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                          C.data(), M, N, K);
  near_miss::report("exchanged_gates", C);
  return 0;
}
