// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No guard at all: the matrix is whatever the grid covers, and the number of
// rows is not even a parameter.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#define BLOCK_SIZE 16

#pragma warpwright matmul
__global__ void MatMulKernel(const half *A, const half *B, half *C, int wA,
                             int wB) {
  int col = threadIdx.x + blockIdx.x * BLOCK_SIZE;
  int row = threadIdx.y + blockIdx.y * BLOCK_SIZE;
  float sum = 0;
  for (int k = 0; k < wA; k++)
    sum += __half2float(A[row * wA + k]) * __half2float(B[k * wB + col]);
  C[row * wB + col] = __float2half(sum);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    s.m = check::roundUp(s.m, BLOCK_SIZE);
    s.n = check::roundUp(s.n, BLOCK_SIZE);
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n), C(s.m, s.n);
    A.random(13);
    B.random(14);
    dim3 threads(BLOCK_SIZE, BLOCK_SIZE);
    dim3 grid(s.n / threads.x, s.m / threads.y);
    MatMulKernel<<<grid, threads>>>(A.data(), B.data(), C.data(), s.k, s.n);
    test.expect("MatMulKernel", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
