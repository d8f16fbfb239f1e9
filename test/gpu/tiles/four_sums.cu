// FORM: one output of a thread: four sums of every fourth term each, added at
// the end, and a remainder
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The products of the four sums and those of the remainder are the terms of
// one.

#include "check.h"

#pragma warpwright matmul
__global__ void four_sums(const float *A, const float *B, float *C, int M,
                          int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum0 = 0.0f, sum1 = 0.0f, sum2 = 0.0f, sum3 = 0.0f;
    const int whole = K / 4 * 4;
    for (int k = 0; k < whole; k += 4) {
      sum0 += A[row * K + k + 0] * B[(k + 0) * N + col];
      sum1 += A[row * K + k + 1] * B[(k + 1) * N + col];
      sum2 += A[row * K + k + 2] * B[(k + 2) * N + col];
      sum3 += A[row * K + k + 3] * B[(k + 3) * N + col];
    }
    float sum = (sum0 + sum1) + (sum2 + sum3);
    for (int k = whole; k < K; ++k)
      sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{64, 40, 6},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    four_sums<<<grid, dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                      s.k);
    test.expect("four_sums", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
