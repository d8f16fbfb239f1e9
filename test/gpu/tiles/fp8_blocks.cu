// FORM: 8-bit floats with a scale for each block of 1 by 128 or 128 by 128
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scales are factors of the sums of 128 of k. They are written with the
// elements or with the partial sums of the kernel's own loop over blocks.

#include <cuda_fp8.h>

#include "check.h"

using e4m3 = __nv_fp8_e4m3;
using e5m2 = __nv_fp8_e5m2;

#define PLACE                                                                  \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0.0f;

// 1 by 128 of A, 128 by 128 of B.
#pragma warpwright matmul
__global__ void rows_and_squares(const e4m3 *A, const e4m3 *B, float *C, int M,
                                 int N, int K, const float *sa, const float *sb,
                                 int blocks) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * sa[row * blocks + k / 128] *
           (float(B[col * K + k]) * sb[col / 128 * blocks + k / 128]);
  C[row * N + col] = acc;
}

// 1 by 128 of both, block by block; A's scales stored by blocks, B's by columns.
#pragma warpwright matmul
__global__ void partial(const e4m3 *A, const e5m2 *B, __nv_bfloat16 *C, int M,
                        int N, int K, const float *sa, const float *sb) {
  PLACE
  const int blocks = K / 128;
  for (int b = 0; b < blocks; ++b) {
    float part = 0.0f;
    for (int k = b * 128; k < b * 128 + 128; ++k)
      part += float(A[row * K + k]) * float(B[col * K + k]);
    acc += part * sa[b * M + row] * sb[col * blocks + b];
  }
  C[row * N + col] = __float2bfloat16(acc);
}

// Weights alone, across k, with a tile's scale and one for a whole row.
#pragma warpwright matmul
__global__ void weights(const e4m3 *A, const e4m3 *W, float *C, int M, int N,
                        int K, const float *of_row, const float *sw,
                        int blocks) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) *
           (float(W[k * N + col]) * sw[k / 128 * blocks + col / 128]);
  C[row * N + col] = acc * of_row[row];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{144, 144, 272}, check::Shape{67, 45, 129},
                         check::Shape{9, 136, 1100}, check::Shape{1, 1, 1}}) {
    // The loop over blocks has whole ones.
    const check::Shape w = {s.m, s.n, check::roundUp(s.k, 128)};
    const int blocks = w.k / 128, squares = check::ceilDiv(s.n, 128);
    check::Matrix<e4m3> A(s.m, s.k), B(s.n, s.k), W(s.k, s.n), PA(s.m, w.k);
    check::Matrix<e5m2> PB(s.n, w.k);
    check::Matrix<float> sa(s.m, blocks), sb(squares, blocks), ta(blocks, s.m),
        tb(s.n, blocks), sw(blocks, squares), of_row(1, s.m);
    A.random(1), B.random(2), W.random(3), PA.random(4), PB.random(5);
    sa.random(6), sb.random(7), ta.random(8), tb.random(9), sw.random(10);
    of_row.random(11);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    const dim3 block(16, 16);
    check::Matrix<float> C(s.m, s.n), E(s.m, s.n);
    check::Matrix<__nv_bfloat16> D(s.m, s.n);
    rows_and_squares<<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                      s.k, sa.data(), sb.data(), blocks);
    partial<<<grid, block>>>(PA.data(), PB.data(), D.data(), s.m, s.n, w.k,
                             ta.data(), tb.data());
    weights<<<grid, block>>>(A.data(), W.data(), E.data(), s.m, s.n, s.k,
                             of_row.data(), sw.data(), squares);
    test.setBound(1e-3);
    test.expect(
        "rows_and_squares", s, C,
        check::product(
            s, [&](int m, int k) { return A(m, k) * sa(m, k / 128); },
            [&](int k, int n) { return B(n, k) * sb(n / 128, k / 128); }),
        A, B, sa, sb);
    check::Table scaled = check::product(
        s, [&](int m, int k) { return A(m, k) * of_row(0, m); },
        [&](int k, int n) { return W(k, n) * sw(k / 128, n / 128); });
    test.expect("weights", s, E, scaled, A, W, of_row, sw);
    test.setBound(4e-3);
    test.expect("partial", w, D,
                check::product(
                    w, [&](int m, int k) { return PA(m, k) * ta(k / 128, m); },
                    [&](int k, int n) { return PB(n, k) * tb(n, k / 128); }),
                PA, PB, ta, tb);
  }
  return test.finish();
}
