// FORM: several contractions: two float sums over one B, the greater is kept
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the two sums share is the right operand.

#include "check.h"

#pragma warpwright matmul
__global__ void shared_columns(const float *A, const float *D, const float *B,
                               float *C, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float x = 0.0f, y = 0.0f;
  for (int k = 0; k < K; ++k) {
    const float b = B[k * N + col];
    x += A[row * K + k] * b;
    y += D[row * K + k] * b;
  }
  C[row * N + col] = fmaxf(x, 0.5f * y);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{68, 92, 84},
                         check::Shape{37, 36, 100}, check::Shape{4, 6, 9}}) {
    check::Matrix<float> A(s.m, s.k), D(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    D.random(3);
    shared_columns<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                     dim3(16, 16)>>>(A.data(), D.data(), B.data(), C.data(),
                                     s.m, s.n, s.k);
    check::Table x = check::product(s, A, B), y = check::product(s, D, B);
    test.expect(
        "shared_columns", s, C,
        [&](int m, int n) { return std::max(x(m, n), 0.5 * y(m, n)); }, A, D,
        B);
  }
  return test.finish();
}
