// FORM: loop nests: k outermost over several outputs of a thread,
// accumulating into global C
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread owns a column and walks k outermost.

#include "check.h"

#pragma warpwright matmul
__global__ void thread_kij(const half *A, const half *B, float *C, int M, int N,
                           int K) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < N) {
    for (int i = 0; i < M; ++i)
      C[i * N + j] = 0.0f;
    for (int k = 0; k < K; ++k) {
      const float b = __half2float(B[k * N + j]);
      for (int i = 0; i < M; ++i)
        C[i * N + j] += __half2float(A[i * K + k]) * b;
    }
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{32, 24, 64}, check::Shape{24, 40, 72},
                         check::Shape{17, 13, 33}, check::Shape{3, 5, 7},
                         check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    thread_kij<<<check::ceilDiv(s.n, 32), 32>>>(A.data(), B.data(), C.data(),
                                                s.m, s.n, s.k);
    test.expect("thread_kij", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
