// FORM: shared-memory tiles: a whole row of A in dynamic shared memory
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block computes a row of C: it brings the row of A once and strides over
// the columns.

#include "check.h"

#pragma warpwright matmul
__global__ void shared_row(const half *A, const half *B, float *C, int N,
                           int K) {
  extern __shared__ half line[];
  const int row = blockIdx.x;
  for (int k = threadIdx.x; k < K; k += blockDim.x)
    line[k] = A[row * K + k];
  __syncthreads();
  for (int col = threadIdx.x; col < N; col += blockDim.x) {
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += __half2float(line[k]) * __half2float(B[k * N + col]);
    C[row * N + col] = acc;
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
    shared_row<<<s.m, 64, s.k * sizeof(half)>>>(A.data(), B.data(), C.data(),
                                                s.n, s.k);
    test.expect("shared_row", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
