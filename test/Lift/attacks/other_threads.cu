// Values of other threads: votes, shuffles, matches, shared memory.

#include "attack.h"

// The neighbour's sum is added: both columns in each of the two outputs.
// DECLINES: .*(products|other threads|shuffle|shfl|warp|lane|thread)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void shuffle_xor(ARGS) {
  PLACE
  SUM
  acc += __shfl_xor_sync(0xffffffffu, acc, 1);
  STORE
}

// Whether any thread of the warp is above a limit.
// DECLINES: .*(other threads|vote|any_sync|warp|lane|thread)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void vote_any(ARGS) {
  PLACE
  SUM
  int any = __any_sync(0xffffffffu, acc > 50.0f);
  C[row * N + col] = any ? acc : 0.0f;
}

// A column number that comes from lane 0.
// DECLINES: .*(other threads|shuffle|shfl|warp|lane|thread)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void shuffled_column(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + (float)__shfl_sync(0xffffffffu, col, 0);
}

// A store that needs all threads of the warp.
// DECLINES: .*(other threads|vote|all_sync|warp|lane|thread|mask)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void vote_all_guard(ARGS) {
  PLACE
  SUM
  if (__all_sync(__activemask(), acc > -40.0f))
    STORE
}

// The bits of a ballot as a number.
// DECLINES: .*(other threads|ballot|warp|lane|thread|mask)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void ballot_bits(ARGS) {
  PLACE
  SUM
  unsigned bits = __ballot_sync(__activemask(), acc > 0.0f);
  C[row * N + col] = acc + __popc(bits);
}

// Lanes that have the same column.
// DECLINES: .*(other threads|match|warp|lane|thread|mask)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void match_any(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + __popc(__match_any_sync(__activemask(), col / 4));
}

// The sum of the thread to the right.
// DECLINES: .*(other threads|shuffle|shfl|warp|lane|thread|mask)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void shuffle_down(ARGS) {
  PLACE
  SUM
  float right = __shfl_down_sync(__activemask(), acc, 1);
  C[row * N + col] = acc - right;
}

// Every second lane takes its factor from its neighbour.
// DECLINES: .*(other threads|shuffle|shfl)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void shuffled_operand(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    float b = __half2float(B[k * N + col]);
    b = __shfl_xor_sync(__activemask(), b, 2);
    acc += __half2float(A[row * K + k]) * b;
  }
  STORE
}

// The same two, where all lanes are known to take part.
// DECLINES: .*(other threads|shuffle|shfl|warp|lane|thread|mask)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void shuffle_down_of_all(ARGS) {
  PLACE
  SUM
  float right = __shfl_down_sync(0xffffffffu, acc, 1);
  C[row * N + col] = acc - right;
}

// DECLINES: .*(other threads|shuffle|shfl)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void shuffled_operand_of_all(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k) {
    float b = __half2float(B[k * N + col]);
    b = __shfl_xor_sync(0xffffffffu, b, 2);
    acc += __half2float(A[row * K + k]) * b;
  }
  STORE
}

// The first lane's column in all lanes.
// DECLINES: .*(other threads|shuffle|shfl|warp|lane|thread|mask|index|indices|column)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void first_lane(ARGS) {
  PLACE
  SUM
  C[row * N + col] = __shfl_sync(0xffffffffu, acc, 0);
}

// The lane as the hardware numbers it.
// DECLINES: .*(asm|assembl|warp|lane|thread)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void lane_number(ARGS) {
  PLACE
  SUM
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  C[row * N + col] = acc + (float)lane;
}

// A value that another thread left in shared memory.
// DECLINES: .*([Ss]hared|barrier|__syncthreads|thread)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void from_shared_memory(ARGS) {
  __shared__ float box[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0.0f;
  if (row < M && col < N)
    for (int k = 0; k < K; ++k)
      acc += TERM;
  box[threadIdx.y][threadIdx.x] = acc;
  __syncthreads();
  if (row < M && col < N)
    C[row * N + col] = box[threadIdx.y][15 - threadIdx.x];
}

// A barrier that counts.
// DECLINES: .*([Ss]hared|barrier|__syncthreads|thread)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void sync_count(ARGS) {
  int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
  float acc = 0.0f;
  if (row < M && col < N)
    for (int k = 0; k < K; ++k)
      acc += TERM;
  int count = __syncthreads_count(acc > 0.0f);
  if (row < M && col < N)
    C[row * N + col] = acc + count;
}

// A clock, shifted to nothing.
// DECLINES: .*(clock|time|call|asm|assembl)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void clock_low_bit(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + (float)(clock64() >> 63);
}

int main() {
  Product p;
  shuffle_xor<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("shuffle_xor");
  vote_any<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("vote_any");
  shuffled_column<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("shuffled_column");
  vote_all_guard<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("vote_all_guard");
  ballot_bits<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("ballot_bits");
  match_any<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("match_any");
  shuffle_down<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("shuffle_down");
  shuffled_operand<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("shuffled_operand");
  lane_number<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("lane_number");
  from_shared_memory<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("from_shared_memory");
  sync_count<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("sync_count");
  clock_low_bit<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("clock_low_bit");
}
