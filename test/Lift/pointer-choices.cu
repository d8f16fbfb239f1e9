// Pointers to the stages of a buffer in an array, offsets whose bits are
// flipped, and kernels that return where there is nothing to multiply.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.yes 2>%t.no
// RUN: FileCheck %s --implicit-check-not="is not rewritten" <%t.no
// RUN: FileCheck %s --check-prefix=LIFTED <%t.yes

#define ARGS const float *A, const float *B, float *C, int M, int N, int K

#define STAGES(Second, Third)                                                  \
  __shared__ float buffer[3 * 512];                                            \
  float *a[3], *b[3];                                                          \
  a[0] = buffer;                                                               \
  a[1] = buffer + 256;                                                         \
  a[2] = buffer + Second;                                                      \
  b[0] = buffer + 768;                                                         \
  b[1] = b[0] + 256;                                                           \
  b[2] = b[0] + Third;                                                         \
  const int x = threadIdx.x, y = threadIdx.y, at = y * 16 + x;                 \
  const int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;              \
  const int tiles = K / 16;                                                    \
  float sum = 0.0f;                                                            \
  for (int s = 0; s < 2; ++s) {                                                \
    a[s][at] = s < tiles ? A[row * K + s * 16 + x] : 0.0f;                     \
    b[s][at] = s < tiles ? B[(s * 16 + y) * N + col] : 0.0f;                   \
  }                                                                            \
  for (int t = 0; t < tiles; ++t) {                                            \
    __syncthreads();                                                           \
    if (t + 2 < tiles) {                                                       \
      a[(t + 2) % 3][at] = A[row * K + (t + 2) * 16 + x];                      \
      b[(t + 2) % 3][at] = B[((t + 2) * 16 + y) * N + col];                    \
    }                                                                          \
    for (int k = 0; k < 16; ++k)                                               \
      sum += a[t % 3][y * 16 + k] * b[t % 3][k * 16 + x];                      \
  }                                                                            \
  C[row * N + col] = sum;

// LIFTED-LABEL: contraction "stages" {
// LIFTED: index %k < 16 * floordiv(K, 16)
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void stages(ARGS){STAGES(512, 512)}

// Two stages are one.
//
// CHECK: 'same_stage' is not rewritten: {{.*}} [WW2{{.*}}]
#pragma warpwright matmul
__global__ void same_stage(ARGS){STAGES(256, 512)}

// A stage of B is where the first one of it ends.
//
// CHECK: 'overlapping' is not rewritten: {{.*}} [WW2{{.*}}]
#pragma warpwright matmul
__global__ void overlapping(ARGS){STAGES(512, 384)}

#define TOGGLE(Flip)                                                           \
  __shared__ float buffer[1024];                                               \
  float *a = buffer, *b = buffer + 512;                                        \
  const int t = threadIdx.x, x = t % 16, y = t / 16;                           \
  const int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;              \
  const float *from_a = A + row * K + x, *from_b = B + y * N + col;            \
  float sum = 0.0f;                                                            \
  a[t] = *from_a;                                                              \
  b[t] = *from_b;                                                              \
  int now = 0;                                                                 \
  for (int k0 = 0; k0 < K; k0 += 16) {                                         \
    __syncthreads();                                                           \
    int ai = now + y * 16, bi = now + x;                                       \
    for (int k = 0; k < 16; ++k, ++ai, bi += 16)                               \
      sum += a[ai] * b[bi];                                                    \
    Flip;                                                                      \
    if (k0 + 16 < K) {                                                         \
      from_a += 16;                                                            \
      from_b += 16 * N;                                                        \
      a[now + t] = *from_a;                                                    \
      b[now + t] = *from_b;                                                    \
    }                                                                          \
  }                                                                            \
  C[row * N + col] = sum;

// LIFTED-LABEL: contraction "toggled" {
// LIFTED: index %k < 16 * floordiv(K + 15, 16)
// LIFTED: require blockDim.x == 256
#pragma warpwright matmul
__global__ void toggled(ARGS){TOGGLE(now ^= 256)}

// CHECK: 'not_toggled' is not rewritten: {{.*}} [WW22{{.*}}]
#pragma warpwright matmul
__global__ void not_toggled(ARGS){TOGGLE()}

// The halves of the buffer overlap.
//
// CHECK: 'half_way' is not rewritten: {{.*}} [WW22{{.*}}]
#pragma warpwright matmul
__global__ void half_way(ARGS){TOGGLE(now ^= 128)}

#define RETURNS(Condition)                                                     \
  __shared__ float a[2][16][16], b[2][16][16];                                 \
  const int x = threadIdx.x, y = threadIdx.y;                                  \
  const int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;              \
  const int tiles = (K + 15) / 16;                                             \
  if (Condition) {                                                             \
    if (row < M && col < N)                                                    \
      C[row * N + col] = 0.0f;                                                 \
    return;                                                                    \
  }                                                                            \
  float sum = 0.0f;                                                            \
  int now = 0, next = 1;                                                       \
  a[0][y][x] = row < M && x < K ? A[row * K + x] : 0.0f;                       \
  b[0][y][x] = y < K && col < N ? B[y * N + col] : 0.0f;                       \
  __syncthreads();                                                             \
  for (int t = 0; t < tiles; ++t) {                                            \
    if (t + 1 < tiles) {                                                       \
      const int i = (t + 1) * 16 + x, j = (t + 1) * 16 + y;                    \
      a[next][y][x] = row < M && i < K ? A[row * K + i] : 0.0f;                \
      b[next][y][x] = j < K && col < N ? B[j * N + col] : 0.0f;                \
    }                                                                          \
    for (int k = 0; k < 16; ++k)                                               \
      sum += a[now][y][k] * b[now][k][x];                                      \
    __syncthreads();                                                           \
    const int other = now;                                                     \
    now = next;                                                                \
    next = other;                                                              \
  }                                                                            \
  if (row < M && col < N)                                                      \
    C[row * N + col] = sum;

// LIFTED-LABEL: contraction "nothing_to_do" {
// LIFTED: index %m < min(16 * gridDim.y, M)
// LIFTED: index %k < K
#pragma warpwright matmul
__global__ void nothing_to_do(ARGS){RETURNS(tiles == 0)}

// Threads that return do not fill their elements of the tile.
//
// CHECK: 'some_return' is not rewritten: {{.*}} [WW2{{.*}}]
#pragma warpwright matmul
__global__ void some_return(ARGS){RETURNS(threadIdx.x == 3)}

#include <mma.h>

// Two rows of an array of fragments, filled by one loop.
#define FRAGMENTS(Second)                                                      \
  using namespace nvcuda;                                                      \
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[2][2];   \
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[2];      \
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[2];                   \
  for (int i = 0; i < 2; ++i)                                                  \
    wmma::fill_fragment(c[i], 0.0f);                                           \
  const int row = blockIdx.y * 32, col = blockIdx.x * 16;                      \
  for (int k = 0; k < K; k += 32) {                                            \
    for (int i = 0; i < 2; ++i) {                                              \
      const half *from = A + (row + i * 16) * K + k;                           \
      wmma::load_matrix_sync(a[0][i], from, K);                                \
      wmma::load_matrix_sync(Second, from + 16, K);                            \
      wmma::load_matrix_sync(b[i], B + (k + i * 16) * N + col, N);             \
    }                                                                          \
    for (int i = 0; i < 2; ++i) {                                              \
      wmma::mma_sync(c[i], a[0][i], b[0], c[i]);                               \
      wmma::mma_sync(c[i], a[1][i], b[1], c[i]);                               \
    }                                                                          \
  }                                                                            \
  for (int i = 0; i < 2; ++i)                                                  \
    wmma::store_matrix_sync(C + (row + i * 16) * N + col, c[i], N,             \
                            wmma::mem_row_major);

// LIFTED-LABEL: contraction "two_rows" {
// LIFTED: index %m < 32 * gridDim.y
// LIFTED: index %k < 32 * floordiv(K + 31, 32)
#pragma warpwright matmul
__global__ void two_rows(const half *A, const half *B, float *C, int M, int N,
                         int K){FRAGMENTS(a[1][i])}

// The second row begins with the last fragment of the first one.
//
// CHECK: 'rows_meet' is not rewritten: {{.*}} [WW2{{.*}}]
#pragma warpwright matmul
__global__ void rows_meet(const half *A, const half *B, float *C, int M, int N,
                          int K) {
  FRAGMENTS(a[0][1 + i])
}
