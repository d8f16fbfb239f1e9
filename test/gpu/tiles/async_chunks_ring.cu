// FORM: shared-memory tiles: __pipeline_memcpy_async, neighbouring chunks of a
// thread by hand, a ring of four stages
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each iteration closes a group, the last ones an empty one.

#include "check.h"

#include <cuda_fp16.h>
#include <cuda_pipeline.h>

constexpr int BM = 64, BN = 64, BK = 32, STAGES = 4;

#pragma warpwright matmul
__global__ void async_chunks_ring(const half *A, const half *B, half *C, int N,
                                  int K) {
  __shared__ __align__(16) half As[STAGES][BM][BK];
  __shared__ __align__(16) half Bs[STAGES][BK][BN];
  const int tid = threadIdx.x, ty = tid / 16, tx = tid % 16;
  const int ar = tid / 2, ac = tid % 2 * 16, br = tid / 4, bc = tid % 4 * 16;
  const half *Ag = A + (blockIdx.y * BM + ar) * K + ac;
  const half *Bg = B + br * N + blockIdx.x * BN + bc;
  auto fetch = [&](int t) {
    const int s = t % STAGES;
    __pipeline_memcpy_async(&As[s][ar][ac], Ag + t * BK, 16);
    __pipeline_memcpy_async(&As[s][ar][ac + 8], Ag + t * BK + 8, 16);
    __pipeline_memcpy_async(&Bs[s][br][bc], Bg + t * BK * N, 16);
    __pipeline_memcpy_async(&Bs[s][br][bc + 8], Bg + t * BK * N + 8, 16);
    __pipeline_commit();
  };
  const int tiles = K / BK;
  for (int t = 0; t < STAGES - 1; ++t)
    if (tiles > t)
      fetch(t);
    else
      __pipeline_commit();
  float acc[8][4] = {};
  for (int t = 0; t < tiles; ++t) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    if (t + STAGES - 1 < tiles)
      fetch(t + STAGES - 1);
    else
      __pipeline_commit();
    for (int k = 0; k < BK; ++k)
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 4; ++j)
          acc[i][j] += __half2float(As[t % STAGES][ty * 8 + i][k]) *
                       __half2float(Bs[t % STAGES][k][tx * 4 + j]);
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j)
      C[(blockIdx.y * BM + ty * 8 + i) * N + blockIdx.x * BN + tx * 4 + j] =
          __float2half(acc[i][j]);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  for (check::Shape s : {check::Shape{64, 128, 64}, check::Shape{128, 64, 96},
                         check::Shape{64, 64, 288}, check::Shape{64, 64, 32}}) {
    check::Matrix<half> A(s.m, s.k);
    check::Matrix<half> B(s.k, s.n);
    check::Matrix<half> C(s.m, s.n);
    A.random(1);
    B.random(2);
    async_chunks_ring<<<dim3(s.n / BN, s.m / BM), 128>>>(A.data(), B.data(),
                                                         C.data(), s.n, s.k);
    test.expect("async_chunks_ring", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
