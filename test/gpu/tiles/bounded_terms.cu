// FORM: shared-memory tiles: no zeros beyond the matrix, terms up to its end
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is not stored is not multiplied: the last tile has fewer terms.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void bounded_terms(const float *A, const float *B, float *C, int M,
                              int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float acc = 0.0f;
  for (int t = 0; t < (K + T - 1) / T; ++t) {
    if (row < M && t * T + x < K)
      As[y][x] = A[row * K + t * T + x];
    if (t * T + y < K && col < N)
      Bs[y][x] = B[(t * T + y) * N + col];
    __syncthreads();
    if (row < M && col < N)
      for (int k = 0; k < T && t * T + k < K; ++k)
        acc += As[y][k] * Bs[k][x];
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
    bounded_terms<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                    dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("bounded_terms", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
