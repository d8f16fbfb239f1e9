// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long the sums are is in constant memory, with an initializer that the host
// replaces between two launches.
//
// EXPECT: WW203

#include "near_miss.h"

static __constant__ int depth = 64;

#pragma warpwright matmul
__global__ void constant_depth(const half *A, const half *B, float *C, int M,
                               int N) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < depth; ++k)
    acc += __half2float(A[row * depth + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  constant_depth<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M,
                                               N);
  near_miss::report("constant_depth of 64", C);
  const int less = 48;
  CUDA_CHECK(cudaMemcpyToSymbol(depth, &less, sizeof less));
  constant_depth<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M,
                                               N);
  near_miss::report("constant_depth of 48", C);
  return 0;
}
