// FORM: operand prologues: each quarter of the sum has a weight
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every quarter of the sum has a weight: a factor for each group along k.

#include "check.h"

#pragma warpwright matmul
__global__ void weighted_blocks(const half *A, const half *B, float *C, int M,
                                int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int t = 0; t < 4; ++t) {
    float part = 0.0f;
    for (int k = 0; k < K / 4; ++k)
      part += __half2float(A[row * K + t * (K / 4) + k]) *
              __half2float(B[(t * (K / 4) + k) * N + col]);
    acc += part * (t + 1);
  }
  C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 80}, check::Shape{130, 34, 100},
                         check::Shape{3, 5, 4}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    weighted_blocks<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                      dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                      s.k);
    test.expect(
        "weighted_blocks", s, C,
        check::product(
            s, [&](int m, int k) { return A(m, k) * (k / (s.k / 4) + 1); }, B),
        A, B);
  }
  return test.finish();
}
