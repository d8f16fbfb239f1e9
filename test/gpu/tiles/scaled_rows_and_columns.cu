// FORM: operand prologues: scale by row and by column inside the loop
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dequantization factors per row of A and per column of B.

#include "check.h"

#pragma warpwright matmul
__global__ void scaled_rows_and_columns(const half *A, const half *B, float *C,
                                        int M, int N, int K, const float *rows,
                                        const float *columns) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += (rows[row] * __half2float(A[row * K + k])) *
             (__half2float(B[k * N + col]) * columns[col]);
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
    check::Matrix<float> r(1, s.m), c(1, s.n);
    r.random(4);
    c.random(5);
    scaled_rows_and_columns<<<
        dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)), dim3(16, 16)>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k, r.data(), c.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "scaled_rows_and_columns", s, C,
        [&](int m, int n) { return r(0, m) * sum(m, n) * c(0, n); }, A, B, r,
        c);
  }
  return test.finish();
}
