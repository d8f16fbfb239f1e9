// FORM: shared-memory tiles: a loop without a condition that is left by `break`
// behind the product
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last tile needs no barrier behind it, and the loop has none there.

#include "check.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void left_in_the_middle(const float *A, const float *B, float *C,
                                   int M, int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int tiles = (K + T - 1) / T;
  float acc = 0.0f;
  for (int t = 0;; ++t) {
    const int a = t * T + tx, b = t * T + ty;
    As[ty][tx] = row < M && a < K ? A[row * K + a] : 0.0f;
    Bs[ty][tx] = b < K && col < N ? B[b * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
    if (t + 1 >= tiles)
      break;
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 48, 64}, check::Shape{67, 45, 83},
                         check::Shape{3, 5, 7}, check::Shape{17, 33, 16}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    left_in_the_middle<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                         dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                       s.k);
    test.expect("left_in_the_middle", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
