// Launches in the bodies of macros: which are redirected by the kernel's name,
// which by its address, and which are not.
// RUN: split-file %s %t && cd %t
// RUN: python3 %inputs/status.py 2 %warpwright rewrite main.cu --emit=regions >regions 2>log
// RUN: FileCheck main.cu --input-file=regions --match-full-lines --implicit-check-not=launch
// RUN: FileCheck main.cu --input-file=log --check-prefix=LOG --implicit-check-not=warning:
// RUN: %warpwright rewrite host.cu --emit=regions 2>&1 | FileCheck host.cu --match-full-lines --implicit-check-not=launch

//--- macros.cuh
#define IN_HEADER(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)

//--- main.cu
#include "macros.cuh"
#include <cuda_runtime.h>
// CHECK: kernel k (pragma on definition)
// CHECK: launch line [[#@LINE+19]]: k | <<< | >>>(
#pragma warpwright matmul
__global__ void k(float *p, int n = 1) {}
// CHECK: kernel plain (pragma on definition)
#pragma warpwright matmul
__global__ void plain(float *p, int n) {}
// CHECK: kernel with_arguments (pragma on definition)
#pragma warpwright matmul
template <class T, int N> __global__ void with_arguments(T *p, int n) {}
// CHECK: kernel deduced (pragma on definition)
#pragma warpwright matmul
template <class T> __global__ void deduced(T *p, int n) {}
// CHECK: kernel overloaded (pragma on definition)
#pragma warpwright matmul
__global__ void overloaded(float *p, int n) {}
__global__ void overloaded(double *p, int n) {}
__global__ void other(float *p, int n) {}

// The body names the kernel: default arguments are no matter.
#define DIRECT(...) k<<<1, 1>>>(__VA_ARGS__)
// CHECK: launch by address line [[#@LINE+1]]: kernel
#define CALL(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)
#define CHECKED(kernel, n) do { CALL(kernel, nullptr, n); (void)#kernel; } while (0)
#define ALL(...) __VA_ARGS__
// CHECK-NEXT: launch by address line [[#@LINE+1]]: kernel
#define INNER(kernel, grid, block, p, n) ALL(kernel<<<grid, block>>>(p, n))
// CHECK-NEXT: launch by address line [[#@LINE+1]]: pl##name
#define PASTED(name) pl##name<<<1, 1>>>(nullptr, 1)
// No annotated kernel goes there.
#define OTHERS(kernel) kernel<<<1, 1>>>(nullptr, 1)
#define DEFAULTS(kernel, p) kernel<<<1, 1>>>(p)
#define DEDUCED(kernel, p) kernel<<<1, 1>>>(p, 1)
#define OVERLOADED(kernel, p) kernel<<<1, 1>>>(p, 1)
#define PART(kernel) kernel<<<1, 1>>>(nullptr, 1)
#define CONFIG <<<1, 1>>>
#define ARGUMENTS(arguments) plain<<<1, 1>>> arguments
#define SECOND(a, b) (a), (b)
#define SPLIT(kernel) SECOND(0, kernel<<<1, 1>>>(nullptr, 1))

template <class T> void in_template(T *p) {
  CALL(plain, p, 3);
  CALL((with_arguments<T, 2>), p, 3);
  CALL(other, p, 4);
}

int main() {
  float *p = nullptr;
  DIRECT(p);
  DIRECT(p, 2);
  CALL(plain, p, 1);
  CALL(other, p, 1);
  CALL((with_arguments<float, 3>), p, 1);
  CALL(k, p, 2);
  CHECKED(plain, 3);
  INNER(plain, 1, 2, p, 1);
  PASTED(ain);
  OTHERS(other);
  in_template(p);
  // LOG-DAG: :[[@LINE+1]]:13: warning: this launch of 'plain' is in the body of a macro and is not redirected: the macro is not defined in this file [WW401]
  IN_HEADER(plain, p, 1);
  // LOG-DAG: :[[@LINE+1]]:12: warning: this launch of 'k' is in the body of a macro and is not redirected: it uses default arguments of 'k' [WW401]
  DEFAULTS(k, p);
  // LOG-DAG: :[[@LINE+1]]:11: warning: this launch of 'deduced' is in the body of a macro and is not redirected: template arguments of 'deduced' follow from the launch [WW401]
  DEDUCED(deduced, p);
  // LOG-DAG: :[[@LINE+1]]:14: warning: this launch of 'overloaded' is in the body of a macro and is not redirected: 'overloaded' is overloaded [WW401]
  OVERLOADED(overloaded, p);
  // LOG-DAG: :[[@LINE+1]]:25: warning: this launch of 'plain' is in the body of a macro and is not redirected: a part of it stands elsewhere [WW401]
  PART(true ? (void)0 : plain);
  // LOG-DAG: :[[@LINE+1]]:3: warning: this launch of 'plain' is in the body of a macro and is not redirected: a part of it stands elsewhere [WW401]
  plain CONFIG(p, 1);
  // LOG-DAG: :[[@LINE+1]]:3: warning: this launch of 'plain' is in the body of a macro and is not redirected: a part of it stands elsewhere [WW401]
  ARGUMENTS((p, 1));
}

//--- host.cu
// What only the host sees decides, too.
#include <cuda_runtime.h>
// CHECK: kernel k (pragma on definition)
#pragma warpwright matmul
__global__ void k(float *p, int n) {}
// CHECK: kernel t (pragma on definition)
#pragma warpwright matmul
template <class T> __global__ void t(T *p, int n) {}
// CHECK: launch by address line [[#@LINE+1]]: kernel
#define CALL(kernel) kernel<<<1, 1>>>(nullptr, 1)
// CHECK: launch by address kept line [[#@LINE+1]]: template arguments of 't' follow from the launch
#define DEDUCED(kernel, p) kernel<<<1, 1>>>(p, 1)
int main() {
  CALL(k);
  CALL(t<float>);
  float *p = nullptr;
  DEDUCED(k, p);
#ifndef __CUDA_ARCH__
  CALL(t<float>);
  DEDUCED(t, p);
#endif
}
