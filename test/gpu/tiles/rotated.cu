// FORM: shared-memory tiles: inner loop rotated per thread, (k + threadIdx.x)
// % T
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every thread starts at another k of the tile.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void rotated(const float *A, const float *B, float *C, int M, int N,
                        int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int t = 0; t < (K + T - 1) / T; ++t) {
    As[ty][tx] = row < M && t * T + tx < K ? A[row * K + t * T + tx] : 0.0f;
    Bs[ty][tx] = t * T + ty < K && col < N ? B[(t * T + ty) * N + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < T; ++i) {
      const int k = (i + tx) % T;
      acc += As[ty][k] * Bs[k][tx];
    }
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
    rotated<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
              dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("rotated", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
