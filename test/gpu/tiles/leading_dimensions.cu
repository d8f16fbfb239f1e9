// FORM: shared-memory tiles: square, leading dimensions, alpha and beta,
// batch in blockIdx.z
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A BLAS call through tiles.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void leading_dimensions(int m, int n, int k, float alpha,
                                   const half *A, int lda, const half *B,
                                   int ldb, float beta, float *C, int ldc,
                                   long long strideA, long long strideB,
                                   long long strideC) {
  __shared__ half As[T][T], Bs[T][T];
  A += blockIdx.z * strideA;
  B += blockIdx.z * strideB;
  C += blockIdx.z * strideC;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < k; k0 += T) {
    As[ty][tx] = row < m && k0 + tx < k ? A[row * lda + k0 + tx] : half(0);
    Bs[ty][tx] = k0 + ty < k && col < n ? B[(k0 + ty) * ldb + col] : half(0);
    __syncthreads();
    for (int i = 0; i < T; ++i)
      acc += __half2float(As[ty][i]) * __half2float(Bs[i][tx]);
    __syncthreads();
  }
  if (row < m && col < n)
    C[row * ldc + col] = alpha * acc + beta * C[row * ldc + col];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    const int lda = check::roundUp(s.k, 8), ldb = check::roundUp(s.n, 8) + 8,
              ldc = s.n + 5;
    check::Matrix<half> A(s.m, s.k, lda, 2), B(s.k, s.n, ldb, 2);
    check::Matrix<float> C(s.m, s.n, ldc, 2), before(s.m, s.n, ldc, 2);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    leading_dimensions<<<
        dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T), 2), dim3(T, T)>>>(
        s.m, s.n, s.k, 0.5f, A.data(), lda, B.data(), ldb, 2.0f, C.data(), ldc,
        A.batchStride(), B.batchStride(), C.batchStride());
    std::vector<check::Table> sums;
    for (int b = 0; b < 2; ++b)
      sums.push_back(check::product(
          s, [&](int m, int k) { return A(m, k, b); },
          [&](int k, int n) { return B(k, n, b); }));
    test.expect(
        "leading_dimensions", s, C,
        [&](int m, int n, int b) {
          return 0.5 * sums[b](m, n) + 2.0 * before(m, n, b);
        },
        A, B);
  }
  return test.finish();
}
