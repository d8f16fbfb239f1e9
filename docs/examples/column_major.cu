// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// BLAS conventions: column-major storage, leading dimensions as parameters,
// and a C that is not read when beta is zero. The leading dimensions are
// padded, so every extent may be ragged and TMA can still read the operands.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void bf16_gemm(int m, int n, int k, float alpha,
                          const __nv_bfloat16 *A, int lda,
                          const __nv_bfloat16 *B, int ldb, float beta,
                          __nv_bfloat16 *C, int ldc) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < m && j < n) {
    float sum = 0.0f;
    for (int l = 0; l < k; ++l)
      sum +=
          __bfloat162float(A[i + l * lda]) * __bfloat162float(B[l + j * ldb]);
    if (beta == 0.0f)
      C[i + j * ldc] = __float2bfloat16(alpha * sum);
    else
      C[i + j * ldc] = __float2bfloat16(
          alpha * sum + beta * __bfloat162float(C[i + j * ldc]));
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    const int lda = check::roundUp(s.m, 8) + 8;
    const int ldb = check::roundUp(s.k, 8) + 16;
    const int ldc = check::roundUp(s.m, 8);
    // A row of these is a column of the matrix.
    check::Matrix<__nv_bfloat16> A(s.k, s.m, lda), B(s.n, s.k, ldb);
    A.random(47);
    B.random(48);
    check::Table sum = check::product(
        s, [&](int m, int k) { return A(k, m); },
        [&](int k, int n) { return B(n, k); });
    dim3 block(32, 8);
    dim3 grid(check::ceilDiv(s.m, 32), check::ceilDiv(s.n, 8));

    check::Matrix<__nv_bfloat16> C(s.n, s.m, ldc);
    bf16_gemm<<<grid, block>>>(s.m, s.n, s.k, 2.0f, A.data(), lda, B.data(),
                               ldb, 0.0f, C.data(), ldc);
    test.expect(
        "bf16_gemm", s, C, [&](int n, int m) { return 2.0 * sum(m, n); }, A, B);

    check::Matrix<__nv_bfloat16> D(s.n, s.m, s.m), old(s.n, s.m, s.m);
    D.random(49);
    old.random(49);
    bf16_gemm<<<grid, block>>>(s.m, s.n, s.k, 1.0f, A.data(), lda, B.data(),
                               ldb, -1.5f, D.data(), s.m);
    test.expect(
        "bf16_gemm", s, D,
        [&](int n, int m) { return sum(m, n) - 1.5 * old(n, m); }, A, B);
  }
  return test.finish();
}
