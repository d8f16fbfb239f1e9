// What is done to elements before they are multiplied is shown behind `as`. A
// factor that is the same for every k is a factor of the finished sum.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s

#include <cuda_fp16.h>

#define ARGS                                                                   \
  const half *A, const half *B, float *C, const float *s, int M, int N, int K, \
      float alpha
#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float x = 0;
#define LEFT __half2float(A[row * K + k])
#define RIGHT __half2float(B[k * N + col])
#define KERNEL(NAME, TERM)                                                     \
  _Pragma("warpwright matmul") __global__ void NAME(ARGS) {                    \
    PLACE                                                                      \
    for (int k = 0; k < K; ++k)                                                \
      x += TERM;                                                               \
    C[row * N + col] = x;                                                      \
  }

// CHECK-DAG: 'beside_plain' is not rewritten: the elements of 'A' are scaled per k by 's' before they are multiplied, which a plan does, beside several sums, only to the factor that they share; {{.*}} [WW310]
// CHECK-DAG: 'differences' is not rewritten: each iteration adds something that is not one product [WW217]
// CHECK-DAG: 'squares' is not rewritten: each iteration adds something that is not one product [WW217]
// CHECK-DAG: 'greater' is not rewritten: 'fmaxf' is applied to what is summed [WW217]
// CHECK-DAG: 'by_output' is not rewritten: 'C' is both multiplied and stored to [WW208]
// CHECK-DAG: 'triangle' is not rewritten: an operand of the product depends on a condition [WW217]
// CHECK-DAG: 'masked' is not rewritten: which products are summed depends on more than the range of the loop: on loaded data [WW216]

// CHECK-LABEL: contraction "per_k" {
// CHECK: operand A = A[%m * K + %k]:f16 as (f32(A[%m * K + %k]:f16) * s[%k]:f32)
// CHECK-NEXT: operand B = B[%k * N + %n]:f16{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
KERNEL(per_k, LEFT * s[k] * RIGHT)

// CHECK-LABEL: contraction "per_group" {
// CHECK: operand A = A[%m * K + %k]:f16{{$}}
// CHECK-NEXT: operand B = B[%k * N + %n]:f16 as (f32(B[%k * N + %n]:f16) * s[N * floordiv(%k, 32) + %n]:f32)
KERNEL(per_group, LEFT *(RIGHT *s[k / 32 * N + col]))

// Rows stay one index, whatever the factor divides.
// CHECK-LABEL: contraction "per_block" {
// CHECK: operand A = A[%m * K + %k]:f16 as (f32(A[%m * K + %k]:f16) * s[floordiv(%m, 128) * floordiv(K, 128) + floordiv(%k, 128)]:f32)
// CHECK-NEXT: operand B = B[%k * N + %n]:f16{{$}}
KERNEL(per_block, LEFT *s[row / 128 * (K / 128) + k / 128] * RIGHT)

// CHECK-LABEL: contraction "per_row" {
// CHECK: operand A = A[%m * K + %k]:f16{{$}}
// CHECK: output C[%m * N + %n]:f32 = ((alpha:f32 * s[%m]:f32) * acc)
KERNEL(per_row, alpha *s[row] * LEFT *RIGHT)

// CHECK-LABEL: contraction "negated" {
// CHECK: operand A = A[%m * K + %k]:f16{{$}}
// CHECK: output C[%m * N + %n]:f32 = -(acc)
KERNEL(negated, -LEFT *RIGHT)

// CHECK-LABEL: contraction "rectified" {
// CHECK: operand A = A[%m * K + %k]:f16 as call.f32 "fmaxf"(f32(A[%m * K + %k]:f16), 0.0f:f32)
KERNEL(rectified, fmaxf(LEFT, 0.0f) * RIGHT)

// CHECK-LABEL: contraction "rectified_by_hand" {
// CHECK: operand A = A[%m * K + %k]:f16 as select(fcmp(f32(A[%m * K + %k]:f16) > 0.0f:f32), f32(A[%m * K + %k]:f16), 0.0f:f32)
KERNEL(rectified_by_hand, (LEFT > 0 ? LEFT : 0) * RIGHT)

// CHECK-LABEL: contraction "shifted" {
// CHECK: operand A = A[%m * K + %k]:f16 as (f32(A[%m * K + %k]:f16) + s[%k]:f32)
KERNEL(shifted, (LEFT + s[k]) * RIGHT)

// CHECK-LABEL: contraction "shifted_and_scaled" {
// CHECK: operand A = A[%m * K + %k]:f16 as (s[%k]:f32 * (f32(A[%m * K + %k]:f16) - s[%m]:f32))
// CHECK: output C[%m * N + %n]:f32 = (alpha:f32 * acc)
KERNEL(shifted_and_scaled, s[k] * (LEFT - s[row]) * alpha * RIGHT)

// CHECK-LABEL: contraction "passed" {
// CHECK: operand B = B[%k * N + %n]:f16 as call.f32 "expf"(f32(B[%k * N + %n]:f16))
KERNEL(passed, LEFT *expf(RIGHT))

// CHECK-LABEL: contraction "rounded" {
// CHECK: operand A = s[%m * K + %k]:f32 as f32(f16(s[%m * K + %k]:f32))
KERNEL(rounded, __half2float(__float2half(s[row * K + k])) * RIGHT)

// A product that is rounded before the other element comes is no sum in half: the
// rounding, beyond which there are infinities, is the operand's.
// CHECK-LABEL: contraction "rounded_after" {
// CHECK: operand A = s[%m * K + %k]:f32 as f32(f16((s[%m * K + %k]:f32 * alpha:f32)))
// CHECK-NEXT: operand B = B[%k * N + %n]:f16 as f32((B[%k * N + %n]:f16 * A[%k]:f16))
// CHECK: accumulate f32{{$}}
KERNEL(rounded_after, __half2float(__float2half(s[row * K + k] * alpha)) *
                          __half2float(__hmul(B[k * N + col], A[k])))

// So it is where the other factor is a constant by which products are rounded even if
// the elements are small integers.
// CHECK-LABEL: contraction "rounded_third" {
// CHECK: operand B = B[%k * N + %n]:f16 as f32(f16((f32(B[%k * N + %n]:f16) * 0.300000012f:f32)))
// CHECK: accumulate f32{{$}}
KERNEL(rounded_third, LEFT *__half2float(__float2half(RIGHT * 0.3f)))

// A number that is computed counts as such a constant, and a third in half as well.
// CHECK-LABEL: contraction "rounded_root" {
// CHECK: operand B = B[%k * N + %n]:f16 as f32(f16((f32(B[%k * N + %n]:f16) * call.f32 "rsqrtf"(int.f32(K)))))
// CHECK: accumulate f32{{$}}
KERNEL(rounded_root,
       LEFT *__half2float(__float2half(RIGHT * rsqrtf((float)K))))

// CHECK-LABEL: contraction "third_in_half" {
// CHECK: operand A = A[%m * K + %k]:f16 as f32((f16(0.300000012f:f32) * A[%m * K + %k]:f16))
// CHECK-NEXT: operand B = B[%k * N + %n]:f16{{$}}
// CHECK: accumulate f32 for f16
KERNEL(third_in_half, __half2float(__hmul(__hmul(__float2half(0.3f), A[row * K + k]),
                                          B[k * N + col])))

// Products with an eighth are rounded only where they are nearly 0, which no infinity
// has to meet.
// CHECK-LABEL: contraction "rounded_eighth" {
// CHECK: operand A = A[%k * M + %m]:f16{{$}}
// CHECK: accumulate f32 for f16
KERNEL(rounded_eighth,
       __half2float(__float2half(__half2float(A[k * M + row]) * 0.125f)) * RIGHT)

// CHECK-LABEL: contraction "rounded_byte" {
// CHECK: operand B = B[%k * N + %n]:u8 as f32((f16(u16(B[%k * N + %n]:u8)) * f16(0.300000012f:f32)))
// CHECK: accumulate f32{{$}}
#pragma warpwright matmul
__global__ void rounded_byte(const half *A, const unsigned char *B, float *C,
                             int M, int N, int K) {
  PLACE
  for (int k = 0; k < K; ++k)
    x += LEFT * __half2float(__hmul(__ushort2half_rn(B[k * N + col]),
                                    __float2half(0.3f)));
  C[row * N + col] = x;
}

// But that of the whole product is.
// CHECK-LABEL: contraction "rounded_whole" {
// CHECK: operand A = A[%m * K + %k]:f16{{$}}
// CHECK: accumulate f32 for f16
KERNEL(rounded_whole,
       __half2float(__hmul(A[row * K + k], B[k * N + col])))

// CHECK-LABEL: contraction "both" {
// CHECK: operand A = A[%m * K + %k]:f16 as (s[%k]:f32 * call.f32 "fmaxf"(f32(A[%m * K + %k]:f16), 0.0f:f32))
// CHECK-NEXT: operand B = B[%k * N + %n]:f16 as (f32(B[%k * N + %n]:f16) - alpha:f32)
KERNEL(both, s[k] * fmaxf(LEFT, 0.0f) * (RIGHT - alpha))

// Of two sums one is chosen: what the other one is need not be defined.
// CHECK-LABEL: contraction "optional" {
// CHECK: operand A = A[%m * K + %k]:f16 as (f32(A[%m * K + %k]:f16) * s[%k]:f32)
// CHECK: output C[%m * N + %n]:f32 = acc{{$}}
// CHECK: require nonnull(s) :
// CHECK-LABEL: contraction "optional" {
// CHECK: operand A = A[%m * K + %k]:f16{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc{{$}}
// CHECK: require !(nonnull(s)) :
#pragma warpwright matmul
__global__ void optional(ARGS) {
  PLACE
  if (s)
    for (int k = 0; k < K; ++k)
      x += LEFT * s[k] * RIGHT;
  else
    for (int k = 0; k < K; ++k)
      x += LEFT * RIGHT;
  C[row * N + col] = x;
}

// CHECK-LABEL: contraction "beside_plain" {
// CHECK: sum acc1
// CHECK: output C[%m * N + %n]:f32 = (acc * acc1)
#pragma warpwright matmul
__global__ void beside_plain(ARGS) {
  PLACE
  float y = 0;
  for (int k = 0; k < K; ++k) {
    x += LEFT * s[k] * RIGHT;
    y += LEFT * RIGHT;
  }
  C[row * N + col] = x * y;
}

// A type that is narrower than float needs no words.
// CHECK-LABEL: contraction "bytes" {
// CHECK: operand A = A[%m * K + %k]:u8{{$}}
#pragma warpwright matmul
__global__ void bytes(const unsigned char *A, const half *B, float *C,
                      const float *s, int M, int N, int K) {
  PLACE
  for (int k = 0; k < K; ++k)
    x += A[row * K + k] * s[row] * RIGHT;
  C[row * N + col] = x;
}

// CHECK-LABEL: contraction "weighted" {
// CHECK: operand A = A[%m * K + %k]:f16 as (f32(A[%m * K + %k]:f16) * int.f32(%k + 1))
KERNEL(weighted, LEFT *(k + 1) * RIGHT)

// The zeros of a tile stay zeros: the bound of the tile is that of the sum.
// CHECK-LABEL: contraction "late" {
// CHECK: index %k < K
// CHECK-NEXT: operand A = A[%m * K + %k]:f16 as call.f32 "fmaxf"(f32(A[%m * K + %k]:f16), 0.0f:f32)
// CHECK-NOT: not 0 beyond
#define T 16
#define TILES(NAME, TERM)                                                      \
  _Pragma("warpwright matmul") __global__ void NAME(ARGS) {                    \
    __shared__ float As[T][T], Bs[T][T];                                       \
    const int tx = threadIdx.x, ty = threadIdx.y;                              \
    const int row = blockIdx.y * T + ty, col = blockIdx.x * T + tx;            \
    float x = 0;                                                               \
    for (int k0 = 0; k0 < K; k0 += T) {                                        \
      As[ty][tx] = row < M && k0 + tx < K ? float(A[row * K + k0 + tx]) : 0;   \
      Bs[ty][tx] = k0 + ty < K && col < N ? float(B[(k0 + ty) * N + col]) : 0; \
      __syncthreads();                                                         \
      for (int k = 0; k < T; ++k)                                              \
        x += TERM;                                                             \
      __syncthreads();                                                         \
    }                                                                          \
    if (row < M && col < N)                                                    \
      C[row * N + col] = x;                                                    \
  }
TILES(late, fmaxf(As[ty][k], 0.0f) * Bs[k][tx])

// But zero times what stands behind the factors need not be zero.
// CHECK-LABEL: contraction "scaled_tile" {
// CHECK: operand A = A[%m * K + %k]:f16 as (f32(A[%m * K + %k]:f16) * s[%k]:f32)
// CHECK: require 16 * floordiv(K + 15, 16) <= K : "one of the two operands is not 0 beyond the sum's range"
TILES(scaled_tile, As[ty][k] * s[k0 + k] * Bs[k][tx])

// What is no function of one operand's indices times one of the other's.
KERNEL(differences, (LEFT - RIGHT) * LEFT)
KERNEL(squares, (LEFT + RIGHT) * (LEFT + RIGHT))
KERNEL(greater, fmaxf(LEFT, RIGHT))
KERNEL(by_output, (LEFT + C[k]) * RIGHT)
KERNEL(triangle, (k <= row ? LEFT : 1.0f) * RIGHT)
KERNEL(masked, s[k] > 0.0f ? LEFT * RIGHT : 0.0f)
