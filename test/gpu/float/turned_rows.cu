// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands of which exactly one lies across k: TMA rounds both, and consumers
// load that one into registers. The epilogue reads two matrices beside the
// sums, and the output is contiguous along the tile's rows where that is the
// second.
//
// EXPECT-LOG turned_tt: hopper if k > 0
// EXPECT-LOG turned_nn: hopper if k > 0
// EXPECT-BOUND: 1e-3

#include "check.h"

#define RESIDUAL(a, b)                                                         \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float sum = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    sum += a * b;                                                              \
  C[row * N + col] = alpha * sum + beta * C[row * N + col] + R[row * N + col];

#pragma warpwright matmul precision(tf32)
__global__ void turned_tt(const float *A, const float *B, float *C,
                          const float *R, float alpha, float beta, int M, int N,
                          int K){RESIDUAL(A[k * M + row], B[col * K + k])}

#pragma warpwright matmul precision(tf32)
__global__
    void turned_nn(const float *A, const float *B, float *C, const float *R,
                   float alpha, float beta, int M, int N, int K) {
  RESIDUAL(A[row * K + k], B[k * N + col])
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands(1e-3);
  const float alpha = 0.125f, beta = 1.0f;
  for (check::Shape s : test.shapes()) {
    check::Matrix<float> A(s.m, s.k), At(s.k, s.m), B(s.k, s.n), Bt(s.n, s.k);
    check::Matrix<float> R(s.m, s.n), old(s.m, s.n);
    A.random(91);
    At.random(92);
    B.random(93);
    Bt.random(94);
    R.random(95);
    old.random(96);
    const dim3 block(16, 16);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    const auto expect = [&](const char *name, auto launch, const auto &a,
                            const auto &b, const check::Table &sum) {
      check::Matrix<float> C(s.m, s.n);
      C.random(96);
      launch(C.data());
      test.expect(
          name, s, C,
          [&](int m, int n) {
            return alpha * sum(m, n) + beta * old(m, n) + R(m, n);
          },
          a, b);
    };
    const auto a = [&](int m, int k) { return At(k, m); };
    const auto b = [&](int k, int n) { return Bt(n, k); };
    expect(
        "turned_tt",
        [&](float *C) {
          turned_tt<<<grid, block>>>(At.data(), Bt.data(), C, R.data(), alpha,
                                     beta, s.m, s.n, s.k);
        },
        At, Bt, check::product(s, a, b));
    expect(
        "turned_nn",
        [&](float *C) {
          turned_nn<<<grid, block>>>(A.data(), B.data(), C, R.data(), alpha,
                                     beta, s.m, s.n, s.k);
        },
        A, B, check::product(s, A, B));
  }
  return test.finish();
}
