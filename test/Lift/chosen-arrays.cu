// Pointers into one of two arrays, which a thread chooses by its number: some of
// the warps of a block fill one tile, and the others the other one.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.lifted 2>%t.declined
// RUN: FileCheck %s <%t.declined --implicit-check-not="is not rewritten"
// RUN: FileCheck %s --check-prefix=LIFTED <%t.lifted

#include <cuda/pipeline>

#define T 16
#define ARGS const float *A, const float *B, float *C, int M, int N, int K
#define PLACE                                                                  \
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;                  \
  const int part = warp % 4 * 4 + lane / 16, tx = threadIdx.x % 16;            \
  const int ty = threadIdx.x / 16;                                             \
  const int row = blockIdx.y * T, col = blockIdx.x * T;                        \
  float sum = 0.0f;
#define STORE C[(row + ty) * N + col + tx] = sum;

// One array has both tiles, and both pointers move on.
//
// LIFTED-LABEL: contraction "one_array" {
// LIFTED: index %m < 16 * gridDim.y
// LIFTED: index %n < 16 * gridDim.x
// LIFTED: index %k < 16 * floordiv(K + 15, 16)
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%n * K + %k]:f32
// LIFTED: require blockDim.x == 256
#pragma warpwright matmul
__global__ void one_array(ARGS) {
  __shared__ float tiles[2 * T][T];
  PLACE
  const float *from = warp < 4 ? A + row * K : B + col * K;
  for (int k0 = 0; k0 < K; k0 += T) {
    int to = warp < 4 ? part : part + T;
    const float *next = from + k0 + part * K + tx;
    for (int i = 0; i < 2; ++i) {
      tiles[to][tx] = *next;
      next += 2 * K;
      to += 2;
    }
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += tiles[ty][k] * tiles[T + tx][k];
    __syncthreads();
  }
  STORE
}

// Two arrays, of which one is read by rows and the other by columns: the steps
// differ as well.
//
// LIFTED-LABEL: contraction "two_arrays" {
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: require blockDim.x == 256
#pragma warpwright matmul
__global__ void two_arrays(ARGS) {
  __shared__ float As[T][T], Bs[T][T];
  PLACE
  const int pitch = warp < 4 ? K : N;
  const float *from = warp < 4 ? A + row * K : B + col;
  float(*to)[T] = warp < 4 ? As : Bs;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int i = 0; i < 2; ++i)
      to[part + 2 * i][tx] = __ldg(from + (part + 2 * i) * pitch + tx);
    if (warp < 4)
      from += T;
    else
      from += T * N;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  STORE
}

#define FILL(First, Other)                                                     \
  for (int k0 = 0; k0 < K; k0 += T) {                                          \
    for (int i = 0; i < 2; ++i)                                                \
      if (warp < 4)                                                            \
        First[part + 2 * i][tx] = A[(row + part + 2 * i) * K + k0 + tx];       \
      else                                                                     \
        Other[part + 2 * i][tx] = B[(col + part + 2 * i) * K + k0 + tx];

// LIFTED-LABEL: contraction "branches" {
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%n * K + %k]:f32
// LIFTED: require blockDim.x == 256
#pragma warpwright matmul
__global__ void branches(ARGS) {
  __shared__ float As[T][T], Bs[T][T];
  PLACE
  FILL(As, Bs)
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[ty][k] * Bs[tx][k];
    __syncthreads();
  }
  STORE
}

// The loop is executed one iteration after the other, since it commits groups; its
// stores to one tile belong together.
//
// LIFTED-LABEL: contraction "copied_in_groups" {
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%n * K + %k]:f32
// LIFTED: require blockDim.x == 256
#pragma warpwright matmul
__global__ void copied_in_groups(ARGS) {
  __shared__ float tiles[2 * T][T];
  PLACE
  auto pipe = cuda::make_pipeline();
  const float *from = warp < 4 ? A + row * K : B + col * K;
  for (int k0 = 0; k0 < K; k0 += T) {
    int to = warp < 4 ? part : part + T;
    const float *next = from + k0 + part * K + tx;
    for (int i = 0; i < 2; ++i) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tiles[to][tx], next, cuda::aligned_size_t<4>(4),
                         pipe);
      pipe.producer_commit();
      next += 2 * K;
      to += 2;
    }
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += tiles[ty][k] * tiles[T + tx][k];
    __syncthreads();
  }
  STORE
}

// Pairs in four groups.
//
// LIFTED-LABEL: contraction "pairs_in_groups" {
// LIFTED: index %k < 64 * floordiv(K + 63, 64)
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%n * K + %k]:f32
#pragma warpwright matmul
__global__ void pairs_in_groups(ARGS) {
  __shared__ float tiles[2 * T][64];
  PLACE
  auto pipe = cuda::make_pipeline();
  const float *from = warp < 4 ? A + row * K : B + col * K;
  for (int k0 = 0; k0 < K; k0 += 64) {
    int to = warp < 4 ? warp * 4 : warp % 4 * 4 + T;
    const float *next = from + k0 + warp % 4 * 4 * K + 2 * lane;
    for (int i = 0; i < 4; ++i) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tiles[to][2 * lane], next,
                         cuda::aligned_size_t<8>(8), pipe);
      pipe.producer_commit();
      next += K;
      to += 1;
    }
    cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += tiles[ty][k] * tiles[T + tx][k];
    __syncthreads();
  }
  STORE
}

// A warp's own rows of the tile of A are those of a warp of the other half, too.
//
// CHECK: 'no_barrier' is not rewritten: {{.*}} [WW22{{[13]}}]
#pragma warpwright matmul
__global__ void no_barrier(ARGS) {
  __shared__ float As[T][T];
  PLACE
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int i = 0; i < 2; ++i)
      if (warp < 4)
        As[part + 2 * i][tx] = A[(row + part + 2 * i) * K + k0 + tx];
    for (int i = 0; i < 2; ++i)
      sum += As[part + 2 * i][tx] * B[(k0 + tx) * N + col];
    __syncthreads();
  }
  STORE
}

// Both halves fill the same tile.
//
// CHECK: 'both_fill_one' is not rewritten: {{.*}} [WW223]
#pragma warpwright matmul
__global__ void both_fill_one(ARGS) {
  __shared__ float As[T][T], Bs[T][T];
  PLACE
  FILL(As, As)
    Bs[ty][tx] = B[(k0 + ty) * N + col + tx];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  STORE
}

// Three of eight warps fill the tile of A, which four would.
//
// CHECK: 'three_warps' is not rewritten: {{.*}} [WW223]
#pragma warpwright matmul
__global__ void three_warps(ARGS) {
  __shared__ float As[T][T], Bs[T][T];
  PLACE
  float(*to)[T] = warp < 3 ? As : Bs;
  const float *from = warp < 3 ? A + row * K : B + col * K;
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int i = 0; i < 2; ++i)
      to[part + 2 * i][tx] = from[(part + 2 * i) * K + k0 + tx];
    __syncthreads();
    for (int k = 0; k < T; ++k)
      sum += As[ty][k] * Bs[tx][k];
    __syncthreads();
  }
  STORE
}

// The array is another one in every second iteration.
//
// CHECK: 'by_turns' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void by_turns(ARGS) {
  PLACE
  const float *one = A + (row + ty) * K, *other = A + row * K;
  for (int k = 0; k < K; ++k) {
    sum += *one * B[k * N + col + tx];
    one = k % 2 ? one + 1 : other;
    other = A + row * K + k;
  }
  STORE
}

// Loaded data chooses the array.
//
// CHECK: 'by_data' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void by_data(ARGS, const float *A2) {
  PLACE
  const float *from = B[0] > 0.0f ? A : A2;
  for (int k = 0; k < K; ++k)
    sum += from[(row + ty) * K + k] * B[k * N + col + tx];
  STORE
}
