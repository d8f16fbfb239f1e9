// FORM: several contractions: gated pair in float, by register tiles
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread computes two rows by two columns of both sums, from shared tiles.

#include "check.h"

constexpr int T = 16;

#pragma warpwright matmul
__global__ void gated_float(const float *__restrict__ X,
                            const float *__restrict__ G,
                            const float *__restrict__ U, float *__restrict__ Y,
                            int M, int N, int K) {
  __shared__ float xs[2 * T][T], gs[T][2 * T], us[T][2 * T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row0 = blockIdx.y * 2 * T, col0 = blockIdx.x * 2 * T;
  float gate[2][2] = {}, up[2][2] = {};
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int i = 0; i < 2; ++i) {
      const int r = row0 + ty + i * T, c = col0 + tx + i * T;
      xs[ty + i * T][tx] = r < M && k0 + tx < K ? X[r * K + k0 + tx] : 0.0f;
      const bool in = k0 + ty < K && c < N;
      gs[ty][tx + i * T] = in ? G[(k0 + ty) * N + c] : 0.0f;
      us[ty][tx + i * T] = in ? U[(k0 + ty) * N + c] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < T; ++k)
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          gate[i][j] += xs[ty + i * T][k] * gs[k][tx + j * T];
          up[i][j] += xs[ty + i * T][k] * us[k][tx + j * T];
        }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const int r = row0 + ty + i * T, c = col0 + tx + j * T;
      if (r < M && c < N)
        Y[r * N + c] = up[i][j] / (1.0f + __expf(-gate[i][j]));
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{67, 88, 92},
                         check::Shape{37, 45, 83}, check::Shape{4, 6, 9}}) {
    check::Matrix<float> X(s.m, s.k), G(s.k, s.n), U(s.k, s.n), Y(s.m, s.n);
    X.random(1);
    G.random(2);
    U.random(3);
    gated_float<<<dim3(check::ceilDiv(s.n, 2 * T), check::ceilDiv(s.m, 2 * T)),
                  dim3(T, T)>>>(X.data(), G.data(), U.data(), Y.data(), s.m,
                                s.n, s.k);
    check::Table gate = check::product(s, X, G), up = check::product(s, X, U);
    test.expect(
        "gated_float", s, Y,
        [&](int m, int n) { return up(m, n) / (1.0 + std::exp(-gate(m, n))); },
        X, G, U);
  }
  return test.finish();
}
