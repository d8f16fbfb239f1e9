// FORM: operand prologues: max(x, 0) on one operand, a subtracted vector on the
// other
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both operands are computed with before they are multiplied.

#include "check.h"

#pragma warpwright matmul
__global__ void clamped_and_shifted(const half *A, const half *B,
                                    const float *shift, float *C, int M, int N,
                                    int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    const float a = __half2float(A[row * K + k]);
    sum += (a > 0.0f ? a : 0.0f) * (__half2float(B[k * N + col]) - shift[k]);
  }
  C[row * N + col] = sum;
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
    check::Matrix<float> shift(1, s.k);
    shift.random(3);
    clamped_and_shifted<<<
        dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)), dim3(16, 16)>>>(
        A.data(), B.data(), shift.data(), C.data(), s.m, s.n, s.k);
    test.expect("clamped_and_shifted", s, C,
                check::product(
                    s, [&](int m, int k) { return std::fmax(A(m, k), 0.0); },
                    [&](int k, int n) { return B(k, n) - shift(0, k); }),
                A, B, shift);
  }
  return test.finish();
}
