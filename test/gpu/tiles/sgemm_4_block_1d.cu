// FORM: SGEMM tutorial, step 4: 1-D block tiling, TM outputs per thread
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fourth step: a thread computes a column of eight.

#include "check.h"

#pragma warpwright matmul
template <const int BM, const int BN, const int BK, const int TM>
__global__ void sgemm_4_block_1d(int M, int N, int K, float alpha,
                                 const float *A, const float *B, float beta,
                                 float *C) {
  const unsigned tileRow = blockIdx.y, tileCol = blockIdx.x;
  const int outCol = threadIdx.x % BN, outRow = threadIdx.x / BN;
  __shared__ float sA[BM * BK];
  __shared__ float sB[BK * BN];
  A += tileRow * BM * K;
  B += tileCol * BN;
  C += tileRow * BM * N + tileCol * BN;
  const unsigned aCol = threadIdx.x % BK, aRow = threadIdx.x / BK;
  const unsigned bCol = threadIdx.x % BN, bRow = threadIdx.x / BN;
  float results[TM] = {0.0f};
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
    sA[aRow * BK + aCol] = A[aRow * K + aCol];
    sB[bRow * BN + bCol] = B[bRow * N + bCol];
    __syncthreads();
    A += BK;
    B += BK * N;
    for (unsigned k = 0; k < BK; ++k) {
      const float b = sB[k * BN + outCol];
      for (unsigned i = 0; i < TM; ++i)
        results[i] += sA[(outRow * TM + i) * BK + k] * b;
    }
    __syncthreads();
  }
  for (unsigned i = 0; i < TM; ++i) {
    float &c = C[(outRow * TM + i) * N + outCol];
    c = alpha * results[i] + beta * c;
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
    sgemm_4_block_1d<64, 64, 8, 8><<<dim3(s.n / 64, s.m / 64), 512>>>(
        s.m, s.n, s.k, 2.0f, A.data(), B.data(), -1.0f, C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "sgemm_4_block_1d", s, C,
        [&](int m, int n) { return 2.0 * sum(m, n) - before(m, n); }, A, B);
  }
  return test.finish();
}
