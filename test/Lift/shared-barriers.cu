// Barriers in shared memory: made by one thread for all threads of the block, each
// of which arrives and waits; the barrier may wait for asynchronous copies, too.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.yes 2>%t.no
// RUN: FileCheck %s --implicit-check-not="is not rewritten" <%t.no
// RUN: FileCheck %s --check-prefix=LIFTED <%t.yes

#include <cooperative_groups.h>
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int T = 16;

#define ARGS const float *A, const float *B, float *C, int N, int K

#define PLACE                                                                  \
  __shared__ float As[T][T], Bs[T][T];                                         \
  const int x = threadIdx.x, y = threadIdx.y;                                  \
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;                \
  float sum = 0.0f;

#define MAKE(Bar, Count)                                                       \
  if (x == 0 && y == 0)                                                        \
    init(&Bar, Count);                                                         \
  __syncthreads();

#define FILL(k0)                                                               \
  As[y][x] = A[row * K + k0 + x];                                              \
  Bs[y][x] = B[(k0 + y) * N + col];

#define COPY(a, b, k0, Bar)                                                    \
  cuda::memcpy_async(&a[y][x], &A[row * K + (k0) + x], sizeof(float), Bar);    \
  cuda::memcpy_async(&b[y][x], &B[((k0) + y) * N + col], sizeof(float), Bar);

#define MULTIPLY(a, b)                                                         \
  for (int k = 0; k < T; ++k)                                                  \
    sum += a[y][k] * b[k][x];

#define STORE C[row * N + col] = sum;

#define TILES for (int k0 = 0; k0 < K; k0 += T)

// LIFTED-LABEL: contraction "arrive_and_wait" {
// LIFTED: index %m < 16 * gridDim.y
// LIFTED: index %n < 16 * gridDim.x
// LIFTED: index %k < 16 * floordiv(K + 15, 16)
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: output C[%m * N + %n]:f32 = acc
// LIFTED: require blockDim.x == 16
// LIFTED: require blockDim.y == 16
#pragma warpwright matmul
__global__ void arrive_and_wait(ARGS) {
  __shared__ Barrier bar;
  PLACE
  MAKE(bar, blockDim.x * blockDim.y)
  TILES {
    FILL(k0)
    bar.arrive_and_wait();
    MULTIPLY(As, Bs)
    bar.arrive_and_wait();
  }
  STORE
}

// By tokens; by the primitives; for a number of threads that is a constant.
//
// LIFTED-LABEL: contraction "tokens" {
// LIFTED: index %k < 16 * floordiv(K + 15, 16)
// LIFTED: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
__global__ void tokens(ARGS) {
  __shared__ Barrier bar;
  __shared__ __mbarrier_t other;
  PLACE
  if (cooperative_groups::this_thread_block().thread_rank() == 0) {
    init(&bar, cooperative_groups::this_thread_block().size());
    __mbarrier_init(&other, 256);
  }
  __syncthreads();
  TILES {
    FILL(k0)
    Barrier::arrival_token token = bar.arrive();
    bar.wait(static_cast<Barrier::arrival_token &&>(token));
    MULTIPLY(As, Bs)
    const __mbarrier_token_t all = __mbarrier_arrive(&other);
    __warpwright_mbarrier_wait(&other, all);
  }
  STORE
}

// What is done between the two halves concerns nobody else.
//
// LIFTED-LABEL: contraction "work_between" {
// LIFTED: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void work_between(ARGS) {
  __shared__ Barrier bar;
  PLACE
  MAKE(bar, 256)
  float a = A[row * K + x], b = B[y * N + col];
  TILES {
    As[y][x] = a;
    Bs[y][x] = b;
    auto token = bar.arrive();
    if (k0 + T < K) {
      a = A[row * K + k0 + T + x];
      b = B[(k0 + T + y) * N + col];
    }
    bar.wait(static_cast<Barrier::arrival_token &&>(token));
    MULTIPLY(As, Bs)
    bar.arrive_and_wait();
  }
  STORE
}

// LIFTED-LABEL: contraction "copies" {
// LIFTED: index %k < 16 * floordiv(K + 15, 16)
// LIFTED: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
__global__ void copies(ARGS) {
  __shared__ Barrier bar;
  PLACE
  MAKE(bar, 256)
  TILES {
    COPY(As, Bs, k0, bar)
    bar.arrive_and_wait();
    MULTIPLY(As, Bs)
    bar.arrive_and_wait();
  }
  STORE
}

// The next tile is copied while this one is multiplied.
//
// LIFTED-LABEL: contraction "copies_ahead" {
// LIFTED: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
__global__ void copies_ahead(ARGS) {
  __shared__ Barrier bar;
  __shared__ float Aa[2][T][T], Ba[2][T][T];
  PLACE
  MAKE(bar, 256)
  int now = 0;
  COPY(Aa[0], Ba[0], 0, bar)
  TILES {
    bar.arrive_and_wait();
    if (k0 + T < K) {
      COPY(Aa[now ^ 1], Ba[now ^ 1], k0 + T, bar)
    }
    MULTIPLY(Aa[now], Ba[now])
    now ^= 1;
  }
  STORE
}

// One barrier waits for the tile that is multiplied, another one for the next
// tile; iterations exchange them.
#define MAKE_TWO                                                               \
  __shared__ Barrier front, back;                                              \
  __shared__ float Aa[2][T][T], Ba[2][T][T];                                   \
  PLACE                                                                        \
  if (x == 0 && y == 0) {                                                      \
    init(&front, 256);                                                         \
    init(&back, 256);                                                          \
  }                                                                            \
  __syncthreads();                                                             \
  Barrier *now = &front, *next = &back;                                        \
  int buffer = 0;

#define EXCHANGE                                                               \
  buffer ^= 1;                                                                 \
  Barrier *const other = now;                                                  \
  now = next;                                                                  \
  next = other;

// LIFTED-LABEL: contraction "exchanged" {
// LIFTED: index %k < 16 * floordiv(K - 1, 16) + 16
// LIFTED: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
__global__ void exchanged(ARGS) {
  MAKE_TWO
  COPY(Aa[0], Ba[0], 0, *now)
  for (int k0 = 0; k0 < K - T; k0 += T) {
    COPY(Aa[buffer ^ 1], Ba[buffer ^ 1], k0 + T, *next)
    now->arrive_and_wait();
    MULTIPLY(Aa[buffer], Ba[buffer])
    EXCHANGE
    __syncthreads();
  }
  now->arrive_and_wait();
  MULTIPLY(Aa[buffer], Ba[buffer])
  STORE
}

// LIFTED-LABEL: contraction "in_turn" {
// LIFTED: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
__global__ void in_turn(ARGS) {
  __shared__ Barrier bars[3];
  __shared__ float Aa[3][T][T], Ba[3][T][T];
  PLACE
  if (x == 0 && y == 0)
    for (int i = 0; i < 3; ++i)
      init(&bars[i], 256);
  __syncthreads();
  COPY(Aa[0], Ba[0], 0, bars[0])
  int i = 0;
  TILES {
    if (k0 + T < K) {
      COPY(Aa[(i + 1) % 3], Ba[(i + 1) % 3], k0 + T, bars[(i + 1) % 3])
    }
    bars[i % 3].arrive_and_wait();
    MULTIPLY(Aa[i % 3], Ba[i % 3])
    ++i;
  }
  STORE
}

// CHECK: 'exchanged_too_early' is not rewritten: {{.*}}overwritten here while other threads may still read it{{.*}} [WW221]
#pragma warpwright matmul
__global__ void exchanged_too_early(ARGS) {
  MAKE_TWO
  COPY(Aa[0], Ba[0], 0, *now)
  for (int k0 = 0; k0 < K - T; k0 += T) {
    COPY(Aa[buffer ^ 1], Ba[buffer ^ 1], k0 + T, *next)
    now->arrive_and_wait();
    MULTIPLY(Aa[buffer], Ba[buffer])
    EXCHANGE
  }
  now->arrive_and_wait();
  MULTIPLY(Aa[buffer], Ba[buffer])
  STORE
}

// CHECK: 'never_exchanged' is not rewritten: {{.*}}asynchronous copy{{.*}} [WW224]
#pragma warpwright matmul
__global__ void never_exchanged(ARGS) {
  MAKE_TWO
  COPY(Aa[0], Ba[0], 0, *now)
  for (int k0 = 0; k0 < K - T; k0 += T) {
    COPY(Aa[buffer ^ 1], Ba[buffer ^ 1], k0 + T, *next)
    now->arrive_and_wait();
    MULTIPLY(Aa[buffer], Ba[buffer])
    buffer ^= 1;
    __syncthreads();
  }
  now->arrive_and_wait();
  MULTIPLY(Aa[buffer], Ba[buffer])
  STORE
}

// CHECK: 'last_tile_of_the_other' is not rewritten: {{.*}}asynchronous copy{{.*}} [WW224]
#pragma warpwright matmul
__global__ void last_tile_of_the_other(ARGS) {
  MAKE_TWO
  COPY(Aa[0], Ba[0], 0, *now)
  for (int k0 = 0; k0 < K - T; k0 += T) {
    COPY(Aa[buffer ^ 1], Ba[buffer ^ 1], k0 + T, *next)
    now->arrive_and_wait();
    MULTIPLY(Aa[buffer], Ba[buffer])
    EXCHANGE
    __syncthreads();
  }
  next->arrive_and_wait();
  MULTIPLY(Aa[buffer], Ba[buffer])
  STORE
}

// Which one is meant differs from thread to thread.
//
// CHECK: 'by_thread' is not rewritten: which barrier in shared memory is meant is not understood [WW201]
#pragma warpwright matmul
__global__ void by_thread(ARGS) {
  MAKE_TWO
  COPY(Aa[0], Ba[0], 0, *(y < 8 ? now : next))
  now->arrive_and_wait();
  next->arrive_and_wait();
  MULTIPLY(Aa[buffer], Ba[buffer])
  STORE
}

// CHECK: :[[#@LINE+8]]:{{[0-9]+}}: warning: 'made_without_barrier' is not rewritten: a thread may arrive {{.*}} [WW221]
#pragma warpwright matmul
__global__ void made_without_barrier(ARGS) {
  __shared__ Barrier bar;
  PLACE
  if (x == 0 && y == 0)
    init(&bar, 256);
  FILL(0)
  bar.arrive_and_wait();
  MULTIPLY(As, Bs)
  STORE
}

// CHECK: 'never_made' is not rewritten: {{.*}}that was not made [WW221]
#pragma warpwright matmul
__global__ void never_made(ARGS) {
  __shared__ Barrier bar, other;
  PLACE
  MAKE(bar, 256)
  FILL(0)
  other.arrive_and_wait();
  MULTIPLY(As, Bs)
  STORE
}

// CHECK: 'made_by_another' is not rewritten: it is not clear {{.*}} [WW201]
#pragma warpwright matmul
__global__ void made_by_another(ARGS) {
  __shared__ Barrier bar;
  PLACE
  if (blockIdx.x == 0 && x == 0 && y == 0)
    init(&bar, 256);
  __syncthreads();
  FILL(0)
  bar.arrive_and_wait();
  MULTIPLY(As, Bs)
  STORE
}

// CHECK: 'half_the_block' is not rewritten: only some threads {{.*}} [WW222]
#pragma warpwright matmul
__global__ void half_the_block(ARGS) {
  __shared__ Barrier bar;
  PLACE
  MAKE(bar, 128)
  TILES {
    FILL(k0)
    if (y < 8)
      bar.arrive_and_wait();
    MULTIPLY(As, Bs)
    __syncthreads();
  }
  STORE
}

// CHECK: :[[#@LINE+8]]:{{[0-9]+}}: warning: 'never_waits' is not rewritten: a thread that has arrived {{.*}} [WW222]
#pragma warpwright matmul
__global__ void never_waits(ARGS) {
  __shared__ Barrier bar;
  PLACE
  MAKE(bar, 256)
  TILES {
    FILL(k0)
    bar.arrive();
    MULTIPLY(As, Bs)
    __syncthreads();
  }
  STORE
}

// CHECK: :[[#@LINE+11]]:{{[0-9]+}}: warning: 'older_token' is not rewritten: it is not clear that all threads {{.*}} [WW222]
#pragma warpwright matmul
__global__ void older_token(ARGS) {
  __shared__ Barrier bar;
  PLACE
  MAKE(bar, 256)
  auto token = bar.arrive(), old = token;
  bar.wait(static_cast<Barrier::arrival_token &&>(token));
  TILES {
    FILL(k0)
    token = bar.arrive();
    bar.wait(static_cast<Barrier::arrival_token &&>(old));
    MULTIPLY(As, Bs)
    __syncthreads();
  }
  STORE
}

// CHECK: 'other_barrier' is not rewritten: it is not clear that all threads {{.*}} [WW222]
#pragma warpwright matmul
__global__ void other_barrier(ARGS) {
  __shared__ Barrier bar, other;
  PLACE
  if (x == 0 && y == 0) {
    init(&bar, 256);
    init(&other, 256);
  }
  __syncthreads();
  TILES {
    FILL(k0)
    other.wait(bar.arrive());
    MULTIPLY(As, Bs)
    __syncthreads();
  }
  STORE
}

// CHECK: :[[#@LINE+11]]:{{[0-9]+}}: warning: 'filled_between' is not rewritten: {{.*}}before a __syncthreads(){{.*}} [WW221]
#pragma warpwright matmul
__global__ void filled_between(ARGS) {
  __shared__ Barrier bar;
  PLACE
  MAKE(bar, 256)
  TILES {
    As[y][x] = A[row * K + k0 + x];
    auto token = bar.arrive();
    Bs[y][x] = B[(k0 + y) * N + col];
    bar.wait(static_cast<Barrier::arrival_token &&>(token));
    MULTIPLY(As, Bs)
    __syncthreads();
  }
  STORE
}

// The tile is multiplied after the arrival, and filled again after the wait.
//
// CHECK: 'read_between' is not rewritten: {{.*}}overwritten {{.*}} [WW221]
#pragma warpwright matmul
__global__ void read_between(ARGS) {
  __shared__ Barrier bar;
  PLACE
  MAKE(bar, 256)
  TILES {
    FILL(k0)
    __syncthreads();
    auto token = bar.arrive();
    MULTIPLY(As, Bs)
    bar.wait(static_cast<Barrier::arrival_token &&>(token));
  }
  STORE
}

// CHECK: 'second_wait_missing' is not rewritten: {{.*}}overwritten {{.*}} [WW221]
#pragma warpwright matmul
__global__ void second_wait_missing(ARGS) {
  __shared__ Barrier bar;
  PLACE
  MAKE(bar, 256)
  TILES {
    FILL(k0)
    bar.arrive_and_wait();
    MULTIPLY(As, Bs)
  }
  STORE
}

// CHECK: 'copies_not_tracked' is not rewritten: {{.*}}asynchronous copy{{.*}} [WW224]
#pragma warpwright matmul
__global__ void copies_not_tracked(ARGS) {
  __shared__ Barrier bar, other;
  PLACE
  if (x == 0 && y == 0) {
    init(&bar, 256);
    init(&other, 256);
  }
  __syncthreads();
  TILES {
    COPY(As, Bs, k0, bar)
    other.arrive_and_wait();
    MULTIPLY(As, Bs)
    other.arrive_and_wait();
  }
  STORE
}

// CHECK: :[[#@LINE+9]]:{{[0-9]+}}: warning: 'copies_after_arrival' is not rewritten: this barrier does not wait {{.*}} [WW224]
#pragma warpwright matmul
__global__ void copies_after_arrival(ARGS) {
  __shared__ Barrier bar;
  PLACE
  MAKE(bar, 256)
  TILES {
    auto token = bar.arrive();
    COPY(As, Bs, k0, bar)
    bar.wait(static_cast<Barrier::arrival_token &&>(token));
    MULTIPLY(As, Bs)
    __syncthreads();
  }
  STORE
}

// A barrier of the block does not wait for copies.
//
// CHECK: 'block_barrier_for_copies' is not rewritten: {{.*}}asynchronous copy{{.*}} [WW224]
#pragma warpwright matmul
__global__ void block_barrier_for_copies(ARGS) {
  __shared__ Barrier bar;
  PLACE
  MAKE(bar, 256)
  TILES {
    COPY(As, Bs, k0, bar)
    __syncthreads();
    MULTIPLY(As, Bs)
    bar.arrive_and_wait();
  }
  STORE
}

// The tile that is multiplied is the one that is being copied.
//
// CHECK: 'copies_into_this_tile' is not rewritten: {{.*}} [WW22{{[14]}}]
#pragma warpwright matmul
__global__ void copies_into_this_tile(ARGS) {
  __shared__ Barrier bar;
  PLACE
  MAKE(bar, 256)
  COPY(As, Bs, 0, bar)
  TILES {
    bar.arrive_and_wait();
    if (k0 + T < K) {
      COPY(As, Bs, k0 + T, bar)
    }
    MULTIPLY(As, Bs)
  }
  STORE
}

// Halves of the block hand tiles to each other.
//
// CHECK: 'roles' is not rewritten: a thread that has arrived {{.*}} [WW222]
#pragma warpwright matmul
__global__ void roles(ARGS) {
  __shared__ Barrier full, empty;
  PLACE
  if (x == 0 && y == 0) {
    init(&full, 256);
    init(&empty, 256);
  }
  __syncthreads();
  TILES {
    if (y < 8) {
      FILL(k0)
      full.arrive();
      empty.arrive_and_wait();
    } else {
      full.arrive_and_wait();
      MULTIPLY(As, Bs)
      empty.arrive();
    }
  }
  STORE
}
