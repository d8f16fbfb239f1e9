// FORM: register tiles: half accumulators, outputs in one dimension, hfma
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Four half sums a thread.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void half_outputs(const half *A, const half *B, half *C, int M,
                             int N, int K) {
  __shared__ half As[T][T], Bs[T][4 * T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * 4 * T + tx;
  half acc[4];
  for (int j = 0; j < 4; ++j)
    acc[j] = __float2half(0.0f);
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] =
        row < M && k0 + tx < K ? A[row * K + k0 + tx] : __float2half(0.0f);
    for (int j = 0; j < 4; ++j)
      Bs[ty][tx + j * T] = k0 + ty < K && col + j * T < N
                               ? B[(k0 + ty) * N + col + j * T]
                               : __float2half(0.0f);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      for (int j = 0; j < 4; ++j)
        acc[j] = __hadd(acc[j], __hmul(As[ty][k], Bs[k][tx + j * T]));
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    if (row < M && col + j * T < N)
      C[row * N + col + j * T] = acc[j];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.setBound(1e-2);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<half> C(s.m, s.n);
    A.random(1);
    B.random(2);
    half_outputs<<<dim3(check::ceilDiv(s.n, 4 * T), check::ceilDiv(s.m, T)),
                   dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("half_outputs", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
