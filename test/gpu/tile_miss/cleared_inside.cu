// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C is cleared inside the loop over k, so that the last product remains.
//
// EXPECT: WW202

#include "../near_miss/near_miss.h"

#pragma warpwright matmul
__global__ void cleared_inside(const half *A, const half *B, float *C, int M,
                               int N, int K) {
  for (int k = 0; k < K; ++k)
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < N; ++j) {
        if (j % 2 == 0)
          C[i * N + j] = 0.0f;
        C[i * N + j] += __half2float(A[i * K + k]) * __half2float(B[k * N + j]);
      }
}

int main() {
  const int M = 12, N = 10, K = 16;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  CUDA_CHECK(cudaMemset(C.data(), 0, sizeof(float) * M * N));
  cleared_inside<<<1, 1>>>(A.data(), B.data(), C.data(), M, N, K);
  near_miss::report("cleared_inside", C);
  return 0;
}
