// FORM: shared-memory tiles: K loop by tile count, ceil(K / (float)T)
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The number of tiles is computed in floating point.

#include "check.h"

#define TILE_WIDTH 16

#pragma warpwright matmul
__global__ void float_ceil(float *A, float *B, float *C, int numARows,
                           int numAColumns, int numBColumns) {
  __shared__ float ds_A[TILE_WIDTH][TILE_WIDTH];
  __shared__ float ds_B[TILE_WIDTH][TILE_WIDTH];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
  float sum = 0.0;
  for (int p = 0; p < ceil(numAColumns / (float)TILE_WIDTH); ++p) {
    if (row < numARows && p * TILE_WIDTH + tx < numAColumns)
      ds_A[ty][tx] = A[row * numAColumns + p * TILE_WIDTH + tx];
    else
      ds_A[ty][tx] = 0.0;
    if (p * TILE_WIDTH + ty < numAColumns && col < numBColumns)
      ds_B[ty][tx] = B[(p * TILE_WIDTH + ty) * numBColumns + col];
    else
      ds_B[ty][tx] = 0.0;
    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; ++i)
      sum += ds_A[ty][i] * ds_B[i][tx];
    __syncthreads();
  }
  if (row < numARows && col < numBColumns)
    C[row * numBColumns + col] = sum;
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
    float_ceil<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                 dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.k, s.n);
    test.expect("float_ceil", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
