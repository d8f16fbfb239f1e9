// FORM: one output per thread in float, rows at any address, both operands
// shared
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A times its own transpose: both operands are one array, whose rows are an odd
// number of floats apart.

#include "check.h"

#pragma warpwright matmul
__global__ void unaligned_float(const float *A, int lda, float *C, int M,
                                int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= M)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += A[row * lda + k] * A[col * lda + k];
  C[row * M + col] = sum;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{133, 133, 91}, check::Shape{64, 64, 65},
                         check::Shape{257, 257, 301}, check::Shape{3, 3, 2},
                         check::Shape{1, 1, 7}}) {
    check::Matrix<float> A(s.m, s.k, s.k | 1), C(s.m, s.m);
    A.random(1);
    unaligned_float<<<dim3(check::ceilDiv(s.m, 16), check::ceilDiv(s.m, 16)),
                      dim3(16, 16)>>>(A.data(), A.pitch(), C.data(), s.m, s.k);
    test.expect("unaligned_float", s, C,
                check::product(s, A, [&](int k, int n) { return A(n, k); }), A);
  }
  return test.finish();
}
