// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex numbers, by the functions of cuComplex.h: the real and the imaginary
// part are two sums of two products each, which one kernel computes side by
// side, each product as accurate as a float's.
//
// EXPECT-LOG: hopper if k > 0
// EXPECT-BOUND: 1e-6

#include <cuComplex.h>

#include "check.h"

#pragma warpwright matmul
__global__ void cgemm_naive(const cuComplex *A, const cuComplex *B,
                            cuComplex *C, int M, int N, int K,
                            cuComplex alpha) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  cuComplex sum = make_cuComplex(0.0f, 0.0f);
  for (int k = 0; k < K; ++k)
    sum = cuCaddf(sum, cuCmulf(A[row * K + k], B[k * N + col]));
  C[row * N + col] = cuCmulf(alpha, sum);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  const cuComplex alpha = make_cuComplex(0.5f, -1.0f);
  for (check::Shape s : test.shapes()) {
    // A complex number is two columns.
    check::Matrix<float> A(s.m, 2 * s.k), B(s.k, 2 * s.n), C(s.m, 2 * s.n);
    A.random(160);
    B.random(161);
    const auto as = [](check::Matrix<float> &X) {
      return reinterpret_cast<cuComplex *>(X.data());
    };
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    cgemm_naive<<<grid, block>>>(as(A), as(B), as(C), s.m, s.n, s.k, alpha);
    // Part 0 of an element is real, part 1 imaginary.
    const auto of = [&](int part_a, int part_b) {
      return check::product(
          s, [&](int m, int k) { return A(m, 2 * k + part_a); },
          [&](int k, int n) { return B(k, 2 * n + part_b); });
    };
    check::Table rr = of(0, 0), ii = of(1, 1), ri = of(0, 1), ir = of(1, 0);
    test.expect(
        "cgemm_naive", s, C,
        [&](int m, int column) {
          const int n = column / 2;
          const double re = rr(m, n) - ii(m, n), im = ri(m, n) + ir(m, n);
          return column % 2 ? alpha.x * im + alpha.y * re
                            : alpha.x * re - alpha.y * im;
        },
        A, B);
  }
  return test.finish();
}
