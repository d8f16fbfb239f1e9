// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A one-dimensional block in a two-dimensional grid: the block's threads are
// laid over a square tile with / and %, so that neighbours read neighbouring
// columns. Float output with alpha and beta.
//
// EXPECT-LOG: hopper if k > 0

#include "check.h"

#pragma warpwright matmul
template <const unsigned TILE>
__global__ void gemm_coalesced(int M, int N, int K, float alpha, const half *A,
                               const half *B, float beta, float *C) {
  const int cRow = blockIdx.x * TILE + (threadIdx.x / TILE);
  const int cCol = blockIdx.y * TILE + (threadIdx.x % TILE);

  if (cRow < M && cCol < N) {
    float tmp = 0.0f;
    for (int i = 0; i < K; ++i) {
      tmp += __half2float(A[cRow * K + i]) * __half2float(B[i * N + cCol]);
    }
    C[cRow * N + cCol] = alpha * tmp + beta * C[cRow * N + cCol];
  }
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  const float alpha = 0.5f, beta = 3.0f;
  for (check::Shape s : test.shapes()) {
    check::Matrix<half> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n), before(s.m, s.n);
    A.random(7);
    B.random(8);
    C.random(9);
    before.random(9);
    dim3 grid(check::ceilDiv(s.m, 16), check::ceilDiv(s.n, 16));
    gemm_coalesced<16><<<grid, 16 * 16>>>(s.m, s.n, s.k, alpha, A.data(),
                                          B.data(), beta, C.data());
    check::Table sum = check::product(s, A, B);
    test.expect(
        "gemm_coalesced", s, C,
        [&](int m, int n) { return alpha * sum(m, n) + beta * before(m, n); },
        A, B);
  }
  return test.finish();
}
