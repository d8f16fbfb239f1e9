// FORM: surface: assert
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that say what they expect of their launch, by assertions, or by
// messages after which they return.

#include "check.h"

#include <cassert>
#include <cstdio>

#define T 16

#pragma warpwright matmul
__global__ void asserted(const half *A, const half *B, float *C, int M, int N,
                         int K) {
  assert(blockDim.x == T && blockDim.y == T);
  assert(K % T == 0);
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M ? A[row * K + k0 + tx] : half(0);
    Bs[ty][tx] = col < N ? B[(k0 + ty) * N + col] : half(0);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void reported(const half *A, const half *B, float *C, int M, int N,
                         int K) {
  if (blockDim.x != T || blockDim.y != T) {
    if (threadIdx.x == 0 && threadIdx.y == 0)
      printf("a block has to be %d wide and %d high, and is not\n", T, T);
    return;
  }
  const int row = blockIdx.y * T + threadIdx.y,
            col = blockIdx.x * T + threadIdx.x;
  if (K % T != 0) {
    printf("K is %d\n", K);
    return;
  }
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T)
    for (int k = k0; k < k0 + T; ++k)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{72, 88, 96},
                         check::Shape{67, 45, 96}, check::Shape{3, 5, 16}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    asserted<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
               dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("asserted", s, C, check::product(s, A, B), A, B);
    reported<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
               dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("reported", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
