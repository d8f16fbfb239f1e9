// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The definition of the kernel that gemm.h declares.

#include "gemm.h"

__global__ void gemm(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                     __nv_bfloat16 *C, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float sum = 0.0f;
    for (int i = 0; i < k; ++i)
      sum +=
          __bfloat162float(A[row * k + i]) * __bfloat162float(B[i * n + col]);
    C[row * n + col] = __float2bfloat16(sum);
  }
}
