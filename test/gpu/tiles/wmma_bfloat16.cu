// FORM: WMMA: bfloat16, B column major (weights along k), frag.x scaled in
// the epilogue
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The weights are transposed in memory, which a col_major fragment reads.

#include "check.h"

#include <mma.h>

using namespace nvcuda;

#pragma warpwright matmul
__global__ void wmma_bfloat16(const __nv_bfloat16 *X, const __nv_bfloat16 *W,
                              float *Y, int N, int K, float scale) {
  const int warp = threadIdx.x / 32;
  const int m = blockIdx.y * 64 + warp * 16, n = blockIdx.x * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> y;
  wmma::fill_fragment(y, 0.0f);
  for (int k = 0; k < K / 16; ++k) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __nv_bfloat16, wmma::row_major>
        x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __nv_bfloat16, wmma::col_major>
        w;
    wmma::load_matrix_sync(x, &X[m * K + k * 16], K);
    wmma::load_matrix_sync(w, &W[n * K + k * 16], K);
    wmma::mma_sync(y, x, w, y);
  }
  for (int i = 0; i < y.num_elements; ++i)
    y.x[i] = fmaxf(y.x[i] * scale, 0.0f);
  wmma::store_matrix_sync(&Y[m * N + n], y, N, wmma::mem_row_major);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 32, 96},
                         check::Shape{64, 16, 16}}) {
    check::Matrix<__nv_bfloat16> A(s.m, s.k), B(s.n, s.k);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    wmma_bfloat16<<<dim3(s.n / 16, s.m / 64), 128>>>(A.data(), B.data(),
                                                     C.data(), s.n, s.k, 0.25f);
    check::Table sum =
        check::product(s, A, [&](int k, int n) { return B(n, k); });
    test.expect(
        "wmma_bfloat16", s, C,
        [&](int m, int n) { return std::fmax(0.25 * sum(m, n), 0.0); }, A, B);
  }
  return test.finish();
}
