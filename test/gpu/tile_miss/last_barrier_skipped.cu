// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block walks over tiles of C. The barrier behind the last product of one
// is left out, so that the next one's first fill overtakes it.
//
// EXPECT: WW221

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void last_barrier_skipped(const half *A, const half *B, float *C,
                                     int M, int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int across = N / T;
  for (int tile = blockIdx.x; tile < M / T * across; tile += gridDim.x) {
    const int row = tile / across * T + ty, col = tile % across * T + tx;
    float acc = 0.0f;
    for (int k0 = 0; k0 < K; k0 += T) {
      As[ty][tx] = A[row * K + k0 + tx];
      Bs[ty][tx] = B[(k0 + ty) * N + col];
      __syncthreads();
      for (int k = 0; k < T; ++k)
        acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
      if (k0 + T < K)
        __syncthreads();
    }
    C[row * N + col] = acc;
  }
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  last_barrier_skipped<<<4, dim3(16, 16)>>>(A.data(), B.data(), C.data(), M, N,
                                            K);
  near_miss::report("last_barrier_skipped", C);
  return 0;
}
