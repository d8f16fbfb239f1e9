// Where both operands of 8-bit floats have scales by rows along k, the addresses of
// a thread's scales are not kept in registers: the largest tile spills none.
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
