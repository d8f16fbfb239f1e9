// FORM: register tiles: warp tiles and lane maps by shifts and masks
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four warps, each with a tile of 16 by 32; the lane's place comes from
// shifts and masks.

#include "check.h"

constexpr int BM = 32, BN = 64, BK = 8;

#pragma warpwright matmul
__global__ void lane_map(const float *A, const float *B, float *C, int M, int N,
                         int K) {
  __shared__ float As[BK][BM], Bs[BK][BN];
  const int tid = threadIdx.x, warp = tid >> 5, lane = tid & 31;
  const int wm = (warp >> 1) << 4, wn = (warp & 1) << 5;
  const int lm = wm + ((lane >> 3) << 2), ln = wn + ((lane & 7) << 2);
  const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
  float acc[4][4] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int e = tid + (i << 7), r = e >> 3, c = e & 7;
      As[c][r] = m0 + r < M && k0 + c < K ? A[(m0 + r) * K + k0 + c] : 0.0f;
    }
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int e = tid + (i << 7), r = e >> 6, c = e & 63;
      Bs[r][c] = k0 + r < K && n0 + c < N ? B[(k0 + r) * N + n0 + c] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float a[4], b[4];
      for (int i = 0; i < 4; ++i) {
        a[i] = As[k][lm + i];
        b[i] = Bs[k][ln + i];
      }
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if (m0 + lm + i < M && n0 + ln + j < N)
        C[(m0 + lm + i) * N + n0 + ln + j] = acc[i][j];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    lane_map<<<dim3(check::ceilDiv(s.n, BN), check::ceilDiv(s.m, BM)), 128>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("lane_map", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
