// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums kept in half. The Hopper kernel accumulates in float, so the rewritten
// program is more exact than this one; the bound here is the original's,
// EXPECT-BOUND the Hopper kernel's.
//
// EXPECT-LOG: hopper if k > 0
// EXPECT-BOUND: 1e-3

#include "check.h"

#pragma warpwright matmul
__global__ void hgemm_naive(const half *a, const half *b, half *c, int M, int N,
                            int K) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  if (m < M && n < N) {
    half psum = __float2half(0.0f);
    for (int k = 0; k < K; k++) {
      psum = __hadd(psum, __hmul(a[m * K + k], b[k * N + n]));
    }
    c[m * N + n] = psum;
  }
}

#pragma warpwright matmul
__global__ void hgemm_fma(const half *a, const half *b, half *c, int M, int N,
                          int K) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  if (m < M && n < N) {
    half psum = 0.0f;
    for (int k = 0; k < K; k++)
      psum = __hfma(a[m * K + k], b[k * N + n], psum);
    c[m * N + n] = psum;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.setBound(5e-2);
  for (check::Shape s : test.shapes()) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    A.random(65);
    B.random(66);
    check::Table sum = check::product(s, A, B);
    dim3 block(32, 8);
    dim3 grid(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 8));

    check::Matrix<half> C(s.m, s.n);
    hgemm_naive<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("hgemm_naive", s, C, sum, A, B);

    check::Matrix<half> D(s.m, s.n);
    hgemm_fma<<<grid, block>>>(A.data(), B.data(), D.data(), s.m, s.n, s.k);
    test.expect("hgemm_fma", s, D, sum, A, B);
  }
  return test.finish();
}
