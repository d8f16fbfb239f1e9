// FORM: WMMA: arrays of fragments from flat tiles in shared memory, float4
// fill by a helper that both operands share, several k steps a tile
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// B is read along k, so one helper fills both tiles. Four warps, each with two
// by two fragments.

#include "check.h"

#include <mma.h>

using namespace nvcuda;

template <int ROWS, int DEPTH, int THREADS>
__device__ void fillRows(const half *from, half *tile, int pitch,
                         unsigned tid) {
  constexpr unsigned across = DEPTH / 8;
#pragma unroll
  for (int i = 0; i < ROWS * DEPTH / 8 / THREADS; ++i) {
    const unsigned at = tid + i * THREADS;
    const unsigned row = at / across, col = at % across;
    const float4 v =
        reinterpret_cast<const float4 *>(&from[row * pitch + col * 8])[0];
    reinterpret_cast<float4 *>(&tile[row * DEPTH + col * 8])[0] = v;
  }
}

#pragma warpwright matmul
template <int BM, int BN, int BK, int WM, int WN>
__global__ void wmma_shared_fragments(int N, int K, const half *A,
                                      const half *B, float *C) {
  constexpr int F = 16, DOWN = WM / F, ACROSS = WN / F;
  constexpr int THREADS = BM / WM * (BN / WN) * 32;
  __shared__ __align__(32) half As[BM * BK];
  __shared__ __align__(32) half Bs[BN * BK];
  const unsigned tid = threadIdx.x, warp = tid / 32;
  const unsigned down = warp / (BN / WN), across = warp % (BN / WN);
  A += blockIdx.y * BM * K;
  B += blockIdx.x * BN * K;
  C += blockIdx.y * BM * N + blockIdx.x * BN;
  wmma::fragment<wmma::accumulator, F, F, F, float> acc[DOWN][ACROSS];
#pragma unroll
  for (int m = 0; m < DOWN; ++m)
#pragma unroll
    for (int n = 0; n < ACROSS; ++n)
      wmma::fill_fragment(acc[m][n], 0.0f);
  for (int k0 = 0; k0 < K; k0 += BK) {
    fillRows<BM, BK, THREADS>(A, As, K, tid);
    fillRows<BN, BK, THREADS>(B, Bs, K, tid);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; k += F) {
      wmma::fragment<wmma::matrix_a, F, F, F, half, wmma::row_major> a[DOWN];
#pragma unroll
      for (int m = 0; m < DOWN; ++m)
        wmma::load_matrix_sync(a[m], &As[(down * WM + m * F) * BK + k], BK);
      wmma::fragment<wmma::matrix_b, F, F, F, half, wmma::col_major> b[ACROSS];
#pragma unroll
      for (int n = 0; n < ACROSS; ++n)
        wmma::load_matrix_sync(b[n], &Bs[(across * WN + n * F) * BK + k], BK);
#pragma unroll
      for (int m = 0; m < DOWN; ++m)
#pragma unroll
        for (int n = 0; n < ACROSS; ++n)
          wmma::mma_sync(acc[m][n], a[m], b[n], acc[m][n]);
    }
    __syncthreads();
    A += BK;
    B += BK;
  }
#pragma unroll
  for (int m = 0; m < DOWN; ++m)
#pragma unroll
    for (int n = 0; n < ACROSS; ++n)
      wmma::store_matrix_sync(C + (down * WM + m * F) * N + across * WN + n * F,
                              acc[m][n], N, wmma::mem_row_major);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{128, 64, 96},
                         check::Shape{64, 64, 32}}) {
    check::Matrix<half> A(s.m, s.k), B(s.n, s.k);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    wmma_shared_fragments<64, 64, 32, 32, 32>
        <<<dim3(s.n / 64, s.m / 64), 128>>>(s.n, s.k, A.data(), B.data(),
                                            C.data());
    check::Table sum =
        check::product(s, A, [&](int k, int n) { return B(n, k); });
    test.expect("wmma_shared_fragments", s, C, sum, A, B);
  }
  return test.finish();
}
