// Weights of four bits, in a loop over numbers, of which two are in a byte, or
// eight in a word: one product for each number of a byte or word.

// RUN: %warpwright rewrite --emit=contraction %s -- %parse 2>%t.err | FileCheck %s --implicit-check-not=contraction
// RUN: FileCheck %s --check-prefix=ERR < %t.err

// ERR-NOT: {{WW2|WW507}}
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdint.h>
#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0;
#define ARGS(T, U, V) const T *A, const U *B, V *C, int M, int N, int K

// The count of a shift says which four bits are meant.
// CHECK-LABEL: contraction "shifted"
// CHECK: index %k < floordiv(K, 2)
// CHECK: operand A = A[%m * K + 2 * %k]:f16
// CHECK: operand B = B[%n * floordiv(K, 2) + %k]:u8 as f32(((i32(B[%n * floordiv(K, 2) + %k]:u8) & int.i32(15)) - int.i32(8)))
// CHECK: plus
// CHECK: operand A = A[%m * K + 2 * %k + 1]:f16
// CHECK: operand B = B[%n * floordiv(K, 2) + %k]:u8 as f32((((i32(B[%n * floordiv(K, 2) + %k]:u8) >> int.i32(4)) & int.i32(15)) - int.i32(8)))
// CHECK: output C[%m * N + %n]:f32 = (scale[%n]:f32 * acc)
// CHECK: require mod(K, 2) == 0 : "the range of a sum ends inside of a word of 2 numbers"
#pragma warpwright matmul
__global__ void shifted(ARGS(__half, uint8_t, float), const float *scale) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) *
           (float)((B[col * (K / 2) + k / 2] >> (4 * (k & 1)) & 15) - 8) *
           scale[col];
  C[row * N + col] = acc;
}

// A choice says it; rows of an even number of numbers begin with a byte.
// CHECK-LABEL: contraction "chosen"
// CHECK: index %k < floordiv(K, 2)
// CHECK: operand B = B[%n * floordiv(K, 2) + %k]:u8 as f32(((i32(B[%n * floordiv(K, 2) + %k]:u8) & int.i32(15)) - int.i32(8)))
// CHECK: operand B = B[%n * floordiv(K, 2) + %k]:u8 as f32(((i32(B[%n * floordiv(K, 2) + %k]:u8) >> int.i32(4)) - int.i32(8)))
// CHECK: require mod(K, 2) == 0
#pragma warpwright matmul
__global__ void chosen(ARGS(__nv_bfloat16, uint8_t, float)) {
  PLACE
  for (int k = 0; k < K; ++k) {
    unsigned char b = B[col * K / 2 + k / 2];
    int v = (k & 1) ? (b >> 4) : (b & 15);
    acc += __bfloat162float(A[row * K + k]) * (v - 8);
  }
  C[row * N + col] = acc;
}

// One index of numbers, and scales of groups along k.
// CHECK-LABEL: contraction "grouped"
// CHECK: operand B = B[%n * floordiv(K, 2) + %k]:i8 as (f32((i32(i8((i32(B[%n * floordiv(K, 2) + %k]:i8) << int.i32(4)))) >> int.i32(4))) * scale[N * floordiv(%k, 64) + %n]:f32)
// CHECK: operand B = B[%n * floordiv(K, 2) + %k]:i8 as (f32((i32(B[%n * floordiv(K, 2) + %k]:i8) >> int.i32(4))) * scale[N * floordiv(%k, 64) + %n]:f32)
// CHECK: require mod(K, 2) == 0
#pragma warpwright matmul
__global__ void grouped(ARGS(__nv_bfloat16, int8_t, float),
                        const float *scale) {
  PLACE
  for (int k = 0; k < K; ++k) {
    int8_t b = B[(col * K + k) / 2];
    int v = (k % 2) ? (b >> 4) : ((int8_t)(b << 4)) >> 4;
    acc += __bfloat162float(A[row * K + k]) * (v * scale[k / 128 * N + col]);
  }
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "words"
// CHECK: index %k < floordiv(K, 8)
// CHECK: operand A = A[%m * K + 8 * %k]:f16
// CHECK: operand B = B[%n * floordiv(K, 8) + %k]:u32 as f32((B[%n * floordiv(K, 8) + %k]:u32 & int.u32(15)))
// CHECK: operand A = A[%m * K + 8 * %k + 7]:f16
// CHECK: operand B = B[%n * floordiv(K, 8) + %k]:u32 as f32(((B[%n * floordiv(K, 8) + %k]:u32 >> int.i32(28)) & int.u32(15)))
// CHECK: require mod(K, 8) == 0 : "the range of a sum ends inside of a word of 8 numbers"
#pragma warpwright matmul
__global__ void words(ARGS(__half, uint32_t, float)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) *
           (float)(B[col * (K / 8) + k / 8] >> (4 * (k % 8)) & 15);
  C[row * N + col] = acc;
}
