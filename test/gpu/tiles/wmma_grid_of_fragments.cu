// FORM: WMMA: arrays of fragments, two by two a warp, operands from shared
// memory, double-buffered int4 fill
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of four warps computes 64 by 64; each warp has two by two
// fragments.

#include "check.h"

#include <mma.h>

using namespace nvcuda;

constexpr int BM = 64, BN = 64, BK = 16;

#pragma warpwright matmul
__global__ void wmma_grid_of_fragments(const half *A, const half *B, float *C,
                                       int N, int K) {
  __shared__ __align__(32) half As[2][BM][BK], Bs[2][BK][BN];
  const int tid = threadIdx.x, warp = tid / 32;
  const int wm = warp / 2 * 32, wn = warp % 2 * 32;
  const int ar = tid / 2, ac = tid % 2 * 8, br = tid / 8, bc = tid % 8 * 8;
  const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[2];
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[2];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[2][2];
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::fill_fragment(c[i][j], 0.0f);
  *(int4 *)&As[0][ar][ac] = *(const int4 *)&A[(m0 + ar) * K + ac];
  *(int4 *)&Bs[0][br][bc] = *(const int4 *)&B[br * N + n0 + bc];
  __syncthreads();
  const int steps = K / BK;
  for (int t = 0; t < steps; ++t) {
    const int now = t & 1, next = now ^ 1;
    if (t + 1 < steps) {
      *(int4 *)&As[next][ar][ac] =
          *(const int4 *)&A[(m0 + ar) * K + (t + 1) * BK + ac];
      *(int4 *)&Bs[next][br][bc] =
          *(const int4 *)&B[((t + 1) * BK + br) * N + n0 + bc];
    }
    for (int i = 0; i < 2; ++i)
      wmma::load_matrix_sync(a[i], &As[now][wm + i * 16][0], BK);
    for (int j = 0; j < 2; ++j)
      wmma::load_matrix_sync(b[j], &Bs[now][0][wn + j * 16], BN);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        wmma::mma_sync(c[i][j], a[i], b[j], c[i][j]);
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j)
      wmma::store_matrix_sync(&C[(m0 + wm + i * 16) * N + n0 + wn + j * 16],
                              c[i][j], N, wmma::mem_row_major);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{128, 64, 96},
                         check::Shape{64, 64, 16}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    wmma_grid_of_fragments<<<dim3(s.n / BN, s.m / BM), 128>>>(
        A.data(), B.data(), C.data(), s.n, s.k);
    test.expect("wmma_grid_of_fragments", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
