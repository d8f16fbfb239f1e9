// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles beyond the diagonal are left out.
//
// EXPECT: WW216

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void triangular_tiles(const half *A, const half *B, float *C, int M,
                                 int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K && k0 <= blockIdx.y * T; k0 += T) {
    As[ty][tx] =
        row < M && k0 + tx < K ? A[row * K + k0 + tx] : __float2half(0.0f);
    Bs[ty][tx] =
        k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : __float2half(0.0f);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  triangular_tiles<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                           C.data(), M, N, K);
  near_miss::report("triangular_tiles", C);
  return 0;
}
