// FORM: doubles: all four storage orders, outputs by rows and by columns,
// batches, and an epilogue that reads the output
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The FP64 tensor cores multiply doubles as they are. Rows that are not a
// multiple of 16 bytes long are copied first, and so are elements that are not
// next to each other in either direction. Each kernel has another tile, so
// that consumers share a tile or are alone with it, have one block of 64 rows or
// two, and take either operand as the rows; the last one leaves the choice, and
// cuts long sums of few elements into slices.

#include "check.h"

#define KERNEL(NAME, A_INDEX, B_INDEX, C_INDEX, VALUE)                         \
  __global__ void NAME(const double *A, const double *B, double *C, int M,     \
                       int N, int K, double alpha, double beta) {              \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    A += size_t(blockIdx.z) * M * K;                                           \
    C += size_t(blockIdx.z) * M * N;                                           \
    double acc = 0;                                                            \
    for (int k = 0; k < K; ++k)                                                \
      acc += A[A_INDEX] * B[B_INDEX];                                          \
    C[C_INDEX] = VALUE;                                                        \
  }

#pragma warpwright matmul tile(128, 128, 16)
KERNEL(rows_nn, row *K + k, k *N + col, row *N + col,
       alpha *acc + beta * C[row * N + col])
#pragma warpwright matmul tile(64, 64, 16)
KERNEL(rows_nt, row *K + k, col *K + k, row *N + col,
       fmax(alpha *acc, beta))
#pragma warpwright matmul tile(64, 256, 16)
KERNEL(columns_tn, k *M + row, k *N + col, col *M + row,
       alpha *acc + beta * col)
#pragma warpwright matmul tile(128, 32, 16) swap_ab(off)
KERNEL(columns_tt, k *M + row, col *K + k, col *M + row,
       alpha *acc + beta * row)
#pragma warpwright matmul
KERNEL(any_spread, row *K + k, 2 * (col * K + k), row *N + col, alpha *acc)

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  const double alpha = 1.0 / 3, beta = -0.7;
  const int batch = 2;
  for (check::Shape s :
       {check::Shape{136, 70, 40}, check::Shape{67, 45, 83},
        check::Shape{20, 140, 33}, check::Shape{1, 1, 1},
        check::Shape{6, 4, 0}, check::Shape{8, 6, 1500}}) {
    check::Matrix<double> A(s.m, s.k, 0, batch), At(s.k, s.m, 0, batch),
        B(s.k, s.n), Bt(s.n, s.k), spread(s.n, 2 * s.k);
    A.random(1), At.random(2), B.random(3), Bt.random(4), spread.random(6);
    check::Matrix<double> C(s.m, s.n, 0, batch), before(s.m, s.n, 0, batch),
        D(s.m, s.n, 0, batch), E(s.n, s.m, 0, batch), F(s.n, s.m, 0, batch),
        G(s.m, s.n, 0, batch);
    C.random(5), before.random(5);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16), batch);
    const dim3 block(16, 16);
    rows_nn<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k, alpha,
                             beta);
    rows_nt<<<grid, block>>>(A.data(), Bt.data(), D.data(), s.m, s.n, s.k,
                             alpha, beta);
    columns_tn<<<grid, block>>>(At.data(), B.data(), E.data(), s.m, s.n, s.k,
                                alpha, beta);
    columns_tt<<<grid, block>>>(At.data(), Bt.data(), F.data(), s.m, s.n, s.k,
                                alpha, beta);
    any_spread<<<grid, block>>>(A.data(), spread.data(), G.data(), s.m, s.n,
                                s.k, alpha, beta);
    std::vector<check::Table> nn, nt, tn, tt, any;
    for (int b = 0; b < batch; ++b) {
      const auto a = [&, b](int m, int k) { return A(m, k, b); };
      const auto at = [&, b](int m, int k) { return At(k, m, b); };
      const auto right = [&](int k, int n) { return B(k, n); };
      const auto turned = [&](int k, int n) { return Bt(n, k); };
      const auto every = [&](int k, int n) { return spread(n, 2 * k); };
      nn.push_back(check::product(s, a, right));
      nt.push_back(check::product(s, a, turned));
      tn.push_back(check::product(s, at, right));
      tt.push_back(check::product(s, at, turned));
      any.push_back(check::product(s, a, every));
    }
    test.expect(
        "rows_nn", s, C,
        [&](int m, int n, int b) {
          return alpha * nn[b](m, n) + beta * before(m, n, b);
        },
        A, B);
    test.expect(
        "rows_nt", s, D,
        [&](int m, int n, int b) { return std::fmax(alpha * nt[b](m, n), beta); },
        A, Bt);
    test.expect(
        "columns_tn", s, E,
        [&](int n, int m, int b) { return alpha * tn[b](m, n) + beta * n; }, At,
        B);
    test.expect(
        "columns_tt", s, F,
        [&](int n, int m, int b) { return alpha * tt[b](m, n) + beta * m; }, At,
        Bt);
    test.expect(
        "any_spread", s, G,
        [&](int m, int n, int b) { return alpha * any[b](m, n); }, A, spread);
  }
  return test.finish();
}
