// FORM: WMMA: warp number by warpSize, all four bounds guarded in the loop,
// the sum added to one matrix and stored to another
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The old values come from C and the result goes to D; both are row major, B
// is read along k.

#include "check.h"

#include <mma.h>

using namespace nvcuda;

#define WM 16
#define WN 16
#define WK 16

#pragma warpwright matmul
__global__ void wmma_separate_output(half *a, half *b, float *c, float *d,
                                     int rows, int cols, int depth, float alpha,
                                     float beta) {
  int lda = depth, ldb = depth, ldc = cols;
  int warpM = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  int warpN = (blockIdx.y * blockDim.y + threadIdx.y);
  wmma::fragment<wmma::matrix_a, WM, WN, WK, half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, WM, WN, WK, half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, WM, WN, WK, float> sum;
  wmma::fragment<wmma::accumulator, WM, WN, WK, float> out;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < depth; k += WK) {
    int aRow = warpM * WM, aCol = k, bRow = k, bCol = warpN * WN;
    if (aRow < rows && aCol < depth && bRow < depth && bCol < cols) {
      wmma::load_matrix_sync(left, a + aCol + aRow * lda, lda);
      wmma::load_matrix_sync(right, b + bRow + bCol * ldb, ldb);
      wmma::mma_sync(sum, left, right, sum);
    }
  }
  int row = warpM * WM, col = warpN * WN;
  if (row < rows && col < cols) {
    wmma::load_matrix_sync(out, c + col + row * ldc, ldc, wmma::mem_row_major);
    for (int i = 0; i < out.num_elements; i++)
      out.x[i] = alpha * sum.x[i] + beta * out.x[i];
    wmma::store_matrix_sync(d + col + row * ldc, out, ldc, wmma::mem_row_major);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{80, 48, 96},
                         check::Shape{16, 16, 16}}) {
    check::Matrix<half> A(s.m, s.k), B(s.n, s.k);
    check::Matrix<float> C(s.m, s.n), D(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    dim3 block(64, 2), grid;
    grid.x = (s.m + (WM * block.x / 32 - 1)) / (WM * block.x / 32);
    grid.y = (s.n + WN * block.y - 1) / (WN * block.y);
    wmma_separate_output<<<grid, block>>>(A.data(), B.data(), C.data(),
                                          D.data(), s.m, s.n, s.k, 0.5f, 2.0f);
    check::Table sum =
        check::product(s, A, [&](int k, int n) { return B(n, k); });
    test.expect(
        "wmma_separate_output", s, D,
        [&](int m, int n) { return 0.5 * sum(m, n) + 2.0 * C(m, n); }, A, B, C);
  }
  return test.finish();
}
