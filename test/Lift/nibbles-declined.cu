// Weights of few bits in forms that do not lift, or have no plan, and one that has.

// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s
#include <stdint.h>
#define PLACE                                                                  \
  int row = blockIdx.y * blockDim.y + threadIdx.y;                             \
  int col = blockIdx.x * blockDim.x + threadIdx.x;                             \
  if (row >= M || col >= N)                                                    \
    return;                                                                    \
  float acc = 0;
#define ARGS(T, U, V) const T *A, const U *B, V *C, int M, int N, int K

// Two numbers of three bits belong to neighbouring columns.
// CHECK: warning: 'across' is not rewritten: an index of the output moves neither operand [WW216]
#pragma warpwright matmul
__global__ void across(ARGS(float, uint8_t, float)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] *
           (float)(B[k * (N / 2) + col / 2] >> (3 * (col & 1)) & 7);
  C[row * N + col] = acc;
}

// Four numbers of two bits are in a byte.
// CHECK: warning: 'quarters' is not rewritten: an index is divided by 4 in a way that does not make rows and columns [WW204]
#pragma warpwright matmul
__global__ void quarters(ARGS(float, uint8_t, float)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] *
           (float)(B[col * (K / 4) + k / 4] >> (2 * (k & 3)) & 3);
  C[row * N + col] = acc;
}

// CHECK: warning: 'wide' is not rewritten: 'B': operands of type u64 have no plan; {{.*}} [WW302]
#pragma warpwright matmul
__global__ void wide(ARGS(float, unsigned long long, float)) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * (float)(B[col * K + k] >> 60);
  C[row * N + col] = acc;
}

// A count that is loaded is in the prologue, which plans compute.
// CHECK-NOT: not rewritten
#pragma warpwright matmul
__global__ void counted(ARGS(float, uint8_t, float), const int *count) {
  PLACE
  for (int k = 0; k < K; ++k)
    acc += A[row * K + k] * (float)(B[col * K + k] >> count[col]);
  C[row * N + col] = acc;
}
