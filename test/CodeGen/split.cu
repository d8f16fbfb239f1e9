// Float operands: between TMA and wgmma a transform stage rewrites them as fp16
// parts. The plan's numbers are constants, the stages have names, and a swap of
// the operands changes sides where the operands differ.

// RUN: %warpwright rewrite %s -o %t.cu -- %parse
// RUN: FileCheck %s < %t.cu
// RUN: FileCheck %s --check-prefix=LOW < %t.cu
// RUN: FileCheck %s --check-prefix=ONE < %t.cu
// RUN: FileCheck %s --check-prefix=REGISTERS < %t.cu
// RUN: FileCheck %s --check-prefix=MIXED < %t.cu
// RUN: FileCheck %s --check-prefix=ROUNDS < %t.cu

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

#pragma warpwright matmul tile(64, 128, 32) precision(tf32)
__global__ void rounded(const float *A, const float *B, float *C, int M, int N,
                        int K) {
  product(A, B, C, M, N, K);
}

#pragma warpwright matmul tile(256, 128, 32) precision(tf32)
__global__ void registers(const float *A, const float *B, float *C, int M,
                          int N, int K) {
  product(A, B, C, M, N, K);
}

#pragma warpwright matmul
__global__ void mixed(const float *A, const half *B, float *C, int M, int N,
                      int K) {
  product(A, B, C, M, N, K);
}

// CHECK-LABEL: // >>> warpwright: floats
// CHECK:       {{^}}struct floats_tile {
// CHECK:         // Transform: from elements to parts, in blocks of a warp each.
// CHECK-NEXT:    static constexpr int transform_groups = 2;
// CHECK:         static constexpr int block_rows = 32;
// CHECK:         /// x * scale = high + low / 2^low_shift.
// CHECK-NEXT:    struct split {
// CHECK:         /// A, k-major; raw: S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0)).
// CHECK-NEXT:    struct rows {
// CHECK-NEXT:      using element = float;
// CHECK-NEXT:      static constexpr bool k_major = true;
// CHECK:           /// Parts, in fp16: S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0)).
// CHECK-NEXT:      struct parts {
// CHECK-NEXT:        static constexpr int count = 2;
// CHECK:             static constexpr int stride_bytes = 1024;
// CHECK:         /// B, n-major; raw: ((32,4),32):((1,1024),32).
// CHECK-NEXT:    struct cols {
// CHECK-NEXT:      using element = float;
// CHECK-NEXT:      static constexpr bool k_major = false;
// CHECK:           static constexpr int swizzle_bytes = 16;
// CHECK:           static constexpr int boxes = 4;
// CHECK:           struct parts {
// CHECK:             static constexpr int swizzle_bytes = 128;
// CHECK:       {{^}}floats_transform(
// CHECK:           rt::split_block<Plan, typename Plan::rows>(
// CHECK:           rt::split_block<Plan, typename Plan::cols>(
// CHECK:         rt::publish_stage(&ready[at.stage]);
// CHECK:       floats_multiply(
// CHECK:         rt::barrier_wait(&ready[at.stage], at.phase);
// CHECK:         rt::scale_low_products<Plan>(acc);
// CHECK:         rt::promote<Plan, floats_fragment>(
// CHECK:         rt::multiply_raw<Plan, floats_fragment>(
// CHECK:         __syncwarp();
// CHECK:         rt::release_stage<Plan::cluster_size>(&empty[at.stage]);
// CHECK:       floats_hopper(
// CHECK:         uint64_t *ready = empty + Plan::stages;
// CHECK:         rt::barrier_init(&ready[stage], Plan::ready_arrivals);
// CHECK:         rt::release_registers<Plan::producer_registers>();
// CHECK:         } else if (warpgroup <= Plan::transform_groups) {
// CHECK-NEXT:      rt::release_registers<Plan::transform_registers>();
// CHECK-NEXT:      floats_transform<Plan>(
// CHECK:         rt::claim_registers<Plan::consumer_registers>();

// Low times high both ways, then high times high.
// LOW-LABEL:  {{^}}floats_multiply(
// LOW:          rt::wgmma_f16<true, true>(
// LOW:          cols_at + rt::descriptor_step(cols_parts::low_bytes, 1),
// LOW:          rt::wgmma_f16<true, true>(
// LOW-NEXT:     acc[0], rows_at + rt::descriptor_step(rows_parts::low_bytes, 1),
// LOW:          rt::wgmma_f16<true, true>(
// LOW-NEXT:     rows + rt::descriptor_step(rows_parts::k_step_bytes, step),

// ONE-LABEL:  {{^}}struct rounded_tile {
// ONE-NOT:      k_slot
// ONE:          static constexpr int count = 1; // 11 bits of each element
// ONE-LABEL:  {{^}}rounded_multiply(
// ONE-NOT:      low_bytes
// ONE-NOT:      scale_low_products
// ONE:          rt::promote<

// What is in registers has no descriptor, and the transform leaves it alone.
// REGISTERS-LABEL: {{^}}struct registers_tile {
// REGISTERS:         rows_in_registers = true;
// REGISTERS:         /// Where an instruction has k, of rows and columns: (4,2,2):(2,1,8).
// REGISTERS-NEXT:    static __device__ constexpr unsigned k_slot(unsigned k) {
// REGISTERS-NEXT:      return k % 4 * 2 + k / 4 % 2 + k / 8 * 8;
// REGISTERS:         /// Parts, in fp16, in the consumers' registers.
// REGISTERS-NOT:     stride_bytes
// REGISTERS:         struct cols {
// REGISTERS:         stride_bytes = 1024;
// REGISTERS:       {{^}}registers_transform(
// REGISTERS-NOT:     typename Plan::rows>(
// REGISTERS:         rt::round_block<Plan, typename Plan::cols>(
// REGISTERS-NOT:   {{^}}registers_multiply(
// REGISTERS:       {{^}}registers_multiply_rounding(
// REGISTERS:         rt::barrier_wait(&ready[at.stage], at.phase);
// REGISTERS:         rt::wgmma_f16<true>(
// REGISTERS-NEXT:      sum[wave], rows[turn]
// REGISTERS-NOT:   {{^}}registers_multiply(
// REGISTERS:       // <<< warpwright: registers

// MIXED-LABEL: {{^}}struct mixed_large {
// MIXED:         using element = float;
// MIXED:         count = 2;
// MIXED:         using element = __half;
// MIXED:         count = 1;
// MIXED-LABEL: {{^}}mixed_multiply(
// MIXED:         if constexpr (cols_parts::count > 1)
// MIXED-NEXT:      rt::wgmma_f16<
// MIXED:         if constexpr (rows_parts::count > 1)
// MIXED-NEXT:      rt::wgmma_f16<

// Only with precision(tf32) are comparisons with the original to allow for
// operands of 11 bits.
// ROUNDS-NOT:   problem{{.}}rounds_operands
// ROUNDS-LABEL: {{^}}void rounded_warpwright(
// ROUNDS:         problem{{.}}rounds_operands = true;
// ROUNDS-LABEL: {{^}}void registers_warpwright(
// ROUNDS:         problem{{.}}rounds_operands = true;
// ROUNDS-NOT:   problem{{.}}rounds_operands
