// The pragma before a declaration: its clauses are parsed with the
// declaration's own parameter names, and hold for the definition.
// RUN: split-file %s %t && cd %t
// RUN: %warpwright rewrite same-file.cu --emit=regions \
// RUN:   | FileCheck same-file.cu --match-full-lines
// RUN: %warpwright rewrite other-file.cu --emit=regions \
// RUN:   | FileCheck other-file.cu --match-full-lines
// RUN: not %warpwright rewrite errors.cu 2>&1 \
// RUN:   | FileCheck errors.cu --implicit-check-not=error:
// RUN: python3 %inputs/status.py 2 %warpwright rewrite template.cu --emit=regions >%t.out 2>&1
// RUN: FileCheck template.cu --input-file=%t.out

//--- same-file.cu
#include <cuda_runtime.h>
// CHECK: kernel k (pragma on declaration)
// CHECK-NEXT: parameter A: const float *A
// CHECK-NEXT: parameter m: int m
// CHECK-NEXT: instance <> (const float *, int) tile(64,64,64) assume(n % 8 == 0)
// CHECK-NEXT: section before line [[#@LINE+8]]
// CHECK-NEXT: forward declaration before line [[#@LINE+4]]
// CHECK-NEXT: launch line [[#@LINE+4]]: k | <<< | >>>(
#pragma warpwright matmul assume(n % 8 == 0) tile(64, 64, 64)
__global__ void k(const float *, int n);

int main() { k<<<1, 2>>>(nullptr, 8); }
__global__ void k(const float *A, int m) {}

// CHECK: kernel both (pragma on definition)
// CHECK: instance <> (float *) stages(3)
#pragma warpwright matmul stages(3)
__global__ void both(float *p);
#pragma warpwright matmul stages(3)
__global__ void both(float *p) {}

//--- other-file.cu
#include "kernels.h"
// CHECK: kernel elsewhere (pragma on declaration, in an included file, not defined here)
// CHECK: parameter warpwright_arg0: float *warpwright_arg0
// CHECK: section before line 2
// CHECK: launch line [[#@LINE+1]]: elsewhere | <<< | >>>(
int main() { elsewhere<<<1, 1>>>(nullptr, 3); }

// CHECK: kernel here (pragma on declaration)
// CHECK: instance <> (float *) swap_ab(on)
// CHECK-NEXT: section before line [[#@LINE+2]]
__global__ void here(float *p) {}

//--- kernels.h
#pragma once
#include <cuda_runtime.h>
#pragma warpwright matmul assume(n > 2)
__global__ void elsewhere(float *, int n);
#pragma warpwright matmul swap_ab(on)
__global__ void here(float *p);

//--- errors.cu
#include <cuda_runtime.h>
// CHECK: :[[#@LINE+1]]:34: error: use of undeclared identifier 'k' [WW124]
#pragma warpwright matmul assume(k > 0)
__global__ void undeclared(float *p, int n);
// CHECK: :[[#@LINE+1]]:34: error: 17 is out of range in clause 'stages'
#pragma warpwright matmul stages(17)
__global__ void range(float *p, int n);
#pragma warpwright matmul tile(128, 128, 64) stages(3)
__global__ void differs(float *p);
// CHECK: :[[#@LINE+2]]:27: error: clause 'stages' differs from the one on the kernel's declaration [WW122]
// CHECK: :[[#@LINE-3]]:46: note: the other one is here
#pragma warpwright matmul stages(4)
__global__ void differs(float *p) {}
// CHECK: warpwright: error: nothing was written for {{.*}} 3 errors [WW009]

//--- template.cu
#include <cuda_runtime.h>
// CHECK: :[[#@LINE+1]]:27: warning: clause 'tile' depends on template parameters; move the pragma to the definition of 'k' [WW123]
#pragma warpwright matmul tile(BM, 128, 64)
template <int BM> __global__ void k(float *p);
template <int BM> __global__ void k(float *p) {}
// CHECK-NOT: WW123
#pragma warpwright matmul tile(64, 128, 64)
template <int BM> __global__ void fixed(float *p);
template <int BM> __global__ void fixed(float *p) {}
int main() {
  k<3><<<1, 1>>>(nullptr);
  fixed<3><<<1, 1>>>(nullptr);
}
// CHECK: :[[#@LINE+1]]:9: warning: 'undefined' is not rewritten: the template is only declared in this file [WW406]
#pragma warpwright matmul
template <int BM> __global__ void undefined(float *p);
void launch() { undefined<3><<<1, 1>>>(nullptr); }
#pragma warpwright matmul
template <int BM> __global__ void unused(float *p);
// CHECK: kernel fixed (pragma on declaration)
// CHECK: instance <3> (float *) tile(64,128,64)
