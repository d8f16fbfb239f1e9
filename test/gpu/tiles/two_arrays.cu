// FORM: several contractions: one sum stored to two arrays, from tiles
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum is kept in float and, after an activation, in half.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void two_arrays(const half *A, const half *B, float *Z, half *Y,
                           int M, int N, int K) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : half(0);
    Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : half(0);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N) {
    Z[row * N + col] = acc;
    Y[row * N + col] = __float2half(fmaxf(acc, 0.0f));
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
    check::Matrix<half> Y(s.m, s.n);
    two_arrays<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                 dim3(T, T)>>>(A.data(), B.data(), C.data(), Y.data(), s.m, s.n,
                               s.k);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "two_arrays", s, C, [&](int m, int n) { return sum(m, n); }, A, B);
    test.expect("two_arrays", s, Y,
                [&](int m, int n) { return std::fmax(sum(m, n), 0.0); });
  }
  return test.finish();
}
