// What becomes of the sum: any expression, in the user's own terms.

// RUN: %warpwright rewrite --emit=contraction %s -- %parse | FileCheck %s

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define SUM                                                                    \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);        \
  const int at = row * N + col;
#define ARGS const half *A, const half *B, half *C, int M, int N, int K

// CHECK-LABEL: contraction "alpha_beta"
// CHECK: output C[%m * N + %n]:f16 = f16(((alpha:f32 * acc) + (beta:f32 * f32(C[%m * N + %n]:f16))))
#pragma warpwright matmul
__global__ void alpha_beta(ARGS, float alpha, float beta) {
  SUM
  C[at] = __float2half(alpha * acc + beta * __half2float(C[at]));
}

// CHECK-LABEL: contraction "relu_if"
// CHECK: f16(select(fcmp(acc < 0.0f:f32), 0.0f:f32, acc))
#pragma warpwright matmul
__global__ void relu_if(ARGS) {
  SUM
  if (acc < 0.0f)
    acc = 0.0f;
  C[at] = __float2half(acc);
}

// CHECK-LABEL: contraction "relu_max"
// CHECK: f16(call.f32 "fmaxf"(acc, 0.0f:f32))
#pragma warpwright matmul
__global__ void relu_max(ARGS) {
  SUM
  C[at] = __float2half(fmaxf(acc, 0.f));
}

__device__ float gelu(float x) {
  return 0.5f * x * (1.0f + erff(x * 0.70710678f));
}

// A function of the user's stays a call.
// CHECK-LABEL: contraction "gelu_bias"
// CHECK: f16(call.f32 "gelu"((acc + f32(bias[%n]:f16))))
#pragma warpwright matmul
__global__ void gelu_bias(ARGS, const half *bias) {
  SUM
  acc += __half2float(bias[col]);
  C[at] = __float2half(gelu(acc));
}

// CHECK-LABEL: contraction "bias_if_given"
// CHECK: f16(select(nonnull(bias), (acc + bias[%m]:f32), acc))
#pragma warpwright matmul
__global__ void bias_if_given(ARGS, const float *bias) {
  SUM
  if (bias)
    acc += bias[row];
  C[at] = __float2half(acc);
}

// CHECK-LABEL: contraction "scales"
// CHECK: f16(((acc * rows[%m]:f32) * columns[%n]:f32))
#pragma warpwright matmul
__global__ void scales(ARGS, const float *rows, const float *columns) {
  SUM
  C[at] = __float2half(acc * rows[row] * columns[col]);
}

// CHECK-LABEL: contraction "residual"
// CHECK: f16((acc + f32(R[%m * ldr + %n]:f16)))
#pragma warpwright matmul
__global__ void residual(ARGS, const half *R, int ldr) {
  SUM
  C[at] = __float2half(acc + __half2float(R[row * ldr + col]));
}

// CHECK-LABEL: contraction "two_outputs"
// CHECK: output D[%m * N + %n]:f32 = acc
// CHECK: output C[%m * N + %n]:f16 = f16(acc)
#pragma warpwright matmul
__global__ void two_outputs(ARGS, float *D) {
  SUM
  D[at] = acc;
  C[at] = __float2half(acc);
}

// A choice at run time.
// CHECK-LABEL: contraction "activation"
// CHECK: f16(select(act == 1, call.f32 "fmaxf"(acc, 0.0f:f32), select(act == 2, call.f32 "tanhf"(acc), acc)))
#pragma warpwright matmul
__global__ void activation(ARGS, int act) {
  SUM
  float v = acc;
  if (act == 1)
    v = fmaxf(v, 0.0f);
  else if (act == 2)
    v = tanhf(v);
  C[at] = __float2half(v);
}

enum class Act { None, Relu };
template <Act A>
__device__ float apply(float x) {
  if (A == Act::Relu)
    return x > 0 ? x : 0;
  return x;
}

// CHECK-LABEL: contraction "enumerated<Act::Relu>"
// CHECK: f16(call.f32 "apply<Act::Relu>"(acc))
#pragma warpwright matmul
template <Act F>
__global__ void enumerated(ARGS) {
  SUM
  C[at] = __float2half(apply<F>(acc));
}
template __global__ void enumerated<Act::Relu>(const half *, const half *,
                                               half *, int, int, int);

// The position of the element is a value like any other.
// CHECK-LABEL: contraction "causal"
// CHECK: f16(select(%n > %m, -(1.0E+4f:f32), acc))
#pragma warpwright matmul
__global__ void causal(ARGS) {
  SUM
  if (col > row)
    acc = -1.0e4f;
  C[at] = __float2half(acc);
}

// CHECK-LABEL: contraction "position"
// CHECK: f16((acc + int.f32(%m + %n)))
#pragma warpwright matmul
__global__ void position(ARGS) {
  SUM
  C[at] = __float2half(acc + (float)(row + col));
}

// Computed in half, as the original does.
// CHECK-LABEL: contraction "half_epilogue"
// CHECK: output C[%m * N + %n]:f16 = (f16(acc) + bias[%n]:f16)
#pragma warpwright matmul
__global__ void half_epilogue(ARGS, const half *bias) {
  SUM
  C[at] = __hadd(__float2half(acc), bias[col]);
}

// Column-major C: its contiguous index is called n, the operands change roles.
// CHECK-LABEL: contraction "column_major"
// CHECK: operand A = B[%m * ldb + %k]:f16
// CHECK: operand B = A[%k * lda + %n]:f16
// CHECK: output C[%m * ldc + %n]:f16
// CHECK: exchanged
#pragma warpwright matmul
__global__ void column_major(const half *A, const half *B, half *C, int M,
                             int N, int K, int lda, int ldb, int ldc) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < M && j < N) {
    float acc = 0;
    for (int p = 0; p < K; ++p)
      acc += __half2float(A[i + p * lda]) * __half2float(B[p + j * ldb]);
    C[i + j * ldc] = __float2half(acc);
  }
}
