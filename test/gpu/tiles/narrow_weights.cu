// FORM: operand prologues: conversion from narrower types, int8 weights with
// a scale per column
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights are signed bytes.

#include "check.h"

#pragma warpwright matmul
__global__ void narrow_weights(const half *X, const signed char *W,
                               const float *scale, float *Y, int M, int N,
                               int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += __half2float(X[row * K + k]) * static_cast<float>(W[col * K + k]);
    Y[row * N + col] = sum * scale[col];
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> X(s.m, s.k);
    check::Matrix<float> Y(s.m, s.n), scale(1, s.n);
    X.random(1);
    scale.random(2);
    std::vector<signed char> weights(static_cast<size_t>(s.n) * s.k);
    uint64_t state = 3;
    for (signed char &w : weights)
      w = static_cast<signed char>(check::randomBits(state) % 255) - 127;
    signed char *W;
    CUDA_CHECK(cudaMalloc(&W, weights.size()));
    CUDA_CHECK(
        cudaMemcpy(W, weights.data(), weights.size(), cudaMemcpyHostToDevice));
    narrow_weights<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                     dim3(16, 16)>>>(X.data(), W, scale.data(), Y.data(), s.m,
                                     s.n, s.k);
    check::Table sum = check::product(s, X, [&](int k, int n) {
      return static_cast<double>(weights[n * s.k + k]);
    });
    test.expect(
        "narrow_weights", s, Y,
        [&](int m, int n) { return sum(m, n) * scale(0, n); }, X, scale);
    CUDA_CHECK(cudaFree(W));
  }
  return test.finish();
}
