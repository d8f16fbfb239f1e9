// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows are put together by `|` for blocks of 8 rows, but a block has 16, so that
// the two numbers have a bit in common: `|` does not add them.
//
// EXPECT-RUNTIME: original

#include "../near_miss/near_miss.h"

#pragma warpwright matmul
__global__ void bits_in_common(const half *A, const half *B, float *C, int M,
                               int N, int K) {
  const int row = (blockIdx.y << 3) | threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

int main() {
  const int M = 64, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  CUDA_CHECK(cudaMemset(C.data(), 0, sizeof(float) * M * N));
  bits_in_common<<<dim3(N / 16, M / 16), dim3(16, 16)>>>(
      A.data(), B.data(), C.data(), M, N, K);
  near_miss::report("bits_in_common", C);
  return 0;
}
