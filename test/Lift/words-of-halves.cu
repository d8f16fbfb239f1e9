// The registers of `mma.sync` as arrays of halves that are set one by one and read
// as words. SROA makes words of such an array, into which each half is inserted.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.lifted 2>%t.declined
// RUN: FileCheck %s --input-file=%t.lifted --implicit-check-not=contraction
// RUN: FileCheck %s --input-file=%t.declined --check-prefix=DECLINED

#include <cuda_fp16.h>

#define KERNEL(Name, Declare, First, Second)                                   \
  __global__ void Name(const half *A, const half *B, float *C, int N, int K) { \
    const int lane = threadIdx.x, row = lane / 4, pair = lane % 4 * 2;         \
    const int m = blockIdx.y * 16 + row, n = blockIdx.x * 8 + row;             \
    const int col = blockIdx.x * 8 + pair;                                     \
    float d[4] = {0, 0, 0, 0};                                                 \
    Declare;                                                                   \
    for (int k = 0; k < K; k += 16) {                                          \
      half b[4];                                                               \
      for (int i = 0; i < 4; ++i) {                                            \
        a[2 * i + First] = A[(m + i % 2 * 8) * K + k + pair + i / 2 * 8];      \
        Second a[2 * i + 1 - First] =                                          \
            A[(m + i % 2 * 8) * K + k + pair + i / 2 * 8 + 1];                 \
      }                                                                        \
      for (int i = 0; i < 2; ++i) {                                            \
        b[2 * i] = B[n * K + k + pair + i * 8];                                \
        b[2 * i + 1] = B[n * K + k + pair + i * 8 + 1];                        \
      }                                                                        \
      const unsigned *p = reinterpret_cast<const unsigned *>(a);               \
      const unsigned *q = reinterpret_cast<const unsigned *>(b);               \
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "        \
                   "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"   \
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])            \
                   : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(q[0]),    \
                     "r"(q[1]));                                               \
    }                                                                          \
    for (int i = 0; i < 4; ++i)                                                \
      C[(m + i / 2 * 8) * N + col + i % 2] = d[i];                             \
  }

// CHECK-LABEL: contraction "in_the_loop"
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%n * K + %k]:f16
// CHECK: output C[%m * N + %n]:f32 = acc
#pragma warpwright matmul
KERNEL(in_the_loop, half a[8], 0, )

// The array is declared before the loop and keeps the words of the iteration
// before, of which every half is set anew.
// CHECK-LABEL: contraction "before_the_loop"
// CHECK: operand A = A[%m * K + %k]:f16
#pragma warpwright matmul
KERNEL(before_the_loop, __align__(4) half a[8] = {}, 0, )

// One half of each word is what it was before the loop.
// DECLINED: 'one_half_zero' is not rewritten
#pragma warpwright matmul
KERNEL(one_half_zero, half a[8] = {}, 0, if (false))

// One half of each word is never set.
// DECLINED: 'one_half_not_set' is not rewritten: an array element is used without having been set [WW215]
#pragma warpwright matmul
KERNEL(one_half_not_set, half a[8], 0, if (false))

// The halves of each word are exchanged: the sum pairs other elements.
// DECLINED: 'exchanged' is not rewritten
#pragma warpwright matmul
KERNEL(exchanged, half a[8], 1, )

// Some iterations set one half only.
// DECLINED: 'sometimes' is not rewritten
#pragma warpwright matmul
KERNEL(sometimes, half a[8] = {}, 0, if (k % 32 == 0))
