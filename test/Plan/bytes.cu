// Products of integers of 8 bits: the instruction that suits both signs, sums and
// staged outputs of integers, orders that wgmma reads, plans as files, the
// generated text and pictures; and what is declined.
// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s
// RUN: %warpwright rewrite %s -o - -- %parse | grep -v '^// [A-Z-]*:' \
// RUN:   | FileCheck %s --check-prefix=CODE
// RUN: %warpwright rewrite --emit=plan-json %s -- %parse > %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %warpwright rewrite --emit=plan-json %s -- %parse -DONE > %t.one.json
// RUN: %warpwright rewrite --plan=%t.one.json %s -o %t.again.cu -- %parse -DONE
// RUN: %warpwright rewrite %s -o %t.cu -- %parse -DONE
// RUN: grep -A9 'struct plan_' %t.cu > %t.plans
// RUN: grep -A9 'struct plan_' %t.again.cu | diff %t.plans -
// RUN: %warpwright explain %s -- %parse | FileCheck %s --check-prefix=EXPLAIN
// RUN: rm -rf %t && %warpwright explain --svg=%t %s -- %parse
// RUN: cat %t/requantized-large-*.svg | FileCheck %s --check-prefix=SVG
// RUN: not %warpwright rewrite --emit=plan %s -- %parse -DDECLINED 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO

#include <cuda_fp16.h>

#define PLACE(SUM)                                                             \
  int m = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int n = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  SUM sum = 0;                                                                 \
  for (int k = 0; k < K; ++k)

// B lies across k: the launcher copies it into rows along k. The one tile that is
// computed with m and n exchanged multiplies B by A.
// CHECK-LABEL: plan large (large)
// CHECK-NEXT: tile 128x256x128, 4 stages, 2 consumer warpgroups sharing tiles
// CHECK-NEXT: multiply: wgmma m64n256k32.s32.u8.s8, 128 accumulators a thread
// CHECK-NEXT: rows: A u8 k-major, 128x128, swizzle 128b
// CHECK: columns: B i8 k-major, 256x128, swizzle 128b
// CHECK: epilogue: i8, slab S<2,4,3> o 0 o ((8,8),(64,1)):((64,512),(1,0)), box 64x64
// CHECK: proven: epilogue: {{.*}} 16 wavefronts a warp, 16 without conflicts
// CHECK: plan skinny_m (skinny)
// CHECK: multiply: wgmma m64n32k32.s32.s8.u8, 16 accumulators a thread
// CHECK: epilogue: i8, slab S<2,4,3> o 0 o ((64,1),(8,4)):((1,0),(64,512)), box 64x32
// Slices of k leave sums of integers.
// CHECK: plan deep (deep)
// CHECK: epilogue: i32, slab
// CODE-DAG: using a_element = unsigned char;
// CODE-DAG: using b_element = signed char;
// CODE-DAG: using c_element = signed char;
// CODE-DAG: value(int acc, int, int n, int) const {
// JSON: "fragment": "((4,8,4),(2,2,32)):((128,1,16),(64,8,512))"
// JSON: "type": "u8"
// JSON: "type": "i8"
// EXPLAIN: large: tile 128x256x128, 4 stages
// SVG: st.shared.u16
#pragma warpwright matmul
__global__ void requantized(const unsigned char *A, const signed char *B,
                            const int *bias, signed char *C, int M, int N,
                            int K, float scale) {
  PLACE(int) sum += A[m * K + k] * B[k * N + n];
  const int q = __float2int_rn((float)(sum + bias[n]) * scale);
  C[m * N + n] = (signed char)max(-128, min(127, q));
}

#ifndef ONE
// Where the strides are numbers of the launch, there is one order still.
// CHECK-LABEL: plan large (large)
// CHECK: multiply: wgmma m64n256k32.s32.u8.u8,
// CHECK: rows: A u8 k-major
// CHECK: columns: B u8 k-major
// CHECK: epilogue: u32, slab S<3,4,3> o 0 o ((8,8),(32,1)):((32,256),(1,0)), box 32x64
// CHECK-NOT: plan large
#pragma warpwright matmul accumulate(i32)
__global__ void strided(const unsigned char *A, const unsigned char *B,
                        unsigned *C, int M, int N, int K, int am, int ak,
                        int bk, int bn) {
  PLACE(unsigned) sum += A[m * am + k * ak] * B[k * bk + n * bn];
  C[m * N + n] = sum;
}
#endif

#ifdef DECLINED
#define BYTES                                                                  \
  const signed char *A, const signed char *B, int *C, int M, int N, int K

// NO: 'as_floats' is not rewritten: products of i8 and i8 are accumulated in i32 [WW302]
#pragma warpwright matmul accumulate(f32)
__global__ void as_floats(BYTES) {
  PLACE(int) sum += A[m * K + k] * B[k * N + n];
  C[m * N + n] = sum;
}

// NO: 'promoted' is not rewritten: products of i8 and i8 are accumulated in i32, which is exact: promoted sums are of no use [WW302]
#pragma warpwright matmul accumulate(promoted)
__global__ void promoted(BYTES) {
  PLACE(int) sum += A[m * K + k] * B[k * N + n];
  C[m * N + n] = sum;
}

// NO: 'half_sums' is not rewritten: products of f16 and f16 are accumulated in f32 [WW302]
#pragma warpwright matmul accumulate(i32)
__global__ void half_sums(const half *A, const half *B, float *C, int M, int N,
                          int K) {
  PLACE(float) sum += __half2float(A[m * K + k]) * __half2float(B[k * N + n]);
  C[m * N + n] = sum;
}

#endif
