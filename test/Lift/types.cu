// Float operands, operands of two types, and elements that are loaded as
// vectors.

// RUN: %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0.0f;
#define ARGS(T, U) const T *A, const U *B, float *C, int M, int N, int K
typedef __nv_bfloat16 bf16;
typedef __nv_bfloat162 bf162;

// CHECK-LABEL: contraction "plain"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void plain(ARGS(float, float)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "fused"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: accumulate f32{{$}}
#pragma warpwright matmul
__global__ void fused(ARGS(float, float)) {
  PLACE
  for (int k = 0; k < K; k += 2) {
    acc = __fmaf_rn(__ldg(&A[row * K + k]), __ldg(B + k * N + col), acc);
    acc = fmaf(A[row * K + k + 1], B[(k + 1) * N + col], acc);
  }
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "rounded_products"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: accumulate f32{{$}}
#pragma warpwright matmul
__global__ void rounded_products(ARGS(float, float)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc = __fadd_rn(__fmul_rn(A[row * K + k], B[k * N + col]), acc);
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "float_half"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f16
// CHECK: accumulate f32{{$}}
#pragma warpwright matmul
__global__ void float_half(ARGS(float, half)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "bf16_float"
// CHECK: operand A = A[%m * K + %k]:bf16
// CHECK: operand B = B[%k * N + %n]:f32
// CHECK: accumulate f32{{$}}
#pragma warpwright matmul
__global__ void bf16_float(ARGS(bf16, float)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += (float)A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "half_bf16"
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%k * N + %n]:bf16
// CHECK: accumulate f32{{$}}
#pragma warpwright matmul
__global__ void half_bf16(ARGS(half, bf16)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * __bfloat162float(B[k * N + col]);
  C[row * N + col] = acc;
}

// What the sum is kept in.
// CHECK-LABEL: contraction "in_double"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: accumulate f64
#pragma warpwright matmul
__global__ void in_double(ARGS(float, float)) {
  PLACE
  double sum = 0;
  for (int k = 0; k < K; ++k)
    sum += (double)A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum;
}

// Products in double, each sum rounded to float.
// CHECK-LABEL: contraction "double_products"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: accumulate f32{{$}}
#pragma warpwright matmul
__global__ void double_products(ARGS(float, float)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += (double)A[row * K + k] * (double)B[k * N + col];
  C[row * N + col] = acc;
}

// Four elements of a row with one load.
// CHECK-LABEL: contraction "four_by_row"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%k * N + %n]:f32
#pragma warpwright matmul
__global__ void four_by_row(ARGS(float, float)) {
  PLACE
  for (int k = 0; k < K; k += 4) {
    float4 a = *reinterpret_cast<const float4 *>(&A[row * K + k]);
    acc += a.x * B[k * N + col] + a.y * B[(k + 1) * N + col] +
           a.z * B[(k + 2) * N + col] + a.w * B[(k + 3) * N + col];
  }
  C[row * N + col] = acc;
}

__device__ float dot(const float4 &a, float4 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

// CHECK-LABEL: contraction "pointer_to_vectors"
// CHECK: index %k < 4 * floordiv(K, 4)
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%n * K + %k]:f32
#pragma warpwright matmul
__global__ void pointer_to_vectors(ARGS(float, float)) {
  PLACE
  const float4 *a = reinterpret_cast<const float4 *>(A + row * K);
  const float4 *b = (const float4 *)(B + col * K);
  for (int k = 0; k < K / 4; ++k, ++a)
    acc += dot(*a, __ldg(b + k));
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "members"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%n * K + %k]:f32
#pragma warpwright matmul
__global__ void members(ARGS(float, float)) {
  PLACE
  for (int k = 0; k < K; k += 2) {
    const float2 &a = reinterpret_cast<const float2 &>(A[row * K + k]);
    const float2 *b = reinterpret_cast<const float2 *>(B + col * K + k);
    acc = fmaf(a.x, b->x, acc);
    acc = fmaf(a.y, b->y, acc);
  }
  C[row * N + col] = acc;
}

// Vectors that go through a local array, an assignment and a function.
// CHECK-LABEL: contraction "through_locals"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%n * K + %k]:f32
#pragma warpwright matmul
__global__ void through_locals(ARGS(float, float)) {
  PLACE
  for (int k = 0; k < K; k += 4) {
    float a[4];
    float4 b = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    *reinterpret_cast<float4 *>(a) =
        *reinterpret_cast<const float4 *>(A + row * K + k);
    b = *reinterpret_cast<const float4 *>(B + col * K + k);
    acc += a[0] * b.x + a[1] * b.y + a[2] * b.z + a[3] * b.w;
  }
  C[row * N + col] = acc;
}

// The parameters point to vectors themselves.
// CHECK-LABEL: contraction "vector_parameters"
// CHECK: operand A = A[4 * %m * K + %k]:f32
// CHECK: operand B = B[4 * %n * K + %k]:f32
#pragma warpwright matmul
__global__ void vector_parameters(ARGS(float4, float4)) {
  PLACE
  for (int k = 0; k < K; ++k) {
    float4 a = A[row * K + k];
    float4 b = B[col * K + k];
    acc += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
  }
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "pairs_of_half"
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%n * K + %k]:f32
#pragma warpwright matmul
__global__ void pairs_of_half(ARGS(half, float)) {
  PLACE
  for (int k = 0; k < K; k += 2) {
    float2 a = __half22float2(*reinterpret_cast<const half2 *>(&A[row * K + k]));
    float2 b = *reinterpret_cast<const float2 *>(&B[col * K + k]);
    acc += a.x * b.x + a.y * b.y;
  }
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "halves_of_a_pair"
// CHECK: operand A = A[%m * K + %k]:bf16
// CHECK: operand B = B[%n * K + %k]:f16
#pragma warpwright matmul
__global__ void halves_of_a_pair(ARGS(bf16, half)) {
  PLACE
  for (int k = 0; k < K; k += 2) {
    bf162 a = *reinterpret_cast<const bf162 *>(&A[row * K + k]);
    half2 b;
    b = *reinterpret_cast<const half2 *>(&B[col * K + k]);
    acc += __low2float(a) * __half2float(b.x) +
           __high2float(a) * __half2float(__high2half(b));
  }
  C[row * N + col] = acc;
}

// Operators on the elements of a pair are half operators.
// CHECK-LABEL: contraction "float2_of_bf162"
// CHECK: operand A = A[%m * K + %k]:bf16
// CHECK: operand B = B[%n * K + %k]:bf16
#pragma warpwright matmul
__global__ void float2_of_bf162(ARGS(bf16, bf16)) {
  PLACE
  for (int k = 0; k < K; k += 2) {
    float2 a = __bfloat1622float2(*(const bf162 *)&A[row * K + k]);
    float2 b = __bfloat1622float2(((const bf162 *)(B + col * K))[k / 2]);
    acc += a.x * b.x;
    acc += a.y * b.y;
  }
  C[row * N + col] = acc;
}

// One of two elements, and which one is known before the kernel runs.
// CHECK-LABEL: contraction "stored_either_way<float, true>"
// CHECK: operand A = A[%m * K + %k]:f32
// CHECK: operand B = B[%n * K + %k]:f32
#pragma warpwright matmul
template <typename T, bool Transposed>
__global__ void stored_either_way(const T *A, const T *B, T *C, int M, int N,
                                  int K) {
  PLACE
  for (int k = 0; k < K; ++k) {
    const T b = Transposed ? B[col * K + k] : B[k * N + col];
    acc += float(A[row * K + k]) * float(b);
  }
  C[row * N + col] = T(acc);
}
template __global__ void stored_either_way<float, true>(const float *,
                                                        const float *, float *,
                                                        int, int, int);
