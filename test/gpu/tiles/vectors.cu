// FORM: a matrix times a vector: products of one row
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decoding a token multiplies each matrix of a language model by one vector.

#include "check.h"

#include <algorithm>

#define ALL_LANES 0xffffffffu

// One thread an output.
#pragma warpwright matmul
__global__ void vector_thread(float *out, const half *x, const half *w, int n,
                              int d) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= d)
    return;
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += __half2float(w[i * n + j]) * __half2float(x[j]);
  out[i] = sum;
}

// One warp an output; halves, a bias, and an activation.
#pragma warpwright matmul
__global__ void vector_warp(const half *w, const half *x, const half *bias,
                            half *y, int d, int n) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= d)
    return;
  float sum = 0;
  for (int j = threadIdx.x; j < n; j += 32)
    sum += __half2float(w[row * n + j]) * __half2float(x[j]);
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(ALL_LANES, sum, offset);
  if (threadIdx.x == 0)
    y[row] = __float2half(fmaxf(sum + __half2float(bias[row]), 0.0f));
}

// The matrix lies the other way; its rows are ld elements apart, and the output
// is added to.
#pragma warpwright matmul
__global__ void vector_columns(const half *x, const half *w, float *y, int n,
                               int d, int ld, float alpha, float beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < d) {
    float sum = 0;
    for (int j = 0; j < n; ++j)
      sum += __half2float(x[j]) * __half2float(w[j * ld + i]);
    y[i] = alpha * sum + beta * y[i];
  }
}

// Weights of one byte with a scale for each output.
#pragma warpwright matmul
__global__ void vector_bytes(const signed char *w, const half *x,
                             const float *scale, float *y, int d, int n) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= d)
    return;
  float sum = 0;
  for (int j = threadIdx.x; j < n; j += 32)
    sum += static_cast<float>(w[row * n + j]) * __half2float(x[j]);
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(ALL_LANES, sum, offset);
  if (threadIdx.x == 0)
    y[row] = sum * scale[row];
}

// A column of a matrix as the vector, for several matrices.
#pragma warpwright matmul
__global__ void vector_batch(const __nv_bfloat16 *w, const __nv_bfloat16 *x,
                             float *y, int d, int n, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y;
  if (i >= d)
    return;
  float sum = 0;
  for (int j = 0; j < n; ++j)
    sum += __bfloat162float(w[(b * d + i) * n + j]) *
           __bfloat162float(x[(b * n + j) * columns]);
  y[b * d + i] = sum;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{1, 130, 72}, check::Shape{1, 77, 131},
                         check::Shape{1, 5, 3}, check::Shape{1, 1, 1}}) {
    const int blocks = check::ceilDiv(s.n, 64);
    {
      check::Matrix<half> w(s.n, s.k), x(1, s.k);
      check::Matrix<float> y(1, s.n);
      w.random(1);
      x.random(2);
      vector_thread<<<blocks, 64>>>(y.data(), x.data(), w.data(), s.k, s.n);
      const auto of = [&](int k, int n) { return w(n, k); };
      test.expect("vector_thread", s, y, check::product(s, x, of), x, w);
    }
    {
      check::Matrix<half> w(s.n, s.k), x(1, s.k), bias(1, s.n), y(1, s.n);
      w.random(3);
      x.random(4);
      bias.random(5);
      vector_warp<<<check::ceilDiv(s.n, 4), dim3(32, 4)>>>(
          w.data(), x.data(), bias.data(), y.data(), s.n, s.k);
      const auto of = [&](int k, int n) { return w(n, k); };
      const check::Table sum = check::product(s, x, of);
      test.expect(
          "vector_warp", s, y,
          [&](int m, int n) { return std::max(sum(m, n) + bias(0, n), 0.0); },
          x, w);
    }
    {
      check::Matrix<half> w(s.k, s.n, s.n + 3), x(1, s.k);
      check::Matrix<float> y(1, s.n), before(1, s.n);
      w.random(6);
      x.random(7);
      y.random(8);
      before.random(8);
      vector_columns<<<blocks, 64>>>(x.data(), w.data(), y.data(), s.k, s.n,
                                     w.pitch(), 0.5f, 2.0f);
      const check::Table sum = check::product(s, x, w);
      test.expect(
          "vector_columns", s, y,
          [&](int m, int n) { return 0.5 * sum(m, n) + 2 * before(m, n); }, x,
          w);
    }
    {
      check::Matrix<signed char> w(s.n, s.k);
      check::Matrix<half> x(1, s.k);
      check::Matrix<float> scale(1, s.n), y(1, s.n);
      w.integers(11, 127);
      x.random(12);
      scale.random(13);
      vector_bytes<<<check::ceilDiv(s.n, 4), dim3(32, 4)>>>(
          w.data(), x.data(), scale.data(), y.data(), s.n, s.k);
      const auto of = [&](int k, int n) { return w(n, k); };
      const check::Table sum = check::product(s, x, of);
      test.expect(
          "vector_bytes", s, y,
          [&](int m, int n) { return sum(m, n) * scale(0, n); }, x, w);
    }
    {
      const int batch = 2, columns = 3;
      check::Matrix<__nv_bfloat16> w(s.n, s.k, 0, batch);
      check::Matrix<__nv_bfloat16> x(s.k, columns, 0, batch);
      check::Matrix<float> y(1, s.n, 0, batch);
      w.random(9);
      x.random(10);
      vector_batch<<<dim3(blocks, batch), 64>>>(w.data(), x.data(), y.data(),
                                                s.n, s.k, columns);
      std::vector<check::Table> sums;
      for (int b = 0; b < batch; ++b)
        sums.push_back(check::product(
            s, [&](int, int k) { return x(k, 0, b); },
            [&](int k, int n) { return w(n, k, b); }));
      test.expect(
          "vector_batch", s, y,
          [&](int m, int n, int b) { return sums[b](m, n); }, x, w);
    }
  }
  return test.finish();
}
