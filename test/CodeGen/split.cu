// Float operands: between TMA and wgmma a transform stage rewrites them as fp16
// parts. The structs of a section say how many stand for an element.

// RUN: %warpwright rewrite %s -o %t.cu -- %parse
// RUN: FileCheck %s < %t.cu
// RUN: FileCheck %s --check-prefix=ONE < %t.cu
// RUN: FileCheck %s --check-prefix=REGISTERS < %t.cu
// RUN: FileCheck %s --check-prefix=MIXED < %t.cu

#include <cuda_fp16.h>

template <class T>
__device__ void product(const float *A, const T *B, float *C, int M, int N,
                        int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += A[row * K + k] * float(B[k * N + col]);
    C[row * N + col] = acc;
  }
}

#pragma warpwright matmul tile(128, 128, 32)
__global__ void floats(const float *A, const float *B, float *C, int M, int N,
                       int K) {
  product(A, B, C, M, N, K);
}

#pragma warpwright matmul tile(64, 128, 32) precision(tf32) swap_ab(off)
__global__ void rounded(const float *A, const float *B, float *C, int M, int N,
                        int K) {
  product(A, B, C, M, N, K);
}

#pragma warpwright matmul tile(256, 128, 32) precision(tf32) swap_ab(off)
__global__ void registers(const float *A, const float *B, float *C, int M,
                          int N, int K) {
  product(A, B, C, M, N, K);
}

#pragma warpwright matmul
__global__ void mixed(const float *A, const half *B, float *C, int M, int N,
                      int K) {
  product(A, B, C, M, N, K);
}

// CHECK:       struct f32_f32_f32_{{[0-9a-f]+}} : v2::decisions {
// CHECK-NEXT:    using a_element = float;
// CHECK-NEXT:    using b_element = float;
// CHECK-NEXT:    using c_element = float;
// CHECK-NEXT:    static constexpr int a_parts = 2, b_parts = 2;
// CHECK-NEXT:    static constexpr bool b_k_major = false,
// CHECK:       struct plan_tile : Types {
// CHECK:         tile_m = 128, tile_n = 128, tile_k = 32, stages =
// CHECK-NEXT:    static constexpr int consumer_groups = 2, transform_groups = 2;
// CHECK-NEXT:  };

// ONE-LABEL:  {{^}}struct f32_f32_f32_{{[0-9a-f]+}} : v2::decisions {
// ONE:          a_parts = 1, b_parts = 1;
// ONE:        struct plan_tile : Types {
// ONE-NOT:      rows_in_registers
// ONE:        using all =

// REGISTERS-LABEL: struct plan_tile : Types {
// REGISTERS:         static constexpr bool rows_in_registers = true;

// Sides are the plan's: the operands' parts stay with A and B.
// MIXED-LABEL: {{^}}struct f32_f16_f32_{{[0-9a-f]+}} : v2::decisions {
// MIXED-NEXT:    using a_element = float;
// MIXED-NEXT:    using b_element = __half;
// MIXED:         a_parts = 2, b_parts = 1;
// MIXED-LABEL: struct plan_skinny_m : Types {
// MIXED:         swap_ab = true;
// MIXED-NOT:     parts
// MIXED:       using all =
