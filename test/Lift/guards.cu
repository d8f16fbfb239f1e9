// What is stored where: every way to write a guard gives the same bounds.

// RUN: %warpwright rewrite --emit=contraction %s -- %parse | FileCheck %s

#include <cuda_fp16.h>

#define BODY                                                                   \
  float acc = 0.0f;                                                            \
  for (int k = 0; k < K; ++k)                                                  \
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);        \
  C[row * N + col] = __float2half(acc);

// CHECK-LABEL: contraction "enclosing"
// CHECK: index %m < min(M, blockDim.y * gridDim.y)
// CHECK: index %n < min(N, blockDim.x * gridDim.x)
#pragma warpwright matmul
__global__ void enclosing(const half *A, const half *B, half *C, int M, int N,
                          int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    BODY
  }
}

// CHECK-LABEL: contraction "early_return"
// CHECK: index %m < min(M, blockDim.y * gridDim.y)
// CHECK: index %n < min(N, blockDim.x * gridDim.x)
#pragma warpwright matmul
__global__ void early_return(const half *A, const half *B, half *C, int M,
                             int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  BODY
}

// CHECK-LABEL: contraction "two_returns"
// CHECK: index %m < min(M, blockDim.y * gridDim.y)
// CHECK: index %n < min(N, blockDim.x * gridDim.x)
#pragma warpwright matmul
__global__ void two_returns(const half *A, const half *B, half *C, int M, int N,
                            int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (M <= row)
    return;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(col < N))
    return;
  BODY
}

// CHECK-LABEL: contraction "named_bool"
// CHECK: index %m < min(M, blockDim.y * gridDim.y)
// CHECK: index %n < min(N, blockDim.x * gridDim.x)
#pragma warpwright matmul
__global__ void named_bool(const half *A, const half *B, half *C, int M, int N,
                           int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  const bool inside = row <= M - 1 && col + 1 <= N;
  if (inside) {
    BODY
  }
}

// CHECK-LABEL: contraction "nested_and_lower"
// CHECK: index %m < min(M, blockDim.y * gridDim.y)
// CHECK: index %n < min(N, blockDim.x * gridDim.x)
#pragma warpwright matmul
__global__ void nested_and_lower(const half *A, const half *B, half *C, int M,
                                 int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= 0 && row < M)
    if (0 <= col && col < N) {
      BODY
    }
}

// The sum is guarded as well as the store, by the same condition.
// CHECK-LABEL: contraction "guarded_twice"
// CHECK: index %m < min(M, blockDim.y * gridDim.y)
// CHECK: index %n < min(N, blockDim.x * gridDim.x)
// CHECK: index %k < K
#pragma warpwright matmul
__global__ void guarded_twice(const half *A, const half *B, half *C, int M,
                              int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    if (row < M && col < N)
      acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  if (row < M && col < N)
    C[row * N + col] = __float2half(acc);
}

// Uniform conditions are a matter of the launch.
// CHECK-LABEL: contraction "uniform"
// CHECK: require enabled > 0
#pragma warpwright matmul
__global__ void uniform(const half *A, const half *B, half *C, int M, int N,
                        int K, int enabled) {
  if (enabled <= 0)
    return;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && col < N) {
    BODY
  }
}

// CHECK-LABEL: contraction "unguarded"
// CHECK: index %m < blockDim.y * gridDim.y
// CHECK: index %n < blockDim.x * gridDim.x
// CHECK: require N >= blockDim.x * gridDim.x : "rows of the output overlap"
#pragma warpwright matmul
__global__ void unguarded(const half *A, const half *B, half *C, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  BODY
}

// Both indices outside before it leaves, written for one of them: the launcher asks
// that the grid ends where the rows do.
// CHECK-LABEL: contraction "both_outside"
// CHECK: index %m < blockDim.y * gridDim.y
// CHECK: index %n < blockDim.x * gridDim.x
// CHECK: require blockDim.y * gridDim.y <= M : "the grid goes beyond the matrix"
#pragma warpwright matmul
__global__ void both_outside(const half *A, const half *B, half *C, int M,
                             int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M && col >= N)
    return;
  BODY
}
