// Float operands: data for which fp16 parts matter. Original and rewritten
// kernel agree on integers of more than 11 bits, on magnitudes that no parts
// stand for, on infinities and NaNs; kernels whose parts, guard or scales are
// wrong are found.
// RUN: echo '{"plans": [{"name": "small", "family": "small", \
// RUN:   "tile": [64, 64, 32], "stages": 4, "consumers": 1}]}' > %t.json
// RUN: %warpwright verify %s --plan=%t.json --shapes=68x72x264 -- -std=c++17 \
// RUN:   | %FileCheck %s
// RUN: %warpwright verify %s --plan=%t.json --seed=2 --shapes=68x72x264 \
// RUN:   -- -std=c++17 -DMIXED | %FileCheck %s --check-prefix=MIXED
// RUN: sed 's/"stages"/"precision": "tf32", &/' %t.json > %t.tf32.json
// RUN: %warpwright verify %s --plan=%t.tf32.json --seed=3 \
// RUN:   --shapes=68x72x264 -- -std=c++17 '-DCLAUSE=precision(tf32)' \
// RUN:   | %FileCheck %s --check-prefix=TF32
// RUN: %warpwright verify %s --emit-test=%t.test.cu --count=2 -- %parse
// RUN: %FileCheck %s --check-prefix=TEXT --input-file=%t.test.cu

// Products with low parts are not scaled down.
// RUN: %warpwright rewrite %s --plan=%t.json -o %t.cu -- -std=c++17
// RUN: %edit_runtime %t.low.rt feed_parts.cuh '/scale_low_products</d'
// RUN: %not %warpwright verify %t.cu --shapes=68x72x264 -- -std=c++17 -I%t.low.rt \
// RUN:   > %t.low.txt 2>&1
// RUN: %FileCheck %s --check-prefix=LOW --input-file=%t.low.txt

// Elements far below their row's largest are taken for represented.
// RUN: %edit_runtime %t.least.rt plan.cuh 's/o.parts == 2 ? -16/o.parts == 2 ? -60/'
// RUN: %not %warpwright verify %t.cu --shapes=68x72x264 -- -std=c++17 -I%t.least.rt \
// RUN:   > %t.least.txt 2>&1
// RUN: %FileCheck %s --check-prefix=LEAST --input-file=%t.least.txt

// Nobody looks at the flags: what is raw is multiplied as if it were parts.
// RUN: %edit_runtime %t.raw.rt feed_parts.cuh 's/raw |= raw_blocks</raw \&= raw_blocks</'
// RUN: %not %warpwright verify %t.cu --shapes=68x72x264 -- -std=c++17 -I%t.raw.rt \
// RUN:   > %t.raw.txt 2>&1
// RUN: %FileCheck %s --check-prefix=RAW --input-file=%t.raw.txt

#ifndef CLAUSE
#define CLAUSE
#endif
#ifdef MIXED
#include <cuda_fp16.h>
typedef half left;
#else
typedef float left;
#endif

#pragma warpwright matmul CLAUSE
__global__ void gemm(const left *A, const float *B, float *C, int M, int N,
                     int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k)
      sum += float(A[row * K + k]) * B[k * N + col];
    C[row * N + col] = sum;
  }
}

// CHECK: 68x72x264 integers {{.*}} equal hopper small
// CHECK-NEXT: 68x72x264 random {{.*}}e-07 {{.*}} close hopper small
// CHECK-NEXT: 68x72x264 digits 0 0 equal hopper small
// CHECK-NEXT: 68x72x264 wide {{.*}} close hopper small
// CHECK-NEXT: 68x72x264 special {{.*}} close hopper small
// CHECK: PASS

// MIXED: 68x72x264 integers {{.*}} equal hopper small
// MIXED-NEXT: 68x72x264 random {{.*}}e-07 {{.*}} close hopper small
// MIXED-NEXT: 68x72x264 digits 0 0 equal hopper small
// MIXED-NEXT: 68x72x264 wide {{.*}} close hopper small
// MIXED-NEXT: 68x72x264 special {{.*}} close hopper small
// MIXED: PASS

// TF32: 68x72x264 integers {{.*}} equal hopper small
// TF32-NEXT: 68x72x264 random {{.*}}e-04 {{.*}} close hopper small
// TF32-NEXT: 68x72x264 wide {{.*}} close hopper small
// TF32-NEXT: 68x72x264 special {{.*}} close hopper small
// TF32: PASS

// TEXT: Array A_{"A", Type::f32, {with.setup.size, false, true, with.setup.digits[0]}};
// TEXT: , {{{[0-9]+}}, {{[0-9]+}}}, Agreement::exact,
// TEXT: data_for(with.setup, true)

// LOW: random {{.*}} MISMATCH
// LOW: digits {{.*}} MISMATCH
// LEAST: random {{.*}} close
// LEAST: digits {{.*}} equal
// LEAST: wide {{.*}} MISMATCH
// RAW: random {{.*}} close
// RAW: wide {{.*}} MISMATCH
// RAW: special {{.*}} MISMATCH
