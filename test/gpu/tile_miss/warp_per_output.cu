// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp for an output, whose lanes add up their sums by shuffles; but lanes 2,
// 3, 6, 7 and so on are not counted.
//
// EXPECT: WW204

#include "../near_miss/near_miss.h"

#pragma warpwright matmul
__global__ void warp_per_output(const half *A, const half *B, float *C, int M,
                                int N, int K) {
  const int row = blockIdx.y, col = blockIdx.x;
  float acc = 0.0f;
  for (int k = threadIdx.x; k < K; k += 32)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  for (int s = 16; s > 2; s /= 2)
    acc += __shfl_down_sync(0xffffffffu, acc, s);
  acc += __shfl_down_sync(0xffffffffu, acc, 1);
  if (threadIdx.x == 0)
    C[row * N + col] = acc;
}

int main() {
  const int M = 24, N = 20, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  warp_per_output<<<dim3(N, M), 32>>>(A.data(), B.data(), C.data(), M, N, K);
  near_miss::report("warp_per_output", C);
  return 0;
}
