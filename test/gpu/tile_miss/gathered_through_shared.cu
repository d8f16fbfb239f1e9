// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order of the rows lies in shared memory.
//
// EXPECT: WW204

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void gathered_through_shared(const half *A, const half *B, float *C,
                                        const int *list, int M, int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  __shared__ int order[T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  if (ty == 0)
    order[tx] = list[blockIdx.y * T + tx];
  __syncthreads();
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = A[order[ty] * K + k0 + tx];
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
  check::Matrix<int> list(1, M);
  A.integers(1);
  B.integers(2);
  for (int m = 0; m < M; ++m)
    list.set(0, m, (m * 37 + 5) % M);
  list.upload();
  gathered_through_shared<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(
      A.data(), B.data(), C.data(), list.data(), M, N, K);
  near_miss::report("gathered_through_shared", C);
  return 0;
}
