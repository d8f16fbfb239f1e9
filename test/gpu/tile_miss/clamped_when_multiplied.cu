// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of a tile are clamped when they are multiplied, its zeros too.
//
// EXPECT: WW310

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void clamped_when_multiplied(const half *A, const half *B, float *C,
                                        int M, int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const half zero = __float2half(0.0f);
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : zero;
    Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : zero;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += fmaxf(__half2float(As[ty][k]), 0.0f) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = sum;
}

int main() {
  const int M = 90, N = 75, K = 61;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  clamped_when_multiplied<<<dim3(5, 6), dim3(T, T)>>>(A.data(), B.data(),
                                                      C.data(), M, N, K);
  near_miss::report("clamped_when_multiplied", C);
  return 0;
}
