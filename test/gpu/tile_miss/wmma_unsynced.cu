// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fragments are loaded from shared memory without a barrier behind the
// fill by two warps.
//
// EXPECT: WW221

#include "../near_miss/near_miss.h"

#include <mma.h>

using namespace nvcuda;

#pragma warpwright matmul
__global__ void wmma_unsynced(const half *A, const half *B, float *C, int M,
                              int N, int K) {
  __shared__ half As[32][16], Bs[16][16];
  const int m = blockIdx.y * 32, n = blockIdx.x * 16, warp = threadIdx.x / 32;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int k = 0; k < K; k += 16) {
    for (int i = threadIdx.x; i < 512; i += 64)
      As[i / 16][i % 16] = A[(m + i / 16) * K + k + i % 16];
    for (int i = threadIdx.x; i < 256; i += 64)
      Bs[i / 16][i % 16] = B[(k + i / 16) * N + n + i % 16];
    __syncwarp();
    wmma::load_matrix_sync(a, &As[warp * 16][0], 16);
    wmma::load_matrix_sync(b, &Bs[0][0], 16);
    wmma::mma_sync(c, a, b, c);
    __syncthreads();
  }
  wmma::store_matrix_sync(&C[(m + warp * 16) * N + n], c, N,
                          wmma::mem_row_major);
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  wmma_unsynced<<<dim3(N / 16, M / 32), 64>>>(A.data(), B.data(), C.data(), M,
                                              N, K);
  near_miss::report("wmma_unsynced", C);
  return 0;
}
