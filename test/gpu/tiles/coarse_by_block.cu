// FORM: register tiles: coarsened threads, several columns per thread strided
// by block; one A tile for several B tiles
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each block computes four tiles beside each other; the tile of A is brought
// once for all of them.

#include "check.h"

#define T 16
#define COARSE 4

#pragma warpwright matmul
__global__ void coarse_by_block(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty;
  const int start = blockIdx.x * T * COARSE + tx;
  float sums[COARSE];
  for (int c = 0; c < COARSE; ++c)
    sums[c] = 0.0f;
  for (int t = 0; t < (K + T - 1) / T; ++t) {
    As[ty][tx] = row < M && t * T + tx < K ? A[row * K + t * T + tx] : 0.0f;
    for (int c = 0; c < COARSE; ++c) {
      const int col = start + c * T;
      Bs[ty][tx] = t * T + ty < K && col < N ? B[(t * T + ty) * N + col] : 0.0f;
      __syncthreads();
      for (int k = 0; k < T; ++k)
        sums[c] += As[ty][k] * Bs[k][tx];
      __syncthreads();
    }
  }
  for (int c = 0; c < COARSE; ++c)
    if (row < M && start + c * T < N)
      C[row * N + start + c * T] = sums[c];
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
    coarse_by_block<<<dim3(check::ceilDiv(s.n, T * COARSE),
                           check::ceilDiv(s.m, T)),
                      dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                    s.k);
    test.expect("coarse_by_block", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
