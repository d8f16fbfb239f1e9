// FORM: 8-bit floats: e4m3 and e5m2 in any mix, in all four storage orders, to
// float, half and bfloat16; halves to e4m3
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are multiplied along k. What lies across it, and rows that are not a
// multiple of 16 bytes long, are copied first. The instruction keeps 14 bits of
// its sums, which leave it every 128 of k: the bound for float is one that sums
// which stay in it exceed. Sums of whole numbers are exact.

#include <cuda_fp8.h>

#include "check.h"

using e4m3 = __nv_fp8_e4m3;
using e5m2 = __nv_fp8_e5m2;

#define KERNEL(NAME, TA, TB, TC, A_INDEX, B_INDEX)                             \
  __global__ void NAME(const TA *A, const TB *B, TC *C, int M, int N, int K) { \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    float acc = 0.0f;                                                          \
    for (int k = 0; k < K; ++k)                                                \
      acc += static_cast<float>(A[A_INDEX]) * static_cast<float>(B[B_INDEX]);  \
    C[row * N + col] = TC(acc);                                                \
  }

#pragma warpwright matmul
KERNEL(e4m3_nt, e4m3, e4m3, float, row *K + k, col *K + k)
#pragma warpwright matmul
KERNEL(mixed_nn, e4m3, e5m2, half, row *K + k, k *N + col)
#pragma warpwright matmul
KERNEL(mixed_tt, e5m2, e4m3, __nv_bfloat16, k *M + row, col *K + k)
#pragma warpwright matmul accumulate(fast)
KERNEL(e5m2_tn, e5m2, e5m2, float, k *M + row, k *N + col)

// Operands of 16 bits whose results are stored in 8, and in 16.
#pragma warpwright matmul tile(64, 64, 64)
__global__ void of_halves(const half *A, const half *B, e4m3 *C, half *D, int M,
                          int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[col * K + k]);
  C[row * N + col] = e4m3(__float2half(fmaxf(acc, 0.0f)));
  D[row * N + col] = __float2half(acc);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{144, 112, 272}, check::Shape{67, 45, 83},
                         check::Shape{130, 34, 200}, check::Shape{9, 24, 2000},
                         check::Shape{3, 5, 7}, check::Shape{24, 16, 0}})
    for (bool whole : {false, true}) {
      check::Matrix<e4m3> A(s.m, s.k), Bt(s.n, s.k);
      check::Matrix<e5m2> At(s.k, s.m), B(s.k, s.n);
      const auto fill = [&](auto &matrix, uint64_t seed) {
        whole ? matrix.integers(seed) : matrix.random(seed);
      };
      fill(A, 1), fill(B, 2), fill(Bt, 3), fill(At, 4);
      const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
      const dim3 block(16, 16);
      check::Matrix<float> C(s.m, s.n), F(s.m, s.n);
      check::Matrix<half> D(s.m, s.n);
      check::Matrix<__nv_bfloat16> E(s.m, s.n);
      e4m3_nt<<<grid, block>>>(A.data(), Bt.data(), C.data(), s.m, s.n, s.k);
      mixed_nn<<<grid, block>>>(A.data(), B.data(), D.data(), s.m, s.n, s.k);
      mixed_tt<<<grid, block>>>(At.data(), Bt.data(), E.data(), s.m, s.n, s.k);
      e5m2_tn<<<grid, block>>>(At.data(), B.data(), F.data(), s.m, s.n, s.k);
      check::Matrix<half> HA(s.m, s.k), HB(s.n, s.k), H(s.m, s.n);
      check::Matrix<e4m3> G(s.m, s.n);
      HA.integers(5, 4), HB.integers(6, 4);
      of_halves<<<grid, block>>>(HA.data(), HB.data(), G.data(), H.data(), s.m,
                                 s.n, s.k);
      const auto plain = [](const auto &matrix) {
        return [&](int r, int c) { return matrix(r, c); };
      };
      const auto turned = [](const auto &matrix) {
        return [&](int r, int c) { return matrix(c, r); };
      };
      const auto verdict = [&](const char *name, double bound, auto &got,
                               const auto &a, const auto &b, auto left,
                               auto right) {
        test.setBound(bound);
        test.expect(name, s, got, check::product(s, left, right), a, b);
      };
      verdict("e4m3_nt", whole ? 1e-12 : 3e-4, C, A, Bt, plain(A), turned(Bt));
      verdict("mixed_nn", 1e-3, D, A, B, plain(A), plain(B));
      verdict("mixed_tt", 4e-3, E, At, Bt, turned(At), turned(Bt));
      verdict("e5m2_tn", whole ? 1e-12 : 6e-3, F, At, B, turned(At), plain(B));
      check::Table halves = check::product(s, plain(HA), turned(HB));
      test.setBound(1e-12);
      test.expect("of_halves", s, H, halves, HA, HB);
      test.expect(
          "of_halves", s, G,
          [&](int m, int n) {
            const double x = std::fmax(halves(m, n), 0);
            return check::Element<e4m3>::value(check::Element<e4m3>::from(x));
          },
          HA, HB);
    }
  return test.finish();
}
