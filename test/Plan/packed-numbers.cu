// Numbers of four bits that are computed with, or that lie across k in words: plans
// that take each out of its word, in the transform.
// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s
// RUN: %warpwright rewrite %s -o - -- %parse | grep -v '^// [A-Z-]*:' \
// RUN:   | FileCheck %s --check-prefix=CODE
// RUN: %warpwright rewrite --emit=plan-json %s -- %parse -DONE > %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %warpwright rewrite --plan=%t.json %s -o %t.again.cu -- %parse -DONE
// RUN: %warpwright rewrite %s -o %t.cu -- %parse -DONE
// RUN: diff %t.cu %t.again.cu
// RUN: rm -rf %t && %warpwright explain --svg=%t %s -- %parse -DONE
// RUN: not %warpwright rewrite --emit=plan %s -- %parse -DDECLINED 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO

#include <cuda_fp16.h>

using u8 = unsigned char;
using u32 = unsigned;

#define PLACE                                                                  \
  int m = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int n = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  float sum = 0;

#ifndef DECLINED
// Words across k: 32 numbers of k are four words of a row, whose elements lie along n.
// The bits are those of a shift by the place of k in its word.
// CHECK: plan tile
// CHECK-NEXT: tile 64x64x32,
// CHECK: columns: B u32 n-major, 64x32, swizzle none
// CHECK-NEXT: 8 numbers along k in an element
// CHECK-NEXT: raw ((32,2),4):((1,1024),32), 8192 bytes at
// CHECK: tma box 32x4, 2 of 512 bytes
// CHECK: products: A (f16) as one fp16 part of scaled elements, all bits, B (u32, computed) as two fp16 parts
// CHECK: proven: columns: raw ((32,2),4):((1,1024),32) is one to one, written by 2 TMA boxes of 32x4 (512 bytes)
// CODE: using b_element = unsigned;
// CODE: b_numbers = 8
// CODE: b_k_major = false
// CODE: factor_of_b(unsigned element, int n, int k,
// CODE: element >> static_cast<int>(4 * int64_t(k % 8))
// CODE: rt::Array{"W", W, rt::Type::u32, rt::Use::operand, 0, {0, 0, 1, N}}
// CODE-NEXT: .packed(8)
// JSON: "numbers": 8
#pragma warpwright matmul tile(64, 64, 32)
__global__ void across(const half *A, const u32 *W, const half *s, float *C,
                       int M, int N, int K, int g) {
  PLACE
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[m * K + k]) *
           (int(W[k / 8 * N + n] >> 4 * (k % 8) & 15) - 8) *
           __half2float(s[k / g * N + n]);
  C[m * N + n] = sum;
}

#ifndef ONE
// Zero points that are floats, and activations that are: bytes along k.
// CHECK: plan tile
// CHECK: columns: B u8 k-major, 64x32, swizzle none
// CHECK-NEXT: 2 numbers along k in an element
// CHECK: tma box 16x32, 2 of 512 bytes
// CHECK: products: A (f32) as two fp16 parts of scaled elements, 22 bits, B (u8, computed) as two fp16 parts
#pragma warpwright matmul tile(64, 64, 32)
__global__ void float_zeros(const float *A, const u8 *W, const float *z,
                            float *C, int M, int N, int K) {
  PLACE
  for (int k = 0; k < K; ++k) {
    const int both = W[n * (K / 2) + k / 2];
    sum += A[m * K + k] * ((k % 2 ? both >> 4 : both & 15) - z[n]);
  }
  C[m * N + n] = sum;
}

// Activations across k.
// CHECK: plan tile
// CHECK: rows: A f16 m-major
// CHECK: columns: B u8 k-major
// CHECK-NEXT: 2 numbers along k in an element
#pragma warpwright matmul tile(64, 64, 32)
__global__ void across_activations(const half *A, const u8 *W, float *C, int M,
                                   int N, int K) {
  PLACE
  for (int k = 0; k < K; ++k) {
    const int both = W[n * (K / 2) + k / 2];
    sum += __half2float(A[k * M + m]) * (k % 2 ? both >> 4 : both & 15);
  }
  C[m * N + n] = sum;
}

// Both elements are multiplied by the same number of a byte.
// CHECK: plan tile
// CHECK: columns: B u8 k-major
// CHECK-NEXT: 2 numbers along k in an element
#pragma warpwright matmul tile(64, 64, 32)
__global__ void whole_bytes(const half *A, const u8 *W, float *C, int M, int N,
                            int H) {
  PLACE
  for (int k = 0; k < H; ++k) {
    sum += __half2float(A[m * 2 * H + 2 * k]) * (W[n * H + k] - 8);
    sum += __half2float(A[m * 2 * H + 2 * k + 1]) * (W[n * H + k] - 8);
  }
  C[m * N + n] = sum;
}
#endif

#else
// Four numbers of two bits.
// NO: 'two_bits' is not rewritten: the elements of 'W' are {{.*}}, which a plan does to numbers that share a byte or a word only where each has four of its bits, and they are neighbours along k; {{.*}} [WW310]
#pragma warpwright matmul
__global__ void two_bits(const half *A, const u8 *W, float *C, int M, int N,
                         int K) {
  PLACE
  for (int k = 0; k < K / 4; ++k)
    for (int i = 0; i < 4; ++i)
      sum += __half2float(A[m * K + 4 * k + i]) *
             (W[n * (K / 4) + k] >> 2 * i & 3);
  C[m * N + n] = sum;
}
// The activations of a word do not follow one another.
// NO: 'apart' is not rewritten: {{.*}} [WW310]
#pragma warpwright matmul
__global__ void apart(const half *A, const u8 *W, float *C, int M, int N, int K,
                      float z) {
  PLACE
  for (int k = 0; k < K / 2; ++k) {
    sum += __half2float(A[m * K + k]) * ((W[n * (K / 2) + k] & 15) - z);
    sum += __half2float(A[m * K + K / 2 + k]) * ((W[n * (K / 2) + k] >> 4) - z);
  }
  C[m * N + n] = sum;
}
#endif
