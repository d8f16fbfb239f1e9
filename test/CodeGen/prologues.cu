// What the original does to elements before it multiplies them is computed by
// the transform stage, in the original's own terms, before they are split.

// RUN: %warpwright rewrite %s -o %t.cu -- %parse
// RUN: grep -v '^// [A-Z-]*:' %t.cu > %t.section
// RUN: FileCheck %s < %t.section
// RUN: FileCheck %s --check-prefix=BOTH < %t.section
// RUN: FileCheck %s --check-prefix=ROUNDED < %t.section
// RUN: FileCheck %s --check-prefix=PLAIN < %t.section

#include <cuda_fp16.h>

#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float sum = 0.0f;

// An output that is stored to must not be the array that is read for factors:
// that is read until the last product is computed.
// CHECK:       struct f16_f16_f32_{{[0-9a-f]+}} : v2::decisions {
// CHECK:         using a_factor = float;
// CHECK:         a_computed = true;
// CHECK-LABEL: struct scaled_epilogue_{{[0-9a-f]+}} {
// CHECK-NEXT:    const float *scale;
// CHECK:         /// What is multiplied for the element of A at (m, k) of batch b.
// CHECK-NEXT:    __device__ __forceinline__ float factor_of_a(__half element, int, int k,
// CHECK-NEXT:    int) const {
// CHECK:           return __half2float(element) * scale[k];
// CHECK:       {"A", A, rt::Type::f16, rt::Use::operand,
// CHECK:       {"scale", scale, rt::Type::f32, rt::Use::factor, 0, {0, 0, 0, 1}},
// CHECK:       {"C", C, rt::Type::f32, rt::Use::output,
#pragma warpwright matmul
__global__ void scaled(const half *A, const half *B, float *C, int M, int N,
                       int K, const float *scale) {
  PLACE
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[row * K + k]) * scale[k] *
           __half2float(B[k * N + col]);
  C[row * N + col] = sum;
}

// Members that the kernel calls have fixed names: those of parameters give way.
// BOTH:         a_computed = true, b_computed = true;
// BOTH-LABEL: struct both_epilogue_{{[0-9a-f]+}} {
// BOTH-NEXT:    const float *user_factor_of_b;
// BOTH:         float factor_of_a(float element, int m, int,
// BOTH:           return element - user_factor_of_b[m];
// BOTH:         float factor_of_b(float element, int, int k,
// BOTH:           return element * static_cast<float>(int64_t(k / 8) + 2);
#pragma warpwright matmul
__global__ void both(const float *A, const float *B, float *C, int M, int N,
                     int K, const float *factor_of_b) {
  PLACE
  for (int k = 0; k < K; ++k)
    sum += (A[row * K + k] - factor_of_b[row]) *
           (B[k * N + col] * float(k / 8 + 2));

  C[row * N + col] = sum;
}

// What is rounded to half needs one part, and rounding again changes nothing.
// ROUNDED:       // Products: A (f32, computed) as one fp16 part of scaled elements, all bits,
// ROUNDED-LABEL: struct rounded_epilogue_{{[0-9a-f]+}} {
// ROUNDED:         float factor_of_a(float element, int, int,
// ROUNDED:           return __half2float(__float2half(element));
#pragma warpwright matmul
__global__ void rounded(const float *A, const half *B, float *C, int M, int N,
                        int K) {
  PLACE
  for (int k = 0; k < K; ++k)
    sum += __half2float(__float2half(A[row * K + k])) *
           __half2float(B[k * N + col]);
  C[row * N + col] = sum;
}

// Other kernels have nothing of this.
// PLAIN-LABEL: struct plain_epilogue_{{[0-9a-f]+}} {
// PLAIN-NOT:   computed
// PLAIN-NOT:   factor_of
#pragma warpwright matmul
__global__ void plain(const float *A, const float *B, float *C, int M, int N,
                      int K) {
  PLACE
  for (int k = 0; k < K; ++k)
    sum += A[row * K + k] * B[k * N + col];
  C[row * N + col] = sum;
}
