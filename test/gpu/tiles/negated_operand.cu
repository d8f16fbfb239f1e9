// FORM: operand prologues: negation
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum is subtracted from, term by term, and one operand is negated: it is
// a sum again.

#include "check.h"

#pragma warpwright matmul
__global__ void negated_operand(const half *A, const half *B, float *C, int M,
                                int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += -__half2float(A[row * K + k]) * __half2float(B[k * N + col]);
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
    negated_operand<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                      dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                      s.k);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "negated_operand", s, C, [&](int m, int n) { return -sum(m, n); }, A,
        B);
  }
  return test.finish();
}
