// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two column tiles per tile of A; the barrier behind the first one's product
// is missing.
//
// EXPECT: WW221

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void coarse_one_barrier(const half *A, const half *B, float *C,
                                   int M, int N, int K) {
  __shared__ half As[T][T], Bs[T][T];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, first = blockIdx.x * 2 * T + tx;
  float sums[2] = {0.0f, 0.0f};
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = A[row * K + k0 + tx];
    for (int c = 0; c < 2; ++c) {
      Bs[ty][tx] = B[(k0 + ty) * N + first + c * T];
      __syncthreads();
      for (int k = 0; k < T; ++k)
        sums[c] += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    }
    __syncthreads();
  }
  C[row * N + first] = sums[0];
  C[row * N + first + T] = sums[1];
}

int main() {
  const int M = 96, N = 96, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  coarse_one_barrier<<<dim3(N / 32, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                             C.data(), M, N, K);
  near_miss::report("coarse_one_barrier", C);
  return 0;
}
