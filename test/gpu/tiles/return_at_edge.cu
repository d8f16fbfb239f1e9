// FORM: tiles: threads beyond the matrix return first, half sums set to zero
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grid ends where the matrix does, so that no thread returns. Clang stores
// the first sum's zero by itself, and those of the others in loops.

#include "check.h"

#define PAIR(x) (reinterpret_cast<half2 *>(&(x))[0])

template <int BM = 64, int BN = 64, int BK = 8, int TM = 4, int TN = 4>
#pragma warpwright matmul
__global__ void return_at_edge(half *a, half *b, half *c, int M, int N, int K) {
  __shared__ half tile_a[BM][BK], tile_b[BK][BN];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  const int am = tid / 4, ak = (tid % 4) * 2;
  const int bk = tid / 32, bn = (tid % 32) * 2;
  const int row = blockIdx.y * BM + am, col = blockIdx.x * BN + bn;
  if (row >= M || col >= N)
    return;
  half sums[TM][TN] = {__float2half(0.0f)};
  for (int t = 0; t < (K + BK - 1) / BK; ++t) {
    PAIR(tile_a[am][ak]) = PAIR(a[row * K + t * BK + ak]);
    PAIR(tile_b[bk][bn]) = PAIR(b[(t * BK + bk) * N + col]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          sums[i][j] = __hfma(tile_a[threadIdx.y * TM + i][k],
                              tile_b[k][threadIdx.x * TN + j], sums[i][j]);
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i) {
    const int m = blockIdx.y * BM + threadIdx.y * TM + i;
    for (int j = 0; j < TN; j += 2)
      PAIR(c[m * N + blockIdx.x * BN + threadIdx.x * TN + j]) =
          PAIR(sums[i][j]);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.setBound(1e-2);
  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{128, 64, 96},
                         check::Shape{192, 64, 8}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<half> C(s.m, s.n);
    A.random(1);
    B.random(2);
    return_at_edge<<<dim3(s.n / 64, s.m / 64), dim3(16, 16)>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("return_at_edge", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
