// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A quantised layer: bytes times bytes, summed exactly in int, and an epilogue
// that adds a bias, scales, rounds to the nearest integer and clamps to a byte.
// The result is the original's, bit by bit.
//
// EXPECT-LOG: hopper if k > 0
// EXPECT-BOUND: 1e-9

#include "check.h"

#pragma warpwright matmul
__global__ void int8_linear(const signed char *X, const signed char *W,
                            const int *bias, signed char *Y, int M, int N,
                            int K, float scale) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    int sum = bias[col];
    for (int k = 0; k < K; ++k)
      sum += X[row * K + k] * W[col * K + k];
    const int rounded = __float2int_rn(static_cast<float>(sum) * scale);
    Y[row * N + col] = static_cast<signed char>(min(max(rounded, -128), 127));
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  // A power of two: the reference, which multiplies in double, rounds alike.
  const float scale = 0.0625f;
  for (check::Shape s : test.shapes()) {
    check::Matrix<signed char> X(s.m, s.k), W(s.n, s.k), Y(s.m, s.n);
    check::Matrix<int> bias(1, s.n);
    X.integers(130, 9);
    W.integers(131, 9);
    bias.integers(132, 500);
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    int8_linear<<<grid, block>>>(X.data(), W.data(), bias.data(), Y.data(), s.m,
                                 s.n, s.k, scale);
    check::Table sum =
        check::product(s, X, [&](int k, int n) { return W(n, k); });
    test.expect(
        "int8_linear", s, Y,
        [&](int m, int n) {
          const double x = std::nearbyint((sum(m, n) + bias(0, n)) * scale);
          return std::fmin(std::fmax(x, -128), 127);
        },
        X, W, bias);
  }
  return test.finish();
}
