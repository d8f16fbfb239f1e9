// Launches that can be redirected, and those that cannot.
// RUN: not %warpwright rewrite %s --strict --emit=regions 2>/dev/null
// RUN: python3 %inputs/status.py 2 %warpwright rewrite %s --emit=regions >%t.regions 2>%t.log
// RUN: FileCheck %s --input-file=%t.regions --match-full-lines
// RUN: FileCheck %s --input-file=%t.log --check-prefix=LOG --implicit-check-not=warning:
#include <cuda_runtime.h>

__global__ void early(float *p);
// CHECK: kernel early (pragma on definition)
// CHECK: forward declaration before line [[#@LINE-1]]
// CHECK-NEXT: launch line [[#@LINE+1]]: early | <<< | >>>(
void before() { early<<<1, 1>>>(nullptr); }
#pragma warpwright matmul
__global__ void early(float *p) {}

// CHECK: kernel k (pragma on definition)
// CHECK: parameter n: int n = 1
// CHECK: launch line [[#@LINE+5]]: k | <<< | >>>(
// CHECK-NEXT: launch line [[#@LINE+51]]: k | <<< | >>>(
// CHECK-NEXT: launch line [[#@LINE+66]]: k | <<< | >>>(
#pragma warpwright matmul
__global__ void k(float *p, int n = 1) {}
#define LAUNCH(...) k<<<1, 1>>>(__VA_ARGS__)
#define CHECKED(call) do { call; } while (0)
#define GRID dim3(1)
#define CONFIG <<<1, 1>>>
// CHECK: kernel no_arguments (pragma on definition)
// CHECK: launch line [[#@LINE+52]]: no_arguments | <<< | >>>( no arguments
#pragma warpwright matmul
__global__ void no_arguments() {}

namespace a {
// CHECK: kernel a::k (pragma on definition)
#pragma warpwright matmul
__global__ void k(float *p) {}
// CHECK-NOT: forward
// CHECK: launch line [[#@LINE+1]]: k | <<< | >>>(
void inside() { k<<<1, 1>>>(nullptr); }
namespace {
// CHECK: kernel a::(anonymous namespace)::anonymous (pragma on definition)
// CHECK: section before line [[#@LINE+4]], internal
// CHECK: launch line [[#@LINE+34]]: ::a::anonymous | <<< | >>>(
#pragma warpwright matmul
__global__ void anonymous(float *p) {}
} // namespace
} // namespace a
using a::anonymous;
namespace b {
using a::k;
}

extern "C" {
// CHECK: kernel in_block (pragma on definition)
// CHECK: section before line [[#@LINE+3]], in extern "C"
#pragma warpwright matmul
__global__ void in_block(float *p) {} // more
}

// CHECK: kernel overloaded (pragma on definition)
// CHECK: launch line [[#@LINE+17]]: overloaded | <<< | >>>(
// CHECK-NOT: launch
#pragma warpwright matmul
__global__ void overloaded(float *p) {}
__global__ void overloaded(double *p) {}
// LOG-DAG: :[[#@LINE+1]]:43: warning: this launch of 'overloaded' is not redirected: it may call another kernel of that name [WW404]
template <class T> void ambiguous(T *p) { overloaded<<<1, 1>>>(p); }

int main() {
  LAUNCH(nullptr);
  CHECKED((k<<<GRID, 1, 0, 0>>>(nullptr, 2)));
  // LOG-DAG: :[[#@LINE+1]]:3: warning: this launch of 'k' is in the body of a macro and is not redirected: a part of it stands elsewhere [WW401]
  k CONFIG(nullptr);
  // LOG-DAG: :[[#@LINE+1]]:6: warning: this launch of 'a::k' is not redirected: its name is qualified through a using-declaration [WW404]
  b::k<<<1, 1>>>(nullptr);
  a::k<<<1, 1>>>(nullptr);
  anonymous<<<1, 1>>>(nullptr);
  overloaded<<<1, 1>>>(static_cast<float *>(nullptr));
  overloaded<<<1, 1>>>(static_cast<double *>(nullptr));
  ambiguous<float>(nullptr);
  no_arguments<<<1, 1>>>();
#define Configure(x) x
  // LOG-DAG: :[[#@LINE+1]]:3: warning: this launch of 'k' is not redirected: 'Configure', which a redirected launch names, is a macro [WW404]
  k<<<1, 1>>>(nullptr, 4);
#undef Configure
  in_block<<<1, 1>>>(nullptr);
  auto lambda = [] { k<<<1, 1>>>(nullptr, 3); };
  lambda();
  void *arguments[1] = {};
  cudaLaunchKernel((const void *)&in_block, dim3(1), dim3(1), arguments, 0, 0);
  // CHECK: launch by address line [[#@LINE-1]]: cudaLaunchKernel
}
