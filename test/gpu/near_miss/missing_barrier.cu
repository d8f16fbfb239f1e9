// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tiled kernel without the barrier that keeps a tile from being overwritten
// while it is read. With one tile of k it computes what was meant.
//
// EXPECT: WW221

#include "near_miss.h"

#define TILE 16

#pragma warpwright matmul
__global__ void missing_barrier(const half *A, const half *B, float *C, int M,
                                int N, int K) {
  __shared__ half As[TILE][TILE];
  __shared__ half Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float acc = 0.0f;
  for (int t = 0; t < K / TILE; ++t) {
    As[threadIdx.y][threadIdx.x] = A[row * K + t * TILE + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * TILE + threadIdx.y) * N + col];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      acc +=
          __half2float(As[threadIdx.y][k]) * __half2float(Bs[k][threadIdx.x]);
  }
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = TILE;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  missing_barrier<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M,
                                                N, K);
  near_miss::report("missing_barrier", C);
  return 0;
}
