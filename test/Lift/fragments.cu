// Matrix fragments of a warp, nvcuda::wmma: what is lifted of them is executed as
// everything else is, in all launches that are wanted. What tells the registers of
// a fragment apart is not lifted.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse > %t.txt 2> %t.log
// RUN: FileCheck %s < %t.txt
// RUN: FileCheck %s --check-prefix=LOG --implicit-check-not=WW220 --implicit-check-not=WW506 --implicit-check-not=WW507 < %t.log

#include <mma.h>

using namespace nvcuda;

#define PLACE(Height, Width)                                                   \
  const int m = blockIdx.y * Height, n = blockIdx.x * Width;

// CHECK-LABEL: contraction "square" {
// CHECK: index %k < 16 * floordiv(K + 15, 16)
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK-NEXT: operand B = B[%k * N + %n]:f16
#pragma warpwright matmul
__global__ void square(const half *A, const half *B, float *C, int M, int N,
                       int K) {
  PLACE(16, 16)
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + k * N + n, N);
    wmma::mma_sync(c, a, b, c);
    __syncwarp();
  }
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

// 32 by 8, operands by columns, a loop over the elements.
// CHECK-LABEL: contraction "tall" {
// CHECK: operand A = A[%k * M + %m]:f16
// CHECK-NEXT: operand B = B[%n * K + %k]:f16
// CHECK: output C[%m * N + %n]:f32 = ((scale:f32 * acc) + 1.0f:f32)
#pragma warpwright matmul
__global__ void tall(const half *A, const half *B, float *C, int M, int N,
                     int K, float scale) {
  PLACE(32, 8)
  wmma::fragment<wmma::matrix_a, 32, 8, 16, half, wmma::col_major> a;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 32, 8, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + k * M + m, M);
    wmma::load_matrix_sync(b, B + n * K + k, K);
    wmma::mma_sync(c, a, b, c);
  }
  for (int i = 0; i < c.num_elements; ++i)
    c.x[i] = scale * c.x[i] + 1.0f;
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

// 8 by 32, bfloat16, C by columns: the factors are exchanged.
// CHECK-LABEL: contraction "wide" {
// CHECK: operand A = B[%k * N + %m]:bf16
// CHECK-NEXT: operand B = A[%n * K + %k]:bf16
// CHECK: output C[%m * M + %n]:f32 = acc
#pragma warpwright matmul
__global__ void wide(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C,
                     int M, int N, int K) {
  PLACE(8, 32)
  wmma::fragment<wmma::matrix_a, 8, 32, 16, __nv_bfloat16, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 8, 32, 16, __nv_bfloat16, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 8, 32, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + k * N + n, N);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C + m + n * M, c, M, wmma::mem_col_major);
}

// What C held before is an accumulator, too. Several warps that compute one tile
// would race, so that most launches have one.
// CHECK-LABEL: contraction "update" {
// CHECK: output C[%m * N + %n]:f32 = ((alpha:f32 * acc) + (beta:f32 * C[%m * N + %n]:f32))
#pragma warpwright matmul
__global__ void update(const half *A, const half *B, float *C, int M, int N,
                       int K, float alpha, float beta) {
  PLACE(16, 16)
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c, old;
  wmma::fill_fragment(c, 0.0f);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + n * K + k, K);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::load_matrix_sync(old, C + m * N + n, N, wmma::mem_row_major);
  for (int i = 0; i < c.num_elements; ++i)
    c.x[i] = alpha * c.x[i] + beta * old.x[i];
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

// Four warps, tiles in shared memory.
// CHECK-LABEL: contraction "shared" {
// CHECK: index %k < K
// CHECK: require blockDim.x == 128
#pragma warpwright matmul
__global__ void shared(const half *A, const half *B, float *C, int M, int N,
                       int K) {
  __shared__ half a_tile[64][16], b_tile[16][16];
  PLACE(64, 16)
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = threadIdx.x; i < 64 * 16; i += 128)
      a_tile[i / 16][i % 16] = k0 + i % 16 < K
                                   ? A[(m + i / 16) * K + k0 + i % 16]
                                   : __float2half(0.0f);
    for (int i = threadIdx.x; i < 16 * 16; i += 128)
      b_tile[i / 16][i % 16] = k0 + i / 16 < K
                                   ? B[(k0 + i / 16) * N + n + i % 16]
                                   : __float2half(0.0f);
    __syncthreads();
    wmma::load_matrix_sync(a, &a_tile[threadIdx.x / 32 * 16][0], 16);
    wmma::load_matrix_sync(b, &b_tile[0][0], 16);
    wmma::mma_sync(c, a, b, c);
    __syncthreads();
  }
  wmma::store_matrix_sync(C + (m + threadIdx.x / 32 * 16) * N + n, c, N,
                          wmma::mem_row_major);
}

// Two products of an iteration are one range of k.
// CHECK-LABEL: contraction "two_products" {
// CHECK: index %k < 32 * floordiv(K, 32)
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK-NEXT: operand B = B[%n * K + %k]:f16
#pragma warpwright matmul
__global__ void two_products(const half *A, const half *B, float *C, int M,
                             int N, int K) {
  PLACE(16, 16)
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int t = 0; t < K / 32; ++t) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
    wmma::load_matrix_sync(a, A + m * K + t * 32, K);
    wmma::load_matrix_sync(b, B + n * K + t * 32, K);
    wmma::mma_sync(c, a, b, c);
    wmma::load_matrix_sync(a, A + m * K + t * 32 + 16, K);
    wmma::load_matrix_sync(b, B + n * K + t * 32 + 16, K);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

//===----------------------------------------------------------------------===//
// Registers that are told apart
//===----------------------------------------------------------------------===//

#define SUM                                                                    \
  PLACE(16, 16)                                                                \
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;         \
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;         \
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;                      \
  wmma::fill_fragment(c, 0.0f);                                                \
  for (int k = 0; k < K; k += 16) {                                            \
    wmma::load_matrix_sync(a, A + m * K + k, K);                               \
    wmma::load_matrix_sync(b, B + n * K + k, K);                               \
    wmma::mma_sync(c, a, b, c);                                                \
  }
#define STORE                                                                  \
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);

// A sum of half numbers, of which a register holds two.
// CHECK-LABEL: contraction "halves" {
// CHECK: accumulate f32 for f16
// CHECK-NEXT: output C[%m * N + %n]:f16 = f16(acc)
// LOG: 'halves' accumulates in half
#pragma warpwright matmul
__global__ void halves(const half *A, const half *B, half *C, int M, int N,
                       int K) {
  PLACE(16, 32)
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> c[2];
  for (int j = 0; j < 2; ++j)
    wmma::fill_fragment(c[j], __float2half(0.0f));
  for (int k = 0; k < K; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b[2];
    wmma::load_matrix_sync(a, A + m * K + k, K);
    for (int j = 0; j < 2; ++j)
      wmma::load_matrix_sync(b[j], B + k * N + n + 16 * j, N);
    for (int j = 0; j < 2; ++j)
      wmma::mma_sync(c[j], a, b[j], c[j]);
  }
  for (int j = 0; j < 2; ++j)
    wmma::store_matrix_sync(C + m * N + n + 16 * j, c[j], N,
                            wmma::mem_row_major);
}

// Float sums, handed on as half ones.
// CHECK-LABEL: contraction "narrowed" {
// CHECK: accumulate f32
// CHECK-NEXT: output C[%m * N + %n]:f16 = f16((acc * scale:f32))
#pragma warpwright matmul
__global__ void narrowed(const half *A, const half *B, half *C, int M, int N,
                         int K, float scale) {
  SUM
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> h;
  for (int i = 0; i < c.num_elements; ++i)
    h.x[i] = __float2half(c.x[i] * scale);
  wmma::store_matrix_sync(C + m * N + n, h, N, wmma::mem_row_major);
}

// The factors are changed, each element alike.
// CHECK-LABEL: contraction "negated_factor" {
// CHECK: output C[%m * N + %n]:f32 = -(acc)
#pragma warpwright matmul
__global__ void negated_factor(const half *A, const half *B, float *C, int M,
                               int N, int K) {
  PLACE(16, 16)
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + k * N + n, N);
    for (int i = 0; i < a.num_elements; ++i)
      a.x[i] = __hneg(a.x[i]);
    wmma::mma_sync(c, a, b, c);
  }
  STORE
}

// Element by element through an array is as good as in place.
// CHECK-LABEL: contraction "through_an_array" {
// CHECK: output C[%m * N + %n]:f32 = (acc * 0.5f:f32)
#pragma warpwright matmul
__global__ void through_an_array(const half *A, const half *B, float *C, int M,
                                 int N, int K) {
  SUM
  float t[8];
  for (int i = 0; i < 8; ++i)
    t[i] = c.x[i];
  for (int i = 0; i < 8; ++i)
    c.x[i] = t[i] * 0.5f;
  STORE
}

// Bytes, whose sums are exact, added to the output.
//
// CHECK-LABEL: contraction "bytes" {
// CHECK: operand A = A[%m * K + %k]:i8
// CHECK-NEXT: operand B = B[%n * K + %k]:i8
// CHECK: accumulate i32
// CHECK-NEXT: output C[%m * N + %n]:i32 = (C[%m * N + %n]:i32 + acc)
#pragma warpwright matmul
__global__ void bytes(const signed char *A, const signed char *B, int *C, int M,
                      int N, int K) {
  const int m = blockIdx.y * 16, n = blockIdx.x * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
  wmma::load_matrix_sync(c, C + m * N + n, N, wmma::mem_row_major);
  for (int k = 0; k < K; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + n * K + k, K);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

// Through tiles: what a loop adds to is an array of integers before the bytes
// that it adds are known.
//
// CHECK-LABEL: contraction "bytes_through_tiles" {
// CHECK: operand A = A[%m * K + %k]:u8
// CHECK-NEXT: operand B = B[%k * N + %n]:u8
// CHECK: accumulate i32
#pragma warpwright matmul
__global__ void bytes_through_tiles(const unsigned char *A,
                                    const unsigned char *B, int *C, int M,
                                    int N, int K) {
  __shared__ unsigned char As[16][16], Bs[16][16];
  const int m = blockIdx.y * 16, n = blockIdx.x * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
  wmma::fill_fragment(c, 0);
  for (int k = 0; k < K; k += 16) {
    for (int i = threadIdx.x; i < 256; i += 32) {
      As[i / 16][i % 16] = A[(m + i / 16) * K + k + i % 16];
      Bs[i / 16][i % 16] = B[(k + i / 16) * N + n + i % 16];
    }
    __syncthreads();
    wmma::fragment<wmma::matrix_a, 16, 16, 16, unsigned char, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, unsigned char, wmma::row_major> b;
    wmma::load_matrix_sync(a, &As[0][0], 16);
    wmma::load_matrix_sync(b, &Bs[0][0], 16);
    wmma::mma_sync(c, a, b, c);
    __syncthreads();
  }
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

// Doubles, of which a lane has one of A and one of B.
//
// CHECK-LABEL: contraction "doubles" {
// CHECK: index %k < 4 * floordiv(K + 3, 4)
// CHECK: operand A = A[%k * M + %m]:f64
// CHECK-NEXT: operand B = B[%k * N + %n]:f64
// CHECK: accumulate f64
// CHECK-NEXT: output C[%m * N + %n]:f64 = (acc * alpha:f64)
#pragma warpwright matmul
__global__ void doubles(const double *A, const double *B, double *C, int M,
                        int N, int K, double alpha) {
  const int m = blockIdx.y * 8, n = blockIdx.x * 8;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> c;
  wmma::fill_fragment(c, 0.0);
  for (int k = 0; k < K; k += 4) {
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::col_major> a;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> b;
    wmma::load_matrix_sync(a, A + k * M + m, M);
    wmma::load_matrix_sync(b, B + k * N + n, N);
    wmma::mma_sync(c, a, b, c);
  }
  for (int i = 0; i < c.num_elements; ++i)
    c.x[i] *= alpha;
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

// CHECK-NOT: contraction

// LOG: [[#@LINE+6]]:21: warning: 'first_of_all' is not rewritten: 'c' is read here at an element that an earlier iteration of the loop may have stored [WW208]
#pragma warpwright matmul
__global__ void first_of_all(const half *A, const half *B, float *C, int M,
                             int N, int K) {
  SUM
  for (int i = 0; i < c.num_elements; ++i)
    c.x[i] = 2.0f * c.x[0];
  STORE
}

// LOG: [[#@LINE+8]]:3: warning: 'exchanged' is not rewritten: the elements of a matrix fragment were changed one by one [WW215]
#pragma warpwright matmul
__global__ void exchanged(const half *A, const half *B, float *C, int M, int N,
                          int K) {
  SUM
  float t = c.x[0];
  c.x[0] = c.x[1];
  c.x[1] = t;
  STORE
}

// LOG: [[#@LINE+10]]:3: warning: 'reversed' is not rewritten: the elements of a matrix fragment were changed one by one [WW215]
#pragma warpwright matmul
__global__ void reversed(const half *A, const half *B, float *C, int M, int N,
                         int K) {
  SUM
  float t[8];
  for (int i = 0; i < 8; ++i)
    t[i] = c.x[i];
  for (int i = 0; i < 8; ++i)
    c.x[i] = t[7 - i];
  STORE
}

// LOG: [[#@LINE+7]]:3: warning: 'moved' is not rewritten: the elements of a matrix fragment were changed one by one [WW215]
#pragma warpwright matmul
__global__ void moved(const half *A, const half *B, float *C, int M, int N,
                      int K) {
  SUM
  for (int i = c.num_elements - 1; i > 0; --i)
    c.x[i] = c.x[i - 1];
  STORE
}

// LOG: [[#@LINE+8]]:3: warning: 'exchanged_halves' is not rewritten: the elements of a matrix fragment were changed one by one [WW215]
#pragma warpwright matmul
__global__ void exchanged_halves(const half *A, const half *B, half *C, int M,
                                 int N, int K) {
  SUM
  wmma::fragment<wmma::accumulator, 16, 16, 16, half> h;
  for (int i = 0; i < c.num_elements; ++i)
    h.x[i ^ 1] = __float2half(c.x[i]);
  wmma::store_matrix_sync(C + m * N + n, h, N, wmma::mem_row_major);
}

// Which thread has which element is not specified, so a fragment that is stored
// element by element is not what another thread reads.
// LOG: [[#@LINE+7]]:{{[0-9]+}}: warning: 'through_other_lanes' is not rewritten: an element of a matrix fragment is stored by itself, and which one it is is not specified [WW215]
#pragma warpwright matmul
__global__ void through_other_lanes(const half *A, const half *B, float *C,
                                    int M, int N, int K) {
  __shared__ float tile[256];
  SUM
  for (int i = 0; i < 8; ++i)
    tile[threadIdx.x * 8 + i] = c.x[i];
  __syncthreads();
  if (K > 3000)
    for (int i = 0; i < 8; ++i)
      c.x[i] = tile[(31 - threadIdx.x) * 8 + i];
  STORE
}

// A fragment of another shape has other elements.
// LOG: [[#@LINE+8]]:3: warning: 'of_another_shape' is not rewritten: a matrix fragment has elements of one of another shape or order [WW215]
#pragma warpwright matmul
__global__ void of_another_shape(const half *A, const half *B, float *C, int M,
                                 int N, int K) {
  SUM
  wmma::fragment<wmma::accumulator, 32, 8, 16, float> other;
  for (int i = 0; i < other.num_elements; ++i)
    other.x[i] = c.x[i];
  wmma::store_matrix_sync(C + m * N + n, other, N, wmma::mem_row_major);
}

// The same number in rows that differ by two is not the same element.
// LOG: warning: 'not_told_apart' is not rewritten: the elements of a matrix fragment cannot be told apart [WW215]
#pragma warpwright matmul
__global__ void not_told_apart(const half *A, const half *B, float *C,
                               const float *bias, int M, int N, int K) {
  __shared__ float tile[256];
  for (int i = threadIdx.x; i < 256; i += 32)
    tile[i] = bias[i % 2];
  __syncthreads();
  SUM
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> d;
  wmma::load_matrix_sync(d, tile, 16, wmma::mem_row_major);
  c.x[0] += d.x[2];
  c.x[1] += d.x[3];
  c.x[2] += d.x[0];
  c.x[3] += d.x[1];
  for (int i = 4; i < c.num_elements; ++i)
    c.x[i] += d.x[i];
  STORE
}

// Sums that stop at the greatest integer are no sums modulo 2^32.
// LOG: warning: 'saturated' is not rewritten: a product of matrix fragments that saturates is no sum [WW207]
#pragma warpwright matmul
__global__ void saturated(const signed char *A, const signed char *B, int *C,
                          int M, int N, int K) {
  const int m = blockIdx.y * 16, n = blockIdx.x * 16;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
  wmma::fill_fragment(c, 0);
  for (int k = 0; k < K; k += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + n * K + k, K);
    wmma::mma_sync(c, a, b, c, true);
  }
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

// The two elements of a lane are exchanged: those of two columns.
// LOG: warning: 'exchanged_doubles' is not rewritten: the elements of a matrix fragment were changed one by one [WW215]
#pragma warpwright matmul
__global__ void exchanged_doubles(const double *A, const double *B, double *C,
                                  int M, int N, int K) {
  const int m = blockIdx.y * 8, n = blockIdx.x * 8;
  wmma::fragment<wmma::accumulator, 8, 8, 4, double> c;
  wmma::fill_fragment(c, 0.0);
  for (int k = 0; k < K; k += 4) {
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> a;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> b;
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + k * N + n, N);
    wmma::mma_sync(c, a, b, c);
  }
  const double first = c.x[0];
  c.x[0] = c.x[1];
  c.x[1] = first;
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

// The warps are counted through all blocks of a row, and the lanes of each fill
// its tile. Which lane has stored an element is no part of the warp's row.
//
// CHECK-LABEL: contraction "counted_warps" {
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK-NEXT: operand B = B[%k * N + %n]:f16
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void counted_warps(const half *A, const half *B, float *C, int N,
                              int K) {
  __shared__ half tiles[2][16 * 16];
  const int warp = (blockIdx.y * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32, n = blockIdx.x * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int k = 0; k < K; k += 16) {
    const int at = lane % 2 * 8;
    *reinterpret_cast<int4 *>(&tiles[threadIdx.x / 32][lane / 2 * 16 + at]) =
        *reinterpret_cast<const int4 *>(
            &A[(warp * 16 + lane / 2) * K + k + at]);
    __syncthreads();
    wmma::load_matrix_sync(a, tiles[threadIdx.x / 32], 16);
    wmma::load_matrix_sync(b, B + k * N + n, N);
    wmma::mma_sync(c, a, b, c);
    __syncthreads();
  }
  wmma::store_matrix_sync(C + warp * 16 * N + n, c, N, wmma::mem_row_major);
}
