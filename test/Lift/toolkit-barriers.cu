// With a toolkit, cuda/barrier and cuda/pipeline are the tool's own headers,
// beside everything else that is the toolkit's. What the lift does not follow is
// declined, and the rest of the file is parsed.

// REQUIRES: cuda-toolkit
// RUN: not %warpwright rewrite --emit=contraction %s -- -arch=sm_90a >%t.yes 2>%t.no
// RUN: FileCheck %s --implicit-check-not="is not rewritten" --implicit-check-not=error: <%t.no
// RUN: FileCheck %s --check-prefix=LIFTED <%t.yes

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
namespace bulk = cuda::device::experimental;
constexpr int T = 16;

#define ARGS const float *A, const float *B, float *C, int N, int K
#define PLACE                                                                  \
  __shared__ float As[T][T], Bs[T][T];                                         \
  const int x = threadIdx.x, y = threadIdx.y;                                  \
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;                \
  float sum = 0.0f;
#define MULTIPLY                                                               \
  for (int k = 0; k < T; ++k)                                                  \
    sum += As[y][k] * Bs[k][x];

// LIFTED-LABEL: contraction "by_barrier" {
// LIFTED: index %k < 16 * floordiv(K + 15, 16)
// LIFTED: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
__global__ void by_barrier(ARGS) {
  __shared__ Barrier bar;
  PLACE
  if (cooperative_groups::this_thread_block().thread_rank() == 0)
    init(&bar, cooperative_groups::this_thread_block().size());
  __syncthreads();
  for (int k0 = 0; k0 < K; k0 += T) {
    cuda::memcpy_async(&As[y][x], &A[row * K + k0 + x], sizeof(float), bar);
    cuda::memcpy_async(&Bs[y][x], &B[(k0 + y) * N + col],
                       cuda::aligned_size_t<4>(4), bar);
    bar.arrive_and_wait();
    MULTIPLY
    bar.arrive_and_wait();
  }
  C[row * N + col] = sum;
}

// LIFTED-LABEL: contraction "by_pipeline_of_block" {
// LIFTED: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
__global__ void by_pipeline_of_block(ARGS) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  PLACE
  auto pipe =
      cuda::make_pipeline(cooperative_groups::this_thread_block(), &state);
  for (int k0 = 0; k0 < K; k0 += T) {
    pipe.producer_acquire();
    cuda::memcpy_async(&As[y][x], &A[row * K + k0 + x], sizeof(float), pipe);
    cuda::memcpy_async(&Bs[y][x], &B[(k0 + y) * N + col], sizeof(float), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    MULTIPLY
    pipe.consumer_release();
  }
  C[row * N + col] = sum;
}

// CHECK: 'by_bulk_copies' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void by_bulk_copies(const __grid_constant__ CUtensorMap map, ARGS) {
  __shared__ Barrier bar;
  PLACE
  if (x == 0 && y == 0)
    init(&bar, 256);
  bulk::fence_proxy_async_shared_cta();
  __syncthreads();
  for (int k0 = 0; k0 < K; k0 += T) {
    Barrier::arrival_token token;
    if (x == 0 && y == 0) {
      bulk::cp_async_bulk_tensor_2d_global_to_shared(&As, &map, k0, row, bar);
      token = cuda::device::barrier_arrive_tx(bar, 1, sizeof(As));
    } else {
      token = bar.arrive();
    }
    Bs[y][x] = B[(k0 + y) * N + col];
    bar.wait(static_cast<Barrier::arrival_token &&>(token));
    MULTIPLY
    __syncthreads();
  }
  C[row * N + col] = sum;
}
