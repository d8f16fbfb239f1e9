// Tiles of which each thread copies several chunks asynchronously. Lift has to
// tell them apart, without executing anything.

// RUN: not %warpwright rewrite --no-check --emit=contraction %s -- %parse >%t.out 2>%t.err
// RUN: FileCheck %s <%t.out
// RUN: FileCheck %s --check-prefix=MISS --implicit-check-not="is not rewritten" <%t.err

#include <cuda_pipeline.h>

#define BM 64
#define BN 64
#define BK 16
#define ARGS const float *A, const float *B, float *C, int M, int N, int K
#define PLACE                                                                  \
  const int tid = threadIdx.x, tx = tid % 16, ty = tid / 16;                   \
  const int m = blockIdx.y * BM, n = blockIdx.x * BN, tiles = K / BK;          \
  float acc[8][4] = {};
#define TILES(Count)                                                           \
  __shared__ __align__(16) float As[Count][BM][BK], Bs[Count][BK][BN];
#define A_CHUNK(S, T, X)                                                       \
  __pipeline_memcpy_async(&As[S][(X) / 4][(X) % 4 * 4],                        \
                          &A[(m + (X) / 4) * K + (T) * BK + (X) % 4 * 4], 16)
#define B_CHUNK(S, T, X)                                                       \
  __pipeline_memcpy_async(&Bs[S][(X) / 16][(X) % 16 * 4],                      \
                          &B[((T) * BK + (X) / 16) * N + n + (X) % 16 * 4],    \
                          16)
#define LOAD(S, T)                                                             \
  {                                                                            \
    for (int i = 0; i < 2; ++i)                                                \
      A_CHUNK(S, T, tid + i * 128);                                            \
    for (int i = 0; i < 2; ++i)                                                \
      B_CHUNK(S, T, tid + i * 128);                                            \
  }
#define COMMIT __pipeline_commit()
#define WAIT(N) __pipeline_wait_prior(N)
#define SYNC __syncthreads()
#define MUL(S)                                                                 \
  for (int k = 0; k < BK; ++k)                                                 \
    for (int i = 0; i < 8; ++i)                                                \
      for (int j = 0; j < 4; ++j)                                              \
        acc[i][j] += As[S][ty * 8 + i][k] * Bs[S][k][tx * 4 + j];
#define STORE                                                                  \
  for (int i = 0; i < 8; ++i)                                                  \
    for (int j = 0; j < 4; ++j)                                                \
      C[(m + ty * 8 + i) * N + n + tx * 4 + j] = acc[i][j];

// Loops over the chunks under the condition that there is a next tile.
//
// CHECK-LABEL: contraction "conditional_loops" {
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK-NEXT: operand A = A[%m * K + %k]:f32
// CHECK-NEXT: operand B = B[%k * N + %n]:f32
// CHECK: require blockDim.x == 128 : "blockDim.x is not 128"
#pragma warpwright matmul
__global__ void conditional_loops(ARGS) {
  TILES(2)
  PLACE
  LOAD(0, 0);
  COMMIT;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      LOAD((t + 1) & 1, t + 1);
      COMMIT;
      WAIT(1);
    } else {
      WAIT(0);
    }
    SYNC;
    MUL(t & 1);
    SYNC;
  }
  STORE
}

// A group is closed in each branch, and the guards are said in other words.
//
// CHECK-LABEL: contraction "group_in_each_branch" {
// CHECK: index %k < 16 * floordiv(K, 16)
#pragma warpwright matmul
__global__ void group_in_each_branch(ARGS) {
  TILES(3)
  PLACE
  LOAD(0, 0);
  COMMIT;
  if (tiles > 1) {
    LOAD(1, 1);
    COMMIT;
  } else {
    COMMIT;
  }
  for (int t = 0; t < tiles; ++t) {
    WAIT(1);
    SYNC;
    if (t < tiles - 2) {
      LOAD((t + 2) % 3, t + 2);
      COMMIT;
    } else {
      COMMIT;
    }
    MUL(t % 3);
  }
  STORE
}

// Both operands in one array: the block may be no larger than a tile.
//
// CHECK-LABEL: contraction "one_array" {
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK: require blockDim.x == 128 : "blockDim.x is not 128"
#pragma warpwright matmul
__global__ void one_array(ARGS) {
  extern __shared__ __align__(16) float pool[];
  float (*As)[BM][BK] = reinterpret_cast<float (*)[BM][BK]>(pool);
  float (*Bs)[BK][BN] = reinterpret_cast<float (*)[BK][BN]>(pool + 2 * BM * BK);
  PLACE
  LOAD(0, 0);
  COMMIT;
  for (int t = 0; t < tiles; ++t) {
    WAIT(0);
    SYNC;
    if (t + 1 < tiles)
      LOAD((t + 1) & 1, t + 1);
    COMMIT;
    MUL(t & 1);
  }
  STORE
}

// One row of B begins in the second buffer of A.
//
// MISS: 'one_array_overlaps' is not rewritten: {{.*}} [WW223]
#pragma warpwright matmul
__global__ void one_array_overlaps(ARGS) {
  extern __shared__ __align__(16) float pool[];
  float (*As)[BM][BK] = reinterpret_cast<float (*)[BM][BK]>(pool);
  float (*Bs)[BK][BN] =
      reinterpret_cast<float (*)[BK][BN]>(pool + 2 * BM * BK - BN);
  PLACE
  LOAD(0, 0);
  COMMIT;
  for (int t = 0; t < tiles; ++t) {
    WAIT(0);
    SYNC;
    if (t + 1 < tiles)
      LOAD((t + 1) & 1, t + 1);
    COMMIT;
    MUL(t & 1);
  }
  STORE
}

// Neighbouring words of a thread, of which each has quotients of its own.
//
// CHECK-LABEL: contraction "words_side_by_side" {
// CHECK: index %k < 16 * floordiv(K, 16)
#pragma warpwright matmul
__global__ void words_side_by_side(ARGS) {
  TILES(1)
  PLACE
  for (int t = 0; t < tiles; ++t) {
#define WORD(I)                                                                \
  __pipeline_memcpy_async(                                                     \
      &As[0][(tid * 8 + I) / BK][(tid * 8 + I) % BK],                          \
      &A[(m + (tid * 8 + I) / BK) * K + t * BK + (tid * 8 + I) % BK], 4);
    WORD(0)
    WORD(1) WORD(2) WORD(3) WORD(4) WORD(5) WORD(6)
        WORD(7) for (int i = 0; i < 2; ++i) B_CHUNK(0, t, tid + i * 128);
    COMMIT;
    WAIT(0);
    SYNC;
    MUL(0);
    SYNC;
  }
  STORE
}

// The last tiles in a loop of their own, from a buffer that K decides.
//
// CHECK-LABEL: contraction "last_tiles" {
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK: require floordiv(K, 16) - 3 >= 0
#pragma warpwright matmul
__global__ void last_tiles(ARGS) {
  TILES(4)
  PLACE
  for (int t = 0; t < 3; ++t) {
    LOAD(t, t);
    COMMIT;
  }
  WAIT(2);
  SYNC;
  for (int t = 3; t < tiles; ++t) {
    LOAD(t % 4, t);
    COMMIT;
    MUL((t + 1) % 4);
    WAIT(2);
    SYNC;
  }
  WAIT(0);
  SYNC;
  for (int t = 0; t < 3; ++t)
    MUL((tiles - 3 + t) % 4);
  STORE
}

// One of them is the next tile, which nobody copies.
//
// MISS: 'last_tiles_one_late' is not rewritten: {{.*}} [WW223]
#pragma warpwright matmul
__global__ void last_tiles_one_late(ARGS) {
  TILES(4)
  PLACE
  for (int t = 0; t < 3; ++t) {
    LOAD(t, t);
    COMMIT;
  }
  WAIT(2);
  SYNC;
  for (int t = 3; t < tiles; ++t) {
    LOAD(t % 4, t);
    COMMIT;
    MUL((t + 1) % 4);
    WAIT(2);
    SYNC;
  }
  WAIT(0);
  SYNC;
  for (int t = 0; t < 3; ++t)
    MUL((tiles - 2 + t) % 4);
  STORE
}

// Where a chunk begins in the matrix, all of it is copied: only K that are
// multiples of four are those of the product.
//
// CHECK-LABEL: contraction "guarded_by_first" {
// CHECK-NEXT: index %b < 1
// CHECK-NEXT: index %m < min(64 * gridDim.y, M)
// CHECK-NEXT: index %n < min(64 * gridDim.x, N)
// CHECK-NEXT: index %k < 4 * floordiv(K + 3, 4)
// CHECK: require 4 * floordiv(K + 3, 4) == K || 
#pragma warpwright matmul
__global__ void guarded_by_first(ARGS) {
  TILES(1)
  PLACE
  for (int t = 0; t < (K + BK - 1) / BK; ++t) {
    for (int x = tid; x < 256; x += 128) {
      const int r = x / 4, k = x % 4 * 4;
      const bool inside = m + r < M && t * BK + k < K;
      __pipeline_memcpy_async(&As[0][r][k],
                              &A[inside ? (m + r) * K + t * BK + k : 0], 16,
                              inside ? 0 : 16);
    }
    for (int x = tid; x < 256; x += 128) {
      const int k = x / 16, c = x % 16 * 4;
      const bool inside = t * BK + k < K && n + c < N;
      __pipeline_memcpy_async(&Bs[0][k][c],
                              &B[inside ? (t * BK + k) * N + n + c : 0], 16,
                              inside ? 0 : 16);
    }
    COMMIT;
    WAIT(0);
    SYNC;
    MUL(0);
    SYNC;
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 4; ++j)
      if (m + ty * 8 + i < M && n + tx * 4 + j < N)
        C[(m + ty * 8 + i) * N + n + tx * 4 + j] = acc[i][j];
}

// The columns of B end where those of A do.
//
// MISS: 'guarded_by_other' is not rewritten: {{.*}} [WW216]
#pragma warpwright matmul
__global__ void guarded_by_other(ARGS) {
  TILES(1)
  PLACE
  for (int t = 0; t < (K + BK - 1) / BK; ++t) {
    for (int x = tid; x < 256; x += 128)
      A_CHUNK(0, t, x);
    for (int x = tid; x < 256; x += 128) {
      const int k = x / 16, c = x % 16 * 4;
      const bool inside = t * BK + c < K;
      __pipeline_memcpy_async(&Bs[0][k][c], &B[(t * BK + k) * N + n + c], 16,
                              inside ? 0 : 16);
    }
    COMMIT;
    WAIT(0);
    SYNC;
    MUL(0);
    SYNC;
  }
  STORE
}

// Before the loop, words are copied with their neighbours, over the next row where
// they end.
//
// MISS: 'wide_before_loop' is not rewritten: {{.*}} [WW223]
#pragma warpwright matmul
__global__ void wide_before_loop(ARGS) {
  TILES(2)
  PLACE
#define WORDS(S, T, Bytes)                                                     \
  for (int x = tid; x < BM * BK; x += 128)                                     \
    __pipeline_memcpy_async(&As[S][x / BK][x % BK],                            \
                            &A[(m + x / BK) * K + (T)*BK + x % BK], Bytes);    \
  for (int i = 0; i < 2; ++i)                                                  \
    B_CHUNK(S, T, tid + i * 128);
  WORDS(0, 0, 8)
  COMMIT;
  for (int t = 0; t < tiles; ++t) {
    WAIT(0);
    SYNC;
    if (t + 1 < tiles) {
      WORDS((t + 1) & 1, t + 1, 4)
    }
    COMMIT;
    MUL(t & 1);
  }
  STORE
}

// Each iteration of the loop before the loop stores over all but one column of the
// one before it.
//
// MISS: 'shifted_before_loop' is not rewritten: {{.*}} [WW223]
#pragma warpwright matmul
__global__ void shifted_before_loop(ARGS) {
  __shared__ float As[2][16][17], Bs[2][16][17];
  const int tx = threadIdx.x, ty = threadIdx.y, tiles = K / 16;
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float acc = 0.0f;
  for (int s = 0; s < 2; ++s) {
    As[0][ty][tx + s] = A[row * K + s * 16 + tx];
    Bs[0][ty][tx + s] = B[(s * 16 + ty) * N + col];
    SYNC;
  }
  for (int t = 0; t < tiles; ++t) {
    for (int k = 0; k < 16; ++k)
      acc += As[t & 1][ty][k] * Bs[t & 1][k][tx];
    SYNC;
    if (t + 1 < tiles) {
      As[(t + 1) & 1][ty][tx] = A[row * K + (t + 1) * 16 + tx];
      Bs[(t + 1) & 1][ty][tx] = B[((t + 1) * 16 + ty) * N + col];
    }
    SYNC;
  }
  C[row * N + col] = acc;
}

// The loop is left by a test in its middle: the barrier behind it is there but for
// the last time.
//
// CHECK-LABEL: contraction "left_in_the_middle" {
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK: require floordiv(K, 16) >= 1 : "a do loop would run no iteration"
#pragma warpwright matmul
__global__ void left_in_the_middle(ARGS) {
  TILES(1)
  PLACE
  for (int t = 0;; ++t) {
    LOAD(0, t);
    COMMIT;
    WAIT(0);
    SYNC;
    MUL(0);
    if (t + 1 == tiles)
      break;
    SYNC;
  }
  STORE
}

// MISS: 'left_without_barrier' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
__global__ void left_without_barrier(ARGS) {
  TILES(1)
  PLACE
  for (int t = 0;; ++t) {
    LOAD(0, t);
    COMMIT;
    WAIT(0);
    SYNC;
    MUL(0);
    if (t + 1 == tiles)
      break;
  }
  STORE
}

// All iterations but the last one pass a barrier: behind the loop the last tile is
// read before others have waited for it.
//
// MISS: 'barrier_but_last' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
__global__ void barrier_but_last(ARGS) {
  TILES(2)
  PLACE
  LOAD(0, 0);
  COMMIT;
  WAIT(0);
  SYNC;
  for (int t = 1; t < tiles; ++t) {
    LOAD(t & 1, t);
    COMMIT;
    MUL((t & 1) ^ 1);
    WAIT(0);
    if (t + 1 < tiles)
      SYNC;
  }
  MUL((tiles - 1) & 1);
  STORE
}

// MISS: 'wait_but_last' is not rewritten: {{.*}} [WW224]
#pragma warpwright matmul
__global__ void wait_but_last(ARGS) {
  TILES(2)
  PLACE
  LOAD(0, 0);
  COMMIT;
  WAIT(0);
  SYNC;
  for (int t = 1;; ++t) {
    LOAD(t & 1, t);
    COMMIT;
    MUL((t & 1) ^ 1);
    if (t + 1 >= tiles)
      break;
    WAIT(0);
    SYNC;
  }
  SYNC;
  MUL((tiles - 1) & 1);
  STORE
}
