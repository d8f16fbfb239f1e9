// FORM: shared-memory tiles: a pipeline of the block (cuda::pipeline with a
// shared state), one stage and rings of more
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One stage, which every thread fills; three stages, of which two are filled
// ahead as long as there are tiles, with zeros beyond the ends of A and B; two
// stages that the block copies by rows, both filled ahead and again when they
// were read; three stages that an inner loop keeps full.

#include "check.h"

#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
constexpr int T = 16;
template <int Stages>
using State = cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>;

#pragma nv_diag_suppress static_var_with_dynamic_init

#pragma warpwright matmul
__global__ void one_stage(const float *A, const float *B, float *C, int N,
                          int K) {
  __shared__ float As[T][T], Bs[T][T];
  __shared__ State<1> state;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    pipe.producer_acquire();
    cuda::memcpy_async(&As[ty][tx], &A[row * K + k0 + tx], sizeof(float), pipe);
    cuda::memcpy_async(&Bs[ty][tx], &B[(k0 + ty) * N + col], sizeof(float),
                       pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    for (int k = 0; k < T; ++k)
      acc += As[ty][k] * Bs[k][tx];
    pipe.consumer_release();
  }
  C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void two_ahead(const float *A, const float *B, float *C, int M,
                          int N, int K) {
  constexpr int Stages = 3;
  __shared__ float As[Stages][T][T], Bs[Stages][T][T];
  __shared__ State<Stages> state;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int tiles = (K + T - 1) / T;
  auto fill = [&](int t) {
    const int ka = t * T + tx, kb = t * T + ty, s = t % Stages;
    pipe.producer_acquire();
    if (row < M && ka < K)
      cuda::memcpy_async(&As[s][ty][tx], &A[row * K + ka], sizeof(float), pipe);
    else
      As[s][ty][tx] = 0.0f;
    if (kb < K && col < N)
      cuda::memcpy_async(&Bs[s][ty][tx], &B[kb * N + col], sizeof(float), pipe);
    else
      Bs[s][ty][tx] = 0.0f;
    pipe.producer_commit();
  };
  for (int s = 0; s < Stages - 1 && s < tiles; ++s)
    fill(s);
  float acc = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    if (t + Stages - 1 < tiles)
      fill(t + Stages - 1);
    pipe.consumer_wait();
    for (int k = 0; k < T; ++k)
      acc += As[t % Stages][ty][k] * Bs[t % Stages][k][tx];
    pipe.consumer_release();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void by_group(const float *A, const float *B, float *C, int N,
                         int K) {
  __shared__ __align__(16) float As[2][T][T], Bs[2][T][T];
  __shared__ State<2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  const int tiles = K / T;
  auto fill = [&](int t) {
    const auto bytes = cuda::aligned_size_t<16>(T * sizeof(float));
    pipe.producer_acquire();
    for (int r = 0; r < T; ++r) {
      cuda::memcpy_async(block, &As[t % 2][r][0],
                         &A[(blockIdx.y * T + r) * K + t * T], bytes, pipe);
      cuda::memcpy_async(block, &Bs[t % 2][r][0],
                         &B[(t * T + r) * N + blockIdx.x * T], bytes, pipe);
    }
    pipe.producer_commit();
  };
  fill(0);
  fill(1);
  float acc = 0.0f;
  for (int t = 0; t < tiles; ++t) {
    pipe.consumer_wait();
    for (int k = 0; k < T; ++k)
      acc += As[t % 2][ty][k] * Bs[t % 2][k][tx];
    pipe.consumer_release();
    if (t + 2 < tiles)
      fill(t + 2);
  }
  C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void kept_full(const float *A, const float *B, float *C, int N,
                          int K) {
  constexpr size_t Stages = 3;
  __shared__ float As[Stages][T][T], Bs[Stages][T][T];
  __shared__ State<Stages> state;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;
  float acc = 0.0f;
  for (int now = 0, next = 0; now < K / T; ++now) {
    for (; next < K / T && next < now + Stages; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(&As[next % Stages][ty][tx],
                         &A[row * K + next * T + tx], sizeof(float), pipe);
      cuda::memcpy_async(&Bs[next % Stages][ty][tx],
                         &B[(next * T + ty) * N + col], sizeof(float), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    for (int k = 0; k < T; ++k)
      acc += As[now % Stages][ty][k] * Bs[now % Stages][k][tx];
    pipe.consumer_release();
  }
  C[row * N + col] = acc;
}

template <typename Launch>
static void run(check::Suite &test, const char *name, check::Shape s,
                const Launch &launch) {
  check::Matrix<float> A(s.m, s.k);
  check::Matrix<float> B(s.k, s.n);
  check::Matrix<float> C(s.m, s.n);
  A.random(1);
  B.random(2);
  const dim3 grid((s.n + T - 1) / T, (s.m + T - 1) / T);
  launch(grid, A.data(), B.data(), C.data());
  test.expect(name, s, C, check::product(s, A, B), A, B);
}

int main(int argc, char **argv) {
  check::Suite test(argc, argv);
  test.floatOperands();
  const dim3 block(T, T);
  for (check::Shape s : {check::Shape{64, 96, 64}, check::Shape{32, 32, 160},
                         check::Shape{128, 64, 32}}) {
    run(test, "one_stage", s, [&](dim3 grid, auto *A, auto *B, auto *C) {
      one_stage<<<grid, block>>>(A, B, C, s.n, s.k);
    });
    run(test, "kept_full", s, [&](dim3 grid, auto *A, auto *B, auto *C) {
      kept_full<<<grid, block>>>(A, B, C, s.n, s.k);
    });
    run(test, "by_group", s, [&](dim3 grid, auto *A, auto *B, auto *C) {
      by_group<<<grid, block>>>(A, B, C, s.n, s.k);
    });
  }
  for (check::Shape s : {check::Shape{61, 83, 37}, check::Shape{17, 40, 8},
                         check::Shape{33, 64, 100}})
    run(test, "two_ahead", s, [&](dim3 grid, auto *A, auto *B, auto *C) {
      two_ahead<<<grid, block>>>(A, B, C, s.m, s.n, s.k);
    });
  return test.finish();
}
