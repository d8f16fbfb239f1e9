// FORM: several contractions: gated pair, two sums over one A, silu(g) * u
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gated layer: two products that share their left operand.

#include "check.h"

#pragma warpwright matmul
__global__ void gated_pair(const half *X, const half *G, const half *U, half *Y,
                           int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float gate = 0.0f, up = 0.0f;
    for (int k = 0; k < K; ++k) {
      const float x = __half2float(X[row * K + k]);
      gate += x * __half2float(G[k * N + col]);
      up += x * __half2float(U[k * N + col]);
    }
    Y[row * N + col] = __float2half(gate / (1.0f + expf(-gate)) * up);
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{67, 45, 83},
                         check::Shape{130, 34, 101}, check::Shape{4, 6, 9}}) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<half> C(s.m, s.n);
    A.random(1);
    B.random(2);
    check::Matrix<half> U(s.k, s.n);
    U.random(5);
    check::Table up = check::product(s, A, U);
    gated_pair<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                 dim3(16, 16)>>>(A.data(), B.data(), U.data(), C.data(), s.m,
                                 s.n, s.k);
    check::Table sum = check::product(s, A, B);
    test.expect(
        "gated_pair", s, C,
        [&](int m, int n) {
          return sum(m, n) / (1.0 + std::exp(-sum(m, n))) * up(m, n);
        },
        A, B, U);
  }
  return test.finish();
}
