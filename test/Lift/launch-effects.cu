// What a kernel prints, or where it ends the program, under a condition of the
// launch: such launches run the original.
//
// RUN: not %warpwright rewrite --emit=contraction %s -- %parse 2>&1 | FileCheck %s

#include <cuda_runtime.h>
extern "C" __device__ int printf(const char *, ...);

#define PLACE                                                                  \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= n || col >= n)                                                    \
    return;
#define SUM                                                                    \
  float sum = 0;                                                               \
  for (int k = 0; k < n; ++k)                                                  \
    sum += A[row * n + k] * B[k * n + col];                                    \
  C[row * n + col] = sum;

// CHECK: 'for_one_thread' is not rewritten: 'printf' has an effect that the rewritten kernel would not have, unless it is called under a condition that is the same for all threads of a launch [WW211]
// CHECK: 'for_values' is not rewritten: 'printf' has an effect {{.*}} [WW211]
// CHECK: 'trap_of_a_row' is not rewritten: '__trap' has an effect {{.*}} [WW211]

// CHECK-LABEL: contraction "block_is_wrong"
// CHECK: require blockDim.x == 16
#pragma warpwright matmul
__global__ void block_is_wrong(const float *A, const float *B, float *C,
                               int n) {
  if (blockDim.x != 16) {
    if (threadIdx.x == 0)
      printf("the block is %u wide\n", blockDim.x);
    return;
  }
  PLACE
  SUM
}

// The kernel goes on after its message.
//
// CHECK-LABEL: contraction "debug_flag"
// CHECK: output C[%m * n + %n]:f32 = acc
// CHECK: require debug == 0 : "'printf' is called"
#pragma warpwright matmul
__global__ void debug_flag(const float *A, const float *B, float *C, int n,
                           bool debug) {
  PLACE
  SUM
  if (debug && sum != sum)
    printf("row %d, column %d\n", row, col);
}

// CHECK-LABEL: contraction "trap"
// CHECK: require mod(n, 16) == 0
#pragma warpwright matmul
__global__ void trap(const float *A, const float *B, float *C, int n) {
  if (n % 16 != 0) {
    printf("n is %d\n", n);
    __trap();
  }
  PLACE
  SUM
}

// CHECK-NOT: contraction
#pragma warpwright matmul
__global__ void for_one_thread(const float *A, const float *B, float *C,
                               int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0)
    printf("n is %d\n", n);
  PLACE
  SUM
}

#pragma warpwright matmul
__global__ void for_values(const float *A, const float *B, float *C, int n) {
  PLACE
  SUM
  if (sum != sum)
    printf("row %d, column %d\n", row, col);
}

#pragma warpwright matmul
__global__ void trap_of_a_row(const float *A, const float *B, float *C,
                              int n) {
  PLACE
  if (row == n - 1 && A[row] < 0)
    __trap();
  SUM
}
