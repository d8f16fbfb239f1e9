// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A linear layer of 8-bit floats: activations in e4m3 with a scale for every
// row, weights in e4m3 with one for every output feature, stored by feature. The
// tensor cores keep 14 bits of sums of such products, so that the Hopper kernel
// adds them up in float registers every 128 of k; accumulate(fast) does not.
//
// EXPECT-LOG: hopper if k > 0
// EXPECT-BOUND: 4e-3

#include <cuda_fp8.h>

#include "check.h"

#pragma warpwright matmul
__global__ void fp8_linear(const __nv_fp8_e4m3 *X, const __nv_fp8_e4m3 *W,
                           const float *scale_x, const float *scale_w,
                           const __nv_bfloat16 *bias, __nv_bfloat16 *Y, int M,
                           int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += float(X[row * K + k]) * float(W[col * K + k]);
  sum = sum * scale_x[row] * scale_w[col] + __bfloat162float(bias[col]);
  Y[row * N + col] = __float2bfloat16(sum);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<__nv_fp8_e4m3> X(s.m, s.k), W(s.n, s.k);
    check::Matrix<float> scale_x(1, s.m), scale_w(1, s.n);
    check::Matrix<__nv_bfloat16> bias(1, s.n), Y(s.m, s.n);
    X.random(120);
    W.random(121);
    scale_x.random(122);
    scale_w.random(123);
    bias.random(124);
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    fp8_linear<<<grid, block>>>(X.data(), W.data(), scale_x.data(),
                                scale_w.data(), bias.data(), Y.data(), s.m, s.n,
                                s.k);
    check::Table sum =
        check::product(s, X, [&](int k, int n) { return W(n, k); });
    test.expect(
        "fp8_linear", s, Y,
        [&](int m, int n) {
          return sum(m, n) * scale_x(0, m) * scale_w(0, n) + bias(0, n);
        },
        X, W, scale_x, scale_w, bias);
  }
  return test.finish();
}
