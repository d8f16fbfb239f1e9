// FORM: warp tiles in two buffers: an offset into each that changes sides by
// 1 - side, the last tile after the loop
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helper functions bring a tile into the side that they are given and multiply
// one; the pointers advance with the loop.

#include "check.h"

const int LANES = 32;

namespace sides {
template <int BM, int BN, int BK, int aStep, int bStep>
__device__ void bring(int N, int K, const float *A, const float *B, float *sA,
                      float *sB, int aRow, int aCol, int bRow, int bCol) {
  for (unsigned r = 0; r + aStep <= BM; r += aStep) {
    const float4 v =
        *reinterpret_cast<const float4 *>(&A[(aRow + r) * K + aCol * 4]);
    sA[(aCol * 4 + 0) * BM + aRow + r] = v.x;
    sA[(aCol * 4 + 1) * BM + aRow + r] = v.y;
    sA[(aCol * 4 + 2) * BM + aRow + r] = v.z;
    sA[(aCol * 4 + 3) * BM + aRow + r] = v.w;
  }
  for (unsigned r = 0; r + bStep <= BK; r += bStep)
    *reinterpret_cast<float4 *>(&sB[(bRow + r) * BN + bCol * 4]) =
        *reinterpret_cast<const float4 *>(&B[(bRow + r) * N + bCol * 4]);
}

template <int BM, int BN, int BK, int WM, int WN, int PM, int PN, int TM,
          int TN>
__device__ void multiply(float *left, float *right, float *acc, const float *sA,
                         const float *sB, unsigned warpRow, unsigned warpCol,
                         unsigned laneRow, unsigned laneCol) {
  constexpr int SM = WM / PM, SN = WN / PN;
  for (unsigned k = 0; k < BK; ++k) {
    for (unsigned p = 0; p < PM; ++p)
      for (unsigned i = 0; i < TM; ++i)
        left[p * TM + i] =
            sA[k * BM + warpRow * WM + p * SM + laneRow * TM + i];
    for (unsigned q = 0; q < PN; ++q)
      for (unsigned j = 0; j < TN; ++j)
        right[q * TN + j] =
            sB[k * BN + warpCol * WN + q * SN + laneCol * TN + j];
    for (unsigned p = 0; p < PM; ++p)
      for (unsigned q = 0; q < PN; ++q)
        for (unsigned i = 0; i < TM; ++i)
          for (unsigned j = 0; j < TN; ++j)
            acc[(p * TM + i) * (PN * TN) + q * TN + j] +=
                left[p * TM + i] * right[q * TN + j];
  }
}
} // namespace sides

#pragma warpwright matmul
template <int BM, int BN, int BK, int WM, int WN, int PN, int TM, int TN,
          int THREADS>
__global__ void __launch_bounds__(THREADS)
    warp_tiles_buffered(int M, int N, int K, float alpha, const float *A,
                        const float *B, float beta, float *C) {
  const unsigned warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;
  const unsigned warpCol = warp % (BN / WN), warpRow = warp / (BN / WN);
  constexpr unsigned PM = (WM * WN) / (LANES * TM * TN * PN);
  constexpr unsigned SM = WM / PM, SN = WN / PN;
  const unsigned laneCol = lane % (SN / TN), laneRow = lane / (SN / TN);
  __shared__ float sA[2 * BM * BK];
  __shared__ float sB[2 * BK * BN];
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN;
  C += (blockIdx.y * BM + warpRow * WM) * N + blockIdx.x * BN + warpCol * WN;
  const unsigned aRow = threadIdx.x / (BK / 4), aCol = threadIdx.x % (BK / 4);
  constexpr unsigned aStep = THREADS * 4 / BK;
  const unsigned bRow = threadIdx.x / (BN / 4), bCol = threadIdx.x % (BN / 4);
  constexpr unsigned bStep = THREADS / (BN / 4);
  float acc[PM * TM * PN * TN] = {0.0f};
  float left[PM * TM] = {0.0f}, right[PN * TN] = {0.0f};
  int aSide = 0, bSide = 0;
  sides::bring<BM, BN, BK, aStep, bStep>(N, K, A, B, sA + aSide * BM * BK,
                                         sB + bSide * BK * BN, aRow, aCol, bRow,
                                         bCol);
  __syncthreads();
  for (unsigned k0 = 0; k0 < K - BK; k0 += BK) {
    sides::bring<BM, BN, BK, aStep, bStep>(
        N, K, A + BK, B + BK * N, sA + (1 - aSide) * BM * BK,
        sB + (1 - bSide) * BK * BN, aRow, aCol, bRow, bCol);
    sides::multiply<BM, BN, BK, WM, WN, PM, PN, TM, TN>(
        left, right, acc, sA + aSide * BM * BK, sB + bSide * BK * BN, warpRow,
        warpCol, laneRow, laneCol);
    A += BK;
    B += BK * N;
    __syncthreads();
    aSide = 1 - aSide;
    bSide = 1 - bSide;
  }
  sides::multiply<BM, BN, BK, WM, WN, PM, PN, TM, TN>(
      left, right, acc, sA + aSide * BM * BK, sB + bSide * BK * BN, warpRow,
      warpCol, laneRow, laneCol);
  for (unsigned p = 0; p < PM; ++p)
    for (unsigned q = 0; q < PN; ++q) {
      float *part = C + p * SM * N + q * SN;
      for (unsigned i = 0; i < TM; ++i)
        for (unsigned j = 0; j < TN; j += 4) {
          float4 *out = reinterpret_cast<float4 *>(
              &part[(laneRow * TM + i) * N + laneCol * TN + j]);
          const float *sum = &acc[(p * TM + i) * (PN * TN) + q * TN + j];
          float4 c = *out;
          c.x = alpha * sum[0] + beta * c.x;
          c.y = alpha * sum[1] + beta * c.y;
          c.z = alpha * sum[2] + beta * c.z;
          c.w = alpha * sum[3] + beta * c.w;
          *out = c;
        }
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 64, 64}, check::Shape{128, 192, 80},
                         check::Shape{64, 64, 16}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    warp_tiles_buffered<64, 64, 16, 32, 32, 2, 4, 4, 128>
        <<<dim3(s.n / 64, s.m / 64), 128>>>(s.m, s.n, s.k, 2.0f, A.data(),
                                            B.data(), -1.0f, C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "warp_tiles_buffered", s, C,
        [&](int m, int n) { return 2.0 * sum(m, n) - before(m, n); }, A, B);
  }
  return test.finish();
}
