// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launched through its address, by a pointer and by cudaLaunchKernel.
//
// EXPECT-RUNTIME: hopper

#include "near_miss.h"

#pragma warpwright matmul
__global__ void by_address(const half *A, const half *B, float *C, int M, int N,
                           int K) {
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
  int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N), D(M, N);
  A.integers(1);
  B.integers(2);
  auto *kernel = by_address;
  kernel<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M, N, K);
  near_miss::report("function pointer", C);
  half *a = A.data(), *b = B.data();
  float *d = D.data();
  void *arguments[] = {&a, &b, &d, &M, &N, &K};
  CUDA_CHECK(cudaLaunchKernel((const void *)by_address, dim3(5, 6),
                              dim3(16, 16), arguments, 0, nullptr));
  near_miss::report("cudaLaunchKernel", D);
  return 0;
}
