// Sums of bits: the plans of words, the number by which the generated kernel knows
// what is counted, plans as files; and what stays declined.
// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s
// RUN: %warpwright rewrite %s -o - -- %parse | grep -v '^// [A-Z-]*:' \
// RUN:   | FileCheck %s --check-prefix=CODE
// RUN: %warpwright rewrite --emit=plan-json %s -- %parse -DONE > %t.json
// RUN: %warpwright rewrite --plan=%t.json %s -o %t.again.cu -- %parse -DONE
// RUN: %warpwright rewrite %s -o %t.cu -- %parse -DONE
// RUN: diff %t.cu %t.again.cu
// RUN: rm -rf %t && %warpwright explain --svg=%t %s -- %parse -DONE \
// RUN:   | FileCheck %s --check-prefix=EXPLAIN
// RUN: not %warpwright rewrite --emit=plan %s -- %parse -DDECLINED 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO

#define KERNEL(NAME, T, SUM, COUNT)                                            \
  __global__ void NAME(const T *A, const T *B, SUM *C, int M, int N, int K) {  \
    int m = blockIdx.y * blockDim.y + threadIdx.y;                             \
    int n = blockIdx.x * blockDim.x + threadIdx.x;                             \
    if (m >= M || n >= N)                                                      \
      return;                                                                  \
    SUM sum = 0;                                                               \
    for (int k = 0; k < K; ++k)                                                \
      sum += COUNT;                                                            \
    C[m * N + n] = sum;                                                        \
  }
#define a A[m * K + k]
#define b B[n * K + k]

#ifndef DECLINED
// CHECK-LABEL: plan large (large)
// CHECK-NEXT: tile 128x256x32, 4 stages, 2 consumer warpgroups sharing tiles
// CHECK-NEXT: multiply: wgmma m64n256k8.s32.b1.b1, 128 accumulators a thread
// CHECK-NEXT: rows: A u32 k-major, 128x32, swizzle 128b
// CHECK: products: wgmma counts the bits that two words have in common
// CHECK: proven: rows: {{.*}} read by wgmma
// CODE-DAG: using a_element = unsigned;
// CODE-DAG: bit_table = 6;
// CODE-DAG: bit_table = 8;
// CODE: // Products: wgmma counts the bits
// CODE: struct different_epilogue_{{[0-9a-f]+}} {
// CODE-NEXT: __device__ __forceinline__ int value(int acc, int, int, int) const
// CODE: , K};
// CODE: {"A", A, rt::Type::u32, rt::Use::operand, 0, {0, K, 0, 1}},
// EXPLAIN: wgmma counts the bits
#pragma warpwright matmul
KERNEL(different, unsigned, int, __popc(a ^ b))

#ifndef ONE
// Words of 64 bits are two of 32.
// CODE: struct wide_epilogue_{{[0-9a-f]+}} {
// CODE: rt::Type::u32,
#pragma warpwright matmul
KERNEL(wide, unsigned long long, unsigned, __popcll(a & b))
#endif
#else

// Sums of 64 bits.
// NO: 'longs' is not rewritten: its counts of bits are added in i64; plans add them in 32 bits [WW302]
#pragma warpwright matmul
KERNEL(longs, unsigned, long long, __popc(a ^ b))

// NO: 'products' is not rewritten: 'A': operands of type u32 have no plan; {{.*}} [WW302]
#pragma warpwright matmul
KERNEL(products, unsigned, unsigned, a * b)

// The words of the parts of a word do not lie side by side along k.
// NO: 'across' is not rewritten: 'A' has words of 64 bits that do not lie side by side along k; words of 32 bits have a plan in any order, and others where they do [WW302]
#pragma warpwright matmul
KERNEL(across, unsigned long long, int, __popcll(A[k * M + m] ^ b))
#endif
