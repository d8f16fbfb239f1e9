// FORM: shared-memory tiles: __pipeline_memcpy_async, double-buffered, one
// barrier per tile
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The next tile is copied while this one is multiplied; the wait is at the end.

#include "check.h"

#include <cuda_pipeline.h>

constexpr int T = 16;

#pragma warpwright matmul
__global__ void async_one_barrier(const float *A, const float *B, float *C,
                                  int M, int N, int K) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int tiles = (K + T - 1) / T;
  auto fill = [&](int to, int t) {
    const int ka = t * T + tx, kb = t * T + ty;
    const bool inA = row < M && ka < K, inB = kb < K && col < N;
    __pipeline_memcpy_async(&As[to][ty][tx], inA ? &A[row * K + ka] : A,
                            sizeof(float), inA ? 0 : sizeof(float));
    __pipeline_memcpy_async(&Bs[to][ty][tx], inB ? &B[kb * N + col] : B,
                            sizeof(float), inB ? 0 : sizeof(float));
    __pipeline_commit();
  };
  fill(0, 0);
  __pipeline_wait_prior(0);
  __syncthreads();
  float acc = 0.0f;
  int now = 0;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles)
      fill(now ^ 1, t + 1);
    for (int k = 0; k < T; ++k)
      acc += As[now][ty][k] * Bs[now][k][tx];
    __pipeline_wait_prior(0);
    __syncthreads();
    now ^= 1;
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{96, 64, 64}, check::Shape{136, 72, 104},
                         check::Shape{67, 45, 83}, check::Shape{3, 5, 7}}) {
    check::Matrix<float> A(s.m, s.k);
    check::Matrix<float> B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    async_one_barrier<<<dim3(check::ceilDiv(s.n, T), check::ceilDiv(s.m, T)),
                        dim3(T, T)>>>(A.data(), B.data(), C.data(), s.m, s.n,
                                      s.k);
    test.expect("async_one_barrier", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
