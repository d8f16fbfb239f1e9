// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// precision(tf32): every float operand is rounded to the 11 bits that TF32 has,
// and there is one product instead of three. For those who would have set
// CUBLAS_COMPUTE_32F_FAST_TF32.
//
// EXPECT-LOG: hopper if k > 0
// EXPECT-BOUND: 1e-3

#include "check.h"

#pragma warpwright matmul precision(tf32)
__global__ void matmul_tf32(const float *A, const float *B, float *C, int M,
                            int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands(1e-3);
  for (check::Shape s : test.shapes()) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n);
    A.random(110);
    B.random(111);
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    matmul_tf32<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("matmul_tf32", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
