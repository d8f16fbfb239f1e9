// A template that nothing instantiates cannot be lifted; explicit
// instantiations count, explicit specialisations are other kernels.
// RUN: python3 %inputs/status.py 2 %warpwright rewrite %s --emit=regions -- -std=c++20 >%t.out 2>%t.log
// RUN: FileCheck %s --input-file=%t.out --match-full-lines
// RUN: FileCheck %s --input-file=%t.log --check-prefix=LOG --implicit-check-not=warning:
#include <cuda_runtime.h>

// LOG: :[[#@LINE+1]]:9: warning: 'unused' is not rewritten: this file does not instantiate the template [WW213]
#pragma warpwright matmul
template <typename T> __global__ void unused(T *p) {}

// CHECK: kernel specialised (pragma on definition, declined)
// CHECK: kernel explicitly (pragma on definition)
// CHECK-NEXT: template <typename T, template <typename> class Box, typename... Rest> passes on <T, Box, Rest...>
// CHECK-NEXT: parameter p: T *p
// CHECK-NEXT: parameter b: Box<T> b
// CHECK-NEXT: parameter rest: Rest... rest
// CHECK-NEXT: instance <float, Wrap, int, bool> (float *, Wrap<float>, int, bool)
template <typename T> struct Wrap { T value; };
#pragma warpwright matmul
template <typename T, template <typename> class Box, typename... Rest>
__global__ void explicitly(T *p, Box<T> b, Rest... rest) {}
template __global__ void explicitly<float, Wrap, int, bool>(float *, Wrap<float>, int, bool);

enum Mode { Fast, Slow };
// CHECK: kernel by_value (pragma on definition)
// CHECK-NEXT: template <Mode M, typename WarpwrightT1 = int> passes on <M, WarpwrightT1>
// CHECK: instance <Slow, int> (float *) tile(64,64,64)
#pragma warpwright matmul tile(M == Slow ? 64 : 128, 64, 64)
template <Mode M, typename = int> __global__ void by_value(float *p) {}

#pragma warpwright matmul
template <int N> __global__ void specialised(float *p) {}
// LOG: :[[#@LINE+1]]:9: warning: 'specialised' is not rewritten: it is an explicit specialisation of a template [WW406]
#pragma warpwright matmul
template <> __global__ void specialised<3>(float *p) {}
// LOG: :[[#@LINE+1]]:9: warning: 'abbreviated' is not rewritten: a parameter of type auto makes it a template, whose header its launcher cannot repeat [WW406]
#pragma warpwright matmul
__global__ void abbreviated(const auto *p) {}

int main() {
  abbreviated<<<1, 1>>>("");
  by_value<Slow><<<1, 1>>>(nullptr);
  specialised<4><<<1, 1>>>(nullptr);
  specialised<3><<<1, 1>>>(nullptr);
}
