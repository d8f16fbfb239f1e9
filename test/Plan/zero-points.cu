// Zero points of bytes: the tensor cores multiply the elements as they are, and the
// epilogue's struct has what comes into the sums. Forms of one zero point, plans as
// files, and what cannot be multiplied out.
// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s
// RUN: %warpwright rewrite %s -o - -- %parse | grep -v '^// [A-Z-]*:' \
// RUN:   | FileCheck %s --check-prefix=CODE
// RUN: %warpwright rewrite --emit=plan-json %s -- %parse -DONE > %t.json
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %warpwright rewrite --plan=%t.json %s -o %t.again.cu -- %parse -DONE
// RUN: %warpwright rewrite %s -o %t.cu -- %parse -DONE
// RUN: diff %t.cu %t.again.cu
// RUN: not %warpwright rewrite --emit=plan %s -- %parse -DDECLINED 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO

typedef signed char s8;
typedef unsigned char u8;

#define KERNEL(NAME, TA, TB, FACTORS, ...)                                     \
  __global__ void NAME(const TA *A, const TB *B, int *C, int M, int N, int K,  \
                       __VA_ARGS__) {                                          \
    int m = blockIdx.y * blockDim.y + threadIdx.y;                             \
    int n = blockIdx.x * blockDim.x + threadIdx.x;                             \
    if (m >= M || n >= N)                                                      \
      return;                                                                  \
    int sum = 0;                                                               \
    for (int k = 0; k < K; ++k)                                                \
      sum += FACTORS;                                                          \
    C[m * N + n] = sum;                                                        \
  }
#define a A[m * K + k]
#define b B[n * K + k]

#ifndef DECLINED
// CHECK-LABEL: plan large (large)
// CHECK: multiply: wgmma m64n256k32.s32.u8.s8, 128 accumulators a thread
// CHECK-NEXT: rows: A u8 k-major
// CHECK: shift comes into the sums, times those of the other operand's elements
// CHECK: columns: B i8 k-major
// CHECK: shift
// CODE-DAG: a_shifted = true
// CODE-DAG: b_shifted = true
// CODE: struct both_epilogue
// CODE: unsigned shift_of_a(int, int, int) const {
// CODE-NEXT: return -static_cast<unsigned>({{.*}}za{{.*}});
// CODE: unsigned shift_of_b(int n, int, int) const {
// CODE-NEXT: return -static_cast<unsigned>(zb[n]);
// CODE: value(int acc, int, int, int) const
// JSON: "shift": "sums"
#pragma warpwright matmul
KERNEL(both, u8, s8, (a - za) * (b - zb[n]), int za, const int *zb)

#ifndef ONE
// Numbers that are added, loaded as bytes, constants, and 64 bits.
// CODE: struct added_epilogue
// CODE: unsigned shift_of_a(int m, int, int) const {
// CODE-NEXT: return static_cast<unsigned>(za[m]) -
// CODE-NEXT: static_cast<unsigned>(static_cast<int>(128));
// CODE-NOT: shift_of_b
#pragma warpwright matmul
KERNEL(added, s8, s8, (a + za[m] - 128) * b, const u8 *za)

// CODE: struct wide_epilogue
// CODE-NOT: shift_of_a
// CODE: unsigned shift_of_b(int, int, int) const {
#pragma warpwright matmul
KERNEL(wide, u8, u8, (int)(a * (b - z)), long long z)
#endif
#else

// NO: 'along_k' is not rewritten: the elements of 'A' are shifted per k by 'za' {{.*}} [WW310]
#pragma warpwright matmul
KERNEL(along_k, u8, s8, (a - za[k]) * b, const int *za)

// NO: 'of_groups' is not rewritten: the elements of 'B' are shifted per column and group along k by 'zb' {{.*}} [WW310]
#pragma warpwright matmul
KERNEL(of_groups, u8, s8, a * (b - zb[n * (K / 128) + k / 128]), const int *zb)

// Not linear in the element.
// NO: 'clamped' is not rewritten: the elements of 'A' are {{.*}} [WW310]
#pragma warpwright matmul
KERNEL(clamped, u8, s8, max(a - za, 0) * b, int za)

// NO: 'two_products' is not rewritten: {{.*}}where a sum is over one product [WW310]
#pragma warpwright matmul
KERNEL(two_products, u8, s8, (a - za) * b + A2[m * K + k] * B2[n * K + k], int za,
       const u8 *A2, const s8 *B2)
#endif
