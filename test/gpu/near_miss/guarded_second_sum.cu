// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gated pair, the second sum of which has fewer terms.
//
// EXPECT: WW308

#include "near_miss.h"

#pragma warpwright matmul
__global__ void guarded_second_sum(const half *A, const half *B, const half *D,
                                   float *C, int M, int N, int K, int few) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float gate = 0.0f, up = 0.0f;
  for (int k = 0; k < K; ++k) {
    const float a = __half2float(A[row * K + k]);
    gate += a * __half2float(B[k * N + col]);
    if (k < few)
      up += a * __half2float(D[k * N + col]);
  }
  C[row * N + col] = fmaxf(gate, 0.0f) * up;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N), D(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  D.integers(3);
  guarded_second_sum<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), D.data(),
                                                   C.data(), M, N, K, 40);
  near_miss::report("guarded_second_sum", C);
  return 0;
}
