// FORM: shared-memory tiles: zero fill by clamped index, min(row, M - 1)
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads outside the matrix read its last row or column and store nothing. K
// is a multiple of the tile.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void clamped_rows(const float *A, const float *B, float *C, int M,
                             int N, int K) {
  __shared__ float As[T][T];
  __shared__ float Bs[T][T];
  const int row = blockIdx.y * T + threadIdx.y;
  const int col = blockIdx.x * T + threadIdx.x;
  const int r = min(row, M - 1);
  const int c = min(col, N - 1);
  float acc = 0.0f;
  for (int t = 0; t < K / T; ++t) {
    As[threadIdx.y][threadIdx.x] = A[r * K + t * T + threadIdx.x];
    Bs[threadIdx.y][threadIdx.x] = B[(t * T + threadIdx.y) * N + c];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{72, 88, 96},
                         check::Shape{67, 45, 96}, check::Shape{3, 5, 16},
                         check::Shape{1, 1, 32}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    clamped_rows<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                   dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("clamped_rows", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
