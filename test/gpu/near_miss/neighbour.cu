// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The epilogue reads C at the element beside the one it writes. One thread
// walks over all of C, so the order of reads and writes is defined.
//
// EXPECT: WW212

#include "near_miss.h"

#pragma warpwright matmul
__global__ void neighbour(const half *A, const half *B, float *C, int M, int N,
                          int K) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < M * N;
       i += gridDim.x * blockDim.x) {
    int row = i / N, col = i % N;
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[i] = acc + C[row * N + (col + 1) % N];
  }
}

int main() {
  const int M = 24, N = 16, K = 32;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  C.integers(3);
  neighbour<<<1, 1>>>(A.data(), B.data(), C.data(), M, N, K);
  near_miss::report("neighbour", C);
  return 0;
}
