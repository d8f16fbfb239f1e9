// FORM: a warp for two neighbouring columns, whose lanes add up both sums
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lanes add up each sum by shuffles of its own, and each of the two columns
// is stored under a condition of its own.

#include "check.h"

#pragma warpwright matmul
__global__ void warp_column_pairs(const half *A, const half *B, float *C, int M,
                                  int N, int K) {
  const int row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 2;
  float first = 0.0f, second = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 32) {
    const int k = k0 + threadIdx.x;
    const float a = row < M && k < K ? __half2float(A[row * K + k]) : 0.0f;
    const float b = k < K && col < N ? __half2float(B[k * N + col]) : 0.0f;
    const float c =
        k < K && col + 1 < N ? __half2float(B[k * N + col + 1]) : 0.0f;
    first += a * b;
    second += a * c;
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    first += __shfl_down_sync(0xffffffff, first, offset);
    second += __shfl_down_sync(0xffffffff, second, offset);
  }
  if (threadIdx.x == 0) {
    if (row < M && col < N)
      C[row * N + col] = first;
    if (row < M && col + 1 < N)
      C[row * N + col + 1] = second;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 48, 64}, check::Shape{20, 71, 40},
                         check::Shape{5, 4, 7}, check::Shape{9, 1, 100}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    warp_column_pairs<<<dim3(check::ceilDiv(s.n, 2), check::ceilDiv(s.m, 8)),
                        dim3(32, 8)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                       s.k);
    test.expect("warp_column_pairs", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
