// A wgmma that takes A from registers: what comes out, and changes of these
// registers while it may still read them, at the line of the store.
// RUN: python3 %inputs/status.py 3 %warpwright sim %s -DEARLY 2>&1 | FileCheck %s --check-prefix=EARLY
// RUN: python3 %inputs/status.py 3 %warpwright sim %s -DMEMBER 2>&1 | FileCheck %s --check-prefix=MEMBER
// RUN: python3 %inputs/status.py 3 %warpwright sim %s -DNOFENCE 2>&1 | FileCheck %s --check-prefix=NOFENCE
// RUN: python3 %inputs/status.py 3 %warpwright sim %s -DUNSET 2>&1 | FileCheck %s --check-prefix=UNSET
// RUN: python3 %inputs/status.py 0 %warpwright sim %s
// RUN: python3 %inputs/status.py 0 %warpwright sim %s -DBLOCK
//
// RUN: %warpwright sim --original --emit=cpp %s | FileCheck %s --check-prefix=TEXT
// RUN: %warpwright sim --original --emit=cpp -DNONE %s | FileCheck %s --check-prefix=NONE
// NONE-NOT: __ww_registers
#include <cuda_fp16.h>
#include <stdint.h>

__device__ void fence() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ void commit() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
__device__ void wait() {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

struct fragment {
  uint32_t part[4];
  int step;
};

/// Pairs of ones.
template <class Fragment> __device__ void load(Fragment &to, uint32_t words) {
  for (int i = 0; i < 4; ++i)
    // EARLY: fragments.cu:[[#@LINE+2]]: error: a register of A is written while a wgmma may still read it: wgmma.wait_group must come first [WW706]
    // MEMBER: fragments.cu:[[#@LINE+1]]: error: a register of A is written while a wgmma may still read it: {{.*}} [WW706]
    to[i] = words;
}

// A template, whose code nobody may need; the list of A is a literal of its
// own.
template <int n>
__device__ void multiply(float (&d)[n / 2], const uint32_t *a, uint64_t b,
                         int scale) {
  // NOFENCE: fragments.cu:[[#@LINE+7]]: error: wgmma.mma_async{{.*}} takes registers of A that ordinary instructions have written since the last wgmma.fence: {{.*}} [WW718]
  // UNSET: fragments.cu:[[#@LINE+6]]: error: wgmma.mma_async{{.*}} takes registers of A that were never set [WW717]
  // EARLY: fragments.cu:[[#@LINE+5]]: note: the first wgmma of the group was issued here
  // TEXT: ::warpwright::sim::asm_output("+f", nullptr, (d[3])),
  // TEXT-SAME: asm_register("r", nullptr, (a[0])), {{.*}}::asm_register("r", nullptr, (a[3])), ::warpwright::sim::asm_input("l", nullptr, (b)), ::warpwright::sim::asm_input("r", nullptr, (scale)), ::warpwright::sim::asm_input("n", nullptr, (0))
  asm volatile("{.reg .pred p; setp.ne.b32 p, %9, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0, %1, %2, %3}, {" "%4, %5, %6, %7}, %8, p, 1, 1, %10;}"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b),
                 "r"(scale), "n"(0));
}

// Another one of that name, and callers that are templates themselves: that the
// first one is called needs no instance of either.
template <int n, bool transposed>
__device__ void multiply(float (&d)[n / 2], uint64_t a, uint64_t b) {
  asm volatile("{.reg .pred p; setp.ne.b32 p, 1, 0;\n"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;}"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(a), "l"(b));
}
#ifdef NONE
template <int n>
__device__ void call(float (&d)[n / 2], uint64_t a, uint64_t b) {
  uint32_t unwatched[4];
  multiply<n, false>(d, a, b);
}
#else
template <int n>
__device__ void call(float (&d)[n / 2], const uint32_t *a, uint64_t b) {
  multiply<n>(d, a, b, 1);
}
#endif

__global__ void __launch_bounds__(128, 1) kernel(float *out) {
  __shared__ __align__(1024) half tile[8 * 16];
  tile[threadIdx.x] = __float2half(1.0f);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
#ifndef NONE
  const uint32_t ones = 0x3c003c00;
  const uint64_t b = uint64_t(__cvta_generic_to_shared(tile)) >> 4 |
                     uint64_t(128 / 16) << 16 | uint64_t(256 / 16) << 32;
  // TEXT: float d[4] = {0, 0, 0, 0};
  // TEXT-NOT: __ww_registers
  float d[4] = {0, 0, 0, 0};
#if defined(BLOCK)
  // Each time other variables, which are of no use behind the block: not the
  // same registers for long.
  for (int i = 0; i < 2; ++i) {
    uint32_t a[4] = {ones, ones, ones, ones};
    fence();
    multiply<8>(d, a, b, 1);
    commit();
  }
#elif defined(MEMBER)
  fragment a;
  load(a.part, ones);
  fence();
  multiply<8>(d, a.part, b, 1);
  commit();
  load(a.part, ones);
#else
  // TEXT: uint32_t a[2][4], other = 0; ::warpwright::sim::Registers __ww_registers_a(__builtin_addressof(a), sizeof(a));
  uint32_t a[2][4], other = 0;
#ifndef UNSET
  load(a[0], ones);
#endif
  fence();
  call<8>(d, a[0], b);
  commit();
#ifdef EARLY
  load(a[0], ones);
#endif
  load(a[1], ones + other);
  wait();
#ifdef NOFENCE
  load(a[0], ones);
  call<8>(d, a[0], b);
#else
  fence();
  call<8>(d, a[1], b);
#endif
  commit();
#endif
  wait();
  out[threadIdx.x] = d[0] + d[3];
#endif
}

// No variable with a destructor where control may jump over it.
__device__ int jump(int i) {
  // TEXT: int before[4] = {i};{{$}}
  int before[4] = {i};
  switch (i) {
    int inside[4];
  case 0:
    inside[0] = i;
    return inside[0];
  default: {
    // TEXT: int block[4] = {1}; ::warpwright::sim::Registers
    int block[4] = {1};
    before[0] += block[i % 4];
  }
  }
  goto end;
end:
  return before[0];
}

int main() {
  float *out;
  cudaMallocManaged(&out, 512);
  kernel<<<1, 128>>>(out);
  return cudaDeviceSynchronize() != cudaSuccess || out[5] != 64;
}
