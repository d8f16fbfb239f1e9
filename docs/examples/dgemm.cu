// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Double, scaled and updated as in a BLAS: on the FP64 tensor cores, as exact
// as the original.
//
// EXPECT-LOG: hopper if k > 0
// EXPECT-BOUND: 1e-14

#include "check.h"

#pragma warpwright matmul
__global__ void dgemm_naive(int M, int N, int K, double alpha, const double *A,
                            const double *B, double beta, double *C) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    double sum = 0.0;
    for (int k = 0; k < K; ++k)
      sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = alpha * sum + beta * C[row * N + col];
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  const double alpha = 0.75, beta = -2.0;
  for (check::Shape s : test.shapes()) {
    check::Matrix<double> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<double> C(s.m, s.n), before(s.m, s.n);
    A.random(150);
    B.random(151);
    C.random(152);
    before.random(152);
    dim3 block(32, 8);
    dim3 grid(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 8));
    dgemm_naive<<<grid, block>>>(s.m, s.n, s.k, alpha, A.data(), B.data(), beta,
                                 C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "dgemm_naive", s, C,
        [&](int m, int n) { return alpha * sum(m, n) + beta * before(m, n); },
        A, B);
  }
  return test.finish();
}
