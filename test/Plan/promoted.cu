// accumulate(promoted): the plans, what is proven of them, the decision in the
// generated text, what pictures say, and where the clause cannot be kept.
// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s
// RUN: %warpwright rewrite %s -o - -- %parse | grep -v '^// [A-Z-]*:' \
// RUN:   | FileCheck %s --check-prefix=CODE
// RUN: %warpwright rewrite --emit=plan-json %s -- %parse \
// RUN:   | FileCheck %s --check-prefix=JSON
// RUN: rm -rf %t && %warpwright explain --svg=%t %s -- %parse
// RUN: cat %t/product-large-*.svg | FileCheck %s --check-prefix=SVG
// RUN: not %warpwright rewrite --emit=plan %s -- %parse -DCLAUSES 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO

#include <cuda_bf16.h>

#define BODY                                                                   \
  int m = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int n = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  float sum = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    sum += float(A[m * K + k]) * float(B[k * N + n]);                          \
  C[m * N + n] = sum;
using T = __nv_bfloat16;

#ifndef CLAUSES
// CHECK: plan large (large)
// CHECK-NEXT: tile 128x192x64, 4 stages, 3 consumer warpgroups sharing tiles
// CHECK-NEXT: multiply: wgmma m64n128k16.f32.bf16.bf16, 64 accumulators a thread
// CHECK-NEXT: added to as many sums every 128 of k
// CHECK: proven: registers: {{.*}} 64 accumulators and as many sums
// CHECK: proven: protocol: all interleavings of {{.*}} 1, 2, 3, 4, 5,
// CHECK-NOT: taking turns
// CHECK: plan medium (medium)

// CODE: promoted_k = 128
// JSON: "multiply": "promoted"
// JSON: "promoted_k": 128
// SVG-DAG: After 128 of k each is added to
// SVG-DAG: Consumers release 2 stages together
#pragma warpwright matmul accumulate(promoted)
__global__ void product(const T *A, const T *B, float *C, int M, int N, int K) {
  BODY
}
#else

// Accumulators and sums do not fit.
// NO: warning: 'wide' {{.*}}128 accumulators and as many sums a thread leave fewer than {{.*}}[WW303]
#pragma warpwright matmul accumulate(promoted) tile(128, 256, 64)
__global__ void wide(const T *A, const T *B, float *C, int M, int N, int K) {
  BODY
}

// The sums of parts are promoted in any case, as their scales ask.
// NO: warning: 'floats' {{.*}}accumulate(promoted) is for operands that are multiplied as they are, half, bfloat16, int8, uint8, e4m3 and e5m2, or that TMA rounds, float along k with precision(tf32); 'A' is f32 and 'B' is f32 [WW303]
#pragma warpwright matmul accumulate(promoted)
__global__ void floats(const float *A, const float *B, float *C, int M, int N,
                       int K) {
  BODY
}
#endif
