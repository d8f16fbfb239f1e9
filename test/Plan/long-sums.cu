// Where outputs are floats and sums may have thousands of terms, a remark names the
// clause that keeps them exact.
// RUN: %warpwright rewrite --emit=plan %s -- %parse 2>&1 >/dev/null | FileCheck %s

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#define PRODUCT(T, K)                                                          \
  int m = blockIdx.y * blockDim.y + threadIdx.y;                               \
  int n = blockIdx.x * blockDim.x + threadIdx.x;                               \
  if (m >= M || n >= N)                                                        \
    return;                                                                    \
  float sum = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    sum += float(A[m * K + k]) * float(B[n * K + k]);                          \
  C[m * N + n] = (T)sum;
using bf16 = __nv_bfloat16;

// CHECK-NOT: WW509
// CHECK: long-sums.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: 'longs' stores sums as float; where they have more than 4096 terms, the tensor cores' truncation shows, and accumulate(promoted) keeps them as accurate as sums in float [WW509]
#pragma warpwright matmul
__global__ void longs(const bf16 *A, const bf16 *B, float *C, int M, int N,
                      int K) {
  PRODUCT(float, K)
}

// CHECK: long-sums.cu:[[#@LINE+1]]:{{[0-9]+}}: remark: 'halves' stores sums as float{{.*}} [WW509]
#pragma warpwright matmul shapes(64x64x64, 128x128x4097)
__global__ void halves(const half *A, const half *B, float *C, int M, int N,
                       int K) {
  PRODUCT(float, K)
}

// CHECK-NOT: WW509
#pragma warpwright matmul
__global__ void narrow(const bf16 *A, const bf16 *B, bf16 *C, int M, int N,
                       int K) {
  PRODUCT(bf16, K)
}

#pragma warpwright matmul accumulate(f32)
__global__ void asked(const bf16 *A, const bf16 *B, float *C, int M, int N,
                      int K) {
  PRODUCT(float, K)
}

#pragma warpwright matmul accumulate(promoted)
__global__ void promoted(const bf16 *A, const bf16 *B, float *C, int M, int N,
                         int K) {
  PRODUCT(float, K)
}

#pragma warpwright matmul shapes(4096x4096x4096, 64x64x64)
__global__ void shaped(const bf16 *A, const bf16 *B, float *C, int M, int N,
                       int K) {
  PRODUCT(float, K)
}

#pragma warpwright matmul
__global__ void constant(const bf16 *A, const bf16 *B, float *C, int M, int N) {
  PRODUCT(float, 1024)
}

// Of floats the parts are added in float, and TF32 has lost more than the sums do.
#pragma warpwright matmul
__global__ void parts(const float *A, const float *B, float *C, int M, int N,
                      int K) {
  PRODUCT(float, K)
}

#pragma warpwright matmul precision(tf32)
__global__ void rounded(const float *A, const float *B, float *C, int M, int N,
                        int K) {
  PRODUCT(float, K)
}
