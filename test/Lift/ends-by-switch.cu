// The end of a row by a `switch` that falls through, over what is left of it, as
// it is or as a remainder by four, and without a default.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t 2>%t.no
// RUN: FileCheck %s --input-file=%t
// RUN: FileCheck %s --input-file=%t.no --check-prefix=DECLINED --implicit-check-not=WW220 --implicit-check-not=WW507

#define T 16
#define KERNEL(NAME, LEFT, FIRST, SECOND, THIRD)                               \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    __shared__ float As[T][T], Bs[T][T];                                       \
    const int tid = threadIdx.x, x = tid % T, y = tid / T;                     \
    const int r = tid / 4, q = tid % 4 * 4;                                    \
    const int row = blockIdx.y * T + y, col = blockIdx.x * T + x;              \
    float s = 0;                                                               \
    for (int k0 = 0; k0 < K; k0 += T) {                                        \
      if (tid < 64) {                                                          \
        float4 v = make_float4(0, 0, 0, 0);                                    \
        const float *p = A + (blockIdx.y * T + r) * K + k0 + q;                \
        const int left = K - k0 - q;                                           \
        if (blockIdx.y * T + r < M) {                                          \
          if (left >= 4)                                                       \
            v = make_float4(p[0], p[1], p[2], p[3]);                           \
          else if (left > 0)                                                   \
            switch (LEFT) {                                                    \
            case FIRST: v.z = p[2];                                            \
            case SECOND: v.y = p[1];                                           \
            case THIRD: v.x = p[0];                                            \
            }                                                                  \
        }                                                                      \
        As[r][q] = v.x, As[r][q + 1] = v.y;                                    \
        As[r][q + 2] = v.z, As[r][q + 3] = v.w;                                \
      }                                                                        \
      Bs[y][x] = k0 + y < K && col < N ? B[(k0 + y) * N + col] : 0;            \
      __syncthreads();                                                         \
      for (int k = 0; k < T; ++k)                                              \
        s += As[y][k] * Bs[k][x];                                              \
      __syncthreads();                                                         \
    }                                                                          \
    if (row < M && col < N)                                                    \
      C[row * N + col] = s;                                                    \
  }

// CHECK: contraction "as_it_is" {
// CHECK: index %k < K
#pragma warpwright matmul
KERNEL(as_it_is, left, 3, 2, 1)

// CHECK: contraction "masked" {
// CHECK: index %k < K
#pragma warpwright matmul
KERNEL(masked, left & 3, 3, 2, 1)

// CHECK-NOT: contraction "remainder where
// CHECK: contraction "remainder" {
// CHECK: index %k < K
#pragma warpwright matmul
KERNEL(remainder, left % 4, 3, 2, 1)

// Two of three, and the other one.
//
// DECLINED: [[#@LINE+2]]:{{[0-9]+}}: warning: 'one_left_out' is not rewritten: {{.*}} [WW223]
#pragma warpwright matmul
KERNEL(one_left_out, left & 3, 3, 1, 2)

// Of eight numbers those from four on have no case.
//
// CHECK: contraction "masked_by_seven" {
// CHECK: index %k < K
#pragma warpwright matmul
KERNEL(masked_by_seven, left & 7, 3, 2, 1)
