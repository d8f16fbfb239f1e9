// One loop over k that fills a tile where the next one begins.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t 2>%t.no
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.no --check-prefix=DECLINED

#define FLAT(NAME, T, LOOP, ASKS, FILL, BARRIER)                               \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    __shared__ float a[T][T], b[T][T];                                         \
    const int x = threadIdx.x, y = threadIdx.y;                                \
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;              \
    float s = 0, last = 0;                                                     \
    for (LOOP) {                                                               \
      if (ASKS) {                                                              \
        __syncthreads();                                                       \
        a[y][x] = row < M && k + x < K ? A[row * K + k + x] : 0;               \
        b[y][x] = k + y < K && col < N ? B[(k + y) * N + col] : 0;             \
        BARRIER;                                                               \
        FILL;                                                                  \
      }                                                                        \
      s += a[y][k % T] * b[k % T][x];                                          \
    }                                                                          \
    if (row < M && col < N)                                                    \
      C[row * N + col] = s + last;                                             \
  }

// CHECK: contraction "remainder" {
// CHECK: index %m < min(16 * gridDim.y, M)
// CHECK-NEXT: index %n < min(16 * gridDim.x, N)
// CHECK-NEXT: index %k < K
// CHECK-NEXT: operand A = A[%m * K + %k]:f32
// CHECK-NEXT: operand B = B[%k * N + %n]:f32
// CHECK: require {{.*}} <= 2147483647 : "a number leaves its 32 bits"
#pragma warpwright matmul
FLAT(remainder, 16, int k = 0; k < K; ++k, k % 16 == 0, , __syncthreads())

// CHECK: contraction "mask" {
// CHECK: index %k < K
#pragma warpwright matmul
FLAT(mask, 32, unsigned k = 0; k < (unsigned)K; ++k, !(k & 31), ,
     __syncthreads())

// CHECK: contraction "no_power" {
// CHECK: index %k < K
#pragma warpwright matmul
FLAT(no_power, 24, int k = 0; k < K; ++k, k % 24 == 0, , __syncthreads())

// The tile is not filled before the first term.
//
// DECLINED: warning: 'begins_late' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
FLAT(begins_late, 16, int k = 1; k < K; ++k, k % 16 == 0, , __syncthreads())

// DECLINED: warning: 'other_place' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
FLAT(other_place, 16, int k = 0; k < K; ++k, k % 16 == 1, , __syncthreads())

// The tile is filled half as often as it is used up.
//
// DECLINED: warning: 'too_rarely' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
FLAT(too_rarely, 16, int k = 0; k < K; ++k, k % 32 == 0, , __syncthreads())

// DECLINED: warning: 'no_barrier' is not rewritten: {{.*}} [WW22{{[0-9]}}]
#pragma warpwright matmul
FLAT(no_barrier, 16, int k = 0; k < K; ++k, k % 16 == 0, , )

// The end is a number at which the next tile need not begin.
//
// DECLINED: warning: 'until_equal' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
FLAT(until_equal, 16, int k = 0; k != K; ++k, k % 16 == 0, , __syncthreads())

// What the code that fills the tile sets is read by all iterations.
//
// DECLINED: warning: 'hands_over' is not rewritten: {{.*}} [WW202]
#pragma warpwright matmul
FLAT(hands_over, 16, int k = 0; k < K; ++k, k % 16 == 0, last = s,
     __syncthreads())

// What is computed of k before the test is used behind the loop, where k is the
// end and not the first one of another tile.
//
// DECLINED: warning: 'end_is_used' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
__global__ void end_is_used(const float *A, const float *B, float *C, int M,
                            int N, int K) {
  __shared__ float a[16][16], b[16][16];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
  float s = 0;
  int twice = 0;
  for (int k = 0; twice = 2 * k, k < K; ++k) {
    if (k % 16 == 0) {
      __syncthreads();
      a[y][x] = row < M && k + x < K ? A[row * K + k + x] : 0;
      b[y][x] = k + y < K && col < N ? B[(k + y) * N + col] : 0;
      __syncthreads();
    }
    s += a[y][k % 16] * b[k % 16][x];
  }
  if (row < M && col < N)
    C[row * N + col] = s + twice;
}
