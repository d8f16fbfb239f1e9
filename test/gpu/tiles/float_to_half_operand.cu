// FORM: operand prologues: floats rounded to half when they are multiplied
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats that are rounded to half before they are multiplied.

#include "check.h"

#pragma warpwright matmul
__global__ void float_to_half_operand(const float *A, const float *B, float *C,
                                      int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(__float2half(A[row * K + k])) *
           __half2float(__float2half(B[k * N + col]));
  C[row * N + col] = sum;
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
    float_to_half_operand<<<
        dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)), dim3(16, 16)>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k);
    const auto rounded = [](double x) {
      return double(__half2float(__float2half(float(x))));
    };
    test.expect("float_to_half_operand", s, C,
                check::product(
                    s, [&](int m, int k) { return rounded(A(m, k)); },
                    [&](int k, int n) { return rounded(B(k, n)); }),
                A, B);
  }
  return test.finish();
}
