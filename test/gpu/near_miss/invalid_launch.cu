// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch that cannot succeed must fail as it did, and the next one run.
//
// EXPECT-RUNTIME: any

#include "near_miss.h"

#pragma warpwright matmul
__global__ void invalid_launch(const half *A, const half *B, float *C, int M,
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

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  invalid_launch<<<dim3(5, 6), dim3(64, 64)>>>(A.data(), B.data(), C.data(), M,
                                               N, K);
  std::printf("block too large: %s\n", cudaGetErrorName(cudaGetLastError()));
  invalid_launch<<<dim3(5, 0), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M,
                                               N, K);
  std::printf("empty grid: %s\n", cudaGetErrorName(cudaGetLastError()));
  invalid_launch<<<dim3(5, 6), dim3(16, 16), 1 << 20>>>(A.data(), B.data(),
                                                        C.data(), M, N, K);
  std::printf("shared memory: %s\n", cudaGetErrorName(cudaGetLastError()));
  near_miss::report("nothing ran", C);
  invalid_launch<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M,
                                               N, K);
  near_miss::report("invalid_launch", C);
  return 0;
}
