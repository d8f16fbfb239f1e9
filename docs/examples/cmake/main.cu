// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One linear layer, checked against float64. Run it with WARPWRIGHT_LOG=1 to
// see which kernel each launch takes.
//
// EXPECT-LOG: hopper
#include "linear.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void require(cudaError_t error) {
  if (error == cudaSuccess)
    return;
  std::printf("%s\n", cudaGetErrorString(error));
  std::exit(1);
}

// The same numbers in every run, about uniform in [-1, 1).
static float number(unsigned i) {
  i = (i ^ (i >> 15)) * 0x2c1b3c6du;
  i = (i ^ (i >> 12)) * 0x297a2d39u;
  return static_cast<float>((i ^ (i >> 15)) >> 8) / 8388608.0f - 1.0f;
}

int main() {
  const int rows = 256, out = 384, in = 512;
  __nv_bfloat16 *X, *W, *Y;
  float *bias;
  require(cudaMallocManaged(&X, sizeof(*X) * rows * in));
  require(cudaMallocManaged(&W, sizeof(*W) * out * in));
  require(cudaMallocManaged(&Y, sizeof(*Y) * rows * out));
  require(cudaMallocManaged(&bias, sizeof(*bias) * out));
  for (int i = 0; i < rows * in; ++i)
    X[i] = __float2bfloat16(number(i));
  for (int i = 0; i < out * in; ++i)
    W[i] = __float2bfloat16(number(i + 1000003));
  for (int i = 0; i < out; ++i)
    bias[i] = number(i + 2000003);

  require(linear(X, W, bias, Y, rows, out, in));
  require(cudaDeviceSynchronize());

  double difference = 0, size = 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < out; ++c) {
      double sum = bias[c];
      for (int k = 0; k < in; ++k)
        sum += double(__bfloat162float(X[r * in + k])) *
               double(__bfloat162float(W[c * in + k]));
      double d = double(__bfloat162float(Y[r * out + c])) - sum;
      difference += d * d;
      size += sum * sum;
    }
  double error = std::sqrt(difference / size);
  bool good = error <= 4e-3;
  std::printf("case linear %dx%dx%d: error %.2e against float64: %s\n%s\n", rows,
              out, in, error, good ? "ok" : "BAD", good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
