// FORM: shared-memory tiles: filled by half2 through reinterpret_cast
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two halves per load.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void half2_fill(const half *A, const half *B, float *C, int N,
                           int K) {
  __shared__ half2 As[T][T / 2];
  __shared__ half2 Bs[T][T / 2];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + 2 * tx;
  float even = 0.0f, odd = 0.0f;
  for (int t = 0; t < K / T; ++t) {
    As[ty][tx] = *reinterpret_cast<const half2 *>(&A[row * K + t * T + 2 * tx]);
    Bs[ty][tx] = *reinterpret_cast<const half2 *>(&B[(t * T + ty) * N + col]);
    __syncthreads();
    for (int k = 0; k < T / 2; ++k) {
      const float2 a = __half22float2(As[ty][k]);
      const float2 b0 = __half22float2(Bs[2 * k][tx]);
      const float2 b1 = __half22float2(Bs[2 * k + 1][tx]);
      even += a.x * b0.x;
      even += a.y * b1.x;
      odd += a.x * b0.y;
      odd += a.y * b1.y;
    }
    __syncthreads();
  }
  C[row * N + col] = even;
  C[row * N + col + 1] = odd;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    half2_fill<<<dim3(s.n / T, s.m / T), dim3(T / 2, T)>>>(A.data(), B.data(),
                                                           C.data(), s.n, s.k);
    test.expect("half2_fill", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
