// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads are clamped, the store is not guarded: columns beyond N run into the
// next row.
//
// EXPECT: WW204

#include "../near_miss/near_miss.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void store_beyond_rows(const half *A, const half *B, float *C, int M,
                                  int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int r = min(row, M - 1), c = min(col, N - 1);
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = A[r * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + c];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  if (row < M)
    C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 72, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  store_beyond_rows<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(),
                                                  M, N, K);
  near_miss::report("store_beyond_rows", C);
  return 0;
}
