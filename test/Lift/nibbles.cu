// Weights of four bits, two in a byte: shifts and masks of a loaded byte are a
// prologue of it, one product for each of its numbers.

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
#define ARGS(T, U, V) const T *A, const U *B, V *C, int M, int N, int H

// The low four bits come first, and 8 stands for zero.
// CHECK-LABEL: contraction "low_first"
// CHECK: operand A = A[2 * %m * H + 2 * %k]:f32
// CHECK: operand B = B[%n * H + %k]:u8 as f32(((i32(B[%n * H + %k]:u8) & int.i32(15)) - int.i32(8)))
// CHECK: operand A = A[2 * %m * H + 2 * %k + 1]:f32
// CHECK: operand B = B[%n * H + %k]:u8 as f32(((i32(B[%n * H + %k]:u8) >> int.i32(4)) - int.i32(8)))
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void low_first(ARGS(float, uint8_t, float)) {
  PLACE
  for (int k = 0; k < H; ++k) {
    uint8_t b = B[col * H + k];
    acc += A[row * (2 * H) + 2 * k] * (float)((b & 0xf) - 8);
    acc += A[row * (2 * H) + 2 * k + 1] * (float)((b >> 4) - 8);
  }
  C[row * N + col] = acc;
}

// The high ones first, with scales and zero points of groups.
// CHECK-LABEL: contraction "high_first"
// CHECK: operand A = A[2 * %m * H + 2 * %k]:f16
// CHECK: operand B = B[%n * H + %k]:u8 as (f32(((i32(B[%n * H + %k]:u8) >> int.i32(4)) - i32(zero[%n * G + floordiv(%k, 16)]:u8))) * f32(scale[%n * G + floordiv(%k, 16)]:f16))
// CHECK: operand A = A[2 * %m * H + 2 * %k + 1]:f16
// CHECK: operand B = B[%n * H + %k]:u8 as (f32(((i32(B[%n * H + %k]:u8) & int.i32(15)) - i32(zero[%n * G + floordiv(%k, 16)]:u8))) * f32(scale[%n * G + floordiv(%k, 16)]:f16))
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f16 = f16(acc)
#pragma warpwright matmul
__global__ void high_first(ARGS(__half, uint8_t, __half), const __half *scale,
                           const uint8_t *zero, int G) {
  PLACE
  for (int k = 0; k < H; ++k) {
    unsigned b = B[col * H + k];
    float s = __half2float(scale[col * G + k / 16]);
    int z = zero[col * G + k / 16];
    acc += __half2float(A[row * (2 * H) + 2 * k]) * ((float)((int)(b >> 4) - z) * s);
    acc += __half2float(A[row * (2 * H) + 2 * k + 1]) *
           ((float)((int)(b & 15) - z) * s);
  }
  C[row * N + col] = __float2half(acc);
}

// With a sign: shifted up and down, or with the sign's bit exchanged.
// CHECK-LABEL: contraction "with_sign"
// CHECK: operand A = A[2 * %m * H + 2 * %k]:bf16
// CHECK: operand B = B[%n * H + %k]:i8 as f32((i32(i8((i32(B[%n * H + %k]:i8) << int.i32(4)))) >> int.i32(4)))
// CHECK: operand A = A[2 * %m * H + 2 * %k + 1]:bf16
// CHECK: operand B = B[%n * H + %k]:i8 as f32((i32(B[%n * H + %k]:i8) >> int.i32(4)))
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void with_sign(ARGS(__nv_bfloat16, int8_t, float)) {
  PLACE
  for (int k = 0; k < H; ++k) {
    int8_t b = B[col * H + k];
    acc += __bfloat162float(A[row * (2 * H) + 2 * k]) *
           (float)((int8_t)(b << 4) >> 4);
    acc += __bfloat162float(A[row * (2 * H) + 2 * k + 1]) * (float)(b >> 4);
  }
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "exchanged"
// CHECK: operand A = A[2 * %m * H + 2 * %k]:f16
// CHECK: operand B = B[%n * H + %k]:u8 as f32((((i32(B[%n * H + %k]:u8) & int.i32(15)) ^ int.i32(8)) - int.i32(8)))
// CHECK: operand A = A[2 * %m * H + 2 * %k + 1]:f16
// CHECK: operand B = B[%n * H + %k]:u8 as f32((((i32(B[%n * H + %k]:u8) >> int.i32(4)) ^ int.i32(8)) - int.i32(8)))
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void exchanged(ARGS(__half, uint8_t, float)) {
  PLACE
  for (int k = 0; k < H; ++k) {
    int b = B[col * H + k];
    acc += __half2float(A[row * (2 * H) + 2 * k]) * (float)(((b & 15) ^ 8) - 8);
    acc += __half2float(A[row * (2 * H) + 2 * k + 1]) *
           (float)(((b >> 4) ^ 8) - 8);
  }
  C[row * N + col] = acc;
}

// Put together from the bits of two arrays.
// CHECK-LABEL: contraction "joined"
// CHECK: operand A = A[%m * H + %k]:f32
// CHECK: operand B = B[%k * N + %n]:u8 as f32(((i32(B[%k * N + %n]:u8) & int.i32(15)) | ((i32(high[%n]:u8) & int.i32(3)) << int.i32(4))))
// CHECK: accumulate f32{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
__global__ void joined(ARGS(float, uint8_t, float), const uint8_t *high) {
  PLACE
  for (int k = 0; k < H; ++k)
    acc += A[row * H + k] *
           (float)((B[k * N + col] & 15) | (high[col] & 3) << 4);
  C[row * N + col] = acc;
}

// Signs are a choice: one side of it is an int, and the other one has the bits
// of an unsigned word.
// CHECK-LABEL: contraction "sign_by_choice"
// CHECK: operand A = A[8 * %m * H + 8 * %k]:f16
// CHECK: operand B = B[%n * H + %k]:u32 as f32(select(fcmp({{.*}}), (i32({{.*}}) - int.i32(16)), i32({{.*}})))
// CHECK: operand B = B[%n * H + %k]:u32 as f32(select(fcmp({{.*}} >> int.i32(28){{.*}}), (i32({{.*}}) - int.i32(16)), i32({{.*}})))
// CHECK: accumulate f32{{$}}
#pragma warpwright matmul
__global__ void sign_by_choice(ARGS(__half, uint32_t, float)) {
  PLACE
  for (int k = 0; k < H; ++k)
    for (int i = 0; i < 8; ++i) {
      const int four = B[col * H + k] >> 4 * i & 15;
      acc += __half2float(A[row * (8 * H) + 8 * k + i]) *
             (float)(four & 8 ? four - 16 : four);
    }
  C[row * N + col] = acc;
}

// CHECK-LABEL: contraction "less_than_none"
// CHECK: operand B = B[%k * N + %n]:u8 as f32(select(fcmp({{.*}}), int.i32(-1), {{.*}}))
// CHECK: accumulate f32{{$}}
#pragma warpwright matmul
__global__ void less_than_none(ARGS(float, uint8_t, float)) {
  PLACE
  for (int k = 0; k < H; ++k) {
    const unsigned number = B[k * N + col];
    acc += A[row * H + k] * (float)(int)(number > 100 ? -1 : number);
  }
  C[row * N + col] = acc;
}
