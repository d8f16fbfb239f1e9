// Pipelines of the block, of which all threads are producers and consumers. Their
// stages may be filled by copies and by ordinary stores.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.yes 2>%t.no
// RUN: FileCheck %s --implicit-check-not="is not rewritten" <%t.no
// RUN: FileCheck %s --check-prefix=LIFTED --implicit-check-not="mod(" <%t.yes

#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
constexpr int T = 16;

#define ARGS const float *A, const float *B, float *C, int N, int K

#define PLACE(Buffers, Stages)                                                 \
  __shared__ float As[Buffers][T][T], Bs[Buffers][T][T];                       \
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>     \
      state;                                                                   \
  auto block = cg::this_thread_block();                                        \
  auto pipe = cuda::make_pipeline(block, &state);                              \
  const int x = threadIdx.x, y = threadIdx.y;                                  \
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;                \
  const int tiles = K / T;                                                     \
  float sum = 0.0f;

#define COPY(t, Buffers)                                                       \
  cuda::memcpy_async(&As[(t) % Buffers][y][x], &A[row * K + (t) * T + x],      \
                     sizeof(float), pipe);                                     \
  cuda::memcpy_async(&Bs[(t) % Buffers][y][x], &B[((t) * T + y) * N + col],    \
                     sizeof(float), pipe);

#define LOAD(t, Buffers)                                                       \
  pipe.producer_acquire();                                                     \
  COPY(t, Buffers)                                                             \
  pipe.producer_commit();

#define PRODUCTS(t, Buffers)                                                   \
  for (int k = 0; k < T; ++k)                                                  \
    sum += As[(t) % Buffers][y][k] * Bs[(t) % Buffers][k][x];

#define MULTIPLY(t, Buffers)                                                   \
  pipe.consumer_wait();                                                        \
  PRODUCTS(t, Buffers)                                                         \
  pipe.consumer_release();

#define TILES for (int t = 0; t < tiles; ++t)
#define STORE C[row * N + col] = sum;

// LIFTED-LABEL: contraction "one_stage" {
// LIFTED: index %m < 16 * gridDim.y
// LIFTED: index %n < 16 * gridDim.x
// LIFTED: index %k < 16 * floordiv(K, 16)
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: output C[%m * N + %n]:f32 = acc
// LIFTED: require blockDim.x == 16
// LIFTED: require blockDim.y == 16
#pragma warpwright matmul
__global__ void one_stage(ARGS) {
  PLACE(1, 1)
  TILES {
    LOAD(t, 1)
    MULTIPLY(t, 1)
  }
  STORE
}

// LIFTED-LABEL: contraction "one_ahead" {
// LIFTED: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
__global__ void one_ahead(ARGS) {
  PLACE(2, 2)
  LOAD(0, 2)
  TILES {
    if (t + 1 < tiles) {
      LOAD(t + 1, 2)
    }
    MULTIPLY(t, 2)
  }
  STORE
}

// More than one of the last iterations commits nothing.
//
// LIFTED-LABEL: contraction "two_ahead" {
// LIFTED: index %k < 16 * floordiv(K, 16)
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void two_ahead(ARGS) {
  PLACE(3, 3)
  for (int s = 0; s < 2 && s < tiles; ++s) {
    LOAD(s, 3)
  }
  TILES {
    if (t + 2 < tiles) {
      LOAD(t + 2, 3)
    }
    MULTIPLY(t, 3)
  }
  STORE
}

// Every iteration commits; a stage is filled again when it was read.
//
// LIFTED-LABEL: contraction "all_stages" {
// LIFTED: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void all_stages(ARGS) {
  PLACE(2, 2)
  for (int s = 0; s < 2; ++s) {
    pipe.producer_acquire();
    if (s < tiles) {
      COPY(s, 2)
    }
    pipe.producer_commit();
  }
  TILES {
    MULTIPLY(t, 2)
    pipe.producer_acquire();
    if (t + 2 < tiles) {
      COPY(t + 2, 2)
    }
    pipe.producer_commit();
  }
  STORE
}

// Stores are part of a stage as copies are.
//
// LIFTED-LABEL: contraction "ragged" {
// LIFTED: index %m < min(16 * gridDim.y, M)
// LIFTED: index %k < K
// LIFTED: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
__global__ void ragged(ARGS, int M) {
  PLACE(3, 3)
  auto load = [&](int t) {
    const int ka = t * T + x, kb = t * T + y;
    pipe.producer_acquire();
    if (row < M && ka < K)
      cuda::memcpy_async(&As[t % 3][y][x], &A[row * K + ka], 4, pipe);
    else
      As[t % 3][y][x] = 0.0f;
    if (kb < K && col < N)
      cuda::memcpy_async(&Bs[t % 3][y][x], &B[kb * N + col], 4, pipe);
    else
      Bs[t % 3][y][x] = 0.0f;
    pipe.producer_commit();
  };
  const int all = (K + T - 1) / T;
  load(0);
  load(1);
  for (int t = 0; t < all; ++t) {
    load(t + 2);
    MULTIPLY(t, 3)
  }
  if (row < M && col < N)
    STORE
}

// The group copies rows; the last tile is multiplied behind the loop.
//
// LIFTED-LABEL: contraction "by_group" {
// LIFTED: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
__global__ void by_group(ARGS) {
  PLACE(2, 2)
  auto load = [&](int t) {
    pipe.producer_acquire();
    for (int r = 0; r < T; ++r) {
      cuda::memcpy_async(block, &As[t % 2][r][0],
                         &A[(blockIdx.y * T + r) * K + t * T],
                         cuda::aligned_size_t<16>(sizeof(float) * T), pipe);
      cuda::memcpy_async(block, &Bs[t % 2][r][0],
                         &B[(t * T + r) * N + blockIdx.x * T],
                         cuda::aligned_size_t<16>(sizeof(float) * T), pipe);
    }
    pipe.producer_commit();
  };
  load(0);
  for (int t = 1; t < tiles; ++t) {
    load(t);
    MULTIPLY(t - 1, 2)
  }
  MULTIPLY(tiles - 1, 2)
  STORE
}

// An inner loop fetches as many tiles as there is room for.
//
// LIFTED-LABEL: contraction "kept_full" {
// LIFTED: index %k < 16 * floordiv(K, 16)
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void kept_full(ARGS) {
  PLACE(3, 3)
  for (int t = 0, next = 0; t < tiles; ++t) {
    for (; next < tiles && next < t + 3; ++next) {
      LOAD(next, 3)
    }
    MULTIPLY(t, 3)
  }
  STORE
}

// With sizes of 64 bits, and tiles that each test computes.
//
// LIFTED-LABEL: contraction "kept_full_by_sizes" {
// LIFTED: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
__global__ void kept_full_by_sizes(ARGS) {
  PLACE(2, 2)
  constexpr size_t Stages = 2;
  for (int now = 0, next = 0; now < K / T; ++now) {
    for (; next < K / T && next < now + Stages; ++next) {
      LOAD(next, Stages)
    }
    MULTIPLY(now, Stages)
  }
  STORE
}

//===----------------------------------------------------------------------===//
// Mistakes
//===----------------------------------------------------------------------===//

// CHECK: 'not_waited_for' is not rewritten: {{.*}} [WW224]
#pragma warpwright matmul
__global__ void not_waited_for(ARGS) {
  PLACE(1, 1)
  TILES {
    LOAD(t, 1)
    PRODUCTS(t, 1)
    pipe.consumer_wait();
    pipe.consumer_release();
  }
  STORE
}

// CHECK: 'not_acquired' is not rewritten: 'As' is overwritten here while other threads may still read it{{.*}} [WW221]
#pragma warpwright matmul
__global__ void not_acquired(ARGS) {
  PLACE(2, 2)
  LOAD(0, 2)
  TILES {
    if (t + 1 < tiles) {
      COPY(t + 1, 2)
      pipe.producer_commit();
    }
    MULTIPLY(t, 2)
  }
  STORE
}

// CHECK: 'released_early' is not rewritten: a stage is acquired here while other threads may still read 'As' at line {{.*}}: a consumer_release() has to come between them [WW221]
#pragma warpwright matmul
__global__ void released_early(ARGS) {
  PLACE(2, 2)
  LOAD(0, 2)
  TILES {
    if (t + 1 < tiles) {
      LOAD(t + 1, 2)
    }
    pipe.consumer_wait();
    pipe.consumer_release();
    PRODUCTS(t, 2)
  }
  STORE
}

// CHECK: 'fewer_buffers' is not rewritten: 'As' is overwritten here while other threads may still read it{{.*}} [WW221]
#pragma warpwright matmul
__global__ void fewer_buffers(ARGS) {
  PLACE(2, 3)
  LOAD(0, 2)
  TILES {
    if (t + 1 < tiles) {
      LOAD(t + 1, 2)
    }
    MULTIPLY(t, 2)
  }
  STORE
}

// CHECK: 'fewer_stages' is not rewritten: it is not clear that the pipeline has a free stage for what is committed here [WW201]
#pragma warpwright matmul
__global__ void fewer_stages(ARGS) {
  PLACE(2, 1)
  LOAD(0, 2)
  LOAD(1, 2)
  TILES {
    MULTIPLY(t, 2)
  }
  STORE
}

// CHECK: 'next_buffer' is not rewritten: {{.*}} [WW224]
#pragma warpwright matmul
__global__ void next_buffer(ARGS) {
  PLACE(3, 3)
  LOAD(0, 3)
  LOAD(1, 3)
  TILES {
    if (t + 2 < tiles) {
      LOAD(t + 2, 3)
    }
    MULTIPLY(t + 1, 3)
  }
  STORE
}

// CHECK: 'committed_by_some' is not rewritten: {{.*}} [WW201]
#pragma warpwright matmul
__global__ void committed_by_some(ARGS) {
  PLACE(1, 1)
  TILES {
    pipe.producer_acquire();
    COPY(t, 1)
    if (x < 8)
      pipe.producer_commit();
    MULTIPLY(t, 1)
  }
  STORE
}

// CHECK: 'not_released' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
__global__ void not_released(ARGS) {
  PLACE(1, 1)
  TILES {
    LOAD(t, 1)
    pipe.consumer_wait();
    PRODUCTS(t, 1)
  }
  STORE
}

// CHECK: 'released_twice' is not rewritten: it is not clear that the stage that is released here was waited for [WW201]
#pragma warpwright matmul
__global__ void released_twice(ARGS) {
  PLACE(1, 1)
  TILES {
    LOAD(t, 1)
    MULTIPLY(t, 1)
    pipe.consumer_release();
    __syncthreads();
  }
  STORE
}

// What is stored after its stage was committed is part of none.
//
// CHECK: 'stored_after_commit' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
__global__ void stored_after_commit(ARGS) {
  PLACE(1, 1)
  TILES {
    pipe.producer_acquire();
    pipe.producer_commit();
    As[0][y][x] = A[row * K + t * T + x];
    Bs[0][y][x] = B[(t * T + y) * N + col];
    MULTIPLY(t, 1)
  }
  STORE
}

// The first tile is stored before the loop, in no stage; those of the loop are.
//
// CHECK: 'first_in_no_stage' is not rewritten: 'As' is stored to here while the asynchronous copy at line {{[0-9]+}} may still store to the same element: {{.*}} [WW224]
#pragma warpwright matmul
__global__ void first_in_no_stage(ARGS) {
  PLACE(2, 2)
  pipe.producer_acquire();
  pipe.producer_commit();
  As[0][y][x] = A[row * K + x];
  Bs[0][y][x] = B[y * N + col];
  TILES {
    if (t + 1 < tiles) {
      pipe.producer_acquire();
      As[(t + 1) % 2][y][x] = A[row * K + (t + 1) * T + x];
      Bs[(t + 1) % 2][y][x] = B[((t + 1) * T + y) * N + col];
      pipe.producer_commit();
    }
    MULTIPLY(t, 2)
  }
  STORE
}

// CHECK: 'fetches_too_far' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
__global__ void fetches_too_far(ARGS) {
  PLACE(2, 2)
  for (int t = 0, next = 0; t < tiles; ++t) {
    for (; next < tiles && next < t + 3; ++next) {
      LOAD(next, 2)
    }
    MULTIPLY(t, 2)
  }
  STORE
}

// CHECK: 'of_a_warp' is not rewritten: which pipeline is meant is not understood [WW201]
#pragma warpwright matmul
__global__ void of_a_warp(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state[8];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int x = threadIdx.x, y = threadIdx.y;
  auto pipe = cuda::make_pipeline(warp, &state[(y * T + x) / 32]);
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  const int tiles = K / T;
  float sum = 0.0f;
  TILES {
    LOAD(t, 1)
    MULTIPLY(t, 1)
  }
  STORE
}

// CHECK: 'roles' is not rewritten: 'cuda::make_pipeline' is called, and its body is not in this file [WW211]
#pragma warpwright matmul
__global__ void roles(ARGS) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 1> state;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state,
                                  threadIdx.y < 8
                                      ? cuda::pipeline_role::producer
                                      : cuda::pipeline_role::consumer);
  __shared__ float As[1][T][T], Bs[1][T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  const int tiles = K / T;
  float sum = 0.0f;
  TILES {
    LOAD(t, 1)
    MULTIPLY(t, 1)
  }
  STORE
}
