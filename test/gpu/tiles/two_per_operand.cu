// FORM: shared-memory tiles: two per operand
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each step fills two tiles of A and two of B, so there is half the number of
// barriers.

#include "check.h"

#pragma warpwright matmul
template <int T>
__global__ void two_per_operand(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  __shared__ float a0[T][T], a1[T][T], b0[T][T], b1[T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float acc = 0.0f;
  const int steps = (K + 2 * T - 1) / (2 * T);
  for (int s = 0; s < steps; ++s) {
    const int k0 = s * 2 * T, k1 = k0 + T;
    a0[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;
    a1[y][x] = row < M && k1 + x < K ? A[row * K + k1 + x] : 0.0f;
    b0[y][x] = k0 + y < K && col < N ? B[(k0 + y) * N + col] : 0.0f;
    b1[y][x] = k1 + y < K && col < N ? B[(k1 + y) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += a0[y][k] * b0[k][x];
    for (int k = 0; k < T; ++k)
      acc += a1[y][k] * b1[k][x];
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
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    two_per_operand<16>
        <<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
           dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("two_per_operand", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
