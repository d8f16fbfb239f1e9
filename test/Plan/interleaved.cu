// Two sets of consumers take blocks of k in turn: in the plans for few columns of
// bytes that are converted, and for a tile that a clause asks for, as far as
// registers and stages allow. A clause for another schedule is kept.
//
// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s
// RUN: %warpwright rewrite %s -o - -- %parse -DONE | FileCheck --check-prefix=CODE %s
// RUN: %warpwright rewrite --emit=plan-json %s -- %parse -DONE > %t.json
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// RUN: %warpwright rewrite --plan=%t.json %s -o %t.again.cu -- %parse -DONE
// RUN: %warpwright rewrite %s -o %t.cu -- %parse -DONE
// RUN: diff %t.cu %t.again.cu
// RUN: sed 's/"exchange_offset": [0-9]*/"exchange_offset": 1024/' %t.json > %t.moved.json
// RUN: not %warpwright rewrite --plan=%t.moved.json %s -o %t.moved.cu -- %parse -DONE 2>&1 \
// RUN:   | FileCheck --check-prefix=MOVED %s
// RUN: rm -rf %t && %warpwright explain --svg=%t %s -- %parse -DONE \
// RUN:   | FileCheck --check-prefix=EXPLAIN %s
// RUN: cat %t/* | FileCheck --check-prefix=PICTURES %s

#include <cuda_bf16.h>

#define KERNEL(NAME, FACTOR)                                                   \
  __global__ void NAME(const __nv_bfloat16 *X, const unsigned char *W,         \
                       float *C, const float *scale, int M, int N, int K) {    \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= M || col >= N)                                                  \
      return;                                                                  \
    float acc = 0;                                                             \
    for (int k = 0; k < K; ++k)                                                \
      acc += __bfloat162float(X[row * K + k]) * (FACTOR);                      \
    C[row * N + col] = acc;                                                    \
  }
#define WEIGHT static_cast<float>(W[col * K + k])

// CODE: static constexpr int tile_m = 16, tile_n = 128, tile_k = 64, stages = 6;
// CODE-NEXT: static constexpr int consumer_groups = 4;
// CODE-NEXT: static constexpr bool swap_ab = true, interleaved = true;
// JSON-DAG: "schedule": "interleaved"
// JSON-DAG: "exchange_offset": 94208
// JSON-DAG: "exchange_bytes": 8192
// MOVED: memory-map: the exchanged sums begin at byte 1024, where 94208 is the end of what lies before
// EXPLAIN: 4 consumer warpgroups taking blocks of k in turn
// PICTURES-DAG: exchanged sums, 8 KiB
// PICTURES-DAG: consumer warpgroups 1 and 3: n 0 to 63
// PICTURES-DAG: consumer warpgroups 2 and 4: n 64 to 127

// CHECK: plan tile (
// CHECK-NEXT: tile 16x128x64, 6 stages, 4 consumer warpgroups taking blocks of k in turn
#pragma warpwright matmul tile(16, 128, 64) stages(6)
KERNEL(asked, WEIGHT)

#ifndef ONE
// CHECK: plan medium (
// CHECK-NEXT: 2 consumer warpgroups sharing tiles
// CHECK: plan skinny_64 (
// CHECK-NEXT: tile 64x128x64, 8 stages, 4 consumer warpgroups taking blocks of k in turn
// CHECK: registers 32/112, 640 threads, 196736 bytes of shared memory
// CHECK-NEXT: cost: 406 clocks a block
// CHECK: proven: shared memory: 8 stages of 16384 + staging 32768 + exchange 32768 + barriers 128 = 196736 of 232448 bytes
// CHECK: proven: registers: 32 + 4 x 112 = 480 of 480 per lane
// CHECK: proven: barriers: {{.*}} empty 256 arrivals = 1 CTA x 256 threads
// CHECK: proven: protocol: all interleavings of 17 agents
// CHECK: plan skinny_16 (
// CHECK-NEXT: 12 stages, 4 consumer warpgroups taking blocks of k in turn
// CHECK: plan deep (
// CHECK-NEXT: tile 64x128x64, 8 stages, 4 consumer warpgroups taking blocks of k in turn
// CHECK: plan deep_32 (
// CHECK-NEXT: tile 32x128x64, 10 stages, 4 consumer warpgroups taking blocks of k in turn
// CHECK: plan deep_16 (
// CHECK-NEXT: tile 16x128x64, 12 stages, 4 consumer warpgroups taking blocks of k in turn
// CHECK: slices of k
#pragma warpwright matmul
KERNEL(all, WEIGHT)

// An odd stage would belong to both sets.
// CHECK: plan tile (
// CHECK-NEXT: tile 16x128x64, 5 stages, 2 consumer warpgroups sharing tiles
#pragma warpwright matmul tile(16, 128, 64) stages(5)
KERNEL(odd, WEIGHT)

// CHECK: plan tile (
// CHECK-NEXT: tile 96x128x64, {{.*}} 2 consumer warpgroups sharing tiles
#pragma warpwright matmul tile(96, 128, 64)
KERNEL(many, WEIGHT)

// CHECK: plan skinny_16 (
// CHECK-NEXT: 2 consumer warpgroups sharing tiles
#pragma warpwright matmul schedule(cooperative)
KERNEL(cooperative, WEIGHT)

// CHECK: plan skinny_16 (
// CHECK-NEXT: 2 consumer warpgroups taking turns
#pragma warpwright matmul schedule(pingpong)
KERNEL(pingpong, WEIGHT)

// With sums of groups and 64 columns a consumer holds the rows of one block.
// CHECK: plan skinny_64 (
// CHECK-NEXT: 4 consumer warpgroups taking blocks of k in turn
// CHECK: proven: registers: {{.*}}; 32 accumulators, as many sums and 16 registers of rows
// CHECK: proven: protocol: all interleavings of 17 agents
// CHECK: plan skinny_16 (
// CHECK-NEXT: 4 consumer warpgroups taking blocks of k in turn
// CHECK: plan deep (
// CHECK-NEXT: 4 consumer warpgroups taking blocks of k in turn
// CHECK: plan deep_16 (
// CHECK-NEXT: 4 consumer warpgroups taking blocks of k in turn
// CHECK: slices of k
#pragma warpwright matmul
KERNEL(groups, WEIGHT *scale[(k / 64) * N + col])
#endif
