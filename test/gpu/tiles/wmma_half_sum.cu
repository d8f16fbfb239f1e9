// FORM: WMMA: half accumulator and half output
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The accumulator fragment is half.

#include "check.h"

#include <mma.h>

using namespace nvcuda;

#pragma warpwright matmul
__global__ void wmma_half_sum(const half *A, const half *B, half *C, int M,
                              int N, int K) {
  const int load_m = blockIdx.y * 16, load_n = blockIdx.x * 16;
  if (load_m >= M || load_n >= N)
    return;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> c;
  wmma::fill_fragment(c, __float2half(0.0f));
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  const int steps = (K + 15) / 16;
#pragma unroll
  for (int k = 0; k < steps; ++k) {
    wmma::load_matrix_sync(a, A + load_m * K + k * 16, K);
    wmma::load_matrix_sync(b, B + k * 16 * N + load_n, N);
    wmma::mma_sync(c, a, b, c);
    __syncwarp();
  }
  wmma::store_matrix_sync(C + load_m * N + load_n, c, N, wmma::mem_row_major);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.setBound(1e-2);
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<half> C(s.m, s.n);
    A.random(1);
    B.random(2);
    wmma_half_sum<<<dim3(s.n / 16, s.m / 16), 32>>>(A.data(), B.data(),
                                                    C.data(), s.m, s.n, s.k);
    test.expect("wmma_half_sum", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
