// FORM: several contractions: a layer and its low-rank adapter, times a number;
// the gates of a recurrent cell, with biases between its products
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The products of each sum have ranges of k of their own.

#include "check.h"

#pragma warpwright matmul
__global__ void adapted(const half *X, const half *W, const half *XA,
                        const half *B, float *Y, int M, int N, int K, int R,
                        float alpha) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f, low = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(X[row * K + k]) * __half2float(W[k * N + col]);
  for (int r = 0; r < R; ++r)
    low += __half2float(XA[row * R + r]) * __half2float(B[r * N + col]);
  Y[row * N + col] = sum + alpha / R * low;
}

#pragma warpwright matmul
__global__ void cell(const half *X, const half *W, const half *H, const half *U,
                     const float *of_x, const float *of_h, float *Y, int M,
                     int N, int K, int R) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float x = 0.0f, h = 0.0f;
  for (int k = 0; k < K; ++k)
    x += __half2float(X[row * K + k]) * __half2float(W[k * N + col]);
  for (int r = 0; r < R; ++r)
    h += __half2float(H[row * R + r]) * __half2float(U[r * N + col]);
  Y[row * N + col] = x + of_x[col] - h - of_h[col];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{1, 1, 1}}) {
    const int rank = s.k / 8 + 1;
    const dim3 block(16, 16),
        grid(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16));
    check::Matrix<half> X(s.m, s.k), W(s.k, s.n), H(s.m, rank), U(rank, s.n);
    check::Matrix<float> Y(s.m, s.n), of_x(1, s.n), of_h(1, s.n);
    X.random(1);
    W.random(2);
    H.random(3);
    U.random(4);
    of_x.random(5);
    of_h.random(6);
    check::Table sum = check::product(s, X, W),
                 more = check::product({s.m, s.n, rank}, H, U);
    adapted<<<grid, block>>>(X.data(), W.data(), H.data(), U.data(), Y.data(),
                             s.m, s.n, s.k, rank, -3.5f);
    test.expect(
        "adapted", s, Y,
        [&](int m, int n) { return sum(m, n) - 3.5f / rank * more(m, n); }, X,
        W, H, U);
    cell<<<grid, block>>>(X.data(), W.data(), H.data(), U.data(), of_x.data(),
                          of_h.data(), Y.data(), s.m, s.n, s.k, rank);
    test.expect(
        "cell", s, Y,
        [&](int m, int n) {
          return sum(m, n) + of_x(0, n) - more(m, n) - of_h(0, n);
        },
        X, W, H, U, of_x, of_h);
  }
  return test.finish();
}
