// FORM: accumulate(f16): sums of halves that stay in half, two in a register
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whole numbers whose sums have 11 bits are exact, whichever register and half
// of it they are in; others err by what half keeps of them. Tiles in all
// schedules, several sums, slices of k, and both ways out.

#include "check.h"

#define PLACE                                                                  \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;

#define KERNEL(NAME, A_INDEX, B_INDEX, C_INDEX)                                \
  __global__ void NAME(const half *A, const half *B, float *C, int M, int N,   \
                       int K) {                                                \
    PLACE                                                                      \
    half acc = __float2half(0.0f);                                             \
    for (int k = 0; k < K; ++k)                                                \
      acc = __hfma(A[A_INDEX], B[B_INDEX], acc);                               \
    C[C_INDEX] = __half2float(acc);                                            \
  }

#pragma warpwright matmul accumulate(f16) tile(128, 256, 64) stages(2)
KERNEL(wide, row *K + k, col *K + k, row *N + col)
#pragma warpwright matmul accumulate(f16) tile(256, 192, 64) stages(2)
KERNEL(square, k *M + row, k *N + col, row *N + col)
#pragma warpwright matmul accumulate(f16) tile(64, 32, 64) schedule(pingpong)
KERNEL(turns, row *K + k, k *N + col, row *N + col)
#pragma warpwright matmul accumulate(f16) tile(32, 64, 64) swap_ab(on) split_k(2)
KERNEL(cut, k *M + row, col *K + k, row *N + col)
// Stored by columns of a type that is not staged.
#pragma warpwright matmul accumulate(f16) tile(64, 64, 64)
__global__ void gated(const half *X, const half *W, const half *V, double *C,
                      int M, int N, int K) {
  PLACE
  half gate = __float2half(0.0f), up = __float2half(0.0f);
  for (int k = 0; k < K; ++k) {
    gate = __hfma(X[row * K + k], W[col * K + k], gate);
    up = __hfma(X[row * K + k], V[col * K + k], up);
  }
  C[row * (2 * N) + 2 * col] = __half2float(gate) * 2 + __half2float(up);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s :
       {check::Shape{144, 272, 144}, check::Shape{67, 45, 83},
        check::Shape{3, 5, 7}, check::Shape{1, 1, 1}})
    for (bool whole : {true, false}) {
      check::Matrix<half> A(s.m, s.k), At(s.k, s.m), B(s.k, s.n), Bt(s.n, s.k),
          V(s.n, s.k);
      const auto fill = [&](auto &matrix, uint64_t seed) {
        whole ? matrix.integers(seed, 2) : matrix.random(seed);
      };
      fill(A, 1), fill(At, 2), fill(B, 3), fill(Bt, 4), fill(V, 5);
      check::Matrix<float> C(s.m, s.n), D(s.m, s.n), E(s.m, s.n), F(s.m, s.n);
      check::Matrix<double> G(s.m, 2 * s.n);
      G.integers(6);
      const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
      const dim3 block(16, 16);
      wide<<<grid, block>>>(A.data(), Bt.data(), C.data(), s.m, s.n, s.k);
      square<<<grid, block>>>(At.data(), B.data(), D.data(), s.m, s.n, s.k);
      turns<<<grid, block>>>(A.data(), B.data(), E.data(), s.m, s.n, s.k);
      cut<<<grid, block>>>(At.data(), Bt.data(), F.data(), s.m, s.n, s.k);
      gated<<<grid, block>>>(A.data(), Bt.data(), V.data(), G.data(), s.m, s.n,
                             s.k);
      const auto plain = [](const auto &matrix) {
        return [&](int r, int c) { return matrix(r, c); };
      };
      const auto turned = [](const auto &matrix) {
        return [&](int r, int c) { return matrix(c, r); };
      };
      test.setBound(whole ? 1e-30 : 3e-3);
      test.expect("wide", s, C, check::product(s, plain(A), turned(Bt)), A, Bt);
      test.expect("square", s, D, check::product(s, turned(At), plain(B)), At,
                  B);
      test.expect("turns", s, E, check::product(s, plain(A), plain(B)), A, B);
      test.expect("cut", s, F, check::product(s, turned(At), turned(Bt)), At,
                  Bt);
      const check::Table gate = check::product(s, plain(A), turned(Bt)),
                         up = check::product(s, plain(A), turned(V));
      check::Matrix<double> before(s.m, 2 * s.n);
      before.integers(6);
      test.expect("gated", s, G, [&](int m, int n) {
        return n % 2 ? before(m, n) : gate(m, n / 2) * 2 + up(m, n / 2);
      });
    }
  return test.finish();
}
