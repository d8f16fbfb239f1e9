// Functions of the user's whose names are, or end as, those of CUDA's headers do
// what their bodies do. Where a name has a meaning and the body is not
// understood, the kernel is declined.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s
// RUN: not %warpwright rewrite --emit=plan %s -- %parse 2>/dev/null | FileCheck %s --check-prefix=PLAN

namespace nvcuda {
namespace wmma {
// As the header has it for programs that are built without one.
__device__ float __float_to_tf32(float x) { return x > 0.0f ? x : 0.01f * x; }
} // namespace wmma
} // namespace nvcuda
__device__ float my__float_to_tf32(float x) { return x > 0.0f ? x : 2.0f * x; }

// An overload that no header has, whose body has a loop that is not understood.
__device__ float max(float x, int y) {
  while (x * x < y)
    x = x * 1.5f + 1.0f;
  return x;
}

#define KERNEL(NAME, F)                                                        \
  __global__ void NAME(const float *A, const float *B, float *C, int M, int N, \
                       int K) {                                                \
    int row = blockIdx.y * blockDim.y + threadIdx.y;                           \
    int col = blockIdx.x * blockDim.x + threadIdx.x;                           \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    float acc = 0;                                                             \
    for (int k = 0; k < K; ++k)                                                \
      acc += F(A[row * K + k]) * F(B[k * N + col]);                            \
    C[row * N + col] = acc;                                                    \
  }

// A prologue that is computed, and no precision(tf32), whose products have one part.
// CHECK-DAG: operand A = A[%m * K + %k]:f32 as call.f32 "my__float_to_tf32"(
// PLAN:      computed as f32
// PLAN-NEXT: 2 an element
#pragma warpwright matmul
KERNEL(ends_alike, my__float_to_tf32)

// CHECK-DAG: operand A = A[%m * K + %k]:f32 as call.f32 "nvcuda::wmma::__float_to_tf32"(
// PLAN-NOT: , 1 an element
#pragma warpwright matmul
KERNEL(same_name, nvcuda::wmma::__float_to_tf32)

// CHECK-DAG: warning: 'overloaded' is not rewritten: 'max' has the name of a function of CUDA's headers, and its body is not understood [WW211]
#define LARGER(X) max(X, 3)
#pragma warpwright matmul
KERNEL(overloaded, LARGER)
