// FORM: several contractions: two products by tiles, one loop after the other
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The hidden layer of a recurrent network: what comes in and what was there,
// each by its own weight, added up. Both loops stage their tiles in the same
// arrays.

#include "check.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void summed_products(const float *X, const float *Wx, const float *H,
                                const float *Wh, const float *bias, float *Y,
                                int M, int N, int K) {
  __shared__ float left[T][T], right[T][T + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    left[ty][tx] = row < M && k0 + tx < K ? X[row * K + k0 + tx] : 0.0f;
    right[ty][tx] = k0 + ty < K && col < N ? Wx[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += left[ty][k] * right[k][tx];
    __syncthreads();
  }
  for (int k0 = 0; k0 < K; k0 += T) {
    left[ty][tx] = row < M && k0 + tx < K ? H[row * K + k0 + tx] : 0.0f;
    right[ty][tx] = k0 + ty < K && col < N ? Wh[(k0 + ty) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += left[ty][k] * right[k][tx];
    __syncthreads();
  }
  if (row < M && col < N)
    Y[row * N + col] = tanhf(0.05f * (sum + bias[col]));
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{67, 88, 92},
                         check::Shape{37, 45, 83}, check::Shape{4, 6, 9}}) {
    check::Matrix<float> X(s.m, s.k), Wx(s.k, s.n), H(s.m, s.k), Wh(s.k, s.n);
    check::Matrix<float> bias(1, s.n), Y(s.m, s.n);
    X.random(1);
    Wx.random(2);
    H.random(3);
    Wh.random(4);
    bias.random(5);
    summed_products<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                      dim3(T, T)>>>(X.data(), Wx.data(), H.data(), Wh.data(),
                                    bias.data(), Y.data(), s.m, s.n, s.k);
    check::Table in = check::product(s, X, Wx),
                 before = check::product(s, H, Wh);
    test.expect(
        "summed_products", s, Y,
        [&](int m, int n) {
          return std::tanh(0.05 * (in(m, n) + before(m, n) + bias(0, n)));
        },
        X, Wx, H, Wh, bias);
  }
  return test.finish();
}
