// FORM: shared-memory tiles: two buffers, the last tile multiplied after the
// loop
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each iteration fetches the next tile while it multiplies this one; what is
// fetched last has no iteration of its own.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void last_tile_after(const float *A, const float *B, float *C, int M,
                                int N, int K) {
  __shared__ float As[2][T][T + 1], Bs[2][T][T + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  const int tiles = (K + T - 1) / T;
  float acc = 0.0f;
  int now = 0;
  As[0][y][x] = row < M && x < K ? A[row * K + x] : 0.0f;
  Bs[0][y][x] = y < K && col < N ? B[y * N + col] : 0.0f;
  __syncthreads();
  for (int t = 1; t < tiles; ++t) {
    const int ka = t * T + x, kb = t * T + y;
    As[1 - now][y][x] = row < M && ka < K ? A[row * K + ka] : 0.0f;
    Bs[1 - now][y][x] = kb < K && col < N ? B[kb * N + col] : 0.0f;
    for (int k = 0; k < T; ++k)
      acc += As[now][y][k] * Bs[now][k][x];
    __syncthreads();
    now = 1 - now;
  }
  for (int k = 0; k < T; ++k)
    acc += As[now][y][k] * Bs[now][k][x];
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
    last_tile_after<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                      dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                    s.k);
    test.expect("last_tile_after", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
