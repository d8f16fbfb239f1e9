// FORM: WMMA: bfloat16 tiles in shared memory, strided fill with zeros beyond
// the matrices, one fragment a warp
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// K may be ragged, since the tiles are filled up with zeros; the result is
// stored in whole fragments.

#include "check.h"

#include <mma.h>

using namespace nvcuda;

constexpr int F = 16, BM = 32, BN = 32, BK = 16;
constexpr int DOWN = BM / F, ACROSS = BN / F;

#pragma warpwright matmul
__global__ void wmma_bfloat16_tiles(const __nv_bfloat16 *__restrict__ A,
                                    const __nv_bfloat16 *__restrict__ B,
                                    float *__restrict__ C, int M, int N,
                                    int K) {
  __shared__ __align__(32) __nv_bfloat16 As[BM][BK];
  __shared__ __align__(32) __nv_bfloat16 Bs[BK][BN];
  const int warp = threadIdx.x / 32;
  const int warpM = warp / ACROSS, warpN = warp % ACROSS;
  const int top = blockIdx.y * BM, left = blockIdx.x * BN;
  const int row = top + warpM * F, col = left + warpN * F;
  wmma::fragment<wmma::matrix_a, F, F, F, __nv_bfloat16, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, F, F, F, __nv_bfloat16, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, F, F, F, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = threadIdx.x; i < BM * BK; i += blockDim.x) {
      const int m = top + i / BK, k = k0 + i % BK;
      if (m < M && k < K)
        As[i / BK][i % BK] = A[m * K + k];
      else
        As[i / BK][i % BK] = __float2bfloat16(0.0f);
    }
    for (int i = threadIdx.x; i < BK * BN; i += blockDim.x) {
      const int k = k0 + i / BN, n = left + i % BN;
      if (k < K && n < N)
        Bs[i / BN][i % BN] = B[k * N + n];
      else
        Bs[i / BN][i % BN] = __float2bfloat16(0.0f);
    }
    __syncthreads();
    if (warpM < DOWN && warpN < ACROSS) {
      wmma::load_matrix_sync(a, &As[warpM * F][0], BK);
      wmma::load_matrix_sync(b, &Bs[0][warpN * F], BN);
      wmma::mma_sync(c, a, b, c);
    }
    __syncthreads();
  }
  if (row < M && col < N)
    wmma::store_matrix_sync(&C[row * N + col], c, N, wmma::mem_row_major);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{80, 48, 104},
                         check::Shape{48, 16, 37}, check::Shape{16, 16, 1}}) {
    check::Matrix<__nv_bfloat16> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    const dim3 grid(check::ceilDiv(s.n, BN), check::ceilDiv(s.m, BM));
    wmma_bfloat16_tiles<<<grid, DOWN * ACROSS * 32>>>(A.data(), B.data(),
                                                      C.data(), s.m, s.n, s.k);
    test.expect("wmma_bfloat16_tiles", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
