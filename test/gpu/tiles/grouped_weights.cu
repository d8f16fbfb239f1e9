// FORM: mixed inputs: zero points and scales of groups along k
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights of a byte from which a zero point is subtracted, a byte, too, or a
// number, and that are multiplied by a scale for each group along k. Groups are
// one block of 64, several, or more than there are; so are slices of k.

#include "check.h"

#define KERNEL(NAME, TX, TW, TS, OUT, W_INDEX, GROUP, FACTOR)                  \
  __global__ void NAME(const TX *X, const TW *W, const TS *scale,              \
                       const unsigned char *zero, OUT *C, int M, int N,        \
                       int K) {                                                \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    float acc = 0;                                                             \
    for (int k = 0; k < K; ++k) {                                              \
      const TW w = W[W_INDEX];                                                 \
      const int group = (k / GROUP) * N + col;                                 \
      acc += static_cast<float>(X[row * K + k]) * (FACTOR);                    \
    }                                                                          \
    C[row * N + col] = static_cast<OUT>(acc);                                  \
  }

using bf16 = __nv_bfloat16;
using s8 = signed char;
using u8 = unsigned char;
#define SCALE static_cast<float>(scale[group])

#pragma warpwright matmul tile(16, 128, 64)
KERNEL(zeros_and_scales, half, u8, float, half, col *K + k, 128,
       (static_cast<float>(w) - static_cast<float>(zero[group])) * SCALE)
#pragma warpwright matmul tile(64, 64, 64)
KERNEL(scales, bf16, s8, half, float, k *N + col, 64,
       static_cast<float>(w) * SCALE)
#pragma warpwright matmul tile(32, 128, 64) schedule(pingpong)
KERNEL(zeros, bf16, u8, float, float, k *N + col, 192,
       static_cast<float>(w - zero[group]))
#pragma warpwright matmul tile(32, 128, 64) split_k(2)
KERNEL(number, half, s8, float, float, col *K + k, 64,
       static_cast<float>(w - -3))
// Slices have whole groups.
#pragma warpwright matmul tile(16, 128, 64) split_k(3)
KERNEL(in_slices, half, u8, float, half, col *K + k, 128,
       (static_cast<float>(w) - static_cast<float>(zero[group])) * SCALE)
#pragma warpwright matmul tile(64, 128, 64) stages(5) split_k(2)
KERNEL(shared_slices, bf16, s8, half, float, k *N + col, 64,
       static_cast<float>(w) * SCALE)

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{40, 272, 464}, check::Shape{16, 128, 128},
                         check::Shape{67, 45, 83}, check::Shape{16, 128, 40},
                         check::Shape{20, 300, 700}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> X(s.m, s.k), half_scale(check::ceilDiv(s.k, 64), s.n);
    check::Matrix<bf16> Y(s.m, s.k);
    check::Matrix<s8> W(s.n, s.k), Wt(s.k, s.n);
    check::Matrix<u8> U(s.n, s.k), Ut(s.k, s.n),
        zero(check::ceilDiv(s.k, 64), s.n);
    check::Matrix<float> scale(check::ceilDiv(s.k, 64), s.n);
    X.random(1), Y.random(2), scale.random(3), half_scale.random(4);
    // All values that there are.
    const auto fill = [](auto &matrix, int least) {
      for (int r = 0; r < matrix.rows(); ++r)
        for (int c = 0; c < matrix.cols(); ++c)
          matrix.set(r, c, (r * 37 + c * 11) % 256 + least);
      matrix.upload();
    };
    fill(W, -128), fill(Wt, -128), fill(U, 0), fill(Ut, 0), fill(zero, 0);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    const dim3 block(16, 16);
    check::Matrix<half> A(s.m, s.n);
    check::Matrix<float> B(s.m, s.n), C(s.m, s.n), D(s.m, s.n), F(s.m, s.n);
    check::Matrix<half> E(s.m, s.n);
    zeros_and_scales<<<grid, block>>>(X.data(), U.data(), scale.data(),
                                      zero.data(), A.data(), s.m, s.n, s.k);
    scales<<<grid, block>>>(Y.data(), Wt.data(), half_scale.data(), zero.data(),
                            B.data(), s.m, s.n, s.k);
    zeros<<<grid, block>>>(Y.data(), Ut.data(), scale.data(), zero.data(),
                           C.data(), s.m, s.n, s.k);
    number<<<grid, block>>>(X.data(), W.data(), scale.data(), zero.data(),
                            D.data(), s.m, s.n, s.k);
    in_slices<<<grid, block>>>(X.data(), U.data(), scale.data(), zero.data(),
                               E.data(), s.m, s.n, s.k);
    shared_slices<<<grid, block>>>(Y.data(), Wt.data(), half_scale.data(),
                                   zero.data(), F.data(), s.m, s.n, s.k);
    const auto verdict = [&](const char *name, auto &got, const auto &x,
                             auto weight) {
      check::Table sum =
          check::product(s, [&](int m, int k) { return x(m, k); }, weight);
      test.expect(name, s, got, [&](int m, int n) { return sum(m, n); });
    };
    verdict("zeros_and_scales", A, X, [&](int k, int n) {
      return (U(n, k) - zero(k / 128, n)) * scale(k / 128, n);
    });
    verdict("scales", B, Y,
            [&](int k, int n) { return Wt(k, n) * half_scale(k / 64, n); });
    verdict("zeros", C, Y,
            [&](int k, int n) { return Ut(k, n) - zero(k / 192, n); });
    verdict("number", D, X, [&](int k, int n) { return W(n, k) + 3; });
    verdict("in_slices", E, X, [&](int k, int n) {
      return (U(n, k) - zero(k / 128, n)) * scale(k / 128, n);
    });
    verdict("shared_slices", F, Y,
            [&](int k, int n) { return Wt(k, n) * half_scale(k / 64, n); });
  }
  return test.finish();
}
