// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products whose low bits are cut off before they are added, as a number in
// fewer bits would lose them: what is summed is no product any more.
//
// EXPECT: WW217

#include "near_miss.h"

#pragma warpwright matmul
__global__ void bits_of_float(const float *A, const float *B, float *C, int M,
                              int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __uint_as_float(__float_as_uint(A[row * K + k] * B[k * N + col]) &
                           0xffffe000u);
  C[row * N + col] = sum;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<float> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.random(1);
  B.random(2);
  bits_of_float<<<dim3(5, 6), dim3(16, 16)>>>(A.data(), B.data(), C.data(), M,
                                              N, K);
  near_miss::report("bits_of_float", C);
  return 0;
}
