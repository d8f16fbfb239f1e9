// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights of four bits, two in a byte, with a scale and a zero point for each
// group of 128 along k; activations in half. The Hopper kernel reads the
// weights as they are packed and converts them in registers.
//
// EXPECT-LOG: hopper if k > 0
// EXPECT-BOUND: 1e-3

#include "check.h"

#pragma warpwright matmul
__global__ void int4_linear(const half *X, const unsigned char *W,
                            const half *scale, const unsigned char *zero,
                            half *Y, int M, int N, int K, int groups) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k) {
    const unsigned char both = W[col * (K / 2) + k / 2];
    const int q = k % 2 ? both >> 4 : both & 15;
    const int group = col * groups + k / 128;
    const float w = (q - zero[group]) * __half2float(scale[group]);
    sum += __half2float(X[row * K + k]) * w;
  }
  Y[row * N + col] = __float2half(sum);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    s.k = check::roundUp(s.k, 2);
    const int groups = check::ceilDiv(s.k, 128);
    check::Matrix<half> X(s.m, s.k), scale(s.n, groups), Y(s.m, s.n);
    check::Matrix<unsigned char> W(s.n, s.k / 2), zero(s.n, groups);
    X.random(140);
    scale.random(141);
    W.integers(142, 127);
    zero.integers(143, 0);
    for (int n = 0; n < s.n; ++n)
      for (int g = 0; g < groups; ++g)
        zero.set(n, g, (3 * n + 5 * g) % 16);
    zero.upload();
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    int4_linear<<<grid, block>>>(X.data(), W.data(), scale.data(), zero.data(),
                                 Y.data(), s.m, s.n, s.k, groups);
    const auto weight = [&](int k, int n) {
      const int both = static_cast<int>(W(n, k / 2));
      const int q = k % 2 ? both >> 4 : both & 15;
      return (q - zero(n, k / 128)) * scale(n, k / 128);
    };
    test.expect("int4_linear", s, Y, check::product(s, X, weight), X, W, scale,
                zero);
  }
  return test.finish();
}
