// FORM: shared-memory tiles: K loop by begin, end and step; tiles declared
// inside the loop
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two offsets walk together from the first tile to the last, as in a
// well-known sample.

#include "check.h"

#pragma warpwright matmul
template <int SIZE>
__global__ void begin_end_step(float *out, float *left, float *right, int wLeft,
                               int wRight) {
  const int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x,
            ty = threadIdx.y;
  const int first = wLeft * SIZE * by;
  const int last = first + wLeft - 1;
  const int rightFirst = SIZE * bx;
  const int rightStep = SIZE * wRight;
  float total = 0;
  for (int a = first, b = rightFirst; a <= last; a += SIZE, b += rightStep) {
    __shared__ float L[SIZE][SIZE];
    __shared__ float R[SIZE][SIZE];
    L[ty][tx] = left[a + wLeft * ty + tx];
    R[ty][tx] = right[b + wRight * ty + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < SIZE; ++k)
      total += L[ty][k] * R[k][tx];
    __syncthreads();
  }
  const int c = wRight * SIZE * by + SIZE * bx;
  out[c + wRight * ty + tx] = total;
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
    begin_end_step<16><<<dim3(s.n / 16, s.m / 16), dim3(16, 16)>>>(
        C.data(), A.data(), B.data(), s.k, s.n);
    test.expect("begin_end_step", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
