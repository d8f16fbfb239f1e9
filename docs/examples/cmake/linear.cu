// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "linear.h"

#pragma warpwright matmul
__global__ void linearKernel(const __nv_bfloat16 *X, const __nv_bfloat16 *W,
                             const float *Bias, __nv_bfloat16 *Y, int rows,
                             int out, int in) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || col >= out)
    return;
  float sum = Bias[col];
  for (int k = 0; k < in; ++k)
    sum += __bfloat162float(X[row * in + k]) * __bfloat162float(W[col * in + k]);
  Y[row * out + col] = __float2bfloat16(sum);
}

cudaError_t linear(const __nv_bfloat16 *X, const __nv_bfloat16 *W,
                   const float *Bias, __nv_bfloat16 *Y, int rows, int out,
                   int in) {
  dim3 block(32, 8);
  dim3 grid((out + 31) / 32, (rows + 7) / 8);
  linearKernel<<<grid, block>>>(X, W, Bias, Y, rows, out, in);
  return cudaGetLastError();
}
