// Several sums stand side by side in the columns of an instruction, the factor
// that they share is its rows; products of one sum take turns in the stages.

// RUN: %warpwright rewrite --emit=plan %s -- %parse | FileCheck %s
// RUN: not %warpwright rewrite --emit=plan %s -- %parse -DCLAUSES 2>&1 | FileCheck %s --check-prefix=NO
// RUN: %warpwright rewrite %s -o - -- %parse | grep -v '^// [A-Z-]*:' \
// RUN:   | FileCheck %s --check-prefix=CODE
// RUN: rm -rf %t && %warpwright explain --svg=%t %s -- %parse
// RUN: FileCheck %s --check-prefix=LOADS --input-file=%t/gated-large-2-loads.svg
// LOADS: Loads of X and G, U
// LOADS: another array

#include <cuda_fp16.h>

#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float x = 0, y = 0;

#ifndef CLAUSES

// CHECK-LABEL: plan large (large)
// CHECK-NEXT: tile 128x128x64, 4 stages, 2 consumer warpgroups sharing tiles, cluster 2x1
// CHECK-NEXT: 2 sums side by side, 128 columns of m64n256 each
// CHECK-NEXT: multiply: wgmma m64n256k16.f32.f16.f16, 128 accumulators a thread
// CHECK-NEXT: rows: A f16 k-major, 128x64, swizzle 128b
// CHECK-NEXT: smem
// CHECK-NEXT: tma    box 64x128, 1 of 16384 bytes
// CHECK-NEXT: wgmma
// CHECK-NEXT: columns: B f16 k-major, 256x64, swizzle 128b
// CHECK-NEXT: smem   S<3,4,3> o 0 o ((8,32),(64,1)):((64,512),(1,0)), 32768 bytes at 16384
// CHECK-NEXT: tma    box 64x64, 2 of 8192 bytes, from 2 arrays, multicast, 1/2 per CTA
// CHECK-NEXT: wgmma  LBO 16, SBO 1024, k step 32
// CHECK: proven: tile 128x128x64 = 2 x 4 wgmma m64n256k16 a block
// CODE-DAG: static constexpr int sums = 2;
// CODE-DAG: static constexpr int products = 2;
// CODE-DAG: static constexpr int sums = 2, products = 2, subtracted = 6;
// CODE-DAG: static constexpr int products = 2, scaled_products = 1;
// CODE-DAG: static constexpr bool {{.*}}own_ranges = true;
// CODE-LABEL: struct gated_epilogue_{{[0-9a-f]+}} {
// CODE: __half value(float acc, float acc1, int, int,
#pragma warpwright matmul
__global__ void gated(const half *X, const half *G, const half *U, half *Y,
                      int M, int N, int K) {
  PLACE
  for (int k = 0; k < K; ++k) {
    x += __half2float(X[row * K + k]) * __half2float(G[col * K + k]);
    y += __half2float(X[row * K + k]) * __half2float(U[col * K + k]);
  }
  Y[row * N + col] = __float2half(fmaxf(x, 0.0f) * y);
}

// Contiguous along n: each array has its own boxes of 64 columns. The second
// factor is shared, so that the operands are exchanged.
// CHECK-LABEL: plan large (large)
// CHECK-NEXT: tile 128x128x64, {{.*}} cluster 1x2, {{.*}} operands swapped
// CHECK-NEXT: 2 sums side by side, 128 columns of m64n256 each
// CHECK-NEXT: multiply: wgmma m64n256k16.f32.f16.f16, 128 accumulators a thread
// CHECK-NEXT: rows: B f16 k-major, 128x64, swizzle 128b
// CHECK: columns: A f16 m-major, 256x64, swizzle 128b
// CHECK-NEXT: smem
// CHECK-NEXT: tma    box 64x32, 4 of 4096 bytes, from 2 arrays, multicast, 1/2 per CTA
#pragma warpwright matmul
__global__ void shared_right(const half *X, const half *Z, const half *W,
                             half *Y, int M, int N, int K) {
  PLACE
  for (int k = 0; k < K; ++k) {
    x += __half2float(X[k * M + row]) * __half2float(W[col * K + k]);
    y += __half2float(Z[k * M + row]) * __half2float(W[col * K + k]);
  }
  Y[row * N + col] = __float2half(fmaxf(x, 0.0f) * y);
}

// CHECK-LABEL: plan large (large)
// CHECK-NEXT: tile 128x256x64,
// CHECK-NEXT: 2 products, one after the other along k
#pragma warpwright matmul
__global__ void update(const half *A, const half *B, half *C, int N, int K) {
  const int M = N;
  PLACE
  for (int k = 0; k < K; ++k)
    x += __half2float(A[row * K + k]) * __half2float(B[col * K + k]) +
         __half2float(B[row * K + k]) * __half2float(A[col * K + k]);
  C[row * N + col] = __float2half(x + y);
}

// With A the products are those of B and of -D, with D those of -B and C, so that
// the signs change for both sums.
// CHECK-LABEL: plan large (large)
// CHECK-NEXT: tile 128x128x64,
// CHECK-NEXT: 2 sums side by side, 128 columns of m64n256 each
// CHECK-NEXT: 2 products, one after the other along k; signs + - of acc, - + of acc1
#pragma warpwright matmul
__global__ void crossed(const half *A, const half *B, const half *C,
                        const half *D, half *Y, int M, int N, int K) {
  PLACE
  for (int k = 0; k < K; ++k) {
    const float a = __half2float(A[row * K + k]), d = __half2float(D[row * K + k]);
    const float b = __half2float(B[col * K + k]), c = __half2float(C[col * K + k]);
    x += a * b - d * c;
    y += d * b - a * c;
  }
  Y[row * N + col] = __float2half(fmaxf(x, 0.0f) * y);
}

// Ranges of their own, and a number by which the first products are multiplied:
// no plan in slices.
// CHECK-LABEL: plan large (large)
// CHECK-NEXT: tile 128x256x64,
// CHECK-NEXT: 2 products, one after the other along k, each over its own range, the first times a number
// CHECK-NOT: slices
// CODE: What the first product is multiplied with.
// CODE: scale_of_products() const
// CODE: return s / static_cast<float>(R);
// CODE: rt::Array{"X", X,
// CODE-NEXT: .over_k(K)
#pragma warpwright matmul
__global__ void adapted(const half *X, const half *W, const half *U,
                        const half *V, half *Y, int M, int N, int K, int R,
                        float s) {
  PLACE
  for (int k = 0; k < K; ++k)
    x += __half2float(X[row * K + k]) * __half2float(W[col * K + k]);
  for (int r = 0; r < R; ++r)
    y += __half2float(U[row * R + r]) * __half2float(V[col * R + r]);
  Y[row * N + col] = __float2half(x + s / R * y);
}

#else
#define KERNEL(NAME)                                                           \
  __global__ void NAME(const half *X, const half *G, const half *U, half *Y,   \
                       int M, int N, int K) {                                  \
    PLACE                                                                      \
    for (int k = 0; k < K; ++k) {                                              \
      x += __half2float(X[row * K + k]) * __half2float(G[col * K + k]);        \
      y += __half2float(X[row * K + k]) * __half2float(U[col * K + k]);        \
    }                                                                          \
    Y[row * N + col] = __float2half(fmaxf(x, 0.0f) * y);                       \
  }

// NO-DAG: 'too_wide' is not rewritten: 2 sums of 256 columns each are more than the 256 columns of an instruction [WW303]
#pragma warpwright matmul tile(128, 256, 64)
KERNEL(too_wide)

// NO-DAG: 'other_rows' is not rewritten: swap_ab(on) cannot be kept: its sums have the first factor in common, which has to be the rows [WW303]
#pragma warpwright matmul swap_ab(on)
KERNEL(other_rows)

// NO-DAG: tile 64x64x64, 8 stages, 1 consumer warpgroup sharing tiles, cluster 1x1
#pragma warpwright matmul tile(64, 64, 64)
KERNEL(small)
#endif
