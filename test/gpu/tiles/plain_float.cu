// FORM: plain: one thread an output
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tiled kernels of this folder compute, without tiles: tile_times.py
// compares their times with this one's.

#include "check.h"

#pragma warpwright matmul
__global__ void plain_float(const float *A, const float *B, float *C, int M,
                            int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y,
            col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    plain_float<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                  dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("plain_float", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
