// Templates may not stand in an extern "C" block; the section does.

// RUN: %warpwright rewrite %s -o %t.cu -- %parse
// RUN: grep -v "// *[A-Z-]*:" %t.cu | FileCheck %s
// RUN: %if nvcc %{ %nvcc -std=c++17 -arch=sm_80 -Werror=all-warnings \
// RUN:   -diag-suppress 20199 -Xcompiler=-Wall,-Werror,-Wno-unknown-pragmas,-Wno-comment \
// RUN:   -I %runtime -c %t.cu -o %t.o %}

#include <cuda_bf16.h>

extern "C" {

#pragma warpwright matmul
__global__ void matmul(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                       __nv_bfloat16 *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __bfloat162float(A[row * K + k]) * __bfloat162float(B[col * K + k]);
  C[row * N + col] = __float2bfloat16(acc);
}
// CHECK: // >>> warpwright: matmul
// CHECK-NEXT: #line 1
// CHECK-NEXT: extern "C++" {
// CHECK: // <<< warpwright: matmul

void run(__nv_bfloat16 *p) {
  matmul<<<1, dim3(16, 16)>>>(p, p, p, 1, 1, 1);
  // CHECK: (::warpwright::rt::Configure(1, dim3(16, 16)), matmul_warpwright(p, p, p,
}

} // extern "C"
