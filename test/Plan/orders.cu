// Which way each operand lies decides its box, its descriptor and nothing else.
// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s

#include <cuda_bf16.h>
#include <cuda_fp16.h>

// CHECK-LABEL: plan large (large)
// CHECK-NEXT: tile 128x256x64, 4 stages, 2 consumer warpgroups sharing tiles, cluster 2x1
// CHECK-NEXT: multiply: wgmma m64n256k16.f32.bf16.bf16, 128 accumulators a thread
// CHECK-NEXT: rows: A bf16 k-major, 128x64, swizzle 128b
// CHECK-NEXT: smem   S<3,4,3> o 0 o ((8,16),(64,1)):((64,512),(1,0)), 16384 bytes at 0
// CHECK-NEXT: tma    box 64x128, 1 of 16384 bytes
// CHECK-NEXT: wgmma  LBO 16, SBO 1024, k step 32, row block 8192
// CHECK-NEXT: columns: B bf16 n-major, 256x64, swizzle 128b
// CHECK-NEXT: smem   S<3,4,3> o 0 o ((64,4),(8,8)):((1,4096),(64,512)), 32768 bytes at 16384
// CHECK-NEXT: tma    box 64x32, 4 of 4096 bytes, multicast, 1/2 per CTA
// CHECK-NEXT: wgmma  LBO 8192, SBO 1024, k step 2048
// CHECK-NEXT: epilogue: bf16, slab S<3,4,3> o 0 o ((8,8),(64,1)):((64,512),(1,0)), box 64x64
// CHECK-NEXT: registers 40/232, 384 threads, 229440 bytes of shared memory
// CHECK: proven: columns: {{.*}} is a bijection, written by 4 TMA boxes of 64x32
// CHECK: proven: protocol: all interleavings of 18 agents, 1, 3, 4, 5, 9 blocks of k by 0 to 4 tiles
// CHECK: plan wide (large)
// CHECK: tma    box 64x32, 3 of 4096 bytes, multicast, 1/2 per CTA
// CHECK: plan skinny_m (skinny)
// CHECK-NEXT: tile 32x64x64, {{.*}}operands swapped
// CHECK-NEXT: multiply: wgmma m64n32k16.f32.bf16.bf16, 16 accumulators a thread
// CHECK-NEXT: rows: B bf16 n-major
#pragma warpwright matmul
__global__ void nn(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                   __nv_bfloat16 *C, int M, int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __bfloat162float(A[m * K + k]) * __bfloat162float(B[k * N + n]);
  C[m * N + n] = __float2bfloat16(sum);
}

// Both operands transposed, half, a float output.
// CHECK-LABEL: plan large (large)
// CHECK: rows: A f16 m-major, 128x64, swizzle 128b
// CHECK: tma    box 64x64, 2 of 8192 bytes
// CHECK: wgmma  LBO {{[0-9]+}}, SBO 1024, k step 2048, row block 8192
// CHECK: columns: B f16 k-major, 256x64, swizzle 128b
// CHECK: tma    box 64x128, 1 of 16384 bytes, multicast, 1/2 per CTA
// CHECK: epilogue: f32, slab S<3,4,3> o 0 o ((8,8),(32,1)):((32,256),(1,0)), box 32x64
#pragma warpwright matmul
__global__ void tt(const __half *A, const __half *B, float *C, int M, int N,
                   int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[k * M + m]) * __half2float(B[n * K + k]);
  C[m * N + n] = sum;
}

// Strides as parameters: one set of plans for each index that may be
// contiguous.
// CHECK-LABEL: plan large_0 (large)
// CHECK: requires sa == 1
// CHECK: rows: A bf16 k-major
// CHECK-LABEL: plan large_1 (large)
// CHECK: requires ra == 1
// CHECK: rows: A bf16 m-major
#pragma warpwright matmul
__global__ void strided(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                        __nv_bfloat16 *C, int M, int N, int K, int ra, int sa) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __bfloat162float(A[m * ra + k * sa]) * __bfloat162float(B[k * N + n]);
  C[m * N + n] = __float2bfloat16(sum);
}
