// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes of a vector meet the others of another. That is a sum of two products.
//
// EXPECT-RUNTIME: hopper

#include "near_miss.h"

#pragma warpwright matmul
__global__ void crossed_lanes(const float *A, const float *B, float *C, int M,
                              int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; k += 2) {
    const float2 a = *reinterpret_cast<const float2 *>(A + row * K + k);
    sum += a.x * B[(k + 1) * N + col] + a.y * B[k * N + col];
  }
  C[row * N + col] = sum;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<float> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  crossed_lanes<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M,
                                              N, K);
  near_miss::report("crossed_lanes", C);
  return 0;
}
