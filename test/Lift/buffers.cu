// Buffers that take turns, fragments that are fetched ahead, and sums in several
// places; and what looks like one of them and is none.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s --implicit-check-not="is not rewritten"

#define T 16
#define ARGS const float *A, const float *B, float *C, int M, int N, int K
#define PLACE                                                                  \
  const int tx = threadIdx.x, ty = threadIdx.y;                                \
  const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;              \
  float sum = 0.0f;
#define STAGE(S, Tile)                                                         \
  As[S][ty][tx] = A[row * K + (Tile)*T + tx];                                  \
  Bs[S][ty][tx] = B[((Tile)*T + ty) * N + col];
#define MULTIPLY(S)                                                            \
  for (int k = 0; k < T; ++k)                                                  \
    sum += As[S][ty][k] * Bs[S][k][tx];

// The tile is stored before the loop, and is overwritten before it.
//
// CHECK: 'overwritten' is not rewritten: 'As' is read here where it may still hold what an earlier iteration stored [WW223]
#pragma warpwright matmul
__global__ void overwritten(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  STAGE(0, 0)
  __syncthreads();
  As[0][ty][tx] = 0.0f;
  __syncthreads();
  for (int t = 0; t < K / T; ++t) {
    if (t + 1 < K / T) {
      STAGE((t + 1) & 1, t + 1)
    }
    MULTIPLY(t & 1)
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// The loop before goes on to the tile that the loop itself stores first.
//
// CHECK: 'too_far' is not rewritten: 'As' is read here where it may still hold what an earlier iteration stored [WW223]
#pragma warpwright matmul
__global__ void too_far(ARGS) {
  __shared__ float As[1][T][T], Bs[1][T][T];
  PLACE
  for (int t = 0; t < 2; ++t)
    if (t < K / T) {
      STAGE(0, t)
    }
  __syncthreads();
  for (int t = 0; t < K / T; ++t) {
    MULTIPLY(0)
    __syncthreads();
    if (t + 1 < K / T) {
      STAGE(0, t + 1)
    }
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// The buffer that is read is the one that is being filled.
//
// CHECK: 'same_buffer' is not rewritten: 'As' is read here before a __syncthreads() that comes after the store of another thread [WW221]
#pragma warpwright matmul
__global__ void same_buffer(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  STAGE(0, 0)
  __syncthreads();
  for (int t = 0; t < K / T; ++t) {
    STAGE((t + 1) & 1, t + 1)
    MULTIPLY((t + 1) & 1)
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// The rest begins one term too late, and is a product over a range of its own.
#pragma warpwright matmul
__global__ void gap(ARGS) {
  PLACE
  for (int k = 0; k < K / 4; ++k)
    for (int i = 0; i < 4; ++i)
      sum += A[row * K + 4 * k + i] * B[(4 * k + i) * N + col];
  for (int k = K / 4 * 4 + 1; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum;
}

// The last tile, of another buffer than the last one that was filled.
//
// CHECK: 'wrong_last' is not rewritten
#pragma warpwright matmul
__global__ void wrong_last(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  int now = 0;
  STAGE(0, 0)
  __syncthreads();
  for (int t = 1; t < K / T; ++t) {
    STAGE(1 - now, t)
    MULTIPLY(now)
    __syncthreads();
    now = 1 - now;
  }
  MULTIPLY(1 - now)
  C[row * N + col] = sum;
}

// A fixed element and one that takes turns: who stores last depends on the
// iteration, in shared memory and in an array of the thread's own.
//
// CHECK: 'turn_and_fixed' is not rewritten: 'Z' is read here where it may still hold what an earlier iteration stored [WW223]
#pragma warpwright matmul
__global__ void turn_and_fixed(ARGS, const float *u, const float *v) {
  __shared__ float Z[2][T][T];
  PLACE
  for (int i = 0; i < 5; ++i) {
    Z[0][ty][tx] = v[col];
    Z[i & 1][ty][tx] = u[i * N + col];
  }
  for (int k = 0; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum + Z[0][ty][tx];
}

// CHECK: 'own_and_fixed' is not rewritten: 'z' is read here at an element that an earlier store may have changed [WW208]
#pragma warpwright matmul
__global__ void own_and_fixed(ARGS, const float *u, const float *v) {
  PLACE
  float z[8] = {};
  for (int i = 0; i < 5; ++i) {
    z[0] = v[col];
    z[i] = u[i * N + col];
  }
  for (int k = 0; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum + z[0];
}

// Later iterations store to elements of earlier ones.
//
// CHECK: 'overlapping_parts' is not rewritten: 'z' is read here at an element that an earlier store may have changed [WW208]
#pragma warpwright matmul
__global__ void overlapping_parts(ARGS) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  float z[10], sum = 0.0f;
  for (int t = 0; t < K / 16; ++t) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        z[2 * i + j] = A[row * K + t * 16 + i * 4 + j];
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        sum += z[2 * i + j] * B[(t * 16 + i * 4 + j) * N + col];
  }
  C[row * N + col] = sum;
}

// A tile of B that is fetched once, before the loop over batches.
//
// CHECK: 'once_for_all' is not rewritten: 'Bs' is read here where it may still hold what an earlier iteration stored [WW223]
#pragma warpwright matmul
__global__ void once_for_all(ARGS, int batch) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  Bs[0][ty][tx] = B[ty * N + col];
  for (int b = 0; b < batch; ++b) {
    sum = 0.0f;
    As[0][ty][tx] = A[b * M * K + row * K + tx];
    __syncthreads();
    for (int t = 0; t < K / T; ++t) {
      if (t + 1 < K / T) {
        As[(t + 1) & 1][ty][tx] = A[b * M * K + row * K + (t + 1) * T + tx];
        Bs[(t + 1) & 1][ty][tx] = B[((t + 1) * T + ty) * N + col];
      }
      MULTIPLY(t & 1)
      __syncthreads();
    }
    C[b * M * N + row * N + col] = sum;
  }
}

// The last tile is multiplied after the loop.
//

// Two arrays for each operand, chosen by the parity of the tile.
#define CHOSEN(Tile, Name) (((Tile) & 1) ? Name##1 : Name##0)
#define STORE_CHOSEN(Tile)                                                     \
  CHOSEN(Tile, As)[ty][tx] = A[row * K + (Tile)*T + tx];                       \
  CHOSEN(Tile, Bs)[ty][tx] = B[((Tile)*T + ty) * N + col];
#define BY_PARITY(Read, Barrier)                                               \
  __shared__ float As0[T][T], As1[T][T], Bs0[T][T], Bs1[T][T];                 \
  PLACE                                                                        \
  STORE_CHOSEN(0)                                                              \
  __syncthreads();                                                             \
  for (int t = 0; t < K / T; ++t) {                                            \
    if (t + 1 < K / T) {                                                       \
      STORE_CHOSEN(t + 1)                                                      \
    }                                                                          \
    for (int k = 0; k < T; ++k)                                                \
      sum += CHOSEN(t, As)[ty][k] * CHOSEN(Read, Bs)[k][tx];                   \
    Barrier;                                                                   \
  }                                                                            \
  C[row * N + col] = sum;

// CHECK: 'other_parity' is not rewritten: 'Bs0' or 'Bs1' is read here before a __syncthreads() that comes after the store of another thread [WW221]
#pragma warpwright matmul
__global__ void other_parity(ARGS) { BY_PARITY(t + 1, __syncthreads()) }

// CHECK: 'parity_without_barrier' is not rewritten: 'As0' or 'As1' is overwritten here while other threads may still read it
#pragma warpwright matmul
__global__ void parity_without_barrier(ARGS) { BY_PARITY(t, (void)0) }

// The same by a table of their addresses.
#define TABLE(Next)                                                            \
  __shared__ float As0[T][T], As1[T][T], Bs0[T][T], Bs1[T][T];                 \
  float(*as[2])[T] = {As0, As1}, (*bs[2])[T] = {Bs0, Bs1};                     \
  PLACE                                                                        \
  as[0][ty][tx] = A[row * K + tx];                                             \
  bs[0][ty][tx] = B[ty * N + col];                                             \
  __syncthreads();                                                             \
  for (int t = 0; t < K / T; ++t) {                                            \
    if (t + 1 < K / T) {                                                       \
      as[(t + 1) % 2][ty][tx] = A[row * K + (t + 1) * T + tx];                 \
      bs[(Next) % 2][ty][tx] = B[((t + 1) * T + ty) * N + col];                \
    }                                                                          \
    for (int k = 0; k < T; ++k)                                                \
      sum += as[t % 2][ty][k] * bs[t % 2][k][tx];                              \
    __syncthreads();                                                           \
  }                                                                            \
  C[row * N + col] = sum;

// CHECK: 'other_in_table' is not rewritten: {{.*}} [WW22{{1|3}}]
#pragma warpwright matmul
__global__ void other_in_table(ARGS) { TABLE(t) }

// CHECK-LABEL: contraction "gap" {
// CHECK:       plus over %k < K - 4 * floordiv(K, 4) - 1
// CHECK-LABEL: contraction "last_after"
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: output C[%m * N + %n]:f32 = acc
// CHECK: require blockDim.x == 16
#pragma warpwright matmul
__global__ void last_after(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  int now = 0;
  STAGE(0, 0)
  __syncthreads();
  for (int t = 1; t < K / T; ++t) {
    STAGE(1 - now, t)
    MULTIPLY(now)
    __syncthreads();
    now = 1 - now;
  }
  MULTIPLY(now)
  C[row * N + col] = sum;
}

// The buffer changes where there is a next tile, and so do the pointers.
//
// CHECK-LABEL: contraction "turns_if_more"
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void turns_if_more(ARGS) {
  __shared__ float As[2][T][T], Bs[2][T][T];
  PLACE
  int stage = 0;
  const float *a = A + row * K + tx, *b = B + ty * N + col;
  As[0][ty][tx] = *a;
  Bs[0][ty][tx] = *b;
  __syncthreads();
  for (int k0 = T; k0 <= K; k0 += T) {
    MULTIPLY(stage)
    if (k0 < K) {
      a += T;
      b += T * N;
      stage ^= 1;
      As[stage][ty][tx] = *a;
      Bs[stage][ty][tx] = *b;
      __syncthreads();
    }
  }
  C[row * N + col] = sum;
}

// Fragments take turns in registers, over the tiles too.
//
// CHECK-LABEL: contraction "fragments"
// CHECK: index %k < 16 * floordiv(K + 15, 16)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void fragments(ARGS) {
  __shared__ float As[T][T], Bs[T][T];
  PLACE
  float a[2], b[2];
  for (int k0 = 0; k0 < K; k0 += T) {
    As[ty][tx] = A[row * K + k0 + tx];
    Bs[ty][tx] = B[(k0 + ty) * N + col];
    __syncthreads();
    a[0] = As[ty][0];
    b[0] = Bs[0][tx];
    for (int k = 0; k < T - 1; ++k) {
      a[(k + 1) % 2] = As[ty][k + 1];
      b[(k + 1) % 2] = Bs[k + 1][tx];
      sum += a[k % 2] * b[k % 2];
    }
    sum += a[1] * b[1];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

// Whole tiles and what remains; four sums and what remains.
//
// CHECK-LABEL: contraction "with_rest"
// CHECK: index %k < K
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void with_rest(ARGS) {
  PLACE
  int k = 0;
  for (; k + 3 < K; k += 4)
    sum += A[row * K + k] * B[k * N + col] +
           A[row * K + k + 1] * B[(k + 1) * N + col] +
           A[row * K + k + 2] * B[(k + 2) * N + col] +
           A[row * K + k + 3] * B[(k + 3) * N + col];
  for (; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum;
}

// CHECK-LABEL: contraction "four_sums"
// CHECK: index %k < 4 * floordiv(K, 4)
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void four_sums(ARGS) {
  PLACE
  float s0 = 0, s1 = 0, s2 = 0;
  for (int k = 0; k < K / 4; ++k) {
    const float *a = A + row * K + 4 * k, *b = B + 4 * k * N + col;
    sum += a[0] * b[0];
    s0 += a[1] * b[N];
    s1 += a[2] * b[2 * N];
    s2 += a[3] * b[3 * N];
  }
  C[row * N + col] = sum + s0 + s1 + s2;
}

// Each iteration has a part of the array for itself, and stores to it twice.
//
// CHECK: contraction "own_parts" {
// CHECK: output C[%m * N + %n]:f32 = ((C0[%m * N + %n]:f32 * scale:f32) + acc)
#pragma warpwright matmul
__global__ void own_parts(ARGS, const float *C0, float scale) {
  const int row = blockIdx.y, col = blockIdx.x * 8;
  float z[8];
  for (int i = 0; i < 4; ++i) {
    z[2 * i] = C0[row * N + col + 2 * i];
    z[2 * i + 1] = C0[row * N + col + 2 * i + 1];
    for (int j = 0; j < 2; ++j)
      z[2 * i + j] *= scale;
  }
  for (int k = 0; k < K; ++k)
    for (int i = 0; i < 8; ++i)
      z[i] += A[row * K + k] * B[k * N + col + i];
  for (int i = 0; i < 8; ++i)
    C[row * N + col + i] = z[i];
}

// CHECK-LABEL: contraction "by_parity"
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void by_parity(ARGS) { BY_PARITY(t, __syncthreads()) }

// CHECK-LABEL: contraction "by_table"
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void by_table(ARGS) { TABLE(t + 1) }
