// FORM: WMMA: half operands from global memory, row major; float accumulator
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp computes 16 by 16 outputs.

#include "check.h"

#include <mma.h>

using namespace nvcuda;

#pragma warpwright matmul
__global__ void wmma_global(const half *A, const half *B, float *C, int M,
                            int N, int K) {
  const int m = blockIdx.y * 16, n = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + k * N + n, N);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}, check::Shape{16, 16, 16}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    wmma_global<<<dim3(s.n / 16, s.m / 16), 32>>>(A.data(), B.data(), C.data(),
                                                  s.m, s.n, s.k);
    test.expect("wmma_global", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
