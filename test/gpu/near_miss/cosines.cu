// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of matrices divided by two more sums.
//
// EXPECT: WW217

#include "near_miss.h"

#pragma warpwright matmul
__global__ void cosines(const float *A, const float *B, float *C, int M, int N,
                        int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float dot = 0.0f, a2 = 0.0f, b2 = 0.0f;
  for (int k = 0; k < K; ++k) {
    const float a = A[row * K + k], b = B[k * N + col];
    dot += a * b;
    a2 += a * a;
    b2 += b * b;
  }
  C[row * N + col] = dot / (sqrtf(a2) * sqrtf(b2) + 1e-6f);
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<float> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.random(1);
  B.random(2);
  cosines<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M, N, K);
  near_miss::report("cosines", C);
  return 0;
}
