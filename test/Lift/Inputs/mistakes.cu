// Kernels that reach the code with the mistakes of lib/Lift/Mistakes.def; see
// test/Lift/mistakes.test. All must lift, but those of the last part.

#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>

using namespace nvcuda;

#define INDICES                                                                \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;

#define SUM                                                                    \
  float acc = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);

#define ARGUMENTS                                                              \
  const half *A, const half *B, float *C, int M, int N, int K

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

#pragma warpwright matmul
__global__ void guard(ARGUMENTS) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = acc;
  }
}

#pragma warpwright matmul
__global__ void inclusive_guard(ARGUMENTS) {
  INDICES
  if (row <= M - 1 && col <= N - 1) {
    SUM
    C[row * N + col] = acc;
  }
}

#pragma warpwright matmul
__global__ void early_return(ARGUMENTS) {
  INDICES
  if (row >= M || col >= N)
    return;
  SUM
  C[row * N + col] = acc;
}

// Whether the epilogue scales is a matter of two flags.
#pragma warpwright matmul
__global__ void either_flag(ARGUMENTS, int scale, int twice) {
  INDICES
  if (row < M && col < N) {
    SUM
    if (scale == 1)
      acc += 3.0f;
    else if (twice == 1)
      acc *= 2.0f;
    else
      acc = -acc;
    C[row * N + col] = acc;
  }
}

#pragma warpwright matmul
__global__ void one_of_two_paths(ARGUMENTS, int path, int other) {
  INDICES
  if (row >= M || col >= N)
    return;
  SUM
  if (path == 1 || other == 1)
    acc += 5.0f;
  C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void relu(ARGUMENTS) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = acc > 0.0f ? acc : 0.0f;
  }
}

#pragma warpwright matmul
__global__ void either_condition(ARGUMENTS, int first, int p, int q) {
  INDICES
  if (row >= M || col >= N)
    return;
  SUM
  if (first == 1 ? p == 1 : q == 1)
    acc += 5.0f;
  C[row * N + col] = acc;
}

// All threads of the grid have an element: no guard, so no branch around it.
#pragma warpwright matmul
__global__ void unguarded_choice(const half *A, const half *B, float *C, int N,
                                 int K, float alpha, float beta, int which) {
  INDICES
  SUM
  C[row * N + col] = acc * (which == 2 ? alpha : beta);
}

#pragma warpwright matmul
__global__ void three_ways(ARGUMENTS, const float *bias, int mode, int other) {
  INDICES
  if (row < M && col < N) {
    SUM
    if (mode == 5)
      acc += bias[col];
    else if (other == 7)
      acc *= bias[row];
    else
      acc -= bias[row];
    C[row * N + col] = acc;
  }
}

#pragma warpwright matmul
__global__ void one_of_two_stores(ARGUMENTS, const float *bias, int which) {
  INDICES
  if (row < M && col < N) {
    SUM
    if (which == 2)
      C[row * N + col] = acc + bias[col];
    else
      C[row * N + col] = acc;
  }
}

#pragma warpwright matmul
__global__ void chosen_scale(ARGUMENTS, float alpha, float beta, int which) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = acc * (which == 2 ? alpha : beta);
  }
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

#pragma warpwright matmul
__global__ void padded(ARGUMENTS, int pitch, int pad) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * (pitch - pad) + col] = acc;
  }
}

#pragma warpwright matmul
__global__ void unsigned_difference(ARGUMENTS, unsigned p, unsigned q) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = acc + (float)(p - q);
  }
}

#pragma warpwright matmul
__global__ void halved_difference(ARGUMENTS, unsigned p, unsigned q) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = acc + (float)((p - q) >> 1);
  }
}

#pragma warpwright matmul
__global__ void low_bits(ARGUMENTS, int flags) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = acc + (float)(flags & 3);
  }
}

#pragma warpwright matmul
__global__ void cut_to_char(ARGUMENTS, int shift) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = acc + (float)(signed char)shift;
  }
}

#pragma warpwright matmul
__global__ void cut_to_int(ARGUMENTS, long long shift) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = acc + (float)(int)shift;
  }
}

#pragma warpwright matmul
__global__ void smaller_width(ARGUMENTS, int limit) {
  INDICES
  if (row < M && col < min(N, limit)) {
    SUM
    C[row * N + col] = acc;
  }
}

#pragma warpwright matmul
__global__ void divided(ARGUMENTS, int n, int d) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = acc + (float)(n / d);
  }
}

#pragma warpwright matmul
__global__ void unsigned_division(ARGUMENTS, unsigned n) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = acc + (float)(n / 3u);
  }
}

#pragma warpwright matmul
__global__ void byte_bias(ARGUMENTS, const unsigned char *bias) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = acc + (float)(bias[col] + 1);
  }
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

// One thread for each element, whole rows of them.
#pragma warpwright matmul
__global__ void flat(const half *A, const half *B, float *C, unsigned N,
                     int K) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned row = i / N, col = i % N;
  SUM
  C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void flat_store(const half *A, const half *B, float *C, unsigned N,
                           int K) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned row = i / N, col = i % N;
  SUM
  C[i] = acc;
}

#pragma warpwright matmul
__global__ void flat_guarded(const half *A, const half *B, float *C, unsigned M,
                             unsigned N, int K) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < M * N) {
    unsigned row = i / N, col = i % N;
    SUM
    C[row * N + col] = acc;
  }
}

#pragma warpwright matmul
__global__ void whole_grid(const half *A, const half *B, float *C, int N,
                           int K) {
  INDICES
  SUM
  C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void two_loops_of_k(ARGUMENTS) {
  INDICES
  if (row < M && col < N) {
    float acc = 0.0f;
    for (int tile = 0; tile < K; ++tile)
      for (int k = 0; k < 4; ++k)
        acc += __half2float(A[row * K * 4 + tile * 4 + k]) *
               __half2float(B[(tile * 4 + k) * N + col]);
    C[row * N + col] = acc;
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

#pragma warpwright matmul
__global__ void inclusive_loop(const half *A, const half *B, float *C, int M,
                               int N, int last) {
  INDICES
  if (row < M && col < N) {
    float acc = 0.0f;
    for (int k = 0; k <= last; ++k)
      acc += __half2float(A[row * (last + 1) + k]) *
             __half2float(B[k * N + col]);
    C[row * N + col] = acc;
  }
}

#pragma warpwright matmul
__global__ void later_start(ARGUMENTS, int first) {
  INDICES
  if (row < M && col < N) {
    float acc = 0.0f;
    for (int k = first; k < K; ++k)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = acc;
  }
}

#pragma warpwright matmul
__global__ void every_other(ARGUMENTS) {
  INDICES
  if (row < M && col < N) {
    float acc = 0.0f;
    for (int k = 0; k < K; k += 2)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = acc;
  }
}

// A second loop, which counts.
#pragma warpwright matmul
__global__ void counted(ARGUMENTS, int count) {
  INDICES
  if (row < M && col < N) {
    SUM
    int twice = 0;
    for (int i = 0; i < count; ++i)
      twice += 2;
    C[row * N + col] = acc + (float)twice;
  }
}

#pragma warpwright matmul
__global__ void counted_to_the_end(ARGUMENTS, int count) {
  INDICES
  if (row < M && col < N) {
    SUM
    int i = 0;
    do
      i += 3;
    while (i < count);
    C[row * N + col] = acc + (float)i;
  }
}

#pragma warpwright matmul
__global__ void some_of_k(ARGUMENTS, int end) {
  INDICES
  if (row < M && col < N) {
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      if (k < end)
        acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = acc;
  }
}

#pragma warpwright matmul
__global__ void starts_with_bias(ARGUMENTS, const float *bias) {
  INDICES
  if (row < M && col < N) {
    float acc = bias[col];
    for (int k = 0; k < K; ++k)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = acc;
  }
}

#pragma warpwright matmul
__global__ void subtracts(ARGUMENTS) {
  INDICES
  if (row < M && col < N) {
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc -= __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = acc;
  }
}

#pragma warpwright matmul
__global__ void scaled_products(ARGUMENTS, float alpha) {
  INDICES
  if (row < M && col < N) {
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += alpha * __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
    C[row * N + col] = acc;
  }
}

//===----------------------------------------------------------------------===//
// Values and memory
//===----------------------------------------------------------------------===//

#pragma warpwright matmul
__global__ void negated(ARGUMENTS) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = -acc;
  }
}

#pragma warpwright matmul
__global__ void alpha_beta(ARGUMENTS, float alpha, float beta) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = alpha * acc + beta * C[row * N + col];
  }
}

#pragma warpwright matmul
__global__ void rounded_twice(ARGUMENTS) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = __half2float(__float2half(acc));
  }
}

#pragma warpwright matmul
__global__ void stored_twice(ARGUMENTS, int twice) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = acc;
    if (twice == 1)
      C[row * N + col] = 2.0f * acc;
  }
}

// A copy of the sum as well, which the compiler cannot tell from C.
#pragma warpwright matmul
__global__ void stored_and_read(ARGUMENTS, float *D) {
  INDICES
  if (row < M && col < N) {
    SUM
    C[row * N + col] = acc;
    D[row * N + col] = 1.0f;
    C[row * N + col] = C[row * N + col] + acc;
  }
}

struct Sizes {
  int M, N, K;
};

#pragma warpwright matmul
__global__ void sizes(const half *A, const half *B, float *C, Sizes S) {
  INDICES
  if (row < S.M && col < S.N) {
    float acc = 0.0f;
    for (int k = 0; k < S.K; ++k)
      acc += __half2float(A[row * S.K + k]) * __half2float(B[k * S.N + col]);
    C[row * S.N + col] = acc;
  }
}

//===----------------------------------------------------------------------===//
// Fragments of a warp
//===----------------------------------------------------------------------===//

#define FRAGMENTS                                                              \
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;         \
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;         \
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;                      \
  wmma::fill_fragment(c, 0.0f);

#pragma warpwright matmul
__global__ void fragments(ARGUMENTS, float scale) {
  const int m = blockIdx.y * 16, n = blockIdx.x * 16;
  FRAGMENTS
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + n * K + k, K);
    wmma::mma_sync(c, a, b, c);
  }
  for (int i = 0; i < c.num_elements; ++i)
    c.x[i] = c.x[i] * scale - 1.0f;
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

//===----------------------------------------------------------------------===//
// Declined, for good reason
//===----------------------------------------------------------------------===//

// Which element of C is read is not known: it may be the stored one.
#pragma warpwright matmul
__global__ void read_elsewhere(ARGUMENTS, const float *bias, int which) {
  INDICES
  if (row < M && col < N) {
    SUM
    float table[4];
    table[0] = 1.0f;
    table[1] = 2.0f;
    table[which & 1] = 3.0f;
    C[row * N + col] = acc * table[0];
  }
}

// The value is that of the last iteration, if there is one.
#pragma warpwright matmul
__global__ void set_in_a_loop(ARGUMENTS, int count, int other) {
  INDICES
  if (row < M && col < N) {
    SUM
    int shift = 1;
    for (int i = 0; i < count; ++i)
      shift = other;
    C[row * N + col] = acc + (float)shift;
  }
}

// Tiles, with and without the barrier that keeps what others still read.

#pragma warpwright matmul
__global__ void tiles(const float *A, const float *B, float *C, int M, int N,
                      int K) {
  __shared__ float a[8][8], b[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 8 + y, col = blockIdx.x * 8 + x;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 8) {
    a[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;
    b[y][x] = k0 + y < K && col < N ? B[(k0 + y) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      acc += a[y][k] * b[k][x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

#pragma warpwright matmul
__global__ void no_second_barrier(const float *A, const float *B, float *C,
                                  int M, int N, int K) {
  __shared__ float a[8][8], b[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 8 + y, col = blockIdx.x * 8 + x;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 8) {
    a[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;
    b[y][x] = k0 + y < K && col < N ? B[(k0 + y) * N + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      acc += a[y][k] * b[k][x];
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

// Copies that nobody waits for.

#pragma warpwright matmul
__global__ void no_wait(const float *A, const float *B, float *C, int M, int N,
                        int K) {
  __shared__ float a[8][8], b[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 8 + y, col = blockIdx.x * 8 + x;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 8) {
    __pipeline_memcpy_async(&a[y][x], &A[row * K + k0 + x], 4);
    __pipeline_memcpy_async(&b[y][x], &B[(k0 + y) * N + col], 4);
    __pipeline_commit();
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      acc += a[y][k] * b[k][x];
    __syncthreads();
  }
  C[row * N + col] = acc;
}

// Two halves of a warp name different tiles.
#pragma warpwright matmul
__global__ void half_a_warp(ARGUMENTS) {
  const int m = blockIdx.y * 64 + threadIdx.x / 16 * 16, n = blockIdx.x * 16;
  FRAGMENTS
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + n * K + k, K);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

// Each register gets what the one before it holds.
#pragma warpwright matmul
__global__ void registers_moved(ARGUMENTS) {
  const int m = blockIdx.y * 16, n = blockIdx.x * 16;
  FRAGMENTS
  for (int k = 0; k < K; k += 16) {
    wmma::load_matrix_sync(a, A + m * K + k, K);
    wmma::load_matrix_sync(b, B + n * K + k, K);
    wmma::mma_sync(c, a, b, c);
  }
  for (int i = c.num_elements - 1; i > 0; --i)
    c.x[i] = c.x[i - 1];
  wmma::store_matrix_sync(C + m * N + n, c, N, wmma::mem_row_major);
}

// Two sums of other lengths.
#pragma warpwright matmul
__global__ void several(const float *A, const float *B, const float *D,
                        float *C, int M, int N, int K, int L) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float first = 0.0f, second = 0.0f;
  for (int k = 0; k < K; ++k) {
    first += A[row * K + k] * B[k * N + col];
    if (k < L)
      second += A[row * K + k] * D[k * N + col];
  }
  C[row * N + col] = first * second + second;
}

// Two products of one sum, of which one is subtracted.
#pragma warpwright matmul
__global__ void products(const float *A, const float *B, const float *D,
                         float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col] - D[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// A product over another range of k, times a number.
#pragma warpwright matmul
__global__ void adapted(const float *A, const float *B, const float *D,
                        const float *E, float *C, int M, int N, int K, int R,
                        float alpha) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f, low = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  for (int r = 0; r < R; ++r)
    low += D[row * R + r] * E[r * N + col];
  C[row * N + col] = acc + alpha * low;
}

// Parts of the sum are scaled, elements are clamped.
#pragma warpwright matmul
__global__ void groups(const float *A, const float *B, const float *scale,
                       float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int t = 0; t < K / 4; ++t) {
    float part = 0.0f;
    for (int k = 0; k < 4; ++k)
      part += A[row * K + t * 4 + k] * fmaxf(B[(t * 4 + k) * N + col], 0.0f);
    acc += scale[t] * part;
  }
  C[row * N + col] = acc;
}

// Sequences and heads.
#pragma warpwright matmul
__global__ void sequences_of_heads(const float *A, const float *B, float *C,
                                   int sequences, int heads, int M, int N,
                                   int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int b = blockIdx.z / heads, h = blockIdx.z % heads;
  if (row >= M || col >= N || b >= sequences)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += A[((b * M + row) * heads + h) * K + k] *
           B[((b * N + col) * heads + h) * K + k];
  C[((b * heads + h) * M + row) * N + col] = acc;
}
