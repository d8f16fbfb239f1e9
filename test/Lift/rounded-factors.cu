// Factors that the kernel itself rounds to tf32, both of them, are what plans of
// that precision make: they are taken out before planning. One of them alone is a
// prologue.

// RUN: %warpwright rewrite --emit=contraction %s -- %parse -DBOTH | FileCheck %s
// RUN: %warpwright rewrite --emit=plan %s -- %parse -DBOTH | FileCheck %s --check-prefix=PLAN
// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s --check-prefix=ONE

// CHECK: operand A = A[%m * K + %k]:f32 as call.f32 "nvcuda::wmma::__float_to_tf32"(A[%m * K + %k]:f32)
// CHECK: operand B = B[%k * N + %n]:f32 as call.f32 "nvcuda::wmma::__float_to_tf32"(B[%k * N + %n]:f32)
// PLAN: products: TMA rounds elements to nearest as it copies them
#include <mma.h>
using nvcuda::wmma::__float_to_tf32;
#ifdef BOTH
#define ROUND(X) __float_to_tf32(X)
#else
#define ROUND(X) (X)
#endif

// ONE: computed as f32, where parts do not do left as
// ONE: 2 an element
#pragma warpwright matmul
__global__ void rounded(const float *A, const float *B, float *C, int M, int N,
                        int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __float_to_tf32(A[row * K + k]) * ROUND(B[k * N + col]);
  C[row * N + col] = acc;
}
