// The tile that is multiplied after a loop over two buffers, by several names of
// its buffer. What the name asks of the number of tiles is asked of the launch;
// the other buffer is declined.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse > %t 2> %t.messages
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.messages --check-prefix=DECLINED

#define T 16
#define KERNEL(NAME, LAST)                                                     \
  __global__ void NAME(const float *A, const float *B, float *C, int N,        \
                       int K) {                                                \
    __shared__ float As[2][T][T], Bs[2][T][T];                                 \
    const int x = threadIdx.x, y = threadIdx.y;                                \
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;              \
    const int tiles = (K + T - 1) / T;                                         \
    float acc = 0.0f;                                                          \
    As[0][y][x] = A[row * K + x];                                              \
    Bs[0][y][x] = B[y * N + col];                                              \
    __syncthreads();                                                           \
    for (int t = 1; t < tiles; ++t) {                                          \
      const int now = (t - 1) & 1, next = t & 1;                               \
      As[next][y][x] = A[row * K + t * T + x];                                 \
      Bs[next][y][x] = B[(t * T + y) * N + col];                               \
      for (int k = 0; k < T; ++k)                                              \
        acc += As[now][y][k] * Bs[now][k][x];                                  \
      __syncthreads();                                                         \
    }                                                                          \
    for (int k = 0; k < T; ++k)                                                \
      acc += As[LAST][y][k] * Bs[LAST][k][x];                                  \
    C[row * N + col] = acc;                                                    \
  }

// CHECK: contraction "by_bit" {
// CHECK: index %k < 16 * floordiv(K + 15, 16)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: require floordiv(K + 15, 16) - 1 >= 0 : "a loop runs a negative number of times"
// CHECK-NOT: require mod
// CHECK: }
#pragma warpwright matmul
KERNEL(by_bit, (tiles - 1) & 1)

// CHECK: contraction "one_more" {
// CHECK: index %k < 16 * floordiv(K + 15, 16)
// CHECK-NOT: require mod
// CHECK: }
#pragma warpwright matmul
KERNEL(one_more, (tiles + 1) % 2)

// CHECK: contraction "other_side" {
// CHECK: index %k < 16 * floordiv(K + 15, 16)
#pragma warpwright matmul
KERNEL(other_side, 1 - tiles % 2)

// Right where the number of tiles is even.
// CHECK: contraction "second" {
// CHECK: index %k < 16 * floordiv(K + 15, 16)
// CHECK: require mod(floordiv(K + 15, 16) - 1, 2) == 1 : "mod(floordiv(K + 15, 16) - 1, 2) is not 1"
#pragma warpwright matmul
KERNEL(second, 1)

// Right where it is odd.
// CHECK: contraction "first" {
// CHECK: index %k < 16 * floordiv(K + 15, 16)
// CHECK: require mod(floordiv(K + 15, 16) - 1, 2) == 0 : "mod(floordiv(K + 15, 16) - 1, 2) is not 0"
#pragma warpwright matmul
KERNEL(first, 0)

// DECLINED: 'wrong_bit' is not rewritten: 'As' is read here where it may still hold what an earlier iteration stored [WW223]
#pragma warpwright matmul
KERNEL(wrong_bit, tiles & 1)

// DECLINED: 'by_thread' is not rewritten: 'As' is read here at an element
#pragma warpwright matmul
KERNEL(by_thread, threadIdx.x & 1)
