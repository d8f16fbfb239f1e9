// FORM: operand prologues: max(x, 0) and a scale while a tile is filled
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tile holds the activation, not the input.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void rectified_tile(const half *A, const half *B, float *C, int M,
                               int N, int K, float scale) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    float a = 0.0f, b = 0.0f;
    if (row < M && k0 + tx < K)
      a = __half2float(A[row * K + k0 + tx]);
    if (k0 + ty < K && col < N)
      b = scale * __half2float(B[(k0 + ty) * N + col]);
    As[ty][tx] = a > 0.0f ? a : 0.0f;
    Bs[ty][tx] = b;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
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
    rectified_tile<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                     dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                     s.k, 0.5f);
    check::Table sum = check::product(
        s, [&](int m, int k) { return std::fmax(A(m, k), 0.0); }, B);
    test.expect(
        "rectified_tile", s, C, [&](int m, int n) { return 0.5 * sum(m, n); },
        A, B);
  }
  return test.finish();
}
