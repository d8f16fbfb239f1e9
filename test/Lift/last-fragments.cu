// Fragments with sums of half to which the last tile is added after the loop, and
// copies whose addresses are kept as int.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.txt 2>%t.log
// RUN: FileCheck %s <%t.txt
// RUN: not %warpwright rewrite --emit=contraction %s -- %parse -DMISTAKEN 2>&1 | FileCheck %s --check-prefix=MISTAKEN
// RUN: FileCheck %s --check-prefix=LOG --implicit-check-not=WW507 --implicit-check-not="is not rewritten" <%t.log

#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int T = 32;

__device__ void copy(int to, const half *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;\n" ::"r"(to),
               "l"(from));
}

// CHECK-LABEL: contraction "last_fragments" {
// CHECK: index %k < 32 * floordiv(K, 32)
// CHECK-NEXT: operand A = A[%m * K + %k]:f16
// CHECK-NEXT: operand B = B[%k * N + %n]:f16
// CHECK-NEXT: accumulate f32 for f16
// CHECK-NEXT: output C[%m * N + %n]:f16 = f16(acc)
#pragma warpwright matmul
__global__ void last_fragments(const half *A, const half *B, half *C, int N,
                               int K) {
  __shared__ half As[2][T][T], Bs[2][T][T];
  const int r = threadIdx.x / 4, c = threadIdx.x % 4 * 8, warp = threadIdx.x / 32;
  const int a = __cvta_generic_to_shared(As) + (r * T + c) * sizeof(half);
  const int b = __cvta_generic_to_shared(Bs) + (r * T + c) * sizeof(half);
  const half *fromA = A + (blockIdx.y * T + r) * K + c;
  const half *fromB = B + r * N + blockIdx.x * T + c;
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> sum;
  wmma::fill_fragment(sum, __float2half(0.0f));
  auto multiply = [&](int stage) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2];
    for (int i = 0; i < 2; ++i) {
      wmma::load_matrix_sync(fa[i], &As[stage][warp / 2 * 16][16 * i], T);
      wmma::load_matrix_sync(fb[i], &Bs[stage][16 * i][warp % 2 * 16], T);
    }
    wmma::mma_sync(sum, fa[0], fb[0], sum);
    wmma::mma_sync(sum, fa[1], fb[1], sum);
  };
  copy(a, fromA);
  copy(b, fromB);
  asm volatile("cp.async.commit_group;\n");
  asm volatile("cp.async.wait_group 0;\n");
  __syncthreads();
  for (int t = 1; t < K / T; ++t) {
    const int now = (t - 1) & 1, next = t & 1;
    copy(a + next * T * T * (int)sizeof(half), fromA + t * T);
    copy(b + next * T * T * (int)sizeof(half), fromB + t * T * N);
    multiply(now);
    asm volatile("cp.async.commit_group;\n");
    asm volatile("cp.async.wait_group 0;\n");
    __syncthreads();
  }
  multiply((K / T - 1) & 1);
  wmma::store_matrix_sync(C + (blockIdx.y * T + warp / 2 * 16) * N +
                              blockIdx.x * T + warp % 2 * 16,
                          sum, N, wmma::mem_row_major);
}

// The next tile is filled behind the products, where there is one, and so is the
// barrier. The elements that a warp has read as a fragment are all of it.
#define NEXT_BEHIND(Next, Barrier)                                             \
  __shared__ half As[2][T][T + 8], Bs[2][T][T + 8];                            \
  const int r = threadIdx.x / 4, c = threadIdx.x % 4 * 8;                      \
  const int warp = threadIdx.x / 32;                                           \
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;                    \
  wmma::fill_fragment(sum, 0.0f);                                              \
  auto fill = [&](int stage, int k) {                                          \
    *(float4 *)&As[stage][r][c] =                                              \
        *(const float4 *)&A[(blockIdx.y * T + r) * K + k + c];                 \
    *(float4 *)&Bs[stage][r][c] =                                              \
        *(const float4 *)&B[(k + r) * N + blockIdx.x * T + c];                 \
  };                                                                           \
  fill(0, 0);                                                                  \
  __syncthreads();                                                             \
  int now = 0;                                                                 \
  for (int k = 0; k < K; k += T) {                                             \
    for (int i = 0; i < 2; ++i) {                                              \
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;    \
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb;    \
      wmma::load_matrix_sync(fa, &As[now][warp / 2 * 16][16 * i], T + 8);      \
      wmma::load_matrix_sync(fb, &Bs[now][16 * i][warp % 2 * 16], T + 8);      \
      wmma::mma_sync(sum, fa, fb, sum);                                        \
    }                                                                          \
    if (k + T < K) {                                                           \
      fill(Next, k + T);                                                       \
      Barrier;                                                                 \
      now ^= 1;                                                                \
    }                                                                          \
  }                                                                            \
  wmma::store_matrix_sync(C + (blockIdx.y * T + warp / 2 * 16) * N +           \
                              blockIdx.x * T + warp % 2 * 16,                  \
                          sum, N, wmma::mem_row_major);

// CHECK-LABEL: contraction "next_behind" {
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK-NEXT: operand B = B[%k * N + %n]:f16
#pragma warpwright matmul
__global__ void next_behind(const half *A, const half *B, float *C, int N,
                            int K) {
  NEXT_BEHIND(now ^ 1, __syncthreads())
}

#ifdef MISTAKEN
// MISTAKEN: 'next_unordered' is not rewritten: {{.*}} [WW221]
#pragma warpwright matmul
__global__ void next_unordered(const half *A, const half *B, float *C, int N,
                               int K) {
  NEXT_BEHIND(now ^ 1, )
}

// MISTAKEN: 'same_tile' is not rewritten: {{.*}} is stored to here, and it could not be shown that this is not an element that other threads may still read at line [[#]]; {{.*}} [WW221]
#pragma warpwright matmul
__global__ void same_tile(const half *A, const half *B, float *C, int N,
                          int K) {
  NEXT_BEHIND(now, __syncthreads())
}
#endif

// Fragments that are loaded for the first row of products serve the second one. The
// results go through a buffer that has held halves, far behind its beginning.
// CHECK-LABEL: contraction "first_row_loads" {
// CHECK: index %m < 32 * gridDim.y
// CHECK: index %n < 32 * gridDim.x
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK-NEXT: operand B = B[%n * K + %k]:f16
// CHECK: output C[%m * N + %n]:f32 = acc
#define TWO_ROWS(When)                                                         \
  extern __shared__ half buffer[];                                             \
  const int m = blockIdx.y * 32, n = blockIdx.x * 32;                          \
  const int t = threadIdx.x;                                                   \
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c[2][2];                \
  for (int i = 0; i < 2; ++i)                                                  \
    for (int j = 0; j < 2; ++j)                                                \
      wmma::fill_fragment(c[i][j], 0.0f);                                      \
  for (int k = 0; k < K; k += 16) {                                            \
    for (int i = 0; i < 16; ++i)                                               \
      buffer[32 * i + t] = A[(m + 2 * i + t / 16) * K + k + t % 16];           \
    __syncthreads();                                                           \
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a[2];    \
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b[2];    \
    for (int i = 0; i < 2; ++i) {                                              \
      wmma::load_matrix_sync(a[i], buffer + 256 * i, 16);                      \
      for (int j = 0; j < 2; ++j) {                                            \
        if (When)                                                              \
          wmma::load_matrix_sync(b[j], B + (n + 16 * j) * K + k, K);           \
        wmma::mma_sync(c[i][j], a[i], b[j], c[i][j]);                          \
      }                                                                        \
    }                                                                          \
    __syncthreads();                                                           \
  }                                                                            \
  float *results = (float *)(buffer + 24576);                                  \
  for (int i = 0; i < 2; ++i)                                                  \
    for (int j = 0; j < 2; ++j)                                                \
      wmma::store_matrix_sync(results + 512 * i + 16 * j, c[i][j], 32,         \
                              wmma::mem_row_major);                            \
  __syncthreads();                                                             \
  for (int i = 0; i < 8; ++i)                                                  \
    *((int4 *)(C + (m + 4 * i + t / 8) * N + n) + t % 8) =                     \
        *((int4 *)(results + 128 * i) + t);
#pragma warpwright matmul
__global__ void first_row_loads(const half *A, const half *B, float *C, int M,
                                int N, int K) {
  TWO_ROWS(i == 0)
}

// The first row of products has the fragments of the step before.
// LOG: warning: 'second_row_loads' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void second_row_loads(const half *A, const half *B, float *C, int M,
                                 int N, int K) {
  TWO_ROWS(i == 1)
}

// Registers take turns, so the products of a tile are added one by one. Those of
// the last tile, behind the loop, are one more round of the sum.
#define IN_TURN(Products, Read)                                                \
  __shared__ float As[2][16][16], Bs[2][16][16];                               \
  const int tx = threadIdx.x, ty = threadIdx.y;                                \
  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;            \
  float a[2], b[2], sum = 0.0f;                                                \
  auto fill = [&](int to, int k) {                                             \
    As[to][tx][ty] = A[row * K + k + tx];                                      \
    Bs[to][ty][tx] = B[(k + ty) * N + col];                                    \
  };                                                                           \
  auto first = [&](int from) {                                                 \
    a[0] = As[from][0][ty];                                                    \
    b[0] = Bs[from][0][tx];                                                    \
  };                                                                           \
  auto multiply = [&](int from, int products) {                                \
    for (int k = 0; k < products; ++k) {                                       \
      if (k + 1 < 16) {                                                        \
        a[(k + 1) % 2] = As[from][k + 1][ty];                                  \
        b[(k + 1) % 2] = Bs[from][k + 1][tx];                                  \
      }                                                                        \
      sum += a[k % 2] * b[k % 2];                                              \
    }                                                                          \
  };                                                                           \
  int read = 0, write = 1;                                                     \
  fill(0, 0);                                                                  \
  __syncthreads();                                                             \
  first(0);                                                                    \
  for (int t = 1; t < K / 16; ++t) {                                           \
    fill(write, 16 * t);                                                       \
    multiply(read, 16);                                                        \
    __syncthreads();                                                           \
    read = 1 - read;                                                           \
    write = 1 - write;                                                         \
    first(read);                                                               \
  }                                                                            \
  multiply(Read, Products);                                                    \
  C[row * N + col] = sum;

// CHECK-LABEL: contraction "registers_in_turn" {
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK-NEXT: operand A = A[%m * K + %k]:f32
// CHECK-NEXT: operand B = B[%k * N + %n]:f32
// CHECK-NEXT: accumulate f32
// CHECK-NEXT: output C[%m * N + %n]:f32 = acc
// CHECK: require floordiv(K, 16) - 1 >= 0
#pragma warpwright matmul
__global__ void registers_in_turn(const float *A, const float *B, float *C,
                                  int N, int K) {
  IN_TURN(16, read)
}

// CHECK-LABEL: contraction "one_product_less" {
// CHECK: index %k < 16 * floordiv(K, 16) - 1
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void one_product_less(const float *A, const float *B, float *C,
                                 int N, int K) {
  IN_TURN(15, read)
}

// The tile before is multiplied again; with one tile there is none.
//
// LOG: 'tile_before' is not rewritten: 'As' is read {{.*}} [WW223]
#pragma warpwright matmul
__global__ void tile_before(const float *A, const float *B, float *C, int N,
                            int K) {
  IN_TURN(16, write)
}
