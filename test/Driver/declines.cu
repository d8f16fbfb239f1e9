// Reasons to leave a kernel as it is that have no test with their own stage.
// RUN: python3 %inputs/status.py 2 %warpwright rewrite %s -o %t.cu 2>%t.log
// RUN: FileCheck %s --input-file=%t.log --implicit-check-not=warning: --implicit-check-not=error:
// RUN: diff %s %t.cu
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#define ROW (blockIdx.y * blockDim.y + threadIdx.y)
#define COLUMN (blockIdx.x * blockDim.x + threadIdx.x)

// CHECK: warning: 'pointers' is not rewritten: {{.*}} [WW207]
#pragma warpwright matmul
__global__ void pointers(float **A, const __nv_bfloat16 *B, float *C, int M, int N, int K) {
  int m = ROW, n = COLUMN;
  if (m >= M || n >= N) return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += A[m][k] * __bfloat162float(B[k * N + n]);
  C[m * N + n] = acc;
}

// CHECK: :[[#@LINE+9]]:24: warning: 'table' is not rewritten: 'scale' is read here at an element that an earlier store may have changed [WW208]
#pragma warpwright matmul
__global__ void table(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C, int M, int N, int K) {
  int m = ROW, n = COLUMN;
  float scale[8192] = {1.0f};
  if (m >= M || n >= N) return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __bfloat162float(A[m * K + k]) * __bfloat162float(B[k * N + n]);
  C[m * N + n] = acc * scale[n];
}

// CHECK: :[[#@LINE+1]]:40: warning: 'promise' is not rewritten: the assumption is not a condition over integer and pointer parameters [WW219]
#pragma warpwright matmul assume(alpha > 0.5f)
__global__ void promise(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C, int M, int N, int K, float alpha) {
  int m = ROW, n = COLUMN;
  if (m >= M || n >= N) return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __bfloat162float(A[m * K + k]) * __bfloat162float(B[k * N + n]);
  C[m * N + n] = acc * alpha;
}

// CHECK: :[[#@LINE+1]]:9: warning: 'prologue' is not rewritten: the elements of 'A' are passed through 'expf' before they are multiplied, which a plan does where a sum is over one product; a product of operands that another kernel computed is rewritten [WW310]
#pragma warpwright matmul
__global__ void prologue(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C, int M, int N, int K) {
  int m = ROW, n = COLUMN;
  if (m >= M || n >= N) return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += expf(__bfloat162float(A[m * K + k])) * __bfloat162float(B[k * N + n]) + __bfloat162float(A[m * K + k]) * __bfloat162float(B[n * K + k]);
  C[m * N + n] = acc;
}

// Barriers keep the loops from being guessed.
// CHECK: :[[#@LINE+18]]:9: warning: 'deep' is not rewritten: the kernel is too large to analyse [WW218]
#pragma warpwright matmul
__global__ void deep(const __nv_bfloat16 *A, const __nv_bfloat16 *B, float *C, int M, int N, int K) {
  int m = ROW, n = COLUMN;
  if (m >= M || n >= N) return;
  float acc = 0.0f;
  __shared__ float sums[256];
  for (int a = 0; a < K - 0; ++a)
  for (int b = 0; b < K - 1; ++b)
  for (int c = 0; c < K - 2; ++c)
  for (int d = 0; d < K - 3; ++d)
  for (int e = 0; e < K - 4; ++e)
  for (int f = 0; f < K - 5; ++f)
  for (int g = 0; g < K - 6; ++g)
  for (int h = 0; h < K - 7; ++h)
  for (int i = 0; i < K - 8; ++i)
  for (int j = 0; j < K - 9; ++j)
  for (int k = 0; k < K; ++k) {
    acc += __bfloat162float(A[m * K + k]) * __bfloat162float(B[k * N + n]);
    sums[threadIdx.x] = acc;
    __syncthreads();
    acc += sums[0];
  }
  C[m * N + n] = acc;
}
