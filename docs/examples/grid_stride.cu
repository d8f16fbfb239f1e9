// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grid-stride loops: a fixed grid walks over an output of any size, once as a
// flat range and once in two dimensions.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
__global__ void matmul_1d(const half *__restrict__ A,
                          const half *__restrict__ B, half *__restrict__ C,
                          int M, int N, int K) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < M * N;
       i += blockDim.x * gridDim.x) {
    int row = i / N;
    int col = i % N;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[i] = __float2half(sum);
  }
}

#pragma warpwright matmul
__global__ void matmul_2d(const half *__restrict__ A,
                          const half *__restrict__ B, half *__restrict__ C,
                          int M, int N, int K) {
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < M;
       row += gridDim.y * blockDim.y) {
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < N;
         col += gridDim.x * blockDim.x) {
      float sum = 0.0f;
      for (int k = 0; k < K; ++k)
        sum += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
      C[row * N + col] = __float2half(sum);
    }
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    A.random(11);
    B.random(12);
    check::Table sum = check::product(s, A, B);

    check::Matrix<half> C(s.m, s.n);
    matmul_1d<<<132, 256>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("matmul_1d", s, C, sum, A, B);

    check::Matrix<half> D(s.m, s.n);
    matmul_2d<<<dim3(8, 8), dim3(32, 8)>>>(A.data(), B.data(), D.data(), s.m,
                                           s.n, s.k);
    test.expect("matmul_2d", s, D, sum, A, B);
  }
  return test.finish();
}
