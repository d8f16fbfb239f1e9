// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tiles are volatile, and no barrier is needed, the author thought.
//
// EXPECT: WW221

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void volatile_tiles(const float *A, const float *B, float *C, int M,
                               int N, int K) {
  __shared__ volatile float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<float> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  volatile_tiles<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                         C.data(), M, N, K);
  near_miss::report("volatile_tiles", C);
  return 0;
}
