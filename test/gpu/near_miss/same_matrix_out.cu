// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns are appended to the matrix that is being multiplied: operand and
// output are one parameter.
//
// EXPECT: WW208

#include "near_miss.h"

#pragma warpwright matmul
__global__ void same_matrix_out(half *buffer, const half *W, int M, int N,
                                int K, int pitch) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(buffer[row * pitch + k]) * __half2float(W[k * N + col]);
  buffer[row * pitch + K + col] = __float2half(acc);
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> buffer(M, K + N), W(K, N);
  buffer.integers(1);
  W.integers(2);
  same_matrix_out<<<dim3(5, 6), dim3(16, 16)>>>(buffer.data(), W.data(), M, N,
                                                K, K + N);
  near_miss::report("same_matrix_out", buffer);
  return 0;
}
