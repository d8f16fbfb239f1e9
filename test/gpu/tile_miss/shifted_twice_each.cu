// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two columns of a row are shifted to one place.
//
// EXPECT: WW223

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void shifted_twice_each(const half *A, const half *B, float *C, int M,
    int N, int K) {
  __shared__ half As[T][T + 16], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][(2 * tx + ty) % T] = A[row * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][(2 * k + ty) % T]) * __half2float(Bs[k][tx]);
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
  shifted_twice_each<<<dim3(N / T, M / T), dim3(T, T)>>>(A.data(), B.data(), C.data(), M, N, K);
  near_miss::report("shifted_twice_each", C);
  return 0;
}
