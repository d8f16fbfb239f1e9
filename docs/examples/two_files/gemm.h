// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernel's declaration, annotated, for the files that launch it.

#ifndef WARPWRIGHT_EXAMPLES_TWO_FILES_GEMM_H
#define WARPWRIGHT_EXAMPLES_TWO_FILES_GEMM_H

#include <cuda_bf16.h>

/// C = A B, row-major: C is m by n, A is m by k, B is k by n.
#pragma warpwright matmul
__global__ void gemm(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                     __nv_bfloat16 *C, int m, int n, int k);

#endif // WARPWRIGHT_EXAMPLES_TWO_FILES_GEMM_H
