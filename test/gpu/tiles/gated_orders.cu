// FORM: a gated pair whose second factors lie in different memory orders
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan reads both factors in one order; the launcher copies the one that lies
// in the other order, or whatever TMA cannot read.

#include "check.h"

#pragma warpwright matmul
__global__ void gated_orders(const half *A, const half *G, const half *U,
                             float *C, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float gate = 0.0f, up = 0.0f;
  for (int k = 0; k < K; ++k) {
    gate += __half2float(A[row * K + k]) * __half2float(G[k * N + col]);
    up += __half2float(A[row * K + k]) * __half2float(U[col * K + k]);
  }
  C[row * N + col] = fmaxf(gate, 0.0f) * up;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{133, 75, 91},
                         check::Shape{130, 264, 200}, check::Shape{3, 2, 1}}) {
    check::Matrix<half> A(s.m, s.k), G(s.k, s.n), U(s.n, s.k);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    G.random(2);
    U.random(3);
    gated_orders<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                   dim3(16, 16)>>>(A.data(), G.data(), U.data(), C.data(), s.m,
                                   s.n, s.k);
    check::Table gate = check::product(s, A, G);
    check::Table up =
        check::product(s, A, [&](int k, int n) { return U(n, k); });
    for (int m = 0; m < s.m; ++m)
      for (int n = 0; n < s.n; ++n)
        gate.row(m)[n] = std::fmax(gate.row(m)[n], 0.0) * up.row(m)[n];
    test.expect("gated_orders", s, C, gate, A, G, U);
  }
  return test.finish();
}
