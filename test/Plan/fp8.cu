// Products of floats of 8 bits: the instruction that suits both types, sums that
// are promoted every 128 of k or not, staged outputs, orders that wgmma reads,
// plans as files, the generated text and pictures; and what is declined.
// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s
// RUN: %warpwright rewrite %s -o - -- %parse | grep -v '^// [A-Z-]*:' \
// RUN:   | FileCheck %s --check-prefix=CODE
// RUN: %warpwright rewrite --emit=plan-json %s -- %parse -DONE > %t.one.json
// RUN: FileCheck %s --check-prefix=JSON < %t.one.json
// RUN: %warpwright rewrite --plan=%t.one.json %s -o %t.again.cu -- %parse -DONE
// RUN: %warpwright rewrite %s -o %t.cu -- %parse -DONE
// RUN: grep -A9 'struct plan_' %t.cu > %t.plans
// RUN: grep -A9 'struct plan_' %t.again.cu | diff %t.plans -
// RUN: rm -rf %t && %warpwright explain --svg=%t %s -- %parse -DONE
// RUN: cat %t/narrowed-medium-*.svg | FileCheck %s --check-prefix=SVG
// RUN: not %warpwright rewrite --emit=plan %s -- %parse -DDECLINED 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO

#include <cuda_fp16.h>
#include <cuda_fp8.h>
typedef __nv_fp8_e4m3 e4m3;
typedef __nv_fp8_e5m2 e5m2;

#define PLACE                                                                  \
  int m = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int n = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  float sum = 0;                                                               \
  for (int k = 0; k < K; ++k)

// B lies across k: the launcher copies it into rows along k. Tiles that are
// computed with m and n exchanged multiply B by A.
// CHECK-LABEL: plan large (large)
// CHECK-NEXT: tile 128x192x128, 4 stages, 3 consumer warpgroups sharing tiles
// CHECK-NEXT: tiles cut along k where that takes less
// CHECK-NEXT: multiply: wgmma m64n128k32.f32.e5m2.e4m3, 64 accumulators a thread
// CHECK-NEXT: added to as many sums every 128 of k
// CHECK-NEXT: rows: B e5m2 k-major, 192x128, swizzle 128b
// CHECK: columns: A e4m3 k-major, 128x128, swizzle 128b
// CHECK: plan medium (medium)
// CHECK-NEXT: tile 128x128x128, 6 stages, 2 consumer warpgroups sharing tiles
// CHECK-NEXT: multiply: wgmma m64n128k32.f32.e4m3.e5m2, 64 accumulators a thread
// CHECK-NEXT: added to as many sums every 128 of k, while the next are multiplied
// CHECK: rows: A e4m3 k-major, 128x128, swizzle 128b
// CHECK: columns: B e5m2 k-major, 128x128, swizzle 128b
// CHECK: epilogue: e4m3, slab
// CHECK: proven: epilogue: {{.*}} 8 wavefronts a warp, 8 without conflicts
// CHECK: proven: protocol: all interleavings of {{.*}}
// CHECK: plan medium_128_four (medium)
// CHECK-NEXT: tile 128x128x128, 6 stages, 2 consumer warpgroups sharing tiles, cluster 2x2
// CHECK: plan medium_eight (medium)
// CHECK-NEXT: tile 128x128x128, 6 stages, 2 consumer warpgroups sharing tiles, cluster 4x2
// CHECK: plan small_64 (small)
// CHECK-NEXT: tile 64x64x128, 12 stages, 1 consumer warpgroup sharing tiles
// CHECK: plan skinny_m (skinny)
// CHECK: multiply: wgmma m64n32k32.f32.e5m2.e4m3, 16 accumulators a thread
// CHECK: plan deep (deep)
// CHECK: epilogue: f32, slab
// CODE-DAG: using a_element = __nv_fp8_e4m3;
// CODE-DAG: using b_element = __nv_fp8_e5m2;
// CODE-DAG: using c_element = __nv_fp8_e4m3;
// CODE-DAG: promoted_k = 128;
// CODE-DAG: return static_cast<__nv_fp8_e4m3>(acc * scale);
// JSON: "multiply": "promoted"
// JSON: "promoted_k": 128
// JSON: "type": "e4m3"
// JSON: "type": "e5m2"
// SVG-DAG: st.shared.u16
// SVG-DAG: After 128 of k each is added to
#pragma warpwright matmul
__global__ void narrowed(const e4m3 *A, const e5m2 *B, e4m3 *C, int M, int N,
                         int K, float scale) {
  PLACE sum += float(A[m * K + k]) * float(B[k * N + n]);
  C[m * N + n] = e4m3(sum * scale);
}

#ifndef ONE
// The tensor cores' own sums, in the tiles of other types of 8 bits.
// CHECK-LABEL: plan large (large)
// CHECK-NEXT: tile 128x256x128, 4 stages, 2 consumer warpgroups sharing tiles
// CHECK-NEXT: multiply: wgmma m64n256k32.f32.e5m2.e5m2, 128 accumulators a thread
// CHECK-NEXT: rows:
// CHECK: epilogue: f32, slab
// CHECK-NOT: as many sums
#pragma warpwright matmul accumulate(fast)
__global__ void fast(const e5m2 *A, const e5m2 *B, float *C, int M, int N,
                     int K) {
  PLACE sum += float(A[m * K + k]) * float(B[n * K + k]);
  C[m * N + n] = sum;
}
#endif

#ifdef DECLINED
// NO: 'floats' is not rewritten: accumulate(fast) is for operands that are multiplied as they are, half, bfloat16, int8, uint8, e4m3 and e5m2, or that TMA rounds, float along k with precision(tf32); 'A' is f32 and 'B' is f32 [WW303]
#pragma warpwright matmul accumulate(fast)
__global__ void floats(const float *A, const float *B, float *C, int M, int N,
                       int K) {
  PLACE sum += A[m * K + k] * B[k * N + n];
  C[m * N + n] = sum;
}

// NO: 'integers' is not rewritten: products of i8 and i8 are accumulated in i32, which is exact: no other sums are faster [WW302]
#pragma warpwright matmul accumulate(fast)
__global__ void integers(const signed char *A, const signed char *B, int *C,
                         int M, int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  int sum = 0;
  for (int k = 0; k < K; ++k)
    sum += A[m * K + k] * B[k * N + n];
  C[m * N + n] = sum;
}
#endif
