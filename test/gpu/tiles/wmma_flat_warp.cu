// FORM: WMMA: one-dimensional grid, a warp's tile by its number over the tiles
// of a row, early return
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warps of the last block without a tile leave at once.

#include "check.h"

#include <mma.h>

using namespace nvcuda;

constexpr int EDGE = 16;

#pragma warpwright matmul
__global__ void wmma_flat_warp(const half *A, const half *B, float *C, int M,
                               int N, int K, int lda, int ldb, int ldc) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  const int across = N / EDGE;
  const int y = warp / across, x = warp % across;
  if (y * EDGE >= M || x * EDGE >= N)
    return;
  wmma::fragment<wmma::matrix_a, EDGE, EDGE, EDGE, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, EDGE, EDGE, EDGE, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, EDGE, EDGE, EDGE, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int k = 0; k < K; k += EDGE) {
    const half *left = A + y * EDGE * lda + k;
    const half *right = B + k * ldb + x * EDGE;
    wmma::load_matrix_sync(a, left, lda);
    wmma::load_matrix_sync(b, right, ldb);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C + y * EDGE * ldc + x * EDGE, c, ldc,
                          wmma::mem_row_major);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{80, 48, 96},
                         check::Shape{16, 16, 16}}) {
    check::Matrix<half> A(s.m, s.k, s.k + 8), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n, s.n + 4);
    A.random(1);
    B.random(2);
    const int threads = s.m / EDGE * (s.n / EDGE) * 32;
    wmma_flat_warp<<<check::ceilDiv(threads, 128), 128>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k, A.pitch(), B.pitch(),
        C.pitch());
    test.expect("wmma_flat_warp", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
