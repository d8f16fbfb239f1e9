// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slices of k, added up with atomics.
//
// EXPECT: WW210

#include "near_miss.h"

#pragma warpwright matmul
__global__ void atomics(const half *A, const half *B, float *C, int M, int N,
                        int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  int slice = K / gridDim.z;
  float acc = 0.0f;
  for (int k = blockIdx.z * slice; k < (blockIdx.z + 1) * slice; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  atomicAdd(&C[row * N + col], acc);
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  C.integers(3);
  atomics<<<dim3(5, 6, 4), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M, N,
                                           K);
  near_miss::report("atomics", C);
  return 0;
}
