// FORM: register tiles: rows per thread, strided by the block's rows; tiles
// transposed on the way in
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each of 8 thread rows owns four rows of the tile, eight apart.

#include "check.h"

constexpr int BM = 32, BN = 32, BK = 32;

#pragma warpwright matmul
__global__ void rows_per_thread(const half *A, const half *W, half *Y, int M,
                                int N, int K) {
  __shared__ half As[BM][BK + 2], Ws[BK][BN + 2];
  const int x = threadIdx.x, y = threadIdx.y;
  float acc[4] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = 0; i < 4; ++i) {
      const int r = y + 8 * i;
      const int am = blockIdx.y * BM + r, wn = blockIdx.x * BN + r, k = k0 + x;
      As[r][x] = am < M && k < K ? A[am * K + k] : __float2half(0.0f);
      Ws[x][r] = wn < N && k < K ? W[wn * K + k] : __float2half(0.0f);
    }
    __syncthreads();
    for (int k = 0; k < BK; ++k) {
      const float w = __half2float(Ws[k][x]);
      for (int i = 0; i < 4; ++i)
        acc[i] += __half2float(As[y + 8 * i][k]) * w;
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i) {
    const int row = blockIdx.y * BM + y + 8 * i, col = blockIdx.x * BN + x;
    if (row < M && col < N)
      Y[row * N + col] = __float2half(acc[i]);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.n, s.k);
    check::Matrix<half> C(s.m, s.n);
    A.random(1);
    B.random(2);
    rows_per_thread<<<dim3(check::ceilDiv(s.n, BN), check::ceilDiv(s.m, BM)),
                      dim3(32, 8)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                     s.k);
    test.expect("rows_per_thread", s, C,
                check::product(s, A, [&](int k, int n) { return B(n, k); }), A,
                B);
  }
  return test.finish();
}
