// FORM: several contractions: gated pair through shared-memory tiles
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three tiles: one of the input, two of the weights.

#include "check.h"

#define T 16

#pragma warpwright matmul
__global__ void gated_tiles(const half *X, const half *G, const half *U,
                            float *Y, int M, int N, int K) {
  __shared__ half Xs[T][T], Gs[T][T], Us[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const half zero = __float2half(0.0f);
  float gate = 0.0f, up = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    Xs[ty][tx] = row < M && k0 + tx < K ? X[row * K + k0 + tx] : zero;
    const bool in = k0 + ty < K && col < N;
    Gs[ty][tx] = in ? G[(k0 + ty) * N + col] : zero;
    Us[ty][tx] = in ? U[(k0 + ty) * N + col] : zero;
    __syncthreads();
    for (int k = 0; k < T; ++k) {
      gate += __half2float(Xs[ty][k]) * __half2float(Gs[k][tx]);
      up += __half2float(Xs[ty][k]) * __half2float(Us[k][tx]);
    }
    __syncthreads();
  }
  if (row < M && col < N)
    Y[row * N + col] = fmaxf(gate, 0.0f) * up;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    check::Matrix<half> U(s.k, s.n);
    U.random(5);
    check::Table up = check::product(s, A, U);
    gated_tiles<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                  dim3(T, T)>>>(A.data(), B.data(), U.data(), C.data(), s.m,
                                s.n, s.k);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "gated_tiles", s, C,
        [&](int m, int n) { return std::fmax(sum(m, n), 0.0) * up(m, n); }, A,
        B, U);
  }
  return test.finish();
}
