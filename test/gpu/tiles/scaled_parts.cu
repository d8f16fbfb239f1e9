// FORM: operand prologues: partial sums of a group are scaled
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over groups of 16 are scaled before they are added.

#include "check.h"

#pragma warpwright matmul
__global__ void scaled_parts(const half *A, const half *B, const float *scale,
                             float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int group = 0; group < K / 16; ++group) {
    float part = 0.0f;
    for (int k = group * 16; k < group * 16 + 16; ++k)
      part += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    sum += scale[group * N + col] * part;
  }
  C[row * N + col] = sum;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 112},
                         check::Shape{67, 45, 80}, check::Shape{130, 34, 96},
                         check::Shape{3, 5, 16}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    check::Matrix<float> scale(s.k / 16, s.n);
    scale.random(3);
    scaled_parts<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                   dim3(16, 16)>>>(A.data(), B.data(), scale.data(), C.data(),
                                   s.m, s.n, s.k);
    test.expect(
        "scaled_parts", s, C,
        check::product(
            s, A, [&](int k, int n) { return B(k, n) * scale(k / 16, n); }),
        A, B, scale);
  }
  return test.finish();
}
