// FORM: shared-memory tiles: the tile width is a run-time argument
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The caller says how wide the tiles are; the block has that many threads
// each way.

#include "check.h"

#pragma warpwright matmul
__global__ void runtime_width(const float *A, const float *B, float *C, int M,
                              int N, int K, int width) {
  extern __shared__ float shared[];
  float *a = &shared[0];
  float *b = &shared[width * width];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * width + ty, col = blockIdx.x * width + tx;
  float acc = 0.0f;
  int tiles = (K + width - 1) / width;
  for (int t = 0; t < tiles; ++t) {
    a[ty * width + tx] = 0.0f;
    b[ty * width + tx] = 0.0f;
    if (row < M && t * width + tx < K)
      a[ty * width + tx] = A[row * K + t * width + tx];
    if (t * width + ty < K && col < N)
      b[ty * width + tx] = B[(t * width + ty) * N + col];
    __syncthreads();
    for (int k = 0; k < width; ++k)
      acc += a[ty * width + k] * b[k * width + tx];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
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
    const int width = s.k % 2 ? 8 : 16;
    runtime_width<<<dim3(check::ceilDiv(s.n, width),
                         check::ceilDiv(s.m, width)),
                    dim3(width, width), 2 * width * width * sizeof(float)>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k, width);
    test.expect("runtime_width", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
