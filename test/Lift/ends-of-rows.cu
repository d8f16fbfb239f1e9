// Pairs of which the second element is copied by itself, or cleared, at the end
// of a row.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.lifted 2>%t.declined
// RUN: FileCheck %s <%t.declined --implicit-check-not="is not rewritten"
// RUN: FileCheck %s --check-prefix=LIFTED <%t.lifted

#define T 16
#define KERNEL(Else)                                                           \
  __shared__ float As[T][T], Bs[T][T];                                         \
  const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 8 + tx;             \
  const int r = tid / 8, c = tid % 8 * 2;                                      \
  const int row = blockIdx.y * T + r, col = blockIdx.x * T + c;                \
  float sum[2] = {0.0f, 0.0f};                                                 \
  for (int k0 = 0; k0 < K; k0 += T) {                                          \
    if (row < M && k0 + c + 1 < K) {                                           \
      As[r][c] = A[row * K + k0 + c];                                          \
      As[r][c + 1] = A[row * K + k0 + c + 1];                                  \
    } else {                                                                   \
      Else                                                                     \
    }                                                                          \
    if (k0 + r < K && col + 1 < N) {                                           \
      Bs[r][c] = B[(k0 + r) * N + col];                                        \
      Bs[r][c + 1] = B[(k0 + r) * N + col + 1];                                \
    } else {                                                                   \
      Bs[r][c] = k0 + r < K && col < N ? B[(k0 + r) * N + col] : 0.0f;         \
      Bs[r][c + 1] = 0.0f;                                                     \
    }                                                                          \
    __syncthreads();                                                           \
    for (int k = 0; k < T; ++k)                                                \
      for (int j = 0; j < 2; ++j)                                              \
        sum[j] += As[ty][k] * Bs[k][tx * 2 + j];                               \
    __syncthreads();                                                           \
  }                                                                            \
  for (int j = 0; j < 2; ++j)                                                  \
    if (blockIdx.y * T + ty < M && blockIdx.x * T + tx * 2 + j < N)            \
      C[(blockIdx.y * T + ty) * N + blockIdx.x * T + tx * 2 + j] = sum[j];
#define ARGS const float *A, const float *B, float *C, int M, int N, int K

// LIFTED-LABEL: contraction "pairs" {
// LIFTED: index %m < min(16 * gridDim.y, M)
// LIFTED: index %n < min(16 * gridDim.x, N)
// LIFTED: index %k < K
// LIFTED: operand A = A[%m * K + %k]:f32
// LIFTED: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void pairs(ARGS) {
  KERNEL(As[r][c] = row < M && k0 + c < K ? A[row * K + k0 + c] : 0.0f;
         As[r][c + 1] = 0.0f;)
}

// The last element of a row of odd length is left out.
//
// LIFTED-LABEL: contraction "both_cleared" {
// LIFTED: index %k < 2 * floordiv(K, 2)
// LIFTED: require 2 * floordiv(K, 2) == K || {{.*}} : "one of the two operands is not 0 beyond the sum's range"
#pragma warpwright matmul
__global__ void both_cleared(ARGS) {
  KERNEL(As[r][c] = 0.0f; As[r][c + 1] = 0.0f;)
}

// CHECK: 'second_kept' is not rewritten: 'As' is read here {{.*}} [WW223]
#pragma warpwright matmul
__global__ void second_kept(ARGS) {
  KERNEL(As[r][c] = row < M && k0 + c < K ? A[row * K + k0 + c] : 0.0f;)
}

// The single element goes to the place of the second one.
//
// CHECK: 'exchanged' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void exchanged(ARGS) {
  KERNEL(As[r][c + 1] = row < M && k0 + c < K ? A[row * K + k0 + c] : 0.0f;
         As[r][c] = 0.0f;)
}

//===----------------------------------------------------------------------===//
// Columns in variables of their own, under conditions of their own
//===----------------------------------------------------------------------===//

// The first condition is that of the loop or of the return.
#define COLUMNS(Head, Ask, AskStore)                                           \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  if (row >= M)                                                                \
    return;                                                                    \
  Head {                                                                       \
    float a = 0.0f, b = 0.0f, c = 0.0f;                                        \
    for (int k = 0; k < K; ++k) {                                              \
      const float x = A[row * K + k];                                          \
      a += x * B[k * N + n];                                                   \
      if (n + 1 < N)                                                           \
        b += x * B[k * N + n + 1];                                             \
      if (Ask)                                                                 \
        c += x * B[k * N + n + 2];                                             \
    }                                                                          \
    C[row * N + n] = a;                                                        \
    if (n + 1 < N)                                                             \
      C[row * N + n + 1] = b;                                                  \
    if (AskStore)                                                              \
      C[row * N + n + 2] = c;                                                  \
  }
#define LOOP for (int n = 0; n < N; n += 3)
#define THREAD                                                                 \
  const int n = 3 * (blockIdx.x * blockDim.x + threadIdx.x);                   \
  if (n < N)

// LIFTED-LABEL: contraction "in_loop" {
// LIFTED: index %n < N
// LIFTED: operand B = B[%k * N + %n]:f32
// LIFTED: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void in_loop(ARGS){COLUMNS(LOOP, n + 2 < N, n + 2 < N)}

// LIFTED-LABEL: contraction "in_thread" {
// LIFTED: index %n < min(3 * blockDim.x * gridDim.x, N)
// LIFTED: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void in_thread(ARGS){COLUMNS(THREAD, n + 2 < N, n + 2 < N)}

// What is stored has no terms where only the store is asked for less.
//
// CHECK: 'less_to_sum' is not rewritten: {{.*}} [WW2
#pragma warpwright matmul
__global__ void less_to_sum(ARGS){COLUMNS(LOOP, n + 3 < N, n + 2 < N)}

// The last column is stored beyond the row, where the next one begins.
//
// CHECK: 'beyond' is not rewritten: {{.*}} [WW2
#pragma warpwright matmul
__global__ void beyond(ARGS){COLUMNS(LOOP, n + 2 < N, n + 1 < N)}

// CHECK: 'never_last' is not rewritten: {{.*}} [WW2
#pragma warpwright matmul
__global__ void never_last(ARGS) {
  COLUMNS(THREAD, n + 2 < N, n + 3 < N)
}
