// Steps that are a fraction of the block's width: of a block that is asked of the
// launch they are numbers. Where no usual block fills the tiles, the kernel is
// declined.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse > %t 2> %t.messages
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.messages --check-prefix=DECLINED

#define BM 64
#define BN 64
#define BK 8
#define TM 16
#define ARGS const float *A, const float *B, float *C, int N, int K
#define KERNEL(NAME, STEP_A, STEP_B)                                           \
  __global__ void NAME(ARGS) {                                                 \
    __shared__ float As[BM * BK], Bs[BK * BN];                                 \
    const int t = threadIdx.x, col = t % BN, row = t / BN;                     \
    A += blockIdx.y * BM * K;                                                  \
    B += blockIdx.x * BN;                                                      \
    C += blockIdx.y * BM * N + blockIdx.x * BN;                                \
    const int step_a = STEP_A, step_b = STEP_B;                                \
    float sums[TM] = {0.0f};                                                   \
    for (int k0 = 0; k0 < K; k0 += BK) {                                       \
      for (int i = 0; i < BM; i += step_a)                                     \
        As[(t / BK + i) * BK + t % BK] = A[(t / BK + i) * K + t % BK];         \
      for (int i = 0; i < BK; i += step_b)                                     \
        Bs[(t / BN + i) * BN + t % BN] = B[(t / BN + i) * N + t % BN];         \
      __syncthreads();                                                         \
      A += BK;                                                                 \
      B += BK * N;                                                             \
      for (int k = 0; k < BK; ++k)                                             \
        for (int i = 0; i < TM; ++i)                                           \
          sums[i] += As[(row * TM + i) * BK + k] * Bs[k * BN + col];           \
      __syncthreads();                                                         \
    }                                                                          \
    for (int i = 0; i < TM; ++i)                                               \
      C[(row * TM + i) * N + col] = sums[i];                                   \
  }

// 64 x 64 outputs, 16 of a thread.
// CHECK: contraction "fractions" {
// CHECK: index %m < 64 * gridDim.y
// CHECK: index %n < 64 * gridDim.x
// CHECK: index %k < 8 * floordiv(K + 7, 8)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: require blockDim.x == 256 : "blockDim.x is not 256"
#pragma warpwright matmul
KERNEL(fractions, blockDim.x / BK, blockDim.x / BN)

// Half of the rows are left out.
// DECLINED: 'gaps' is not rewritten: 'As' is read here at an element
#pragma warpwright matmul
KERNEL(gaps, blockDim.x / 4, blockDim.x / BN)

// DECLINED: 'too_far' is not rewritten: 'As' is read here at an element
#pragma warpwright matmul
KERNEL(too_far, blockDim.x / BK, blockDim.x / 32)

// Places in the tile by remainders of rows and columns: in a block that is no
// larger than the tile each thread has a place of its own.
//
// CHECK-LABEL: contraction "remainders"
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK-NEXT: index %n < min(16 * gridDim.x, M)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: require blockDim.x == 16
// CHECK: require blockDim.y == 16
#define REMAINDERS(read)                                                       \
  __shared__ float As[16 * 16], Bs[16 * 16];                                   \
  const int row = blockIdx.y * 16 + threadIdx.y;                               \
  const int col = blockIdx.x * 16 + threadIdx.x;                               \
  float sum = 0.0f;                                                            \
  for (int k0 = 0; k0 < K; k0 += 16) {                                         \
    const int x = k0 + threadIdx.x, y = k0 + threadIdx.y;                      \
    As[row % 16 * 16 + col % 16] = row < M && x < K ? A[row * K + x] : 0.0f;   \
    Bs[row % 16 * 16 + col % 16] = y < K && col < M ? B[y * M + col] : 0.0f;   \
    __syncthreads();                                                           \
    for (int k = 0; k < 16; ++k)                                               \
      sum += As[(read) % 16 * 16 + k] * Bs[k * 16 + col % 16];                 \
    __syncthreads();                                                           \
  }                                                                            \
  if (row < M && col < M)                                                      \
    C[row * M + col] = sum;
#pragma warpwright matmul
__global__ void remainders(const float *A, const float *B, float *C, int M,
                           int K) {
  REMAINDERS(row)
}

// The row of another thread.
// DECLINED: 'next_row' is not rewritten:
#pragma warpwright matmul
__global__ void next_row(const float *A, const float *B, float *C, int M,
                         int K) {
  REMAINDERS(row + 1)
}

// Half of the threads fill one tile, and all of them the other one in two steps,
// by the flat number of the thread. Warps beyond the matrix multiply nothing.
#define WARP_ROWS(Half, Step)                                                  \
  __shared__ float As[8][16], Bs[16][32];                                      \
  const int tid = threadIdx.y * 32 + threadIdx.x;                              \
  const int row = blockIdx.y * 8 + threadIdx.y;                                \
  const int col = blockIdx.x * 32 + threadIdx.x;                               \
  float sum = 0.0f;                                                            \
  for (int k0 = 0; k0 < K; k0 += 16) {                                         \
    if (tid < Half) {                                                          \
      const int r = blockIdx.y * 8 + tid / 16, k = k0 + tid % 16;              \
      As[tid / 16][tid % 16] = r < M && k < K ? A[r * K + k] : 0.0f;           \
    }                                                                          \
    for (int i = tid; i < 512; i += Step) {                                    \
      const int k = k0 + i / 32, c = blockIdx.x * 32 + i % 32;                 \
      Bs[i / 32][i % 32] = k < K && c < N ? B[k * N + c] : 0.0f;               \
    }                                                                          \
    __syncthreads();                                                           \
    if (row < M)                                                               \
      for (int k = 0; k < 16; ++k)                                             \
        sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];                        \
    __syncthreads();                                                           \
  }                                                                            \
  if (row < M && col < N)                                                      \
    C[row * N + col] = sum;
#define WARP_ARGS const float *A, const float *B, float *C, int M, int N, int K

// CHECK-LABEL: contraction "warp_rows"
// CHECK: index %m < min(8 * gridDim.y, M)
// CHECK: index %n < min(32 * gridDim.x, N)
// CHECK: index %k < K
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.x == 32 : "blockDim.x is not 32"
// CHECK: require blockDim.y == 8 : "blockDim.y is not 8"
#pragma warpwright matmul
__global__ void warp_rows(WARP_ARGS) { WARP_ROWS(128, 256) }

// The last row of the tile is not filled.
//
// DECLINED: 'seven_rows' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void seven_rows(WARP_ARGS) { WARP_ROWS(112, 256) }

// 256 threads leave out every other part of 256 elements.
//
// DECLINED: 'parts_left_out' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void parts_left_out(WARP_ARGS) { WARP_ROWS(128, 512) }

// Weights that all threads copy, and of which each thread uses rows of its own: the
// loops agree on the width of the block, or no block fits.
#define WEIGHTS(NAME, STEP, LAST)                                              \
  __global__ void NAME(const float *A, const float *B, float *C, int K,        \
                       int N) {                                                \
    extern __shared__ float rows[];                                            \
    for (int i = threadIdx.x; i < N * K; i += STEP)                            \
      rows[i] = B[i];                                                          \
    __syncthreads();                                                           \
    for (int n = threadIdx.x; n LAST; n += blockDim.x) {                       \
      float sum = 0;                                                           \
      for (int k = 0; k < K; ++k)                                              \
        sum += rows[n * K + k] * A[blockIdx.x * K + k];                        \
      C[blockIdx.x * N + n] = sum;                                             \
    }                                                                          \
  }

// DECLINED: 'two_widths' is not rewritten: no shape of a block fits the tiles of the kernel [WW216]
#pragma warpwright matmul
WEIGHTS(two_widths, 2 * blockDim.x, < N)

// DECLINED: 'one_row_more' is not rewritten: 'rows' is read here at an element of which it is not clear that a thread has stored it at line [[#@LINE+2]] [WW223]
#pragma warpwright matmul
WEIGHTS(one_row_more, blockDim.x, <= N)

// Steps of blockDim beside the numbers of warps: a row of the block is one warp.
#include <mma.h>
using namespace nvcuda;
#define MATRICES const half *A, const half *B, float *C, int M, int N, int K
#define FRAGMENTS                                                              \
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;         \
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;         \
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;                      \
  wmma::fill_fragment(c, 0.0f);
#define BY_WIDTH(OFFSET)                                                       \
  FRAGMENTS                                                                    \
  const int w = threadIdx.y, row = w / 2 * 16 + blockIdx.y * 32,               \
            first = w % 2 * 16, col = first + blockIdx.x * blockDim.x;         \
  for (int k = 0; k < K; k += 16) {                                            \
    wmma::load_matrix_sync(a, A + row * K + k, K);                             \
    wmma::load_matrix_sync(b, B + k * N + first + OFFSET, N);                  \
    wmma::mma_sync(c, a, b, c);                                                \
  }                                                                            \
  if (row + 16 <= M && col + 16 <= N)                                          \
    wmma::store_matrix_sync(C + row * N + col, c, N, wmma::mem_row_major);

// CHECK-LABEL: contraction "by_width"
// CHECK: index %m < 16 * min(2 * gridDim.y, floordiv(M, 16))
// CHECK: index %n < 16 * min(2 * gridDim.x, floordiv(N, 16))
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.y == 4 : "blockDim.y is not 4"
// CHECK: require blockDim.x == 32 : "blockDim.x is not 32"
#pragma warpwright matmul
__global__ void by_width(MATRICES) { BY_WIDTH(blockIdx.x * blockDim.x) }

// Where the columns of B and of C step by other widths, no block makes them the same.
// DECLINED: 'other_width' is not rewritten: {{.*}} [WW216]
#pragma warpwright matmul
__global__ void other_width(MATRICES) { BY_WIDTH(blockIdx.x * blockDim.y) }

// Warps that are numbered through all blocks, each in a block of its own whose tiles
// some of the threads fill.
#define ONE_WARP(WARP, FILLS, BARRIER)                                         \
  __shared__ half As[256], Bs[256];                                            \
  FRAGMENTS                                                                    \
  const int t = threadIdx.x, m = WARP * 16, n = blockIdx.y * 16;               \
  for (int k = 0; k < K; k += 16) {                                            \
    if (t < FILLS)                                                             \
      for (int i = 0; i < 16; i++) {                                           \
        As[t * 16 + i] = A[(m + t) * K + k + i];                               \
        Bs[i * 16 + t] = B[(k + i) * N + n + t];                               \
      }                                                                        \
    __syncthreads();                                                           \
    wmma::load_matrix_sync(a, As, 16);                                         \
    wmma::load_matrix_sync(b, Bs, 16);                                         \
    wmma::mma_sync(c, a, b, c);                                                \
    BARRIER                                                                    \
  }                                                                            \
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

// CHECK-LABEL: contraction "one_warp"
// CHECK: index %m < 16 * gridDim.x
// CHECK: index %n < 16 * gridDim.y
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.x == 32 : "blockDim.x is not 32"
#pragma warpwright matmul
__global__ void one_warp(MATRICES) { ONE_WARP(THREAD / 32, 16, __syncthreads();) }

// Two blocks have the same tile, half of the tile is not filled, or a warp is ahead
// of another one that fills its tile.
// DECLINED: 'two_blocks' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void two_blocks(MATRICES) { ONE_WARP(THREAD / 64, 16, __syncthreads();) }

// DECLINED: 'half_filled' is not rewritten: 'As' is read here at an element
#pragma warpwright matmul
__global__ void half_filled(MATRICES) { ONE_WARP(THREAD / 32, 8, __syncthreads();) }

// DECLINED: 'no_barrier' is not rewritten: 'As' is overwritten here while other threads
#pragma warpwright matmul
__global__ void no_barrier(MATRICES) { ONE_WARP(THREAD / 32, 16, ) }

// Tiles of a block that is meant to be as wide as it is high: one of them is filled in
// steps of blockDim.x, the other one in steps of blockDim.y.
#define MIXED(NAME, STEP_B, PRODUCTS, A_AT, BARRIER)                           \
  __global__ void NAME(WARP_ARGS) {                                            \
    extern __shared__ float rows[];                                            \
    float *ta = rows, *tb = rows + blockDim.x * blockDim.y;                    \
    const int tx = threadIdx.x, ty = threadIdx.y,                              \
              row = blockIdx.y * blockDim.y + ty,                              \
              col = blockIdx.x * blockDim.x + tx;                              \
    float sum = 0;                                                             \
    for (int t = 0; t < (K + blockDim.x - 1) / blockDim.x; ++t) {              \
      const int ka = t * blockDim.x, kb = t * STEP_B;                          \
      ta[ty * blockDim.x + tx] =                                               \
          row < M && ka + tx < K ? A[row * K + ka + tx] : 0.0f;                \
      tb[ty * blockDim.x + tx] =                                               \
          kb + ty < K && col < N ? B[(kb + ty) * N + col] : 0.0f;              \
      __syncthreads();                                                         \
      for (int k = 0; k < PRODUCTS; ++k)                                       \
        sum += ta[A_AT] * tb[k * blockDim.x + tx];                             \
      BARRIER                                                                  \
    }                                                                          \
    if (row < M && col < N)                                                    \
      C[row * N + col] = sum;                                                  \
  }

// CHECK-LABEL: contraction "mixed_widths"
// CHECK: index %m < min(M, blockDim.x * gridDim.y)
// CHECK: index %n < min(N, blockDim.x * gridDim.x)
// CHECK: index %k < K
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.y == blockDim.x : "blockDim.y is not blockDim.x"
// CHECK-NOT: require blockDim.x == blockDim.y
#pragma warpwright matmul
MIXED(mixed_widths, blockDim.y, blockDim.x, ty *blockDim.x + k,
      __syncthreads();)

// DECLINED: 'one_less' is not rewritten: the nested loops of the sum do not make one range
#pragma warpwright matmul
MIXED(one_less, blockDim.y, blockDim.x - 1, ty *blockDim.x + k,
      __syncthreads();)

// DECLINED: 'two_steps' is not rewritten: the nested loops of the sum do not make one range
#pragma warpwright matmul
MIXED(two_steps, 2 * blockDim.y, blockDim.x, ty *blockDim.x + k,
      __syncthreads();)

// DECLINED: 'other_rows' is not rewritten: {{.*}} [WW216]
#pragma warpwright matmul
MIXED(other_rows, blockDim.y, blockDim.x, k *blockDim.x + ty, __syncthreads();)

// DECLINED: 'behind_products' is not rewritten: 'rows' is overwritten here while other threads
#pragma warpwright matmul
MIXED(behind_products, blockDim.y, blockDim.x, ty *blockDim.x + k, )
