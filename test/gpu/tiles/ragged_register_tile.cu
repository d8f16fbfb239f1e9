// FORM: register tiles: regM and regN from guarded tiles, alpha and beta,
// ragged shapes
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every load and every store is guarded.

#include "check.h"

constexpr int BM = 32, BN = 32, BK = 8, TM = 4, TN = 4;

#pragma warpwright matmul
__global__ void ragged_register_tile(int M, int N, int K, float alpha,
                                     const float *A, const float *B, float beta,
                                     float *C) {
  __shared__ float As[BK][BM], Bs[BK][BN];
  const int tid = threadIdx.x;
  const int tr = tid / (BN / TN), tc = tid % (BN / TN);
  const int m0 = blockIdx.y * BM, n0 = blockIdx.x * BN;
  float acc[TM][TN] = {};
  float regM[TM], regN[TN];
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK; i += 64) {
      const int r = i / BK, c = i % BK;
      float v = 0.0f;
      if (m0 + r < M && k0 + c < K)
        v = A[(m0 + r) * K + k0 + c];
      As[c][r] = v;
    }
    for (int i = tid; i < BK * BN; i += 64) {
      const int r = i / BN, c = i % BN;
      float v = 0.0f;
      if (k0 + r < K && n0 + c < N)
        v = B[(k0 + r) * N + n0 + c];
      Bs[r][c] = v;
    }
    __syncthreads();
    for (int k = 0; k < BK; ++k) {
      for (int i = 0; i < TM; ++i)
        regM[i] = As[k][tr * TM + i];
      for (int j = 0; j < TN; ++j)
        regN[j] = Bs[k][tc * TN + j];
      for (int i = 0; i < TM; ++i)
        for (int j = 0; j < TN; ++j)
          acc[i][j] += regM[i] * regN[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i)
    for (int j = 0; j < TN; ++j) {
      const int row = m0 + tr * TM + i, col = n0 + tc * TN + j;
      if (row < M && col < N)
        C[row * N + col] = alpha * acc[i][j] + beta * C[row * N + col];
    }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{130, 34, 101},
                         check::Shape{3, 5, 7}, check::Shape{1, 1, 1}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(1);
    B.random(2);
    C.random(3);
    before.random(3);
    ragged_register_tile<<<
        dim3(check::ceilDiv(s.n, BN), check::ceilDiv(s.m, BM)), 64>>>(
        s.m, s.n, s.k, 0.75f, A.data(), B.data(), 1.5f, C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "ragged_register_tile", s, C,
        [&](int m, int n) { return 0.75 * sum(m, n) + 1.5 * before(m, n); }, A,
        B);
  }
  return test.finish();
}
