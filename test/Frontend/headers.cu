// A pragma on a kernel in an included file: the main file gets the section
// right after the #include, and the header stays as it is.
// RUN: split-file %s %t && cd %t
// RUN: %warpwright rewrite main.cu --emit=regions 2>&1 \
// RUN:   | FileCheck main.cu --match-full-lines
// RUN: not %warpwright rewrite inside.cu --strict --emit=regions 2>&1 \
// RUN:   | FileCheck inside.cu
// RUN: python3 %inputs/status.py 2 %warpwright rewrite inside.cu --emit=regions >/dev/null 2>&1
// RUN: python3 %inputs/status.py 2 %warpwright rewrite launch.cu --emit=regions >%t.out 2>&1
// RUN: FileCheck launch.cu --input-file=%t.out

//--- kernel.cuh
#pragma once
#include <cuda_runtime.h>
#define TILE 64
#pragma warpwright matmul tile(TILE, TILE, TILE)
template <typename T> __global__ void in_header(const T *A, T *B, int n = TILE) { B[n] = A[n]; }
namespace outer { namespace {
#pragma warpwright matmul
__global__ void nested(const float *__restrict__ A, int n) {}
} }

//--- middle.cuh
#include "kernel.cuh"

//--- main.cu
// CHECK: kernel in_header (pragma on definition, in an included file)
// CHECK-NEXT: template <typename T> passes on <T>
// CHECK-NEXT: parameter A: const T *A
// CHECK-NEXT: parameter B: T *B
// CHECK-NEXT: parameter n: int n = TILE
// CHECK-NEXT: instance <float> (const float *, float *, int) tile(64,64,64)
// CHECK-NEXT: section before line [[#@LINE+8]]
// CHECK-NEXT: launch line [[#@LINE+10]]: in_header | <<< | >>>(
// CHECK: kernel outer::(anonymous namespace)::nested (pragma on definition, in an included file)
// CHECK: section before line [[#@LINE+5]] in namespace outer::, internal
// CHECK-NEXT: launch line [[#@LINE+8]]: ::outer::nested | <<< | >>>(
#ifdef __CUDACC__
#include \
    "middle.cuh" // in a file in a file
#endif
using outer::nested;
int main() {
  in_header<<<1, 2>>>((float *)nullptr, (float *)nullptr, 2);
  nested<<<1, 1, 1>>>(nullptr, 3);
}

//--- inside.cu
#include <cuda_runtime.h>
namespace z {
// CHECK: {{.*}}kernel.cuh:4:9: error: 'z::in_header' is not rewritten: its file is included inside another declaration, where nothing can be added [WW403]
#include "kernel.cuh"
}
int main() { z::in_header<<<1, 2>>>((float *)0, (float *)0, 2); }

//--- launcher.cuh
#include "kernel.cuh"
// CHECK: launcher.cuh:[[#@LINE+1]]:24: warning: this launch of
inline void launch() { in_header<<<1, 2>>>((float *)0, (float *)0, 2); }

//--- launch.cu
#include "launcher.cuh"
// CHECK: launcher.cuh:3:24: warning: this launch of 'in_header' is in an included file, which is not edited; it runs the original kernel [WW402]
int main() { launch(); }
