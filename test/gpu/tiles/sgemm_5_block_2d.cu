// FORM: SGEMM tutorial, step 5: 2-D block tiling, strided fill, regM and regN
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fifth step: eight by eight outputs per thread, operands copied to
// registers first.

#include "check.h"

#pragma warpwright matmul
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
    sgemm_5_block_2d(int M, int N, int K, float alpha, const float *A,
                     const float *B, float beta, float *C) {
  const unsigned threads = BM * BN / (TM * TN);
  const int outCol = threadIdx.x % (BN / TN), outRow = threadIdx.x / (BN / TN);
  __shared__ float sA[BM * BK];
  __shared__ float sB[BK * BN];
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  const unsigned aRow = threadIdx.x / BK, aCol = threadIdx.x % BK;
  const unsigned aStep = threads / BK;
  const unsigned bRow = threadIdx.x / BN, bCol = threadIdx.x % BN;
  const unsigned bStep = threads / BN;
  float results[TM * TN] = {0.0f};
  float regM[TM] = {0.0f};
  float regN[TN] = {0.0f};
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
    for (unsigned o = 0; o < BM; o += aStep)
      sA[(aRow + o) * BK + aCol] = A[(aRow + o) * K + aCol];
    for (unsigned o = 0; o < BK; o += bStep)
      sB[(bRow + o) * BN + bCol] = B[(bRow + o) * N + bCol];
    __syncthreads();
    A += BK;
    B += BK * N;
    for (unsigned k = 0; k < BK; ++k) {
      for (unsigned i = 0; i < TM; ++i)
        regM[i] = sA[(outRow * TM + i) * BK + k];
      for (unsigned j = 0; j < TN; ++j)
        regN[j] = sB[k * BN + outCol * TN + j];
      for (unsigned i = 0; i < TM; ++i)
        for (unsigned j = 0; j < TN; ++j)
          results[i * TN + j] += regM[i] * regN[j];
    }
    __syncthreads();
  }
  for (unsigned i = 0; i < TM; ++i)
    for (unsigned j = 0; j < TN; ++j) {
      const unsigned at = (outRow * TM + i) * N + outCol * TN + j;
      C[at] = alpha * results[i * TN + j] + beta * C[at];
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 64, 64}, check::Shape{128, 192, 64},
                         check::Shape{192, 64, 96}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    sgemm_5_block_2d<64, 64, 8, 8, 8><<<dim3(s.n / 64, s.m / 64), 64>>>(
        s.m, s.n, s.k, 2.0f, A.data(), B.data(), -1.0f, C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "sgemm_5_block_2d", s, C,
        [&](int m, int n) { return 2.0 * sum(m, n) - before(m, n); }, A, B);
  }
  return test.finish();
}
