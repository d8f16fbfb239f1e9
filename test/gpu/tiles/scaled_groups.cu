// FORM: operand prologues: scale by group along k, read inside the loop
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights have one factor for every 32 of a column.

#include "check.h"

#pragma warpwright matmul
__global__ void scaled_groups(const half *A, const half *B, float *C, int M,
                              int N, int K, const float *scales) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += __half2float(A[row * K + k]) *
             (__half2float(B[k * N + col]) * scales[k / 32 * N + col]);
    C[row * N + col] = sum;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.setBound(1e-3);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    check::Matrix<float> scales(check::ceilDiv(s.k, 32), s.n);
    scales.random(4);
    scaled_groups<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                    dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k,
                                    scales.data());
    test.expect(
        "scaled_groups", s, C,
        check::product(
            s, A, [&](int k, int n) { return B(k, n) * scales(k / 32, n); }),
        A, B, scales);
  }
  return test.finish();
}
