// Tiles that are filled as far as the matrix goes, without zeros beyond, and
// multiplied as far: the loop's end says that the element was stored.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse > %t 2> %t.messages
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.messages --check-prefix=DECLINED

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
KERNEL(both_bounds, for (int k = 0; k < T && k0 + k < K; ++k) acc +=
                    As[y][k] * Bs[k][x];)

// CHECK: contraction "smaller" {
// CHECK: index %k < K
#pragma warpwright matmul
KERNEL(smaller, const int end = min(T, K - k0);
       for (int k = 0; k < end; ++k) acc += As[y][k] * Bs[k][x];)

// CHECK: contraction "left_early" {
// CHECK: index %k < K
#pragma warpwright matmul
KERNEL(
    left_early, for (int k = 0; k < T; ++k) {
      if (k0 + k >= K)
        break;
      acc += As[y][k] * Bs[k][x];
    })

// DECLINED: 'one_more' is not rewritten: 'As' is read here
#pragma warpwright matmul
KERNEL(one_more, for (int k = 0; k < T && k0 + k <= K; ++k) acc +=
                 As[y][k] * Bs[k][x];)

// DECLINED: 'no_bound' is not rewritten: 'As' is read here
#pragma warpwright matmul
KERNEL(no_bound, for (int k = 0; k < T; ++k) acc += As[y][k] * Bs[k][x];)
