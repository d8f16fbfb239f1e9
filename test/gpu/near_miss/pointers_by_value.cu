// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matrices of a batch lie anywhere; their addresses are passed by value.
//
// EXPECT: WW204

#include "near_miss.h"

struct Batch {
  const half *a[4], *b[4];
  float *c[4];
};

#pragma warpwright matmul
__global__ void pointers_by_value(Batch batch, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(batch.a[blockIdx.z][row * K + k]) *
           __half2float(batch.b[blockIdx.z][k * N + col]);
  batch.c[blockIdx.z][row * N + col] = acc;
}

int main() {
  const int M = 96, N = 80, K = 64;
  check::Matrix<half> A0(M, K), A1(M, K), B0(K, N);
  check::Matrix<float> C0(M, N), C1(M, N), C2(M, N);
  A0.integers(1);
  A1.integers(2);
  B0.integers(3);
  const Batch batch = {{A1.data(), A0.data(), A1.data()},
                       {B0.data(), B0.data(), B0.data()},
                       {C0.data(), C2.data(), C1.data()}};
  pointers_by_value<<<dim3(5, 6, 3), dim3(16, 16)>>>(batch, M, N, K);
  near_miss::report("pointers_by_value 0", C0);
  near_miss::report("pointers_by_value 1", C1);
  near_miss::report("pointers_by_value 2", C2);
  return 0;
}
