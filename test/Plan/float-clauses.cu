// What clauses mean for float operands, and what is declined.
// RUN: not %warpwright rewrite --emit=plan %s -- %parse > %t.out 2>%t.err
// RUN: FileCheck %s < %t.out
// RUN: FileCheck --check-prefix=ERR %s < %t.err

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define BODY(Sum)                                                              \
  int m = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int n = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  Sum sum = 0;                                                                 \
  for (int k = 0; k < K; ++k)                                                  \
    sum += Sum(A[m * K + k]) * Sum(B[k * N + n]);                              \
  C[m * N + n] = sum;

// One operand is rounded in registers, if it has to lie along k: twice the rows,
// and no sums beside the accumulators. Pairs of CTAs share them.
// CHECK: plan large (large)
// CHECK-NEXT: tile 256x128x32, 4 stages, 2 consumer warpgroups sharing tiles, cluster 1x2, raster 8
// CHECK-NEXT: tiles cut along k where that takes less
// CHECK-NEXT: multiply: wgmma m64n128k16.f32.f16.f16, 128 accumulators a thread
// CHECK-NEXT: rows: A f32 k-major, 256x32, swizzle 128b
// CHECK-NEXT: raw    S<3,4,3> o 0 o ((8,32),(32,1)):((32,256),(1,0)), 32768 bytes at 0
// CHECK-NEXT: parts  in registers, 1 an element, from 2^-14
// CHECK-NEXT: tma    box 32x128, 1 of 16384 bytes, multicast, 1/2 per CTA
// CHECK-NEXT: columns: B f32 n-major, 128x32, swizzle none
// CHECK: parts  S<3,4,3> {{.*}}, 1 an element, from 2^-14
// CHECK: wgmma  LBO 16, SBO 1024, k step 32
// CHECK: transform: 1 warpgroup, 72 registers; scales 4 x 384 bytes at 229376, flags 4 x 16 bytes at 230912
// CHECK: products: A (f32) as one fp16 part of scaled elements, 11 bits, rounded in registers, B (f32) as one fp16 part of scaled elements, 11 bits; 1 tensor-core product of parts for one, added to float sums when a scale changes, after 8192 of k at the latest
// CHECK: registers 40/200, 512 threads, 231072 bytes of shared memory
// CHECK: proven: protocol:
// CHECK: plan medium (medium)
// CHECK-NEXT: tile 128x128x32, 6 stages, 2 consumer warpgroups
// CHECK: parts  in registers
// CHECK: registers 40/176, 512 threads
// CHECK: plan small (small)
// CHECK-NOT: in registers
// CHECK: added to float sums every 96 of k
#pragma warpwright matmul precision(tf32) swap_ab(off)
__global__ void tf32(const float *A, const float *B, float *C, int M, int N,
                     int K) {
  BODY(float)
}

// Only the float operand loses bits.
// CHECK: plan large (large)
// CHECK: products: A (f32) as one fp16 part of scaled elements, 11 bits, B (bf16) as one fp16 part of scaled elements, all bits; 1 tensor-core
#pragma warpwright matmul precision(tf32)
__global__ void tf32_mixed(const float *A, const __nv_bfloat16 *B, float *C,
                           int M, int N, int K) {
  BODY(float)
}

// CHECK: plan large (large)
// CHECK: products: A (f32) as two {{.*}}; 3 tensor-core products
#pragma warpwright matmul precision(tf32x3) accumulate(f32)
__global__ void tf32x3(const float *A, const float *B, float *C, int M, int N,
                       int K) {
  BODY(float)
}

// Rows that lie along m come in boxes with the same swizzle.
// CHECK: plan large (large)
// CHECK: rows: A f32 m-major, 256x32, swizzle 128b
// CHECK-NEXT: raw    S<3,4,3> o 0 o (((32,1),8),(8,4)):(((1,0),1024),(32,256)), 32768 bytes at 0
// CHECK-NEXT: parts  in registers
// CHECK-NEXT: tma    box 32x16, 8 of 2048 bytes, multicast, 1/2 per CTA
#pragma warpwright matmul precision(tf32)
__global__ void tf32_along_m(const float *A, const float *B, float *C, int M,
                             int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[k * M + m] * B[k * N + n];
  C[m * N + n] = sum;
}

// The operand that lies across k is the rows, which the consumers load.
// CHECK: plan large (large)
// CHECK-NEXT: tile 256x128x32, 4 stages, 2 consumer warpgroups sharing tiles, cluster 1x2, raster 16, operands swapped
// CHECK-NEXT: tiles cut along k where that takes less
// CHECK-NEXT: multiply: wgmma m64n256k8.f32.tf32.tf32, 128 accumulators a thread
// CHECK-NEXT: rows: B f32 n-major, 128x32, swizzle 128b
// CHECK-NEXT: smem   S<3,4,3> o 0 o ((32,4),(8,4)):((1,1024),(32,256)), 16384 bytes at 0
// CHECK-NEXT: as     fragments in registers
// CHECK-NEXT: tma    box 32x32, 4 of 4096 bytes
// CHECK-NEXT: columns: A f32 k-major, 256x32, swizzle 128b
// CHECK-NEXT: smem   S<3,4,3> o 0 o ((8,32),(32,1)):((32,256),(1,0)), 32768 bytes at 16384
// CHECK-NEXT: tma    box 32x128, 1 of 16384 bytes, multicast, 1/2 per CTA
// CHECK-NEXT: wgmma  LBO 16, SBO 1024, k step 32
// CHECK-NEXT: products: TMA rounds elements to nearest as it copies them, so that wgmma multiplies tf32 numbers; it takes the rows from registers, into which the consumers load them
// CHECK: proven: rows: {{.*}} loaded by lanes, 4 bytes at a time, as 4 fragments ((4,8,4),(2,2)):((64,1,16),(8,256)) of m64k8 a thread: 128 wavefronts a stage, 128 without conflicts
// CHECK: proven: registers: 40 + 2 x 232 = 504 of 504 per lane; 128 accumulators and twice 16 registers of rows
// CHECK: empty 512 arrivals = 2 CTAs x 256 threads
// CHECK: plan skinny_m (skinny)
// CHECK: parts  S<3,4,3>
// CHECK: plan deep_32 (deep)
#pragma warpwright matmul precision(tf32)
__global__ void tf32_turned(const float *A, const float *B, float *C, int M,
                            int N, int K) {
  BODY(float)
}

// It is what consumers round, where it is in too many registers for that.
// CHECK: plan tile (large)
// CHECK-NEXT: tile 128x256x32, 4 stages, 2 consumer warpgroups sharing tiles, cluster 1x1, raster 8, operands swapped
// CHECK-NEXT: tiles cut along k where that takes less
// CHECK-NEXT: multiply: wgmma m64n128k16.f32.f16.f16, 128 accumulators a thread
// CHECK-NEXT: rows: B f32 n-major, 256x32, swizzle 128b
// CHECK: parts  in registers
#pragma warpwright matmul precision(tf32) tile(128, 256, 32)
__global__ void tf32_tile(const float *A, const float *B, float *C, int M,
                          int N, int K) {
  BODY(float)
}

// Operands that both lie along k are rounded by TMA.
// CHECK: plan large (large)
// CHECK-NEXT: tile 128x256x32, 4 stages, 2 consumer warpgroups sharing tiles, cluster 2x1
// CHECK-NEXT: tiles cut along k where that takes less
// CHECK-NEXT: multiply: wgmma m64n256k8.f32.tf32.tf32, 128 accumulators a thread
// CHECK-NEXT: rows: A f32 k-major, 128x32, swizzle 128b
// CHECK-NEXT: smem   S<3,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0)), 16384 bytes at 0
// CHECK-NEXT: tma    box 32x128, 1 of 16384 bytes
// CHECK-NEXT: wgmma  LBO 16, SBO 1024, k step 32, row block 8192
// CHECK: products: TMA rounds elements to nearest as it copies them, so that wgmma multiplies tf32 numbers
// CHECK: registers 40/232, 384 threads, 229440 bytes of shared memory
// CHECK-NEXT: cost: 1095 clocks a block
// CHECK: proven: protocol:
// CHECK: plan pingpong (medium)
// CHECK: plan deep (deep)
#pragma warpwright matmul precision(tf32)
__global__ void tf32_along_k(const float *A, const float *B, float *C, int M,
                             int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[m * K + k] * B[n * K + k];
  C[m * N + n] = sum;
}

// Such plans can keep what a transform cannot.
// CHECK: plan medium (medium)
// CHECK: multiply: wgmma m64n128k8.f32.tf32.tf32, {{.*}}
// CHECK: 128 of k
#pragma warpwright matmul precision(tf32) accumulate(promoted) batch_invariant
__global__ void tf32_promoted(const float *A, const float *B, float *C, int M,
                              int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[m * K + k] * B[n * K + k];
  C[m * N + n] = sum;
}

// CHECK: plan tile (medium)
// CHECK-NEXT: tile 64x160x32, 7 stages, 1 consumer warpgroup
// CHECK: registers 32/248, 512 threads
#pragma warpwright matmul tile(64, 160, 32)
__global__ void tiled(const float *A, const float *B, float *C, int M, int N,
                      int K) {
  BODY(float)
}

// Shorter pipelines promote more often.
// CHECK: plan large (large)
// CHECK-NEXT: tile 128x128x32, 4 stages
// CHECK: added to float sums every 64 of k
#pragma warpwright matmul stages(4) swap_ab(off)
__global__ void short_pipeline(const float *A, const float *B, float *C, int M,
                               int N, int K) {
  BODY(float)
}

// The same tile with operands exchanged is there once.
// CHECK: plan large (large)
// CHECK-NEXT: tile 128x128x32, {{.*}}operands swapped
// CHECK: plan skinny_n (skinny)
// CHECK-NEXT: tile 32x64x32, {{.*}}operands swapped
// CHECK-NOT: plan skinny_m
#pragma warpwright matmul swap_ab(on)
__global__ void swapped(const float *A, const float *B, float *C, int M, int N,
                        int K) {
  BODY(float)
}

// ERR: float-clauses.cu:[[#@LINE+1]]:27: warning: 'halves' is not rewritten: precision(tf32) is for float operands; 'A' is f16 and 'B' is f16 [WW303]
#pragma warpwright matmul precision(tf32)
__global__ void halves(const half *A, const half *B, float *C, int M, int N,
                       int K) {
  BODY(float)
}

// ERR: float-clauses.cu:[[#@LINE+1]]:27: warning: 'no_float' is not rewritten: precision(tf32x3) is for float operands; 'A' is f16 and 'B' is bf16 [WW303]
#pragma warpwright matmul precision(tf32x3)
__global__ void no_float(const half *A, const __nv_bfloat16 *B, float *C, int M,
                         int N, int K) {
  BODY(float)
}

// ERR: float-clauses.cu:[[#@LINE+1]]:27: warning: 'invariant' is not rewritten: batch_invariant cannot be kept: {{.*}} a row's bits depend on more than the row [WW303]
#pragma warpwright matmul batch_invariant
__global__ void invariant(const float *A, const float *B, float *C, int M,
                          int N, int K) {
  BODY(float)
}

// ERR: warning: 'deep' is not rewritten: operands that are split into fp16 parts come in blocks of 32 along k, not 64 [WW303]
#pragma warpwright matmul tile(128, 128, 64)
__global__ void deep(const float *A, const float *B, float *C, int M, int N,
                     int K) {
  BODY(float)
}

// ERR: warning: 'wide' is not rewritten: 128 accumulators and 128 sums a thread leave fewer than 16 of its 144 registers [WW303]
#pragma warpwright matmul tile(128, 256, 32)
__global__ void wide(const float *A, const float *B, float *C, int M, int N,
                     int K) {
  BODY(float)
}

// ERR: warning: 'odd' is not rewritten: a tile of 48 columns is not a multiple of 32, the block in which operands are split [WW303]
#pragma warpwright matmul tile(128, 48, 32) swap_ab(off)
__global__ void odd(const float *A, const float *B, float *C, int M, int N,
                    int K) {
  BODY(float)
}

// ERR: warning: 'turns' is not rewritten: operands that are split into fp16 parts have no ping-pong schedule{{.*}} [WW303]
#pragma warpwright matmul schedule(pingpong)
__global__ void turns(const float *A, const float *B, float *C, int M, int N,
                      int K) {
  BODY(float)
}

// ERR: warning: 'eight' is not rewritten: 8 stages of 32768 bytes and 32768 bytes of staging need {{[0-9]+}} bytes of shared memory{{.*}} [WW303]
#pragma warpwright matmul tile(128, 128, 32) stages(8)
__global__ void eight(const float *A, const float *B, float *C, int M, int N,
                      int K) {
  BODY(float)
}

// ERR: warning: 'narrow' is not rewritten: accumulate(f16) is for half operands that are multiplied as they are; 'A' is f32 and 'B' is f32 [WW303]
#pragma warpwright matmul accumulate(f16)
__global__ void narrow(const float *A, const float *B, float *C, int M, int N,
                       int K) {
  BODY(float)
}

// ERR: warning: 'widened' is not rewritten: products of f32 and f32 are accumulated in f32 [WW302]
#pragma warpwright matmul accumulate(f64)
__global__ void widened(const float *A, const float *B, float *C, int M, int N,
                        int K) {
  BODY(float)
}

// ERR: warning: 'exact' is not rewritten: precision(tf32) is for products that are added in float; these are added in double [WW303]
#pragma warpwright matmul precision(tf32)
__global__ void exact(const float *A, const float *B, float *C, int M, int N,
                      int K) {
  BODY(double)
}

// ERR: warning: 'doubles' is not rewritten: precision(tf32) is for float operands; 'A' is f64 and 'B' is f64 [WW303]
#pragma warpwright matmul precision(tf32)
__global__ void doubles(const double *A, const double *B, double *C, int M,
                        int N, int K) {
  BODY(double)
}

// ERR: warning: 'integers' is not rewritten: 'A': operands of type i32 have no plan; half, bfloat16, float, int8, uint8, e4m3, e5m2 and double do [WW302]
#pragma warpwright matmul
__global__ void integers(const int *A, const int *B, float *C, int M, int N,
                         int K) {
  BODY(float)
}
