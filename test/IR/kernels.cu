// What is lifted: the code that Clang generates for the annotated kernels and for
// what they reach, and nothing else. A function that computes a number from
// numbers stays a call, the bodies of others are in the place of their calls, and
// parameters, members and what loops carry have the user's names.

// RUN: %warpwright rewrite --emit=ir %s -- %parse 2>%t.log | FileCheck %s --implicit-check-not=never_called --implicit-check-not=not_annotated --implicit-check-not=on_the_host

#include <cuda_fp16.h>
#include <math.h>

namespace act {
__device__ float silu(float x) { return x / (1.0f + expf(-x)); }
template <typename T> __device__ T twice(T x) { return x + x; }
} // namespace act

__device__ float never_called(float x) { return x; }

__device__ float table[4];

struct Matrix {
  const half *data;
  int pitch;
  __device__ float at(int row, int column) const {
    return __half2float(data[row * pitch + column]);
  }
};

__device__ void add_product(float &sum, float left, float right) {
  sum += left * right;
}

// The result depends on more than the argument: it is no function to keep.
__device__ float indexed(float x) { return x * table[threadIdx.x & 3]; }

__global__ void not_annotated(float *C) { C[0] = 1; }

// nvcc's host compiler may know what Clang does not.
// RUN: FileCheck %s --check-prefix=HOST --input-file=%t.log
// HOST: :[[#@LINE+1]]:30: warning: use of undeclared identifier 'unknown_to_clang'
void on_the_host() { int x = unknown_to_clang; }

// CHECK: define {{.*}}void @_Z4gemm6MatrixPK6__halfPfiii(ptr byval(%struct.Matrix) align 8 %A, ptr %B, ptr %C, i32 %M, i32 %N, i32 %K)
// CHECK-NOT: {{^}}}
// CHECK: %acc.0 = phi float [ %[[NEXT:.*]], %for.body ], [ 0.0
// CHECK-NEXT: %k.0 = phi i32
// CHECK-NOT: {{^}}}
// CHECK: %pitch.i = getelementptr {{.*}}, ptr %A
// CHECK: %[[LEFT:.*]] = call {{.*}}float @_Z12__half2float6__half(
// CHECK: %[[RIGHT:.*]] = call {{.*}}float @_Z12__half2float6__half(
// CHECK-NEXT: %[[PRODUCT:.*]] = fmul {{.*}}float %[[LEFT]], %[[RIGHT]]
// CHECK-NEXT: %[[NEXT]] = fadd {{.*}}float %acc.0, %[[PRODUCT]]
// CHECK-NOT: {{^}}}
// CHECK: %[[SILU:.*]] = call {{.*}}float @_ZN3act4siluEf(float %acc.0.lcssa)
// CHECK-NEXT: %[[TWICE:.*]] = call {{.*}}float @_ZN3act5twiceIfEET_S1_(float %[[SILU]])
// CHECK: = getelementptr {{.*}}@table
// CHECK: %[[STORED:.*]] = fmul {{.*}}float %[[TWICE]], %
// CHECK-NOT: {{^}}}
// CHECK: store float %[[STORED]], ptr
#pragma warpwright matmul
__global__ void gemm(Matrix A, const half *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0;
  for (int k = 0; k < K; ++k)
    add_product(acc, A.at(row, k), __half2float(B[k * N + col]));
  C[row * N + col] = indexed(act::twice(act::silu(acc)));
}

// Kept functions have bodies: they are executed, and taken apart where a product
// is looked for.
// CHECK-DAG: define {{.*}}float @_ZN3act5twiceIfEET_S1_(float %x)
// CHECK-DAG: define {{.*}}float @_ZN3act4siluEf(float %x)
