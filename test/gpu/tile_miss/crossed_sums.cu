// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// acc[i][j] continues acc[j][i].
//
// EXPECT: WW208

#include "../near_miss/near_miss.h"

#pragma warpwright matmul
__global__ void crossed_sums(const half *A, const half *B, float *C, int M,
                             int N, int K) {
  constexpr int R = 4;
  const int row = (blockIdx.y * blockDim.y + threadIdx.y) * R,
            col = (blockIdx.x * blockDim.x + threadIdx.x) * R;
  float acc[R][R] = {};
  for (int k = 0; k < K; ++k) {
    float a[R], b[R];
    for (int i = 0; i < R; ++i) {
      a[i] = __half2float(A[(row + i) * K + k]);
      b[i] = __half2float(B[k * N + col + i]);
    }
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < R; ++j)
        acc[i][j] = acc[j][i] + a[i] * b[j];
  }
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < R; ++j)
      C[(row + i) * N + col + j] = acc[i][j];
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  crossed_sums<<<dim3(N / 16, M / 16), dim3(4, 4)>>>(A.data(), B.data(),
                                                     C.data(), M, N, K);
  near_miss::report("crossed_sums", C);
  return 0;
}
