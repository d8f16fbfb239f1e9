// FORM: shared-memory tiles: __pipeline_memcpy_async, three stages, float4,
// wait_prior(1)
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two tiles are under way while one is multiplied; the last iterations close
// empty groups.

#include "check.h"

#include <cuda_pipeline.h>

constexpr int BM = 64, BN = 64, BK = 16, STAGES = 3;

#pragma warpwright matmul
__global__ void async_ring(const float *__restrict__ A,
                           const float *__restrict__ B, float *__restrict__ C,
                           int N, int K) {
  __shared__ __align__(16) float As[STAGES][BM][BK];
  __shared__ __align__(16) float Bs[STAGES][BK][BN];
  const int tid = threadIdx.x, ty = tid / 16, tx = tid % 16;
  const int ar = tid / 4, ac = tid % 4 * 4, br = tid / 16, bc = tid % 16 * 4;
  const float *Ag = A + (blockIdx.y * BM + ar) * K + ac;
  const float *Bg = B + br * N + blockIdx.x * BN + bc;
  const int tiles = K / BK;
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    if (s < tiles) {
      __pipeline_memcpy_async(&As[s][ar][ac], Ag + s * BK, sizeof(float4));
      __pipeline_memcpy_async(&Bs[s][br][bc], Bg + s * BK * N, sizeof(float4));
    }
    __pipeline_commit();
  }
  float acc[4][4] = {};
  int from = 0, to = STAGES - 1;
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    const int next = t + STAGES - 1;
    if (next < tiles) {
      __pipeline_memcpy_async(&As[to][ar][ac], Ag + next * BK, sizeof(float4));
      __pipeline_memcpy_async(&Bs[to][br][bc], Bg + next * BK * N,
                              sizeof(float4));
    }
    __pipeline_commit();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += As[from][ty * 4 + i][k] * Bs[from][k][tx * 4 + j];
    from = (from + 1) % STAGES;
    to = (to + 1) % STAGES;
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      C[(blockIdx.y * BM + ty * 4 + i) * N + blockIdx.x * BN + tx * 4 + j] =
          acc[i][j];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{128, 64, 96},
                         check::Shape{64, 64, 160}, check::Shape{64, 64, 16},
                         check::Shape{64, 64, 32}}) {
    check::Matrix<float> A(s.m, s.k);
    check::Matrix<float> B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    async_ring<<<dim3(s.n / BN, s.m / BM), 256>>>(A.data(), B.data(), C.data(),
                                                  s.n, s.k);
    test.expect("async_ring", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
