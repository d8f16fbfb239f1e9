// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written for two buffers, but there is one: the next tile is stored over the
// one that is multiplied.
//
// EXPECT: WW221

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void single_buffer_prefetch(const half *A, const half *B, float *C,
                                       int M, int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;

  As[ty][tx] = A[row * K + tx];
  Bs[ty][tx] = B[ty * N + col];
  __syncthreads();
  for (int t = 0; t < K / T; ++t) {
    if (t + 1 < K / T) {
      As[ty][tx] = A[row * K + (t + 1) * T + tx];
      Bs[ty][tx] = B[((t + 1) * T + ty) * N + col];
    }
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  single_buffer_prefetch<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(
      A.data(), B.data(), C.data(), M, N, K);
  near_miss::report("single_buffer_prefetch", C);
  return 0;
}
