// FORM: blocks of one warp, whose threads wait for each other by __syncwarp()
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles in shared memory; sums that are added up in a tree.

#include "check.h"

#pragma warpwright matmul
__global__ void tiles(const half *A, const half *B, float *C, int N, int K) {
  __shared__ half row_of_A[32];
  const int lane = threadIdx.x, row = blockIdx.y;
  const int col = blockIdx.x * 32 + lane;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 32) {
    row_of_A[lane] = A[row * K + k0 + lane];
    __syncwarp();
    for (int k = 0; k < 32; ++k)
      acc += __half2float(row_of_A[k]) * __half2float(B[(k0 + k) * N + col]);
    __syncwarp();
  }
  C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void tree(const half *A, const half *B, float *C, int N, int K) {
  __shared__ float part[32];
  const int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;
  float acc = 0.0f;
  for (int k = t; k < K; k += 32)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  part[t] = acc;
  __syncwarp();
  for (int s = 16; s > 0; s >>= 1) {
    if (t < s)
      part[t] += part[t + s];
    __syncwarp();
  }
  if (t == 0)
    C[row * N + col] = part[0];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{16, 64, 64}, check::Shape{8, 32, 320}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), D(s.m, s.n);
    A.random(1);
    B.random(2);
    tiles<<<dim3(s.n / 32, s.m), 32>>>(A.data(), B.data(), C.data(), s.n, s.k);
    test.expect("tiles", s, C, check::product(s, A, B), A, B);
    tree<<<dim3(s.n, s.m), 32>>>(A.data(), B.data(), D.data(), s.n, s.k);
    test.expect("tree", s, D, check::product(s, A, B), A, B);
  }
  return test.finish();
}
