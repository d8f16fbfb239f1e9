// FORM: shared-memory tiles: square; K loop by tile count, floor K/T, no
// guards (aligned shapes)
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is guarded: every extent is a multiple of the tile.

#include "check.h"

const int EDGE = 16;

#pragma warpwright matmul
__global__ void square_floor(float *c, const float *a, const float *b,
                             int width_a, int width_b) {
  __shared__ float left[EDGE][EDGE], right[EDGE][EDGE];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int y = blockIdx.y * EDGE + ty, x = blockIdx.x * EDGE + tx;
  float value = 0;
  for (int phase = 0; phase < width_a / EDGE; phase++) {
    left[ty][tx] = a[y * width_a + (phase * EDGE + tx)];
    right[ty][tx] = b[(phase * EDGE + ty) * width_b + x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < EDGE; i++)
      value += left[ty][i] * right[i][tx];
    __syncthreads();
  }
  c[y * width_b + x] = value;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    square_floor<<<dim3(s.n / 16, s.m / 16), dim3(16, 16)>>>(
        C.data(), A.data(), B.data(), s.k, s.n);
    test.expect("square_floor", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
