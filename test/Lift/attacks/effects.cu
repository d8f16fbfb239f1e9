// Atomics, printf, assert, inline assembly, traps.

#include "attack.h"

// C is added to atomically.
// DECLINES: .*(atomic|WW2|WW3)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void atomic_output(ARGS) {
  PLACE
  SUM
  atomicAdd(&C[row * N + col], acc);
}

// The largest sum of all threads.
// DECLINES: .*(atomic|WW21[0-9]|call)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void atomic_maximum(ARGS, int *largest) {
  PLACE
  SUM
  STORE
  atomicMax(largest, (int)acc);
}

// The old value of an atomic decides who stores.
// DECLINES: .*(atomic|WW21[0-9]|call)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void atomic_old_value(ARGS, int *seen) {
  PLACE
  SUM
  if (atomicExch(&seen[row * N + col], 1) == 0)
    STORE
}

// One thread prints its sum.
// DECLINES: .*(printf|prints|call)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void prints_one(ARGS) {
  PLACE
  SUM
  STORE
  if (row == 3 && col == 5)
    printf("%g\n", acc);
}

// An assertion on a parameter.
// DECLINES: WW2|WW30[24567]|WW4
#include <cassert>
#pragma warpwright matmul tile(64, 64, 64)
__global__ void asserts(ARGS) {
  PLACE
  assert(K % 4 == 0);
  SUM
  STORE
}

// A trap that the data never reaches.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void traps_on_data(ARGS) {
  PLACE
  SUM
  if (acc > 1e30f)
    __trap();
  STORE
}

// Inline assembly adds one.
// DECLINES: .*(asm|assembl|WW2)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void assembly_add(ARGS) {
  PLACE
  SUM
  float y;
  asm("add.f32 %0, %1, %2;" : "=f"(y) : "f"(acc), "f"(1.0f));
  C[row * N + col] = y;
}

// Inline assembly that stores.
// DECLINES: .*(asm|assembl|WW2)
#pragma warpwright matmul tile(64, 64, 64)
__global__ void assembly_with_memory(ARGS) {
  PLACE
  SUM
  asm volatile("st.global.f32 [%0], %1;" ::"l"(&C[row * N + col]), "f"(acc) : "memory");
}

// A fence between the stores.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void fence_between(ARGS, int *flag) {
  PLACE
  SUM
  STORE
  __threadfence();
  flag[row * N + col] = 1;
}

// The accumulator is not initialised where K is 0 only.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void uninitialised_sum(ARGS) {
  PLACE
  float acc;
  for (int k = 0; k < K; ++k) {
    if (k == 0)
      acc = 0.0f;
    acc += TERM;
  }
  STORE
}

// The kernel writes into its own operand afterwards.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void written_operand(const __half *A, __half *B, float *C, int M,
    int N, int K, int mode) {
  PLACE
  SUM
  STORE
  if (mode)
    B[col] = __float2half(7.0f);
}

// The bound is a variable whose address was taken and changed.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void bound_through_pointer(ARGS) {
  PLACE
  int end = K;
  int *p = &end;
  *p -= 8;
  float acc = 0.0f;
  for (int k = 0; k < end; ++k)
    acc += TERM;
  STORE
}

// __nanosleep changes nothing.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void device_sleep(ARGS) {
  PLACE
  SUM
  __nanosleep(1);
  STORE
}

int main() {
  Product p;
  atomic_output<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("atomic_output");
  atomic_maximum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.ints(1,
      0, 0));
  p.show("atomic_maximum");
  atomic_old_value<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K,
      p.ints(p.M * p.N, 0, 1));
  p.show("atomic_old_value");
  prints_one<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("prints_one");
  asserts<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("asserts");
  traps_on_data<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("traps_on_data");
  assembly_add<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("assembly_add");
  assembly_with_memory<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("assembly_with_memory");
  fence_between<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, p.ints(p.M *
      p.N, 0, 0));
  p.show("fence_between");
  uninitialised_sum<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("uninitialised_sum");
  written_operand<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K, 0);
  p.show("written_operand");
  bound_through_pointer<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("bound_through_pointer");
  device_sleep<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("device_sleep");
}
