// FORM: WMMA: tf32 from float, rounded by __float_to_tf32 in a loop over
// frag.x
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float matrices; the fragments are rounded to tf32 by hand.

#include "check.h"

#include <mma.h>

using namespace nvcuda;

#pragma warpwright matmul
__global__ void wmma_tf32(const float *A, const float *B, float *C, int N,
                          int K) {
  const int m = blockIdx.y * 16, n = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 8, wmma::precision::tf32,
                 wmma::row_major>
      a;
  wmma::fragment<wmma::matrix_b, 16, 16, 8, wmma::precision::tf32,
                 wmma::row_major>
      b;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int k = 0; k < K; k += 8) {
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + k * N + n, N);
    for (int i = 0; i < a.num_elements; ++i)
      a.x[i] = wmma::__float_to_tf32(a.x[i]);
    for (int i = 0; i < b.num_elements; ++i)
      b.x[i] = wmma::__float_to_tf32(b.x[i]);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.setBound(1e-3);
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}, check::Shape{16, 16, 8}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    wmma_tf32<<<dim3(s.n / 16, s.m / 16), 32>>>(A.data(), B.data(), C.data(),
                                                s.n, s.k);
    test.expect("wmma_tf32", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
