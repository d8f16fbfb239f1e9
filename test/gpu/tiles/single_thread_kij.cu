// FORM: loop nests: one thread, kij order (k outermost), C zeroed first
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Outer products are added to C, one for each k.

#include "check.h"

#pragma warpwright matmul
__global__ void single_thread_kij(const float *A, const float *B, float *C,
                                  int M, int N, int K) {
  for (int i = 0; i < M; ++i)
    for (int j = 0; j < N; ++j)
      C[i * N + j] = 0.0f;
  for (int k = 0; k < K; ++k)
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < N; ++j)
        C[i * N + j] += A[i * K + k] * B[k * N + j];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{32, 24, 64}, check::Shape{24, 40, 72},
                         check::Shape{17, 13, 33}, check::Shape{3, 5, 7},
                         check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    single_thread_kij<<<1, 1>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("single_thread_kij", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
