// FORM: two buffers: the last tile is taken from the second one
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// That is where it lies if the number of tiles is even; the launcher asks for
// that, and the kernel that is launched else finds its last tile by a bit.

#include "check.h"

#define T 16

template <bool Even>
#pragma warpwright matmul
__global__ void second_buffer_last(const float *A, const float *B, float *C,
                                   int M, int N, int K) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  const int tiles = (K + T - 1) / T;
  float acc = 0.0f;
  As[0][y][x] = row < M && x < K ? A[row * K + x] : 0.0f;
  Bs[0][y][x] = y < K && col < N ? B[y * N + col] : 0.0f;
  __syncthreads();
  for (int t = 1; t < tiles; ++t) {
    const int now = (t - 1) & 1, next = t & 1;
    const int ka = t * T + x, kb = t * T + y;
    As[next][y][x] = row < M && ka < K ? A[row * K + ka] : 0.0f;
    Bs[next][y][x] = kb < K && col < N ? B[kb * N + col] : 0.0f;
    for (int k = 0; k < T; ++k)
      acc += As[now][y][k] * Bs[now][k][x];
    __syncthreads();
  }
  const int last = Even ? 1 : (tiles - 1) & 1;
  for (int k = 0; k < T; ++k)
    acc += As[last][y][k] * Bs[last][k][x];
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 108},
                         check::Shape{67, 45, 96}, check::Shape{130, 34, 104},
                         check::Shape{3, 5, 17}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    const dim3 grid(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
        block(T, T);
    if (check::ceilDiv(s.k, T) % 2 == 0)
      second_buffer_last<true>
          <<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    else
      second_buffer_last<false>
          <<<grid, block>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("second_buffer_last", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
