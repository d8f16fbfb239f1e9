// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float operands are rounded to half in the tile.
//
// EXPECT: WW310

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void rounded_tile(const float *A, const float *B, float *C, int M,
                             int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K ? __float2half(A[row * K + k0 + tx])
                                        : __float2half(0.0f);
    Bs[ty][tx] = k0 + ty < K && col < N ? __float2half(B[(k0 + ty) * N + col])
                                        : __float2half(0.0f);
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
  check::Matrix<float> A(M, K), B(K, N), C(M, N);
  A.random(1);
  B.random(2);
  rounded_tile<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(A.data(), B.data(),
                                                       C.data(), M, N, K);
  near_miss::report("rounded_tile", C);
  return 0;
}
