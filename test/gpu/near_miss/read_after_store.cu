// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The residual of the second output is read after the first one is written,
// and is the same array.
//
// EXPECT-RUNTIME: original

#include "near_miss.h"

#pragma warpwright matmul
__global__ void read_after_store(const half *A, const half *B, float *C,
                                 float *D, const float *residual, int M, int N,
                                 int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
  D[row * N + col] = acc + residual[row * N + col];
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N), D(M, N);
  A.integers(1);
  B.integers(2);
  C.integers(3);
  read_after_store<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(),
                                                 D.data(), C.data(), M, N, K);
  near_miss::report("read_after_store, C", C);
  near_miss::report("read_after_store, D", D);
  return 0;
}
