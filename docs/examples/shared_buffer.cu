// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Input and output are columns of one wide buffer: no element is both, but
// the byte ranges overlap. The launcher sees that and runs the original.
//
// EXPECT-LOG: original if m > 1 or k == 0

#include "check.h"

#pragma warpwright matmul
__global__ void project(const half *X, int ldx, const half *W, half *Y, int ldy,
                        int rows, int in, int out) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && col < out) {
    float sum = 0.0f;
    for (int k = 0; k < in; ++k)
      sum += __half2float(X[row * ldx + k]) * __half2float(W[k * out + col]);
    Y[row * ldy + col] = __float2half(sum);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    const int pitch = check::roundUp(s.k + s.n, 8);
    check::Matrix<half> W(s.k, s.n), before(s.m, s.k + s.n, pitch);
    W.random(73);
    before.random(74);
    check::Table sum = check::product(s, before, W);
    auto want = [&](int m, int c) {
      return c < s.k ? before(m, c) : sum(m, c - s.k);
    };
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));

    check::Matrix<half> buffer(s.m, s.k + s.n, pitch);
    buffer.random(74);
    project<<<grid, block>>>(buffer.data(), pitch, W.data(),
                             buffer.data() + s.k, pitch, s.m, s.k, s.n);
    test.expect("project", s, buffer, want, W);
  }
  return test.finish();
}
