// FORM: register tiles: the block's tile in sub-tiles that all its threads
// multiply one after the other, k innermost of them
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often a thread's tile fits into the block's follows from the number of
// threads; the fill steps too.

#include "check.h"

const int THREADS = 64;

#pragma warpwright matmul
template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__(THREADS)
    tuned_sub_tiles(int M, int N, int K, float alpha, float *A, float *B,
                    float beta, float *C) {
  constexpr int SM = TM * 8, SN = TN * 8;
  constexpr int DOWN = (BM + SM - 1) / SM, ACROSS = (BN + SN - 1) / SN;
  const int tc = threadIdx.x % (SN / TN), tr = threadIdx.x / (SN / TN);
  __shared__ float sA[BM * BK];
  __shared__ float sB[BK * BN];
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  const unsigned aRow = threadIdx.x / (BK / 4), aCol = threadIdx.x % (BK / 4);
  const unsigned bRow = threadIdx.x / (BN / 4), bCol = threadIdx.x % (BN / 4);
  constexpr unsigned aStep = THREADS * 4 / BK, bStep = THREADS / (BN / 4);
  float sums[DOWN * ACROSS * TM * TN] = {0.0};
  float a[TM] = {0.0}, b[TN] = {0.0};
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
    for (unsigned r = 0; r + aStep <= BM; r += aStep) {
      float4 v = reinterpret_cast<float4 *>(&A[(aRow + r) * K + aCol * 4])[0];
      sA[(aCol * 4 + 0) * BM + aRow + r] = v.x;
      sA[(aCol * 4 + 1) * BM + aRow + r] = v.y;
      sA[(aCol * 4 + 2) * BM + aRow + r] = v.z;
      sA[(aCol * 4 + 3) * BM + aRow + r] = v.w;
    }
    for (unsigned r = 0; r + bStep <= BK; r += bStep)
      reinterpret_cast<float4 *>(&sB[(bRow + r) * BN + bCol * 4])[0] =
          reinterpret_cast<float4 *>(&B[(bRow + r) * N + bCol * 4])[0];
    __syncthreads();
    for (unsigned p = 0; p < DOWN; ++p)
      for (unsigned q = 0; q < ACROSS; ++q)
        for (unsigned k = 0; k < BK; ++k) {
          for (unsigned i = 0; i < TM; ++i)
            a[i] = sA[k * BM + p * SM + tr * TM + i];
          for (unsigned j = 0; j < TN; ++j)
            b[j] = sB[k * BN + q * SN + tc * TN + j];
          for (unsigned i = 0; i < TM; ++i)
            for (unsigned j = 0; j < TN; ++j)
              sums[(p * TM + i) * (ACROSS * TN) + q * TN + j] += a[i] * b[j];
        }
    __syncthreads();
    A += BK;
    B += BK * N;
  }
  for (unsigned p = 0; p < DOWN; ++p)
    for (unsigned q = 0; q < ACROSS; ++q) {
      float *part = C + p * SM * N + q * SN;
      for (unsigned i = 0; i < TM; ++i)
        for (unsigned j = 0; j < TN; j += 4) {
          const int at = (p * TM + i) * (ACROSS * TN) + q * TN + j;
          float4 c = reinterpret_cast<float4 *>(
              &part[(tr * TM + i) * N + tc * TN + j])[0];
          c.x = alpha * sums[at + 0] + beta * c.x;
          c.y = alpha * sums[at + 1] + beta * c.y;
          c.z = alpha * sums[at + 2] + beta * c.z;
          c.w = alpha * sums[at + 3] + beta * c.w;
          reinterpret_cast<float4 *>(
              &part[(tr * TM + i) * N + tc * TN + j])[0] = c;
        }
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{128, 64, 80},
                         check::Shape{64, 64, 16}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    tuned_sub_tiles<64, 64, 16, 4, 4><<<dim3(s.n / 64, s.m / 64), THREADS>>>(
        s.m, s.n, s.k, 2.0f, A.data(), B.data(), -1.0f, C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "tuned_sub_tiles", s, C,
        [&](int m, int n) { return 2.0 * sum(m, n) - before(m, n); }, A, B);
  }
  return test.finish();
}
