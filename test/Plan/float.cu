// Float operands and operands of two types become fp16 parts in place; which
// way an operand lies decides what TMA writes and nothing of what WGMMA reads.
// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s
// RUN: %warpwright explain %s -- %parse | FileCheck --check-prefix=EXPLAIN %s

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define BODY(Sum, IndexA, IndexB)                                              \
  int m = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int n = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  Sum sum = 0.0f;                                                              \
  for (int k = 0; k < K; ++k)                                                  \
    sum += Sum(A[IndexA]) * Sum(B[IndexB]);                                    \
  C[m * N + n] = sum;

// CHECK-LABEL: plan large (large)
// CHECK-NEXT: tile 128x128x32, 6 stages, 2 consumer warpgroups sharing tiles, cluster 1x1
// CHECK-NEXT: tiles cut along k where that takes less
// CHECK-NEXT: multiply: wgmma m64n128k16.f32.f16.f16, 64 accumulators a thread
// CHECK-NEXT: rows: A f32 k-major, 128x32, swizzle 128b
// CHECK-NEXT: raw    S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0)), 16384 bytes at 0
// CHECK-NEXT: parts  S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0)), 2 an element, low ones 64 bytes behind, from 2^-16
// CHECK-NEXT: tma    box 32x128, 1 of 16384 bytes
// CHECK-NEXT: wgmma  LBO 16, SBO 1024, k step 32, row block 8192
// CHECK-NEXT: columns: B f32 n-major, 128x32, swizzle none
// CHECK-NEXT: raw    ((32,4),32):((1,1024),32), 16384 bytes at 16384
// CHECK-NEXT: parts  S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0)), 2 an element
// CHECK-NEXT: tma    box 32x32, 4 of 4096 bytes
// CHECK-NEXT: wgmma  LBO 16, SBO 1024, k step 32
// CHECK-NEXT: transform: 2 warpgroups, 80 registers; scales 6 x 256 bytes at 229376, flags 6 x 8 bytes at 230912
// CHECK-NEXT: products: A (f32) as two fp16 parts of scaled elements, 22 bits, B (f32) as two {{.*}}; 3 tensor-core products of parts for one, added to float sums every 96 of k; blocks that parts cannot represent are multiplied in float
// CHECK-NEXT: epilogue: f32, slab S<3,4,3> o 0 o ((8,8),(32,1)):((32,256),(1,0)), box 32x64, 4 buffers of 8192 bytes at 196608
// CHECK-NEXT: registers 32/144, 640 threads, 231104 bytes of shared memory
// CHECK: proven: protocol:
// A stage of no more blocks than a warpgroup has warps needs one of them.
// CHECK: plan medium (medium)
// CHECK: transform: 2 warpgroups
// CHECK: registers 32/248, 512 threads
// CHECK: plan small (small)
// CHECK: transform: 1 warpgroup,
// CHECK: registers 32/248, 384 threads
// CHECK: plan skinny_m (skinny)
// CHECK-NEXT: tile 32x64x32, {{.*}}operands swapped
// CHECK-NEXT: multiply: wgmma m64n32k16.f32.f16.f16, 16 accumulators a thread
// CHECK-NEXT: rows: B f32 n-major, 64x32, swizzle none
// EXPLAIN: large: tile 128x128x32, 6 stages
// EXPLAIN-NEXT: products: A (f32) as two fp16 parts
// EXPLAIN: 8192x8192x8192: large, {{.*}} bound by transform
#pragma warpwright matmul
__global__ void nn(const float *A, const float *B, float *C, int M, int N,
                   int K) {
  BODY(float, m * K + k, k * N + n)
}

// CHECK-LABEL: plan large (large)
// CHECK: rows: A f32 k-major, 128x32, swizzle 128b
// CHECK: columns: B f32 k-major, 128x32, swizzle 128b
// CHECK-NEXT: raw    S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0)), 16384 bytes at 16384
// CHECK: tma    box 32x128, 1 of 16384 bytes
// CHECK-NEXT: wgmma  LBO 16, SBO 1024, k step 32
#pragma warpwright matmul
__global__ void nt(const float *A, const float *B, float *C, int M, int N,
                   int K) {
  BODY(float, m * K + k, n * K + k)
}

// CHECK-LABEL: plan large (large)
// CHECK: rows: A f32 m-major, 128x32, swizzle none
// CHECK: tma    box 32x32, 4 of 4096 bytes
// CHECK-NEXT: wgmma  LBO 16, SBO 1024, k step 32, row block 8192
// CHECK: columns: B f32 n-major, 128x32, swizzle none
#pragma warpwright matmul
__global__ void tn(const float *A, const float *B, float *C, int M, int N,
                   int K) {
  BODY(float, k * M + m, k * N + n)
}

// CHECK-LABEL: plan large (large)
// CHECK: rows: A f32 m-major, 128x32, swizzle none
// CHECK: columns: B f32 k-major, 128x32, swizzle 128b
#pragma warpwright matmul
__global__ void tt(const float *A, const float *B, float *C, int M, int N,
                   int K) {
  BODY(float, k * M + m, n * K + k)
}

// Half is a part as it is; its rows are half as long in memory, so each block
// of 32 rows is a box of its own at the start of the block's memory.
// CHECK-LABEL: plan large (large)
// CHECK: rows: A f16 k-major, 128x32, swizzle 64b
// CHECK-NEXT: raw    S<2,4,3> o 0 o (((8,4),4),(32,1)):(((32,256),2048),(1,0)), 16384 bytes at 0
// CHECK-NEXT: parts  S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0)), 1 an element, from 2^-14
// CHECK-NEXT: tma    box 32x32, 4 of 2048 bytes
// CHECK: columns: B f32 n-major
// CHECK: products: A (f16) as one fp16 part of scaled elements, all bits, B (f32) as two {{.*}}; 2 tensor-core products of parts
// CHECK: 24576 bytes a block from L2
#pragma warpwright matmul
__global__ void half_float(const half *A, const float *B, float *C, int M,
                           int N, int K) {
  BODY(float, m * K + k, k * N + n)
}

// CHECK-LABEL: plan large (large)
// CHECK: columns: B bf16 n-major, 128x32, swizzle none
// CHECK-NEXT: raw    ((32,4),32):((1,2048),32), 16384 bytes at 16384
// CHECK-NEXT: parts  {{.*}}, 1 an element, from 2^-17
// CHECK-NEXT: tma    box 32x32, 4 of 2048 bytes
// CHECK: products: A (f32) as two {{.*}}, B (bf16) as one fp16 part of scaled elements, all bits; 2 tensor-core
#pragma warpwright matmul
__global__ void float_bf16(const float *A, const __nv_bfloat16 *B, float *C,
                           int M, int N, int K) {
  BODY(float, m * K + k, k * N + n)
}

// CHECK-LABEL: plan large (large)
// CHECK: products: A (f16) as one fp16 part of scaled elements, all bits, B (bf16) as one {{.*}}; 1 tensor-core product of parts for one
// CHECK: 16384 bytes a block from L2
#pragma warpwright matmul
__global__ void half_bf16(const half *A, const __nv_bfloat16 *B, half *C, int M,
                          int N, int K) {
  BODY(float, m * K + k, k * N + n)
}

// The CTAs of a cluster load slices of what they share: of 8 rows or more where
// the box is swizzled, of k where it is not.
// CHECK-LABEL: plan tile (medium)
// CHECK: rows: A f32 k-major
// CHECK: tma    box 32x64, 1 of 8192 bytes, multicast, 1/2 per CTA
// CHECK: columns: B f32 n-major
// CHECK: tma    box 32x16, 4 of 2048 bytes, multicast, 1/2 per CTA
#pragma warpwright matmul tile(128, 128, 32) cluster(2, 2)
__global__ void shared(const float *A, const float *B, float *C, int M, int N,
                       int K) {
  BODY(float, m * K + k, k * N + n)
}
