// Half and bfloat16 whose bits are kept in integers of 16 bits: these numbers
// are the elements, if nothing else is done with the integers.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.lifted 2>%t.declined
// RUN: FileCheck %s --input-file=%t.lifted --implicit-check-not=contraction
// RUN: FileCheck %s --input-file=%t.declined --check-prefix=DECLINED

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define KERNEL(Name, In, Out, Terms, Store)                                    \
  __global__ void Name(const In *A, const In *B, Out *C, int M, int N,         \
                       int K) {                                                \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    float acc = 0.0f;                                                          \
    for (int k = 0; k < K; ++k) {                                              \
      const In a = A[row * K + k], b = B[col * K + k];                         \
      Terms                                                                    \
    }                                                                          \
    C[row * N + col] = Store;                                                  \
  }

__device__ float widen(unsigned short bits) {
  return __uint_as_float((unsigned)bits << 16);
}

// CHECK: contraction "widened" {
// CHECK: operand A = A[%m * K + %k]:bf16{{$}}
// CHECK: operand B = B[%n * K + %k]:bf16{{$}}
// CHECK: output C[%m * N + %n]:bf16 = bf16(acc)
#pragma warpwright matmul
KERNEL(widened, unsigned short, unsigned short, acc += widen(a) * widen(b);
       , __bfloat16_as_ushort(__float2bfloat16(acc)))

union Word {
  int bits;
  float number;
};

// Through a union, of integers with a sign.
//
// CHECK: contraction "by_union" {
// CHECK: operand A = A[%m * K + %k]:bf16{{$}}
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
KERNEL(
    by_union, short, float, Word x; Word y; x.bits = a << 16; y.bits = b << 16;
    acc += x.number * y.number;, acc)

// CHECK: contraction "halves" {
// CHECK: operand A = A[%m * K + %k]:f16{{$}}
// CHECK: operand B = B[%n * K + %k]:f16{{$}}
// CHECK: output C[%m * N + %n]:f16 = f16(acc)
#pragma warpwright matmul
KERNEL(halves, unsigned short, unsigned short, __half_raw x; x.x = a;
       acc += __half2float(__half(x)) * __half2float(__ushort_as_half(b));
       , __half_as_ushort(__float2half(acc)))

// Two in a word.
//
// CHECK: contraction "words" {
// CHECK: index %k < 2 * K
// CHECK: operand A = A[2 * %m * K + %k]:bf16{{$}}
// CHECK: operand B = B[2 * %n * K + %k]:bf16{{$}}
#pragma warpwright matmul
KERNEL(words, unsigned, float,
       acc += __uint_as_float(a << 16) * __uint_as_float(b << 16);
       acc += __uint_as_float(a & 0xffff0000u) *
              __uint_as_float(b & 0xffff0000u);
       , acc)

// Another shift makes another number.
//
// CHECK: contraction "shifted_less" {
// CHECK: operand A = A[%m * K + %k]:u16 as
// CHECK: operand B = B[%n * K + %k]:bf16{{$}}
#pragma warpwright matmul
KERNEL(shifted_less, unsigned short, float,
       acc += __uint_as_float((unsigned)a << 15) * widen(b);, acc)

// What is stored is cut, not rounded.
//
// CHECK: contraction "cut" {
// CHECK: operand A = A[%m * K + %k]:bf16{{$}}
// CHECK: output C[%m * N + %n]:u16 = u16((call.u32 "__float_as_uint"(acc) >> int.i32(16)))
#pragma warpwright matmul
KERNEL(cut, unsigned short, unsigned short, acc += widen(a) * widen(b);
       , __float_as_uint(acc) >> 16)

// DECLINED: 'as_integers_too' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
KERNEL(as_integers_too, unsigned short, float,
       acc += widen(a) * widen(b) + (float)a;, acc)

// The sign of the bits is no part of the number.
//
// DECLINED: 'with_sign' is not rewritten: {{.*}} [WW2{{[0-9]+}}]
#pragma warpwright matmul
KERNEL(with_sign, short, float,
       acc += __int_as_float(a << 16) * __int_as_float(b << 16 | (a >> 16));
       , acc)

// DECLINED: 'of_two_types' is not rewritten: {{.*}} [WW207]
#pragma warpwright matmul
KERNEL(of_two_types, unsigned short, float, acc += widen(a) * widen(b);
       , acc + __half2float(__ushort_as_half(A[row])))

// The lower numbers of one array's words, and the words of the other one.
//
// CHECK: contraction "lower_and_words" {
// CHECK: operand A = A[2 * %m * K + 2 * %k]:bf16{{$}}
// CHECK: operand B = B[%n * K + %k]:u32 as call.f32 "__uint_as_float"
#pragma warpwright matmul
KERNEL(lower_and_words, unsigned, float,
       acc += __uint_as_float(a << 16) * __uint_as_float(b);, acc)
