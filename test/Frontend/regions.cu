// Clause arguments are expressions that see parameters, template parameters
// and macros; launches and other uses are found as they are written.
// RUN: %warpwright rewrite %s --emit=regions | FileCheck %s --match-full-lines
#include <cuda_fp16.h>

#define BLOCK 16
#define TILE 128, 256, 64
#define CLAUSES stages(4) tile(TILE)
#define tile_of_no_interest 3

// CHECK: kernel plain (pragma on definition)
// CHECK-NEXT: parameter A: const half *A
// CHECK-NEXT: parameter B: const half *B
// CHECK-NEXT: parameter C: half *__restrict__ C
// CHECK-NEXT: parameter M: int M
// CHECK-NEXT: parameter N: int N
// CHECK-NEXT: parameter K: int K = 4
// CHECK-NEXT: instance <> (const __half *, const __half *, __half *__restrict, int, int, int) tile(128,64,64) stages(3) assume(N % 8 == 0) assume(K > 0)
// CHECK-NEXT: section before line [[#@LINE+6]]
// CHECK-NEXT: launch line 72: plain | <<< | >>>(
// CHECK-NEXT: launch line 73: plain | <<< | >>> /*why*/ (
// CHECK-NEXT: address taken line 75
#pragma warpwright matmul tile(BLOCK * 8, 64, 64) assume(N % 8 == 0, K > 0) stages(3)
__global__ void plain(const half *A, const half *B, half *__restrict__ C, int M, int N, int K = 4) { C[M] = A[N]; }

namespace ns {
// CHECK: kernel ns::templated (pragma on definition)
// CHECK-NEXT: template <typename T, int BM = 128, bool Add = (BM > 4)> passes on <T, BM, Add>
// CHECK-NEXT: parameter A: const T *A
// CHECK-NEXT: parameter C: T *C
// CHECK-NEXT: parameter n: int n
// CHECK-NEXT: instance <float, 128, false> (const float *, float *, int) tile(128,128,64) assume(n % BM == 0)
// CHECK-NEXT: instance <__half, 256, true> (const __half *, __half *, int) tile(256,128,64) assume(n % BM == 0)
// CHECK-NEXT: section before line [[#@LINE+5]]
// CHECK-NEXT: launch line 67: templated | <<< | >>>(
// CHECK-NEXT: launch line 74: templated | <<< | >>>(
#pragma warpwright matmul tile(BM, 128, 64) assume(n % BM == 0)
template <typename T, int BM = 128, bool Add = (BM > 4)> __global__ void templated(const T *A, T *C, int n) { C[n] = A[n]; }
} // namespace ns

// CHECK: kernel expanded (pragma on definition)
// CHECK: instance <> (float *) tile(128,256,64) stages(4)
#pragma warpwright matmul CLAUSES
__global__ void expanded(float *p) {}

// CHECK: kernel loop (pragma on loop)
// CHECK: instance <> (const float *, float *, int) assume(n % 16 == 0)
__global__ void loop(const float *A, float *C, int n) {
  float acc = 0;
#pragma warpwright matmul assume(n % BLOCK == 0)
#pragma unroll 4
  for (int i = 0; i < n; ++i)
    acc += A[i];
  C[0] = acc;
}

// CHECK: kernel loop_behind_unroll (pragma on loop)
__global__ void loop_behind_unroll(const float *A, float *C, int n) {
  float acc = 0;
#pragma unroll
#pragma warpwright matmul
  while (n-- > 0)
    acc += A[n];
  C[0] = acc;
}

template <class T> void run(T *a, T *c) { ns::templated<T, 256><<<1, 2, 0, 0>>>(a, c, 3); }

int main() {
  half *a = nullptr, *b = nullptr, *c = nullptr;
  run<half>(a, c);
  plain<<<dim3(1), dim3(16, 16)>>>(a, b, c, 1, 2, 3);
  plain <<< 1, 16, 0 >>> /*why*/ (a, b, c, 1, 2, 3);
  ns::templated<float, 128, false><<<1, 1>>>(nullptr, nullptr, 3);
  auto pointer = &plain;
  return pointer == nullptr;
}

// CHECK: kernel all_words (pragma on definition)
// CHECK: instance <> (float *) stages(2) cluster(2,1) schedule(pingpong) split_k(auto) swap_ab(on) precision(tf32x3) accumulate(f32) shape(4096x4096x4096) shape(1x2x3) deterministic fallback(error) factors(inside)
#pragma warpwright matmul stages(2) cluster(2, 1) schedule(pingpong) split_k(auto) \
    swap_ab(on) precision(tf32x3) accumulate(f32) shapes(4096x4096x4096, 1x2x3) deterministic fallback(error) factors(inside)
__global__ void all_words(float *p) {}

// CHECK: kernel more_words (pragma on definition)
// CHECK: instance <> (float *) schedule(cooperative) split_k(1) swap_ab(off) accumulate(f16) batch_invariant
#pragma warpwright matmul schedule(cooperative) split_k(off) swap_ab(off) accumulate(f16) batch_invariant fallback(original)
__global__ void more_words(float *p) {}

// A pragma that a macro writes.
#define MATMUL _Pragma("warpwright matmul stages(5)")
// CHECK: kernel by_operator (pragma on definition)
// CHECK: instance <> (float *) stages(5)
MATMUL
__global__ void by_operator(float *p) {}

// CHECK: kernel made_by_macro (pragma on definition)
// CHECK-NEXT: parameter p: float *p
// CHECK-NEXT: instance <> (float *) stages(6)
#define KERNEL(name) __global__ void name##_by_macro(float *p) { p[0] = 1; }
#pragma warpwright matmul stages(6)
KERNEL(made)
