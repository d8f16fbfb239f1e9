// FORM: shared-memory tiles: x runs along the rows
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread and block indices are exchanged throughout.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void x_is_row(const float *A, const float *B, float *C, int M, int N,
                         int K) {
  __shared__ float As[T][T + 1], Bs[T][T + 1];
  const int i = threadIdx.x, j = threadIdx.y;
  const int row = blockIdx.x * T + i, col = blockIdx.y * T + j;
  float acc = 0.0f;
  for (int t = 0; t < (K + T - 1) / T; ++t) {
    As[i][j] = row < M && t * T + j < K ? A[row * K + t * T + j] : 0.0f;
    Bs[i][j] = t * T + i < K && col < N ? B[(t * T + i) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[i][k] * Bs[k][j];
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
    x_is_row<<<dim3(check::ceilDiv(s.m, 16), check::ceilDiv(s.n, 16)),
               dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("x_is_row", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
