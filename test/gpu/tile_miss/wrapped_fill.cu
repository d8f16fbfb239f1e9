// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fill loop runs one row further than the tile and wraps around: the
// first row is stored twice, with different elements.
//
// EXPECT: WW223

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void wrapped_fill(const half *A, const half *B, float *C, int M,
                             int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int tid = ty * T + tx;
  float acc = 0.0f;

  for (int k0 = 0; k0 < K; k0 += T) {
    for (int i = tid; i < T * T + T; i += T * T)
      As[i / T % T][i % T] = A[(blockIdx.y * T + i / T) * K + k0 + i % T];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M + 1, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  wrapped_fill<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                       C.data(), M, N, K);
  near_miss::report("wrapped_fill", C);
  return 0;
}
