// Asynchronous copies: how many groups a wait leaves, in forms that are right.

// RUN: %warpwright rewrite --no-check --emit=contraction %s -- %parse 2>&1 | FileCheck %s --implicit-check-not="is not rewritten"

#include <cuda_pipeline.h>

#define T 16
#define PLACE                                                                  \
  const int tx = threadIdx.x, ty = threadIdx.y, tiles = K / T;                 \
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;              \
  float acc = 0.0f;
#define ARGS const float *A, const float *B, float *C, int M, int N, int K
#define LOAD(S, Tile)                                                          \
  {                                                                            \
    __pipeline_memcpy_async(&As[S][ty][tx], &A[row * K + (Tile) * T + tx], 4); \
    __pipeline_memcpy_async(&Bs[S][ty][tx], &B[((Tile) * T + ty) * N + col],   \
                            4);                                                \
  }
#define COMMIT __pipeline_commit()
#define WAIT(N) __pipeline_wait_prior(N)
#define SYNC __syncthreads()
#define MUL(S)                                                                 \
  for (int k = 0; k < T; ++k)                                                  \
  acc += As[S][ty][k] * Bs[S][k][tx]

// An empty group counts.
//
// CHECK: contraction "single_two_commits"
#pragma warpwright matmul
__global__ void single_two_commits(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  for (int t = 0; t < tiles; ++t) {
    LOAD(0, t);
    COMMIT;
    COMMIT;
    WAIT(1);
    SYNC;
    MUL(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// Zeros first, and then the copy over them.
//
// CHECK: contraction "before_copy"
#pragma warpwright matmul
__global__ void before_copy(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  for (int t = 0; t < tiles; ++t) {
    As[0][ty][tx] = 0.0f;
    LOAD(0, t);
    COMMIT;
    WAIT(0);
    SYNC;
    MUL(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// The last iteration waits for all.
//
// CHECK: contraction "double_buffer"
#pragma warpwright matmul
__global__ void double_buffer(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
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

  C[row * N + col] = acc;
}

// Empty groups keep the count.
//
// CHECK: contraction "double_empty"
#pragma warpwright matmul
__global__ void double_empty(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  LOAD(0, 0);
  COMMIT;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      LOAD((t + 1) & 1, t + 1);
    }
    COMMIT;
    WAIT(1);
    SYNC;
    MUL(t & 1);
    SYNC;
  }

  C[row * N + col] = acc;
}

// How many groups are left is chosen.
//
// CHECK: contraction "double_ternary"
#pragma warpwright matmul
__global__ void double_ternary(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  LOAD(0, 0);
  COMMIT;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      LOAD((t + 1) & 1, t + 1);
      COMMIT;
    }
    WAIT(t + 1 < tiles ? 1 : 0);
    SYNC;
    MUL(t & 1);
    SYNC;
  }

  C[row * N + col] = acc;
}

// The wait is at the end of the iteration.
//
// CHECK: contraction "double_end"
#pragma warpwright matmul
__global__ void double_end(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  LOAD(0, 0);
  COMMIT;
  WAIT(0);
  SYNC;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      LOAD((t + 1) & 1, t + 1);
      COMMIT;
    }
    MUL(t & 1);
    WAIT(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// Two tiles under way, one barrier per tile.
//
// CHECK: contraction "ring3"
#pragma warpwright matmul
__global__ void ring3(ARGS) {
  __shared__ float As[3][T][T], Bs[3][T][T];
  PLACE
  LOAD(0, 0);
  COMMIT;
  if (1 < tiles)
    LOAD(1, 1);
  COMMIT;
  for (int t = 0; t < tiles; ++t) {
    WAIT(1);
    SYNC;
    if (t + 2 < tiles)
      LOAD((t + 2) % 3, t + 2);
    COMMIT;
    MUL(t % 3);
  }

  C[row * N + col] = acc;
}

// As many groups as there are tiles left.
//
// CHECK: contraction "ring3_branches"
#pragma warpwright matmul
__global__ void ring3_branches(ARGS) {
  __shared__ float As[3][T][T], Bs[3][T][T];
  PLACE
  LOAD(0, 0);
  COMMIT;
  if (1 < tiles) {
    LOAD(1, 1);
    COMMIT;
  }
  for (int t = 0; t < tiles; ++t) {
    if (t + 2 < tiles) {
      LOAD((t + 2) % 3, t + 2);
      COMMIT;
      WAIT(2);
    } else if (t + 1 < tiles) {
      WAIT(1);
    } else {
      WAIT(0);
    }
    SYNC;
    MUL(t % 3);
    SYNC;
  }

  C[row * N + col] = acc;
}

// The first stages by a loop.
//
// CHECK: contraction "ring4_prolog_loop"
#pragma warpwright matmul
__global__ void ring4_prolog_loop(ARGS) {
  __shared__ float As[4][T][T], Bs[4][T][T];
  PLACE
  for (int s = 0; s < 3; ++s) {
    if (s < tiles)
      LOAD(s, s);
    COMMIT;
  }
  for (int t = 0; t < tiles; ++t) {
    WAIT(2);
    SYNC;
    if (t + 3 < tiles)
      LOAD((t + 3) % 4, t + 3);
    COMMIT;
    MUL(t % 4);
  }

  C[row * N + col] = acc;
}

// A wait for more than is needed.
//
// CHECK: contraction "ring4_wait_less"
#pragma warpwright matmul
__global__ void ring4_wait_less(ARGS) {
  __shared__ float As[4][T][T], Bs[4][T][T];
  PLACE
  for (int s = 0; s < 3; ++s) {
    if (s < tiles)
      LOAD(s, s);
    COMMIT;
  }
  for (int t = 0; t < tiles; ++t) {
    WAIT(1);
    SYNC;
    if (t + 3 < tiles)
      LOAD((t + 3) % 4, t + 3);
    COMMIT;
    MUL(t % 4);
  }

  C[row * N + col] = acc;
}

// A group for each operand.
//
// CHECK: contraction "two_groups_ok"
#pragma warpwright matmul
__global__ void two_groups_ok(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  __pipeline_memcpy_async(&As[0][ty][tx], &A[row * K + tx], 4);
  COMMIT;
  __pipeline_memcpy_async(&Bs[0][ty][tx], &B[(ty)*N + col], 4);
  COMMIT;
  for (int t = 0; t < tiles; ++t) {
    __pipeline_memcpy_async(&As[(t + 1) & 1][ty][tx],
                            &A[row * K + (t + 1) * T + tx], 4);
    COMMIT;
    __pipeline_memcpy_async(&Bs[(t + 1) & 1][ty][tx],
                            &B[((t + 1) * T + ty) * N + col], 4);
    COMMIT;
    WAIT(2);
    SYNC;
    MUL(t & 1);
    SYNC;
  }

  C[row * N + col] = acc;
}

// A tile that is copied and never read.
//
// CHECK: contraction "prolog_done"
#pragma warpwright matmul
__global__ void prolog_done(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  LOAD(0, 0);
  COMMIT;
  WAIT(0);
  SYNC;
  for (int t = 0; t < tiles; ++t) {
    As[0][ty][tx] = A[row * K + t * T + tx];
    Bs[0][ty][tx] = B[(t * T + ty) * N + col];
    SYNC;
    MUL(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// A block takes one tile of C after the other, as long as there is one, and
// fills buffers ahead for each of them.
//
// CHECK: contraction "tiles_in_turn"
// CHECK: index %m < 16 * floordiv(M, 16)
// CHECK: index %n < 16 * floordiv(N, 16)
#pragma warpwright matmul
__global__ void tiles_in_turn(ARGS) {
  __shared__ float As[3][T][T], Bs[3][T][T];
  const int tx = threadIdx.x, ty = threadIdx.y, tiles = K / T;
  const int across = N / T, all = M / T * across;
  int number = blockIdx.x;
  if (number >= all)
    return;
  for (;;) {
    const int row = number / across * T + ty, col = number % across * T + tx;
    float acc = 0.0f;
    for (int s = 0; s < 2; ++s) {
      if (s < tiles)
        LOAD(s, s);
      COMMIT;
    }
    for (int t = 0; t < tiles; ++t) {
      WAIT(1);
      SYNC;
      if (t + 2 < tiles)
        LOAD((t + 2) % 3, t + 2);
      COMMIT;
      MUL(t % 3);
    }
    WAIT(0);
    SYNC;
    C[row * N + col] = acc;
    number += gridDim.x;
    if (number >= all)
      break;
  }
}

// Zeros are stored beside the copies, and are seen later than in the loop where
// they are stored before it.
//
// CHECK: contraction "zeros_beside_copies"
// CHECK: index %k < K
#pragma warpwright matmul
__global__ void zeros_beside_copies(ARGS) {
  __shared__ float As[3][T][T], Bs[3][T][T];
  PLACE
  const int all = (K + T - 1) / T;
  auto load = [&](int t) {
    const int ka = t * T + tx, kb = t * T + ty, s = t % 3;
    if (row < M && ka < K)
      __pipeline_memcpy_async(&As[s][ty][tx], &A[row * K + ka], 4);
    else
      As[s][ty][tx] = 0.0f;
    if (kb < K && col < N)
      __pipeline_memcpy_async(&Bs[s][ty][tx], &B[kb * N + col], 4);
    else
      Bs[s][ty][tx] = 0.0f;
    COMMIT;
  };
  load(0);
  load(1);
  for (int t = 0; t < all; ++t) {
    load(t + 2);
    WAIT(2);
    SYNC;
    MUL(t % 3);
    SYNC;
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}
