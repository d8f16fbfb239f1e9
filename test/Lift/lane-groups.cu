// Lanes that execute a shuffle together: all of a warp, or groups of neighbours,
// by masks that are constants, votes, or computed from the lane. Each lane has to
// be counted once.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.yes 2>%t.no
// RUN: FileCheck %s --implicit-check-not="is not rewritten" <%t.no
// RUN: FileCheck %s --check-prefix=LIFTED <%t.yes

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace groups = cooperative_groups;

#define ARGS const float *A, const float *B, float *C, int M, int N, int K
#define ALL 0xffffffffu

// What each thread sums on its own.
#define SUM(From, Step)                                                        \
  float sum = 0.0f;                                                            \
  for (int k = From; k < K; k += Step)                                         \
    sum += A[row * K + k] * B[k * N + col];

// Rows along y, an output for each Lanes neighbours along x.
#define PLACE(Lanes)                                                           \
  const int row = blockIdx.y;                                                  \
  const int col = blockIdx.x * (blockDim.x / Lanes) + threadIdx.x / Lanes;

#define DOWN(Mask, From)                                                       \
  for (int offset = From; offset > 0; offset /= 2)                             \
    sum += __shfl_down_sync(Mask, sum, offset);

//===----------------------------------------------------------------------===//
// The number of the lane
//===----------------------------------------------------------------------===//

__device__ unsigned laneNumber() {
  unsigned lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// LIFTED-LABEL: contraction "lane_number" {
// LIFTED: index %m < gridDim.y
// LIFTED: index %n < min(N, floordiv(blockDim.x, 32) * gridDim.x)
// LIFTED: index %k < K
// LIFTED: output C[%m * N + %n]:f32 = acc
// LIFTED: require mod(blockDim.x, 32) == 0
#pragma warpwright matmul
__global__ void lane_number(ARGS) {
  PLACE(32)
  if (col >= N)
    return;
  SUM(laneNumber(), 32)
  DOWN(ALL, 16)
  if (laneNumber() == 0)
    C[row * N + col] = sum;
}

// CHECK: 'lane_of_other_group' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void lane_of_other_group(ARGS) {
  PLACE(16)
  SUM(laneNumber(), 16)
  DOWN(ALL, 8)
  if (laneNumber() % 16 == 0)
    C[row * N + col] = sum;
}

// CHECK: 'other_lane_number' is not rewritten: {{.*}}not have the sum{{.*}} [WW211]
#pragma warpwright matmul
__global__ void other_lane_number(ARGS) {
  PLACE(32)
  SUM(laneNumber(), 32)
  DOWN(ALL, 16)
  if (laneNumber() == 4)
    C[row * N + col] = sum;
}

//===----------------------------------------------------------------------===//
// Votes
//===----------------------------------------------------------------------===//

// LIFTED-LABEL: contraction "lanes_that_come" {
// LIFTED: index %n < min(N, floordiv(blockDim.x, 32) * gridDim.x)
// LIFTED: index %k < K
// LIFTED: require mod(blockDim.x, 32) == 0
#pragma warpwright matmul
__global__ void lanes_that_come(ARGS) {
  PLACE(32)
  if (col >= N)
    return;
  SUM(threadIdx.x % 32, 32)
  DOWN(__activemask(), 16)
  if (threadIdx.x % 32 == 0)
    C[row * N + col] = sum;
}

// CHECK: 'half_that_comes' is not rewritten: only some threads {{.*}} [WW222]
#pragma warpwright matmul
__global__ void half_that_comes(ARGS) {
  PLACE(32)
  SUM(threadIdx.x % 32, 32)
  if (threadIdx.x % 32 < 16)
    DOWN(__activemask(), 8)
  if (threadIdx.x % 32 == 0)
    C[row * N + col] = sum;
}

// LIFTED-LABEL: contraction "counted_votes" {
// LIFTED: index %n < min(N, floordiv(blockDim.x, 32) * gridDim.x)
// LIFTED: index %k < K
#pragma warpwright matmul
__global__ void counted_votes(ARGS) {
  PLACE(32)
  const unsigned mask = __ballot_sync(ALL, col < N);
  if (col < N) {
    SUM(threadIdx.x % 32, 32)
    DOWN(mask, 16)
    if (threadIdx.x % 32 == 0)
      C[row * N + col] = sum;
  }
}

// Where others than the mask's lanes are.
//
// CHECK: 'votes_of_others' is not rewritten: '__shfl_down_sync' {{.*}} [WW211]
#pragma warpwright matmul
__global__ void votes_of_others(ARGS) {
  PLACE(32)
  const unsigned mask = __ballot_sync(ALL, col < N);
  SUM(threadIdx.x % 32, 32)
  DOWN(mask, 16)
  if (threadIdx.x % 32 == 0 && col < N)
    C[row * N + col] = sum;
}

// CHECK: 'votes_of_lanes' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void votes_of_lanes(ARGS) {
  PLACE(32)
  const unsigned mask = __ballot_sync(ALL, threadIdx.x % 32 < 20);
  SUM(threadIdx.x % 32, 32)
  if (threadIdx.x % 32 < 20)
    DOWN(mask, 16)
  if (threadIdx.x % 32 == 0)
    C[row * N + col] = sum;
}

//===----------------------------------------------------------------------===//
// Masks of some lanes
//===----------------------------------------------------------------------===//

// LIFTED-LABEL: contraction "neighbours" {
// LIFTED: index %n < floordiv(blockDim.x, 8) * gridDim.x
// LIFTED: index %k < K
#pragma warpwright matmul
__global__ void neighbours(ARGS) {
  PLACE(8)
  const unsigned lane = threadIdx.x % 32, first = lane & 24;
  SUM(threadIdx.x % 8, 8)
  DOWN(0xffu << first, 4)
  if (threadIdx.x % 8 == 0)
    C[row * N + col] = sum;
}

// The same where only whole groups come.
//
// LIFTED-LABEL: contraction "some_neighbours" {
// LIFTED: index %n < min(N, floordiv(blockDim.x, 8) * gridDim.x)
// LIFTED: index %k < K
#pragma warpwright matmul
__global__ void some_neighbours(ARGS) {
  PLACE(8)
  if (col >= N)
    return;
  SUM(threadIdx.x % 8, 8)
  DOWN(0xffu << (threadIdx.x & 24), 4)
  if (threadIdx.x % 8 == 0)
    C[row * N + col] = sum;
}

// A mask of all lanes, of which some would not come.
//
// LIFTED-LABEL: contraction "all_neighbours" {
// LIFTED: index %n < floordiv(blockDim.x, 8) * gridDim.x
// LIFTED: "some threads do not come to line {{[0-9]+}}"
#pragma warpwright matmul
__global__ void all_neighbours(ARGS) {
  PLACE(8)
  if (col >= N && row > 2)
    return;
  SUM(threadIdx.x % 8, 8)
  DOWN(ALL, 4)
  if (threadIdx.x % 8 == 0)
    C[row * N + col] = sum;
}

// The masks of the last lanes begin too low.
//
// CHECK: 'wrong_groups' is not rewritten: '__shfl_down_sync' {{.*}} [WW211]
#pragma warpwright matmul
__global__ void wrong_groups(ARGS) {
  PLACE(8)
  SUM(threadIdx.x % 8, 8)
  DOWN(0xffu << (threadIdx.x & 16), 4)
  if (threadIdx.x % 8 == 0)
    C[row * N + col] = sum;
}

// Beyond the lanes of the mask.
//
// CHECK: 'beyond_group' is not rewritten: '__shfl_xor_sync' {{.*}} [WW211]
#pragma warpwright matmul
__global__ void beyond_group(ARGS) {
  PLACE(16)
  SUM(threadIdx.x % 16, 16)
  for (int offset = 8; offset > 0; offset /= 2)
    sum += __shfl_xor_sync(0xffu << (threadIdx.x & 24), sum, offset);
  if (threadIdx.x % 16 == 0)
    C[row * N + col] = sum;
}

// The warps of a block, whose sums the first lanes of one warp add up.
//
// LIFTED-LABEL: contraction "first_lanes" {
// LIFTED: index %m < gridDim.y
// LIFTED: index %n < gridDim.x
// LIFTED: index %k < K
// LIFTED: require blockDim.x - 256 >= 0
#define FIRST_LANES(Condition, Mask)                                           \
  __shared__ float parts[8];                                                   \
  const int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;               \
  SUM(t, 256)                                                                  \
  DOWN(ALL, 16)                                                                \
  if (t % 32 == 0)                                                             \
    parts[t / 32] = sum;                                                       \
  __syncthreads();                                                             \
  if (Condition) {                                                             \
    sum = parts[t];                                                            \
    DOWN(Mask, 4)                                                              \
    if (t == 0)                                                                \
      C[row * N + col] = sum;                                                  \
  }

#pragma warpwright matmul
__global__ void first_lanes(ARGS){FIRST_LANES(t < 8, 0xff)}

// CHECK: 'more_lanes' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void more_lanes(ARGS){FIRST_LANES(t < 16, 0xff)}

// CHECK: 'fewer_lanes' is not rewritten: only some threads {{.*}} [WW222]
#pragma warpwright matmul
__global__ void fewer_lanes(ARGS){FIRST_LANES(t < 8, 0xffff)}

//===----------------------------------------------------------------------===//
// Cooperative groups
//===----------------------------------------------------------------------===//

// LIFTED-LABEL: contraction "tile_of_warp" {
// LIFTED: index %n < min(N, floordiv(blockDim.x, 32) * gridDim.x)
// LIFTED: index %k < K
// LIFTED: require mod(blockDim.x, 32) == 0
#define OF_TILE(Lanes, Step, Rank, Sum)                                        \
  const groups::thread_block block = groups::this_thread_block();              \
  const groups::thread_block_tile<Lanes> tile =                                \
      groups::tiled_partition<Lanes>(block);                                   \
  PLACE(Lanes)                                                                 \
  if (col >= N)                                                                \
    return;                                                                    \
  SUM(tile.thread_rank(), Step)                                                \
  Sum if (tile.thread_rank() == Rank) C[row * N + col] = sum;

#define SUM_DOWN                                                               \
  for (int offset = tile.size() / 2; offset > 0; offset >>= 1)                 \
    sum += tile.shfl_down(sum, offset);

#pragma warpwright matmul
__global__ void tile_of_warp(ARGS){OF_TILE(32, tile.size(), 0, SUM_DOWN)}

// LIFTED-LABEL: contraction "tile_of_16" {
// LIFTED: index %n < min(N, floordiv(blockDim.x, 16) * gridDim.x)
// LIFTED: index %k < K
#pragma warpwright matmul
__global__ void tile_of_16(ARGS){OF_TILE(16, 16, 0, SUM_DOWN)}

// LIFTED-LABEL: contraction "reduced" {
// LIFTED: index %n < min(N, floordiv(blockDim.x, 8) * gridDim.x)
// LIFTED: index %k < K
#pragma warpwright matmul
__global__ void reduced(ARGS){
    OF_TILE(8, 8, 0, sum = groups::reduce(tile, sum, groups::plus<float>());)}

// Each lane has the sum.
//
// LIFTED-LABEL: contraction "last_of_tile" {
// LIFTED: index %k < K
#pragma warpwright matmul
__global__ void last_of_tile(ARGS){
    OF_TILE(32, 32, 0, sum = groups::reduce(tile, sum, groups::plus<float>());
            sum = tile.shfl(sum, 5);)}

// CHECK: 'tile_of_half_k' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void tile_of_half_k(ARGS){OF_TILE(16, 32, 0, SUM_DOWN)}

// CHECK: 'other_rank' is not rewritten: {{.*}}not have the sum{{.*}} [WW211]
#pragma warpwright matmul
__global__ void other_rank(ARGS){OF_TILE(16, 16, 1, SUM_DOWN)}

// CHECK: 'largest' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void largest(ARGS){
    OF_TILE(32, 32, 0, sum = groups::reduce(tile, sum, groups::greater<float>());)}

// Blocks of several rows, each of a warp.
//
// LIFTED-LABEL: contraction "rows_of_warps" {
// LIFTED: index %m < min(M, blockDim.y * gridDim.x)
// LIFTED: index %k < K
// LIFTED: require blockDim.x == 32
#pragma warpwright matmul
__global__ void rows_of_warps(ARGS) {
  const auto tile =
      groups::tiled_partition<32>(groups::this_thread_block());
  const int row = blockIdx.x * blockDim.y + threadIdx.y, col = blockIdx.y;
  if (row >= M)
    return;
  SUM(tile.thread_rank(), 32)
  SUM_DOWN
  if (tile.thread_rank() == 0)
    C[row * N + col] = sum;
}

//===----------------------------------------------------------------------===//
// Elements that one lane loads for all
//===----------------------------------------------------------------------===//

// LIFTED-LABEL: contraction "loaded_for_all" {
// LIFTED: index %m < min(M, blockDim.y * gridDim.y)
// LIFTED: index %n < 32 * gridDim.x
// LIFTED: index %k < K
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: require blockDim.x == 32
#define LOADED_FOR_ALL(Step, Lane)                                             \
  const int lane = threadIdx.x, col = blockIdx.x * 32 + lane;                  \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  if (row >= M)                                                                \
    return;                                                                    \
  float sum = 0.0f;                                                            \
  for (int k0 = 0; k0 < K; k0 += Step) {                                       \
    const float a = k0 + lane < K ? A[row * K + k0 + lane] : 0.0f;             \
    for (int k = 0; k < Step; ++k) {                                           \
      const float b = k0 + k < K ? B[(k0 + k) * N + col] : 0.0f;               \
      sum += __shfl_sync(ALL, a, Lane) * b;                                    \
    }                                                                          \
  }                                                                            \
  C[row * N + col] = sum;

#pragma warpwright matmul
__global__ void loaded_for_all(ARGS){LOADED_FOR_ALL(32, k)}

// CHECK: 'in_other_order' is not rewritten: {{.*}} [WW216]
#pragma warpwright matmul
__global__ void in_other_order(ARGS){LOADED_FOR_ALL(32, 31 - k)}

// CHECK: 'beyond_the_warp' is not rewritten: '__shfl_sync' {{.*}} [WW211]
#pragma warpwright matmul
__global__ void beyond_the_warp(ARGS){LOADED_FOR_ALL(64, k)}

//===----------------------------------------------------------------------===//
// Sums of integers in one instruction
//===----------------------------------------------------------------------===//

#define INTEGERS(Mask, Step)                                                   \
  const int row = blockIdx.y, col = blockIdx.x;                                \
  int sum = 0;                                                                 \
  for (int k = threadIdx.x % 32; k < K; k += Step)                             \
    sum += A[row * K + k] * B[col * K + k];                                    \
  sum = __reduce_add_sync(Mask, sum);                                          \
  if (threadIdx.x % 32 == 0)                                                   \
    C[row * N + col] = sum;

#define BYTES                                                                  \
  const signed char *A, const signed char *B, int *C, int M, int N, int K

// LIFTED-LABEL: contraction "one_instruction" {
// LIFTED: index %k < K
// LIFTED: accumulate i32
#pragma warpwright matmul
__global__ void one_instruction(BYTES){INTEGERS(ALL, 32)}

// CHECK: 'instruction_of_some' is not rewritten: '__reduce_add_sync' {{.*}} [WW211]
#pragma warpwright matmul
__global__ void instruction_of_some(BYTES){INTEGERS(0xffff, 32)}

// CHECK: 'instruction_of_half_k' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void instruction_of_half_k(BYTES){INTEGERS(ALL, 64)}
