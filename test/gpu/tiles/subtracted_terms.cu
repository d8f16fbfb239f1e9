// FORM: operand prologues: terms subtracted from C in tiles
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An update C -= A * B through tiles, as in a blocked factorization.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void subtracted_terms(const float *A, const float *B, float *C,
                                 int M, int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const bool inside = row < M && col < N;
  float acc = inside ? C[row * N + col] : 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = row < M && k0 + tx < K ? A[row * K + k0 + tx] : 0.0f;
    Bs[ty][tx] = k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc -= As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  if (inside)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    subtracted_terms<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                       dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                       s.k);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "subtracted_terms", s, C,
        [&](int m, int n) { return before(m, n) - sum(m, n); }, A, B);
  }
  return test.finish();
}
