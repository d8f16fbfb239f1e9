// FORM: shared-memory tiles: pointers and buffer change where there is a next
// tile
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last iteration leaves the pointers and the number of the buffer as they
// are.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void steps_if_more(const float *A, const float *B, float *C, int M,
                              int N, int K) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  const float *a = A + row * K + x, *b = B + y * N + col;
  float acc = 0.0f;
  int stage = 0;
  As[0][y][x] = *a;
  Bs[0][y][x] = *b;
  __syncthreads();
  for (int k0 = T; k0 <= K; k0 += T) {
    for (int k = 0; k < T; ++k)
      acc += As[stage][y][k] * Bs[stage][k][x];
    if (k0 < K) {
      a += T;
      b += T * N;
      stage ^= 1;
      As[stage][y][x] = *a;
      Bs[stage][y][x] = *b;
      __syncthreads();
    }
  }
  C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}, check::Shape{32, 32, 16}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    steps_if_more<<<dim3(s.n / T, s.m / T), dim3(T, T)>>>(
        A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("steps_if_more", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
