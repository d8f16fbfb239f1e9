// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product by tiles, and a second one of lower rank on top of it: the two sums
// have different ranges of k.
//
// EXPECT: WW308

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void low_rank_addition(const half *X, const half *W, const half *U,
                                  const half *V, float *Y, int M, int N, int K,
                                  int R) {
  __shared__ half left[T][T], right[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const half zero = __float2half(0.0f);
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    left[ty][tx] = row < M && k0 + tx < K ? X[row * K + k0 + tx] : zero;
    right[ty][tx] = k0 + ty < K && col < N ? W[(k0 + ty) * N + col] : zero;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += __half2float(left[ty][k]) * __half2float(right[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N) {
    for (int r = 0; r < R; ++r)
      sum += __half2float(U[row * R + r]) * __half2float(V[r * N + col]);
    Y[row * N + col] = sum;
  }
}

int main() {
  const int M = 90, N = 75, K = 61, R = 8;
  check::Matrix<half> X(M, K), W(K, N), U(M, R), V(R, N);
  check::Matrix<float> Y(M, N);
  X.integers(1);
  W.integers(2);
  U.integers(3);
  V.integers(4);
  low_rank_addition<<<dim3(5, 6), dim3(T, T)>>>(
      X.data(), W.data(), U.data(), V.data(), Y.data(), M, N, K, R);
  near_miss::report("low_rank_addition", Y);
  return 0;
}
