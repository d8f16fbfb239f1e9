// FORM: integers: products of 8 bits, with and without a sign, in all four
// storage orders
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes are multiplied along k. What lies across it, and rows that are not a
// multiple of 16 bytes long, are copied first. The last shape's sums do not fit
// in an int: they wrap around in the original, too.

#include "check.h"

#define KERNEL(NAME, TA, TB, SUM, A_INDEX, B_INDEX)                            \
  __global__ void NAME(const TA *A, const TB *B, SUM *C, int M, int N,         \
                       int K) {                                                \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    SUM acc = 0;                                                               \
    for (int k = 0; k < K; ++k)                                                \
      acc += A[A_INDEX] * B[B_INDEX];                                          \
    C[row * N + col] = acc;                                                    \
  }

#pragma warpwright matmul
KERNEL(signed_nn, signed char, signed char, int, row *K + k, k *N + col)
#pragma warpwright matmul
KERNEL(mixed_nt, unsigned char, signed char, int, row *K + k, col *K + k)
#pragma warpwright matmul
KERNEL(mixed_tn, signed char, unsigned char, int, k *M + row, k *N + col)
#pragma warpwright matmul
KERNEL(unsigned_tt, unsigned char, unsigned char, unsigned, k *M + row,
       col *K + k)

// Sums as the machine has them, modulo 2^32.
template <class Sum> double wrapped(double sum) {
  return static_cast<Sum>(static_cast<unsigned>(static_cast<long long>(sum)));
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s :
       {check::Shape{144, 112, 272}, check::Shape{128, 64, 128},
        check::Shape{67, 45, 83}, check::Shape{130, 34, 200},
        check::Shape{3, 5, 7}, check::Shape{1, 1, 1}, check::Shape{24, 16, 0},
        check::Shape{3, 2, 134000}}) {
    check::Matrix<signed char> A(s.m, s.k), B(s.k, s.n), Bt(s.n, s.k),
        At(s.k, s.m);
    check::Matrix<unsigned char> UA(s.m, s.k), UB(s.k, s.n), UAt(s.k, s.m),
        UBt(s.n, s.k);
    const auto fill = [&](auto &matrix, uint64_t seed) {
      if (s.k < 100000)
        return matrix.integers(seed, 127);
      for (int r = 0; r < matrix.rows(); ++r)
        for (int c = 0; c < matrix.cols(); ++c)
          matrix.set(r, c, (r + c) % 64 ? 127 : 120);
      matrix.upload();
    };
    fill(A, 1), fill(B, 2), fill(Bt, 3), fill(At, 4);
    fill(UA, 5), fill(UB, 6), fill(UAt, 7), fill(UBt, 8);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    const dim3 block(16, 16);
    check::Matrix<int> C(s.m, s.n), D(s.m, s.n), E(s.m, s.n);
    check::Matrix<unsigned> U(s.m, s.n);
#ifdef WARPWRIGHT_SIMULATED
    // That long sums wrap around takes seconds; two of the four show it.
    const bool all = s.k < 100000;
#else
    const bool all = true;
#endif
    signed_nn<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    if (all)
      mixed_nt<<<grid, block>>>(UA.data(), Bt.data(), D.data(), s.m, s.n, s.k);
    mixed_tn<<<grid, block>>>(At.data(), UB.data(), E.data(), s.m, s.n, s.k);
    if (all)
      unsigned_tt<<<grid, block>>>(UAt.data(), UBt.data(), U.data(), s.m, s.n,
                                   s.k);
    const auto verdict = [&](const char *name, auto &got, const auto &a,
                             const auto &b, auto left, auto right, auto zero) {
      check::Table sum = check::product(s, left, right);
      test.expect(
          name, s, got,
          [&](int m, int n) { return wrapped<decltype(zero)>(sum(m, n)); }, a,
          b);
    };
    const auto plain = [](const auto &matrix) {
      return [&](int r, int c) { return matrix(r, c); };
    };
    const auto turned = [](const auto &matrix) {
      return [&](int r, int c) { return matrix(c, r); };
    };
    verdict("signed_nn", C, A, B, plain(A), plain(B), 0);
    if (all)
      verdict("mixed_nt", D, UA, Bt, plain(UA), turned(Bt), 0);
    verdict("mixed_tn", E, At, UB, turned(At), plain(UB), 0);
    if (all)
      verdict("unsigned_tt", U, UAt, UBt, turned(UAt), turned(UBt), 0u);
  }
  return test.finish();
}
