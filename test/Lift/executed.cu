// What is lifted is executed before it is believed. A kernel that takes too many
// steps, or that cannot be executed, is said to be; it is rewritten all the same.

// RUN: %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s --implicit-check-not=WW220 --implicit-check-not=WW506 --implicit-check-not=WW507
// RUN: %warpwright rewrite --no-check --emit=contraction %s -- %parse 2>&1 | FileCheck %s --check-prefix=UNCHECKED --implicit-check-not=WW506 --implicit-check-not=WW507

#include <cuda_fp16.h>
#include <math.h>

#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;

// UNCHECKED: contraction "ordinary"
#pragma warpwright matmul
__global__ void ordinary(const half *A, const half *B, float *C, int M, int N,
                         int K) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = acc;
}

__device__ float up(float x) { return x; }
__device__ float up(half x) { return 2.0f * __half2float(x); }

// Overloads are told apart by the types of what they are given.
// UNCHECKED: contraction "overloads"
#pragma warpwright matmul
__global__ void overloads(const half *A, const half *B, const float *X, half *C,
                          int M, int N, int K) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = __float2half(acc + up(C[row * N + col]) + up(X[row]));
}

__device__ float settle(float x) {
  for (int i = 0; i < 4000; ++i)
    x = x * 0.5f + 1.0f;
  return x;
}

// CHECK: :[[#@LINE+3]]:17: remark: 'slow' was executed in {{[1-9]|1[01]}} of 12 launches before the budget was spent [WW506]
// UNCHECKED: contraction "slow"
#pragma warpwright matmul
__global__ void slow(const half *A, const half *B, float *C, int M, int N,
                     int K) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = settle(acc);
}

// Two outputs that are parts of one array never meet, whatever the heads and
// sequences are, so that this one is executed.
// CHECK: :[[#@LINE+3]]:17: remark: 'interleaved' was executed in {{[0-9]+}} of 12 launches before the budget was spent [WW506]
// UNCHECKED: contraction "interleaved"
#pragma warpwright matmul
__global__ void interleaved(const float *X, const float *V, const float *W,
                            float *C, int H, int M, int N, int K) {
  PLACE
  int b = blockIdx.z / H, h = blockIdx.z % H;
  float v = 0, w = 0;
  for (int k = 0; k < K; ++k) {
    v += X[(b * M + row) * K + k] * V[(h * K + k) * N + col];
    w += X[(b * M + row) * K + k] * W[(h * K + k) * N + col];
  }
  C[(((b * M + row) * H + h) * N + col) * 2] = v;
  C[(((b * M + row) * H + h) * N + col) * 2 + 1] = w;
}

// CHECK: :[[#@LINE+3]]:17: remark: 'bessel' was not executed to check what was derived from it: not executable: the function '{{.*}}j0f'{{.*}} [WW507]
// UNCHECKED: contraction "bessel"
#pragma warpwright matmul
__global__ void bessel(const half *A, const half *B, float *C, int M, int N,
                       int K) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * __half2float(B[k * N + col]);
  C[row * N + col] = j0f(acc);
}

// CHECK: :[[#@LINE+3]]:17: remark: 'long_sum' was not executed to check what was derived from it: no launch was found that meets the requirements and is small enough [WW507]
// UNCHECKED: contraction "long_sum"
#pragma warpwright matmul
__global__ void long_sum(const half *A, const half *B, float *C, int M, int N) {
  PLACE
  float acc = 0;
  for (int k = 0; k < (1 << 23); ++k)
    acc += __half2float(A[row * (1LL << 23) + k]) *
           __half2float(B[(long long)k * N + col]);
  C[row * N + col] = acc;
}

// CHECK: contraction "ordinary"
// CHECK: contraction "slow"
// CHECK: contraction "interleaved"
// CHECK: contraction "bessel"
// CHECK: contraction "long_sum"
