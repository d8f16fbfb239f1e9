// FORM: loop nests: one thread a row
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread computes a whole row.

#include "check.h"

#pragma warpwright matmul
__global__ void thread_per_row(const float *A, const float *B, float *C, int M,
                               int N, int K) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M)
    return;
  for (int j = 0; j < N; j++) {
    float sum = 0;
    for (int k = 0; k < K; k++)
      sum += A[i * K + k] * B[k * N + j];
    C[i * N + j] = sum;
  }
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
    thread_per_row<<<check::ceilDiv(s.m, 32), 32>>>(A.data(), B.data(),
                                                    C.data(), s.m, s.n, s.k);
    test.expect("thread_per_row", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
