// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sum starts from a bias that belongs to the row, and ends in a ReLU.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void conv1x1_relu(const half *weight, const half *input,
                             const float *bias, half *output, int channels_out,
                             int channels_in, int pixels) {
  const int p = blockIdx.x * blockDim.x + threadIdx.x;
  const int oc = blockIdx.y * blockDim.y + threadIdx.y;
  if (p >= pixels || oc >= channels_out)
    return;
  float sum = bias[oc];
  for (int ic = 0; ic < channels_in; ++ic)
    sum += __half2float(weight[oc * channels_in + ic]) *
           __half2float(input[ic * pixels + p]);
  output[oc * pixels + p] = __float2half(fmaxf(sum, 0.0f));
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<half> weight(s.m, s.k), input(s.k, s.n), output(s.m, s.n);
    check::Matrix<float> bias(1, s.m);
    weight.random(34);
    input.random(35);
    bias.random(36, 4);
    dim3 block(64, 4);
    dim3 grid(check::ceilDiv(s.n, 64), check::ceilDiv(s.m, 4));
    conv1x1_relu<<<grid, block>>>(weight.data(), input.data(), bias.data(),
                                  output.data(), s.m, s.k, s.n);
    check::Table sum = check::product(s, weight, input);
    test.expect(
        "conv1x1_relu", s, output,
        [&](int m, int n) { return std::fmax(sum(m, n) + bias(0, m), 0.0); },
        weight, input, bias);
  }
  return test.finish();
}
