// FORM: several contractions: three projections of one matrix, an output for
// each
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Query, key and value of an attention layer: three weights, contiguous along
// k.

#include "check.h"

using bf16 = __nv_bfloat16;

#pragma warpwright matmul
__global__ void projections(const bf16 *X, const bf16 *Wq, const bf16 *Wk,
                            const bf16 *Wv, const float *bias, bf16 *Q,
                            bf16 *Keys, float *V, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float q = 0.0f, key = 0.0f, v = 0.0f;
  for (int k = 0; k < K; ++k) {
    const float x = __bfloat162float(X[row * K + k]);
    q += x * __bfloat162float(Wq[col * K + k]);
    key += x * __bfloat162float(Wk[col * K + k]);
    v += x * __bfloat162float(Wv[col * K + k]);
  }
  Q[row * N + col] = __float2bfloat16((q + bias[col]) * 0.125f);
  Keys[row * N + col] = __float2bfloat16(key + bias[N + col]);
  V[row * N + col] = v;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{67, 88, 136},
                         check::Shape{130, 35, 104}, check::Shape{4, 6, 9}}) {
    check::Matrix<bf16> X(s.m, s.k), Wq(s.n, s.k), Wk(s.n, s.k), Wv(s.n, s.k);
    check::Matrix<bf16> Q(s.m, s.n), Keys(s.m, s.n);
    check::Matrix<float> V(s.m, s.n), bias(2, s.n);
    X.random(1);
    Wq.random(2);
    Wk.random(3);
    Wv.random(4);
    bias.random(5);
    projections<<<dim3(check::ceilDiv(s.n, 16), check::ceilDiv(s.m, 16)),
                  dim3(16, 16)>>>(X.data(), Wq.data(), Wk.data(), Wv.data(),
                                  bias.data(), Q.data(), Keys.data(), V.data(),
                                  s.m, s.n, s.k);
    auto product = [&](const check::Matrix<bf16> &W) {
      return check::product(
          s, [&](int m, int k) { return X(m, k); },
          [&](int k, int n) { return W(n, k); });
    };
    check::Table q = product(Wq), key = product(Wk), v = product(Wv);
    test.expect(
        "queries", s, Q,
        [&](int m, int n) { return (q(m, n) + bias(0, n)) * 0.125; }, X, Wq, Wk,
        Wv, bias);
    test.expect(
        "keys", s, Keys, [&](int m, int n) { return key(m, n) + bias(1, n); },
        X, Wq, Wk, Wv, bias);
    test.expect("values", s, V, v, X, Wq, Wk, Wv, bias);
  }
  return test.finish();
}
