// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two buffers, and the one is read that was filled last: the first tile is
// never multiplied, the last one twice or a stale one.
//
// EXPECT: WW223

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void wrong_parity(const half *A, const half *B, float *C, int M,
                             int N, int K) {
  __shared__ half As[2][T][T], Bs[2][T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;

  As[0][ty][tx] = A[row * K + tx];
  Bs[0][ty][tx] = B[ty * N + col];
  __syncthreads();
  for (int t = 0; t < K / T; ++t) {
    const int next = (t + 1) & 1;
    if (t + 1 < K / T) {
      As[next][ty][tx] = A[row * K + (t + 1) * T + tx];
      Bs[next][ty][tx] = B[((t + 1) * T + ty) * N + col];
    }
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[next][ty][k]) * __half2float(Bs[next][k][tx]);
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
  wrong_parity<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                       C.data(), M, N, K);
  near_miss::report("wrong_parity", C);
  return 0;
}
