// FORM: mixed inputs: loops over groups, the words of a group, and the numbers
// of a word
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size of a group is an argument. A word has eight numbers along k, with a
// sign or with 8 added.

#include <cstdint>

#include "check.h"

// A thread computes a column.
#pragma warpwright matmul tile(16, 128, 64)
__global__ void columns(const half *X, const uint32_t *W, const half *scale,
                        half *C, int M, int N, int K, int group) {
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (n >= N)
    return;
  const int groups = K / group, words = group / 8;
  for (int m = 0; m < M; ++m) {
    float acc = 0;
    for (int g = 0; g < groups; ++g) {
      const float s = __half2float(scale[g * N + n]);
      for (int w = 0; w < words; ++w) {
        const int at = g * words + w;
        const int32_t word = static_cast<int32_t>(W[at * N + n]);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          const int number = (word << (28 - 4 * i)) >> 28;
          acc += __half2float(X[m * K + 8 * at + i]) * (number * s);
        }
      }
    }
    C[m * N + n] = __float2half(acc);
  }
}

// Words of a row follow one another.
#pragma warpwright matmul tile(16, 128, 64)
__global__ void rows(const half *X, const uint32_t *W, const float *scale,
                     float *C, int M, int N, int K, int group) {
  const int m = blockIdx.y * blockDim.y + threadIdx.y;
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float acc = 0;
  for (int g = 0; g < K / group; ++g) {
    float part = 0;
    for (int w = 0; w < group / 8; ++w) {
      const int at = g * (group / 8) + w;
      const uint32_t word = W[n * (K / 8) + at];
      for (int i = 0; i < 8; ++i)
        part += __half2float(X[m * K + 8 * at + i]) *
                (static_cast<int>(word >> 4 * i & 15) - 8);
    }
    acc += part * scale[n * (K / group) + g];
  }
  C[m * N + n] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  struct Problem {
    check::Shape shape;
    int group;
  };
  for (Problem p : {Problem{{40, 144, 512}, 128},
                    {{16, 128, 384}, 64},
                    {{5, 40, 96}, 32}}) {
    const check::Shape s = p.shape;
    const int g = p.group, groups = s.k / g;
    check::Matrix<half> X(s.m, s.k), half_scale(groups, s.n), C(s.m, s.n);
    check::Matrix<float> scale(s.n, groups), D(s.m, s.n);
    check::Matrix<uint32_t> across(s.k / 8, s.n), along(s.n, s.k / 8);
    X.random(1), half_scale.random(2), scale.random(3);
    const auto fill = [](auto &matrix) {
      for (int r = 0; r < matrix.rows(); ++r)
        for (int c = 0; c < matrix.cols(); ++c)
          matrix.set(r, c, (r * 2654435761u + c * 2246822519u) % 4294967291u);
      matrix.upload();
    };
    fill(across), fill(along);
    columns<<<check::ceilDiv(s.n, 32), 32>>>(
        X.data(), across.data(), half_scale.data(), C.data(), s.m, s.n, s.k, g);
    rows<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
           dim3(16, 16)>>>(X.data(), along.data(), scale.data(), D.data(), s.m,
                           s.n, s.k, g);
    const auto number = [](double word, int k) {
      return int(uint32_t(word) >> 4 * (k % 8) & 15);
    };
    const auto x = [&](int m, int k) { return X(m, k); };
    test.expect("columns", s, C, check::product(s, x, [&](int k, int n) {
                  const int v = number(across(k / 8, n), k);
                  return (v < 8 ? v : v - 16) * half_scale(k / g, n);
                }));
    test.expect("rows", s, D, check::product(s, x, [&](int k, int n) {
                  return (number(along(n, k / 8), k) - 8) * scale(n, k / g);
                }));
  }
  return test.finish();
}
