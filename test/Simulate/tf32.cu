// A float kernel with precision(tf32), whose consumers round their rows in
// registers, in the simulator: its results against double with rows and columns
// of either order, also where scales change and where elements do not fit, and
// mistakes with the registers and in handing on stages of which the rows are
// read a stage ahead and the columns rewritten.
//
// RUN: echo '{"version": 2, "plans": [{"name": "large", "tile": [256, 128, 32], "stages": 3, "precision": "tf32", "rows_in_registers": true}]}' > %t.large.json
// RUN: echo '{"version": 2, "plans": [{"name": "medium", "tile": [128, 128, 32], "stages": 3, "precision": "tf32", "rows_in_registers": true}]}' > %t.medium.json
// RUN: %warpwright sim --plan=%t.large.json %s 2>&1 | FileCheck %s
// RUN: %warpwright sim --threads=1 --plan=%t.medium.json %s 2>&1 | FileCheck %s
// RUN: %warpwright sim --threads=1 -DTRANSPOSED --plan=%t.medium.json %s 2>&1 | FileCheck %s
// CHECK: 268x140x136: right
// CHECK: 40x24x4: right
// CHECK: 72x100x264, magnitudes far apart: right
// CHECK: 260x100x360, contrary: right
// CHECK: 140x100x100, special: right
// CHECK: 140x100x200, sparse: right
// CHECK: PASS
//
// RUN: %warpwright rewrite --plan=%t.large.json %s -o %t.cu
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// TEXT: rows_in_registers = true
//
// RUN: %edit_runtime %t.rt \
// RUN:   feed_registers.cuh 's/rows\[turn ^ 1\]/rows[MISTAKE(one) ? turn : turn ^ 1]/' \
// RUN:     's/^      wgmma_fence();/if (block == 0 || !MISTAKE(order)) &/' \
// RUN:     's/wgmma_wait_all(sum);/if (!MISTAKE(wait)) &/' \
// RUN:     's/^    barrier_wait(&ready\[at.stage\], at.phase);/if (!MISTAKE(first)) &/' \
// RUN:     's/^        barrier_wait(&ready\[at.stage\], at.phase);/if (!MISTAKE(next)) &/' \
// RUN:     's/if (block > 0) \(.*not any earlier\)/if (block > 0 \&\& !MISTAKE(promoted)) \1/' \
// RUN:     's/uint32_t raw_cols = 0;/if (block > 0 \&\& MISTAKE(promoted)) release_stage_by_thread<Plan::cluster_size>(\&empty[before]); &/' \
// RUN:     's/^\( *release_stage_by_thread<.*\)&empty\[before\]/\1\&empty[MISTAKE(early) ? at.stage : before]/' \
// RUN:     's/before \* Plan::scale_stage_bytes/(MISTAKE(scales) ? at.stage : before) * Plan::scale_stage_bytes/' \
// RUN:   feed_parts.cuh 's/publish_stage(&ready\[at.stage\]);/if (MISTAKE(proxy)) barrier_arrive(\&ready[at.stage]); else &/' \
// RUN:     's/barrier_wait(&full\[at.stage\], at.phase);/if (!MISTAKE(full)) &/' \
// RUN:   load.cuh 's/barrier_wait(&empty\[at.stage\], at.phase ^ 1);/if (!MISTAKE(empty)) &/'
// RUN: %warpwright sim --build-only --keep=%t.wrong %t.cu -I%t.rt
//
// The rows of the next stage into the registers of this one.
// RUN: python3 %inputs/status.py 3 env MISTAKE_one=1 %warpwright sim --run=%t.wrong --threads=1 -- plain > %t.one 2>&1
// RUN: FileCheck --check-prefix=ONE %s < %t.one
// ONE: error: a register of A is written while a wgmma may still read it: {{.*}} [WW706]
// ONE: note: in 'round_rows'
// ONE: note: in kernel 'hopper_kernel', {{.*}} (consumer)
// ONE: tf32.cu:[[#PRODUCT:]]: note: generated for 'product'
//
// RUN: python3 %inputs/status.py 3 env MISTAKE_order=1 %warpwright sim --run=%t.wrong --threads=1 -- plain > %t.order 2>&1
// RUN: FileCheck --check-prefix=ORDER %s < %t.order
// ORDER: rt/feed_registers.cuh:{{[0-9]+}}: error: wgmma.mma_async{{.*}} takes registers of A that ordinary instructions have written since the last wgmma.fence: {{.*}} [WW718]
//
// RUN: python3 %inputs/status.py 3 env MISTAKE_wait=1 %warpwright sim --run=%t.wrong --threads=1 -- plain > %t.wait 2>&1
// RUN: FileCheck --check-prefix=WAIT %s < %t.wait
// WAIT: error: {{a register of A is written|an accumulator is (read|written)}} while a wgmma {{.*}} [WW706]
//
// The transform's columns: too few arrivals, no proxy fence, not awaited.
// RUN: %edit_runtime %t.few.rt plan.cuh 's/t.ready_arrivals = warps \* 32/& - 1/'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 %t.cu -I%t.few.rt -- plain > %t.few 2>&1
// RUN: FileCheck --check-prefix=FEW %s < %t.few
// FEW: error: {{.*}} [WW{{704|707|708|710|721}}]
//
// RUN: python3 %inputs/status.py 3 env MISTAKE_proxy=1 %warpwright sim --run=%t.wrong --threads=1 -- plain > %t.proxy 2>&1
// RUN: FileCheck --check-prefix=PROXY %s < %t.proxy
// PROXY: rt/feed_registers.cuh:{{[0-9]+}}: error: wgmma.mma_async{{.*}} after a write by warp {{[4-7]}}, lane {{[0-9]+}} without a proxy fence {{.*}} [WW707]
// PROXY: note: in kernel 'hopper_kernel', {{.*}} (consumer)
//
// RUN: python3 %inputs/status.py 3 env MISTAKE_first=1 %warpwright sim --run=%t.wrong --threads=1 -- plain > %t.first 2>&1
// RUN: FileCheck --check-prefix=READY %s < %t.first
// RUN: python3 %inputs/status.py 3 env MISTAKE_next=1 %warpwright sim --run=%t.wrong --threads=1 -- plain > %t.next 2>&1
// RUN: FileCheck --check-prefix=READY %s < %t.next
// READY: error: {{.*}} [WW7{{04|05|07|08|21}}]
// READY: note: in kernel 'hopper_kernel', {{.*}} ({{consumer|transform|producer}})
//
// TMA's stages, not awaited by the transform.
// RUN: python3 %inputs/status.py 3 env MISTAKE_full=1 %warpwright sim --run=%t.wrong --threads=1 -- plain > %t.full 2>&1
// RUN: FileCheck --check-prefix=FULL %s < %t.full
// FULL: error: this reads {{.*}} which {{a bulk copy may still be writing|nothing has written}}{{.*}} [WW70{{[45]}}]
// FULL: note: in kernel 'hopper_kernel', {{.*}} (transform)
//
// Stages given back while the tensor cores read them, or before what has been
// summed up was promoted with their scales, and a producer that does not wait.
// RUN: python3 %inputs/status.py 3 env MISTAKE_early=1 %warpwright sim --run=%t.wrong --threads=1 -- plain > %t.early 2>&1
// RUN: FileCheck --check-prefix=EARLY %s < %t.early
// EARLY: error: {{.*}} [WW7{{01|08|10|21}}]
//
// RUN: python3 %inputs/status.py 3 env MISTAKE_promoted=1 %warpwright sim --run=%t.wrong --threads=1 -- contrary > %t.promoted 2>&1
// RUN: FileCheck --check-prefix=PROMOTED %s < %t.promoted
// PROMOTED: error: this {{reads|writes}} {{.*}} with no order after a {{read|write}} by warp {{.*}} [WW721]
//
// RUN: python3 %inputs/status.py 3 env MISTAKE_empty=1 %warpwright sim --run=%t.wrong --threads=1 -- plain > %t.empty 2>&1
// RUN: FileCheck --check-prefix=EMPTY %s < %t.empty
// EMPTY: error: {{.*}} [WW7{{08|10}}]
// EMPTY: note: in kernel 'hopper_kernel', {{.*}} (producer)
//
// What only the results show: what has been summed up has the scales of the
// stage before.
// RUN: %not env MISTAKE_scales=1 %warpwright sim --run=%t.wrong --threads=1 -- contrary > %t.scales 2>&1
// RUN: FileCheck --check-prefix=SCALES %s < %t.scales
// SCALES: 140x132x360, contrary: WRONG
//
// RUN: %edit_runtime %t.regs.rt constants.cuh 's/consumer_registers = all.registers.consumer/consumer_registers = 232/'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 %t.cu -I%t.regs.rt -- plain > %t.regs 2>&1
// RUN: FileCheck --check-prefix=REGISTERS %s < %t.regs
// REGISTERS: error: deadlock: setmaxnreg.inc waits for registers {{.*}} [WW715]
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <string>

#ifdef TRANSPOSED
#define A(row, i) a[i * m + row]
#define B(i, col) b[col * k + i]
#else
#define A(row, i) a[row * k + i]
#define B(i, col) b[i * n + col]
#endif

#pragma warpwright matmul precision(tf32)
__global__ void product(const float *a, const float *b, float *c, int m, int n,
                        int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += A(row, i) * B(i, col);
  c[row * n + col] = sum;
}

enum Kind { plain, wide, contrary, special, sparse };
static const char *const names[] = {"", ", magnitudes far apart", ", contrary",
                                    ", special", ", sparse"};

static unsigned state = 1;
static unsigned draw() {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}
/// One element; `i` is its index along k.
static float element(Kind kind, int i, bool is_b) {
  float x = float(int(draw())) / 8388608.0f - 1;
  if (kind == wide)
    x = std::ldexp(x, int(draw() % 60) - 30);
  if (kind == contrary) // the scales change now and then, products do not
    x = std::ldexp(x, (is_b ? -20 : 20) * (i / 60));
  if (kind == special && draw() % 512 == 0)
    x = draw() % 3 ? std::copysign(INFINITY, x) : NAN;
  if (kind == sparse && i >= 64) // zeros, and beside them what is too large
    x = draw() % 64 ? 0 : std::ldexp(x, 16);
  return x;
}

static bool is_right(int m, int n, int k, Kind kind) {
  float *a, *b, *c;
  cudaMallocManaged(&a, m * k * sizeof(float));
  cudaMallocManaged(&b, k * n * sizeof(float));
  cudaMallocManaged(&c, m * n * sizeof(float));
  for (int i = 0; i < k; ++i) {
    for (int row = 0; row < m; ++row)
      A(row, i) = element(kind, i, false);
    for (int col = 0; col < n; ++col)
      B(i, col) = element(kind, i, true);
  }
  const dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
  product<<<grid, block>>>(a, b, c, m, n, k);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return false;
  bool right = true;
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      double sum = 0, magnitude = 0;
      for (int i = 0; i < k; ++i) {
        sum += double(A(row, i)) * B(i, col);
        magnitude += std::fabs(double(A(row, i)) * B(i, col));
      }
      const float is = c[row * n + col];
      right &= std::isnan(sum)   ? std::isnan(is)
               : std::isinf(sum) ? is == sum
                                 : std::fabs(is - sum) <= 1.1e-3 * magnitude;
    }
  printf("%dx%dx%d%s: %s\n", m, n, k, names[kind], right ? "right" : "WRONG");
  return right;
}

int main(int argc, char **argv) {
  bool right;
  if (argc > 1) { // what it takes to meet each mistake
    const bool is_contrary = argv[1] == std::string("contrary");
    right = is_right(140, 132, 360, is_contrary ? contrary : plain);
  } else {
    right = is_right(268, 140, 136, plain);
    right &= is_right(40, 24, 4, plain);
    right &= is_right(72, 100, 264, wide);
    right &= is_right(260, 100, 360, contrary);
    right &= is_right(140, 100, 100, special);
    right &= is_right(140, 100, 200, sparse);
  }
  printf(right ? "PASS\n" : "FAIL\n");
  return right ? 0 : 1;
}
