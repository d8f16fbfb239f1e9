// FORM: shared-memory tiles: rectangular; two elements per operand and
// thread; zero fill by if/else
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tiles are 8 by 32 and 32 by 32; a thread brings one element of A and
// four of B.

#include "check.h"

#pragma warpwright matmul
__global__ void rectangular(const half *A, const half *B, float *C, int M,
                            int N, int K) {
  constexpr int BM = 8, BN = 32, BK = 32;
  __shared__ half As[BM][BK];
  __shared__ half Bs[BK][BN];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * BM + ty;
  const int col = blockIdx.x * BN + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += BK) {
    if (row < M && k0 + tx < K)
      As[ty][tx] = A[row * K + k0 + tx];
    else
      As[ty][tx] = __float2half(0.0f);
    for (int r = 0; r < BK; r += BM) {
      if (k0 + r + ty < K && col < N)
        Bs[r + ty][tx] = B[(k0 + r + ty) * N + col];
      else
        Bs[r + ty][tx] = __float2half(0.0f);
    }
    __syncthreads();
    for (int k = 0; k < BK; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
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
    rectangular<<<dim3(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 8)),
                  dim3(32, 8)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("rectangular", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
