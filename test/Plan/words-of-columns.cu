// Words across k of numbers of four bits: a kernel gathers them, so that each byte has
// two neighbours along k, and plans are those of such bytes.
// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s
// RUN: %warpwright rewrite %s -o %t.cu -- %parse
// RUN: grep -v '^// [A-Z-]*:' %t.cu | FileCheck %s --check-prefix=CODE
// RUN: rm -rf %t && %warpwright explain --svg=%t %s -- %parse > %t.txt
// RUN: FileCheck %s --check-prefix=EXPLAIN < %t.txt

#include <cuda_fp16.h>

#define PLACE                                                                  \
  int m = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int n = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  float sum = 0;

// Pairs, which consumers convert.
// CHECK: plan tile
// CHECK: rows: B u4x2 n-major
// CODE: // operand A = A[%m * floordiv(K, 2) + %k]:f16x2
// CODE: // operand B = B[16 * %k * P + %n]:u4x2 gathered(0, 4, 1, 5, 2, 6, 3, 7) as
// CODE: rt::Type::u4x2,
// CODE: {0, 0, 1, 16 * rt::Integer(P)}}
// CODE-NEXT: .gathered({0, 4, 1, 5, 2, 6, 3, 7}),
// CODE: {rt::floor_mod(K, 2) == 0, "B: its numbers are not in pairs along k"}
// EXPLAIN: B
#pragma warpwright matmul tile(64, 64, 64)
__global__ void pairs(const half *A, const int *B, float *C, int M, int N,
                      int K, int P) {
  PLACE
  const int order[8] = {0, 4, 1, 5, 2, 6, 3, 7};
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[m * K + k]) *
           ((B[k * P + n / 8] >> 4 * order[n % 8] & 15) - 8);
  C[m * N + n] = sum;
}

// A sign that is taken off under a condition on the number itself.
// CHECK: plan tile
// CHECK: rows: B s4x2 n-major
#pragma warpwright matmul tile(64, 64, 64)
__global__ void with_sign(const half *A, const unsigned char *B, float *C,
                          int M, int N, int K, int P) {
  PLACE
  for (int k = 0; k < K; ++k) {
    int q = B[k * P + n / 2] >> 4 * (n % 2) & 15;
    if (q >= 8)
      q -= 16;
    sum += __half2float(A[m * K + k]) * q;
  }
  C[m * N + n] = sum;
}

// Along k, with the bits of a negative number set.
// CHECK: plan tile
// CHECK: rows: B s4x2 k-major
#pragma warpwright matmul tile(64, 64, 64)
__global__ void with_bits(const half *A, const unsigned char *B, float *C,
                          int M, int N, int K, int P) {
  PLACE
  for (int k = 0; k < K; ++k) {
    int q = B[n * P + k / 2] >> 4 * (k % 2) & 15;
    if ((q & 8) != 0 && q != 16)
      q |= ~15;
    sum += __half2float(A[m * K + k]) * static_cast<float>(q);
  }
  C[m * N + n] = sum;
}

// The condition is on the bits of the other number.
// CHECK: plan tile
// CHECK-NOT: s4x2
// CHECK: columns: B u8 k-major
#pragma warpwright matmul tile(64, 64, 32)
__global__ void of_others(const half *A, const unsigned char *B, float *C,
                          int M, int N, int K, int P) {
  PLACE
  for (int k = 0; k < K / 2; ++k) {
    const int both = B[n * P + k];
    int low = both & 15, high = both >> 4;
    if (high >= 8)
      low -= 16;
    if (low >= 8)
      high -= 16;
    sum += __half2float(A[m * K + 2 * k]) * low +
           __half2float(A[m * K + 2 * k + 1]) * high;
  }
  C[m * N + n] = sum;
}

// By floats: each is taken out of its byte, by the place of k.
// CHECK: plan tile
// CHECK: columns: B u8 n-major
// CHECK-NEXT: 2 numbers along k in an element
// CODE: factor_of_b(unsigned char element, int,
// CODE-NEXT: int k, int)
// CODE: static_cast<int>(4 * int64_t(k % 2))
// CODE: .packed(2)
// CODE-NEXT: .gathered({1, 0}),
#pragma warpwright matmul tile(64, 64, 32)
__global__ void numbers(const float *A, const unsigned char *B, float *C,
                        int M, int N, int K, int P) {
  PLACE
  for (int k = 0; k < K; ++k)
    sum += A[m * K + k] * ((B[k * P + n / 2] >> (4 - n % 2 * 4) & 15) - 7.5f);
  C[m * N + n] = sum;
}
void launch(half *a, float *f, int *b, unsigned char *d, float *c) {
  pairs<<<1, dim3(16, 16)>>>(a, b, c, 16, 16, 16, 2);
  with_sign<<<1, dim3(16, 16)>>>(a, d, c, 16, 16, 16, 8);
  with_bits<<<1, dim3(16, 16)>>>(a, d, c, 16, 16, 16, 8);
  of_others<<<1, dim3(16, 16)>>>(a, d, c, 16, 16, 16, 8);
  numbers<<<1, dim3(16, 16)>>>(f, d, c, 16, 16, 16, 8);
}
