// What the clauses decide, and what this version declines to do.
// RUN: not %warpwright rewrite --emit=plan %s -- %parse > %t.out 2>%t.err
// RUN: FileCheck %s < %t.out
// RUN: FileCheck --check-prefix=ERR %s < %t.err

#include <cuda_bf16.h>

#define BODY                                                                   \
  int m = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int n = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  float sum = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    sum += float(A[m * K + k]) * float(B[k * N + n]);                          \
  C[m * N + n] = (T)sum;
using T = __nv_bfloat16;

// CHECK: plan tile (large)
// CHECK-NEXT: tile 256x128x64, 3 stages, 2 consumer warpgroups sharing tiles, cluster 1x2
// CHECK-NOT: plan {{.*}} (medium)
#pragma warpwright matmul tile(256, 128, 64) stages(3) cluster(1, 2)
__global__ void tiled(const T *A, const T *B, T *C, int M, int N, int K) {
  BODY
}

// CHECK: plan tile (medium)
// CHECK-NEXT: tile 128x128x64, {{.*}} taking turns
#pragma warpwright matmul tile(128, 128, 64) schedule(pingpong)
__global__ void turns(const T *A, const T *B, T *C, int M, int N, int K) {
  BODY
}

// CHECK: plan pingpong (medium)
// CHECK-NOT: plan skinny_n
// CHECK: note: plan '{{.*}}' wins for none of the shapes
#pragma warpwright matmul shapes(2048x2048x2048)
__global__ void shaped(const T *A, const T *B, T *C, int M, int N, int K) {
  BODY
}

// CHECK: plan large (large)
// CHECK: slices of k: 4, added by a kernel of its own
// CHECK-NEXT: epilogue: f32, slab
// CHECK: proven: epilogue: slab
#pragma warpwright matmul split_k(4)
__global__ void split(const T *A, const T *B, T *C, int M, int N, int K) {
  BODY
}

// ERR: clauses.cu:[[#@LINE+1]]:{{[0-9]+}}: warning: 'narrow' {{.*}}accumulate(f16) is for half operands {{.*}}; 'A' is bf16 and 'B' is bf16 [WW303]
#pragma warpwright matmul accumulate(f16)
__global__ void narrow(const T *A, const T *B, T *C, int M, int N, int K) {
  BODY
}

// ERR: clauses.cu:[[#@LINE+1]]:{{[0-9]+}}: warning: 'strict' is not rewritten: clause fallback(error) is not supported by this version [WW301]
#pragma warpwright matmul fallback(error)
__global__ void strict(const T *A, const T *B, T *C, int M, int N, int K) {
  BODY
}

// ERR: clauses.cu:[[#@LINE+1]]:{{[0-9]+}}: warning: {{.*}}6 stages of 49152 bytes {{.*}}[WW303]
#pragma warpwright matmul tile(128, 256, 64) stages(6)
__global__ void deep(const T *A, const T *B, T *C, int M, int N, int K) {
  BODY
}

// ERR: warning: 'doubles' is not rewritten: products of f64 and f64 are accumulated in f64 [WW302]
#pragma warpwright matmul accumulate(f32)
__global__ void doubles(const double *A, const double *B, double *C, int M,
                        int N, int K) {
  double sum = 0.0;
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  for (int k = 0; k < K; ++k)
    sum += A[m * K + k] * B[k * N + n];
  C[m * N + n] = sum;
}
