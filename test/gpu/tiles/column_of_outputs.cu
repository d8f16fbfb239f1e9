// FORM: register tiles: array of outputs in one dimension, no shared memory
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread computes eight outputs below each other.

#include "check.h"

constexpr int TM = 8;

#pragma warpwright matmul
__global__ void column_of_outputs(const float *A, const float *B, float *C,
                                  int M, int N, int K) {
  const int row0 = (blockIdx.y * blockDim.y + threadIdx.y) * TM;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= N)
    return;
  float acc[TM] = {0.0f};
  for (int k = 0; k < K; ++k) {
    const float b = B[k * N + col];
    for (int i = 0; i < TM; ++i)
      if (row0 + i < M)
        acc[i] += A[(row0 + i) * K + k] * b;
  }
  for (int i = 0; i < TM; ++i)
    if (row0 + i < M)
      C[(row0 + i) * N + col] = acc[i];
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
    column_of_outputs<<<dim3(check::ceilDiv(s.n, 32),
                             check::ceilDiv(s.m, 4 * TM)),
                        dim3(32, 4)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                       s.k);
    test.expect("column_of_outputs", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
