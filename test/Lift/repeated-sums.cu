// A sum that is used twice, or computed by two loops alike, is one sum; and what
// divides an index says by what.
// RUN: %warpwright rewrite --emit=contraction %s -- %parse > %t.out 2> %t.err || true
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=NO < %t.err

#include <cuda_fp16.h>

#define KERNEL(name, ...)                                                      \
  __global__ void name(const half *A, const half *B, float *C, int M, int N,   \
                       int K) {                                                \
    int m = blockIdx.y * blockDim.y + threadIdx.y;                             \
    int n = blockIdx.x * blockDim.x + threadIdx.x;                             \
    if (m >= M || n >= N)                                                      \
      return;                                                                  \
    float acc = 0.0f;                                                          \
    __VA_ARGS__                                                                \
  }
#define TERM(a, b) (__half2float(A[a]) * __half2float(B[b]))
#define SUM for (int k = 0; k < K; ++k) acc += TERM(m * K + k, k * N + n);

// CHECK-LABEL: contraction "twice"
// CHECK: index %k < K
// CHECK: output C[%m * N + %n]:f32 = (acc + acc)
#pragma warpwright matmul
KERNEL(twice, SUM C[m * N + n] = acc + acc;)

// CHECK-LABEL: contraction "by_two_loops"
// CHECK: index %k < K
// CHECK: output C[%m * N + %n]:f32 = (acc + acc)
#pragma warpwright matmul
KERNEL(by_two_loops, SUM float other = 0.0f;
       for (int i = 0; i < K; ++i) other += TERM(m * K + i, i * N + n);
       C[m * N + n] = acc + other;)

// CHECK-LABEL: contraction "four_times"
// CHECK: output C[%m * N + %n]:f32 = ((acc + (acc + acc)) + acc)
#pragma warpwright matmul
KERNEL(four_times, SUM C[m * N + n] = acc + (acc + acc) + acc;)

// NO: 'third_of_k' is not rewritten: an index is divided by 3 in a way that does not make rows and columns [WW204]
#pragma warpwright matmul
KERNEL(third_of_k, for (int k = 0; k < K; ++k) acc += TERM(m * K + k / 3, k * N + n);
       C[m * N + n] = acc;)

// NO: 'rest_of_k' is not rewritten: the remainder of an index by 3 is taken in a way that does not make rows and columns [WW204]
#pragma warpwright matmul
KERNEL(rest_of_k, for (int k = 0; k < K; ++k) acc += TERM(m * K + k % 3, k * N + n);
       C[m * N + n] = acc;)

// NO: 'third_of_row' is not rewritten: several threads or iterations store to the same element [WW205]
#pragma warpwright matmul
KERNEL(third_of_row, SUM C[m / 3 * N + n] = acc;)

// NO: 'either' is not rewritten: '^' is applied to indices in a way that does not make rows and columns [WW204]
#pragma warpwright matmul
KERNEL(either, if ((m < 8) ^ (n < 8)) return; SUM C[m * N + n] = acc;)

void launch(half *p, float *c) {
  for (auto kernel : {twice, by_two_loops, four_times, third_of_k, rest_of_k,
                      third_of_row, either})
    kernel<<<1, dim3(16, 16)>>>(p, p, c, 1, 1, 1);
}
