// Instructions of PTX that convert numbers are casts. The bits that they take
// must be those of a number, and of one type only.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse >%t.lifted 2>%t.declined
// RUN: FileCheck %s --input-file=%t.lifted --implicit-check-not=contraction
// RUN: FileCheck %s --input-file=%t.declined --check-prefix=DECLINED

using u16 = unsigned short;

#define CONVERTS(Name, Instruction, To, Result, From, Operand)                 \
  __device__ To Name(From x) {                                                 \
    To y;                                                                      \
    asm(Instruction " %0, %1;" : "=" Result(y) : Operand(x));                  \
    return y;                                                                  \
  }
CONVERTS(of_half, "cvt.f32.f16", float, "f", u16, "h")
CONVERTS(of_bfloat16, "cvt.f32.bf16", float, "f", u16, "h")
CONVERTS(to_bfloat16, "cvt.rn.bf16.f32", u16, "h", float, "f")
CONVERTS(of_double, "cvt.rn.f32.f64", float, "f", double, "d")
CONVERTS(cut, "cvt.rz.f16.f32", u16, "h", float, "f")

#define KERNEL(Name, TA, TB, TC, A1, B1, Store)                                \
  __global__ void Name(const TA *A, const TB *B, TC *C, int M, int N, int K) { \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    float acc = 0;                                                             \
    for (int k = 0; k < K; ++k) {                                              \
      const TA a = A[row * K + k];                                             \
      const TB b = B[k * N + col];                                             \
      acc += (A1) * (B1);                                                      \
    }                                                                          \
    C[row * N + col] = Store(acc);                                             \
  }

// CHECK-LABEL: contraction "mixed"
// CHECK: operand A = A[%m * K + %k]:f16
// CHECK: operand B = B[%k * N + %n]:bf16
// CHECK: output C[%m * N + %n]:bf16 = bf16(acc)
#pragma warpwright matmul
KERNEL(mixed, u16, u16, u16, of_half(a), of_bfloat16(b), to_bfloat16)

// CHECK-LABEL: contraction "doubles"
// CHECK: operand A = A[%m * K + %k]:f64 as f32(A[%m * K + %k]:f64)
#pragma warpwright matmul
KERNEL(doubles, double, float, float, of_double(a), b, )

// DECLINED: 'two_types' is not rewritten
#pragma warpwright matmul
KERNEL(two_types, u16, u16, float, of_half(a) + of_bfloat16(a), of_half(b), )

// DECLINED: 'also_an_integer' is not rewritten
#pragma warpwright matmul
KERNEL(also_an_integer, u16, u16, float, of_half(a) + a, of_half(b), )

// Towards zero is no cast of C++.
// DECLINED: 'towards_zero' is not rewritten: inline assembly cannot be analysed
// [WW201]
#pragma warpwright matmul
KERNEL(towards_zero, u16, u16, u16, of_half(a), of_half(b), cut)
