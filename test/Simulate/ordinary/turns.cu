// Blocks that take turns, each of which waits in a loop for the other: the
// launch gets on, however long it takes. On one host thread each turn of a
// block is one round in which no block ends.
// RUN: env WARPWRIGHT_SIM_THREADS=1 %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"

__global__ void count_in_turn(int *counter, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    while (*static_cast<volatile int *>(counter) % 2 !=
           static_cast<int>(blockIdx.x))
      ;
    __threadfence();
    atomicAdd(counter, 1);
  }
}

int main() {
  int turns = 0;
  const int rounds = 250;
  Device<int> counter(&turns, 1);
  count_in_turn<<<2, 1>>>(counter, rounds);
  CUDA(cudaDeviceSynchronize());
  counter.get(&turns);
  EXPECT(turns == 2 * rounds);
  return verdict();
}
