// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of A goes through shared memory without a barrier.
//
// EXPECT: WW221

#include "../near_miss/near_miss.h"

#pragma warpwright matmul
__global__ void row_without_barrier(const half *A, const half *B, float *C,
                                    int M, int N, int K) {
  extern __shared__ half line[];
  const int row = blockIdx.x;
  for (int k = threadIdx.x; k < K; k += blockDim.x)
    line[k] = A[row * K + k];
  for (int col = threadIdx.x; col < N; col += blockDim.x) {
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += __half2float(line[k]) * __half2float(B[k * N + col]);
    C[row * N + col] = acc;
  }
}

int main() {
  const int M = 24, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  row_without_barrier<<<M, 64, K * sizeof(half)>>>(A.data(), B.data(), C.data(),
                                                   M, N, K);
  near_miss::report("row_without_barrier", C);
  return 0;
}
