// Options, and what ends without a table.
// RUN: %not %warpwright verify %s --set ldx=4 --emit-test=%t.cu -- %parse 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=SET
// RUN: %not %warpwright verify %s --set lda --emit-test=%t.cu -- %parse 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=VALUE
// RUN: %not %warpwright verify %s --gpu --build-only -- %parse 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=BUILD
// RUN: %not %warpwright verify %s --keep=%t --build-only -- %parse 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=BUILD
// RUN: %not %warpwright verify %s --shapes=3x4 --emit-test=%t.cu -- %parse 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=SHAPES
// RUN: %not %warpwright verify %s --shapes=65536x1x65536 --emit-test=%t.cu -- %parse 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=LARGE
// LARGE: error: '--shapes': 65536x1x65536 has a matrix of more than 2^30 elements, which is too large for the simulator [WW001]
// RUN: %not %warpwright verify %s --set K=nan --emit-test=%t.cu -- %parse 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=NUMBER
// RUN: %not %warpwright verify %s --set K=1e300 --emit-test=%t.cu -- %parse 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=NUMBER
// NUMBER: '--set K': it is an integer from -9007199254740992 to 9007199254740992 [WW016]
// RUN: %not %warpwright verify %s --set blockDim.x=0 --emit-test=%t.cu -- %parse 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=BLOCK
// BLOCK: '--set blockDim.x': it is an integer from 1 to 2147483647 [WW016]
// RUN: %not %warpwright verify %s --set N=7 --emit-test=%t.cu -- %parse 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=SOLVE
// RUN: %warpwright verify %s --shapes=64x32x16 --set lda=100 --seed=3 \
// RUN:   --emit-test=%t.cu -- %parse
// RUN: %FileCheck %s --check-prefix=CASES --input-file=%t.cu
// RUN: echo '{"plans": [{"name": "p", "tile": [64, 30, 64]}]}' > %t.json
// RUN: %not %warpwright verify %s --plan=%t.json --emit-test=%t.cu -- %parse 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=PLAN
// RUN: %not %warpwright verify %s --emit-test=%t.cu -- %parse -DONLY_DECLARED 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=DECLARED
// RUN: sh -c '"$0" "$@"; test $? = 2' %warpwright verify %s \
// RUN:   --emit-test=%t.none.cu -- %parse -DDECLINED

#include <cuda_fp16.h>

#ifdef ONLY_DECLARED
#pragma warpwright matmul
__global__ void gemm(const half *A, const half *B, float *C, int M, int N,
                     int K, int lda);
#else
#pragma warpwright matmul assume(N % 8 == 0)
__global__ void gemm(const half *A, const half *B, float *C, int M, int N,
                     int K, int lda) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    float sum = 0;
    for (int k = 0; k < K; ++k)
#ifdef DECLINED
      sum *= __half2float(A[row * lda + k]) * __half2float(B[k * N + col]);
#else
      sum += __half2float(A[row * lda + k]) * __half2float(B[k * N + col]);
#endif
    C[row * N + col] = sum;
  }
}
#endif

// SET: error: 'gemm' cannot be verified: '--set ldx': there is no such parameter; there are M, N, K, lda{{.*}} [WW016]
// VALUE: error: '--set' takes a parameter and its value, such as lda=128, not 'lda' [WW001]
// BUILD: error: '--build-only' goes with '--gpu' and '--keep=DIR' [WW001]
// SHAPES: error: '--shapes' takes sizes such as 128x256x64, separated by commas, not '3x4' [WW001]
// SOLVE: error: 'gemm' cannot be verified: no arguments were found for which '{{.*}}N{{.*}}' holds {{.*}}N = 7{{.*}} [WW016]
// CASES: gemm_cases[] = {
// CASES: 64, 32, 16, 100
// PLAN: [WW012]
// DECLARED: error: {{.*}} cannot be verified: it defines no kernel with a pragma [WW016]
