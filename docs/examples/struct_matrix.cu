// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Matrices passed as structs by value, read and written through accessors.
// The stride of a row is a field and padded here.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

struct Matrix {
  int width;
  int height;
  int stride;
  half *elements;
};

__device__ float GetElement(const Matrix A, int row, int col) {
  return __half2float(A.elements[row * A.stride + col]);
}

__device__ void SetElement(Matrix A, int row, int col, float value) {
  A.elements[row * A.stride + col] = __float2half(value);
}

#pragma warpwright matmul
__global__ void MatMul(Matrix A, Matrix B, Matrix C) {
  float Cvalue = 0;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= C.height || col >= C.width)
    return;
  for (int e = 0; e < A.width; ++e)
    Cvalue += GetElement(A, row, e) * GetElement(B, e, col);
  SetElement(C, row, col, Cvalue);
}

static Matrix describe(check::Matrix<half> &matrix) {
  return {matrix.cols(), matrix.rows(), matrix.pitch(), matrix.data()};
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : test.shapes()) {
    check::Matrix<half> A(s.m, s.k, check::roundUp(s.k, 8) + 8),
        B(s.k, s.n, check::roundUp(s.n, 8) + 8),
        C(s.m, s.n, check::roundUp(s.n, 8) + 8);
    A.random(53);
    B.random(54);
    dim3 block(16, 16);
    dim3 grid(check::ceilDiv(s.n, block.x), check::ceilDiv(s.m, block.y));
    MatMul<<<grid, block>>>(describe(A), describe(B), describe(C));
    test.expect("MatMul", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
