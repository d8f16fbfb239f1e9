// FORM: operand prologues: two sums over one matrix that is scaled along k
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gated pair over a matrix whose columns have weights and whose rows are
// normalised: what both sums share is computed once.

#include "check.h"

#pragma warpwright matmul
__global__ void normalized_gates(const __nv_bfloat16 *X, const __nv_bfloat16 *W,
                                 const __nv_bfloat16 *V, const float *weight,
                                 const float *norm, float *Y, int M, int N,
                                 int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float gate = 0.0f, up = 0.0f;
  for (int k = 0; k < K; ++k) {
    const float x = __bfloat162float(X[row * K + k]) * weight[k];
    gate += x * __bfloat162float(W[k * N + col]);
    up += x * __bfloat162float(V[k * N + col]);
  }
  gate *= norm[row];
  up *= norm[row];
  Y[row * N + col] = gate / (1.0f + expf(-gate)) * up;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.setBound(1e-3);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<__nv_bfloat16> X(s.m, s.k), W(s.k, s.n), V(s.k, s.n);
    check::Matrix<float> weight(1, s.k), norm(1, s.m), Y(s.m, s.n);
    X.random(1);
    W.random(2);
    V.random(3);
    weight.random(4);
    norm.random(5);
    normalized_gates<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                       dim3(16, 16)>>>(X.data(), W.data(), V.data(),
                                       weight.data(), norm.data(), Y.data(),
                                       s.m, s.n, s.k);
    const auto x = [&](int m, int k) { return X(m, k) * weight(0, k); };
    const check::Table gate = check::product(s, x, W),
                       up = check::product(s, x, V);
    test.expect(
        "normalized_gates", s, Y,
        [&](int m, int n) {
          const double g = gate(m, n) * norm(0, m);
          return g / (1.0 + std::exp(-g)) * up(m, n) * norm(0, m);
        },
        X, W, V, weight, norm);
  }
  return test.finish();
}
