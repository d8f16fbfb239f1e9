// FORM: several contractions: a product by tiles, and one of lower rank on top
// of it
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two products have ranges of k of their own. That of the second one may be
// empty.

#include "check.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void low_rank_addition(const half *X, const half *W, const half *U,
                                  const half *V, float *Y, int M, int N, int K,
                                  int R) {
  __shared__ half left[T][T], right[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const half zero = __float2half(0.0f);
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    left[ty][tx] = row < M && k0 + tx < K ? X[row * K + k0 + tx] : zero;
    right[ty][tx] = k0 + ty < K && col < N ? W[(k0 + ty) * N + col] : zero;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += __half2float(left[ty][k]) * __half2float(right[k][tx]);
    __syncthreads();
  }
  if (row < M && col < N) {
    for (int r = 0; r < R; ++r)
      sum += __half2float(U[row * R + r]) * __half2float(V[r * N + col]);
    Y[row * N + col] = sum;
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{67, 45, 83}, check::Shape{1, 1, 1}})
    for (int rank : {0, 16, 5}) {
      check::Matrix<half> X(s.m, s.k), W(s.k, s.n), U(s.m, rank), V(rank, s.n);
      check::Matrix<float> Y(s.m, s.n);
      X.random(1);
      W.random(2);
      U.random(3);
      V.random(4);
      low_rank_addition<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                          dim3(T, T)>>>(X.data(), W.data(), U.data(), V.data(),
                                        Y.data(), s.m, s.n, s.k, rank);
      check::Table sum = check::product(s, X, W),
                   more = check::product({s.m, s.n, rank}, U, V);
      test.expect(
          "low_rank_addition", s, Y,
          [&](int m, int n) { return sum(m, n) + more(m, n); }, X, W, U, V);
    }
  return test.finish();
}
