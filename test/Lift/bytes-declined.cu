// Products of integers that are not what a sum of products of elements is.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdint.h>
#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  int acc = 0;
#define ARGS(T, U, V) const T *A, const U *B, V *C, int M, int N, int K

// A sum of 16 bits is cut to 16 bits after every addition.
// CHECK: warning: 'to16' is not rewritten: a value is cut to i16 in every iteration [WW202]
// CHECK-NEXT: s += A[row * K + k] * B[k * N + col];
#pragma warpwright matmul
__global__ void to16(ARGS(uint8_t, uint8_t, short)) {
  PLACE
  short s = acc;
  for (int k = 0; k < K; ++k)
    s += A[row * K + k] * B[k * N + col];
  C[row * N + col] = s;
}

// The bits of a number with another sign.
// CHECK: warning: 'resigned' is not rewritten: an operand is read with another sign than it is stored with [WW217]
// CHECK-NEXT: acc += (int8_t)A[row * K + k] * B[k * N + col];
#pragma warpwright matmul
__global__ void resigned(ARGS(uint8_t, int8_t, int)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += (int8_t)A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// CHECK: warning: 'resigned_dp4a' is not rewritten: an operand is read with another sign than it is stored with [WW217]
// CHECK-NEXT: acc = __dp4a(*(const int *)(A + row * K + k),
#pragma warpwright matmul
__global__ void resigned_dp4a(ARGS(uint8_t, int8_t, int)) {
  PLACE
  for (int k = 0; k < K; k += 4)
    acc = __dp4a(*(const int *)(A + row * K + k),
                 *(const int *)(B + col * K + k), acc);
  C[row * N + col] = acc;
}

// Two numbers of 16 bits and two bytes.
// CHECK: warning: 'dp2a' is not rewritten: inline assembly cannot be analysed [WW201]
// CHECK-NEXT: acc = __dp2a_lo(*(const int *)(A + row * K + k),
#pragma warpwright matmul
__global__ void dp2a(ARGS(short, int8_t, int)) {
  PLACE
  for (int k = 0; k < K; k += 2)
    acc = __dp2a_lo(*(const int *)(A + row * K + k),
                    *(const short *)(B + col * K + k), acc);
  C[row * N + col] = acc;
}

// A product that may wrap around before it is added to a wider sum.
// CHECK: warning: 'int_to_long' is not rewritten: a product of integers may not fit in i32, in which it is computed before it is added in i64 [WW217]
// CHECK-NEXT: s += A[row * K + k] * B[k * N + col];
#pragma warpwright matmul
__global__ void int_to_long(ARGS(int, int, long long)) {
  PLACE
  long long s = acc;
  for (int k = 0; k < K; ++k)
    s += A[row * K + k] * B[k * N + col];
  C[row * N + col] = s;
}

// CHECK: warning: 'int_to_float' is not rewritten: a product of integers may not fit in i32, in which it is computed before it is added in f32 [WW217]
// CHECK-NEXT: s += A[row * K + k] * B[k * N + col];
#pragma warpwright matmul
__global__ void int_to_float(ARGS(int, int, float)) {
  PLACE
  float s = acc;
  for (int k = 0; k < K; ++k)
    s += A[row * K + k] * B[k * N + col];
  C[row * N + col] = s;
}

// The sum of the elements of one operand.
// CHECK: warning: 'zero_term' is not rewritten: what is summed is a product of 1 loaded elements, not of two [WW217]
// CHECK-NEXT: acc = __dp4a(*(const int *)(A + row * K + k), 0x01010101, acc);
#pragma warpwright matmul
__global__ void zero_term(ARGS(int8_t, int8_t, int)) {
  PLACE
  for (int k = 0; k < K; k += 4)
    acc = __dp4a(*(const int *)(A + row * K + k), 0x01010101, acc);
  C[row * N + col] = acc;
}

// Sums that saturate.
// CHECK: warning: 'saturating' is not rewritten: a value has 'min' applied to it in every iteration, which is not an addition in any order [WW202]
// CHECK-NEXT: acc = min(acc + A[row * K + k] * B[k * N + col], 1 << 20);
#pragma warpwright matmul
__global__ void saturating(ARGS(int8_t, int8_t, int)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc = min(acc + A[row * K + k] * B[k * N + col], 1 << 20);
  C[row * N + col] = acc;
}

// Words without their bytes: a product of two words.
// CHECK: warning: 'word_and_bytes' is not rewritten: this operation is not understood [WW215]
// CHECK-NEXT: acc = __dp4a(A[row * K + k], B[col * K + k], acc) + A[row * K + k];
#pragma warpwright matmul
__global__ void word_and_bytes(const int *A, const int *B, int *C, int M, int N,
                               int K) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc = __dp4a(A[row * K + k], B[col * K + k], acc) + A[row * K + k];
  C[row * N + col] = acc;
}

// Bits that are no whole byte.
// CHECK: warning: 'odd_shift' is not rewritten: this operation is not understood [WW215]
// CHECK-NEXT: acc += (int8_t)(a >> 7) * B[col * K + k];
#pragma warpwright matmul
__global__ void odd_shift(ARGS(int8_t, int8_t, int)) {
  PLACE
  for (int k = 0; k < K; k += 4) {
    int a = *(const int *)(A + row * K + k);
    acc += (int8_t)(a >> 7) * B[col * K + k];
  }
  C[row * N + col] = acc;
}

// The sign of another byte.
// CHECK: warning: 'sign_byte' is not rewritten: a byte that is the sign of another one is used [WW215]
// CHECK-NEXT: acc += (int8_t)((a >> 8) >> 24) * B[col * K + k];
#pragma warpwright matmul
__global__ void sign_byte(ARGS(int8_t, int8_t, int)) {
  PLACE
  for (int k = 0; k < K; k += 4) {
    int a = *(const int *)(A + row * K + k);
    acc += (int8_t)((a >> 8) >> 24) * B[col * K + k];
  }
  C[row * N + col] = acc;
}

// Sums of integers that may not hold what floats would: without a sign, of
// bytes with one; of parts whose number is an argument, times a scale that
// leaves room for less than one product.
// CHECK: warning: 'without_sign' is not rewritten: what a loop inside sums in u32 is converted to f32 before it is added [WW217]
#pragma warpwright matmul
__global__ void without_sign(ARGS(int8_t, int8_t, float), const float *s) {
  PLACE
  float all = acc;
  for (int g = 0; g < K / 32; ++g) {
    unsigned sum = 0;
    for (int k = 0; k < 32; ++k)
      sum += A[row * K + g * 32 + k] * B[col * K + g * 32 + k];
    all += sum * s[g];
  }
  C[row * N + col] = all;
}

// CHECK: warning: 'scaled_by_ints' is not rewritten: what a loop inside sums in i32 is converted to f32 before it is added [WW217]
#pragma warpwright matmul
__global__ void scaled_by_ints(ARGS(int8_t, int8_t, float), const int *s,
                               int size) {
  PLACE
  float all = acc;
  for (int g = 0; g < K / size; ++g) {
    int sum = 0;
    for (int k = 0; k < size; ++k)
      sum += A[row * K + g * size + k] * B[col * K + g * size + k];
    all += sum * s[g];
  }
  C[row * N + col] = all;
}

// A size that differs between groups.
// CHECK: warning: 'listed_sizes' is not rewritten: what a loop inside sums in i32 is converted to f32 before it is added [WW217]
#pragma warpwright matmul
__global__ void listed_sizes(ARGS(int8_t, int8_t, float), const float *s) {
  PLACE
  float all = acc;
  for (int g = 0; g < K / 32; ++g) {
    int sum = 0;
    for (int k = 0; k < g; ++k)
      sum += A[row * K + g * 32 + k] * B[col * K + g * 32 + k];
    all += sum * s[g];
  }
  C[row * N + col] = all;
}

// A zero point that is taken from the sum of elements that are not multiplied,
// or that may be infinite: their sum may be a number where that of what each of
// them is multiplied with is not, and the other way round.
// CHECK: warning: 'zeros_of_others' is not rewritten: the nested loops of the sum do not make one range [WW216]
// CHECK: warning: 'zeros_of_halves' is not rewritten: the nested loops of the sum do not make one range [WW216]
#define ZEROS_OF_SUMS(NAME, T, D)                                              \
  __global__ void NAME(ARGS(T, int8_t, float), const T *other,                 \
                       const float *z) {                                       \
    PLACE                                                                      \
    float all = acc;                                                           \
    for (int g = 0; g < K / 64; ++g) {                                         \
      float sum = 0, of_d = 0;                                                 \
      for (int k = g * 64; k < g * 64 + 64; ++k) {                             \
        sum += float(A[row * K + k]) * float(B[col * K + k]);                  \
        of_d += float(D[row * K + k]);                                         \
      }                                                                        \
      all += sum - z[g * N + col] * of_d;                                      \
    }                                                                          \
    C[row * N + col] = all;                                                    \
  }
#pragma warpwright matmul
ZEROS_OF_SUMS(zeros_of_others, int8_t, other)
#pragma warpwright matmul
ZEROS_OF_SUMS(zeros_of_halves, half, A)

// The same where the products, or what is subtracted, are rounded to half before
// they are added: a zero point of each element would leave that out.
// CHECK: warning: 'zeros_of_rounded' is not rewritten: the nested loops of the sum do not make one range [WW216]
// CHECK: warning: 'rounded_zeros' is not rewritten: the nested loops of the sum do not make one range [WW216]
#define ROUNDED_SUMS(NAME, PRODUCT, X)                                         \
  __global__ void NAME(ARGS(int8_t, int8_t, float), const half *s,             \
                       const float *z) {                                       \
    PLACE                                                                      \
    float all = acc;                                                           \
    for (int g = 0; g < K / 64; ++g) {                                         \
      float sum = 0, of_a = 0;                                                 \
      for (int k = g * 64; k < g * 64 + 64; ++k) {                             \
        const half a = __int2half_rn(A[row * K + k]);                          \
        const half b = __int2half_rn(B[col * K + k]);                          \
        sum += PRODUCT;                                                        \
        of_a += X;                                                             \
      }                                                                        \
      all += sum - z[g * N + col] * of_a;                                      \
    }                                                                          \
    C[row * N + col] = all;                                                    \
  }
#pragma warpwright matmul
ROUNDED_SUMS(zeros_of_rounded, __half2float(__hmul(a, b)), __half2float(a))
#pragma warpwright matmul
ROUNDED_SUMS(rounded_zeros, __half2float(a) * __half2float(b),
             __half2float(__hmul(a, s[g])))

// Where sums of groups begin at a number, scales are factors of it and of products. No
// infinities are drawn for them: the products of a group may cancel before they are
// multiplied by one, and not behind that.
// CHECK: warning: 'begun_groups' is not rewritten: the elements of 'A' are scaled {{.*}} [WW310]
#pragma warpwright matmul
__global__ void begun_groups(ARGS(int8_t, uint8_t, float), const float *a,
                             const float *b, const int8_t *z) {
  PLACE
  float all = acc;
  for (int g = 0; g < (K + 47) / 48; ++g) {
    int sum = z[0];
    for (int j = 0; j < 48; ++j)
      if (g * 48 + j < K)
        sum += A[row * K + g * 48 + j] * B[col * K + g * 48 + j];
    all = fmaf(a[row * ((K + 15) / 16) + g] * b[g * N + col], sum, all);
  }
  C[row * N + col] = all;
}
