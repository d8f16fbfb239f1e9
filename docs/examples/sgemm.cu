// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float operands: every one is split into two fp16 numbers on the way to the
// tensor cores, and the result is as accurate as float sums are. C is scaled
// and updated, as in a BLAS.
//
// EXPECT-LOG: hopper if k > 0
// EXPECT-BOUND: 1e-6

#include "check.h"

#pragma warpwright matmul
__global__ void sgemm_naive(int M, int N, int K, float alpha, const float *A,
                            const float *B, float beta, float *C) {
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < M && x < N) {
    float tmp = 0.0f;
    for (int i = 0; i < K; ++i)
      tmp += A[y * K + i] * B[i * N + x];
    C[y * N + x] = alpha * tmp + beta * C[y * N + x];
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  const float alpha = 2.0f, beta = -0.5f;
  for (check::Shape s : test.shapes()) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(101);
    B.random(102);
    C.random(103);
    before.random(103);
    dim3 block(32, 8);
    dim3 grid(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 8));
    sgemm_naive<<<grid, block>>>(s.m, s.n, s.k, alpha, A.data(), B.data(), beta,
                                 C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "sgemm_naive", s, C,
        [&](int m, int n) { return alpha * sum(m, n) + beta * before(m, n); },
        A, B);
  }
  return test.finish();
}
