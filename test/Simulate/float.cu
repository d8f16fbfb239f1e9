// A float kernel's Hopper kernel in the simulator: its results against double,
// also where elements do not fit the fp16 parts, and mistakes in handing its
// stages from TMA to the transform to the tensor cores and back.
//
// RUN: %warpwright sim --schedules=2 %s 2>&1 | FileCheck %s
// CHECK: 130x140x100: right
// CHECK: 40x24x1: right
// CHECK: 70x130x264, magnitudes far apart: right
// CHECK: PASS
//
// RUN: %warpwright rewrite %s -o %t.cu
// RUN: %edit_runtime %t.rt \
// RUN:   feed_parts.cuh 's/publish_stage(&ready\[at.stage\]);/if (MISTAKE(fence)) barrier_arrive(\&ready[at.stage]); else &/' \
// RUN:     's/barrier_wait(&full\[at.stage\], at.phase);/if (!MISTAKE(full)) &/' \
// RUN:   load.cuh 's/barrier_wait(&empty\[at.stage\], at.phase ^ 1);/if (!MISTAKE(empty)) &/'
// RUN: %warpwright sim --build-only --keep=%t.wrong %t.cu -I%t.rt
// RUN: %edit_runtime %t.few.rt plan.cuh 's/t.ready_arrivals = warps \* 32/& - 1/'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 %t.cu -I%t.few.rt > %t.few 2>&1
// RUN: FileCheck --check-prefix=FEW %s < %t.few
// FEW: error: {{.*}} [WW{{704|707|721}}]
// FEW: note: in kernel 'hopper_kernel', {{.*}} (consumer)
//
// RUN: python3 %inputs/status.py 3 env MISTAKE_fence=1 %warpwright sim --run=%t.wrong --threads=1 > %t.fence 2>&1
// RUN: FileCheck --check-prefix=FENCE %s < %t.fence
// FENCE: rt/feed_parts.cuh:{{[0-9]+}}: error: wgmma.mma_async{{.*}} after a write by warp {{[4-9]|10|11}}, lane {{[0-9]+}} without a proxy fence {{.*}} [WW707]
// FENCE: note: in 'wgmma_f16'
// FENCE: note: in kernel 'hopper_kernel', {{.*}} (consumer)
// FENCE: float.cu:[[#PRODUCT:]]: note: generated for 'product'
//
// RUN: python3 %inputs/status.py 3 env MISTAKE_full=1 %warpwright sim --run=%t.wrong --threads=1 > %t.full 2>&1
// RUN: FileCheck --check-prefix=FULL %s < %t.full
// FULL: error: this reads {{.*}} which {{a bulk copy may still be writing|nothing has written}}{{.*}} [WW70{{[45]}}]
// FULL: note: called from '{{transform|hopper_kernel}}'
// FULL: note: in kernel 'hopper_kernel', {{.*}} (transform)
//
// RUN: python3 %inputs/status.py 3 env MISTAKE_empty=1 %warpwright sim --run=%t.wrong --threads=1 > %t.empty 2>&1
// RUN: FileCheck --check-prefix=EMPTY %s < %t.empty
// EMPTY: error: cp.async.bulk.tensor.{{.*}} writes {{.*}}, which {{.*}} [WW708]
// EMPTY: note: in kernel 'hopper_kernel', {{.*}} (producer)
//
// RUN: %edit_runtime %t.regs.rt constants.cuh 's/consumer_registers = all.registers.consumer/consumer_registers = 208/'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 %t.cu -I%t.regs.rt > %t.regs 2>&1
// RUN: FileCheck --check-prefix=REGISTERS %s < %t.regs
// REGISTERS: error: deadlock: setmaxnreg.inc waits for registers {{.*}} [WW715]
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

#pragma warpwright matmul tile(128, 128, 32) stages(3)
__global__ void product(const float *a, const float *b, float *c, int m, int n,
                        int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * b[i * n + col];
  c[row * n + col] = sum;
}

static unsigned state = 1;
static float *draw(int count, bool wide) {
  float *x;
  cudaMallocManaged(&x, count * sizeof(float));
  for (int i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    x[i] = float(int(state >> 8)) / 8388608.0f - 1;
    if (wide)
      x[i] = std::ldexp(x[i], i % 41 - 20);
  }
  return x;
}

static bool is_right(int m, int n, int k, bool wide) {
  float *a = draw(m * k, wide), *b = draw(k * n, wide), *c = draw(m * n, false);
  const dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
  product<<<grid, block>>>(a, b, c, m, n, k);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return false;
  bool right = true;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0, magnitude = 0;
      for (int l = 0; l < k; ++l) {
        sum += double(a[i * k + l]) * b[l * n + j];
        magnitude += std::fabs(double(a[i * k + l]) * b[l * n + j]);
      }
      right &= std::fabs(c[i * n + j] - sum) <= 1e-6 * magnitude;
    }
  printf("%dx%dx%d%s: %s\n", m, n, k, wide ? ", magnitudes far apart" : "",
         right ? "right" : "WRONG");
  return right;
}

int main() {
  bool right = is_right(130, 140, 100, false);
  right &= is_right(40, 24, 1, false);
  right &= is_right(70, 130, 264, true);
  printf(right ? "PASS\n" : "FAIL\n");
  return right ? 0 : 1;
}
