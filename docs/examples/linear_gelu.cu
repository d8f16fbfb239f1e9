// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linear layer: weights stored one output feature per row, an optional bias,
// and an activation from a __device__ function.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

__device__ __forceinline__ float gelu(float x) {
  const float s = 0.7978845608f; // sqrt(2 / pi)
  return 0.5f * x * (1.0f + tanhf(s * (x + 0.044715f * x * x * x)));
}

#pragma warpwright matmul
__global__ void linear_gelu(const __nv_bfloat16 *inp,
                            const __nv_bfloat16 *weight,
                            const __nv_bfloat16 *bias, __nv_bfloat16 *out,
                            int tokens, int channels, int features) {
  int t = blockIdx.y * blockDim.y + threadIdx.y;
  int o = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < tokens && o < features) {
    float val = (bias != NULL) ? __bfloat162float(bias[o]) : 0.0f;
    const __nv_bfloat16 *wrow = weight + o * channels;
    const __nv_bfloat16 *x = inp + t * channels;
    for (int i = 0; i < channels; i++) {
      val += __bfloat162float(x[i]) * __bfloat162float(wrow[i]);
    }
    out[t * features + o] = __float2bfloat16(gelu(val));
  }
}

static double referenceGelu(double x) {
  return 0.5 * x * (1 + std::tanh(0.7978845608 * (x + 0.044715 * x * x * x)));
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<__nv_bfloat16> x(s.m, s.k), weight(s.n, s.k), bias(1, s.n);
    x.random(31);
    weight.random(32, 0.25);
    bias.random(33);
    check::Table sum =
        check::product(s, x, [&](int k, int n) { return weight(n, k); });
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));

    check::Matrix<__nv_bfloat16> out(s.m, s.n);
    linear_gelu<<<grid, block>>>(x.data(), weight.data(), bias.data(),
                                 out.data(), s.m, s.k, s.n);
    test.expect(
        "linear_gelu", s, out,
        [&](int m, int n) { return referenceGelu(sum(m, n) + bias(0, n)); }, x,
        weight, bias);

    check::Matrix<__nv_bfloat16> plain(s.m, s.n);
    linear_gelu<<<grid, block>>>(x.data(), weight.data(), nullptr, plain.data(),
                                 s.m, s.k, s.n);
    test.expect(
        "linear_gelu", s, plain,
        [&](int m, int n) { return referenceGelu(sum(m, n)); }, x, weight);
  }
  return test.finish();
}
