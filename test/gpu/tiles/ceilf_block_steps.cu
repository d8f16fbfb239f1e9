// FORM: shared-memory tiles: size_t extents, tile count by ceilf of a float
// quotient, rows and columns from blockDim
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tiles have a constant width, the steps between them are the block's: the
// launch has to make both equal.

#include "check.h"

#include <cstddef>

#define EDGE 16

#pragma warpwright matmul
template <typename T>
__global__ void ceilf_block_steps(T const *A, T const *B, T *C, size_t m,
                                  size_t n, size_t p) {
  __shared__ T left[EDGE][EDGE];
  __shared__ T right[EDGE][EDGE];
  T sum{0};
  for (size_t tile{0}; tile < ceilf(static_cast<float>(n) / EDGE); ++tile) {
    size_t row{blockIdx.y * blockDim.y + threadIdx.y};
    size_t col{tile * blockDim.x + threadIdx.x};
    if ((row < m) && (col < n))
      left[threadIdx.y][threadIdx.x] = A[row * n + col];
    else
      left[threadIdx.y][threadIdx.x] = 0;
    row = tile * blockDim.y + threadIdx.y;
    col = blockIdx.x * blockDim.x + threadIdx.x;
    if ((row < n) && (col < p))
      right[threadIdx.y][threadIdx.x] = B[row * p + col];
    else
      right[threadIdx.y][threadIdx.x] = 0;
    __syncthreads();
    for (size_t k{0}; k < EDGE; ++k)
      sum += left[threadIdx.y][k] * right[k][threadIdx.x];
    __syncthreads();
  }
  size_t const row{blockIdx.y * blockDim.y + threadIdx.y};
  size_t const col{blockIdx.x * blockDim.x + threadIdx.x};
  if ((row < m) && (col < p))
    C[row * p + col] = sum;
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
    dim3 block(EDGE, EDGE), grid(1, 1);
    grid.x = std::ceil(static_cast<double>(s.n) / block.x);
    grid.y = std::ceil(static_cast<double>(s.m) / block.y);
    ceilf_block_steps<float>
        <<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.k, s.n);
    test.expect("ceilf_block_steps", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
