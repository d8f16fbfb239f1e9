// FORM: blocks numbered along x, in groups of rows of blocks
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The blocks of a group go down its rows, column by column, so that they share
// what the cache holds; the last group may have fewer rows. Each block of a
// grid of whole rows has a row and a column of its own.

#include "check.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void grouped_blocks(const half *A, const half *B, float *C, int M,
                               int N, int K, int group) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int rows = (M + T - 1) / T, columns = (N + T - 1) / T;
  const int in_group = group * columns, number = blockIdx.x;
  const int first = number / in_group * group;
  const int height = min(rows - first, group);
  const int block_row = first + number % in_group % height;
  const int block_column = number % in_group / height;
  const int row = block_row * T + ty;
  const int col = block_column * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] =
        row < M && k0 + tx < K ? A[row * K + k0 + tx] : __float2half(0.0f);
    Bs[ty][tx] =
        k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : __float2half(0.0f);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void grouped_blocks_unsigned(const half *A, const half *B, float *C,
                                        int M, int N, int K, unsigned group) {
  __shared__ half As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const unsigned rows = (M + T - 1) / T, columns = (N + T - 1) / T;
  const unsigned in_group = group * columns;
  const unsigned first = blockIdx.x / in_group * group;
  const unsigned height = first + group <= rows ? group : rows - first;
  const int row = (first + blockIdx.x % in_group % height) * T + ty;
  const int col = blockIdx.x % in_group / height * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] =
        row < M && k0 + tx < K ? A[row * K + k0 + tx] : __float2half(0.0f);
    Bs[ty][tx] =
        k0 + ty < K && col < N ? B[(k0 + ty) * N + col] : __float2half(0.0f);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += __half2float(As[ty][k]) * __half2float(Bs[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{200, 72, 40},
                         check::Shape{16, 80, 160}, check::Shape{5, 3, 7}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    const int blocks = check::ceilDiv(s.m, T) * check::ceilDiv(s.n, T);
    grouped_blocks<<<blocks, dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m,
                                           s.n, s.k, 4);
    test.expect("grouped_blocks", s, C, check::product(s, A, B), A, B);
    check::Matrix<float> D(s.m, s.n);
    grouped_blocks_unsigned<<<blocks, dim3(T, T)>>>(A.data(), B.data(),
                                                    D.data(), s.m, s.n, s.k, 3);
    test.expect("grouped_blocks_unsigned", s, D, check::product(s, A, B), A, B);
  }
  return test.finish();
}
