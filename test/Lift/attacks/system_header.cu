// FLAGS: -isystem system
// A header behind -isystem whose function counts its calls.

#include "attack.h"

// Its result is not used, its effect is.
// DECLINES: WW2|WW30[24567]|WW4
#include <noisy.h>
#pragma warpwright matmul tile(64, 64, 64)
__global__ void noisy_epilogue(ARGS) {
  PLACE
  SUM
  noisy(acc);
  STORE
}

// Its result is added.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void noisy_result(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + 0.0f * noisy(acc);
}

// A function there that only reads what another changes.
// DECLINES: WW2|WW30[24567]|WW4
#pragma warpwright matmul tile(64, 64, 64)
__global__ void reads_counter(ARGS) {
  PLACE
  SUM
  C[row * N + col] = acc + quiet(col);
}

int main() {
  Product p;
  noisy_epilogue<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  int counted = 0;
  cudaMemcpyFromSymbol(&counted, noisy_calls, sizeof(counted));
  printf("%d calls\n", counted);
  p.show("noisy_epilogue");
  noisy_result<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  cudaMemcpyFromSymbol(&counted, noisy_calls, sizeof(counted));
  printf("%d calls\n", counted);
  p.show("noisy_result");
  reads_counter<<<p.grid, p.block>>>(p.A, p.B, p.C, p.M, p.N, p.K);
  p.show("reads_counter");
}
