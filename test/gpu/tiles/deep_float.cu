// FORM: few outputs and long sums in float, column-major result
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A and B lie along k, and the clause asks for five slices of it.

#include "check.h"

#pragma warpwright matmul split_k(5)
__global__ void deep_float(const float *A, const float *B, float *C, int M,
                           int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += A[row * K + k] * B[col * K + k];
  C[col * M + row] = sum;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{130, 72, 1000},
                         check::Shape{16, 200, 515}, check::Shape{3, 5, 8000},
                         check::Shape{64, 64, 32}, check::Shape{2, 2, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.n, s.k), C(s.n, s.m);
    A.random(1);
    B.random(2);
    deep_float<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                 dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    check::Table sum =
        check::product(s, A, [&](int k, int n) { return B(n, k); });
    check::Table across(s.n, s.m);
    for (int n = 0; n < s.n; ++n)
      for (int m = 0; m < s.m; ++m)
        across.row(n)[m] = sum.row(m)[n];
    test.expect("deep_float", {s.n, s.m, s.k}, C, across, A, B);
  }
  return test.finish();
}
