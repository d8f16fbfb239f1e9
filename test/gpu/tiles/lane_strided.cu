// FORM: register tiles: outputs strided by warp and by lane; no shared memory
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A warp computes whole rows: its lanes stride over the columns, the warps
// over the rows of the block.

#include "check.h"

#pragma warpwright matmul
__global__ void lane_strided(const half *A, const half *B, float *C, int M,
                             int N, int K) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int warps = blockDim.x / 32;
  const int row0 = blockIdx.x * 16;
  for (int r = warp; r < 16; r += warps) {
    const int row = row0 + r;
    if (row >= M)
      return;
    for (int col = lane; col < N; col += 32) {
      float acc = 0.0f;
      for (int k = 0; k < K; ++k)
        acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
      C[row * N + col] = acc;
    }
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    lane_strided<<<check::ceilDiv(s.m, 16), 128>>>(A.data(), B.data(), C.data(),
                                                   s.m, s.n, s.k);
    test.expect("lane_strided", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
