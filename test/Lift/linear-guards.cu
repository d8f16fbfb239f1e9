// Guards of the index of an element in its matrix, `row * K + k < M * K`: with
// what is known of rows and columns they bound the sum, or hold.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t 2>%t.no
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.no --check-prefix=DECLINED --implicit-check-not=WW220 --implicit-check-not=WW507

#define T 16
#define KERNEL(NAME, INSIDE_A, INSIDE_B)                                       \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    __shared__ float As[T][T], Bs[T][T];                                       \
    const int x = threadIdx.x, y = threadIdx.y;                                \
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;              \
    float acc = 0.0f;                                                          \
    for (int t = 0; t < (K + T - 1) / T; ++t) {                                \
      int at = row * K + t * T + x;                                            \
      As[y][x] = INSIDE_A ? A[at] : 0;                                         \
      at = (t * T + y) * N + col;                                              \
      Bs[y][x] = INSIDE_B ? B[at] : 0;                                         \
      __syncthreads();                                                         \
      for (int k = 0; k < T; ++k)                                              \
        acc += As[y][k] * Bs[k][x];                                            \
      __syncthreads();                                                         \
    }                                                                          \
    if (row < M && col < N)                                                    \
      C[row * N + col] = acc;                                                  \
  }

// What A has beyond its row are elements of the next one, by which zeros of B are
// multiplied.
//
// CHECK: contraction "linear" {
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK: index %k < 16 * floordiv(K + 15, 16)
// CHECK: require 16 * floordiv(K + 15, 16) <= K : "one of the two operands is not 0 beyond the sum's range"
#pragma warpwright matmul
KERNEL(linear, at < M *K, at < K *N)

// CHECK: contraction "linear_by_not" {
// CHECK: require 16 * floordiv(K + 15, 16) <= K
#pragma warpwright matmul
KERNEL(linear_by_not, !(at >= K * M), !(at > K * N - 1))

// Both operands are 0 from K on.
//
// CHECK: contraction "linear_b" {
// CHECK: index %k < K
// CHECK-NOT: is not 0 beyond
// CHECK: }
#pragma warpwright matmul
KERNEL(linear_b, row < M &&t *T + x < K, at < K *N)

// One element more than there are.
//
// DECLINED: [[#@LINE+2]]:{{[0-9]+}}: warning: 'one_more' is not rewritten: {{.*}} [WW216]
#pragma warpwright matmul
KERNEL(one_more, at < M *K, at <= K *N)

// DECLINED: [[#@LINE+2]]:{{[0-9]+}}: warning: 'one_more_of_a' is not rewritten: {{.*}} [WW216]
#pragma warpwright matmul
KERNEL(one_more_of_a, at < M *K + 1, at < K *N)

// Rows of another width.
//
// DECLINED: [[#@LINE+2]]:{{[0-9]+}}: warning: 'other_width' is not rewritten: {{.*}} [WW216]
#pragma warpwright matmul
KERNEL(other_width, at < M *K, at < K *M)
