// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The grid covers only part of C; the rest must stay as it was.
//
// EXPECT-RUNTIME: any

#include "near_miss.h"

#pragma warpwright matmul
__global__ void partial_grid(const half *A, const half *B, float *C, int M,
                             int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void partial_flat(const half *A, const half *B, float *C, int M,
                             int N, int K) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M * N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[i / N * K + k]) * __half2float(B[k * N + i % N]);
  C[i] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N), D(M, N), E(M, N);
  A.integers(1);
  B.integers(2);
  partial_grid<<<dim3(3, 2), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M, N,
                                             K);
  near_miss::report("partial_grid", C);
  partial_grid<<<1, dim3(7, 5)>>>(A.data(), B.data(), D.data(), M, N, K);
  near_miss::report("partial_grid, one block", D);
  partial_flat<<<9, 100>>>(A.data(), B.data(), E.data(), M, N, K);
  near_miss::report("partial_flat", E);
  return 0;
}
