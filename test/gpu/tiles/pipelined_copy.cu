// FORM: shared-memory tiles: __pipeline_memcpy_async, double-buffered, float4
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles are copied asynchronously, one tile ahead.

#include "check.h"

#include <cuda_pipeline.h>

constexpr int T = 32;

__device__ void copy(float (*as)[T], float (*bs)[T], const float *A,
                     const float *B, int k0, int N, int K) {
  const int r = threadIdx.x / 8, c = threadIdx.x % 8 * 4;
  __pipeline_memcpy_async(&as[r][c], &A[(blockIdx.y * T + r) * K + k0 + c], 16);
  __pipeline_memcpy_async(&bs[r][c], &B[(k0 + r) * N + blockIdx.x * T + c], 16);
  __pipeline_commit();
}

#pragma warpwright matmul
__global__ void pipelined_copy(const float *A, const float *B, float *C, int N,
                               int K) {
  __shared__ __align__(16) float As[2][T][T];
  __shared__ __align__(16) float Bs[2][T][T];
  const int r = threadIdx.x / 8, c = threadIdx.x % 8 * 4;
  float acc[4] = {};
  copy(As[0], Bs[0], A, B, 0, N, K);
  int stage = 0;
  for (int k0 = 0; k0 < K; k0 += T) {
    if (k0 + T < K) {
      copy(As[stage ^ 1], Bs[stage ^ 1], A, B, k0 + T, N, K);
      __pipeline_wait_prior(1);
    } else {
      __pipeline_wait_prior(0);
    }
    __syncthreads();
    for (int k = 0; k < T; ++k)
      for (int j = 0; j < 4; ++j)
        acc[j] += As[stage][r][k] * Bs[stage][k][c + j];
    __syncthreads();
    stage ^= 1;
  }
  for (int j = 0; j < 4; ++j)
    C[(blockIdx.y * T + r) * N + blockIdx.x * T + c + j] = acc[j];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}, check::Shape{32, 32, 32}}) {
    check::Matrix<float> A(s.m, s.k), B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    pipelined_copy<<<dim3(s.n / T, s.m / T), 256>>>(A.data(), B.data(),
                                                    C.data(), s.n, s.k);
    test.expect("pipelined_copy", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
