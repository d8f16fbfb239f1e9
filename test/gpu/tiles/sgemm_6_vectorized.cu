// FORM: SGEMM tutorial, step 6: vectorized, transposed A tile, float4 stores
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sixth step: float4 everywhere, the tile of A turned on the way in.

#include "check.h"

#pragma warpwright matmul
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void sgemm_6_vectorized(int M, int N, int K, float alpha, float *A,
                                   float *B, float beta, float *C) {
  const int outCol = threadIdx.x % (BN / TN), outRow = threadIdx.x / (BN / TN);
  __shared__ float sA[BM * BK];
  __shared__ float sB[BK * BN];
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  const unsigned aRow = threadIdx.x / (BK / 4), aCol = threadIdx.x % (BK / 4);
  const unsigned bRow = threadIdx.x / (BN / 4), bCol = threadIdx.x % (BN / 4);
  float results[TM * TN] = {0.0f};
  float regM[TM], regN[TN];
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
    const float4 v = reinterpret_cast<float4 *>(&A[aRow * K + aCol * 4])[0];
    sA[(aCol * 4 + 0) * BM + aRow] = v.x;
    sA[(aCol * 4 + 1) * BM + aRow] = v.y;
    sA[(aCol * 4 + 2) * BM + aRow] = v.z;
    sA[(aCol * 4 + 3) * BM + aRow] = v.w;
    reinterpret_cast<float4 *>(&sB[bRow * BN + bCol * 4])[0] =
        reinterpret_cast<float4 *>(&B[bRow * N + bCol * 4])[0];
    __syncthreads();
    A += BK;
    B += BK * N;
    for (unsigned k = 0; k < BK; ++k) {
      for (unsigned i = 0; i < TM; ++i)
        regM[i] = sA[k * BM + outRow * TM + i];
      for (unsigned j = 0; j < TN; ++j)
        regN[j] = sB[k * BN + outCol * TN + j];
      for (unsigned i = 0; i < TM; ++i)
        for (unsigned j = 0; j < TN; ++j)
          results[i * TN + j] += regM[i] * regN[j];
    }
    __syncthreads();
  }
  for (unsigned i = 0; i < TM; i += 1)
    for (unsigned j = 0; j < TN; j += 4) {
      float4 *at = reinterpret_cast<float4 *>(
          &C[(outRow * TM + i) * N + outCol * TN + j]);
      float4 c = at[0];
      c.x = alpha * results[i * TN + j] + beta * c.x;
      c.y = alpha * results[i * TN + j + 1] + beta * c.y;
      c.z = alpha * results[i * TN + j + 2] + beta * c.z;
      c.w = alpha * results[i * TN + j + 3] + beta * c.w;
      at[0] = c;
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
    sgemm_6_vectorized<64, 64, 8, 4, 8><<<dim3(s.n / 64, s.m / 64), 128>>>(
        s.m, s.n, s.k, 2.0f, A.data(), B.data(), -1.0f, C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "sgemm_6_vectorized", s, C,
        [&](int m, int n) { return 2.0 * sum(m, n) - before(m, n); }, A, B);
  }
  return test.finish();
}
