// FORM: several contractions: syr2k-like, A*B^T + B*A^T in one loop
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A symmetric update: both terms in one step of the loop.

#include "check.h"

#pragma warpwright matmul
__global__ void rank_2k_update(const half *A, const half *B, float *C, int n,
                               int k, float alpha, float beta) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) {
    float sum = 0.0f;
    for (int l = 0; l < k; ++l) {
      sum += __half2float(A[i * k + l]) * __half2float(B[j * k + l]);
      sum += __half2float(B[i * k + l]) * __half2float(A[j * k + l]);
    }
    C[i * n + j] = beta * C[i * n + j] + alpha * sum;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 64, 64}, check::Shape{72, 72, 104},
                         check::Shape{45, 45, 83}, check::Shape{3, 3, 7},
                         check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.n, s.k);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    rank_2k_update<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                     dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.n, s.k,
                                     0.5f, 2.0f);
    check::Table sum =
        check::product(s, A, [&](int k, int n) { return B(n, k); });
    test.expect(
        "rank_2k_update", s, C,
        [&](int m, int n) {
          return 2.0 * before(m, n) + 0.5 * (sum(m, n) + sum(n, m));
        },
        A, B);
  }
  return test.finish();
}
