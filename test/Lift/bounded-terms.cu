// Tiles that are filled as far as the matrix goes, without zeros beyond, and
// multiplied as far: the loop's end says that the element was stored.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t 2>%t.no
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.no --check-prefix=DECLINED

#define T 16
#define KERNEL(NAME, TERMS)                                                    \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    __shared__ float As[T][T], Bs[T][T];                                       \
    const int x = threadIdx.x, y = threadIdx.y;                                \
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;              \
    float acc = 0.0f;                                                          \
    for (int k0 = 0; k0 < K; k0 += T) {                                        \
      if (row < M && k0 + x < K)                                               \
        As[y][x] = A[row * K + k0 + x];                                        \
      if (k0 + y < K && col < N)                                               \
        Bs[y][x] = B[(k0 + y) * N + col];                                      \
      __syncthreads();                                                         \
      if (row < M && col < N) {                                                \
        TERMS                                                                  \
      }                                                                        \
      __syncthreads();                                                         \
    }                                                                          \
    if (row < M && col < N)                                                    \
      C[row * N + col] = acc;                                                  \
  }

// CHECK: contraction "both_bounds" {
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK: index %k < K
// CHECK: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
KERNEL(both_bounds,
       for (int k = 0; k < T && k0 + k < K; ++k) acc += As[y][k] * Bs[k][x];)

// CHECK: contraction "smaller" {
// CHECK: index %k < K
#pragma warpwright matmul
KERNEL(smaller, const int end = min(T, K - k0);
       for (int k = 0; k < end; ++k) acc += As[y][k] * Bs[k][x];)

// The smaller end as a condition inside of the loop.
//
// CHECK: contraction "tested" {
// CHECK: index %k < K
// CHECK-NOT: mod(K
#pragma warpwright matmul
KERNEL(tested, const int end = min(T, K - k0);
       for (int k = 0; k < T; ++k) if (k < end) acc += As[y][k] * Bs[k][x];)

// One more than there are is one too many only where the last tile is not
// filled.
//
// CHECK: contraction "tested_one_more" {
// CHECK: index %k < min(16 * floordiv(K + 15, 16), K + 1)
// CHECK: require mod(K, 16) == 0
#pragma warpwright matmul
KERNEL(tested_one_more, const int end = min(T, K - k0 + 1);
       for (int k = 0; k < T; ++k) if (k < end) acc += As[y][k] * Bs[k][x];)

// CHECK: contraction "left_early" {
// CHECK: index %k < K
#pragma warpwright matmul
KERNEL(
    left_early, for (int k = 0; k < T; ++k) {
      if (k0 + k >= K)
        break;
      acc += As[y][k] * Bs[k][x];
    })

// One term too many where K is not a multiple of the tile; where it is, the
// smaller end makes no range.
//
// DECLINED: 'one_more' is not rewritten: {{.*}} [WW216]
#pragma warpwright matmul
KERNEL(one_more,
       for (int k = 0; k < T && k0 + k <= K; ++k) acc += As[y][k] * Bs[k][x];)

// Without that end, no term may be missing.
//
// CHECK: contraction "no_bound" {
// CHECK: index %k < 16 * floordiv(K + 15, 16)
// CHECK: require mod(K, 16) == 0 : "a tile is not filled completely"
#pragma warpwright matmul
KERNEL(no_bound, for (int k = 0; k < T; ++k) acc += As[y][k] * Bs[k][x];)

// Either matrix has a number of terms of its own. The two are equal in a
// product; otherwise the elements of the longer one, which may be infinite or
// NaN, are multiplied by zeros.
//
// CHECK: contraction "widths_and_heights" {
// CHECK: index %k < width
// CHECK: require width == height || (16 * floordiv(width - 1, 16) + 16 <= width && 16 * floordiv(width - 1, 16) + 16 <= height) : "one of the two operands is not 0 beyond the sum's range"
#pragma warpwright matmul
__global__ void widths_and_heights(const float *A, const float *B, float *C,
                                   int M, int N, int width, int height) {
  __shared__ float As[T][T], Bs[T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float acc = 0.0f;
  for (int t = 0; t < (width - 1) / T + 1; ++t) {
    As[y][x] = row < M && t * T + x < width ? A[row * width + t * T + x] : 0;
    Bs[y][x] = t * T + y < height && col < N ? B[(t * T + y) * N + col] : 0;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[y][k] * Bs[k][x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

// The end of the whole product is also that of the zeros of one factor.
//
// CHECK: contraction "ends_as_one_does" {
// CHECK: index %k < K
// CHECK-NOT: is not 0 beyond
// CHECK: }
#pragma warpwright matmul
__global__ void ends_as_one_does(const float *A, const float *B, float *C,
                                 int M, int N, int K) {
  __shared__ float Bs[T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    Bs[y][x] = k0 + y < K && col < N ? B[(k0 + y) * N + col] : 0;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      if (row < M && k0 + k < K)
        acc += A[row * K + k0 + k] * Bs[k][x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

// One of the two counts is a term too many: that K is a multiple of the tile is
// all that is left.
//
// CHECK: contraction "one_row_more" {
// CHECK: require min(16 * floordiv(K + 15, 16), K + 1) <= K : "one of the two operands is not 0 beyond the sum's range"
#pragma warpwright matmul
__global__ void one_row_more(const float *A, const float *B, float *C, int M,
                             int N, int K) {
  __shared__ float As[T][T], Bs[T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float acc = 0.0f;
  for (int k0 = 0; k0 < K; k0 += T) {
    As[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0;
    Bs[y][x] = k0 + y <= K && col < N ? B[(k0 + y) * N + col] : 0;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[y][k] * Bs[k][x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

// Only one of the two ends, so that the range has to end there as well.
//
// CHECK: contraction "one_ends" {
// CHECK: index %k < 16 * floordiv(width - 1, 16) + 16
// CHECK: require 16 * floordiv(width - 1, 16) + 16 <= height : "one of the two operands is not 0 beyond the sum's range"
#pragma warpwright matmul
__global__ void one_ends(const float *A, const float *B, float *C, int M, int N,
                         int width, int height) {
  __shared__ float As[T][T], Bs[T][T];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
  float acc = 0.0f;
  for (int t = 0; t < (width - 1) / T + 1; ++t) {
    As[y][x] = row < M ? A[row * width + t * T + x] : 0;
    Bs[y][x] = t * T + y < height && col < N ? B[(t * T + y) * N + col] : 0;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      acc += As[y][k] * Bs[k][x];
    __syncthreads();
  }
  if (row < M && col < N)
    C[row * N + col] = acc;
}

// Rows and columns of the matrix alone: those beyond it are not stored.
//
// CHECK: contraction "rows_and_columns" {
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK: index %n < min(16 * gridDim.x, N)
// CHECK: index %k < 16 * floordiv(K, 16)
// CHECK-NOT: a tile is not filled
// CHECK: }
#define FILLED(NAME, A_WHEN, B_WHEN, WHEN)                                     \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    __shared__ float As[T][T], Bs[T][T];                                       \
    const int x = threadIdx.x, y = threadIdx.y;                                \
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;              \
    float acc = 0.0f;                                                          \
    for (int k0 = 0; k0 < K / T * T; k0 += T) {                                \
      if (A_WHEN)                                                              \
        As[y][x] = A[row * K + k0 + x];                                        \
      if (B_WHEN)                                                              \
        Bs[y][x] = B[(k0 + y) * N + col];                                      \
      __syncthreads();                                                         \
      for (int k = 0; k < T; ++k)                                              \
        acc += As[y][k] * Bs[k][x];                                            \
      __syncthreads();                                                         \
    }                                                                          \
    if (WHEN)                                                                  \
      C[row * N + col] = acc;                                                  \
  }
#pragma warpwright matmul
FILLED(rows_and_columns, row < M, col < N, row < M && col < N)

// A thread whose column is beyond the matrix fills no element of its row of A,
// which others need.
//
// CHECK: contraction "inside_fills" {
// CHECK-DAG: require N - 16 * gridDim.x >= 0 : "a tile is not filled
// CHECK-DAG: require M - 16 * gridDim.y >= 0 : "a tile is not filled
#pragma warpwright matmul
FILLED(inside_fills, row < M && col < N, row < M && col < N, row < M && col < N)

// All elements are stored, also those that no thread has filled.
//
// CHECK: contraction "stored_beyond" {
// CHECK: require M - 16 * gridDim.y >= 0 : "a tile is not filled
#pragma warpwright matmul
FILLED(stored_beyond, row < M, col < N, col < N)

// DECLINED: 'first_rows' is not rewritten: 'As' is read here {{.*}} [WW223]
#pragma warpwright matmul
FILLED(first_rows, row < 40, col < N, row < M && col < N)

// DECLINED: 'chosen' is not rewritten: {{.*}} [WW2{{.*}}]
#pragma warpwright matmul
FILLED(chosen, A[row] > 0.0f, col < N, row < M && col < N)

// DECLINED: 'every_other' is not rewritten: 'As' is read here {{.*}} [WW223]
#pragma warpwright matmul
FILLED(every_other, (k0 + x) % 2 == 0, col < N, row < M && col < N)

// Slices of k, each with a part of the output. The last one must not be
// shorter.
#define SLICES(Name, Slice)                                                    \
  __global__ void Name(const float *A, const float *B, float *P, int M, int N, \
                       int K, int slices) {                                    \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    const int slice = Slice, s = blockIdx.z;                                   \
    const int begin = s * slice, end = min(begin + slice, K);                  \
    if (row < M && col < N) {                                                  \
      float sum = 0.0f;                                                        \
      for (int k = begin; k < end; ++k)                                        \
        sum += A[row * K + k] * B[k * N + col];                                \
      P[s * M * N + row * N + col] = sum;                                      \
    }                                                                          \
  }

// CHECK: contraction "parts_of_k" {
// CHECK: index %b < gridDim.z
// CHECK: index %k < floordiv(K - 1, slices) + 1
// CHECK: require {{.*}}gridDim.z{{.*}} >= 0 : "the last part of the sum is
#pragma warpwright matmul
SLICES(parts_of_k, (K + slices - 1) / slices)

// Slices that grow with their number.
//
// DECLINED: 'growing' is not rewritten: {{.*}} [WW2{{.*}}]
#pragma warpwright matmul
SLICES(growing, 16 * (int(blockIdx.z) + 1))

// The same with tiles, of which the blocks behind the last slice have less than
// none.
#define TILED_SLICES(Name, Slice, TILES, EndA)                                 \
  __global__ void Name(const float *A, const float *B, float *P, int M, int N, \
                       int K, int slices) {                                    \
    __shared__ float As[T][T], Bs[T][T];                                       \
    const int x = threadIdx.x, y = threadIdx.y, s = blockIdx.z;                \
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;              \
    const int slice = Slice, begin = s * slice, end = min(begin + slice, K);   \
    float sum = 0.0f;                                                          \
    for (TILES) {                                                              \
      const int ka = k0 + x, kb = k0 + y;                                      \
      As[y][x] = row < M && ka < EndA ? A[row * K + ka] : 0.0f;                \
      Bs[y][x] = kb < end && col < N ? B[kb * N + col] : 0.0f;                 \
      __syncthreads();                                                         \
      for (int k = 0; k < T; ++k)                                              \
        sum += As[y][k] * Bs[k][x];                                            \
      __syncthreads();                                                         \
    }                                                                          \
    if (row < M && col < N)                                                    \
      P[s * M * N + row * N + col] = sum;                                      \
  }
#define FROM_ZERO                                                              \
  int t = 0, k0 = begin; t < (end - begin + T - 1) / T; ++t, k0 += T
#define FROM_BEGIN int k0 = begin; k0 < end; k0 += T

// CHECK: contraction "counted_tiles" {
// CHECK: index %b < gridDim.z
// CHECK: index %k < floordiv(K - 1, slices) + 1
// CHECK: require {{.*}}gridDim.z{{.*}} >= 0 : "the last part of the sum is
#pragma warpwright matmul
TILED_SLICES(counted_tiles, (K + slices - 1) / slices, FROM_ZERO, end)

// CHECK: contraction "tiles_from_begin" {
// CHECK: index %k < floordiv(K - 1, slices) + 1
// CHECK: require {{.*}}gridDim.z{{.*}} >= 0 : "the last part of the sum is
#pragma warpwright matmul
TILED_SLICES(tiles_from_begin, (K + slices - 1) / slices, FROM_BEGIN, end)

// DECLINED: 'growing_tiles' is not rewritten: {{.*}} [WW2{{.*}}]
#pragma warpwright matmul
TILED_SLICES(growing_tiles, 16 * (int(blockIdx.z) + 1), FROM_ZERO, end)

// A is not zero where the tiles of B are.
// DECLINED: 'a_goes_on' is not rewritten: {{.*}} [WW2{{.*}}]
#pragma warpwright matmul
TILED_SLICES(a_goes_on, (K + slices - 1) / slices, FROM_ZERO, K)

// DECLINED: 'triangle' is not rewritten: {{.*}} [WW216]
#pragma warpwright matmul
__global__ void triangle(const float *A, const float *B, float *C, int M, int N,
                         int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < min(row + 1, K); ++k)
      sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
  }
}

// A whole matrix in shared memory, of any size: that the elements of its rows
// are among those that were stored follows from there being terms to add.
#define WHOLE(NAME, END)                                                       \
  __global__ void NAME(const float *A, const float *W, float *C, int M, int N, \
                       int K) {                                                \
    extern __shared__ float weights[];                                         \
    for (int i = threadIdx.x; i < END; i += blockDim.x)                        \
      weights[i] = W[i];                                                       \
    __syncthreads();                                                           \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                       \
    if (i < M * N) {                                                           \
      float acc = 0.0f;                                                        \
      for (int k = 0; k < K; ++k)                                              \
        acc += A[i / N * K + k] * weights[i % N * K + k];                      \
      C[i] = acc;                                                              \
    }                                                                          \
  }

// CHECK: contraction "whole_matrix" {
// CHECK: index %m < M
// CHECK: index %n < N
// CHECK: index %k < K
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = W[%n * K + %k]:f32
#pragma warpwright matmul
WHOLE(whole_matrix, N *K)

// DECLINED: 'all_but_one' is not rewritten: 'weights' is read here {{.*}} [WW223]
#pragma warpwright matmul
WHOLE(all_but_one, N *K - 1)
