// FORM: shared-memory tiles: extern __shared__ with an offset; the tile width
// is blockDim.x; 1-D indexed
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One dynamic array holds both tiles, as wide as the block.

#include "check.h"

#pragma warpwright matmul
__global__ void dynamic_offset(const float *A, const float *B, float *C, int M,
                               int N, int K) {
  extern __shared__ float tiles[];
  const int T = blockDim.x;
  float *As = tiles;
  float *Bs = tiles + T * T;
  const int row = blockIdx.y * T + threadIdx.y;
  const int col = blockIdx.x * T + threadIdx.x;
  const int here = threadIdx.y * T + threadIdx.x;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[here] =
        row < M && k0 + threadIdx.x < K ? A[row * K + k0 + threadIdx.x] : 0.0f;
    Bs[here] = k0 + threadIdx.y < K && col < N ? B[(k0 + threadIdx.y) * N + col]
                                               : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[threadIdx.y * T + k] * Bs[k * T + threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
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
    dynamic_offset<<<dim3(check::ceilDiv(s.n, 8), check::ceilDiv(s.m, 8)),
                     dim3(8, 8), 2 * 8 * 8 * sizeof(float)>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("dynamic_offset", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
