// accumulate(f16): sums of halves, two in a register; the plans, what is proven of
// them, the decision in the generated text, plans as files, what pictures say, and where the clause cannot be kept.
// RUN: %warpwright rewrite --emit=plan %s -- %parse 2>&1 | FileCheck %s
// RUN: %warpwright rewrite %s -o - -- %parse 2>/dev/null \
// RUN:   | grep -v '^// [A-Z-]*:' | FileCheck %s --check-prefix=CODE
// RUN: %warpwright rewrite --emit=plan-json %s -- %parse -DONE > %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %warpwright rewrite --plan=%t.json %s -o %t.again.cu -- %parse -DONE
// RUN: grep -c 'half_sums = true' %t.again.cu
// RUN: rm -rf %t && %warpwright explain --svg=%t %s -- %parse
// RUN: cat %t/product-large-*.svg | FileCheck %s --check-prefix=SVG
// RUN: not %warpwright rewrite --emit=plan %s -- %parse -DDECLINED 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define PLACE                                                                  \
  int m = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int n = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (m >= M || n >= N)                                                        \
    return;
#define PRODUCT(T)                                                             \
  PLACE                                                                        \
  float sum = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    sum += float(A[m * K + k]) * float(B[k * N + n]);                          \
  C[m * N + n] = sum;

#ifndef DECLINED
// Half the registers of sums in float, the same elements in each thread.
// CHECK: plan large (large)
// CHECK-NEXT: tile 128x256x64, 4 stages, 2 consumer warpgroups sharing tiles
// CHECK-NEXT: multiply: wgmma m64n256k16.f16.f16.f16, 128 accumulators a thread
// CHECK: epilogue: f32, slab
// CHECK: proven: tile {{.*}}fragment ((4,8,4),(2,2,32)):((128,1,16),(64,8,512)) is a bijection
// CHECK: proven: registers: {{.*}} 64 accumulators
// CHECK: plan deep (deep)
// CHECK: epilogue: f32, slab
// CODE: half_sums = true
// CODE: value(float acc,
// JSON: "accumulators": 64
// JSON: "multiply": "halves"
// SVG-DAG: 128 in each
// SVG-DAG: halves
#pragma warpwright matmul accumulate(f16)
__global__ void product(const half *A, const half *B, float *C, int M, int N,
                        int K) {
  PRODUCT(half)
}

#ifndef ONE
// The original does so itself; a tile of half as much again has registers.
// CHECK-NOT: [WW501]
// CHECK: plan tile
// CHECK-NEXT: tile 256x192x64, 3 stages, 2 consumer warpgroups
// CHECK-NEXT: multiply: wgmma m64n192k16.f16.f16.f16, 192 accumulators a thread
// CHECK: proven: registers: {{.*}} 96 accumulators
#pragma warpwright matmul accumulate(f16) tile(256, 192, 64)
__global__ void as_written(const half *A, const half *B, half *C, int M, int N,
                           int K) {
  PLACE
  half sum = __float2half(0.0f);
  for (int k = 0; k < K; ++k)
    sum = __hfma(A[m * K + k], B[n * K + k], sum);
  C[m * N + n] = sum;
}
#endif
#else

// NO: warning: 'too_many' {{.*}}128 registers of sums in half; a thread has no more than 96 beside the epilogue's [WW303]
#pragma warpwright matmul accumulate(f16) tile(256, 256, 64)
__global__ void too_many(const half *A, const half *B, float *C, int M, int N,
                         int K) {
  PRODUCT(half)
}

// NO: warning: 'bfloat16' {{.*}}accumulate(f16) is for half operands that are multiplied as they are; 'A' is bf16 and 'B' is bf16 [WW303]
#pragma warpwright matmul accumulate(f16)
__global__ void bfloat16(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                         float *C, int M, int N, int K) {
  PRODUCT(bfloat16)
}

// NO: warning: 'bytes' {{.*}}accumulate(f16) is for half operands that are multiplied as they are; 'A' is i8 and 'B' is f16 [WW303]
#pragma warpwright matmul accumulate(f16)
__global__ void bytes(const signed char *A, const half *B, float *C, int M,
                      int N, int K) {
  PRODUCT(char)
}

// NO: warning: 'computed' {{.*}}accumulate(f16) is for half operands that are multiplied as they are; 'A' is f16 and 'B' is f16, and what is multiplied is computed from them [WW303]
#pragma warpwright matmul accumulate(f16)
__global__ void computed(const half *A, const half *B, const float *s, float *C,
                         int M, int N, int K) {
  PLACE
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += float(A[m * K + k]) * s[k] * float(B[k * N + n]);
  C[m * N + n] = sum;
}

// NO: warning: 'integers' {{.*}}accumulate(f16) is for half operands {{.*}} [WW303]
#pragma warpwright matmul accumulate(f16)
__global__ void integers(const signed char *A, const signed char *B, int *C,
                         int M, int N, int K) {
  PLACE
  int sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[m * K + k] * B[k * N + n];
  C[m * N + n] = sum;
}
#endif
