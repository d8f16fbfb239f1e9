// FORM: surface: transposition flags that are run-time bool arguments, with
// tiles
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call says which operands are transposed.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void transposition_flags(bool ta, bool tb, int M, int N, int K,
                                    const float *A, const float *B, float *C) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    const int ka = k0 + tx, kb = k0 + ty;
    As[ty][tx] =
        row < M && ka < K ? (ta ? A[ka * M + row] : A[row * K + ka]) : 0.0f;
    Bs[ty][tx] =
        kb < K && col < N ? (tb ? B[col * K + kb] : B[kb * N + col]) : 0.0f;
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
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}})
    for (int flags = 0; flags < 4; ++flags) {
      const bool ta = flags & 1, tb = flags & 2;
      check::Matrix<float> A(ta ? s.k : s.m, ta ? s.m : s.k);
      check::Matrix<float> B(tb ? s.n : s.k, tb ? s.k : s.n), C(s.m, s.n);
      A.random(1);
      B.random(2);
      transposition_flags<<<dim3(check::ceilDiv(s.n, 16),
                                 check::ceilDiv(s.m, 16)),
                            dim3(16, 16)>>>(ta, tb, s.m, s.n, s.k, A.data(),
                                            B.data(), C.data());
      check::Table sum = check::product(
          s, [&](int m, int k) { return ta ? A(k, m) : A(m, k); },
          [&](int k, int n) { return tb ? B(n, k) : B(k, n); });
      test.expect("transposition_flags", s, C, sum, A, B);
    }
  return test.finish();
}
