// What is accumulated, and from where.

// RUN: %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;

// Remarks come first.
// CHECK: half_sum{{.*}} accumulates in half{{.*}}[WW501]
// CHECK: half_operators{{.*}} accumulates in half{{.*}}[WW501]

// CHECK-LABEL: contraction "from_bias"
// CHECK: output C[%m * N + %n]:f16 = f16((f32(bias[%n]:f16) + acc))
#pragma warpwright matmul
__global__ void from_bias(const half *A, const half *B, const half *bias,
                          half *C, int M, int N, int K) {
  PLACE
  float acc = __half2float(bias[col]);
  for (int k = 0; k < K; ++k)
    acc = fmaf(__half2float(A[row * K + k]), __half2float(B[k * N + col]), acc);
  C[row * N + col] = __float2half(acc);
}

// CHECK-LABEL: contraction "from_c"
// CHECK: output C[%m * N + %n]:f32 = (C[%m * N + %n]:f32 + acc)
#pragma warpwright matmul
__global__ void from_c(const half *A, const half *B, float *C, int M, int N,
                       int K) {
  PLACE
  float acc = C[row * N + col];
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * (float)B[k * N + col];
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "in_memory"
// CHECK: output C[%m * N + %n]:f32 = ((C[%m * N + %n]:f32 * beta:f32) + (alpha:f32 * acc))
#pragma warpwright matmul
__global__ void in_memory(const half *A, const half *B, float *C, int M, int N,
                          int K, float alpha, float beta) {
  PLACE
  C[row * N + col] *= beta;
  for (int k = 0; k < K; ++k)
    C[row * N + col] +=
        alpha * __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
}

// CHECK-LABEL: contraction "half_sum"
// CHECK: accumulate f32 for f16
// CHECK: output C[%m * N + %n]:f16 = f16(acc)
#pragma warpwright matmul
__global__ void half_sum(const half *A, const half *B, half *C, int M, int N,
                         int K) {
  PLACE
  half acc = __float2half(0.0f);
  for (int k = 0; k < K; ++k)
    acc = __hadd(acc, __hmul(A[row * K + k], B[k * N + col]));
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "half_operators"
// CHECK: accumulate f32 for bf16
#pragma warpwright matmul
__global__ void half_operators(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                               __nv_bfloat16 *C, int M, int N, int K) {
  PLACE
  __nv_bfloat16 acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// Named factors, and B before A.
// CHECK-LABEL: contraction "named"
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%k * N + %n]:f16
// CHECK-NOT: exchanged
#pragma warpwright matmul
__global__ void named(const half *A, const half *B, half *C, int M, int N,
                      int K) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k) {
    const float a = __half2float(__ldg(A + row * K + k));
    const float b = __half2float(__ldg(&B[k * N + col]));
    float product = b * a;
    acc = product + acc;
  }
  C[row * N + col] = __float2half_rn(acc);
}

// CHECK-LABEL: contraction "subtracted"
// CHECK: output C[%m * N + %n]:f32 = -(acc)
#pragma warpwright matmul
__global__ void subtracted(const half *A, const half *B, float *C, int M, int N,
                           int K) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc -= __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

// Zero-filled beyond the range.
// CHECK-LABEL: contraction "zero_filled"
// CHECK: index %k < min(K, limit)
#pragma warpwright matmul
__global__ void zero_filled(const half *A, const half *B, float *C, int M,
                            int N, int K, int limit) {
  PLACE
  float acc = 0;
  for (int k = 0; k < limit; ++k) {
    float a = k < K ? __half2float(A[row * K + k]) : 0.0f;
    float b = k < K ? __half2float(B[k * N + col]) : 0.0f;
    acc += a * b;
  }
  C[row * N + col] = acc;
}

// The same matrix twice.
// CHECK-LABEL: contraction "gram"
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = A[%n * K + %k]:f16
#pragma warpwright matmul
__global__ void gram(const half *A, float *C, int M, int K) {
  int N = M;
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(A[col * K + k]);
  C[row * N + col] = acc;
}

// A chain of products that begins with one.
// CHECK-LABEL: contraction "chain"
// CHECK: index %k < 2 * floordiv(K + 1, 2)
// CHECK: operand A = A[%m * K + %k]:f16
#pragma warpwright matmul
__global__ void chain(const half *A, const half *B, float *C, int M, int N,
                      int K) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; k += 2) {
    float two = fmaf(__half2float(A[row * K + k]),
                     __half2float(B[k * N + col]), 0.f);
    two = fmaf(__half2float(A[row * K + k + 1]),
               __half2float(B[(k + 1) * N + col]), two);
    acc += two;
  }
  C[row * N + col] = acc;
}
