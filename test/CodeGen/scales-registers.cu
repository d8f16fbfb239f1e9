// Where both operands of 8-bit floats have scales by rows along k, the addresses of
// a thread's scales are not kept in registers: the largest tile spills none. Nor are
// those of scales and zero points of groups where 64 columns have two sums each.
//
// REQUIRES: nvcc
// RUN: %warpwright rewrite %s -o %t.cu -- -std=c++17
// RUN: nvcc -std=c++17 -O3 -gencode=arch=compute_90a,code=sm_90a -I%S/../../runtime/include -Xptxas -v -cubin -o %t.cubin %t.cu > %t.log 2>&1
// RUN: %FileCheck %s < %t.log
//
// CHECK-NOT: Potential Performance Loss
// CHECK-NOT: C75
// CHECK-NOT: {{[1-9][0-9]*}} bytes spill
// CHECK: hopper_kernel
// CHECK-NOT: Potential Performance Loss
// CHECK-NOT: C75
// CHECK-NOT: {{[1-9][0-9]*}} bytes spill

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#pragma warpwright matmul tile(128, 128, 128) split_k(off)
__global__ void scaled(const __nv_fp8_e4m3 *A, const __nv_fp8_e4m3 *B, float *C,
                       int M, int N, int K, const float *sa, const float *sb,
                       int blocks) {
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float sum = 0.0f;
  for (int k = 0; k < K; ++k)
    sum += float(A[m * K + k]) * sa[m * blocks + k / 128] *
           (float(B[n * K + k]) * sb[n * blocks + k / 128]);
  C[m * N + n] = sum;
}

void launch(const __nv_fp8_e4m3 *A, const __nv_fp8_e4m3 *B, float *C, int size,
            const float *sa, const float *sb) {
  scaled<<<dim3(size / 16, size / 16), dim3(16, 16)>>>(
      A, B, C, size, size, size, sa, sb, size / 128);
}

#define GROUPED(NAME, TX, FLOAT)                                               \
  __global__ void NAME(const TX *X, const unsigned char *W, float *C, int M,   \
                       int N, int K, const float *scale,                       \
                       const unsigned char *zero, int groups) {                \
    int m = blockIdx.y * blockDim.y + threadIdx.y;                             \
    int n = blockIdx.x * blockDim.x + threadIdx.x;                             \
    if (m >= M || n >= N)                                                      \
      return;                                                                  \
    float sum = 0.0f;                                                          \
    for (int k = 0; k < K; ++k) {                                              \
      int q = W[n * (K / 2) + k / 2] >> k % 2 * 4 & 15;                        \
      int group = n * groups + k / 128;                                        \
      sum += FLOAT(X[m * K + k]) * ((float(q) - float(zero[group])) *          \
                                    scale[group]);                             \
    }                                                                          \
    C[m * N + n] = sum;                                                        \
  }
#pragma warpwright matmul tile(64, 128, 128)
GROUPED(grouped_bf16, __nv_bfloat16, __bfloat162float)
#pragma warpwright matmul tile(64, 128, 128)
GROUPED(grouped_half, __half, __half2float)

void launch(const __nv_bfloat16 *Y, const __half *X, const unsigned char *W,
            float *C, int size, const float *scale, const unsigned char *zero) {
  const dim3 grid(size / 16, size / 16), block(16, 16);
  grouped_bf16<<<grid, block>>>(Y, W, C, size, size, size, scale, zero,
                                size / 128);
  grouped_half<<<grid, block>>>(X, W, C, size, size, size, scale, zero,
                                size / 128);
}
