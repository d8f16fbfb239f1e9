// Weights of four bits: the plans of pairs, the types by which the generated kernel
// knows them, plans as files; and what stays declined.
// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s
// RUN: %warpwright rewrite %s -o - -- %parse | grep -v '^// [A-Z-]*:' \
// RUN:   | FileCheck %s --check-prefix=CODE
// RUN: %warpwright rewrite --emit=plan-json %s -- %parse -DONE > %t.json
// RUN: %warpwright rewrite --plan=%t.json %s -o %t.again.cu -- %parse -DONE
// RUN: %warpwright rewrite %s -o %t.cu -- %parse -DONE
// RUN: diff %t.cu %t.again.cu
// RUN: rm -rf %t && %warpwright explain --svg=%t %s -- %parse -DONE \
// RUN:   | FileCheck %s --check-prefix=EXPLAIN
// RUN: not %warpwright rewrite --emit=plan %s -- %parse -DDECLINED 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define KERNEL(NAME, T, W_INDEX, FACTOR)                                       \
  __global__ void NAME(const T *X, const unsigned char *W, float *C,           \
                       const float *scale, int M, int N, int K) {              \
    int m = blockIdx.y * blockDim.y + threadIdx.y;                             \
    int n = blockIdx.x * blockDim.x + threadIdx.x;                             \
    if (m >= M || n >= N)                                                      \
      return;                                                                  \
    float sum = 0;                                                             \
    for (int k = 0; k < K; ++k) {                                              \
      const unsigned char b = W[W_INDEX];                                      \
      sum += static_cast<float>(X[X_INDEX]) * (FACTOR);                        \
    }                                                                          \
    C[m * N + n] = sum;                                                        \
  }
#define X_INDEX m *K + k
#define low_first (b >> 4 * (k % 2) & 15)
#define high_first (k % 2 ? b & 15 : b >> 4)

#ifndef DECLINED
// Rows are bytes, in lines of 32; k counts pairs.
// CHECK-LABEL: plan large (large)
// CHECK-NEXT: tile 256x128x32, 4 stages, 2 consumer warpgroups sharing tiles, {{.*}}, operands swapped
// CHECK-NEXT: multiply: wgmma m64n256k16.f32.f16.f16, 128 accumulators a thread
// CHECK-NEXT: rows: B u4x2 k-major, 128x32, swizzle 32b
// CHECK-NEXT: smem S<1,4,3> o 0 o ((8,16),(32,1)):((32,256),(1,0)), 4096 bytes at 0
// CHECK-NEXT: as f16x2 in registers, rows in slots 16:1
// CHECK-NEXT: tma box 32x128, 1 of 4096 bytes
// CHECK-NEXT: columns: A f16x2 k-major, 256x32, swizzle 128b
// CHECK: products: B (u4x2) is converted to f16x2 in registers, without zero points
// CHECK: proven: rows: {{.*}} u4x2 converted to f16x2 in registers: {{.*}} loaded 16 bytes at a time for 4 of them, rows in slots 16:1, 128 wavefronts a stage, 128 without conflicts
// CODE-DAG: using b_element = ::warpwright::rt::u4x2;
// CODE-DAG: using a_element = __half2;
// CODE-DAG: "X: rows do not begin with a pair of elements"
// CODE-DAG: "X: an index is out of its type's range"
// CODE-DAG: "the range of a sum ends inside of a word of 2 numbers"
// EXPLAIN: loaded 16 bytes at a time for 4 of them
// Where consumers take stages in turn, these have two blocks: lines of 64 bytes, and
// two boxes of columns. The next one is twice a plan of 64 numbers.
// CHECK: plan skinny_16 (skinny)
// CHECK-NEXT: tile 16x128x64, 8 stages, 4 consumer warpgroups taking blocks of k in turn
// CHECK: rows: B u4x2 k-major, 128x64, swizzle 64b
// CHECK: columns: A f16x2 k-major, 16x64, swizzle 128b
// CHECK-NEXT: smem S<3,4,3> o 0 o ((8,2),(32,2)):((32,256),(1,512)), 4096 bytes at 8192
// CHECK-NEXT: tma box 32x16, 2 of 2048 bytes
// CHECK: proven: rows: {{.*}} by 8 fragments {{.*}} 256 wavefronts a stage, 256 without conflicts
// CHECK: proven: columns: {{.*}} written by 2 TMA boxes of 32x16 (2048 bytes), read by wgmma
// CHECK: proven: protocol: all interleavings of 17 agents
#pragma warpwright matmul
KERNEL(unsigned_low, half, n *(K / 2) + k / 2,
       static_cast<float>(low_first - 8) * scale[n])

#ifndef ONE
// Groups of 128 are 64 pairs.
// CHECK-LABEL: plan tile (small)
// CHECK-NEXT: tile 64x128x32
// CHECK: rows: B s4x2_high k-major, 128x32, swizzle 32b
// CHECK: columns: A bf16x2 k-major, 64x32, swizzle 128b
// CHECK: products: B (s4x2_high) is converted to bf16x2 in registers, all values as they are; sums of 64 of k are multiplied by scales and added to others
// CHECK: proven: rows: {{.*}} loaded 16 bytes at a time for 4 of them, rows in slots 16:1
// CODE-DAG: using b_element = ::warpwright::rt::s4x2_high;
// CODE-DAG: using a_element = __nv_bfloat162;
// CODE-DAG: group_k = 64;
#pragma warpwright matmul tile(64, 128, 64)
KERNEL(signed_high, __nv_bfloat16, n *(K / 2) + k / 2,
       static_cast<float>((high_first ^ 8) - 8) * scale[k / 128 * N + n])

// Sums of groups of 64 leave the accumulators behind each block of 64, so that stages
// have one block.
// CHECK: plan skinny_64 (skinny)
// CHECK-NEXT: tile 64x128x32, 12 stages, 4 consumer warpgroups taking blocks of k in turn
// CHECK: plan skinny_16 (skinny)
// CHECK-NEXT: tile 16x128x32, 16 stages, 4 consumer warpgroups taking blocks of k in turn
#pragma warpwright matmul
KERNEL(groups_of_64, half, n *(K / 2) + k / 2,
       static_cast<float>(low_first) * scale[k / 64 * N + n])

// A clause may ask for either.
// CHECK-LABEL: plan tile (skinny)
// CHECK-NEXT: tile 16x128x64, 8 stages, 4 consumer warpgroups taking blocks of k in turn
#pragma warpwright matmul tile(16, 128, 128) stages(8)
KERNEL(two_blocks, half, n *(K / 2) + k / 2, static_cast<float>(low_first))
// CHECK-LABEL: plan tile (skinny)
// CHECK-NEXT: tile 16x128x32, 8 stages, 4 consumer warpgroups taking blocks of k in turn
#pragma warpwright matmul tile(16, 128, 64) stages(8)
KERNEL(one_block, half, n *(K / 2) + k / 2, static_cast<float>(low_first))

// Bytes of one k for all columns stand side by side.
// CHECK-LABEL: plan tile (small)
// CHECK: rows: B u4x2 n-major, 128x32, swizzle 128b
// CHECK: as bf16x2 in registers, rows in slots (8,2):(2,1)
// CHECK: proven: rows: {{.*}} loaded by ldmatrix as 4 matrices of 8 k by 16 bytes, turned, rows in slots (8,2):(2,1), 32 wavefronts a stage, 32 without conflicts
#pragma warpwright matmul tile(64, 128, 64)
KERNEL(bytes_across, __nv_bfloat16, k / 2 * N + n,
       static_cast<float>(low_first - 8) * scale[k / 128 * N + n])
#endif

#else

// Consumers that share tiles take one block at a time.
// NO: 'shared' is not rewritten: the kernel takes k in blocks of 32, not 64 [WW303]
#pragma warpwright matmul tile(128, 128, 128)
KERNEL(shared, half, n *(K / 2) + k / 2, static_cast<float>(low_first))

// The upper numbers of bytes are multiplied with a number, the lower ones not.
// NO: 'upper_scaled' is not rewritten: {{.*}}[WW310]
#pragma warpwright matmul
__global__ void upper_scaled(const half *X, const unsigned char *W, float *Y,
                             int M, int N, int K, float s) {
  const int m = blockIdx.y * blockDim.y + threadIdx.y;
  const int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float lower = 0.0f, upper = 0.0f;
  for (int k = 0; k < K / 2; ++k) {
    const int w = W[n * (K / 2) + k];
    lower += __half2float(X[m * K + 2 * k]) * static_cast<float>((w & 15) - 8);
    upper +=
        __half2float(X[m * K + 2 * k + 1]) * static_cast<float>((w >> 4) - 8);
  }
  Y[m * N + n] = lower + s * upper;
}
#endif
