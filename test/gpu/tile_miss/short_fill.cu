// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fill loop for B ends at half of the tile.
//
// EXPECT: WW223

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void short_fill(const half *A, const half *B, float *C, int M, int N,
                           int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int tid = ty * T + tx;
  float acc = 0.0f;

  for (int k0 = 0; k0 < K; k0 += T) {
    for (int i = tid; i < T * T; i += T * T)
      As[i / T][i % T] = A[(blockIdx.y * T + i / T) * K + k0 + i % T];
    for (int i = tid; i < T * T / 2; i += T * T)
      Bs[i / T][i % T] = B[(k0 + i / T) * N + blockIdx.x * T + i % T];
    __syncthreads();
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
  short_fill<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                     C.data(), M, N, K);
  near_miss::report("short_fill", C);
  return 0;
}
