// Asynchronous copies: what is read or stored over while they are under way.
// Lift has to see it, without executing anything.

// RUN: not %warpwright rewrite --no-check --emit=contraction %s -- %parse 2>&1 | FileCheck %s --implicit-check-not="is not rewritten"

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

// Copies in no group are not waited for.
//
// CHECK: 'single_nocommit' is not rewritten: 'As' is stored to here while the
// asynchronous copy at line {{[0-9]+}} may still store to the same element: a
// wait for that copy, with a __syncthreads() behind it, has to come first
// [WW224]
#pragma warpwright matmul
__global__ void single_nocommit(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  for (int t = 0; t < tiles; ++t) {
    LOAD(0, t);
    WAIT(0);
    SYNC;
    MUL(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// Others may still be copying.
//
// CHECK: 'single_wait_after_sync' is not rewritten: 'As' is read here before a
// __syncthreads() that comes after another thread's wait for its copy [WW221]
#pragma warpwright matmul
__global__ void single_wait_after_sync(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  for (int t = 0; t < tiles; ++t) {
    LOAD(0, t);
    COMMIT;
    SYNC;
    WAIT(0);
    MUL(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// The next copies go over what is still read.
//
// CHECK: 'single_nosync2' is not rewritten: 'As' is overwritten here while
// other threads may still read it: a __syncthreads() is missing after line
// {{[0-9]+}} [WW221]
#pragma warpwright matmul
__global__ void single_nosync2(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  for (int t = 0; t < tiles; ++t) {
    LOAD(0, t);
    COMMIT;
    WAIT(0);
    SYNC;
    MUL(0);
  }

  C[row * N + col] = acc;
}

// Behind the last tile there is no group to be left.
//
// CHECK: 'double_always1' is not rewritten: 'As' is stored to here while the
// asynchronous copy at line {{[0-9]+}} may still store to the same element: a
// wait for that copy, with a __syncthreads() behind it, has to come first
// [WW224]
#pragma warpwright matmul
__global__ void double_always1(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  LOAD(0, 0);
  COMMIT;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      LOAD((t + 1) & 1, t + 1);
      COMMIT;
    }
    WAIT(1);
    SYNC;
    MUL(t & 1);
    SYNC;
  }

  C[row * N + col] = acc;
}

// The wait leaves the tile that is read.
//
// CHECK: 'double_wait2' is not rewritten: 'As' is stored to here while the
// asynchronous copy at line {{[0-9]+}} may still store to the same element: a
// wait for that copy, with a __syncthreads() behind it, has to come first
// [WW224]
#pragma warpwright matmul
__global__ void double_wait2(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  LOAD(0, 0);
  COMMIT;
  for (int t = 0; t < tiles; ++t) {
    if (t + 1 < tiles) {
      LOAD((t + 1) & 1, t + 1);
    }
    COMMIT;
    WAIT(2);
    SYNC;
    MUL(t & 1);
    SYNC;
  }

  C[row * N + col] = acc;
}

// The first tile is in the group of the second.
//
// CHECK: 'double_prolog_nocommit' is not rewritten: 'As' is stored to here
// while the asynchronous copy at line {{[0-9]+}} may still store to the same
// element: a wait for that copy, with a __syncthreads() behind it, has to come
// first [WW224]
#pragma warpwright matmul
__global__ void double_prolog_nocommit(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  LOAD(0, 0);
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

// A wait is no barrier.
//
// CHECK: 'double_no_first_sync' is not rewritten: 'As' is read here before a
// __syncthreads() that comes after another thread's wait for its copy [WW221]
#pragma warpwright matmul
__global__ void double_no_first_sync(ARGS) {
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
    MUL(t & 1);
    SYNC;
  }

  C[row * N + col] = acc;
}

// The wait is behind the barrier.
//
// CHECK: 'double_sync_in_front' is not rewritten: 'As' is read here before a
// __syncthreads() that comes after another thread's wait for its copy [WW221]
#pragma warpwright matmul
__global__ void double_sync_in_front(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  LOAD(0, 0);
  COMMIT;
  for (int t = 0; t < tiles; ++t) {
    SYNC;
    if (t + 1 < tiles) {
      LOAD((t + 1) & 1, t + 1);
    }
    COMMIT;
    WAIT(1);
    MUL(t & 1);
  }

  C[row * N + col] = acc;
}

// The tile that is under way is read.
//
// CHECK: 'double_wrong_buffer' is not rewritten: 'As' is read here while the
// asynchronous copy at line {{[0-9]+}} may still be under way: before that, and
// before a __syncthreads(), every thread has to wait for its copies [WW224]
#pragma warpwright matmul
__global__ void double_wrong_buffer(ARGS) {
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
    MUL((t + 1) & 1);
    SYNC;
  }

  C[row * N + col] = acc;
}

// One group too many.
//
// CHECK: 'ring3_wait2' is not rewritten: 'As' is read here while the
// asynchronous copy at line {{[0-9]+}} may still be under way: before that, and
// before a __syncthreads(), every thread has to wait for its copies [WW224]
#pragma warpwright matmul
__global__ void ring3_wait2(ARGS) {
  __shared__ float As[3][T][T], Bs[3][T][T];
  PLACE
  LOAD(0, 0);
  COMMIT;
  if (1 < tiles)
    LOAD(1, 1);
  COMMIT;
  for (int t = 0; t < tiles; ++t) {
    WAIT(2);
    SYNC;
    if (t + 2 < tiles)
      LOAD((t + 2) % 3, t + 2);
    COMMIT;
    MUL(t % 3);
  }

  C[row * N + col] = acc;
}

// The last tiles follow no group.
//
// CHECK: 'ring3_cond_commit' is not rewritten: 'As' is read here while the
// asynchronous copy at line {{[0-9]+}} may still be under way: before that, and
// before a __syncthreads(), every thread has to wait for its copies [WW224]
#pragma warpwright matmul
__global__ void ring3_cond_commit(ARGS) {
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
    if (t + 2 < tiles) {
      LOAD((t + 2) % 3, t + 2);
      COMMIT;
    }
    MUL(t % 3);
  }

  C[row * N + col] = acc;
}

// Two tiles in one group.
//
// CHECK: 'ring3_one_group' is not rewritten: 'As' is read here while the
// asynchronous copy at line {{[0-9]+}} may still be under way: before that, and
// before a __syncthreads(), every thread has to wait for its copies [WW224]
#pragma warpwright matmul
__global__ void ring3_one_group(ARGS) {
  __shared__ float As[3][T][T], Bs[3][T][T];
  PLACE
  LOAD(0, 0);
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

// Only some of the threads wait.
//
// CHECK: 'wait_by_some' is not rewritten: 'As' is stored to here while the
// asynchronous copy at line {{[0-9]+}} may still store to the same element: a
// wait for that copy, with a __syncthreads() behind it, has to come first
// [WW224]
#pragma warpwright matmul
__global__ void wait_by_some(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  for (int t = 0; t < tiles; ++t) {
    LOAD(0, t);
    COMMIT;
    if (ty == 0)
      WAIT(0);
    SYNC;
    MUL(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// Only some of the threads close the group.
//
// CHECK: 'commit_by_some' is not rewritten: 'As' is stored to here while the
// asynchronous copy at line {{[0-9]+}} may still store to the same element: a
// wait for that copy, with a __syncthreads() behind it, has to come first
// [WW224]
#pragma warpwright matmul
__global__ void commit_by_some(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  for (int t = 0; t < tiles; ++t) {
    LOAD(0, t);
    if (ty == 0)
      COMMIT;
    WAIT(0);
    SYNC;
    MUL(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// A store that the copy may come before or after.
//
// CHECK: 'over_copy' is not rewritten: 'As' is read here at an element that two
// threads store [WW223]
#pragma warpwright matmul
__global__ void over_copy(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  for (int t = 0; t < tiles; ++t) {
    LOAD(0, t);
    As[0][ty][tx] = 0.0f;
    COMMIT;
    WAIT(0);
    SYNC;
    MUL(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// The same behind a barrier.
//
// CHECK: 'over_copy_other_phase' is not rewritten: 'As' is stored to here while
// the asynchronous copy at line {{[0-9]+}} may still store to the same element:
// a wait for that copy, with a __syncthreads() behind it, has to come first
// [WW224]
#pragma warpwright matmul
__global__ void over_copy_other_phase(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  for (int t = 0; t < tiles; ++t) {
    LOAD(0, t);
    COMMIT;
    SYNC;
    As[0][ty][tx] = A[row * K + t * T + tx];
    WAIT(0);
    SYNC;
    MUL(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// What is under way from the iteration before is stored over.
//
// CHECK: 'copy_later_over2' is not rewritten: 'As' is stored to here while the
// asynchronous copy at line {{[0-9]+}} may still store to the same element: a
// wait for that copy, with a __syncthreads() behind it, has to come first
// [WW224]
#pragma warpwright matmul
__global__ void copy_later_over2(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  for (int t = 0; t < tiles; ++t) {
    As[0][ty][tx] = A[row * K + t * T + tx];
    Bs[0][ty][tx] = B[(t * T + ty) * N + col];
    SYNC;
    MUL(0);
    SYNC;
    LOAD(0, t);
    COMMIT;
    WAIT(1);
    SYNC;
  }

  C[row * N + col] = acc;
}

// What is under way from before the loop is stored over.
//
// CHECK: 'prolog_under_way' is not rewritten: 'As' is stored to here while the
// asynchronous copy at line {{[0-9]+}} may still store to the same element: a
// wait for that copy, with a __syncthreads() behind it, has to come first
// [WW224]
#pragma warpwright matmul
__global__ void prolog_under_way(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  LOAD(0, 0);
  COMMIT;
  for (int t = 0; t < tiles; ++t) {
    As[0][ty][tx] = A[row * K + t * T + tx];
    Bs[0][ty][tx] = B[(t * T + ty) * N + col];
    SYNC;
    MUL(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// Two copies to one element.
//
// CHECK: 'twice' is not rewritten: 'As' is read here at an element that two
// threads store [WW223]
#pragma warpwright matmul
__global__ void twice(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  for (int t = 0; t < tiles; ++t) {
    LOAD(0, t);
    LOAD(0, t);
    COMMIT;
    WAIT(0);
    SYNC;
    MUL(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// Copies of one phase come about in any order.
//
// CHECK: 'turn_in_one_phase_n' is not rewritten: 'As' is read here where it may
// still hold what an earlier iteration stored [WW223]
#pragma warpwright matmul
__global__ void turn_in_one_phase_n(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  for (int s = 0; s < M; ++s) {
    LOAD(s % 2, s);
  }
  COMMIT;
  WAIT(0);
  SYNC;
  for (int t = 0; t < tiles; ++t) {
    MUL(t & 1);
    SYNC;
    if (t + 2 < tiles)
      LOAD((t + 2) % 2, t + 2);
    COMMIT;
    WAIT(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// Only some launches close groups.
//
// CHECK: 'guarded_commit2 where M <= 5' is not rewritten: 'As' is stored to here while the
// asynchronous copy at line {{[0-9]+}} may still store to the same element: a
// wait for that copy, with a __syncthreads() behind it, has to come first
// [WW224]
#pragma warpwright matmul
__global__ void guarded_commit2(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  LOAD(0, 0);
  COMMIT;
  for (int t = 0; t < tiles; ++t) {
    if (M > 5)
      COMMIT;
    WAIT(1);
    SYNC;
    MUL(t & 1);
    SYNC;
    LOAD((t + 1) & 1, t + 1);
    if (M > 5)
      COMMIT;
  }

  C[row * N + col] = acc;
}

// The groups behind a condition are not there.
//
// CHECK: 'loop_under' is not rewritten: 'As' is read here while the
// asynchronous copy at line {{[0-9]+}} may still be under way: before that, and
// before a __syncthreads(), every thread has to wait for its copies [WW224]
#pragma warpwright matmul
__global__ void loop_under(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  LOAD(0, 0);
  COMMIT;
  if (M > 5)
    for (int i = 0; i < 4; ++i) {
      COMMIT;
    }
  WAIT(3);
  SYNC;
  for (int t = 0; t < tiles; ++t) {
    MUL(0);
  }

  C[row * N + col] = acc;
}

// A loop that may not run waits.
//
// CHECK: 'wait_in_loop' is not rewritten: 'As' is read here while the
// asynchronous copy at line {{[0-9]+}} may still be under way: before that, and
// before a __syncthreads(), every thread has to wait for its copies [WW224]
#pragma warpwright matmul
__global__ void wait_in_loop(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  LOAD(0, 0);
  COMMIT;
  for (int i = 0; i < M; ++i) {
    WAIT(0);
    SYNC;
  }
  for (int t = 0; t < tiles; ++t) {
    MUL(0);
  }

  C[row * N + col] = acc;
}

// The kernel stores to what it copies from.
//
// CHECK: 'from_output' is not rewritten: 'C' is copied from asynchronously
// here, and the kernel stores to it, too [WW208]
#pragma warpwright matmul
__global__ void from_output(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  for (int t = 0; t < tiles; ++t) {
    __pipeline_memcpy_async(&As[0][ty][tx], &C[row * K + t * T + tx], 4);
    Bs[0][ty][tx] = B[(t * T + ty) * N + col];
    COMMIT;
    WAIT(0);
    SYNC;
    MUL(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// Two threads store to an element.
//
// CHECK: 'neighbour_overwrites' is not rewritten: 'As' is filled {{.*}} in a way that
// does not tell which thread stores which element [WW223]
#pragma warpwright matmul
__global__ void neighbour_overwrites(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  for (int t = 0; t < tiles; ++t) {
    LOAD(0, t);
    COMMIT;
    WAIT(0);
    As[0][ty][tx ^ 1] = 2.0f;
    SYNC;
    MUL(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// Copied over while it is read.
//
// CHECK: 'mul_between' is not rewritten: 'As' is read here while the
// asynchronous copy at line {{[0-9]+}} may still be under way: before that, and
// before a __syncthreads(), every thread has to wait for its copies [WW224]
#pragma warpwright matmul
__global__ void mul_between(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  LOAD(0, 0);
  COMMIT;
  WAIT(0);
  SYNC;
  for (int t = 0; t < tiles; ++t) {
    LOAD(0, t + 1);
    COMMIT;
    MUL(0);
    WAIT(0);
    SYNC;
  }

  C[row * N + col] = acc;
}

// The first tile is copied in no group; later ones are copied or stored.
//
// CHECK: 'first_in_no_group' is not rewritten: 'As' is stored to here while the
// asynchronous copy at line {{[0-9]+}} may still store to the same element: a
// wait for that copy, with a __syncthreads() behind it, has to come first
// [WW224]
#pragma warpwright matmul
__global__ void first_in_no_group(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  LOAD(0, 0);
  for (int t = 0; t < tiles; ++t) {
    const int s = (t + 1) % 2;
    if (row < M) {
      As[s][ty][tx] = A[row * K + (t + 1) * T + tx];
      Bs[s][ty][tx] = B[((t + 1) * T + ty) * N + col];
    } else {
      LOAD(s, t + 1);
    }
    SYNC;
    MUL(t % 2);
    COMMIT;
    WAIT(0);
    SYNC;
  }
  C[row * N + col] = acc;
}

// The memory of the tiles is used for something else behind the loop.
#define USED_BEHIND(Name, More, Else)                                          \
  __global__ void Name(ARGS) {                                                 \
    __shared__ float As[2][T][T], Bs[2][T][T];                                 \
    PLACE                                                                      \
    LOAD(0, 0);                                                                \
    COMMIT;                                                                    \
    for (int t = 0; t < tiles; ++t) {                                          \
      if (More) {                                                              \
        LOAD((t + 1) % 2, t + 1);                                              \
        COMMIT;                                                                \
        WAIT(1);                                                               \
      } else {                                                                 \
        Else;                                                                  \
      }                                                                        \
      SYNC;                                                                    \
      MUL(t % 2);                                                              \
      SYNC;                                                                    \
    }                                                                          \
    As[0][tx][ty] = acc;                                                       \
    SYNC;                                                                      \
    C[row * N + col] = As[0][tx][ty];                                          \
  }

// The last iteration copies another tile.
//
// CHECK: 'used_behind_one_more' is not rewritten: 'As' is stored to here while the asynchronous copy
#pragma warpwright matmul
USED_BEHIND(used_behind_one_more, t < tiles, WAIT(0))

// CHECK: 'used_behind_some_threads' is not rewritten: 'As' is stored to here while the asynchronous copy
#pragma warpwright matmul
USED_BEHIND(used_behind_some_threads, tx < 4 || t + 1 < tiles, WAIT(0))

// CHECK: 'used_behind_not_awaited' is not rewritten: 'As' is stored to here while the asynchronous copy
#pragma warpwright matmul
USED_BEHIND(used_behind_not_awaited, t + 1 < tiles, WAIT(1))

// The last iteration copies nothing, and has waited for what the one before has
// copied. Contractions are printed behind the warnings.
//
// CHECK: contraction "used_behind"
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK: require floordiv(K, 16) - 1 >= 0 : "the last copies of a loop may still be under way"
#pragma warpwright matmul
USED_BEHIND(used_behind, t + 1 < tiles, WAIT(0))
