// FORM: one output of a thread: the first half of k in one loop, the second in
// another
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where K is odd the second loop has one term more.

#include "check.h"

#pragma warpwright matmul
__global__ void two_half_loops(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                               __nv_bfloat16 *C, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    const int half = K / 2;
    float sum = 0.0f;
    for (int k = 0; k < half; ++k)
      sum +=
          __bfloat162float(A[row * K + k]) * __bfloat162float(B[k * N + col]);
    for (int k = half; k < K; ++k)
      sum +=
          __bfloat162float(A[row * K + k]) * __bfloat162float(B[k * N + col]);
    C[row * N + col] = __float2bfloat16(sum);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{3, 5, 7},
                         check::Shape{1, 1, 1}}) {
    check::Matrix<__nv_bfloat16> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<__nv_bfloat16> C(s.m, s.n);
    A.random(1);
    B.random(2);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    two_half_loops<<<grid, dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m,
                                           s.n, s.k);
    test.expect("two_half_loops", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
