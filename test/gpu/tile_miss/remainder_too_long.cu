// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile that is left over is summed to its full width.
//
// EXPECT: WW223

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void remainder_too_long(const half *A, const half *B, float *C,
                                   int M, int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K / T * T; k0 += T) {
    As[ty][tx] = A[row * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  const int rest = K % T, done = K - rest;
  if (rest > 0) {
    if (tx < rest)
      As[ty][tx] = A[row * K + done + tx];
    if (ty < rest)
      Bs[ty][tx] = B[(done + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
  }
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 50;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  remainder_too_long<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                             C.data(), M, N, K);
  near_miss::report("remainder_too_long", C);
  return 0;
}
