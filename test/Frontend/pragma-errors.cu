// The directive itself, and what it stands before.
// RUN: split-file %s %t && cd %t
// RUN: not %warpwright rewrite directive.cu 2>&1 \
// RUN:   | FileCheck directive.cu --implicit-check-not=error: --match-full-lines
// RUN: not %warpwright rewrite place.cu 2>&1 \
// RUN:   | FileCheck place.cu --implicit-check-not=error: --match-full-lines
// RUN: not %warpwright rewrite end.cu 2>&1 | FileCheck end.cu
// RUN: not %warpwright rewrite end-comment.cu 2>&1 | FileCheck end-comment.cu
// RUN: not %warpwright rewrite unfinished.cu 2>&1 | FileCheck unfinished.cu
// RUN: not %warpwright rewrite header-end.cu 2>&1 | FileCheck header-end.cu

//--- directive.cu
#include <cuda_runtime.h>
// CHECK: directive.cu:[[#@LINE+1]]:19: error: expected 'matmul' after '#pragma warpwright' [WW102]
#pragma warpwright
__global__ void a(float *p) {}
// CHECK: directive.cu:[[#@LINE+1]]:20: error: unknown directive 'matmull'; expected 'matmul' [WW101]
#pragma warpwright matmull tile(8, 8, 8)
// CHECK: {{ +}}|                    matmul
__global__ void b(float *p) {}
// CHECK: directive.cu:[[#@LINE+1]]:20: error: unknown directive 'convolution'; expected 'matmul' [WW101]
#pragma warpwright convolution
__global__ void c(float *p) {}
// CHECK: directive.cu:[[#@LINE+1]]:20: error: unknown directive '3'; expected 'matmul' [WW101]
#pragma warpwright 3
__global__ void d(float *p) {}
// CHECK: warpwright: error: nothing was written for 'directive.cu': 4 errors [WW009]

//--- place.cu
#include <cuda_runtime.h>
// CHECK: place.cu:[[#@LINE+2]]:9: error: '#pragma warpwright matmul' must stand before a __global__ function or before a loop in one [WW117]
// CHECK: place.cu:[[#@LINE+2]]:1: note: this is what it precedes
#pragma warpwright matmul
int variable = 3;
// CHECK: place.cu:[[#@LINE+1]]:9: error: '#pragma warpwright matmul' must stand before {{.*}} [WW117]
#pragma warpwright matmul
void host_function(int n) { variable = n; }
// CHECK: place.cu:[[#@LINE+1]]:9: error: '#pragma warpwright matmul' must stand before {{.*}} [WW117]
#pragma warpwright matmul
namespace n {
__device__ int f(int i) {
  // CHECK: place.cu:[[#@LINE+1]]:9: error: '#pragma warpwright matmul' must stand before {{.*}} [WW117]
#pragma warpwright matmul
  return i;
}
}
// CHECK: place.cu:[[#@LINE+1]]:9: error: '#pragma warpwright matmul' must stand before {{.*}} [WW117]
#pragma warpwright matmul
struct S {
  __device__ void f() {}
};
__global__ void statement(float *p) {
  // CHECK: place.cu:[[#@LINE+1]]:9: error: '#pragma warpwright matmul' must stand before {{.*}} [WW117]
#pragma warpwright matmul
  p[0] = 1;
  // CHECK: place.cu:[[#@LINE+1]]:9: error: '#pragma warpwright matmul' must stand before {{.*}} [WW117]
#pragma warpwright matmul
}
template <class T> __global__ void kernel(T *p) {}
// CHECK: place.cu:[[#@LINE+1]]:9: error: '#pragma warpwright matmul' must stand before {{.*}} [WW117]
#pragma warpwright matmul
template __global__ void kernel<float>(float *);
// CHECK: place.cu:[[#@LINE+3]]:9: error: second '#pragma warpwright matmul' for the same kernel [WW119]
// CHECK: place.cu:[[#@LINE+1]]:9: note: the first one is here
#pragma warpwright matmul
#pragma warpwright matmul
__global__ void two(float *p) {}
int loop_on_the_host() {
  int s = 0;
  // CHECK: place.cu:[[#@LINE+1]]:9: error: the loop after '#pragma warpwright matmul' is not in a __global__ function [WW120]
#pragma warpwright matmul
  for (int i = 0; i < 3; ++i)
    s += i;
  return s;
}
__global__ void two_loops(float *p, int n) {
#pragma warpwright matmul
  for (int i = 0; i < n; ++i)
    p[0] += p[i];
  // CHECK: place.cu:[[#@LINE+1]]:9: error: second '#pragma warpwright matmul' for the same kernel [WW119]
#pragma warpwright matmul
  while (n--)
    p[0] += p[n];
}
// CHECK: warpwright: error: nothing was written for 'place.cu': 11 errors [WW009]

//--- end.cu
// CHECK: end.cu:[[#@LINE+2]]:9: error: '#pragma warpwright matmul' at the end of a file, with nothing to follow [WW118]
// CHECK: 1 error [WW009]
#pragma warpwright matmul tile(128, 128, 64)
//--- end-comment.cu
#if 1
// CHECK: end-comment.cu:[[#@LINE+1]]:9: error: '#pragma warpwright matmul' at the end of a file, with nothing to follow [WW118]
#pragma warpwright matmul
/* nothing */
#endif
//--- unfinished.cu
// CHECK: unfinished.cu:[[#@LINE+1]]:9: error: '#pragma warpwright matmul' must stand before
#pragma warpwright matmul
__global__ void k(
//--- header-end.h
#ifndef HEADER_END
#define HEADER_END
#pragma warpwright matmul
#endif
//--- header-end.cu
// CHECK: header-end.h:3:9: error: '#pragma warpwright matmul' at the end of a file, with nothing to follow [WW118]
#include "header-end.h"
__global__ void k(float *p) {}
