// FORM: surface: pointer-to-array parameters, float (*A)[64]
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of a fixed width, indexed twice.

#include "check.h"

constexpr int WIDTH = 64, T = 16;

#pragma warpwright matmul
__global__ void array_pointers(const float (*A)[WIDTH], const float (*B)[WIDTH],
                               float (*C)[WIDTH], int M) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int t = 0; t < WIDTH / T; ++t) {
    As[ty][tx] = row < M ? A[row][t * T + tx] : 0.0f;
    Bs[ty][tx] = B[t * T + ty][col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M)
    C[row][col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s :
       {check::Shape{64, WIDTH, WIDTH}, check::Shape{37, WIDTH, WIDTH},
        check::Shape{1, WIDTH, WIDTH}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    array_pointers<<<dim3(WIDTH / T, check::ceilDiv(s.m, T)), dim3(T, T)>>>(
        reinterpret_cast<const float (*)[WIDTH]>(A.data()),
        reinterpret_cast<const float (*)[WIDTH]>(B.data()),
        reinterpret_cast<float (*)[WIDTH]>(C.data()), s.m);
    test.expect("array_pointers", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
