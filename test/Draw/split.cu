// Pictures of kernels whose operands become fp16 parts: what TMA writes is
// drawn as it lies, what wgmma reads as parts, and the ring has a third barrier.
// RUN: rm -rf %t
// RUN: %warpwright explain --svg=%t %s -- %parse >%t.out
// RUN: python3 %S/Inputs/check_pictures.py %t | FileCheck %s --check-prefix=COUNT
// COUNT: 12 pictures

#include <cuda_fp16.h>

#define BODY                                                                   \
  int m = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int n = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  float acc = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    acc += float(A[m * K + k]) * B[k * N + n];                                 \
  C[m * N + n] = acc;

#pragma warpwright matmul tile(128, 128, 32) stages(6)
__global__ void plain(const float *A, const float *B, float *C, int M, int N,
                      int K) {
  BODY
}
#pragma warpwright matmul tile(64, 64, 32) stages(4) cluster(2, 1)
__global__ void mixed(const half *A, const float *B, float *C, int M, int N,
                      int K) {
  BODY
}

// RUN: FileCheck %s --input-file=%t/plain-tile-1-tiles.svg --check-prefix=TILES
// TILES: wgmma m64n128k16, 6 of them for
// TILES: put fp16 parts in the
// TILES: 3 products of which stand for one.

// RUN: FileCheck %s --input-file=%t/plain-tile-2-loads.svg --check-prefix=LOADS
// LOADS: There the transform reads them
// LOADS-NOT: so that wgmma can read
// LOADS: A: 128 of m by 32 of k, contiguous along k
// LOADS: 1 box of 32 k by 128 m, 16384 bytes.
// LOADS: the first chunk of 8 rows
// LOADS: reading them takes 1 wavefront; unswizzled it would
// LOADS: S&lt;3,4,3&gt; o 0 o ((8,16),(32,1)):((32,256),(1,0))
// LOADS: B: 128 of n by 32 of k, contiguous along n
// LOADS: 4 boxes of 32 n by 32 k, 4096 bytes each.
// LOADS: what a warp of the transform
// LOADS: That takes 1 wavefront as it is: no swizzle is needed.
// LOADS: ((32,4),32):((1,1024),32)

// RUN: FileCheck %s --input-file=%t/plain-tile-3-memory.svg --check-prefix=MEMORY
// MEMORY: three barriers a stage
// MEMORY: scales and flags, 1584 bytes
// MEMORY: The ready barriers follow from byte 231056 on
// MEMORY: a window, being multiplied
// MEMORY: being rewritten as parts
// MEMORY: full: the transform may rewrite the stage after 1 arrival
// MEMORY: ready: a consumer may read the stage after 256 arrivals
// MEMORY-NOT: one round late
// MEMORY: release the stages of a window, 3 of them

// RUN: FileCheck %s --input-file=%t/plain-tile-4-operands.svg --check-prefix=OPERANDS
// OPERANDS: A stage holds 2 steps of 16 along k
// OPERANDS: byte 8224</text>
// OPERANDS: the low parts of each are 64 bytes further on.
// OPERANDS: 0x4000004000010000</text>
// OPERANDS: B: 128 of n by 32 of k in one stage
// OPERANDS: byte 16416</text>
// OPERANDS: 0x4000004000010400</text>

// RUN: FileCheck %s --input-file=%t/plain-tile-5-accumulators.svg --check-prefix=SUMS
// SUMS: After every 96 of k each is added to

// RUN: FileCheck %s --input-file=%t/mixed-tile-2-loads.svg --check-prefix=MIXED
// MIXED: 2 boxes of 32 k by 32 m, 2048 bytes each.
// MIXED: A box fills the first half of
// MIXED: 4 boxes of 32 n by 16 k, 2048 bytes each; 2
// RUN: FileCheck %s --input-file=%t/mixed-tile-4-operands.svg --check-prefix=HALF
// HALF: A: 64 of m by 32 of k
// HALF-NOT: low parts
// HALF: B: 64 of n by 32 of k
// HALF: low parts
