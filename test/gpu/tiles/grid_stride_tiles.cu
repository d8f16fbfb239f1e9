// FORM: loop nests: grid-stride over output tiles, tiles in shared memory
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fixed grid of blocks walks over the tiles of C.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void grid_stride_tiles(const float *A, const float *B, float *C,
                                  int M, int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int tilesN = (N + T - 1) / T, tilesM = (M + T - 1) / T;
  for (int tile = blockIdx.x; tile < tilesM * tilesN; tile += gridDim.x) {
    const int row = tile / tilesN * T + ty, col = tile % tilesN * T + tx;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += T) {
      As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
      Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
      __syncthreads();
      for (int k = 0; k < T; ++k)
        acc += As[ty][k] * Bs[k][tx];
      __syncthreads();
    }
    if (row < M && col < N)
      C[row * N + col] = acc;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    grid_stride_tiles<<<5, dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                         s.k);
    test.expect("grid_stride_tiles", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
