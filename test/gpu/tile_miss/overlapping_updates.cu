// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads are three columns apart and update four each, so that one column in
// three is updated twice, in any order.
//
// EXPECT-RUNTIME: original, a race

#include "../near_miss/near_miss.h"

#pragma warpwright matmul
__global__ void overlapping_updates(const half *A, const half *B, float *C,
                                    int M, int N, int K) {
  constexpr int R = 4;
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * R,
            col = (blockIdx.x * blockDim.x + threadIdx.x) * (R - 1);
  float acc[R][R] = {};
  for (int k = 0; k < K; ++k) {
    float a[R], b[R];
    for (int i = 0; i < R; ++i) {
      a[i] = __half2float(A[(row + i) * K + k]);
      b[i] = __half2float(B[k * N + col + i]);
    }
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < R; ++j)
        acc[i][j] += a[i] * b[j];
  }
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < R; ++j)
      C[(row + i) * N + col + j] += acc[i][j];
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  CUDA_CHECK(cudaMemset(C.data(), 0, sizeof(float) * M * N));
  overlapping_updates<<<dim3(N / 16, M / 16), dim3(4, 4)>>>(A.data(), B.data(),
                                                            C.data(), M, N, K);
  near_miss::report("overlapping_updates", C);
  return 0;
}
