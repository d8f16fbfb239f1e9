// What is stored may be any pure function of the sum and of the element's index,
// divisions of the index and functions of CUDA's headers included; all of it is
// executed.
// RUN: not %warpwright rewrite %s --emit=contraction -- %parse 2>%t.log | FileCheck %s
// RUN: FileCheck %s --check-prefix=LOG --implicit-check-not=WW507 --implicit-check-not=WW506 < %t.log
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define INDEX                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0;                                                               \
  for (int k = 0; k < K; ++k)                                                  \
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);

// CHECK-LABEL: contraction "sign"
// CHECK: output C[%m * N + %n]:f32 = select(mod(%n, 2) != 0, acc, -(acc))
#pragma warpwright matmul
__global__ void sign(const half *A, const half *B, float *C, int M, int N,
                     int K) {
  INDEX
  C[row * N + col] = col & 1 ? acc : -acc;
}

// CHECK-LABEL: contraction "grouped"
// CHECK: output C[%m * N + %n]:f32 = (acc * scale[floordiv(%m, G) * floordiv(N, G) + floordiv(%n, G)]:f32)
// CHECK: require G > 0 : "G is not positive"
#pragma warpwright matmul
__global__ void grouped(const half *A, const half *B, float *C, int M, int N,
                        int K, const float *scale, int G) {
  INDEX
  C[row * N + col] = acc * scale[row / G * (N / G) + col / G];
}

// CHECK-LABEL: contraction "clamped"
// CHECK: output C[%m * N + %n]:i8 = i8(call.i32 "max"(int.i32(-128), call.i32 "min"(int.i32(127), call.i32 "static_cast<int>"(acc))))
#pragma warpwright matmul
__global__ void clamped(const half *A, const half *B, signed char *C, int M,
                        int N, int K) {
  INDEX
  C[row * N + col] = max(-128, min(127, (int)acc));
}

// The headers have one __hadd for halves and one that halves a sum of integers.
// CHECK-LABEL: contraction "average"
// CHECK: output C[%m * N + %n]:f32 = (acc * f32(call.i32 "__hadd"(int.i32(%m), int.i32(%n))))
#pragma warpwright matmul
__global__ void average(const half *A, const half *B, float *C, int M, int N,
                        int K) {
  INDEX
  C[row * N + col] = acc * __hadd(row, col);
}

// CHECK-LABEL: contraction "rounded"
#pragma warpwright matmul
__global__ void rounded(const half *A, const half *B, float *C, int M, int N,
                        int K) {
  INDEX
  C[row * N + col] =
      __fadd_rz(acc, 1.5f) + __fmul_ru(acc, 0.3f) + __fmaf_rd(acc, acc, 1.0f) +
      __half2float(__float2half_rz(acc)) +
      __bfloat162float(__float2bfloat16_rz(acc)) +
      __half2ushort_rz(__float2half(acc)) + __float2int_rd(acc) +
      __half2float(__hfma_sat(__float2half(acc), __float2half(0.5f),
                              __float2half(0.25f)));
}

// CHECK-LABEL: contraction "functions"
#pragma warpwright matmul
__global__ void functions(const half *A, const half *B, float *C, int M, int N,
                          int K) {
  INDEX
  C[row * N + col] = remainderf(acc, 3.0f) + llroundf(acc) +
                     (unsigned char)acc + (long long)acc + ldexpf(acc, 2) +
                     __mul24(row, col) + __popc(row) + __clz(col);
}

// Elements of a short array inside of a parameter are numbers like any other.
struct Scales {
  float s[4];
};
// CHECK-LABEL: contraction "inside"
// CHECK: output C[%m * N + %n]:f32 = (acc * s.s[1]:f32)
#pragma warpwright matmul
__global__ void inside(const half *A, const half *B, float *C, int M, int N,
                       int K, Scales s) {
  INDEX
  C[row * N + col] = acc * s.s[1];
}

struct Table {
  float s[65];
};
// LOG: :[[#@LINE+5]]:{{[0-9]+}}: warning: 'table' is not rewritten: 's.s' is an array inside of a parameter [WW207]
#pragma warpwright matmul
__global__ void table(const half *A, const half *B, float *C, int M, int N,
                      int K, Table s) {
  INDEX
  C[row * N + col] = acc * s.s[1];
}

// LOG: :[[#@LINE+5]]:{{[0-9]+}}: warning: 'chosen' is not rewritten: an element of an array inside of a parameter is chosen by an index; {{.*}} [WW204]
#pragma warpwright matmul
__global__ void chosen(const half *A, const half *B, float *C, int M, int N,
                       int K, Scales s, int which) {
  INDEX
  C[row * N + col] = acc * s.s[which];
}

// LOG: :[[#@LINE+6]]:{{[0-9]+}}: warning: 'first' is not rewritten: the condition under which this element is stored does not bound one index at a time: blockIdx.z == 0 [WW216]
#pragma warpwright matmul
__global__ void first(const half *A, const half *B, float *C, int M, int N,
                      int K) {
  INDEX
  if (blockIdx.z == 0)
    C[row * N + col] = acc;
}
