// FORM: register tiles: B's tile laid out by the column within a thread, so
// that the threads of a row read neighbouring words
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Column `8 * t + j` of row k is at `(8 * k + j) * across + t`.

#include "check.h"

#pragma warpwright matmul
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void spread_columns(int M, int N, int K, float alpha, float *A,
                               float *B, float beta, float *C) {
  const int tc = threadIdx.x % (BN / TN), tr = threadIdx.x / (BN / TN);
  __shared__ float sA[BM * BK];
  __shared__ float sB[BK * BN];
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  const unsigned aRow = threadIdx.x / (BK / 4), aCol = threadIdx.x % (BK / 4);
  const unsigned bRow = threadIdx.x / (BN / 4), bCol = threadIdx.x % (BN / 4);
  float sums[TM * TN] = {0.0};
  float a[TM] = {0.0}, b[TN] = {0.0};
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
    float4 v = reinterpret_cast<float4 *>(&A[aRow * K + aCol * 4])[0];
    sA[(aCol * 4 + 0) * BM + aRow] = v.x;
    sA[(aCol * 4 + 1) * BM + aRow] = v.y;
    sA[(aCol * 4 + 2) * BM + aRow] = v.z;
    sA[(aCol * 4 + 3) * BM + aRow] = v.w;
    v = reinterpret_cast<float4 *>(&B[bRow * N + bCol * 4])[0];
    sB[((bCol % 2) * 4 + bRow * 8 + 0) * 8 + bCol / 2] = v.x;
    sB[((bCol % 2) * 4 + bRow * 8 + 1) * 8 + bCol / 2] = v.y;
    sB[((bCol % 2) * 4 + bRow * 8 + 2) * 8 + bCol / 2] = v.z;
    sB[((bCol % 2) * 4 + bRow * 8 + 3) * 8 + bCol / 2] = v.w;
    __syncthreads();
    A += BK;
    B += BK * N;
    for (unsigned k = 0; k < BK; ++k) {
      for (unsigned i = 0; i < TM; ++i)
        a[i] = sA[k * BM + tr * TM + i];
      for (unsigned j = 0; j < TN; ++j)
        b[j] = sB[(k * 8 + j) * 8 + tc];
      for (unsigned i = 0; i < TM; ++i)
        for (unsigned j = 0; j < TN; ++j)
          sums[i * TN + j] += a[i] * b[j];
    }
    __syncthreads();
  }
  for (unsigned i = 0; i < TM; ++i)
    for (unsigned j = 0; j < TN; j += 4) {
      float4 c =
          reinterpret_cast<float4 *>(&C[(tr * TM + i) * N + tc * TN + j])[0];
      c.x = alpha * sums[i * TN + j] + beta * c.x;
      c.y = alpha * sums[i * TN + j + 1] + beta * c.y;
      c.z = alpha * sums[i * TN + j + 2] + beta * c.z;
      c.w = alpha * sums[i * TN + j + 3] + beta * c.w;
      reinterpret_cast<float4 *>(&C[(tr * TM + i) * N + tc * TN + j])[0] = c;
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{128, 64, 104},
                         check::Shape{64, 64, 8}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    spread_columns<64, 64, 8, 4, 8><<<dim3(s.n / 64, s.m / 64), 128>>>(
        s.m, s.n, s.k, 2.0f, A.data(), B.data(), -1.0f, C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "spread_columns", s, C,
        [&](int m, int n) { return 2.0 * sum(m, n) - before(m, n); }, A, B);
  }
  return test.finish();
}
