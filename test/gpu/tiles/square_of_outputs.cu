// FORM: register tiles: array of outputs in two dimensions, no shared memory;
// fragments copied to registers first
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four by four outputs per thread from global memory.

#include "check.h"

#pragma warpwright matmul
template <int TM, int TN>
__global__ void square_of_outputs(const half *A, const half *B, float *C, int M,
                                  int N, int K) {
  const int row0 = (blockIdx.y * blockDim.y + threadIdx.y) * TM;
  const int col0 = (blockIdx.x * blockDim.x + threadIdx.x) * TN;
  float acc[TM][TN];
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; ++j)
      acc[i][j] = 0.0f;
  for (int k = 0; k < K; ++k) {
    float a[TM], b[TN];
    for (int i = 0; i < TM; ++i)
      a[i] = row0 + i < M ? __half2float(A[(row0 + i) * K + k]) : 0.0f;
    for (int j = 0; j < TN; ++j)
      b[j] = col0 + j < N ? __half2float(B[k * N + col0 + j]) : 0.0f;
    for (int i = 0; i < TM; ++i)
      for (int j = 0; j < TN; ++j)
        acc[i][j] += a[i] * b[j];
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j)
      if (row0 + i < M && col0 + j < N)
        C[(row0 + i) * N + col0 + j] = acc[i][j];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    square_of_outputs<4, 4>
        <<<dim3(check::ceilDiv(s.n, 16 * 4), check::ceilDiv(s.m, 8 * 4)),
           dim3(16, 8)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("square_of_outputs", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
