// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accumulator lives in the output: C is scaled or cleared first, and every
// product is added in memory.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void gemm_kernel(int ni, int nj, int nk, float alpha, float beta,
                            const half *a, const half *b, float *c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;

  if ((i < ni) && (j < nj)) {
    c[i * nj + j] *= beta;
    int k;
    for (k = 0; k < nk; k++) {
      c[i * nj + j] +=
          alpha * __half2float(a[i * nk + k]) * __half2float(b[k * nj + j]);
    }
  }
}

#pragma warpwright matmul
__global__ void matmul_cleared(int ni, int nj, int nk, const half *a,
                               const half *b, float *c) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < ni && j < nj) {
    c[i * nj + j] = 0;
    for (int k = 0; k < nk; k++)
      c[i * nj + j] +=
          __half2float(a[i * nk + k]) * __half2float(b[k * nj + j]);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  const float alpha = 1.5f, beta = 0.25f;
  for (check::Shape s : test.shapes()) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    A.random(21);
    B.random(22);
    check::Table sum = check::product(s, A, B);
    dim3 block(32, 8);
    dim3 grid(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 8));

    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    C.random(23);
    before.random(23);
    gemm_kernel<<<grid, block>>>(s.m, s.n, s.k, alpha, beta, A.data(), B.data(),
                                 C.data());
    test.expect(
        "gemm_kernel", s, C,
        [&](int m, int n) { return alpha * sum(m, n) + beta * before(m, n); },
        A, B);

    check::Matrix<float> D(s.m, s.n);
    matmul_cleared<<<grid, block>>>(s.m, s.n, s.k, A.data(), B.data(),
                                    D.data());
    test.expect("matmul_cleared", s, D, sum, A, B);
  }
  return test.finish();
}
