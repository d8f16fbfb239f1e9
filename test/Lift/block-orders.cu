// Blocks in an order that suits the cache: panels of columns by blockIdx.z, every
// other panel from the last row to the first; blocks beyond the matrix return.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.lifted 2>%t.declined
// RUN: FileCheck %s <%t.declined --implicit-check-not="is not rewritten"
// RUN: FileCheck %s --check-prefix=LIFTED <%t.lifted

#define T 16
#define ARGS const float *A, const float *B, float *C, int M, int N, int K
#define KERNEL(Row, Column, Beyond)                                            \
  __shared__ float As[T][T], Bs[T][T];                                         \
  const int by = Row, bx = Column;                                             \
  if (Beyond)                                                                  \
    return;                                                                    \
  const int tx = threadIdx.x, ty = threadIdx.y;                                \
  const int row = by * T + ty, col = bx * T + tx;                              \
  float sum = 0.0f;                                                            \
  for (int t = 0; t < K / T; ++t) {                                            \
    As[ty][tx] = A[row * K + t * T + tx];                                      \
    Bs[ty][tx] = B[(t * T + ty) * N + col];                                    \
    __syncthreads();                                                           \
    for (int k = 0; k < T; ++k)                                                \
      sum += As[ty][k] * Bs[k][tx];                                            \
    __syncthreads();                                                           \
  }                                                                            \
  C[row * N + col] = sum;

// LIFTED-LABEL: contraction "panels" {
// LIFTED: index %m < 16 * min(floordiv(M, 16), gridDim.y)
// LIFTED: index %n < 16 * min(floordiv(N, 16), gridDim.x * gridDim.z)
#pragma warpwright matmul
__global__ void panels(ARGS) {
  KERNEL(blockIdx.y, blockIdx.z *gridDim.x + blockIdx.x,
         bx >= N / T || by >= M / T)
}

// LIFTED-LABEL: contraction "to_and_fro" {
// LIFTED: index %m < 16 * min(floordiv(M, 16), gridDim.y)
// LIFTED: index %n < 16 * min(floordiv(N, 16), gridDim.x * gridDim.z)
// LIFTED: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
__global__ void to_and_fro(ARGS) {
  KERNEL(blockIdx.z % 2 ? gridDim.y - blockIdx.y - 1 : blockIdx.y,
         blockIdx.z *gridDim.x + blockIdx.x, bx >= N / T || by >= M / T)
}

// LIFTED-LABEL: contraction "even_panels_down" {
// LIFTED: index %m < min(M, blockDim.y * gridDim.y)
#pragma warpwright matmul
__global__ void even_panels_down(ARGS) {
  const int down = gridDim.y - 1 - blockIdx.y;
  const int by = (blockIdx.x & 1) == 0 ? down : blockIdx.y;
  const int row = by * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum;
}

// One row of blocks too few, and one beyond the matrix.
//
// CHECK: 'one_off' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void one_off(ARGS) {
  KERNEL(blockIdx.z % 2 ? gridDim.y - blockIdx.y : blockIdx.y,
         blockIdx.z *gridDim.x + blockIdx.x, bx >= N / T || by >= M / T)
}

// Rows 0 and 1 of a grid of two would both be row 0.
//
// CHECK: 'by_own_parity' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void by_own_parity(ARGS) {
  KERNEL(blockIdx.y % 2 ? gridDim.y - blockIdx.y - 1 : blockIdx.y, blockIdx.x,
         bx >= N / T || by >= M / T)
}

// Three times the parity is no bit.
//
// CHECK: 'by_thirds' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void by_thirds(ARGS) {
  KERNEL(blockIdx.y + blockIdx.z % 3 * (gridDim.y - 1 - 2 * blockIdx.y),
         blockIdx.z *gridDim.x + blockIdx.x, bx >= N / T || by >= M / T)
}

// Blocks that are numbered in tiles of 16, and compute 32 by 32: the launcher asks
// for an even number of tiles in a row.
//
// LIFTED-LABEL: contraction "two_tiles_each" {
// LIFTED: index %m < -32 * floordiv(-floordiv(M, 16), 2)
// LIFTED: index %n < 32 * floordiv(N, 32)
// LIFTED: require mod(floordiv(N, 16), 2) == 0
#define TILES(Wide)                                                            \
  const int rows = M / T, columns = N / T;                                     \
  for (unsigned tile = blockIdx.x;; tile += gridDim.x) {                       \
    const unsigned i = tile * 2 / columns * 2, j = tile * 2 % columns;         \
    if (i >= rows)                                                             \
      break;                                                                   \
    for (int down = 0; down < 2; ++down)                                       \
      for (int right = 0; right < Wide; ++right) {                             \
        const int row = (i + down) * T + threadIdx.y;                          \
        const int col = (j + right) * T + threadIdx.x;                         \
        float sum = 0.0f;                                                      \
        for (int k = 0; k < K; ++k)                                            \
          sum += A[row * K + k] * B[k * N + col];                              \
        C[row * N + col] = sum;                                                \
      }                                                                        \
  }
#pragma warpwright matmul
__global__ void two_tiles_each(ARGS) { TILES(2) }

// The last tile of three is another block's, too, unless there is one block in a row.
//
// LIFTED-LABEL: contraction "three_tiles_each" {
// LIFTED: require {{.*}}1 >= 32 * floordiv(N, 32) - 31 {{.*}} : "matrices of the batch overlap"
#pragma warpwright matmul
__global__ void three_tiles_each(ARGS) { TILES(3) }

// Lanes are columns, and warps, numbered through all blocks, are rows.
//
// LIFTED-LABEL: contraction "warps_are_rows" {
// LIFTED: index %m < min(M, floordiv(blockDim.x, 32) * gridDim.y)
// LIFTED: index %n < min(32 * gridDim.x, N)
// LIFTED: require mod(blockDim.x, 32) == 0
#pragma warpwright matmul
__global__ void warps_are_rows(ARGS) {
  const int row = (blockIdx.y * blockDim.x + threadIdx.x) / 32;
  const int col = blockIdx.x * 32 + threadIdx.x % 32;
  if (row >= M || col >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum;
}

// LIFTED-LABEL: contraction "lanes_step_over_columns" {
// LIFTED: index %m < min(M, floordiv(blockDim.x, 32) * gridDim.x)
// LIFTED: index %n < N
// LIFTED: require mod(blockDim.x, 32) == 0
#pragma warpwright matmul
__global__ void lanes_step_over_columns(ARGS) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  const int lane = threadIdx.x % warpSize;
  if (warp < M)
    for (int col = lane; col < N; col += warpSize) {
      float sum = 0.0f;
      for (int k = 0; k < K; ++k)
        sum += A[warp * K + k] * B[k * N + col];
      C[warp * N + col] = sum;
    }
}

// All lanes add to the same element.
//
// CHECK: 'lanes_add' is not rewritten: {{.*}} [WW205]
#pragma warpwright matmul
__global__ void lanes_add(ARGS) {
  const int row = (blockIdx.y * blockDim.x + threadIdx.x) / 32;
  const int col = blockIdx.x;
  if (row >= M)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] += sum;
}
