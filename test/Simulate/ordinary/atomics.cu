// Every atomic function, from many threads at once.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <cuda_fp16.h>

struct Cells {
  int add, sub, least, most, bits_and, bits_or, bits_xor, exchanged, swapped;
  unsigned wrapped_up, wrapped_down;
  unsigned long long wide, wide_most;
  float real;
  double precise;
  half small;
  half2 pair;
  float2 two;
  float4 four;
};

__global__ void hit(Cells *c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&c->add, i);
  atomicSub(&c->sub, 2);
  atomicMin(&c->least, 100 - i);
  atomicMax(&c->most, i * 3);
  atomicAnd(&c->bits_and, ~(1 << (i % 8)));
  atomicOr(&c->bits_or, 1 << (i % 20));
  atomicXor(&c->bits_xor, i);
  atomicExch(&c->exchanged, 77);
  atomicCAS(&c->swapped, 5, 6);
  atomicInc(&c->wrapped_up, 9);
  atomicDec(&c->wrapped_down, 9);
  atomicAdd(&c->wide, 1ull << 33);
  atomicMax(&c->wide_most, static_cast<unsigned long long>(i) << 40);
  atomicAdd(&c->real, 0.5f);
  atomicAdd(&c->precise, 0.25);
  atomicAdd(&c->small, __float2half(1.0f));
  atomicAdd(&c->pair, __floats2half2_rn(1.0f, 2.0f));
  const float2 two = {0.25f, 0.5f};
  atomicAdd(&c->two, two);
  atomicAdd_block(&c->two, two);
  atomicAdd_system(&c->two, two);
  const float4 four = {1.0f, 2.0f, 3.0f, 4.0f};
  atomicAdd(&c->four, four);
  atomicAdd_block(&c->four, four);
  atomicAdd_system(&c->four, four);
}

// What an atomic returns is what was there: every value comes up once.
__global__ void tickets(unsigned *next, int *seen) {
  __shared__ unsigned local;
  if (threadIdx.x == 0)
    local = 0;
  __syncthreads();
  atomicAdd(&seen[atomicAdd(next, 1u)], 1);
  atomicAdd(&seen[atomicAdd_block(&local, 1u)], 100);
}

int main() {
  Cells c = {};
  c.bits_and = 0xffff;
  c.least = 1000;
  c.swapped = 5;
  Device<Cells> d(&c, 1);
  const int n = 96;
  hit<<<3, 32>>>(d);
  d.get(&c);
  int bits_xor = 0;
  for (int i = 0; i < n; ++i)
    bits_xor ^= i;
  EXPECT(c.add == n * (n - 1) / 2 && c.sub == -2 * n);
  EXPECT(c.least == 5 && c.most == 285);
  EXPECT(c.bits_and == 0xff00 && c.bits_or == 0xfffff && c.bits_xor == bits_xor);
  EXPECT(c.exchanged == 77 && c.swapped == 6);
  EXPECT(c.wrapped_up == 6 && c.wrapped_down == 4);
  EXPECT(c.wide == n * (1ull << 33) && c.wide_most == 95ull << 40);
  EXPECT(c.real == 48 && c.precise == 24);
  EXPECT(__half2float(c.small) == 96);
  EXPECT(__low2float(c.pair) == 96 && __high2float(c.pair) == 192);
  EXPECT(c.two.x == 72 && c.two.y == 144);
  EXPECT(c.four.x == 288 && c.four.y == 576 && c.four.z == 864 &&
         c.four.w == 1152);

  Device<unsigned> next(1);
  Device<int> seen(n);
  next.zero();
  seen.zero();
  tickets<<<2, 48>>>(next, seen);
  int counts[n];
  seen.get(counts);
  for (int i = 0; i < n; ++i)
    EXPECT(counts[i] == (i < 48 ? 201 : 1));
  return verdict();
}
