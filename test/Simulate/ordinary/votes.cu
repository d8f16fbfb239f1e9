// Votes, ballots, matches and reductions of warps, with divergence.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

__global__ void votes(unsigned *out) {
  const unsigned lane = threadIdx.x;
  unsigned *o = out + lane * 10;
  o[0] = __any_sync(~0u, lane == 7);
  o[1] = __all_sync(~0u, lane < 31);
  o[2] = __ballot_sync(~0u, lane % 3 == 0);
  o[3] = __match_any_sync(~0u, lane / 5);
  int same = 0;
  o[4] = __match_all_sync(~0u, lane >> 5, &same);
  o[5] = same;
  o[6] = __reduce_add_sync(~0u, lane);
  o[7] = __reduce_max_sync(~0u, lane ^ 21);
  if (lane < 8) { // only these are here
    o[8] = __ballot_sync(0xffu, lane & 1);
    __syncwarp(0xff);
  } else {
    o[8] = __reduce_min_sync(0xffffff00u, lane);
  }
  o[9] = __syncthreads_count(lane % 4 == 1) * 100 +
         __syncthreads_and(lane < 32) * 10 + __syncthreads_or(lane > 40);
}

int main() {
  std::vector<unsigned> out(320);
  Device<unsigned> d(320);
  votes<<<1, 32>>>(d);
  CUDA(cudaDeviceSynchronize());
  d.get(out.data());
  for (unsigned lane = 0; lane < 32; ++lane) {
    const unsigned *o = &out[lane * 10];
    EXPECT(o[0] == 1 && o[1] == 0);
    EXPECT(o[2] == 0x49249249u);
    unsigned group = 0;
    for (unsigned l = 0; l < 32; ++l)
      group |= (l / 5 == lane / 5) << l;
    EXPECT(o[3] == group);
    EXPECT(o[4] == ~0u && o[5] == 1);
    EXPECT(o[6] == 496 && o[7] == 31);
    EXPECT(o[8] == (lane < 8 ? 0xaau : 8u));
    EXPECT(o[9] == 810);
  }
  return verdict();
}
