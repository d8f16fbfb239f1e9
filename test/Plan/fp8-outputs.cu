// Outputs of 8-bit floats are declined, whatever the operands.
// RUN: %not %warpwright rewrite %s --strict -o %t.cu -- -std=c++17 2>&1 | %FileCheck %s
#include <cuda_fp16.h>
#include <cuda_fp8.h>

// CHECK: error: 'narrowed' is not rewritten: {{.*}}what is stored to 'C' is
// computed with 8-bit floats, for which there is no generated code yet [WW302]
#pragma warpwright matmul
__global__ void narrowed(const __half *A, const __half *B, __nv_fp8_e4m3 *C,
                         int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = __nv_fp8_e4m3(acc);
}
