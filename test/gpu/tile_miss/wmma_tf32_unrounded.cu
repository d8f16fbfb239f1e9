// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of A are rounded to tf32, those of B are not: PTX leaves open what
// the product makes of the rest of their bits.
//
// EXPECT: WW215

#include "../near_miss/near_miss.h"

#include <mma.h>

using namespace nvcuda;

#pragma warpwright matmul
__global__ void wmma_tf32_unrounded(const float *A, const float *B, float *C,
                                    int N, int K) {
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
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<float> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  wmma_tf32_unrounded<<<dim3(N / 16, M / 16), 32>>>(A.data(), B.data(),
                                                    C.data(), N, K);
  near_miss::report("wmma_tf32_unrounded", C);
  return 0;
}
