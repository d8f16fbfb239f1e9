// FORM: loop nests: grid-stride in both dimensions
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any grid will do: rows and columns are strided by it.

#include "check.h"

#pragma warpwright matmul
__global__ void grid_stride_both(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                                 float *C, int M, int N, int K) {
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < M;
       row += gridDim.y * blockDim.y)
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < N;
         col += gridDim.x * blockDim.x) {
      float sum = 0.0f;
      for (int k = 0; k < K; ++k)
        sum +=
            __bfloat162float(A[row * K + k]) * __bfloat162float(B[k * N + col]);
      C[row * N + col] = sum;
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<__nv_bfloat16> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    grid_stride_both<<<dim3(2, 3), dim3(16, 8)>>>(A.data(), B.data(), C.data(),
                                                  s.m, s.n, s.k);
    test.expect("grid_stride_both", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
