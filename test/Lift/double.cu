// Sums in double, and elements of double: the contraction has their types. The
// FP64 tensor cores take products of doubles, and of floats as doubles; the
// planner declines what sums in float would not keep.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>%t.err | FileCheck %s --implicit-check-not=contraction
// RUN: FileCheck %s --check-prefix=ERR < %t.err

#include <cuda_fp16.h>
#define PLACE(T)                                                               \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  T acc = 0;
#define ARGS(T, U, V) const T *A, const U *B, V *C, int M, int N, int K

// ERR-NOT: WW2
// ERR-NOT: 'dgemm' is not rewritten
// CHECK-LABEL: contraction "dgemm"
// CHECK: operand A = A[%m * K + %k]:f64
// CHECK: operand B = B[%k * N + %n]:f64
// CHECK: accumulate f64{{$}}
// CHECK: output C[%m * N + %n]:f64 = ((alpha:f64 * acc) + (beta:f64 * C[%m * N + %n]:f64))
#pragma warpwright matmul
__global__ void dgemm(ARGS(double, double, double), double alpha, double beta) {
  PLACE(double)
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = alpha * acc + beta * C[row * N + col];
}

// Exact products of floats.
// ERR-NOT: 'widened' is not rewritten
// CHECK-LABEL: contraction "widened"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: accumulate f64{{$}}
// CHECK: output C[%m * N + %n]:f64 = acc
#pragma warpwright matmul
__global__ void widened(ARGS(float, float, double)) {
  PLACE(double)
  for (int k = 0; k < K; ++k)
    acc += (double)A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// ERR: 'widened_fma' is not rewritten: its products are added in double; the tensor cores' sums in float would be less exact [WW302]
// CHECK-LABEL: contraction "widened_fma"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f16
// CHECK: accumulate f64{{$}}
// CHECK: output C[%m * N + %n]:f64 = acc
#pragma warpwright matmul
__global__ void widened_fma(ARGS(float, __half, double)) {
  PLACE(double)
  for (int k = 0; k < K; ++k)
    acc = fma((double)A[row * K + k], (double)__half2float(B[k * N + col]), acc);
  C[row * N + col] = acc;
}

// Products that are rounded to float before they are added.
// ERR-NOT: 'rounded' is not rewritten
// CHECK-LABEL: contraction "rounded"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: accumulate f64 for f32{{$}}
// CHECK: output C[%m * N + %n]:f64 = acc
#pragma warpwright matmul
__global__ void rounded(ARGS(float, float, double)) {
  PLACE(double)
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// Only the result is a float.
// ERR-NOT: 'stored' is not rewritten
// CHECK-LABEL: contraction "stored"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: accumulate f64{{$}}
// CHECK: output C[%m * N + %n]:f32 = f32(acc)
#pragma warpwright matmul
__global__ void stored(ARGS(float, float, float)) {
  PLACE(double)
  for (int k = 0; k < K; ++k)
    acc += (double)A[row * K + k] * (double)B[k * N + col];
  C[row * N + col] = (float)acc;
}

// A float sum of products in double is rounded to float at every step.
// ERR: 'summed' is not rewritten: its products are added in f32, which double sums do not reproduce [WW302]
// CHECK-LABEL: contraction "summed"
// CHECK: operand A = A[%m * K + %k]:f64
// CHECK: operand B = B[%k * N + %n]:f64
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void summed(ARGS(double, double, float)) {
  PLACE(float)
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// An element of double that is rounded to float first is no element.
// ERR: 'narrowed' is not rewritten: the elements of 'A' are rounded to f32 before they are multiplied, which a plan does to elements of half, bfloat16, float, int8, uint8, e4m3 and e5m2 only, not of f64;
// CHECK-LABEL: contraction "narrowed"
// CHECK: operand A = A[%m * K + %k]:f64 as f32(A[%m * K + %k]:f64)
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void narrowed(ARGS(double, float, float)) {
  PLACE(float)
  for (int k = 0; k < K; ++k)
    acc += (float)A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}
// ERR-NOT: WW2
// ERR: 'partial' is not rewritten: what a loop inside sums in f32 is converted to f64 before it is added [WW217]
#pragma warpwright matmul
__global__ void partial(ARGS(float, float, double)) {
  PLACE(double)
  for (int b = 0; b < K / 8; ++b) {
    float part = 0;
    for (int k = 0; k < 8; ++k)
      part += A[row * K + b * 8 + k] * B[(b * 8 + k) * N + col];
    acc += part;
  }
  C[row * N + col] = acc;
}
// ERR: 'cut' is not rewritten: {{.*}} [WW2
#pragma warpwright matmul
__global__ void cut(ARGS(double, double, double)) {
  PLACE(double)
  for (int k = 0; k < K; ++k)
    acc += (int)(A[row * K + k] * B[k * N + col]);
  C[row * N + col] = acc;
}
// Products of doubles that are rounded to float, and a sum of them that is.
// ERR: 'narrow_products' is not rewritten: its products or sums of doubles are rounded to f32, which double sums do not reproduce [WW302]
// CHECK-LABEL: contraction "narrow_products"
// CHECK: accumulate f64 for f32{{$}}
#pragma warpwright matmul
__global__ void narrow_products(ARGS(double, double, double)) {
  PLACE(double)
  for (int k = 0; k < K; ++k)
    acc += (float)(A[row * K + k] * B[k * N + col]);
  C[row * N + col] = acc;
}
// ERR: 'narrow_sum' is not rewritten: its products or sums of doubles are rounded to f32, which double sums do not reproduce [WW302]
// CHECK-LABEL: contraction "narrow_sum"
// CHECK: accumulate f64 for f32{{$}}
#pragma warpwright matmul
__global__ void narrow_sum(ARGS(double, double, double)) {
  PLACE(double)
  for (int k = 0; k < K; ++k)
    acc = (float)(acc + A[row * K + k] * B[k * N + col]);
  C[row * N + col] = acc;
}
