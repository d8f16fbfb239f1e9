// Float kernels with precision(tf32) of which exactly one operand lies across
// k, in the simulator: TMA rounds what it copies, the consumers load that
// operand into registers, and wgmma multiplies it there. Results against double
// with the first operand across k and with the second one, where rows have a
// pitch that TMA reads and where they are copied first, for every kind of plan;
// rounded products themselves, ties among them; other stores, batches and
// several sums; and mistakes with the registers and in handing on stages.
//
// RUN: split-file %s %t
// RUN: %warpwright sim --build-only --keep=%t.first --plan=%t/first.json %s
// RUN: %warpwright sim --run=%t.first --threads=1 -- large 2>&1 | %FileCheck %s
// RUN: %warpwright sim --run=%t.first --threads=1 -- tall 2>&1 | %FileCheck %s
// RUN: %warpwright sim --run=%t.first --threads=1 -- turns 2>&1 | %FileCheck %s
// RUN: %warpwright sim --run=%t.first --threads=1 -- skinny 2>&1 | %FileCheck %s
// RUN: %warpwright sim --run=%t.first --threads=1 -- slices 2>&1 | %FileCheck %s
// RUN: %warpwright sim --run=%t.first --threads=1 -- product 2>&1 | %FileCheck %s
//
// The second operand lies across k: tiles are those with exchanged operands.
// RUN: %warpwright sim --build-only --keep=%t.second -DSECOND --plan=%t/second.json %s
// RUN: %warpwright sim --run=%t.second --threads=1 -- large 2>&1 | %FileCheck %s
// RUN: %warpwright sim --run=%t.second --threads=1 -- product 2>&1 | %FileCheck %s
// CHECK: 268x300x136: right
// CHECK: 40x24x4: right
// CHECK: 133x67x147: right
// CHECK: 72x132x264, magnitudes far apart: right
// CHECK: 140x132x100, special: right
// CHECK: 8x8x4, ties: right
// CHECK: PASS
//
// RUN: %warpwright sim --run=%t.first --threads=1 -- more 2>&1 | %FileCheck --check-prefix=MORE %s
// RUN: %warpwright sim --run=%t.second --threads=1 -- more 2>&1 | %FileCheck --check-prefix=MORE %s
// MORE: batched: right
// MORE: columns: right
// MORE: doubles: right
// MORE: sums: right
// MORE: PASS
//
// RUN: %warpwright rewrite --plan=%t/few.json %s -o %t.cu -- -DFEW
// RUN: %FileCheck --check-prefix=TEXT %s < %t.cu
// TEXT: products: TMA rounds elements to nearest as it copies them
// TEXT: it takes the rows from registers
// TEXT: rounded_by_tma = true
//
// Lanes whose elements are those of the other k; the rows of the next stage into
// the registers of this one; no fence between loads and wgmma; no wait for the
// products of the stage before; a stage that is read before its bytes have come,
// and one that a thread of each warp gives back for all.
// RUN: %edit_runtime %t.rt \
// RUN:   feed_turned.cuh 's/odd ? loaded\[i ^ 2\] : loaded\[i\]/loaded[odd \&\& !MISTAKE(k) ? i ^ 2 : i]/' \
// RUN:     's/rows\[turn ^ 1\]/rows[MISTAKE(one) ? turn : turn ^ 1]/' \
// RUN:     's/wgmma_wait<1>();/if (!MISTAKE(wait)) &/' \
// RUN:     's/^        barrier_wait(&full\[at.stage\], at.phase);/if (!MISTAKE(full)) &/' \
// RUN:     's/^        release_stage_by_thread/if (MISTAKE(warp)) release_stage<Plan::cluster_size>(\&empty[at.template previous<Plan::stages>()]); else &/' \
// RUN:   multiply.cuh 's/^  wgmma_fence();/if (overwrite || !MISTAKE(order)) &/'
// RUN: %warpwright sim --build-only --keep=%t.wrong -DFEW %t.cu -I%t.rt
// RUN: %not env MISTAKE_k=1 %warpwright sim --run=%t.wrong --threads=1 -- large > %t.k 2>&1
// RUN: %FileCheck --check-prefix=OTHER %s < %t.k
// OTHER: 268x300x136: WRONG
//
// RUN: python3 %inputs/status.py 3 env MISTAKE_one=1 %warpwright sim --run=%t.wrong --threads=1 -- large > %t.one 2>&1
// RUN: %FileCheck --check-prefix=ONE %s < %t.one
// ONE: error: a register of A is written while a wgmma may still read it: {{.*}} [WW706]
// ONE: note: in kernel 'hopper_kernel', {{.*}} (consumer)
//
// RUN: python3 %inputs/status.py 3 env MISTAKE_order=1 %warpwright sim --run=%t.wrong --threads=1 -- large > %t.order 2>&1
// RUN: %FileCheck --check-prefix=ORDER %s < %t.order
// ORDER: error: wgmma.mma_async{{.*}} takes registers of A that ordinary instructions have written since the last wgmma.fence: {{.*}} [WW718]
//
// RUN: python3 %inputs/status.py 3 env MISTAKE_wait=1 %warpwright sim --run=%t.wrong --threads=1 -- large > %t.wait 2>&1
// RUN: %FileCheck --check-prefix=WAIT %s < %t.wait
// WAIT: rt/feed_turned.cuh:{{[0-9]+}}: error: a register of A is written while a wgmma may still read it: {{.*}} [WW706]
//
// RUN: python3 %inputs/status.py 3 env MISTAKE_full=1 %warpwright sim --run=%t.wrong --threads=1 -- large > %t.full 2>&1
// RUN: %FileCheck --check-prefix=FULL %s < %t.full
// FULL: rt/feed_turned.cuh:{{[0-9]+}}: error: this reads shared memory {{.*}}, which a bulk copy may still be writing: {{.*}} [WW705]
//
// RUN: python3 %inputs/status.py 3 env MISTAKE_warp=1 %warpwright sim --run=%t.wrong --threads=1 -- large > %t.warp 2>&1
// RUN: %FileCheck --check-prefix=WARP %s < %t.warp
// WARP: error: deadlock: {{.*}} [WW701]
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <string>

#ifdef SECOND
#define A_AT(row, i, m, k) (row) * (k) + (i)
#define B_AT(i, col, k, n) (i) * (n) + (col)
#else
#define A_AT(row, i, m, k) (i) * (m) + (row)
#define B_AT(i, col, k, n) (col) * (k) + (i)
#endif

#define ROW_AND_COL                                                            \
  const int row = blockIdx.y * blockDim.y + threadIdx.y;                       \
  const int col = blockIdx.x * blockDim.x + threadIdx.x;                       \
  if (row >= m || col >= n)                                                    \
    return;

#define PRODUCT(NAME)                                                          \
  __global__ void NAME(const float *a, const float *b, float *c, int m, int n, \
                       int k) {                                                \
    ROW_AND_COL                                                                \
    float sum = 0;                                                             \
    for (int i = 0; i < k; ++i)                                                \
      sum += a[A_AT(row, i, m, k)] * b[B_AT(i, col, k, n)];                    \
    c[row * n + col] = sum;                                                    \
  }

// One for each plan, by its name.
#pragma warpwright matmul precision(tf32)
PRODUCT(large)
#ifndef FEW // what it takes to meet each mistake
#pragma warpwright matmul precision(tf32)
PRODUCT(product)
#ifndef SECOND
#pragma warpwright matmul precision(tf32)
PRODUCT(tall)
#pragma warpwright matmul precision(tf32)
PRODUCT(turns)
#pragma warpwright matmul precision(tf32)
PRODUCT(skinny)
#pragma warpwright matmul precision(tf32)
PRODUCT(slices)
#endif
#endif

static void multiply(const std::string &plan, dim3 grid, dim3 block,
                     const float *a, const float *b, float *c, int m, int n,
                     int k) {
  if (plan == "large")
    large<<<grid, block>>>(a, b, c, m, n, k);
#ifndef FEW
  if (plan == "product")
    product<<<grid, block>>>(a, b, c, m, n, k);
#ifndef SECOND
  if (plan == "tall")
    tall<<<grid, block>>>(a, b, c, m, n, k);
  if (plan == "turns")
    turns<<<grid, block>>>(a, b, c, m, n, k);
  if (plan == "skinny")
    skinny<<<grid, block>>>(a, b, c, m, n, k);
  if (plan == "slices")
    slices<<<grid, block>>>(a, b, c, m, n, k);
#endif
#endif
}

enum Kind { plain, wide, special, ties };
static const char *const names[] = {"", ", magnitudes far apart", ", special",
                                    ", ties"};

static unsigned state = 1;
static unsigned draw() {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}
static float element(Kind kind, int row, int i, bool is_b) {
  if (kind == ties && i > 0)
    return 0;
  if (kind == ties) // halfway between two numbers of 11 bits, and beside that
    return is_b ? 1.0f
                : 1 + std::ldexp(float(row), -11) +
                      (row > 3 ? std::ldexp(1.0f, -20) : 0.0f);
  float x = float(int(draw())) / 8388608.0f - 1;
  if (kind == wide)
    x = std::ldexp(x, int(draw() % 60) - 30);
  if (kind == special && draw() % 512 == 0)
    x = draw() % 3 ? std::copysign(INFINITY, x) : NAN;
  return x;
}

/// To 11 bits, to the nearest, ties to even.
static double rounded(double x) {
  const double step = std::ldexp(1.0, std::ilogb(x) - 10);
  return std::nearbyint(x / step) * step;
}

static float *matrix(int elements) {
  float *x;
  cudaMallocManaged(&x, elements * sizeof(float));
  return x;
}
static void fill(float *a, float *b, int m, int n, int k, Kind kind) {
  for (int row = 0; row < m; ++row)
    for (int i = 0; i < k; ++i)
      a[A_AT(row, i, m, k)] = element(kind, row, i, false);
  for (int col = 0; col < n; ++col)
    for (int i = 0; i < k; ++i)
      b[B_AT(i, col, k, n)] = element(kind, col, i, true);
}
struct Sum {
  double value = 0, magnitude = 0;
};
static Sum sum_of(const float *a, const float *b, int row, int col, int m,
                  int n, int k) {
  Sum sum;
  for (int i = 0; i < k; ++i) {
    const double product =
        double(a[A_AT(row, i, m, k)]) * b[B_AT(i, col, k, n)];
    sum.value += product;
    sum.magnitude += std::fabs(product);
  }
  return sum;
}
static bool is_near(double is, double value, double magnitude) {
  return std::isnan(value)   ? std::isnan(is)
         : std::isinf(value) ? is == value
                             : std::fabs(is - value) <= 1.1e-3 * magnitude;
}

static bool is_right(const std::string &plan, int m, int n, int k, Kind kind) {
  float *a = matrix(m * k), *b = matrix(k * n), *c = matrix(m * n);
  fill(a, b, m, n, k, kind);
  const dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
  multiply(plan, grid, block, a, b, c, m, n, k);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return false;
  bool right = true;
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      const Sum sum = sum_of(a, b, row, col, m, n, k);
      const float is = c[row * n + col];
      right &= kind == ties ? is == rounded(sum.value)
                            : is_near(is, sum.value, sum.magnitude);
    }
  printf("%dx%dx%d%s: %s\n", m, n, k, names[kind], right ? "right" : "WRONG");
  return right;
}

#ifndef FEW

/// A batch, with an epilogue that reads a vector and a matrix.
#pragma warpwright matmul precision(tf32)
__global__ void batched(const float *a, const float *b, float *c,
                        const float *bias, const float *residual, int m, int n,
                        int k) {
  ROW_AND_COL
  const int z = blockIdx.z;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum +=
        a[z * m * k + A_AT(row, i, m, k)] * b[z * n * k + B_AT(i, col, k, n)];
  const int at = (z * m + row) * n + col;
  c[at] = fmaxf(sum + bias[col], 0.0f) + residual[at];
}

/// An output that is contiguous along m.
#pragma warpwright matmul precision(tf32)
__global__ void columns(const float *a, const float *b, float *c, int m, int n,
                        int k) {
  ROW_AND_COL
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[A_AT(row, i, m, k)] * b[B_AT(i, col, k, n)];
  c[col * m + row] = sum;
}

/// Each thread stores its own elements.
#pragma warpwright matmul precision(tf32)
__global__ void doubles(const float *a, const float *b, double *c, int m, int n,
                        int k) {
  ROW_AND_COL
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[A_AT(row, i, m, k)] * b[B_AT(i, col, k, n)];
  c[row * n + col] = sum;
}

/// Two sums, whose common factor is the rows whether it lies across k or not.
#pragma warpwright matmul precision(tf32)
__global__ void sums(const float *a, const float *b, const float *d, float *c,
                     int m, int n, int k) {
  ROW_AND_COL
  float sum = 0, other = 0;
  for (int i = 0; i < k; ++i) {
    sum += a[A_AT(row, i, m, k)] * b[B_AT(i, col, k, n)];
    other += a[A_AT(row, i, m, k)] * d[B_AT(i, col, k, n)];
  }
  c[row * n + col] = sum - 2 * other;
}

static bool report(const char *name, bool right) {
  printf("%s: %s\n", name, right ? "right" : "WRONG");
  return right;
}

static bool more() {
  const int m = 132, n = 72, k = 168, batches = 3;
  float *a = matrix(batches * m * k), *b = matrix(batches * k * n),
        *d = matrix(k * n), *c = matrix(batches * m * n),
        *residual = matrix(batches * m * n), *bias = matrix(n),
        *a2 = matrix(m * k);
  double *wide_c;
  cudaMallocManaged(&wide_c, m * n * sizeof(double));
  for (int z = 0; z < batches; ++z)
    fill(a + z * m * k, b + z * k * n, m, n, k, plain);
  fill(a2, d, m, n, k, plain);
  for (int i = 0; i < batches * m * n; ++i)
    residual[i] = element(plain, 0, 0, false);
  for (int i = 0; i < n; ++i)
    bias[i] = element(plain, 0, 0, false);
  const dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
  bool all = true;
  const auto check = [&](const char *name, int of, auto is_right) {
    bool right = cudaDeviceSynchronize() == cudaSuccess;
    for (int z = 0; z < of; ++z)
      for (int row = 0; row < m; ++row)
        for (int col = 0; col < n; ++col)
          right &=
              is_right(z, row, col,
                       sum_of(a + z * m * k, b + z * k * n, row, col, m, n, k));
    all &= report(name, right);
  };
  batched<<<dim3(grid.x, grid.y, batches), block>>>(a, b, c, bias, residual, m,
                                                    n, k);
  check("batched", batches, [&](int z, int row, int col, const Sum &sum) {
    const int at = (z * m + row) * n + col;
    const double value = std::fmax(sum.value + bias[col], 0.0) + residual[at];
    return is_near(c[at], value, sum.magnitude);
  });
  columns<<<grid, block>>>(a, b, c, m, n, k);
  check("columns", 1, [&](int, int row, int col, const Sum &sum) {
    return is_near(c[col * m + row], sum.value, sum.magnitude);
  });
  doubles<<<grid, block>>>(a, b, wide_c, m, n, k);
  check("doubles", 1, [&](int, int row, int col, const Sum &sum) {
    return is_near(wide_c[row * n + col], sum.value, sum.magnitude);
  });
  sums<<<grid, block>>>(a, b, d, c, m, n, k);
  check("sums", 1, [&](int, int row, int col, const Sum &sum) {
    const Sum other = sum_of(a, d, row, col, m, n, k);
    return is_near(c[row * n + col], sum.value - 2 * other.value,
                   sum.magnitude + 2 * other.magnitude);
  });
  return all;
}

#endif

int main(int, char **argv) {
  const std::string plan = argv[1];
  bool right = true;
#ifndef FEW
  if (plan == "more")
    right = more();
  else
#endif
  {
    right &= is_right(plan, 268, 300, 136, plain);
    right &= is_right(plan, 40, 24, 4, plain);
    right &= is_right(plan, 133, 67, 147, plain);
    right &= is_right(plan, 72, 132, 264, wide);
    right &= is_right(plan, 140, 132, 100, special);
    right &= is_right(plan, 8, 8, 4, ties);
  }
  printf(right ? "PASS\n" : "FAIL\n");
  return right ? 0 : 1;
}

#if 0
//--- first.json
{"version": 2, "plans": [
  {"kernel": "large", "name": "large", "tile": [128, 256, 32], "stages": 3, "cluster": [2, 1], "precision": "tf32", "rows_turned": true},
  {"kernel": "tall", "name": "tall", "tile": [256, 64, 32], "stages": 3, "cluster": [1, 2], "precision": "tf32", "rows_turned": true},
  {"kernel": "turns", "name": "turns", "tile": [64, 96, 32], "stages": 3, "consumers": 2, "schedule": "pingpong", "precision": "tf32", "rows_turned": true},
  {"kernel": "skinny", "name": "skinny", "tile": [64, 32, 32], "stages": 2, "precision": "tf32", "rows_turned": true},
  {"kernel": "slices", "name": "slices", "tile": [64, 64, 32], "stages": 3, "slices": 3, "precision": "tf32", "rows_turned": true}]}
//--- few.json
{"version": 2, "plans": [
  {"kernel": "large", "name": "large", "tile": [128, 256, 32], "stages": 3, "cluster": [2, 1], "precision": "tf32", "rows_turned": true}]}
//--- second.json
{"version": 2, "plans": [
  {"kernel": "large", "name": "large", "tile": [256, 128, 32], "stages": 3, "cluster": [1, 2], "swap_ab": true, "precision": "tf32", "rows_turned": true}]}
//--- end
#endif
