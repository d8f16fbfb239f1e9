// A launcher for each case of a kernel, and one name for launches. Plan files and
// explain name a case by its condition.

// RUN: %warpwright rewrite --no-check --emit=plan-json %s -o %t.json -- %parse
// RUN: FileCheck %s --check-prefix=JSON < %t.json
// RUN: %warpwright rewrite --no-check --plan=%t.json %s -o %t.cu -- %parse
// RUN: grep -v "// *[A-Z-]*:" %t.cu | FileCheck %s
// RUN: %warpwright explain --no-check %s -- %parse > %t.txt
// RUN: FileCheck %s --check-prefix=EXPLAIN < %t.txt

// JSON: "kernel": "gemm<__half> where transposed == 0",
// JSON: "kernel": "gemm<__half> where transposed != 0",

// EXPLAIN: instance <__half>
// EXPLAIN-NEXT: where transposed == 0:
// EXPLAIN: instance <__half>
// EXPLAIN-NEXT: where transposed != 0:

#include <cuda_fp16.h>

// The last case comes first, and runs the original where it does not hold.
//
// CHECK: // gemm<__half> where transposed != 0:
// CHECK: struct gemm_half_2_epilogue_{{[0-9a-f]+}} {
// CHECK: static void gemm_half_2_launch(::warpwright::rt::Launch launch,
// CHECK-NOT: if (
// CHECK: {transposed != 0, "'transposed' is 0"}
// CHECK: // gemm<__half> where transposed == 0:
// CHECK: struct gemm_half_epilogue_{{[0-9a-f]+}} {
// CHECK: static void gemm_half_launch(::warpwright::rt::Launch launch,
// CHECK: if (!rt::Truth(transposed == 0).is_true()) {
// CHECK-NEXT: gemm_half_2_launch(launch, A, B, C, M, N, K, transposed);
// CHECK-NEXT: return;
// CHECK: {transposed == 0, "'transposed' is not 0"}
// CHECK: static constexpr auto run = &gemm_half_launch;
// CHECK-NOT: static constexpr auto run
#pragma warpwright matmul
template <class T>
__global__ void gemm(const T *A, const T *B, float *C, int M, int N, int K,
                     bool transposed) {
  const int m = blockIdx.y * blockDim.y + threadIdx.y,
            n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N)
    return;
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += float(A[m * K + k]) * float(transposed ? B[n * K + k] : B[k * N + n]);
  C[m * N + n] = acc;
}

void run(const half *A, const half *B, float *C, bool transposed) {
  gemm<<<dim3(4, 4), dim3(16, 16)>>>(A, B, C, 64, 64, 64, transposed);
}
