// FORM: operand prologues: an added vector
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bias along k is added to every row of A first.

#include "check.h"

#pragma warpwright matmul
__global__ void added_vector(const half *A, const half *B, float *C, int M,
                             int N, int K, const float *shift) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += (__half2float(A[row * K + k]) + shift[k]) *
             __half2float(B[k * N + col]);
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
    check::Matrix<float> shift(1, s.k);
    shift.random(4);
    added_vector<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                   dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k,
                                   shift.data());
    test.expect("added_vector", s, C,
                check::product(
                    s, [&](int m, int k) { return A(m, k) + shift(0, k); }, B),
                A, B, shift);
  }
  return test.finish();
}
