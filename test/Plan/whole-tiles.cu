// Tiles are cut along k where the clauses allow it and the plan can.

// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s
// RUN: %warpwright rewrite --emit=plan-json %s -- %parse | FileCheck %s --check-prefix=JSON
// RUN: %warpwright rewrite %s -o - -- %parse | FileCheck %s --check-prefix=TEXT
// RUN: echo '{"version": 2, "plans": [{"tile": [128, 128, 32], "stages": 6, "whole_tiles": true}]}' > %t.json
// RUN: %warpwright rewrite --emit=plan --plan=%t.json %S/float.cu -- %parse 2>&1 | FileCheck %s --check-prefix=FILE

#define KERNEL(NAME, TYPE)                                                     \
  __global__ void NAME(const TYPE *A, const TYPE *B, TYPE *C, int M, int N,    \
                       int K) {                                                \
    int row = blockIdx.y * blockDim.y + threadIdx.y;                           \
    int col = blockIdx.x * blockDim.x + threadIdx.x;                           \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    TYPE acc = 0;                                                              \
    for (int k = 0; k < K; ++k)                                                \
      acc += A[row * K + k] * B[k * N + col];                                  \
    C[row * N + col] = acc;                                                    \
  }

// CHECK: plan large (large)
// CHECK: tiles cut along k where that takes less
// CHECK: proven: protocol: {{.*}} whole and cut
// A tile of few columns is not, nor one that is in slices anyway.
// CHECK: plan skinny_n (skinny)
// CHECK-NOT: tiles cut
// CHECK: plan deep (deep)
// CHECK-NOT: tiles cut
// TEXT-NOT: whole_tiles
// JSON-NOT: whole_tiles
#pragma warpwright matmul
KERNEL(automatic, float)

// CHECK: plan large (large)
// CHECK-NOT: tiles cut
// CHECK: proven: protocol:
// CHECK-NOT: whole and cut
// JSON: "whole_tiles": true
// TEXT: whole_tiles = true
#pragma warpwright matmul split_k(off)
KERNEL(off, float)

// CHECK: plan large (large)
// CHECK: tiles cut along k where that takes less
#pragma warpwright matmul
KERNEL(doubles, double)

// FILE: plan plan (medium)
// FILE-NOT: tiles cut
