// FORM: shared-memory tiles: square, static, 2-D; filled by one element per
// thread, zero fill by ternary; K loop by tile count, integer ceil;
// __syncthreads
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The guarded tile kernel that most people write second.

#include "check.h"

#define TILE 16

#pragma warpwright matmul
__global__ void square_ternary(const float *A, const float *B, float *C, int M,
                               int N, int K) {
  __shared__ float As[TILE][TILE];
  __shared__ float Bs[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y;
  int col = blockIdx.x * TILE + threadIdx.x;
  float acc = 0.0f;
  for (int t = 0; t < (K + TILE - 1) / TILE; ++t) {
    int ka = t * TILE + threadIdx.x;
    int kb = t * TILE + threadIdx.y;
    As[threadIdx.y][threadIdx.x] = row < M && ka < K ? A[row * K + ka] : 0.0f;
    Bs[threadIdx.y][threadIdx.x] = kb < K && col < N ? B[kb * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
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
    square_ternary<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                     dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                     s.k);
    test.expect("square_ternary", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
