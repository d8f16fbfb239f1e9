// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block for an output: its threads sum slices, and the slices are summed in
// shared memory; but every second step of the tree is left out.
//
// EXPECT: WW204

#include "../near_miss/near_miss.h"

constexpr int THREADS = 32;

#pragma warpwright matmul
__global__ void block_per_output(const half *A, const half *B, float *C, int M,
                                 int N, int K) {
  __shared__ float part[THREADS];
  const int row = blockIdx.y, col = blockIdx.x, t = threadIdx.x;
  float acc = 0.0f;
  for (int k = t; k < K; k += THREADS)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  part[t] = acc;
  __syncthreads();
  for (int s = THREADS / 2; s > 0; s /= 4) {
    if (t < s)
      part[t] += part[t + s];
    __syncthreads();
  }
  if (t == 0)
    C[row * N + col] = part[0];
}

int main() {
  const int M = 24, N = 20, K = 64;
  check::Matrix<half> A(M, K), B(K, N);
  check::Matrix<float> C(M, N);
  A.integers(1);
  B.integers(2);
  block_per_output<<<dim3(N, M), THREADS>>>(A.data(), B.data(), C.data(), M, N,
                                            K);
  near_miss::report("block_per_output", C);
  return 0;
}
