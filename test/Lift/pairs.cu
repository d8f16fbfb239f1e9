// Lanes of pairs, and pairs that are added and multiplied by operators.

// RUN: %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s --implicit-check-not=WW507

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define PLACE                                                                  \
  const int m = blockIdx.y * blockDim.y + threadIdx.y,                         \
            n = blockIdx.x * blockDim.x + threadIdx.x;                         \
  if (m >= M || n >= N)                                                        \
    return;

// CHECK: contraction "operators" {
// CHECK: index %k < 2 * pairs
// CHECK: operand A = A[2 * %m * pairs + %k]:bf16
// CHECK: operand B = B[2 * %n * pairs + %k]:bf16
// CHECK: accumulate f32 for bf16
// CHECK: output C[%m * N + %n]:bf16 = bf16(acc)
#pragma warpwright matmul
__global__ void operators(const __nv_bfloat162 *A, const __nv_bfloat162 *B,
                          __nv_bfloat16 *C, int M, int N, int pairs) {
  PLACE
  __nv_bfloat162 acc = __float2bfloat162_rn(0.0f);
  for (int k = 0; k < pairs; ++k)
    acc += A[m * pairs + k] * B[n * pairs + k];
  C[m * N + n] = __low2bfloat16(acc) + __high2bfloat16(acc);
}

// Both products of a pair with one lane of the other operand.
// CHECK: contraction "lanes" {
// CHECK: index %k < 2 * pairs
// CHECK: operand A = A[2 * %m * pairs + %k]:f16
// CHECK: operand B = B[%k * N + %n]:f16
#pragma warpwright matmul
__global__ void lanes(const half *A, const half *B, half *C, int M, int N,
                      int pairs) {
  PLACE
  half2 acc = __float2half2_rn(0.0f);
  for (int k = 0; k < pairs; ++k) {
    const half2 a = reinterpret_cast<const half2 *>(A)[m * pairs + k];
    const half2 b = __halves2half2(B[2 * k * N + n], B[(2 * k + 1) * N + n]);
    acc = __hfma2(__low2half2(a), __lows2half2(b, __float2half2_rn(0.0f)), acc);
    acc = __hfma2(__high2half2(a), __highs2half2(b, __float2half2_rn(0.0f)),
                  acc);
  }
  C[m * N + n] = acc.x;
}

// Each lane by the other one: two products, not a loop of two.
// CHECK: contraction "crossed" {
// CHECK: index %k < pairs
// CHECK: operand A = A[2 * %m * pairs + 2 * %k]:f16
// CHECK-NEXT: operand B = B[2 * %k * N + %n + N]:f16
// CHECK-NEXT: plus
// CHECK-NEXT: operand A = A[2 * %m * pairs + 2 * %k + 1]:f16
// CHECK-NEXT: operand B = B[2 * %k * N + %n]:f16
#pragma warpwright matmul
__global__ void crossed(const half *A, const half *B, half *C, int M, int N,
                        int pairs) {
  PLACE
  half2 acc = __float2half2_rn(0.0f);
  for (int k = 0; k < pairs; ++k) {
    const half2 a = reinterpret_cast<const half2 *>(A)[m * pairs + k];
    const half2 b = __halves2half2(B[2 * k * N + n], B[(2 * k + 1) * N + n]);
    acc = __hfma2(__low2half2(a), __high2half2(b), acc);
    acc = __hfma2(__high2half2(a), __low2half2(b), acc);
  }
  C[m * N + n] = acc.x;
}
