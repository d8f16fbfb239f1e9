// The guard of halves that consumers round in registers: one number that tells
// whether some are too small or too large. Each half in either place of a word,
// beside all those where something changes.
//
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: 2883584 pairs: right
#include <cstdio>
#include <warpwright/rt/warpwright.cuh>

namespace rt = warpwright::rt;

constexpr int top_exponent = 14; // 2^15 is too large

__global__ void compare(unsigned *wrong) {
#if WARPWRIGHT_HOPPER
  const uint32_t edges[] = {0x0000, 0x0001, 0x03ff, 0x0400, 0x0401, 0x3c00,
                            0x77ff, 0x7800, 0x7801, 0x7c00, 0x7fff};
  const uint32_t half = blockIdx.x * blockDim.x + threadIdx.x;
  for (uint32_t edge : edges)
    for (uint32_t sign : {0x0000u, 0x8000u})
      for (uint32_t word :
           {half << 16 | edge | sign, (edge | sign) << 16 | half}) {
        const uint32_t pairs[2] = {0x3c00bc00, word};
        uint32_t top, bottom;
        rt::range_of_halves(pairs, top, bottom);
        const bool small = bottom < rt::half_bits(-14);
        const bool large = top >= rt::half_bits(top_exponent + 1);
        const uint32_t worst = rt::worst_half(pairs);
        if ((worst >= rt::worst_below()) != small ||
            (worst >= rt::worst_from(top_exponent + 1)) != (small || large))
          atomicAdd(wrong, 1);
      }
#endif
}

int main() {
  unsigned *wrong;
  cudaMallocManaged(&wrong, sizeof(*wrong));
  *wrong = 0;
  compare<<<256, 256>>>(wrong);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return 1;
  printf("%d pairs: %s\n", 256 * 256 * 11 * 2 * 2, *wrong ? "WRONG" : "right");
  return *wrong != 0;
}
