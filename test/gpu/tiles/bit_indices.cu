// FORM: shared-memory tiles: square, static; indices put together by shifts and
// `|`; guards by `&` and `|` of conditions; both K loops count down
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What no bit is in both of can be put together by `|` as well as by `+`.

#include "check.h"

#define TILE 16

#pragma warpwright matmul
__global__ void bit_indices(const float *A, const float *B, float *C, int M,
                            int N, int K) {
  __shared__ float As[TILE][TILE], Bs[TILE][TILE];
  const int row = (blockIdx.y << 4) | threadIdx.y;
  const int col = threadIdx.x | (blockIdx.x << 4);
  float acc = 0.0f;
  for (int t = (K + TILE - 1) / TILE - 1; t >= 0; --t) {
    const int ka = (t << 4) | threadIdx.x, kb = (t << 4) | threadIdx.y;
    const bool inside = (row < M) & (ka < K);
    As[threadIdx.y][threadIdx.x] = inside ? A[row * K + ka] : 0.0f;
    Bs[threadIdx.y][threadIdx.x] =
        (kb >= K) | (col >= N) ? 0.0f : B[kb * N + col];
    __syncthreads();
    for (int k = TILE - 1; k >= 0; --k)
      acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if ((row < M) & (col < N))
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
    bit_indices<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                  dim3(16, 16)>>>(A.data(), B.data(), C.data(), s.m, s.n, s.k);
    test.expect("bit_indices", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
