// FORM: blocks numbered along x, which take one tile after the other
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row and column of a tile are quotient and remainder of its number; the
// numbers are unsigned where threadIdx takes part.

#include "check.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void persistent_tiles(const half *A, const half *B, float *C, int M,
                                 int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tiles_m = (M + T - 1) / T, tiles_n = (N + T - 1) / T;
  for (int tile = blockIdx.x; tile < tiles_m * tiles_n; tile += gridDim.x) {
    const int row = tile / tiles_n * T + threadIdx.y;
    const int col = tile % tiles_n * T + threadIdx.x;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += T) {
      As[threadIdx.y][threadIdx.x] = row < M && k0 + threadIdx.x < K
                                         ? A[row * K + k0 + threadIdx.x]
                                         : __float2half(0.0f);
      Bs[threadIdx.y][threadIdx.x] = k0 + threadIdx.y < K && col < N
                                         ? B[(k0 + threadIdx.y) * N + col]
                                         : __float2half(0.0f);
      __syncthreads();
      for (int k = 0; k < T; ++k)
        acc +=
            __half2float(As[threadIdx.y][k]) * __half2float(Bs[k][threadIdx.x]);
      __syncthreads();
    }
    if (row < M && col < N)
      C[row * N + col] = acc;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{100, 72, 40},
                         check::Shape{16, 80, 160}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    persistent_tiles<<<7, dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                        s.k);
    test.expect("persistent_tiles", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
