// For sizes that the launcher leaves to the original, explain says so, and why,
// in the words of the launcher's log; others have a prediction.
// RUN: %warpwright explain %s -- %parse | %FileCheck %s
#include <cuda_bf16.h>

// CHECK: kernel gemm
// CHECK: predicted on an H200:
// CHECK-NEXT: 4096x4096x512: {{.*}} us, {{[0-9]+}} Tflop/s, bound by
// CHECK-NEXT: 4096x4096x500: {{.*}} us, {{.*}}; copied first: A{{$}}
// CHECK-NEXT: 4096x4100x512: {{.*}} us, {{.*}}; copied first: B{{$}}
// CHECK-NEXT: 1x4096x500: {{.*}} us, {{.*}}, bound by {{[a-z ]*$}}
// CHECK-NEXT: 65536x4096x65536: original: A: an index is out of its type's range
#pragma warpwright matmul shapes(4096x4096x512, 4096x4096x500, 4096x4100x512, 1x4096x500, 65536x4096x65536)
__global__ void gemm(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C, int M, int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y, n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N) return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += float(A[m * K + k]) * float(B[k * N + n]);
  C[m * N + n] = acc;
}

// What a leading dimension decides is left open; what is assumed is not.
// CHECK: kernel pitched
// CHECK: predicted on an H200:
// CHECK-NEXT: 4096x4096x500: {{.*}} us
// CHECK-NEXT: 4096x4096x501: original: {{.*}}K{{.*}}
#pragma warpwright matmul assume(K % 4 == 0) shapes(4096x4096x500, 4096x4096x501)
__global__ void pitched(const __nv_bfloat16 *A, int lda, const __nv_bfloat16 *B, float *C, int M, int N, int K) {
  int m = blockIdx.y * blockDim.y + threadIdx.y, n = blockIdx.x * blockDim.x + threadIdx.x;
  if (m >= M || n >= N) return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += float(A[m * lda + k]) * float(B[k * N + n]);
  C[m * N + n] = acc;
}
