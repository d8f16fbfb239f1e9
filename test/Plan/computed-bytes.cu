// Bytes that are computed with in other ways than by zero points and scales of groups,
// or multiplied by floats, or added as floats: plans of parts, bundled as files.
// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s
// RUN: %warpwright rewrite %s -o - -- %parse | grep -v '^// [A-Z-]*:' \
// RUN:   | FileCheck %s --check-prefix=CODE
// RUN: %warpwright rewrite --emit=plan-json %s -- %parse -DONE > %t.json
// RUN: %warpwright rewrite --plan=%t.json %s -o %t.again.cu -- %parse -DONE
// RUN: %warpwright rewrite %s -o %t.cu -- %parse -DONE
// RUN: diff %t.cu %t.again.cu
// RUN: not %warpwright rewrite --emit=plan %s -- %parse -DDECLINED 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO

#include <cuda_fp16.h>
#include <cuda_fp8.h>

using e4m3 = __nv_fp8_e4m3;
using s8 = signed char;
using u8 = unsigned char;

#define PLACE                                                                  \
  int m = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int n = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  float sum = 0;                                                               \
  for (int k = 0; k < K; ++k)

#ifndef DECLINED
// A zero point that is a float: two parts of what the byte becomes. A block of 32 bytes
// a row has a quarter of its memory, and parts need all of it.
// CHECK: plan tile
// CHECK-NEXT: tile 128x128x32, {{.*}}
// CHECK: multiply: wgmma m64n128k16.f32.f16.f16
// CHECK: rows: A f16 k-major
// CHECK: columns: B u8 k-major, 128x32, swizzle 32b
// CHECK: tma box 32x32, 4 of 1024 bytes
// CHECK: products: A (f16) as one fp16 part of scaled elements, all bits, B (u8, computed) as two fp16 parts of scaled elements, 22 bits; 2 tensor-core products
// CHECK: proven: columns: raw S<1,4,3> o 0 o (((8,4),4),(32,1)):(((32,256),4096),(1,0)) is one to one
// CHECK: columns: 2 loads of 16 bytes and 8 stores of 16 a row, 40 wavefronts a block, 40 without conflicts
// CODE-DAG: using b_element = unsigned char;
// CODE-DAG: using b_factor = float;
// CODE-DAG: b_computed = true;
// CODE-DAG: float factor_of_b(unsigned char element, int n,
#pragma warpwright matmul tile(128, 128, 32)
__global__ void float_zero(const half *A, const u8 *B, const float *s,
                           const float *z, float *C, int M, int N, int K) {
  PLACE sum += __half2float(A[m * K + k]) *
               ((B[n * K + k] - z[k / 128 * N + n]) * s[k / 128 * N + n]);
  C[m * N + n] = sum;
}

#ifndef ONE
// What is rounded to half is one part.
// CHECK: plan tile
// CHECK: columns: B i8 n-major
// CHECK: B (i8, computed) as one fp16 part of scaled elements, all bits; 1 tensor-core product
#pragma warpwright matmul tile(64, 128, 32)
__global__ void rounded(const half *A, const s8 *B, const float *s, float *C,
                        int M, int N, int K) {
  PLACE sum += __half2float(A[m * K + k]) *
               __half2float(__float2half(s[n] * B[k * N + n]));
  C[m * N + n] = sum;
}

// A byte is one part, as it is; so are the bytes of both operands, whose products are
// added as floats.
// CHECK: plan tile
// CHECK: products: A (f32) as two fp16 parts of scaled elements, 22 bits, B (i8) as one fp16 part of scaled elements, all bits; 2 tensor-core products
#pragma warpwright matmul tile(64, 64, 32)
__global__ void by_floats(const float *A, const s8 *B, float *C, int M, int N,
                          int K) {
  PLACE sum += A[m * K + k] * (float)B[k * N + n];
  C[m * N + n] = sum;
}
// CHECK: plan tile
// CHECK: products: A (u8) as one fp16 part of scaled elements, all bits, B (i8) as one fp16 part of scaled elements, all bits; 1 tensor-core product
#pragma warpwright matmul tile(64, 64, 32)
__global__ void added_in_float(const u8 *A, const s8 *B, float *C, int M, int N,
                               int K) {
  PLACE sum += (float)A[m * K + k] * (float)B[n * K + k];
  C[m * N + n] = sum;
}

// Blocks of scales that are no whole blocks of a stage, and scales that are added.
// CHECK: plan tile
// CHECK: products: A (e4m3, computed) as two fp16 parts of scaled elements, 22 bits, B (e4m3) as one fp16 part of scaled elements, all bits; 2 tensor-core products
#pragma warpwright matmul tile(64, 64, 32)
__global__ void of_32(const e4m3 *A, const e4m3 *B, const float *s, float *C,
                      int M, int N, int K) {
  PLACE sum += float(A[m * K + k]) * s[m * (K / 32) + k / 32] *
               float(B[n * K + k]);
  C[m * N + n] = sum;
}
// CHECK: plan tile
// CHECK: products: A (f32) as two fp16 parts of scaled elements, 22 bits, B (e4m3, computed) as two fp16 parts of scaled elements, 22 bits; 3 tensor-core products
#pragma warpwright matmul tile(64, 64, 32)
__global__ void moved(const float *A, const e4m3 *B, const float *s, float *C,
                      int M, int N, int K) {
  PLACE sum += A[m * K + k] * (float(B[n * K + k]) + s[k]);
  C[m * N + n] = sum;
}
#endif

#else
// NO: 'in_double' is not rewritten: its products are added in double; {{.*}} [WW302]
#pragma warpwright matmul
__global__ void in_double(const u8 *A, const float *B, double *C, int M, int N,
                          int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  double sum = 0;
  for (int k = 0; k < K; ++k)
    sum += (double)A[m * K + k] * B[k * N + n];
  C[m * N + n] = sum;
}
// NO: 'fast' is not rewritten: accumulate(fast) is for {{.*}} [WW303]
#pragma warpwright matmul accumulate(fast)
__global__ void fast(const float *A, const s8 *B, float *C, int M, int N,
                     int K) {
  PLACE sum += A[m * K + k] * (float)B[k * N + n];
  C[m * N + n] = sum;
}
#endif
