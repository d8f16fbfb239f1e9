// FORM: coarsened thread: four outputs in scalars, each updated in C before
// the next is read
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No loop goes over the outputs: a row of C is read, combined and stored, then
// the one below it.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void updated_in_turn(const float *A, const float *B, float *C, int N,
                                int K, float alpha, float beta) {
  __shared__ float As[4 * T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 4 * T + ty * 4, col = blockIdx.x * T + tx;
  float sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty * 4 + 0][tx] = A[(row + 0) * K + k0 + tx];
    As[ty * 4 + 1][tx] = A[(row + 1) * K + k0 + tx];
    As[ty * 4 + 2][tx] = A[(row + 2) * K + k0 + tx];
    As[ty * 4 + 3][tx] = A[(row + 3) * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      const float b = Bs[k][tx];
      sum0 += As[ty * 4 + 0][k] * b;
      sum1 += As[ty * 4 + 1][k] * b;
      sum2 += As[ty * 4 + 2][k] * b;
      sum3 += As[ty * 4 + 3][k] * b;
    }
    __syncthreads();
  }
  C[(row + 0) * N + col] = alpha * sum0 + beta * C[(row + 0) * N + col];
  C[(row + 1) * N + col] = alpha * sum1 + beta * C[(row + 1) * N + col];
  C[(row + 2) * N + col] = alpha * sum2 + beta * C[(row + 2) * N + col];
  C[(row + 3) * N + col] = alpha * sum3 + beta * C[(row + 3) * N + col];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 48, 80},
                         check::Shape{64, 16, 16}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    updated_in_turn<<<dim3(s.n / T, s.m / (4 * T)), dim3(T, T)>>>(
        A.data(), B.data(), C.data(), s.n, s.k, 0.5f, 2.0f);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "updated_in_turn", s, C,
        [&](int m, int n) { return 0.5 * sum(m, n) + 2.0 * before(m, n); }, A,
        B);
  }
  return test.finish();
}
