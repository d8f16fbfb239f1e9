// FORM: several contractions: sum of two products, A*B + D*E, with sums of
// different lengths
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two loops add to one accumulator.

#include "check.h"

#pragma warpwright matmul
__global__ void two_products(const half *A, const half *B, const half *D,
                             const half *E, float *C, int M, int N, int K,
                             int L) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    for (int l = 0; l < L; ++l)
      sum += __half2float(D[row * L + l]) * __half2float(E[l * N + col]);
    C[row * N + col] = sum;
  }
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
    const int l = s.k / 2 + 1;
    check::Matrix<half> D(s.m, l), E(l, s.n);
    D.random(5);
    E.random(6);
    check::Table second = check::product({s.m, s.n, l}, D, E);
    two_products<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                   dim3(16, 16)>>>(A.data(), B.data(), D.data(), E.data(),
                                   C.data(), s.m, s.n, s.k, l);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "two_products", s, C,
        [&](int m, int n) { return sum(m, n) + second(m, n); }, A, B, D, E);
  }
  return test.finish();
}
