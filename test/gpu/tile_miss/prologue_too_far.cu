// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The prologue stores the first two tiles, one over the other, where the loop
// fetches each but the first itself.
//
// EXPECT: WW223

#include "../near_miss/near_miss.h"

constexpr int T = 16, AHEAD = 2;

#pragma warpwright matmul
__global__ void prologue_too_far(const float *A, const float *B, float *C,
                                 int M, int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y, tiles = K / T;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int s = 0; s < AHEAD; ++s)
    if (s < tiles) {
      As[ty][tx] = A[row * K + s * T + tx];
      Bs[ty][tx] = B[(s * T + ty) * N + col];
    }
  __syncthreads();
  for (int t = 0; t < tiles; ++t) {
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
    if (t + 1 < tiles) {
      As[ty][tx] = A[row * K + (t + 1) * T + tx];
      Bs[ty][tx] = B[((t + 1) * T + ty) * N + col];
    }
    __syncthreads();
  }
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<float> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  prologue_too_far<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                           C.data(), M, N, K);
  near_miss::report("prologue_too_far", C);
  return 0;
}
