// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linear layer in float: weights stored by output feature, a bias, a ReLU.
//
// EXPECT-LOG: hopper if k > 0
// EXPECT-BOUND: 1e-6

#include "check.h"

#pragma warpwright matmul
__global__ void linear_relu(const float *__restrict__ x,
                            const float *__restrict__ weight,
                            const float *__restrict__ bias,
                            float *__restrict__ out, int tokens, int in,
                            int features) {
  const int f = blockIdx.x * blockDim.x + threadIdx.x;
  const int t = blockIdx.y * blockDim.y + threadIdx.y;
  if (t >= tokens || f >= features)
    return;
  float sum = bias[f];
  for (int i = 0; i < in; ++i)
    sum += x[t * in + i] * weight[f * in + i];
  out[t * features + f] = fmaxf(sum, 0.0f);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : test.shapes()) {
    check::Matrix<float> x(s.m, s.k), weight(s.n, s.k), bias(1, s.n);
    check::Matrix<float> out(s.m, s.n);
    x.random(104);
    weight.random(105);
    bias.random(106, 4);
    dim3 block(32, 8);
    dim3 grid(check::ceilDiv(s.n, 32), check::ceilDiv(s.m, 8));
    linear_relu<<<grid, block>>>(x.data(), weight.data(), bias.data(),
                                 out.data(), s.m, s.k, s.n);
    check::Table sum =
        check::product(s, x, [&](int k, int n) { return weight(n, k); });
    test.expect(
        "linear_relu", s, out,
        [&](int m, int n) { return std::fmax(sum(m, n) + bias(0, n), 0.0); }, x,
        weight, bias);
  }
  return test.finish();
}
