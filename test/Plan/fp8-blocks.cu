// Operands of 8-bit floats with a scale for each block of k: the scales are
// factors of the sums of a block, the same for a tile or for each of its rows;
// and what is no such scale.
// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s
// RUN: %warpwright rewrite --emit=plan %s -- %parse -DSTEPS | FileCheck %s --check-prefix=STEPS
// RUN: %warpwright rewrite %s -o - -- %parse | grep -v '^// [A-Z-]*:' \
// RUN:   | FileCheck %s --check-prefix=CODE
// RUN: %warpwright rewrite --emit=plan-json %s -- %parse > %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %warpwright rewrite --plan=%t.json %s -o %t.cu -- %parse
// RUN: rm -rf %t && %warpwright explain --svg=%t %s -- %parse
// RUN: cat %t/squares-large-*.svg | FileCheck %s --check-prefix=SVG
// RUN: not %warpwright rewrite --emit=plan %s -- %parse -DDECLINED 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO

#include <cuda_fp8.h>
typedef __nv_fp8_e4m3 e4m3;

#define ARGS                                                                   \
  const e4m3 *A, const e4m3 *B, float *C, int M, int N, int K,                 \
      const float *sa, const float *sb, int blocks
#define PLACE                                                                  \
  int m = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int n = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  float sum = 0;                                                               \
  for (int k = 0; k < K; ++k)

// CHECK-LABEL: plan large (large)
// CHECK-NEXT: tile 128x128x128, 6 stages, 2 consumer warpgroups sharing tiles
// CHECK-NEXT: multiply: wgmma m64n128k32.f32.e4m3.e4m3, 64 accumulators a thread
// CHECK-NEXT: scaled and added to as many sums every 128 of k
// CHECK-NEXT: rows: A e4m3 k-major
// CHECK: scale  one a row and block of k
// CHECK: columns: B e4m3 k-major
// CHECK: scale  one a tile and block of k
// CHECK: plan skinny_m (skinny)
// CHECK: rows: B e4m3
// CHECK: scale  one a tile and block of k
// CHECK: columns: A e4m3
// CHECK: scale  one a row and block of k
// CHECK: plan deep (deep)
// CODE: a_scaled = true,
// CODE-NEXT: b_scaled = true, b_scaled_alike = true;
// CODE: float scale_of_a(int m, int k, int) const {
// CODE: return sa[{{.*}}m{{.*}}blocks + (k / 128)];
// CODE: float scale_of_b(int n, int k, int) const {
// CODE: return sb[{{.*}}(n / 128) + (k / 128)];
// JSON: "scale": "row"
// JSON: "scale": "tile"
// SVG: After 128 of k each is multiplied by
// SVG: the scales of its block and added to a sum
#pragma warpwright matmul
__global__ void squares(ARGS) {
  PLACE sum += float(A[m * K + k]) * sa[m * blocks + k / 128] *
               (float(B[n * K + k]) * sb[n / 128 * blocks + k / 128]);
  C[m * N + n] = sum;
}

// In steps, as the loops over a tile and in it make them.
#ifdef STEPS
// STEPS: plan large (large)
// STEPS: plan large (large)
// STEPS: rows: A e4m3 k-major
// STEPS: scale  one a row and block of k
// STEPS: columns: B e4m3 k-major
// STEPS: scale  one a tile and block of k
#pragma warpwright matmul
__global__ void steps(ARGS) {
  PLACE sum += float(A[m * K + k]) * sa[m * blocks + k / 16 / 8] *
               (float(B[n * K + k]) * sb[n / 8 / 16 * blocks + k / 32 / 4]);
  C[m * N + n] = sum;
}
#endif

#ifdef DECLINED
// NO: 'fast' is not rewritten: accumulate(fast) cannot be kept: the scales of its blocks are factors of the sums of a block [WW303]
#pragma warpwright matmul accumulate(fast)
__global__ void fast(ARGS) {
  PLACE sum += float(A[m * K + k]) * sa[m * blocks + k / 128] *
               float(B[n * K + k]);
  C[m * N + n] = sum;
}

// NO: 'rounded' is not rewritten: precision(tf32) is for float operands; 'A' is e4m3 and 'B' is e4m3 [WW303]
#pragma warpwright matmul precision(tf32)
__global__ void rounded(ARGS) {
  PLACE sum += float(A[m * K + k]) * sa[m * blocks + k / 128] *
               float(B[n * K + k]);
  C[m * N + n] = sum;
}
#endif
