// FORM: mixed inputs: integers of four bits times half or bfloat16
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights of four bits, two in a byte along k, with and without a sign, the low
// bits first or the high ones, and activations of half or bfloat16, with a
// scale for all or for each column, or with scales and zero points of groups.
// The last kernel reads them from words of 32 bits.

#include "check.h"

#include <cstdint>

using bf16 = __nv_bfloat16;
using s8 = int8_t;
using u8 = uint8_t;

#define KERNEL(NAME, TX, TW, OUT)                                              \
  __global__ void NAME(const TX *X, const TW *W, OUT *C, const float *scale,   \
                       const unsigned char *zero, int M, int N, int K)
#define PLACE                                                                  \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0

// One number in each pass: unsigned, with the zero point 8.
#pragma warpwright matmul tile(16, 128, 64)
KERNEL(one_each, half, u8, float) {
  PLACE;
  for (int k = 0; k < K; ++k) {
    const unsigned char b = W[col * K / 2 + k / 2];
    const int v = (k & 1) ? (b >> 4) : (b & 15);
    const float w = (v - 8) * scale[col];
    acc += __half2float(X[row * K + k]) * w;
  }
  C[row * N + col] = acc;
}

// With a sign, by shifts up and down.
#pragma warpwright matmul tile(64, 128, 64)
KERNEL(with_sign, bf16, s8, bf16) {
  PLACE;
  for (int k = 0; k < K; ++k) {
    const s8 b = W[(col * K + k) >> 1];
    const int v = k % 2 ? b >> 4 : static_cast<s8>(b << 4) >> 4;
    acc += __bfloat162float(X[row * K + k]) * static_cast<float>(v);
  }
  C[row * N + col] = __float2bfloat16(acc * scale[0]);
}

// Both numbers of a byte, the high bits first, and scales and zero points of
// groups.
#pragma warpwright matmul tile(32, 128, 64) stages(3)
KERNEL(high_first, half, u8, half) {
  PLACE;
  for (int k = 0; k < K / 2; ++k) {
    const unsigned char b = W[col * (K / 2) + k];
    const int group = col * ((K + 127) / 128) + k / 64;
    const float s = scale[group], z = zero[group];
    acc += __half2float(X[row * K + 2 * k]) *
           ((static_cast<float>(b >> 4) - z) * s);
    acc += __half2float(X[row * K + 2 * k + 1]) *
           ((static_cast<float>(b & 15) - z) * s);
  }
  C[row * N + col] = __float2half(acc);
}

// A sign's bit that is exchanged, high bits first; warpgroups take turns.
#pragma warpwright matmul tile(64, 128, 64) schedule(pingpong)
KERNEL(exchanged, bf16, u8, float) {
  PLACE;
  for (int k = 0; k < K / 2; ++k) {
    const int b = W[col * (K / 2) + k];
    acc += __bfloat162float(X[row * K + 2 * k]) *
               static_cast<float>(((b >> 4) ^ 8) - 8) +
           __bfloat162float(X[row * K + 2 * k + 1]) *
               static_cast<float>(((b & 15) ^ 8) - 8);
  }
  C[row * N + col] = acc * scale[col];
}

// Zero points of groups alone; the weights are those of a row.
#pragma warpwright matmul tile(128, 32, 64)
__global__ void first(const u8 *W, const bf16 *X, float *C,
                      const unsigned char *zero, int M, int N, int K) {
  PLACE;
  for (int k = 0; k < K; ++k) {
    const int v = W[row * (K / 2) + k / 2] >> 4 * (k % 2) & 15;
    acc += static_cast<float>(v - zero[row * ((K + 127) / 128) + k / 128]) *
           __bfloat162float(X[col * K + k]);
  }
  C[row * N + col] = acc;
}

// Numbers and zero points with a sign, by both types of floats: what is left of
// a number has up to 9 bits, one more than bfloat16 without the difference.
#define SIGNED(NAME, TX, FLOAT)                                                \
  __global__ void NAME(const TX *X, const s8 *W, float *C, const s8 *zero,     \
                       int M, int N, int K) {                                  \
    PLACE;                                                                     \
    for (int k = 0; k < K / 2; ++k) {                                          \
      const int b = W[col * (K / 2) + k];                                      \
      const int z = zero[col * ((K + 127) / 128) + k / 64];                    \
      acc += FLOAT(X[row * K + 2 * k]) * static_cast<float>((b >> 4) - z);     \
      acc += FLOAT(X[row * K + 2 * k + 1]) *                                   \
             static_cast<float>((static_cast<s8>(b << 4) >> 4) - z);           \
    }                                                                          \
    C[row * N + col] = acc;                                                    \
  }
#pragma warpwright matmul tile(16, 128, 64)
SIGNED(signed_zeros, bf16, __bfloat162float)
#pragma warpwright matmul tile(64, 128, 128)
SIGNED(signed_zeros_half, half, __half2float)

// The bytes of one pair along k stand side by side for all columns, or all
// rows.
#pragma warpwright matmul tile(64, 128, 128)
KERNEL(across, bf16, u8, bf16) {
  PLACE;
  for (int k = 0; k < K; ++k) {
    const u8 b = W[k / 2 * N + col];
    const int v = k % 2 ? b & 15 : b >> 4;
    acc += __bfloat162float(X[row * K + k]) *
           ((v - zero[k / 128 * N + col]) * scale[k / 128 * N + col]);
  }
  C[row * N + col] = __float2bfloat16(acc);
}
#pragma warpwright matmul tile(128, 64, 64) stages(4)
__global__ void rows_across(const s8 *W, const half *X, float *C, int M, int N,
                            int K) {
  PLACE;
  for (int k = 0; k < K; ++k)
    acc += static_cast<float>(
               static_cast<s8>(W[k / 2 * M + row] << 4 * (1 - k % 2)) >> 4) *
           __half2float(X[col * K + k]);
  C[row * N + col] = acc;
}

// Slices of k.
#pragma warpwright matmul tile(128, 128, 64) split_k(3)
KERNEL(slices, half, u8, float) {
  PLACE;
  for (int k = 0; k < K; ++k)
    acc += __half2float(X[row * K + k]) *
           static_cast<float>(W[col * (K / 2) + k / 2] >> (4 * (k & 1)) & 15);
  C[row * N + col] = acc;
}

// The same where two sets of consumers take the blocks of a slice in turn.
#pragma warpwright matmul tile(16, 128, 64) split_k(2)
KERNEL(slices_in_turn, bf16, u8, float) {
  PLACE;
  for (int k = 0; k < K; ++k) {
    const int v = W[col * (K / 2) + k / 2] >> (4 * (k & 1)) & 15;
    const int group = col * ((K + 127) / 128) + k / 128;
    acc += __bfloat162float(X[row * K + k]) *
           (static_cast<float>(v - zero[group]) * scale[group]);
  }
  C[row * N + col] = acc;
}

// Eight numbers in a word, with scales of groups.
#pragma warpwright matmul tile(64, 64, 64)
__global__ void words(const half *X, const unsigned *W, float *C,
                      const float *scale, int M, int N, int K) {
  PLACE;
  for (int k = 0; k < K; ++k) {
    const unsigned v = W[col * (K / 8) + k / 8] >> (4 * (k % 8)) & 15;
    acc += __half2float(X[row * K + k]) *
           ((static_cast<int>(v) - 8) * scale[k / 64 * N + col]);
  }
  C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{40, 272, 464}, check::Shape{16, 128, 128},
                         check::Shape{67, 45, 82}, check::Shape{3, 5, 6},
                         check::Shape{5, 4, 7}, check::Shape{1, 1, 2}}) {
    const int bytes = s.k / 2, groups = check::ceilDiv(s.k, 128);
    // Where k is odd, rows begin inside of bytes, and the originals run. Those
    // that multiply whole bytes leave out the last number.
    const bool odd = s.k % 2;
    check::Matrix<half> X(s.m, s.k);
    check::Matrix<bf16> Y(s.m, s.k), Z(s.n, s.k);
    // One more than there are.
    check::Matrix<u8> W(1, s.n * s.k / 2 + 1), V(1, s.m * s.k / 2 + 1);
    check::Matrix<s8> S(1, s.n * s.k / 2 + 1);
    check::Matrix<float> of_col(1, s.n), of_group(s.n, groups);
    check::Matrix<u8> zero(s.n, groups), zero_of_row(s.m, groups);
    check::Matrix<s8> signed_zero(s.n, groups);
    X.random(1), Y.random(2), Z.random(3), of_col.random(4);
    of_group.random(5);
    // All values that there are.
    const auto fill = [](auto &matrix, int factor, int least) {
      for (int r = 0; r < matrix.rows(); ++r)
        for (int c = 0; c < matrix.cols(); ++c)
          matrix.set(r, c, (r * 11 + c * factor + c / 64) % 256 + least);
      matrix.upload();
    };
    fill(W, 37, 0), fill(V, 41, 0), fill(S, 29, -128), fill(zero, 7, 0);
    fill(zero_of_row, 5, 0), fill(signed_zero, 3, -128);
    check::Matrix<unsigned> packed(s.n, s.k / 8 + 1);
    for (int r = 0; r < s.n; ++r)
      for (int c = 0; c < packed.cols(); ++c)
        packed.set(r, c, (r * 16 + c + 1u) * 2654435761u);
    packed.upload();
    check::Matrix<float> of_block(check::ceilDiv(s.k, 64), s.n), G(s.m, s.n);
    of_block.random(6);
    const dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    const dim3 block(16, 16);
    check::Matrix<float> A(s.m, s.n), D(s.m, s.n), E(s.m, s.n), F(s.m, s.n);
    check::Matrix<float> H(s.m, s.n), I(s.m, s.n), J(s.m, s.n), O(s.m, s.n);
    check::Matrix<bf16> L(s.m, s.n);
    check::Matrix<half> Q(s.n, s.k);
    Q.random(7);
    check::Matrix<s8> T(1, s.m * s.k / 2 + s.m);
    check::Matrix<u8> R(1, s.n * s.k / 2 + s.n);
    fill(R, 43, 0), fill(T, 31, -128);
    check::Matrix<u8> zero_across(groups, s.n);
    check::Matrix<float> scale_across(groups, s.n);
    fill(zero_across, 9, 0), scale_across.random(8);
    check::Matrix<bf16> B(s.m, s.n);
    check::Matrix<half> C(s.m, s.n);
    one_each<<<grid, block>>>(X.data(), W.data(), A.data(), of_col.data(),
                              zero.data(), s.m, s.n, s.k);
    with_sign<<<grid, block>>>(Y.data(), S.data(), B.data(), of_col.data(),
                               zero.data(), s.m, s.n, s.k);
    high_first<<<grid, block>>>(X.data(), W.data(), C.data(), of_group.data(),
                                zero.data(), s.m, s.n, s.k);
    exchanged<<<grid, block>>>(Y.data(), W.data(), D.data(), of_col.data(),
                               zero.data(), s.m, s.n, s.k);
    first<<<grid, block>>>(V.data(), Z.data(), E.data(), zero_of_row.data(),
                           s.m, s.n, s.k);
    slices<<<grid, block>>>(X.data(), W.data(), F.data(), of_col.data(),
                            zero.data(), s.m, s.n, s.k);
    slices_in_turn<<<grid, block>>>(Y.data(), W.data(), O.data(),
                                    of_group.data(), zero.data(), s.m, s.n,
                                    s.k);
    words<<<grid, block>>>(X.data(), packed.data(), G.data(), of_block.data(),
                           s.m, s.n, s.k);
    signed_zeros<<<grid, block>>>(Y.data(), S.data(), H.data(),
                                  signed_zero.data(), s.m, s.n, s.k);
    signed_zeros_half<<<grid, block>>>(X.data(), S.data(), I.data(),
                                       signed_zero.data(), s.m, s.n, s.k);
    across<<<grid, block>>>(Y.data(), R.data(), L.data(), scale_across.data(),
                            zero_across.data(), s.m, s.n, s.k);
    rows_across<<<grid, block>>>(T.data(), Q.data(), J.data(), s.m, s.n, s.k);
    const auto bits = [](const auto &matrix, int byte, bool high) {
      const int b = static_cast<int>(matrix(0, byte)) & 255;
      return high ? b >> 4 : b & 15;
    };
    const auto negative = [](int v) { return v >= 8 ? v - 16 : v; };
    const auto verdict = [&](const char *name, auto &got, const auto &x,
                             int depth, auto weight, auto factor) {
      check::Table sum = check::product(
          {s.m, s.n, depth}, [&](int m, int k) { return x(m, k); }, weight);
      test.expect(name, s, got,
                  [&](int m, int n) { return sum(m, n) * factor(m, n); });
    };
    const auto one = [](int, int) { return 1.0; };
    const auto column = [&](int, int n) { return of_col(0, n); };
    verdict(
        "one_each", A, X, s.k,
        [&](int k, int n) { return bits(W, n * s.k / 2 + k / 2, k % 2) - 8; },
        column);
    verdict(
        "with_sign", B, Y, s.k,
        [&](int k, int n) {
          return negative(bits(S, (n * s.k + k) / 2, k % 2));
        },
        [&](int, int) { return of_col(0, 0); });
    verdict(
        "high_first", C, X, 2 * bytes,
        [&](int k, int n) {
          return (bits(W, n * bytes + k / 2, k % 2 == 0) - zero(n, k / 128)) *
                 of_group(n, k / 128);
        },
        one);
    const auto signed_weight = [&](int k, int n) {
      return negative(bits(S, n * bytes + k / 2, k % 2 == 0)) -
             signed_zero(n, k / 128);
    };
    verdict("signed_zeros", H, Y, 2 * bytes, signed_weight, one);
    verdict("signed_zeros_half", I, X, 2 * bytes, signed_weight, one);
    verdict(
        "across", L, Y, s.k,
        [&](int k, int n) {
          return (bits(R, k / 2 * s.n + n, k % 2 == 0) -
                  zero_across(k / 128, n)) *
                 scale_across(k / 128, n);
        },
        one);
    check::Table of_rows = check::product(
        s,
        [&](int m, int k) { return negative(bits(T, k / 2 * s.m + m, k % 2)); },
        [&](int k, int n) { return Q(n, k); });
    test.expect("rows_across", s, J,
                [&](int m, int n) { return of_rows(m, n); });
    verdict(
        "exchanged", D, Y, 2 * bytes,
        [&](int k, int n) {
          return negative(bits(W, n * bytes + k / 2, k % 2 == 0));
        },
        column);
    check::Table sum = check::product(
        s,
        [&](int m, int k) {
          return bits(V, m * bytes + k / 2, k % 2) - zero_of_row(m, k / 128);
        },
        [&](int k, int n) { return Z(n, k); });
    if (!odd)
      test.expect("first", s, E, [&](int m, int n) { return sum(m, n); });
    else
      E.download();
    verdict(
        "slices", F, X, s.k,
        [&](int k, int n) { return bits(W, n * bytes + k / 2, k % 2); }, one);
    verdict(
        "slices_in_turn", O, Y, s.k,
        [&](int k, int n) {
          return (bits(W, n * bytes + k / 2, k % 2) - zero(n, k / 128)) *
                 of_group(n, k / 128);
        },
        one);
    verdict(
        "words", G, X, s.k,
        [&](int k, int n) {
          const int word = n * (s.k / 8) + k / 8;
          const auto w = static_cast<unsigned>(
              packed(word / packed.cols(), word % packed.cols()));
          return (static_cast<int>(w >> 4 * (k % 8) & 15) - 8) *
                 of_block(k / 64, n);
        },
        one);
  }
  return test.finish();
}
