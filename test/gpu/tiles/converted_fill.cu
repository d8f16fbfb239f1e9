// FORM: shared-memory tiles: converted on the way in (half to float tile)
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tiles are float although the matrices are half.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void converted_fill(const half *A, const half *B, half *C, int M,
                               int N, int K) {
  __shared__ float As[T][T];
  __shared__ float Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int t = 0; t < (K + T - 1) / T; ++t) {
    As[ty][tx] = row < M && t * T + tx < K
                     ? __half2float(A[row * K + t * T + tx])
                     : 0.0f;
    Bs[ty][tx] = t * T + ty < K && col < N
                     ? __half2float(B[(t * T + ty) * N + col])
                     : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = __float2half(acc);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<half> C(s.m, s.n);
    A.random(1);
    B.random(2);
    converted_fill<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                     dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                     s.k);
    test.expect("converted_fill", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
