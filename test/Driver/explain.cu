// What was recognised, how it will be computed, what runs the original.
// RUN: %warpwright explain %s >%t.out 2>%t.log
// RUN: FileCheck %s --input-file=%t.out
// RUN: FileCheck %s --input-file=%t.log --check-prefix=LOG --implicit-check-not=warning:
// RUN: %warpwright rewrite %s -o %t.cu 2>&1 | FileCheck %s --check-prefix=LOG
// RUN: %warpwright explain %inputs/plain.cu | FileCheck %s --check-prefix=NONE
// NONE: plain.cu: no annotated kernel
#include <cuda_bf16.h>
#include <cuda_runtime.h>

// CHECK: explain.cu:[[#@LINE+12]]: kernel gemm
// CHECK-NEXT: instance <__nv_bfloat16, 64>
// CHECK-NEXT: recognised:
// CHECK: operand A = A[%m * K + %k]:bf16
// CHECK: plans, with their certificates (--emit=plan prints them in full):
// CHECK-NEXT: {{.*}}: tile 128x128x64, {{[0-9]+}} stages
// CHECK-NEXT: proven: tile 128x128x64 = 2 x 4 wgmma
// CHECK: proven: protocol: all interleavings of {{[0-9]+}} agents
// CHECK: predicted on an H200:
// CHECK: 4096x4096x512: {{.*}} us, {{[0-9]+}} Tflop/s, bound by
// CHECK-NOT: 8192
#pragma warpwright matmul tile(BM * 2, 128, 64) shapes(4096x4096x512)
template <typename T, int BM> __global__ void gemm(const T *A, const T *B, T *C, int M, int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y, n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N) return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += float(A[m * K + k]) * float(B[k * N + n]);
  C[m * N + n] = T(acc);
}
// CHECK: redirected launches: line [[#@LINE+3]]
// CHECK: its address is taken (line [[#@LINE+5]]): launches by it in this file go to the launcher
int main() {
  gemm<__nv_bfloat16, 64><<<dim3(1), dim3(16, 16)>>>(nullptr, nullptr, nullptr, 0, 0, 0);
  void *arguments[6] = {};
  // LOG: :[[#@LINE+1]]:34: remark: the address of 'gemm' is taken here; launches by it in this file go to its launcher [WW502]
  cudaLaunchKernel((const void *)gemm<__nv_bfloat16, 64>, dim3(1), dim3(1), arguments, 0, 0);
}

// CHECK: kernel alone
// CHECK: redirected launches: none in this file
// LOG: :[[#@LINE+1]]:9: remark: 'alone' is not launched in this file; files that launch it run the original unless they see an annotated declaration [WW504]
#pragma warpwright matmul
__global__ void alone(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C, int M, int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y, n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N) return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __bfloat162float(A[m * K + k]) * __bfloat162float(B[k * N + n]);
  C[m * N + n] = acc;
}
