// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A strided batch: leading dimensions and the distance from one matrix to the
// next are parameters, as in a BLAS, and the weights' distance may be zero, so
// that all products share them.
//
// EXPECT-LOG gemm_strided_batched: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void gemm_strided_batched(int m, int n, int k, float alpha,
                                     const half *A, int lda, long long strideA,
                                     const half *B, int ldb, long long strideB,
                                     half *C, int ldc, long long strideC) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n)
    return;
  A += blockIdx.z * strideA;
  B += blockIdx.z * strideB;
  C += blockIdx.z * strideC;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i)
    sum += __half2float(A[row * lda + i]) * __half2float(B[col * ldb + i]);
  C[row * ldc + col] = __float2half(alpha * sum);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  const float alpha = 0.5f;
  const int batch = 3;
  for (check::Shape s : test.shapes()) {
    const int ld = check::roundUp(s.k, 8) + 8;
    const int ldc = check::roundUp(s.n, 8);
    check::Matrix<half> A(s.m, s.k, ld, batch), B(s.n, s.k, ld, batch);
    A.random(82);
    B.random(83);
    dim3 block(32, 4);
    dim3 grid(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 4), batch);
    for (long long strideB : {static_cast<long long>(B.batchStride()), 0ll}) {
      check::Matrix<half> C(s.m, s.n, ldc, batch);
      gemm_strided_batched<<<grid, block>>>(
          s.m, s.n, s.k, alpha, A.data(), ld, A.batchStride(), B.data(), ld,
          strideB, C.data(), ldc, C.batchStride());
      std::vector<check::Table> sums;
      for (int i = 0; i < batch; ++i)
        sums.push_back(check::product(
            s, [&](int m, int k) { return A(m, k, i); },
            [&](int k, int n) { return B(n, k, strideB ? i : 0); }));
      test.expect(
          strideB ? "gemm_strided_batched" : "shared_weights", s, C,
          [&](int m, int n, int i) { return alpha * sums[i](m, n); }, A, B);
    }
  }
  return test.finish();
}
