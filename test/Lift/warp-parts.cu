// Arrays in shared memory of which each of several warps accesses a part of its
// own: for them __syncwarp() is a barrier.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.yes 2>%t.no
// RUN: FileCheck %s --implicit-check-not="is not rewritten" <%t.no
// RUN: FileCheck %s --check-prefix=LIFTED <%t.yes

#define ARGS const float *A, const float *B, float *C, int M, int N, int K

// Each warp hands rows of A to its lanes.
#define PARTS(Part, Filled, At, Read)                                          \
  __shared__ float rows_of_A[8][32];                                           \
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;                  \
  const int row = blockIdx.y * 4 + warp, col = blockIdx.x * 32 + lane;         \
  float sum = 0.0f;                                                            \
  for (int k0 = 0; k0 < K; k0 += 32) {                                         \
    rows_of_A[Part][lane] = A[row * K + k0 + lane];                            \
    Filled;                                                                    \
    for (int k = 0; k < 32; ++k)                                               \
      sum += rows_of_A[At][k] * B[(k0 + k) * N + col];                         \
    Read;                                                                      \
  }                                                                            \
  C[row * N + col] = sum;

// LIFTED-LABEL: contraction "parts" {
// LIFTED: index %m < 4 * gridDim.y
// LIFTED: index %n < 32 * gridDim.x
// LIFTED: index %k < 32 * floordiv(K + 31, 32)
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: require blockDim.x == 128
#pragma warpwright matmul
__global__ void parts(ARGS){PARTS(warp, __syncwarp(), warp, __syncwarp())}

// CHECK: 'not_before_filling' is not rewritten: {{.*}}overwritten {{.*}}
// [WW221]
#pragma warpwright matmul
__global__ void not_before_filling(ARGS){PARTS(warp, __syncwarp(), warp, )}

// CHECK: 'not_after_filling' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
__global__ void not_after_filling(ARGS){PARTS(warp, , warp, __syncwarp())}

// CHECK: 'half_of_lanes' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
__global__ void half_of_lanes(ARGS){
    PARTS(warp, __syncwarp(0xffff), warp, __syncwarp())}

// CHECK: 'some_lanes' is not rewritten: {{.*}} [WW22{{[12]}}]
#pragma warpwright matmul
__global__ void some_lanes(ARGS) {
  PARTS(warp, if (lane < 16) __syncwarp(), warp, __syncwarp())
}

// The part of the warp beside it.
//
// CHECK: 'other_part' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
__global__ void other_part(ARGS){
    PARTS(warp, __syncwarp(), warp ^ 1, __syncwarp())}

// Two warps share a part. It is right in a block of one warp.
//
// LIFTED-LABEL: contraction "shared_part" {
// LIFTED: index %m < gridDim.y
// LIFTED: operand A = A[4 * %m * K + %k]:f32
// LIFTED: require blockDim.x == 32
#pragma warpwright matmul
__global__ void shared_part(ARGS){
    PARTS(warp / 2, __syncwarp(), warp / 2, __syncwarp())}

// Parts of 64 that begin 32 apart.
#define OVERLAPPING(Distance)                                                  \
  __shared__ float rows_of_A[8 * 64];                                          \
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;                  \
  const int row = blockIdx.y * 4 + warp, col = blockIdx.x * 32 + lane;         \
  float sum = 0.0f;                                                            \
  for (int k0 = 0; k0 < K; k0 += 64) {                                         \
    rows_of_A[warp * Distance + lane] = A[row * K + k0 + lane];                \
    rows_of_A[warp * Distance + 32 + lane] = A[row * K + k0 + 32 + lane];      \
    __syncwarp();                                                              \
    for (int k = 0; k < 64; ++k)                                               \
      sum += rows_of_A[warp * Distance + k] * B[(k0 + k) * N + col];           \
    __syncwarp();                                                              \
  }                                                                            \
  C[row * N + col] = sum;

// LIFTED-LABEL: contraction "overlapping" {
// LIFTED: index %m < gridDim.y
// LIFTED: require blockDim.x == 32
#pragma warpwright matmul
__global__ void overlapping(ARGS){OVERLAPPING(32)}

// In a kernel that is for blocks of four warps, neither is right.
//
// CHECK: 'four_share' is not rewritten: {{.*}} [WW22{{[13]}}]
#pragma warpwright matmul
__global__ void four_share(ARGS) {
  const int flat = threadIdx.y * 32 + threadIdx.x;
  __shared__ float rows_of_A[8][32];
  const int warp = threadIdx.y, lane = threadIdx.x;
  const int row = blockIdx.y * 4 + warp, col = blockIdx.x * 32 + lane;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 32) {
    rows_of_A[flat / 64][lane] = A[row * K + k0 + lane];
    __syncwarp();
    for (int k = 0; k < 32; ++k)
      sum += rows_of_A[flat / 64][k] * B[(k0 + k) * N + col];
    __syncwarp();
  }
  C[row * N + col] = sum;
}

// LIFTED-LABEL: contraction "wide_parts" {
// LIFTED: index %k < 64 * floordiv(K + 63, 64)
#pragma warpwright matmul
__global__ void wide_parts(ARGS){OVERLAPPING(64)}

// The rows of a block are warps. The tile of the second operand belongs to all.
#define ROWS(Barrier)                                                          \
  __shared__ float a[8][32], b[32][32];                                        \
  const int x = threadIdx.x, y = threadIdx.y;                                  \
  const int row = blockIdx.y * 8 + y, col = blockIdx.x * 32 + x;               \
  float sum = 0.0f;                                                            \
  for (int k0 = 0; k0 < K; k0 += 32) {                                         \
    for (int k = y; k < 32; k += 8)                                            \
      b[k][x] = B[(k0 + k) * N + col];                                         \
    __syncthreads();                                                           \
    a[y][x] = A[row * K + k0 + x];                                             \
    Barrier;                                                                   \
    for (int k = 0; k < 32; ++k)                                               \
      sum += a[y][k] * b[k][x];                                                \
    __syncthreads();                                                           \
  }                                                                            \
  C[row * N + col] = sum;

// LIFTED-LABEL: contraction "rows" {
// LIFTED: index %m < 8 * gridDim.y
// LIFTED: require blockDim.x == 32
#pragma warpwright matmul
__global__ void rows(ARGS){ROWS(__syncwarp())}

// CHECK: 'rows_without' is not rewritten: 'a' is read here {{.*}} [WW221]
#pragma warpwright matmul
__global__ void rows_without(ARGS){ROWS()}

// Of the tile of all warps a barrier of one says nothing.
//
// CHECK: 'tile_of_all' is not rewritten: 'b' is {{.*}} [WW221]
#pragma warpwright matmul
__global__ void tile_of_all(ARGS) {
  __shared__ float a[8][32], b[32][32];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 8 + y, col = blockIdx.x * 32 + x;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 32) {
    for (int k = y; k < 32; k += 8)
      b[k][x] = B[(k0 + k) * N + col];
    a[y][x] = A[row * K + k0 + x];
    __syncwarp();
    for (int k = 0; k < 32; ++k)
      sum += a[y][k] * b[k][x];
    __syncwarp();
  }
  C[row * N + col] = sum;
}

// The memory of the tiles holds the results of each warp behind a barrier of the
// block: 16 rows of 16, which a warp stores by their columns and reads by their
// rows, two times.
//
// LIFTED-LABEL: contraction "staged" {
// LIFTED: index %m < min(16 * gridDim.y, M)
// LIFTED: index %n < min(64 * gridDim.x, N)
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: require blockDim.x == 64
#define STAGED(Behind, Stored, Read, Warp)                                     \
  __shared__ float memory[64 * 20];                                            \
  float *a = memory, *b = memory + 16 * 16;                                    \
  const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;               \
  const int row = blockIdx.y * 16, col = blockIdx.x * 64;                      \
  float sums[2][8] = {};                                                       \
  for (int k0 = 0; k0 < K; k0 += 16) {                                         \
    for (int i = tid; i < 256; i += 64)                                        \
      a[i] = row + i / 16 < M && k0 + i % 16 < K                               \
                 ? A[(row + i / 16) * K + k0 + i % 16]                         \
                 : 0.0f;                                                       \
    for (int i = tid; i < 1024; i += 64)                                       \
      b[i] = k0 + i / 64 < K && col + i % 64 < N                               \
                 ? B[(k0 + i / 64) * N + col + i % 64]                         \
                 : 0.0f;                                                       \
    __syncthreads();                                                           \
    for (int k = 0; k < 16; ++k)                                               \
      for (int part = 0; part < 2; ++part)                                     \
        for (int i = 0; i < 8; ++i)                                            \
          sums[part][i] += a[(lane / 16 * 8 + i) * 16 + k] *                   \
                           b[k * 64 + warp * 32 + part * 16 + lane % 16];      \
    __syncthreads();                                                           \
  }                                                                            \
  Behind;                                                                      \
  float *stage = memory + Warp * 256;                                          \
  for (int part = 0; part < 2; ++part) {                                       \
    for (int i = 0; i < 8; ++i)                                                \
      stage[(lane / 16 * 8 + i) * 16 + lane % 16] = sums[part][i];             \
    Stored;                                                                    \
    for (int i = lane; i < 256; i += 32) {                                     \
      const int m = row + i / 16, n = col + warp * 32 + part * 16 + i % 16;    \
      if (m < M && n < N)                                                      \
        C[m * N + n] = stage[i];                                               \
    }                                                                          \
    Read;                                                                      \
  }
#pragma warpwright matmul
__global__ void staged(ARGS) {
  STAGED(__syncthreads(), __syncwarp(), __syncwarp(), warp)
}

// CHECK: 'staged_unordered' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
__global__ void staged_unordered(ARGS) {
  STAGED(__syncthreads(), __syncwarp(), , warp)
}

// CHECK: 'staged_by_all' is not rewritten: {{.*}} [WW22{{[13]}}]
#pragma warpwright matmul
__global__ void staged_by_all(ARGS) {
  STAGED(__syncthreads(), __syncwarp(), __syncwarp(), (warp / 2))
}

// Only some blocks pass the barrier behind the tiles, and one tile is not followed
// by another barrier.
//
// CHECK: 'staged_in_some_blocks' is not rewritten: {{.*}} [WW22{{[13]}}]
#pragma warpwright matmul
__global__ void staged_in_some_blocks(ARGS) {
  STAGED(if (blockIdx.x > 0) __syncthreads(), __syncwarp(), __syncwarp(), warp)
}
