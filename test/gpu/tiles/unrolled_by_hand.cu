// FORM: register tiles: unrolled by hand, acc0 to acc3
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four named accumulators for four rows.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void unrolled_by_hand(const half *A, const half *B, float *C, int M,
                                 int N, int K) {
  __shared__ half As[4 * T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * 4 * T + ty, col = blockIdx.x * T + tx;
  float acc0 = 0.0f, acc1 = 0.0f, acc2 = 0.0f, acc3 = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    const bool k_in = k0 + tx < K;
    As[ty][tx] = k_in && row < M ? A[row * K + k0 + tx] : half(0.0f);
    As[ty + T][tx] =
        k_in && row + T < M ? A[(row + T) * K + k0 + tx] : half(0.0f);
    As[ty + 2 * T][tx] =
        k_in && row + 2 * T < M ? A[(row + 2 * T) * K + k0 + tx] : half(0.0f);
    As[ty + 3 * T][tx] =
        k_in && row + 3 * T < M ? A[(row + 3 * T) * K + k0 + tx] : half(0.0f);
    Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : half(0.0f);
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      const float b = __half2float(Bs[k][tx]);
      acc0 += __half2float(As[ty][k]) * b;
      acc1 += __half2float(As[ty + T][k]) * b;
      acc2 += __half2float(As[ty + 2 * T][k]) * b;
      acc3 += __half2float(As[ty + 3 * T][k]) * b;
    }
    __syncthreads();
  }
  if (col < N) {
    if (row < M)
      C[row * N + col] = acc0;
    if (row + T < M)
      C[(row + T) * N + col] = acc1;
    if (row + 2 * T < M)
      C[(row + 2 * T) * N + col] = acc2;
    if (row + 3 * T < M)
      C[(row + 3 * T) * N + col] = acc3;
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
    unrolled_by_hand<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, 4 * T)),
                       dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                     s.k);
    test.expect("unrolled_by_hand", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
