// FORM: shared-memory tiles: cuda::memcpy_async by a pipeline of the thread,
// three stages, float4
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stages are filled ahead by a lambda, and the pipeline counts how many groups
// the wait may leave.

#include "check.h"

#include <cuda/pipeline>

constexpr int T = 32, STAGES = 3;

#pragma warpwright matmul
__global__ void async_pipeline_stages(const float *A, const float *B, float *C,
                                      int N, int K) {
  __shared__ __align__(16) float As[STAGES][T][T];
  __shared__ __align__(16) float Bs[STAGES][T][T];
  const int r = threadIdx.x / 8, c = threadIdx.x % 8 * 4;
  const int tiles = K / T;
  auto pipe = cuda::make_pipeline();
  auto fill = [&](int t) {
    const auto size = cuda::aligned_size_t<16>(sizeof(float4));
    pipe.producer_acquire();
    if (t < tiles) {
      cuda::memcpy_async(&As[t % STAGES][r][c],
                         &A[(blockIdx.y * T + r) * K + t * T + c], size, pipe);
      cuda::memcpy_async(&Bs[t % STAGES][r][c],
                         &B[(t * T + r) * N + blockIdx.x * T + c], size, pipe);
    }
    pipe.producer_commit();
  };
  for (int s = 0; s < STAGES - 1; ++s)
    fill(s);
  float acc[4] = {};
  for (int t = 0; t < tiles; ++t) {
    fill(t + STAGES - 1);
    cuda::pipeline_consumer_wait_prior<STAGES - 1>(pipe);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      for (int j = 0; j < 4; ++j)
        acc[j] += As[t % STAGES][r][k] * Bs[t % STAGES][k][c + j];
    pipe.consumer_release();
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    C[(blockIdx.y * T + r) * N + blockIdx.x * T + c + j] = acc[j];
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{128, 64, 96},
                         check::Shape{32, 32, 160}, check::Shape{32, 32, 32}}) {
    check::Matrix<float> A(s.m, s.k);
    check::Matrix<float> B(s.k, s.n);
    check::Matrix<float> C(s.m, s.n);
    A.random(1);
    B.random(2);
    async_pipeline_stages<<<dim3(s.n / T, s.m / T), 256>>>(A.data(), B.data(),
                                                           C.data(), s.n, s.k);
    test.expect("async_pipeline_stages", s, C, check::product(s, A, B), A, B);
  }
  return test.finish();
}
