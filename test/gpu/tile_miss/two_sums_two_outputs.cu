// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three tiles, two sums, and an output for each.
//
// EXPECT: WW308

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void two_sums_two_outputs(const half *A, const half *B,
                                     const half *D, float *C, float *E, int M,
                                     int N, int K) {
  __shared__ half As[T][T], Bs[T][T], Ds[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const half zero = __float2half(0.0f);
  float first = 0.0f, second = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : zero;
    const bool in = k0 + ty < K && col < N;
    Bs[ty][tx] = in ? B[(k0 + ty) * N + col] : zero;
    Ds[ty][tx] = in ? D[(k0 + ty) * N + col] : zero;
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      first += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
      second += __half2float(As[ty][k]) * __half2float(Ds[k][tx]);
    }
    __syncthreads();
  }
  if (row < M && col < N) {
    C[row * N + col] = first;
    E[row * N + col] = second - first;
  }
}

int main() {
  const int M = 90, N = 75, K = 61;
  check::Matrix<half> A(M, K), B(K, N), D(K, N);
  check::Matrix<float> C(M, N), E(M, N);
  A.integers(1);
  B.integers(2);
  D.integers(3);
  two_sums_two_outputs<<<dim3(5, 6), dim3(T, T)>>>(A.data(), B.data(), D.data(),
                                                   C.data(), E.data(), M, N, K);
  near_miss::report("two_sums_two_outputs", C);
  near_miss::report("two_sums_two_outputs", E);
  return 0;
}
