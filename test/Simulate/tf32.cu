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
// CHECK: 72x132x264, magnitudes far apart: right
// CHECK: 260x132x360, contrary: right
// CHECK: 140x132x100, special: right
// CHECK: 140x132x200, sparse: right
// CHECK: PASS
//
// RUN: %warpwright rewrite --plan=%t.large.json %s -o %t.cu
// RUN: FileCheck --check-prefix=TEXT %s < %t.cu
// TEXT: rows_in_registers = true
//
// The rows of the next stage into the registers of this one.
// RUN: %edit_runtime %t.one.rt feed_registers.cuh 's/rows\[turn ^ 1\]/rows[turn]/'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 -DFEW=plain %t.cu -I%t.one.rt > %t.one 2>&1
// RUN: FileCheck --check-prefix=ONE %s < %t.one
// ONE: error: a register of A is written while a wgmma may still read it: {{.*}} [WW706]
// ONE: note: in 'round_rows'
// ONE: note: in kernel 'hopper_kernel', {{.*}} (consumer)
// ONE: tf32.cu:[[#PRODUCT:]]: note: generated for 'product'
//
// RUN: %edit_runtime %t.order.rt feed_registers.cuh 's/^      wgmma_fence();/if (block == 0) wgmma_fence();/'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 -DFEW=plain %t.cu -I%t.order.rt > %t.order 2>&1
// RUN: FileCheck --check-prefix=ORDER %s < %t.order
// ORDER: rt/feed_registers.cuh:{{[0-9]+}}: error: wgmma.mma_async{{.*}} takes registers of A that ordinary instructions have written since the last wgmma.fence: {{.*}} [WW718]
//
// RUN: %edit_runtime %t.wait.rt feed_registers.cuh 's/wgmma_wait_all(sum);//'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 -DFEW=plain %t.cu -I%t.wait.rt > %t.wait 2>&1
// RUN: FileCheck --check-prefix=WAIT %s < %t.wait
// WAIT: error: {{a register of A is written|an accumulator is (read|written)}} while a wgmma {{.*}} [WW706]
//
// The transform's columns: too few arrivals, no proxy fence, not awaited.
// RUN: %edit_runtime %t.few.rt plan.cuh 's/t.ready_arrivals = warps \* 32/& - 1/'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 -DFEW=plain %t.cu -I%t.few.rt > %t.few 2>&1
// RUN: FileCheck --check-prefix=FEW %s < %t.few
// FEW: error: {{.*}} [WW{{704|707|708|710|721}}]
//
// RUN: %edit_runtime %t.proxy.rt feed_parts.cuh 's/publish_stage(&ready\[at.stage\]);/barrier_arrive(\&ready[at.stage]);/'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 -DFEW=plain %t.cu -I%t.proxy.rt > %t.proxy 2>&1
// RUN: FileCheck --check-prefix=PROXY %s < %t.proxy
// PROXY: rt/feed_registers.cuh:{{[0-9]+}}: error: wgmma.mma_async{{.*}} after a write by warp {{[4-7]}}, lane {{[0-9]+}} without a proxy fence {{.*}} [WW707]
// PROXY: note: in kernel 'hopper_kernel', {{.*}} (consumer)
//
// RUN: %edit_runtime %t.first.rt feed_registers.cuh 's/^    barrier_wait(&ready\[at.stage\], at.phase);/;/'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 -DFEW=plain %t.cu -I%t.first.rt > %t.first 2>&1
// RUN: FileCheck --check-prefix=READY %s < %t.first
// RUN: %edit_runtime %t.next.rt feed_registers.cuh 's/^        barrier_wait(&ready\[at.stage\], at.phase);//'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 -DFEW=plain %t.cu -I%t.next.rt > %t.next 2>&1
// RUN: FileCheck --check-prefix=READY %s < %t.next
// READY: error: {{.*}} [WW7{{04|05|07|08|21}}]
// READY: note: in kernel 'hopper_kernel', {{.*}} ({{consumer|transform|producer}})
//
// TMA's stages, not awaited by the transform.
// RUN: %edit_runtime %t.full.rt feed_parts.cuh 's/barrier_wait(&full\[at.stage\], at.phase);//'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 -DFEW=plain %t.cu -I%t.full.rt > %t.full 2>&1
// RUN: FileCheck --check-prefix=FULL %s < %t.full
// FULL: error: this reads {{.*}} which {{a bulk copy may still be writing|nothing has written}}{{.*}} [WW70{{[45]}}]
// FULL: note: in kernel 'hopper_kernel', {{.*}} (transform)
//
// Stages given back while the tensor cores read them, or before what has been
// summed up was promoted with their scales, and a producer that does not wait.
// RUN: %edit_runtime %t.early.rt feed_registers.cuh 's/&empty\[before\]/\&empty[at.stage]/'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 -DFEW=plain %t.cu -I%t.early.rt > %t.early 2>&1
// RUN: FileCheck --check-prefix=EARLY %s < %t.early
// EARLY: error: {{.*}} [WW7{{01|08|10|21}}]
//
// RUN: %edit_runtime %t.promoted.rt feed_registers.cuh '/not any earlier/,+1d' 's/uint32_t raw_cols = 0;/if (block > 0) release_stage_by_thread<Plan::cluster_size>(\&empty[before]); &/'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 -DFEW=contrary %t.cu -I%t.promoted.rt > %t.promoted 2>&1
// RUN: FileCheck --check-prefix=PROMOTED %s < %t.promoted
// PROMOTED: error: this {{reads|writes}} {{.*}} with no order after a {{read|write}} by warp {{.*}} [WW721]
//
// RUN: %edit_runtime %t.empty.rt load.cuh 's/barrier_wait(&empty\[at.stage\], at.phase ^ 1);//'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 -DFEW=plain %t.cu -I%t.empty.rt > %t.empty 2>&1
// RUN: FileCheck --check-prefix=EMPTY %s < %t.empty
// EMPTY: error: {{.*}} [WW7{{08|10}}]
// EMPTY: note: in kernel 'hopper_kernel', {{.*}} (producer)
//
// What only the results show: what has been summed up has the scales of the
// stage before.
// RUN: %edit_runtime %t.scales.rt feed_registers.cuh 's/before \* Plan::scale_stage_bytes/at.stage * Plan::scale_stage_bytes/'
// RUN: not %warpwright sim --threads=1 -DFEW=contrary %t.cu -I%t.scales.rt > %t.scales 2>&1
// RUN: FileCheck --check-prefix=SCALES %s < %t.scales
// SCALES: 140x132x360, contrary: WRONG
//
// RUN: %edit_runtime %t.regs.rt constants.cuh 's/consumer_registers = all.registers.consumer/consumer_registers = 232/'
// RUN: python3 %inputs/status.py 3 %warpwright sim --threads=1 -DFEW=plain %t.cu -I%t.regs.rt > %t.regs 2>&1
// RUN: FileCheck --check-prefix=REGISTERS %s < %t.regs
// REGISTERS: error: deadlock: setmaxnreg.inc waits for registers {{.*}} [WW715]
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

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

int main() {
#ifdef FEW // what it takes to meet each mistake
  bool right = is_right(140, 132, 360, FEW);
#else
  bool right = is_right(268, 140, 136, plain);
  right &= is_right(40, 24, 4, plain);
  right &= is_right(72, 132, 264, wide);
  right &= is_right(260, 132, 360, contrary);
  right &= is_right(140, 132, 100, special);
  right &= is_right(140, 132, 200, sparse);
#endif
  printf(right ? "PASS\n" : "FAIL\n");
  return right ? 0 : 1;
}
