// Findings in a user's own PTX, at the line of the asm statement.
// RUN: python3 %inputs/status.py 3 %warpwright sim %s -DDESCRIPTOR 2>&1 | FileCheck %s --check-prefix=DESCRIPTOR
// RUN: python3 %inputs/status.py 3 %warpwright sim %s -DUNSET 2>&1 | FileCheck %s --check-prefix=UNSET
// RUN: python3 %inputs/status.py 3 %warpwright sim %s -DNOWAIT 2>&1 | FileCheck %s --check-prefix=NOWAIT
// RUN: python3 %inputs/status.py 0 %warpwright sim %s
#include <cuda_fp16.h>
#include <stdint.h>

__device__ void multiply(float (&d)[4], uint64_t a, uint64_t b) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  // DESCRIPTOR: wgmma.cu:[[#@LINE+2]]: error: wgmma.mma_async{{.*}} lane {{[0-9]+}} gives another descriptor or scale than lane 0; {{.*}} [WW714]
  // UNSET: wgmma.cu:[[#@LINE+1]]: error: wgmma.mma_async{{.*}} adds to accumulators that were never set {{.*}} [WW717]
  asm volatile("{.reg .pred p; setp.ne.b32 p, 1, 0; wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;}"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(a), "l"(b));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#ifndef NOWAIT
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
#endif
}

__global__ void __launch_bounds__(128, 1) kernel(float *out) {
  __shared__ __align__(1024) half tiles[64 * 16 + 8 * 16];
  for (int i = threadIdx.x; i < 64 * 16 + 8 * 16; i += 128)
    tiles[i] = __float2half(1.0f);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  // No swizzle: cores of 8 rows by 16 bytes, 128 bytes apart along k, 256
  // along the rows.
  uint64_t layout = uint64_t(128 / 16) << 16 | uint64_t(256 / 16) << 32;
  uint64_t a = uint64_t(__cvta_generic_to_shared(tiles)) >> 4 | layout;
  uint64_t b = a + 64 * 16 * 2 / 16;
#ifdef DESCRIPTOR
  a += threadIdx.x & 1;
#endif
#ifdef UNSET
  float d[4];
#else
  float d[4] = {0, 0, 0, 0};
#endif
  multiply(d, a, b);
  // NOWAIT: wgmma.cu:[[#@LINE+1]]: error: an accumulator is read while a wgmma is still working on it: {{.*}} [WW706]
  out[threadIdx.x] = d[0] + d[3];
}

int main() {
  float *out;
  cudaMallocManaged(&out, 512);
  kernel<<<1, 128>>>(out);
  return cudaDeviceSynchronize() != cudaSuccess || out[5] != 32;
}
