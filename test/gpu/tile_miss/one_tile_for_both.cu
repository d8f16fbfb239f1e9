// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both operands are stored to the same tile.
//
// EXPECT: WW216

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void one_tile_for_both(const half *A, const half *B, float *C, int M,
                                  int N, int K) {
  __shared__ half tile[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {

    tile[ty][tx] = A[row * K + k0 + tx];
    __syncthreads();
    tile[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(tile[ty][k]) * __half2float(tile[k][tx]);
    __syncthreads();
  }
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  one_tile_for_both<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                            C.data(), M, N, K);
  near_miss::report("one_tile_for_both", C);
  return 0;
}
