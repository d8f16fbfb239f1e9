// FORM: register tile without shared memory: 8 by 8 outputs that begin with a
// nullable bias, float4 along k
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers load and store vectors; the rows are along x. Weights are along k.

#include "check.h"

__device__ float4 vectorAt(const float *p) {
  return *reinterpret_cast<const float4 *>(p);
}
__device__ void putVector(float *p, float4 v) {
  *reinterpret_cast<float4 *>(p) = v;
}

#pragma warpwright matmul
__global__ void global_register_tile(float *out, const float *in,
                                     const float *weights, const float *bias,
                                     int rows, int depth, int features) {
  int row = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  int feature = 8 * (blockIdx.y * blockDim.y + threadIdx.y);
  if (row < rows && feature < features) {
    float sums[8][8] = {};
    if (bias != NULL)
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j += 4) {
          float4 b = vectorAt(bias + feature + j);
          sums[i][j + 0] = b.x;
          sums[i][j + 1] = b.y;
          sums[i][j + 2] = b.z;
          sums[i][j + 3] = b.w;
        }
    for (int k = 0; k < depth; k += 4) {
      float4 w[8];
      for (int j = 0; j < 8; ++j)
        w[j] = vectorAt(weights + (feature + j) * depth + k);
      for (int i = 0; i < 8; ++i) {
        float4 x = vectorAt(in + (row + i) * depth + k);
        for (int j = 0; j < 8; ++j) {
          sums[i][j] += x.x * w[j].x;
          sums[i][j] += x.y * w[j].y;
          sums[i][j] += x.z * w[j].z;
          sums[i][j] += x.w * w[j].w;
        }
      }
    }
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < 8; j += 4) {
        float4 v;
        v.x = sums[i][j + 0];
        v.y = sums[i][j + 1];
        v.z = sums[i][j + 2];
        v.w = sums[i][j + 3];
        putVector(out + (row + i) * features + feature + j, v);
      }
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{136, 72, 100},
                         check::Shape{8, 8, 4}})
    for (bool biased : {true, false}) {
      check::Matrix<float> A(s.m, s.k), W(s.n, s.k), bias(1, s.n);
      check::Matrix<float> C(s.m, s.n);
      A.random(1);
      W.random(2);
      bias.random(4);
      const dim3 grid(check::ceilDiv(s.m, 32), check::ceilDiv(s.n, 32));
      global_register_tile<<<grid, dim3(4, 4)>>>(C.data(), A.data(), W.data(),
                                                 biased ? bias.data() : nullptr,
                                                 s.m, s.k, s.n);
      check::Table sum =
          check::product(s, A, [&](int k, int n) { return W(n, k); });
      test.expect(
          "global_register_tile", s, C,
          [&](int m, int n) { return sum(m, n) + (biased ? bias(0, n) : 0); },
          A, W, bias);
    }
  return test.finish();
}
