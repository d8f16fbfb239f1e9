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

// The last `>` of a default argument is the first half of a token.
// CHECK: kernel nested (pragma on definition)
// CHECK-NEXT: template <typename T, typename WarpwrightT1 = Box<Wrap<T>>, typename U = Box<Wrap<T> >, Box<Wrap<T>> *P = (Box<Wrap<T>> *)nullptr, int N = (4 >> 1), template <typename> class X = Wrap> passes on <T, WarpwrightT1, U, P, N, X>
template <typename T> struct Box { T value; };
#pragma warpwright matmul
template <typename T, typename = Box<Wrap<T>>, typename U = Box<Wrap<T> >, Box<Wrap<T>> *P = (Box<Wrap<T>> *)nullptr, int N = (4 >> 1), template <typename> class X = Wrap>
__global__ void nested(T *p) {}
// CHECK: kernel last (pragma on definition)
// CHECK-NEXT: template <typename T, typename WarpwrightT1 = Box<Wrap<T>>> passes on <T, WarpwrightT1>
#pragma warpwright matmul
template <typename T, typename = Box<Wrap<T>>> __global__ void last(T *p) {}

// So is the third in the parameter list.
// CHECK: kernel in_list (pragma on definition)
// CHECK-NEXT: parameter p: Pair<int, Box<Wrap<int>>> p
// CHECK-NEXT: parameter n: int n = 8 >> 1
template <typename T, typename U> struct Pair { T a; U b; };
#pragma warpwright matmul
__global__ void in_list(Pair<int, Box<Wrap<int>>> p, int n = 8 >> 1) {}

int main() {
  nested<<<1, 1>>>((float *)nullptr);
  last<<<1, 1>>>((float *)nullptr);
  abbreviated<<<1, 1>>>("");
  by_value<Slow><<<1, 1>>>(nullptr);
  specialised<4><<<1, 1>>>(nullptr);
  specialised<3><<<1, 1>>>(nullptr);
}
