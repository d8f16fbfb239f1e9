// FORM: WMMA: several warps a block, guard per warp tile, alpha and beta in
// an element-wise loop over frag.x[i]
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile comes from the warp's index; the old C is loaded as a fragment and
// combined element by element. Column-major operands.

#include "check.h"

#include <mma.h>

using namespace nvcuda;

const int WM = 16, WN = 16, WK = 16;

#pragma warpwright matmul
__global__ void wmma_warps(const half *a, const half *b, float *c, int M, int N,
                           int K, float alpha, float beta) {
  const int lda = M, ldb = K, ldc = M;
  const int warpM = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  const int warpN = blockIdx.y * blockDim.y + threadIdx.y;
  wmma::fragment<wmma::matrix_a, WM, WN, WK, half, wmma::col_major> fa;
  wmma::fragment<wmma::matrix_b, WM, WN, WK, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, WM, WN, WK, float> acc, old;
  wmma::fill_fragment(acc, 0.0f);
  for (int i = 0; i < K; i += WK) {
    const int row = warpM * WM, col = warpN * WN;
    if (row < M && i < K && col < N) {
      wmma::load_matrix_sync(fa, a + row + i * lda, lda);
      wmma::load_matrix_sync(fb, b + i + col * ldb, ldb);
      wmma::mma_sync(acc, fa, fb, acc);
    }
  }
  const int row = warpM * WM, col = warpN * WN;
  if (row < M && col < N) {
    wmma::load_matrix_sync(old, c + row + col * ldc, ldc, wmma::mem_col_major);
#pragma unroll
    for (int i = 0; i < old.num_elements; i++)
      old.x[i] = alpha * acc.x[i] + beta * old.x[i];
    wmma::store_matrix_sync(c + row + col * ldc, old, ldc, wmma::mem_col_major);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{80, 48, 96},
                         check::Shape{16, 16, 16}}) {
    check::Matrix<half> A(s.k, s.m), B(s.n, s.k);
    check::Matrix<float> C(s.n, s.m), before(s.n, s.m);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    const dim3 block(64, 4);
    const dim3 grid(check::ceilDiv(s.m, 32), check::ceilDiv(s.n, 64));
    wmma_warps<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k,
                                2.0f, 0.5f);
    check::Table sum = check::product(
        s, [&](int m, int k) { return A(k, m); },
        [&](int k, int n) { return B(n, k); });
    test.expect(
        "wmma_warps", s, C,
        [&](int n, int m) { return 2.0 * sum(m, n) + 0.5 * before(n, m); }, A,
        B);
  }
  return test.finish();
}
