// Tiles whose columns are in an order that the row decides, by `^`: the column is
// found by the same `^`. What does not undo itself is declined.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse > %t 2> %t.messages
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.messages --check-prefix=DECLINED

#define T 32
#define PLACE                                                                  \
  __shared__ float As[T][T], Bs[T][T];                                         \
  const int x = threadIdx.x, y = threadIdx.y;                                  \
  const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;                \
  float acc = 0;                                                               \
  for (int k0 = 0; k0 < K; k0 += T) {
#define FILL(PLACE_A, PLACE_B)                                                 \
    PLACE_A = row < M && k0 + x < K ? A[row * K + k0 + x] : 0.0f;              \
    PLACE_B = k0 + y < K && col < N ? B[(k0 + y) * N + col] : 0.0f;            \
    __syncthreads();
#define END                                                                    \
    __syncthreads();                                                           \
  }                                                                            \
  if (row < M && col < N)                                                      \
    C[row * N + col] = acc;

// Rows and columns are threads: the tile says how many.
// CHECK: contraction "all_bits" {
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: require blockDim.x == 32
#pragma warpwright matmul
__global__ void all_bits(const float *A, const float *B, float *C, int M, int N,
                         int K) {
  PLACE
  FILL(As[y][x ^ y], Bs[y][x])
  for (int k = 0; k < T; ++k)
    acc += As[y][k ^ y] * Bs[k][x];
  END
}

// Some bits of the row move some bits of the column.
// CHECK: contraction "some_bits" {
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void some_bits(const float *A, const float *B, float *C, int M,
                          int N, int K) {
  PLACE
  FILL(As[y][x ^ ((y & 3) << 3)], Bs[y][x ^ ((y >> 1 & 7) << 2)])
  for (int k = 0; k < T; ++k)
    acc += As[y][k ^ ((y & 3) << 3)] * Bs[k][x ^ ((k >> 1 & 7) << 2)];
  END
}

// The same number for all rows.
// CHECK: contraction "constants" {
// CHECK: operand A = A[%m * K + %k]:f32
#pragma warpwright matmul
__global__ void constants(const float *A, const float *B, float *C, int M,
                          int N, int K) {
  PLACE
  FILL(As[y][x ^ 5], Bs[y][x ^ 3])
  for (int k = 0; k < T; ++k)
    acc += As[y][k ^ 5] * Bs[k][x ^ 3];
  END
}

// DECLINED: :[[#@LINE+10]]:{{[0-9]+}}: warning: 'other_row' is not rewritten: {{.*}} [WW204]
#pragma warpwright matmul
__global__ void other_row(const float *A, const float *B, float *C, int M,
                          int N, int K) {
  PLACE
  FILL(As[y][x ^ y], Bs[y][x])
  for (int k = 0; k < T; ++k)
    // Row y was not swizzled by y + 1: A's k is in another order than B's.
    // (It is not the tile that is wrong, but the product.)
    acc += As[y][k ^ ((y + 1) & 31)] * Bs[k][x];
  END
}

// DECLINED: :[[#@LINE+8]]:{{[0-9]+}}: warning: 'one_side' is not rewritten: {{.*}} [WW204]
#pragma warpwright matmul
__global__ void one_side(const float *A, const float *B, float *C, int M, int N,
                         int K) {
  PLACE
  FILL(As[y][x ^ (y & 7)], Bs[y][x])
  for (int k = 0; k < T; ++k)
    acc += As[y][k] * Bs[k][x];
  END
}

// Columns that are made of a thread and of the number of one of its elements, in
// rows that are padded, so that their length is not that of the block.
template <int Mask> __device__ void in_pairs(const float *A, const float *B,
                                             float *C, int M, int N, int K) {
  __shared__ float As[2 * T][T + 8], Bs[T][2 * T + 8];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = (blockIdx.y * T + y) * 2, col = (blockIdx.x * T + x) * 2;
  float acc[2][2] = {};
  for (int k0 = 0; k0 < K; k0 += T) {
    for (int m = 0; m < 2; ++m)
      As[y * 2 + m][x ^ ((y * 2 + m) & 7)] =
          row + m < M && k0 + x < K ? A[(row + m) * K + k0 + x] : 0.0f;
    for (int n = 0; n < 2; ++n)
      Bs[y][(x * 2 + n) ^ (y & 7)] =
          k0 + y < K && col + n < N ? B[(k0 + y) * N + col + n] : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k)
      for (int m = 0; m < 2; ++m)
        for (int n = 0; n < 2; ++n)
          acc[m][n] += As[y * 2 + m][k ^ ((y * 2 + m) & 7)] *
                       Bs[k][(x * 2 + n) ^ (k & Mask)];
    __syncthreads();
  }
  for (int m = 0; m < 2; ++m)
    for (int n = 0; n < 2; ++n)
      if (row + m < M && col + n < N)
        C[(row + m) * N + col + n] = acc[m][n];
}

// CHECK: contraction "pairs" {
// CHECK: index %m < min(64 * gridDim.y, M)
// CHECK-NEXT: index %n < min(64 * gridDim.x, N)
// CHECK-NEXT: index %k < K
// CHECK-NEXT: operand A = A[%m * K + %k]:f32
// CHECK-NEXT: operand B = B[%k * N + %n]:f32
// CHECK: require blockDim.x == 32
#pragma warpwright matmul
__global__ void pairs(const float *A, const float *B, float *C, int M, int N,
                      int K) {
  in_pairs<7>(A, B, C, M, N, K);
}

// Elements of B are found where those of other columns are.
//
// DECLINED: warning: 'other_pairs' is not rewritten: {{.*}} [WW2{{04|23}}]
#pragma warpwright matmul
__global__ void other_pairs(const float *A, const float *B, float *C, int M,
                            int N, int K) {
  in_pairs<3>(A, B, C, M, N, K);
}

// Halves of a row that are exchanged where bit 2 of the row is set.
#define BY_CONDITION(Of, Bit)                                                  \
  PLACE                                                                        \
  FILL(As[y][x ^ ((y & 4) ? 16 : 0)], Bs[y][x])                                \
  for (int k = 0; k < T; ++k)                                                  \
    acc += As[y][k ^ (((Of) & 4) Bit ? 16 : 0)] * Bs[k][x];                    \
  END

// CHECK: contraction "by_condition" {
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void by_condition(const float *A, const float *B, float *C, int M, int N, int K) {
  BY_CONDITION(y, == 4)
}

// DECLINED: warning: 'by_other_condition' is not rewritten: {{.*}} [WW2{{04|23}}]
#pragma warpwright matmul
__global__ void by_other_condition(const float *A, const float *B, float *C, int M, int N, int K) {
  BY_CONDITION(y, == 0)
}

// DECLINED: warning: 'by_condition_of_column' is not rewritten: {{.*}} [WW2{{04|23}}]
#pragma warpwright matmul
__global__ void by_condition_of_column(const float *A, const float *B, float *C, int M, int N, int K) {
  BY_CONDITION(k, == 4)
}

// Neither 0 nor 4 is 2.
//
// DECLINED: warning: 'by_no_condition' is not rewritten: {{.*}} [WW2{{04|23}}]
#pragma warpwright matmul
__global__ void by_no_condition(const float *A, const float *B, float *C, int M, int N, int K) {
  BY_CONDITION(y, == 2)
}
