// FORM: surface: assert in a plain kernel
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An assertion on the sizes, one output per thread.

#include "check.h"

#include <cassert>

#pragma warpwright matmul
__global__ void asserted_plain(const half *A, const half *B, float *C, int M,
                               int N, int K) {
  assert(M > 0 && N > 0 && K > 0);
  const int row = blockIdx.y * blockDim.y + threadIdx.y,
            col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
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
    asserted_plain<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                     dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                     s.k);
    test.expect("asserted_plain", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
