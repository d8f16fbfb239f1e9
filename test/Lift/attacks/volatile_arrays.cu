// Volatile arrays.

#include "attack.h"

// An operand behind a volatile pointer, cast away.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void volatile_parameter(const volatile __half *A, const __half *B,
    float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || col >= N)
    return;
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(const_cast<const __half *>(A)[row * K + k]) *
           __half2float(B[k * N + col]);
  STORE
}

// C is volatile.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void volatile_output(const __half *A, const __half *B, volatile
    float *C, int M, int N, int K) {
  PLACE
  SUM
  C[row * N + col] = acc;
}

// The accumulator is volatile.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void volatile_accumulator(ARGS) {
  PLACE
  volatile float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc = acc + TERM;
  STORE
}

// A flag in volatile memory is read in every iteration.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void volatile_flag(ARGS, volatile int *flag) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    if (*flag)
      acc += TERM;
  STORE
}

int main() {
  Product p;
  volatile_parameter<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("volatile_parameter");
  volatile_output<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("volatile_output");
  volatile_accumulator<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("volatile_accumulator");
  volatile_flag<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.ints(1, 1,
      1));
  p.show("volatile_flag");
}
