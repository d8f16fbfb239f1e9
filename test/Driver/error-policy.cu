// Fatal and syntax errors anywhere, and errors in an annotated kernel or in
// what it uses, stop the rewrite; other errors are warnings, as nvcc may
// accept what Clang does not.
// RUN: split-file %s %t && cd %t
// RUN: %warpwright rewrite elsewhere.cu --emit=regions 2>&1 \
// RUN:   | FileCheck elsewhere.cu --implicit-check-not=error:
// RUN: not %warpwright rewrite body.cu --emit=regions 2>&1 | FileCheck body.cu
// RUN: not %warpwright rewrite helper.cu --emit=regions 2>&1 | FileCheck helper.cu
// RUN: not %warpwright rewrite type.cu --emit=regions 2>&1 | FileCheck type.cu
// RUN: not %warpwright rewrite parameter.cu --emit=regions 2>&1 | FileCheck parameter.cu
// RUN: not %warpwright rewrite syntax.cu --emit=regions 2>&1 | FileCheck syntax.cu
// RUN: not %warpwright rewrite fatal.cu --emit=regions 2>&1 | FileCheck fatal.cu
// RUN: not %warpwright rewrite dynamic.cu --emit=contraction 2>&1 | FileCheck dynamic.cu
// RUN: not %warpwright rewrite deduced.cu --emit=contraction 2>&1 | FileCheck deduced.cu
// RUN: not %warpwright rewrite default.cu --emit=contraction 2>&1 | FileCheck default.cu
// RUN: not %warpwright rewrite instance.cu --emit=regions 2>&1 | FileCheck instance.cu

//--- elsewhere.cu
#include <cuda_runtime.h>
// CHECK: elsewhere.cu:[[#@LINE+1]]:33: warning: use of undeclared identifier 'missing'
__device__ int other() { return missing; }
#pragma warpwright matmul
__global__ void k(float *p) {}
int main() {
  k<<<1, 1>>>(nullptr);
  // CHECK: elsewhere.cu:[[#@LINE+1]]:3: warning: use of undeclared identifier 'cudaRemovedFunction'
  cudaRemovedFunction();
}
// CHECK: kernel k
// CHECK: launch

//--- body.cu
#include <cuda_runtime.h>
#pragma warpwright matmul
__global__ void k(float *p) {
  // CHECK: body.cu:[[#@LINE+1]]:10: error: use of undeclared identifier 'missing'
  p[0] = missing;
}
// CHECK: nothing was written for 'body.cu': 1 error [WW009]

//--- helper.cu
#include <cuda_runtime.h>
// CHECK: helper.cu:[[#@LINE+1]]:35: error: use of undeclared identifier 'missing'
__device__ float inner() { return missing; }
__device__ float outer() { return inner(); }
// CHECK: helper.cu:[[#@LINE+1]]:36: warning: use of undeclared identifier 'missing'
__device__ float unused() { return missing; }
#pragma warpwright matmul
__global__ void k(float *p) { p[0] = outer(); }
// CHECK: nothing was written for 'helper.cu': 1 error [WW009]

//--- type.cu
#include <cuda_runtime.h>
struct Matrix {
  // CHECK: type.cu:[[#@LINE+1]]:3: error: unknown type name 'missing'
  missing *data;
};
#pragma warpwright matmul
__global__ void k(Matrix m) {}
// CHECK: nothing was written for 'type.cu': 1 error [WW009]

//--- parameter.cu
#include <cuda_runtime.h>
#pragma warpwright matmul
// CHECK: parameter.cu:[[#@LINE+1]]:25: error: unknown type name 'missing'
__global__ void k(const missing *p) {}
// CHECK: nothing was written for 'parameter.cu': 1 error [WW009]

//--- syntax.cu
#include <cuda_runtime.h>
// CHECK: syntax.cu:[[#@LINE+1]]:31: error: expected expression
int elsewhere() { return 1 + (; }
#pragma warpwright matmul
__global__ void k(float *p) {}
// CHECK: [WW009]

//--- fatal.cu
// CHECK: fatal.cu:[[#@LINE+1]]:10: fatal error: 'missing.h' file not found
#include "missing.h"
#pragma warpwright matmul
__global__ void k(float *p) {}
// CHECK: [WW009]

// Clang leaves the statement with the call out of the kernel, without an error there.
//--- deduced.cu
#include <cuda_runtime.h>
// CHECK: deduced.cu:[[#@LINE+1]]:41: error: use of undeclared identifier 'missing'
__device__ auto f(float x) {     return missing(x); }
#define CALL(x) f(x)
#pragma warpwright matmul
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0;
    for (int i = 0; i < K; ++i)
      sum += A[row * K + i] * B[i * N + col];
    sum = CALL(sum);
    C[row * N + col] = sum;
  }
}
// CHECK: nothing was written for 'deduced.cu': 1 error [WW009]

//--- default.cu
#include <cuda_runtime.h>
// CHECK: default.cu:[[#@LINE+1]]:36: error: use of undeclared identifier 'missing'
__device__ float f(float x, int y =missing) { return x + y; }
#pragma warpwright matmul
__global__ void k(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0;
    for (int i = 0; i < K; ++i)
      sum += A[row * K + i] * B[i * N + col];
    sum = f(sum);
    C[row * N + col] = sum;
  }
}
// CHECK: nothing was written for 'default.cu': 1 error [WW009]

//--- instance.cu
#include <cuda_runtime.h>
#pragma warpwright matmul
template <class T> __global__ void k(T *p) {
  // CHECK: instance.cu:[[#@LINE+1]]:11: error: member reference base type 'float' is not a structure or union
  p[0] = p->member;
}
int main() { k<<<1, 1>>>((float *)nullptr); }
// CHECK: [WW009]

// A variable that Clang refuses is not named in the kernel's AST any more, and
// the expression that it stood in cannot be compiled.
//--- dynamic.cu
#include <cuda_runtime.h>
__host__ __device__ inline float twice(float x) { return 2 * x; }
// CHECK: dynamic.cu:[[#@LINE+1]]:20: error: dynamic initialization is not supported
__constant__ float scale = twice(2.0f);
#pragma warpwright matmul
__global__ void k(float *p) { p[0] = scale; }
// CHECK: nothing was written for 'dynamic.cu': 1 error [WW009]
