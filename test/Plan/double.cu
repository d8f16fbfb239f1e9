// Products of doubles: every plan multiplies by mma.sync from fragments that the
// consumers load, without bank conflicts whichever index is contiguous.

// RUN: %warpwright rewrite --emit=plan %s -- %parse 2>/dev/null | FileCheck %s
// RUN: %warpwright rewrite %s -- %parse 2>/dev/null | FileCheck --check-prefix=TEXT %s

#define ARGS const double *A, const double *B, double *C, int M, int N, int K
#define BODY(A_INDEX, B_INDEX)                                                 \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  double acc = 0;                                                              \
  for (int k = 0; k < K; ++k)                                                  \
    acc += A[A_INDEX] * B[B_INDEX];                                            \
  C[row * N + col] = acc;

// CHECK: plan large (large)
// CHECK: tile 128x128x16, 6 stages, 2 consumer warpgroups sharing tiles, cluster 1x1
// CHECK: multiply: mma.sync m16n8k16.f64.f64.f64, 64 sums a thread
// CHECK: rows: A f64 k-major, 128x16, swizzle 128b
// CHECK-NOT: wgmma
// CHECK: columns: B f64 n-major, 128x16, swizzle 128b
// CHECK-NOT: wgmma
// CHECK: fragments: loaded by the consumers, slot to k S<2,0,2> o 0 o (4,4):(4,1)
// CHECK: epilogue: f64, slab
// CHECK: proven: tile 128x128x16 = 8 x 16 mma.sync m16n8k16 a block;
// CHECK: proven: rows: {{.*}}, loaded by lanes, 8 bytes at a time, {{.*}}: 128 wavefronts a stage, 128 without conflicts
// CHECK: proven: columns: {{.*}}, loaded by lanes, 8 bytes at a time, {{.*}}: 1024 wavefronts a stage, 1024 without conflicts
// CHECK: proven: registers: 40 + 2 x 232 = 504 of 504 per lane; 128 accumulators, two for each sum, and 16 registers of rows
// CHECK: empty 256 arrivals = 1 CTA x 256 threads
// CHECK-LABEL: plan medium_96 (medium)
// CHECK: 96x16, swizzle 128b
// CHECK: plan deep_m (deep)
// TEXT: using a_element = double;
// TEXT: tile_m = 128, tile_n = 128, tile_k = 16, stages = 6
#pragma warpwright matmul
__global__ void rows(ARGS) { BODY(row * K + k, k * N + col) }

// CHECK: plan large (large)
// CHECK: rows: A f64 m-major, 128x16, swizzle 128b
// CHECK: columns: B f64 k-major, 128x16, swizzle 128b
// CHECK: fragments: loaded by the consumers, slot to k S<1,1,2> o 0 o (4,4):(4,1)
// CHECK: proven: rows: {{.*}}, loaded by lanes, 8 bytes at a time, {{.*}}: 128 wavefronts a stage, 128 without conflicts
// CHECK: proven: columns: {{.*}}, loaded by lanes, 16 bytes at a time, {{.*}}: 1024 wavefronts a stage, 1024 without conflicts
#pragma warpwright matmul
__global__ void columns(ARGS) { BODY(k * M + row, col * K + k) }
