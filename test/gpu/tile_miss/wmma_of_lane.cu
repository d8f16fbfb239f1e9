// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each lane adds its number to its elements of the fragment.
//
// EXPECT: WW215

#include "../near_miss/near_miss.h"

#include <mma.h>

using namespace nvcuda;

#pragma warpwright matmul
__global__ void wmma_of_lane(const half *A, const half *B, float *C, int M,
                             int N, int K) {
  const int m = blockIdx.y * 16, n = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c, d;
  wmma::fill_fragment(c, 0.0f);
  wmma::fill_fragment(d, 0.0f);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + k * N + n, N);
    wmma::mma_sync(c, a, b, c);
  }
  for (int i = 0; i < c.num_elements; ++i)
    c.x[i] += threadIdx.x;
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  wmma_of_lane<<<dim3(N / 16, M / 16), 32>>>(A.data(), B.data(), C.data(), M, N,
                                             K);
  near_miss::report("wmma_of_lane", C);
  return 0;
}
