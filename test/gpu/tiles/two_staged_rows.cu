// FORM: one-dimensional block: two rows of one operand staged as vectors of
// the block's width, two outputs of a thread
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The other operand is read from global memory, once for both rows.

#include "check.h"

#pragma warpwright matmul
__global__ void two_staged_rows(float *out, const float *right,
                                const float *left, int outPitch, int rightPitch,
                                int leftPitch, int depth) {
  __shared__ float first[256], second[256];
  const int tx = threadIdx.x, width = blockDim.x;
  const int col = blockIdx.x * width + tx, row = blockIdx.y * 2;
  float sum0 = 0.0f, sum1 = 0.0f;
  for (int k0 = 0; k0 < depth; k0 += width) {
    first[tx] = left[row * leftPitch + k0 + tx];
    second[tx] = left[(row + 1) * leftPitch + k0 + tx];
    __syncthreads();
    for (int k = k0; k < k0 + width; ++k) {
      const float r = right[k * rightPitch + col];
      sum0 += r * first[k - k0];
      sum1 += r * second[k - k0];
    }
    __syncthreads();
  }
  out[row * outPitch + col] = sum0;
  out[(row + 1) * outPitch + col] = sum1;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{34, 64, 192},
                         check::Shape{2, 64, 64}}) {
    check::Matrix<float> A(s.m, s.k, s.k + 4), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n, s.n + 8);
    A.random(1);
    B.random(2);
    two_staged_rows<<<dim3(s.n / 64, s.m / 2), 64>>>(
        C.data(), B.data(), A.data(), C.pitch(), B.pitch(), A.pitch(), s.k);
    test.expect("two_staged_rows", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
