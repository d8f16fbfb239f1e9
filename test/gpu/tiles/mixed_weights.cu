// FORM: mixed inputs: bytes times half or bfloat16, in all orders, with scales
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights of a byte, integers with and without a sign and floats, that are the first factor or the
// second, lie along k or across it, and have no scale, one for all or one for
// each column. Activations are half or bfloat16. Each tile divides the rows
// among warpgroups in another way.

#include "check.h"

#include <cuda_fp8.h>

#define KERNEL(NAME, TX, TW, OUT, X_INDEX, W_INDEX, VALUE, PARAMETERS)         \
  __global__ void NAME(const TX *X, const TW *W, OUT *C, PARAMETERS, int M,    \
                       int N, int K) {                                         \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    float acc = 0;                                                             \
    for (int k = 0; k < K; ++k)                                                \
      acc += static_cast<float>(X[X_INDEX]) *                                  \
             (static_cast<float>(W[W_INDEX]) VALUE);                           \
    C[row * N + col] = static_cast<OUT>(acc);                                  \
  }

using bf16 = __nv_bfloat16;
using s8 = signed char;
using u8 = unsigned char;

#pragma warpwright matmul tile(16, 128, 64)
KERNEL(columns, half, s8, half, row *K + k, col *K + k, *scale[col],
       const float *scale)
#pragma warpwright matmul tile(64, 128, 64)
KERNEL(across, bf16, u8, float, row *K + k, k *N + col, , float)
#pragma warpwright matmul tile(32, 64, 64) stages(2)
KERNEL(both_across, half, u8, float, k *M + row, k *N + col, *scale,
       float scale)
#pragma warpwright matmul tile(32, 256, 64) cluster(1, 2)
KERNEL(tall, bf16, s8, bf16, row *K + k, k *N + col, *scale[col] * 0.5f,
       const float *scale)
#pragma warpwright matmul tile(64, 128, 64) schedule(pingpong)
KERNEL(turns, bf16, s8, float, row *K + k, col *K + k, *scale, float scale)
// Here the weights are those of a row.
#pragma warpwright matmul tile(128, 32, 64) split_k(3)
KERNEL(first, bf16, u8, float, k *N + col, row *K + k, *scale[row],
       const float *scale)

#pragma warpwright matmul tile(16, 64, 64)
KERNEL(small_floats, half, __nv_fp8_e4m3, half, row *K + k, col *K + k,
       *scale[col], const float *scale)
#pragma warpwright matmul tile(32, 128, 64)
KERNEL(wide_floats, bf16, __nv_fp8_e5m2, float, row *K + k, k *N + col,
       *scale[(k / 64) * N + col], const float *scale)

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s :
       {check::Shape{48, 272, 144}, check::Shape{16, 128, 64},
        check::Shape{67, 45, 83}, check::Shape{3, 5, 7},
        check::Shape{1, 1, 1}}) {
    check::Matrix<half> X(s.m, s.k), Xt(s.k, s.m);
    check::Matrix<bf16> Y(s.m, s.k), Z(s.k, s.n);
    check::Matrix<s8> W(s.n, s.k), Wt(s.k, s.n);
    check::Matrix<u8> U(s.m, s.k), Ut(s.k, s.n);
    check::Matrix<__nv_fp8_e4m3> V(s.n, s.k);
    check::Matrix<__nv_fp8_e5m2> Vt(s.k, s.n);
    check::Matrix<float> of_col(1, s.n), of_row(1, s.m);
    check::Matrix<float> of_group(check::ceilDiv(s.k, 64), s.n);
    V.random(7), Vt.random(8), of_group.random(9);
    X.random(1), Xt.random(2), Y.random(3), Z.random(4);
    of_col.random(5), of_row.random(6);
    // All values that there are.
    const auto fill = [](auto &matrix, int least) {
      for (int r = 0; r < matrix.rows(); ++r)
        for (int c = 0; c < matrix.cols(); ++c)
          matrix.set(r, c, (r * 37 + c * 11) % 256 + least);
      matrix.upload();
    };
    fill(W, -128), fill(Wt, -128), fill(U, 0), fill(Ut, 0);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    const dim3 block(16, 16);
    check::Matrix<half> A(s.m, s.n), G(s.m, s.n);
    check::Matrix<float> B(s.m, s.n), C(s.m, s.n), E(s.m, s.n), F(s.m, s.n),
        H(s.m, s.n);
    check::Matrix<bf16> D(s.m, s.n);
    const float scale = 0.37f;
    columns<<<grid, block>>>(X.data(), W.data(), A.data(), of_col.data(), s.m,
                             s.n, s.k);
    across<<<grid, block>>>(Y.data(), Ut.data(), B.data(), scale, s.m, s.n,
                            s.k);
    both_across<<<grid, block>>>(Xt.data(), Ut.data(), C.data(), scale, s.m,
                                 s.n, s.k);
    tall<<<grid, block>>>(Y.data(), Wt.data(), D.data(), of_col.data(), s.m,
                          s.n, s.k);
    turns<<<grid, block>>>(Y.data(), W.data(), E.data(), scale, s.m, s.n, s.k);
    first<<<grid, block>>>(Z.data(), U.data(), F.data(), of_row.data(), s.m,
                           s.n, s.k);
    small_floats<<<grid, block>>>(X.data(), V.data(), G.data(), of_col.data(),
                                  s.m, s.n, s.k);
    wide_floats<<<grid, block>>>(Y.data(), Vt.data(), H.data(),
                                 of_group.data(), s.m, s.n, s.k);
    const auto plain = [](const auto &matrix) {
      return [&](int r, int c) { return matrix(r, c); };
    };
    const auto turned = [](const auto &matrix) {
      return [&](int r, int c) { return matrix(c, r); };
    };
    const auto verdict = [&](const char *name, auto &got, auto left, auto right,
                             auto factor) {
      check::Table sum = check::product(s, left, right);
      test.expect(name, s, got, [&](int m, int n) {
        return sum(m, n) * factor(m, n);
      });
    };
    verdict("columns", A, plain(X), turned(W),
            [&](int, int n) { return of_col(0, n); });
    verdict("across", B, plain(Y), plain(Ut),
            [&](int, int) { return 1; });
    verdict("both_across", C, turned(Xt), plain(Ut),
            [&](int, int) { return scale; });
    verdict("tall", D, plain(Y), plain(Wt),
            [&](int, int n) { return of_col(0, n) * 0.5; });
    verdict("turns", E, plain(Y), turned(W), [&](int, int) { return scale; });
    verdict("first", F, plain(U), plain(Z),
            [&](int m, int) { return of_row(0, m); });
    verdict("small_floats", G, plain(X), turned(V),
            [&](int, int n) { return of_col(0, n); });
    const auto scaled = [&](int k, int n) {
      return Vt(k, n) * of_group(k / 64, n);
    };
    verdict("wide_floats", H, plain(Y), scaled,
            [&](int, int) { return 1; });
  }
  return test.finish();
}
