// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Row and column of a warp's tile come from the same bit: two tiles are
// computed twice and added twice, two never.
//
// EXPECT: WW216

#include "../near_miss/near_miss.h"

#pragma warpwright matmul
__global__ void warps_share_a_tile(const half *A, const half *B, float *C,
                                   int M, int N, int K) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int row = blockIdx.y * 16 + warp % 2 * 8 + lane / 4;
  const int col = blockIdx.x * 16 + warp % 2 * 8 + lane % 4 * 2;
  float acc[2] = {};
  for (int k = 0; k < K; ++k)
    for (int j = 0; j < 2; ++j)
      acc[j] += __half2float(A[row * K + k]) * __half2float(B[k * N + col + j]);
  for (int j = 0; j < 2; ++j)
    C[row * N + col + j] += acc[j];
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  CUDA_CHECK(cudaMemset(C.data(), 0, sizeof(float) * M * N));
  warps_share_a_tile<<<dim3(N / 16, M / 16), 128>>>(A.data(), B.data(),
                                                    C.data(), M, N, K);
  near_miss::report("warps_share_a_tile", C);
  return 0;
}
