// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two outputs of two types: the sum, kept in float for a backward pass, and
// its activation.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

__device__ float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }

__device__ float silu(float x) { return x * sigmoid(x); }

#pragma warpwright matmul
__global__ void matmul_silu(const half *A, const half *B, float *pre, half *act,
                            int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float z = 0.0f;
    for (int k = 0; k < K; ++k)
      z += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    pre[row * N + col] = z;
    act[row * N + col] = __float2half(silu(z));
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n), act(s.m, s.n);
    check::Matrix<float> pre(s.m, s.n);
    A.random(41);
    B.random(42, 0.25);
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    matmul_silu<<<grid, block>>>(A.data(), B.data(), pre.data(), act.data(),
                                 s.m, s.n, s.k);
    check::Table sum = check::product(s, A, B);
    test.expect("matmul_silu", s, pre, sum, A, B);
    test.expect("matmul_silu", s, act, [&](int m, int n) {
      return sum(m, n) / (1.0 + std::exp(-sum(m, n)));
    });
  }
  return test.finish();
}
