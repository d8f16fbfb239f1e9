// FORM: SGEMM tutorial, last step: warp tiling with sub-tiles, helper
// functions for the fill and the product
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp owns a tile of the block's tile, in sub-tiles; lanes are laid out
// over them.

#include "check.h"

constexpr int LANES = 32;

namespace steps {
template <const int BM, const int BN, const int BK, const int aStep,
          const int bStep>
__device__ void fill(int N, int K, const float *A, const float *B, float *sA,
                     float *sB, int aRow, int aCol, int bRow, int bCol) {
  for (unsigned o = 0; o + aStep <= BM; o += aStep) {
    const float4 v =
        reinterpret_cast<const float4 *>(&A[(aRow + o) * K + aCol * 4])[0];
    sA[(aCol * 4 + 0) * BM + aRow + o] = v.x;
    sA[(aCol * 4 + 1) * BM + aRow + o] = v.y;
    sA[(aCol * 4 + 2) * BM + aRow + o] = v.z;
    sA[(aCol * 4 + 3) * BM + aRow + o] = v.w;
  }
  for (unsigned o = 0; o + bStep <= BK; o += bStep)
    reinterpret_cast<float4 *>(&sB[(bRow + o) * BN + bCol * 4])[0] =
        reinterpret_cast<const float4 *>(&B[(bRow + o) * N + bCol * 4])[0];
}

template <const int BM, const int BN, const int BK, const int WM, const int WN,
          const int MI, const int NI, const int TM, const int TN>
__device__ void multiply(float *regM, float *regN, float *results,
                         const float *sA, const float *sB, unsigned warpRow,
                         unsigned warpCol, unsigned laneRow, unsigned laneCol) {
  constexpr int SM = WM / MI, SN = WN / NI;
  for (unsigned k = 0; k < BK; ++k) {
    for (unsigned p = 0; p < MI; ++p)
      for (unsigned i = 0; i < TM; ++i)
        regM[p * TM + i] =
            sA[k * BM + warpRow * WM + p * SM + laneRow * TM + i];
    for (unsigned q = 0; q < NI; ++q)
      for (unsigned j = 0; j < TN; ++j)
        regN[q * TN + j] =
            sB[k * BN + warpCol * WN + q * SN + laneCol * TN + j];
    for (unsigned p = 0; p < MI; ++p)
      for (unsigned q = 0; q < NI; ++q)
        for (unsigned i = 0; i < TM; ++i)
          for (unsigned j = 0; j < TN; ++j)
            results[(p * TM + i) * (NI * TN) + q * TN + j] +=
                regM[p * TM + i] * regN[q * TN + j];
  }
}
} // namespace steps

#pragma warpwright matmul
template <const int BM, const int BN, const int BK, const int WM, const int WN,
          const int NI, const int TM, const int TN, const int THREADS>
__global__ void __launch_bounds__(THREADS)
    sgemm_7_warp_tiles(int M, int N, int K, float alpha, float *A, float *B,
                       float beta, float *C) {
  const unsigned warp = threadIdx.x / LANES;
  const unsigned warpCol = warp % (BN / WN), warpRow = warp / (BN / WN);
  constexpr unsigned MI = (WM * WN) / (LANES * TM * TN * NI);
  constexpr unsigned SM = WM / MI, SN = WN / NI;
  const unsigned lane = threadIdx.x % LANES;
  const unsigned laneCol = lane % (SN / TN), laneRow = lane / (SN / TN);
  __shared__ float sA[BM * BK];
  __shared__ float sB[BK * BN];
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += (blockIdx.y * BM + warpRow * WM) * N + blockIdx.x * BN + warpCol * WN;
  const unsigned aRow = threadIdx.x / (BK / 4), aCol = threadIdx.x % (BK / 4);
  constexpr unsigned aStep = THREADS * 4 / BK;
  const unsigned bRow = threadIdx.x / (BN / 4), bCol = threadIdx.x % (BN / 4);
  constexpr unsigned bStep = THREADS / (BN / 4);
  float results[MI * TM * NI * TN] = {0.0f};
  float regM[MI * TM] = {0.0f};
  float regN[NI * TN] = {0.0f};
  for (unsigned k0 = 0; k0 < K; k0 += BK) {
    steps::fill<BM, BN, BK, aStep, bStep>(N, K, A, B, sA, sB, aRow, aCol, bRow,
                                          bCol);
    __syncthreads();
    steps::multiply<BM, BN, BK, WM, WN, MI, NI, TM, TN>(
        regM, regN, results, sA, sB, warpRow, warpCol, laneRow, laneCol);
    A += BK;
    B += BK * N;
    __syncthreads();
  }
  for (unsigned p = 0; p < MI; ++p)
    for (unsigned q = 0; q < NI; ++q) {
      float *part = C + (p * SM) * N + q * SN;
      for (unsigned i = 0; i < TM; i += 1)
        for (unsigned j = 0; j < TN; j += 4) {
          float4 c = reinterpret_cast<float4 *>(
              &part[(laneRow * TM + i) * N + laneCol * TN + j])[0];
          const int at = (p * TM + i) * (NI * TN) + q * TN + j;
          c.x = alpha * results[at + 0] + beta * c.x;
          c.y = alpha * results[at + 1] + beta * c.y;
          c.z = alpha * results[at + 2] + beta * c.z;
          c.w = alpha * results[at + 3] + beta * c.w;
          reinterpret_cast<float4 *>(
              &part[(laneRow * TM + i) * N + laneCol * TN + j])[0] = c;
        }
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
    sgemm_7_warp_tiles<64, 64, 16, 32, 32, 2, 4, 4, 128>
        <<<dim3(s.n / 64, s.m / 64), 128>>>(s.m, s.n, s.k, 2.0f, A.data(),
                                            B.data(), -1.0f, C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "sgemm_7_warp_tiles", s, C,
        [&](int m, int n) { return 2.0 * sum(m, n) - before(m, n); }, A, B);
  }
  return test.finish();
}
