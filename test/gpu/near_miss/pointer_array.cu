// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrices of a batch lie anywhere; another kernel writes their addresses just
// before, where no launcher could read them.
//
// EXPECT: WW207

#include "near_miss.h"

__global__ void choose(const half **A, const half *first, const half *second) {
  A[threadIdx.x] = threadIdx.x % 2 ? first : second;
}

#pragma warpwright matmul
__global__ void pointer_array(const half *const *A, const half *B, float *C,
                              int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[blockIdx.z][row * K + k]) *
           __half2float(B[k * N + col]);
  C[(blockIdx.z * M + row) * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64, Batch = 3;
  check::Matrix<half> A0(M, K), A1(M, K), B(K, N);
  check::Matrix<float> C(Batch * M, N);
  A0.integers(1);
  A1.integers(2);
  B.integers(3);
  const half **pointers = nullptr;
  CUDA_CHECK(cudaMalloc(&pointers, Batch * sizeof(const half *)));
  choose<<<1, Batch>>>(pointers, A0.data(), A1.data());
  pointer_array<<<dim3(5, 6, Batch), dim3(16, 16)>>>(pointers, B.data(),
                                                     C.data(), M, N, K);
  near_miss::report("pointer_array", C);
  CUDA_CHECK(cudaFree(pointers));
  return 0;
}
