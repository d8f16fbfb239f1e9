// FORM: loop nests: one block with strided loops
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A single block strides over rows and columns.

#include "check.h"

#pragma warpwright matmul
__global__ void one_block(const half *A, const half *B, float *C, int M, int N,
                          int K) {
  for (int row = threadIdx.y; row < M; row += blockDim.y)
    for (int col = threadIdx.x; col < N; col += blockDim.x) {
      float sum = 0.0f;
      for (int k = 0; k < K; ++k)
        sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
      C[row * N + col] = sum;
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    one_block<<<1, dim3(16, 8)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("one_block", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
