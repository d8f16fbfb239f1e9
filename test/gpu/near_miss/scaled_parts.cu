// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of the sum are scaled before they are added: group by group.
//
// EXPECT: WW310

#include "near_miss.h"

#pragma warpwright matmul
__global__ void scaled_parts(const half *A, const half *B, const float *scale,
                             float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int group = 0; group < K / 16; ++group) {
    float part = 0.0f;
    for (int k = group * 16; k < group * 16 + 16; ++k)
      part += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    sum += scale[group * N + col] * part;
  }
  C[row * N + col] = sum;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> scale(K / 16, N), C(M, N);
  A.integers(1);
  B.integers(2);
  scale.integers(3);
  scaled_parts<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), scale.data(),
                                             C.data(), M, N, K);
  near_miss::report("scaled_parts", C);
  return 0;
}
