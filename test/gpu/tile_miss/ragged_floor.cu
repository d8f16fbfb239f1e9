// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole tiles only, and K is no multiple of the tile: the last terms are left
// out.
//
// EXPECT-RUNTIME: any

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void ragged_floor(const half *A, const half *B, float *C, int M,
                             int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int t = 0; t < K / T; ++t) {
    As[ty][tx] = A[row * K + t * T + tx];
    Bs[ty][tx] = B[(t * T + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 56;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  ragged_floor<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                       C.data(), M, N, K);
  near_miss::report("ragged_floor", C);
  return 0;
}
