// Original and rewritten kernel in the simulator: tails, pitches, one term, no
// term, displaced and null pointers, batches. Then generated kernels with one
// wrong number, one that the hardware would not take, and a wrong epilogue.
// RUN: echo '{"plans": [{"name": "small", "family": "small", \
// RUN:   "tile": [64, 32, 64], "stages": 2, "consumers": 1}]}' > %t.json
// RUN: %warpwright verify %s --plan=%t.json --count=7 -- -std=c++17 \
// RUN:   | %FileCheck %s

// RUN: %warpwright rewrite %s --plan=%t.json -o %t.cu -- -std=c++17
// RUN: %edit_runtime %t.step.rt plan.cuh 's/k_step_bytes = instruction_k(o.element) \* n.swizzle_bytes/& \/ 2/'
// RUN: %not %warpwright verify %t.cu --count=2 -- -std=c++17 -I%t.step.rt > %t.step.txt 2>&1
// RUN: %FileCheck %s --check-prefix=STEP --input-file=%t.step.txt

// RUN: %edit_runtime %t.align.rt plan.cuh 's/to.k_step_bytes = instruction_k(o.element) \* o.element_bytes()/& * 2/'
// RUN: %not %warpwright verify %t.cu --count=1 -- -std=c++17 -I%t.align.rt > %t.align.txt 2>&1
// RUN: %FileCheck %s --check-prefix=ALIGN --input-file=%t.align.txt

// RUN: sed '/^\/\/ >>> warpwright: scaled/,$s/fmaxf(/fminf(/' %t.cu > %t.alpha.cu
// RUN: %not %warpwright verify %t.alpha.cu --count=2 -- -std=c++17 > %t.alpha.txt 2>&1
// RUN: %FileCheck %s --check-prefix=ALPHA --input-file=%t.alpha.txt

#include <cuda_fp16.h>

#pragma warpwright matmul
__global__ void scaled(const half *A, int lda, const half *B, float *C, int ldc,
                       const float *bias, int M, int N, int K, float alpha) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  A += blockIdx.z * (M * lda);
  B += blockIdx.z * (K * N);
  C += blockIdx.z * (M * ldc);
  if (row >= M || col >= N)
    return;
  float sum = bias ? bias[col] : 0.0f;
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[row * lda + k]) * __half2float(B[k * N + col]);
  C[row * ldc + col] = fmaxf(alpha * sum, -1000.0f);
}

// CHECK: scaled
// CHECK-NEXT: shape data error worst verdict path
// CHECK-NEXT: {{[0-9]x}}136x72x40 integers {{.*}} equal hopper small
// CHECK-NEXT: {{[0-9]x}}136x72x40 random {{.*}} close hopper small
// CHECK: 67x45x23 integers {{.*}} equal hopper small
// CHECK: x1 integers {{.*}} equal
// CHECK: x0 integers 0 0 equal original: nothing to compute
// CHECK: A displaced by an element
// CHECK: no mismatch
// CHECK-NEXT: PASS

// STEP: MISMATCH
// STEP: C[{{.*}} the original's {{.*}}, in float64
// STEP: FAIL

// ALIGN: error: the descriptor of A {{.*}} [WW712]

// ALPHA: MISMATCH
// ALPHA: FAIL
