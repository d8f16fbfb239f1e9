// FORM: one output per thread: four running sums, added in the end
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each sum has every fourth product; K is a multiple of four.

#include "check.h"

#pragma warpwright matmul
__global__ void several_sums(const float *A, const float *B, float *C, int M,
                             int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  const float *a = A + row * K, *b = B + col;
  float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;
  for (int k = 0; k < K / 4; ++k) {
    s0 += a[4 * k] * b[4 * k * N];
    s1 += a[4 * k + 1] * b[(4 * k + 1) * N];
    s2 += a[4 * k + 2] * b[(4 * k + 2) * N];
    s3 += a[4 * k + 3] * b[(4 * k + 3) * N];
  }
  C[row * N + col] = s0 + s1 + s2 + s3;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}, check::Shape{5, 3, 4}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    several_sums<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                   dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("several_sums", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
