// FORM: several contractions: gate and up are halves of one batched weight
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of the weight are 2 N long: the gate's columns first, then the others. A
// batch has weights of its own, as the experts of a mixture have.

#include "check.h"

#pragma warpwright matmul
__global__ void gated_halves(const half *X, const half *W, half *Y, int M,
                             int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  const half *x = X + blockIdx.z * M * K;
  const half *w = W + blockIdx.z * K * 2 * N;
  float gate = 0.0f, up = 0.0f;
  for (int k = 0; k < K; ++k) {
    gate += __half2float(x[row * K + k]) * __half2float(w[k * 2 * N + col]);
    up += __half2float(x[row * K + k]) * __half2float(w[k * 2 * N + N + col]);
  }
  Y[(blockIdx.z * M + row) * N + col] =
      __float2half(fmaxf(gate, 0.0f) * up * 0.01f);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  const int batches = 3;
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{67, 40, 88},
                         check::Shape{130, 72, 104}, check::Shape{4, 6, 9}}) {
    check::Matrix<half> X(batches * s.m, s.k), W(batches * s.k, 2 * s.n);
    check::Matrix<half> Y(batches * s.m, s.n);
    X.random(1);
    W.random(2);
    gated_halves<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16),
                        batches),
                   dim3(16, 16)>>>(X.data(), W.data(), Y.data(), s.m, s.n, s.k);
    const check::Shape all = {batches * s.m, 2 * s.n, s.k};
    // Of each row, with the weights of its batch.
    std::vector<check::Table> own;
    for (int b = 0; b < batches; ++b)
      own.push_back(check::product(
          all, [&](int m, int k) { return X(m, k); },
          [&, b](int k, int n) { return W(b * s.k + k, n); }));
    test.expect(
        "gated_halves", {batches * s.m, s.n, s.k}, Y,
        [&](int m, int n) {
          const check::Table &t = own[m / s.m];
          return std::max(t(m, n), 0.0) * t(m, s.n + n) * 0.01;
        },
        X, W);
  }
  return test.finish();
}
