// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LINEAR_H
#define LINEAR_H

#include <cuda_bf16.h>
#include <cuda_runtime.h>

/// Y = X W^T + Bias, as in a network's linear layer: X is rows by in, W is out
/// by in, Y is rows by out, all row-major and on the device.
cudaError_t linear(const __nv_bfloat16 *X, const __nv_bfloat16 *W,
                   const float *Bias, __nv_bfloat16 *Y, int rows, int out,
                   int in);

#endif
