// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fill loop steps by twice the number of threads, so that every other row
// stays empty.
//
// EXPECT: WW216

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void wide_step(const half *A, const half *B, float *C, int M, int N,
                          int K) {
  __shared__ half As[2 * T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * T + tx;
  const int row = blockIdx.y * 2 * T + ty, col = blockIdx.x * T + tx;
  float upper = 0.0f, lower = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int i = tid; i < 2 * T * T; i += 2 * T * T)
      As[i / T][i % T] = A[(blockIdx.y * 2 * T + i / T) * K + k0 + i % T];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      upper += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
      lower += __half2float(As[ty + T][k]) * __half2float(Bs[k][tx]);
    }
    __syncthreads();
  }
  C[row * N + col] = upper;
  C[(row + T) * N + col] = lower;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  wide_step<<<dim3(N / 16, M / 32), dim3(16, 16)>>>(A.data(), B.data(),
                                                    C.data(), M, N, K);
  near_miss::report("wide_step", C);
  return 0;
}
