// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two outputs are one buffer; the second store wins.
//
// EXPECT-RUNTIME: original

#include "near_miss.h"

#pragma warpwright matmul
__global__ void outputs_overlap(const half *A, const half *B, half *C, half *D,
                                int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = __float2half(acc);
  D[row * N + col] = __float2half(2.0f * acc);
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N), C(M, N);
  A.integers(1);
  B.integers(2);
  outputs_overlap<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(),
                                                C.data(), M, N, K);
  near_miss::report("outputs_overlap", C);
  return 0;
}
