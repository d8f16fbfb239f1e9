// __syncwarp() is a barrier of the block where the block has one warp.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.yes 2>%t.no
// RUN: FileCheck %s --implicit-check-not="is not rewritten" <%t.no
// RUN: FileCheck %s --check-prefix=LIFTED <%t.yes

#define ARGS const float *A, const float *B, float *C, int M, int N, int K

#define TILE(Filled, Read)                                                     \
  __shared__ float row_of_A[32];                                               \
  const int lane = threadIdx.x, row = blockIdx.y;                              \
  const int col = blockIdx.x * 32 + lane;                                      \
  float sum = 0.0f;                                                            \
  for (int k0 = 0; k0 < K; k0 += 32) {                                         \
    row_of_A[lane] = A[row * K + k0 + lane];                                   \
    Filled;                                                                    \
    for (int k = 0; k < 32; ++k)                                               \
      sum += row_of_A[k] * B[(k0 + k) * N + col];                              \
    Read;                                                                      \
  }                                                                            \
  C[row * N + col] = sum;

// LIFTED-LABEL: contraction "tile" {
// LIFTED: index %m < gridDim.y
// LIFTED: index %n < 32 * gridDim.x
// LIFTED: index %k < 32 * floordiv(K + 31, 32)
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: require blockDim.x == 32
// LIFTED: require blockDim.y == 1
#pragma warpwright matmul
__global__ void tile(ARGS){TILE(__syncwarp(), __syncwarp())}

// CHECK: 'not_before_filling' is not rewritten: {{.*}}overwritten {{.*}} [WW221]
#pragma warpwright matmul
__global__ void not_before_filling(ARGS){TILE(__syncwarp(), )}

// CHECK: 'not_after_filling' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
__global__ void not_after_filling(ARGS){TILE(, __syncwarp())}

// CHECK: 'half_of_lanes' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
__global__ void half_of_lanes(ARGS){TILE(__syncwarp(0xffff), __syncwarp())}

// Half of the lanes wait, and the others do not.
//
// CHECK: 'some_lanes' is not rewritten: {{.*}} [WW22{{[12]}}]
#pragma warpwright matmul
__global__ void some_lanes(ARGS){
    TILE(if (lane < 16) __syncwarp(), __syncwarp())}

// Tiles of two warps.
//
// CHECK: 'two_warps' is not rewritten: {{.*}} [WW22{{[13]}}]
#pragma warpwright matmul
__global__ void two_warps(ARGS) {
  __shared__ float row_of_A[64];
  const int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x * 64 + t;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 64) {
    row_of_A[t] = A[row * K + k0 + t];
    __syncwarp();
    for (int k = 0; k < 64; ++k)
      sum += row_of_A[k] * B[(k0 + k) * N + col];
    __syncwarp();
  }
  C[row * N + col] = sum;
}

// LIFTED-LABEL: contraction "tree" {
// LIFTED: index %k < K
// LIFTED: require blockDim.x == 32
#define TREE(Barrier)                                                          \
  __shared__ float part[32];                                                   \
  const int t = threadIdx.x, row = blockIdx.y, col = blockIdx.x;               \
  float sum = 0.0f;                                                            \
  for (int k = t; k < K; k += 32)                                              \
    sum += A[row * K + k] * B[k * N + col];                                    \
  part[t] = sum;                                                               \
  __syncwarp();                                                                \
  for (int s = 16; s > 0; s >>= 1) {                                           \
    if (t < s)                                                                 \
      part[t] += part[t + s];                                                  \
    Barrier;                                                                   \
  }                                                                            \
  if (t == 0)                                                                  \
    C[row * N + col] = part[0];

#pragma warpwright matmul
__global__ void tree(ARGS){TREE(__syncwarp())}

// CHECK: 'tree_without' is not rewritten: {{.*}} [WW22{{[13]}}]
#pragma warpwright matmul
__global__ void tree_without(ARGS){TREE()}
