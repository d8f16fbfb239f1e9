// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second tile begins in the middle of the first.
//
// EXPECT: WW223

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void overlapping_tiles(const half *A, const half *B, float *C, int M,
                                  int N, int K) {
  extern __shared__ half pool[];
  half *As = pool, *Bs = pool + T * T / 2;
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {

    As[ty * T + tx] = A[row * K + k0 + tx];
    Bs[ty * T + tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty * T + k]) * __half2float(Bs[k * T + tx]);
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
  overlapping_tiles<<<dim3(N / 16, M / 16), dim3(16, 16),
                      2 * T * T * sizeof(half)>>>(A.data(), B.data(), C.data(),
                                                  M, N, K);
  near_miss::report("overlapping_tiles", C);
  return 0;
}
