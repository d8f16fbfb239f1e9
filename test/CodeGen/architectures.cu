// A rewritten file compiles for every architecture list that the original did,
// without a warning. Where the Hopper kernels are, nothing spills and wgmma is
// not serialised.

// REQUIRES: nvcc
// DEFINE: %{flags} = -Werror=all-warnings -diag-suppress 20199 -I %runtime \
// DEFINE:   -Xcompiler=-Wall,-Wextra,-Werror,-Wno-unknown-pragmas,-Wno-comment
// RUN: %warpwright rewrite %s -o %t.cu
// RUN: %nvcc -arch=sm_90 %{flags} -c %t.cu -o %t.o
// RUN: %nvcc -gencode=arch=compute_80,code=sm_80 \
// RUN:   -gencode=arch=compute_90a,code=sm_90a -Xptxas=-v %{flags} -c %t.cu \
// RUN:   -o %t.o > %t.log 2>&1
// RUN: FileCheck %s --implicit-check-not="Potential Performance Loss" \
// RUN:   --implicit-check-not="C7504" --implicit-check-not="C7508" \
// RUN:   --implicit-check-not="warning" < %t.log
// RUN: not grep -E "[1-9][0-9]* bytes spill" %t.log

// CHECK-DAG: Function properties for {{.*}}hopper_kernel{{.*}}10plan_large
// CHECK-DAG: Compiling entry function {{.*}}matmulPK{{.*}}' for 'sm_80'

#include <cuda_bf16.h>

#pragma warpwright matmul
__global__ void matmul(const __nv_bfloat16 *A, const __nv_bfloat16 *B,
                       __nv_bfloat16 *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float acc = 0.0f;
    for (int k = 0; k < K; ++k)
      acc += __bfloat162float(A[row * K + k]) * __bfloat162float(B[k * N + col]);
    C[row * N + col] = __float2bfloat16(acc);
  }
}

void run(__nv_bfloat16 *p) { matmul<<<1, dim3(16, 16)>>>(p, p, p, 1, 1, 1); }
