// FORM: one output of a thread: k unrolled by four into one sum, then the
// terms that are left
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both loops add to the same sum; the second begins where the first ended.

#include "check.h"

#pragma warpwright matmul
__global__ void unrolled_remainder(const half *A, const half *B, float *C,
                                   int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  int k = 0;
  for (; k + 3 < K; k += 4) {
    sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    sum +=
        __half2float(A[row * K + k + 1]) * __half2float(B[(k + 1) * N + col]);
    sum +=
        __half2float(A[row * K + k + 2]) * __half2float(B[(k + 2) * N + col]);
    sum +=
        __half2float(A[row * K + k + 3]) * __half2float(B[(k + 3) * N + col]);
  }
  for (; k < K; ++k)
    sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = sum;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{64, 40, 6},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    unrolled_remainder<<<grid, dim3(16, 16)>>>(A.data(), B.data(), C.data(),
                                               s.m, s.n, s.k);
    test.expect("unrolled_remainder", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
