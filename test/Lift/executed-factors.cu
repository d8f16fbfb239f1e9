// Factors that leave the loop, and factors that leave the range of floats: what is
// lifted is executed, and found to be right.

// RUN: %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s --implicit-check-not=WW220 --implicit-check-not=WW507

#include <cuda_fp8.h>
#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;
#define ARGS(T, V) const T *A, const T *B, V *C, int M, int N, int K

// Products with a third round, also where their sum is 0.
// CHECK-DAG: contraction "third"
// CHECK-DAG: = (0.333333343f:f32 * acc)
#pragma warpwright matmul
__global__ void third(ARGS(float, float)) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += 0.333333343f * A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// CHECK-DAG: contraction "tenth"
// CHECK-DAG: = (0.10000000000000001:f64 * acc)
#pragma warpwright matmul
__global__ void tenth(ARGS(double, double)) {
  PLACE
  double acc = 0;
  for (int k = 0; k < K; ++k)
    acc += 0.1 * A[row * K + k] * B[k * N + col];
  C[row * N + col] = acc;
}

// Scales that are exponents: the order decides which products are infinite.
// CHECK-DAG: contraction "exponents"
// CHECK-DAG: as (f32(A[%m * K + %k]:e4m3) * call.f32 "exp2f"(
#pragma warpwright matmul
__global__ void exponents(ARGS(__nv_fp8_e4m3, float), const unsigned char *sa,
                          const unsigned char *sb, int blocks) {
  PLACE
  float acc = 0;
  for (int k = 0; k < K; ++k)
    acc += float(A[row * K + k]) * float(B[col * K + k]) *
           exp2f(sa[row * blocks + k / 128] - 127) *
           exp2f(sb[col * blocks + k / 128] - 127);
  C[row * N + col] = acc;
}
