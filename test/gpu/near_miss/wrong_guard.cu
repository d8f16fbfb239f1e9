// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The guard wants both indices outside before it leaves. One grid covers the
// matrix exactly, so this works; the other one has rows beyond M, which this
// kernel computes, and the launcher leaves it to the original.
//
// EXPECT-RUNTIME: both

#include "near_miss.h"

#pragma warpwright matmul
__global__ void wrong_guard(const half *A, const half *B, float *C, int M,
                            int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M && col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64, More = 112;
  check::Matrix<half> A(More, K), B(K, N);
  check::Matrix<float> C(M, N), D(More, N);
  A.integers(1);
  B.integers(2);
  wrong_guard<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M, N,
                                            K);
  near_miss::report("wrong_guard", C);
  wrong_guard<<<dim3(5, 7), dim3(16, 16)>>>(A.data(), B.data(), D.data(), M, N,
                                            K);
  near_miss::report("wrong_guard, rows beyond M", D);
  return 0;
}
