// The program that `verify` writes: the contraction as C++ in double, the
// launches of both kernels, and the table of cases.
// RUN: %warpwright verify %s --emit-test=%t.cu --count=3 -- %parse
// RUN: %FileCheck %s --input-file=%t.cu
// RUN: %warpwright verify %s --emit-test=%t.again.cu --count=3 -- %parse
// RUN: sed s/%basename_t.tmp.again.cu/%basename_t.tmp.cu/ %t.again.cu | diff - %t.cu
//
// A file that has been rewritten before has the same plans to force.
// RUN: %warpwright rewrite %s -o %t.hopper.cu -- %parse
// RUN: %warpwright verify %t.hopper.cu --emit-test=%t.both.cu --count=3 -- %parse
// RUN: grep '^      "' %t.cu > %t.forced
// RUN: grep "large.*small" %t.forced
// RUN: grep '^      "' %t.both.cu | diff %t.forced -

#include <cuda_fp16.h>

namespace ops {
#pragma warpwright matmul
__global__ void gemm(const half *A, const half *B, float *C, const float *bias,
                     int M, int N, int K, int lda, float alpha) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * 32 + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float sum = 0;
  for (int k = 0; k < K; ++k)
    sum += __half2float(A[row * lda + k]) * __half2float(B[k * N + col]);
  if (bias)
    sum += bias[col];
  C[row * N + col] = fmaxf(alpha * sum, 0.0f);
}
} // namespace ops

// CHECK: #define main
// CHECK: ops::gemm_warpwright
// CHECK: #undef main
// CHECK: // ::ops::gemm
// CHECK: //   contraction "gemm"
// CHECK: struct ops_gemm_case {
// CHECK-NEXT: Setup setup;
// CHECK-NEXT: int64_t M;
// CHECK-NEXT: int64_t N;
// CHECK-NEXT: int64_t K;
// CHECK-NEXT: int64_t lda;
// CHECK-NEXT: double alpha;
// CHECK: return A_[k + m * with.lda];
// CHECK: choose(bias_.given(), (acc + bias_[n]), acc)
// CHECK: ::ops::gemm_warpwright(
// CHECK: ::ops::gemm<<<grid, block, shared>>>(
// CHECK: Array bias_{"bias", Type::f32, {3}};
// CHECK: Agreement::exact,
// CHECK: bias is null
// CHECK: data_for(with.setup, false)
// CHECK: int main() {
// CHECK: if (!find_device())
// CHECK-NEXT: return 1;
