// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two layers of threads bring tiles of two products of a batch to the same
// place.
//
// EXPECT: WW223

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void layers_share_tiles(const half *A, const half *B, float *C,
                                   int M, int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int layer = blockIdx.z * 2 + threadIdx.z;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = A[layer * M * K + row * K + k0 + tx];
    Bs[ty][tx] = B[layer * K * N + (k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  C[(layer * M + row) * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(2 * M, K), B(2 * K, N);
  check::Matrix<float> C(2 * M, N);
  A.integers(1);
  B.integers(2);
  layers_share_tiles<<<dim3(N / 16, M / 16), dim3(16, 16, 2)>>>(
      A.data(), B.data(), C.data(), M, N, K);
  near_miss::report("layers_share_tiles", C);
  return 0;
}
