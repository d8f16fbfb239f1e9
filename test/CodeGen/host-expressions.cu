// A launcher knows the arguments and the launch. Where it would need an element
// of an array, the kernel is declined: by Lift already, which says what for. (The
// check of what a launcher computes with has a unit test of its own.)

// RUN: not %warpwright rewrite %s --strict -o %t.cu -- %parse 2>&1 | FileCheck %s
// RUN: not test -e %t.cu

#include <cuda_fp16.h>

#define KERNEL(NAME, LIMIT, TO, FACTOR)                                        \
  __global__ void NAME(const half *A, const half *B, float *C, int M, int N,   \
                       int K, const int *len) {                                \
    int row = blockIdx.y * blockDim.y + threadIdx.y;                           \
    int col = blockIdx.x * blockDim.x + threadIdx.x;                           \
    int limit = LIMIT;                                                         \
    if (row < M && col < N) {                                                  \
      float acc = 0;                                                           \
      for (int k = 0; k < limit; ++k)                                          \
        acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);    \
      C[TO] = FACTOR * acc;                                                    \
    }                                                                          \
  }

// CHECK: :[[@LINE+2]]:1: error: 'bound' is not rewritten: how often the loop runs depends on data that it loads or computes [WW203]
#pragma warpwright matmul
KERNEL(bound, len[0] ? K : 8, row * N + col, 1)

// CHECK: :[[@LINE+2]]:1: error: 'place' is not rewritten: which element is meant depends on loaded data [WW204]
#pragma warpwright matmul
KERNEL(place, K, row * N + col + (len[1] ? 1 : 0), 1)
