// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of a block add to one element without atomics.
//
// EXPECT: WW204

#include "../near_miss/near_miss.h"

#pragma warpwright matmul
__global__ void racing_threads(const half *A, const half *B, float *C, int M,
                               int N, int K) {
  const int row = blockIdx.y, col = blockIdx.x;
  for (int k = threadIdx.x; k < K; k += blockDim.x)
    C[row * N + col] +=
        __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
}

int main() {
  const int M = 24, N = 20, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  CUDA_CHECK(cudaMemset(C.data(), 0, sizeof(float) * M * N));
  racing_threads<<<dim3(N, M), 32>>>(A.data(), B.data(), C.data(), M, N, K);
  near_miss::report("racing_threads", C);
  return 0;
}
