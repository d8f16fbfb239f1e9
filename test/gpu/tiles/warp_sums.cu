// FORM: a warp for each output, whose lanes add up their sums by shuffles
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each lane of a warp sums every 32nd product of an output.

#include "check.h"

#define ALL_LANES 0xffffffffu

__device__ float warpSum(float v) {
  for (int offset = 16; offset > 0; offset /= 2)
    v += __shfl_down_sync(ALL_LANES, v, offset);
  return v;
}

// Warps numbered row by row; a second matrix by columns.
#pragma warpwright matmul
__global__ void warp_sums(const half *A, const half *B, float *C, int M, int N,
                          int K) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32;
  const int row = warp / N, col = warp % N;
  if (row >= M)
    return;
  float acc = 0.0f;
  for (int k = lane; k < K; k += 32)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  acc = warpSum(acc);
  if (lane == 0)
    C[row * N + col] = acc;
}

// Rows along y; every lane has the sum.
#pragma warpwright matmul
__global__ void warp_rows(const half *A, const half *B, float *C, int M, int N,
                          int K, float alpha) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int lane = threadIdx.x;
  if (row >= M)
    return;
  for (int col = blockIdx.x; col < N; col += gridDim.x) {
    float acc = 0.0f;
    for (int k = lane; k < K; k += 32)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    acc += __shfl_xor_sync(ALL_LANES, acc, 16);
    acc += __shfl_xor_sync(ALL_LANES, acc, 8);
    acc += __shfl_xor_sync(ALL_LANES, acc, 4);
    acc += __shfl_xor_sync(ALL_LANES, acc, 2);
    acc += __shfl_xor_sync(ALL_LANES, acc, 1);
    if (lane == 0)
      C[row * N + col] = alpha * acc;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 48, 64}, check::Shape{20, 72, 40},
                         check::Shape{16, 8, 160}, check::Shape{5, 4, 7}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), D(s.m, s.n);
    A.random(1);
    B.random(2);
    // Whole rows of warps.
    warp_sums<<<s.m * s.n / 4, 128>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                      s.k);
    test.expect("warp_sums", s, C, check::product(s, A, B), A, B);
    warp_rows<<<dim3(3, check::ceilDiv(s.m, 4)), dim3(32, 4)>>>(
        A.data(), B.data(), D.data(), s.m, s.n, s.k, 1.0f);
    test.expect("warp_rows", s, D, check::product(s, A, B), A, B);
  }
  return test.finish();
}
