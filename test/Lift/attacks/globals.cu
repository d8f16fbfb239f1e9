// Variables of the device and constants outside the kernel.

#include "attack.h"

// A __device__ variable that the host sets.
// DECLINES: WW2|WW30[24567]|WW4
__device__ float device_scale = 1.0f;
#pragma warpwright matmul tile(64, 64, 64)
__global__ void device_scale_kernel(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc * device_scale;
}

// A table in constant memory, addressed by the column.
// DECLINES: WW2|WW30[24567]|WW4
__constant__ float table[4] = {1.0f, 2.0f, 4.0f, 8.0f};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void constant_table(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + table[col % 4];
}

// A __device__ int as the pitch.
// DECLINES: WW2|WW30[24567]|WW4
__device__ int device_pitch = 64;
#pragma warpwright matmul tile(64, 64, 64)
__global__ void pitch_on_device(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * device_pitch + k]) * __half2float(B[k * N + col]);
  STORE
}

// The operand is a __device__ array.
// DECLINES: WW2|WW30[24567]|WW4
__device__ float weights[64 * 8];
#pragma warpwright matmul tile(64, 64, 64)
__global__ void device_array_operand(ARGS) {
  PLACE
  float acc = 0.0f;
  for (int k = 0; k < K; ++k)
    acc += __half2float(A[row * K + k]) * weights[k * 8 + col % 8];
  STORE
}

// A device counter that every thread adds to.
// DECLINES: WW2|WW30[24567]|WW4
__device__ int calls;
#pragma warpwright matmul tile(64, 64, 64)
__global__ void counts_calls(ARGS) {
  PLACE
  SUM
  atomicAdd(&calls, 1);
  STORE
}

// A device variable that one thread sets.
// DECLINES: WW2|WW30[24567]|WW4
__device__ float seen;
#pragma warpwright matmul tile(64, 64, 64)
__global__ void last_writer(ARGS) {
  PLACE
  SUM
  if (row == 0 && col == 0)
    seen = acc;
  STORE
}

// A static variable inside the kernel.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void static_local(ARGS) {
  PLACE
  SUM
  static __device__ int turns = 4;
  C[row * N + col] = acc + turns;
}

// A table of device function pointers.
// DECLINES: WW2|WW30[24567]|WW4
__device__ float add_three(float x) { return x + 3.0f; }
__device__ float negate(float x) { return -x; }
typedef float (*Function)(float);
__device__ Function functions[2] = {add_three, negate};
#pragma warpwright matmul tile(64, 64, 64)
__global__ void device_function_table(ARGS, int mode) {
  PLACE
  SUM
  C[row * N + col] = functions[mode](acc);
}

int main() {
  Product p;
  float scale = 3.0f;
  cudaMemcpyToSymbol(device_scale, &scale, sizeof(scale));
  device_scale_kernel<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("device_scale_kernel");
  constant_table<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("constant_table");
  pitch_on_device<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("pitch_on_device");
  device_array_operand<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("device_array_operand");
  counts_calls<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  int counted = 0;
  cudaMemcpyFromSymbol(&counted, calls, sizeof(counted));
  printf("%d calls\n", counted);
  p.show("counts_calls");
  last_writer<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  float value = 0;
  cudaMemcpyFromSymbol(&value, seen, sizeof(value));
  printf("seen %g\n", value);
  p.show("last_writer");
  static_local<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("static_local");
  device_function_table<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 1);
  p.show("device_function_table");
}
