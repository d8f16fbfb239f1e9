// FORM: shared-memory tiles: one operand only, the other from global memory
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only A goes through shared memory; a block is one row of 64 threads with
// eight rows of C.

#include "check.h"

constexpr int ROWS = 8, BK = 32, COLS = 64;

#pragma warpwright matmul
__global__ void one_operand(const float *A, const float *B, float *C, int M,
                            int N, int K) {
  __shared__ float As[ROWS][BK];
  const int col = blockIdx.x * COLS + threadIdx.x;
  const int row0 = blockIdx.y * ROWS;
  float acc[ROWS] = {0.0f};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = threadIdx.x; i < ROWS * BK; i += COLS) {
      const int r = row0 + i / BK, k = k0 + i % BK;
      As[i / BK][i % BK] = r < M && k < K ? A[r * K + k] : 0.0f;
    }
    __syncthreads();
    if (col < N) {
      const int end = min(BK, K - k0);
      for (int k = 0; k < end; ++k) {
        const float b = B[(k0 + k) * N + col];
        for (int i = 0; i < ROWS; ++i)
          acc[i] += As[i][k] * b;
      }
    }
    __syncthreads();
  }
  if (col < N)
    for (int i = 0; i < ROWS; ++i)
      if (row0 + i < M)
        C[(row0 + i) * N + col] = acc[i];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    one_operand<<<dim3(check::ceilDiv(s.n, COLS), check::ceilDiv(s.m, ROWS)),
                  COLS>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("one_operand", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
