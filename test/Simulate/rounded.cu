// A float kernel with precision(tf32) whose operands both lie along k, in the
// simulator: TMA rounds what it copies, and wgmma multiplies that. Its results
// against double, where rows have a pitch that TMA reads and where they are
// copied first, for every kind of plan; rounded products themselves, ties among
// them; and what becomes of a result where nobody rounds.
//
// RUN: split-file %s %t
// RUN: %warpwright sim --build-only --keep=%t.all --plan=%t/plans.json %s
// RUN: %warpwright sim --run=%t.all --schedules=2 -- large 2>&1 | %FileCheck %s
// RUN: %warpwright sim --run=%t.all --threads=1 -- turns 2>&1 | %FileCheck %s
// RUN: %warpwright sim --run=%t.all --threads=1 -- skinny 2>&1 | %FileCheck %s
// RUN: %warpwright sim --run=%t.all --threads=1 -- slices 2>&1 | %FileCheck %s
// RUN: %warpwright sim --run=%t.all --threads=1 -- promoted 2>&1 | %FileCheck %s
// RUN: %warpwright sim --run=%t.all --threads=1 -- product 2>&1 | %FileCheck %s
// CHECK: 268x300x136: right
// CHECK: 40x24x4: right
// CHECK: 133x67x147: right
// CHECK: 72x132x264, magnitudes far apart: right
// CHECK: 140x132x100, special: right
// CHECK: 8x8x4, ties: right
// CHECK: PASS
//
// RUN: %warpwright rewrite --plan=%t/few.json %s -o %t.cu -- -DFEW
// RUN: %FileCheck --check-prefix=TEXT %s < %t.cu
// TEXT: products: TMA rounds elements to nearest as it copies them
// TEXT: rounded_by_tma = true
//
// The tensor cores drop the bits that TMA has not rounded.
// RUN: %edit_runtime %t.not.rt tensor_map.cuh 's/tensor_map_type(array.type, rounded)/tensor_map_type(array.type)/'
// RUN: not %warpwright sim --threads=1 -DFEW %t.cu -I%t.not.rt -- large > %t.not 2>&1
// RUN: %FileCheck --check-prefix=NOT %s < %t.not
// NOT: 8x8x4, ties: WRONG
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>
#include <string>

#define PRODUCT(NAME)                                                          \
  __global__ void NAME(const float *a, const float *b, float *c, int m, int n, \
                       int k) {                                                \
    const int row = blockIdx.y * blockDim.y + threadIdx.y;                     \
    const int col = blockIdx.x * blockDim.x + threadIdx.x;                     \
    if (row >= m || col >= n)                                                  \
      return;                                                                  \
    float sum = 0;                                                             \
    for (int i = 0; i < k; ++i)                                                \
      sum += a[row * k + i] * b[col * k + i];                                  \
    c[row * n + col] = sum;                                                    \
  }

// One for each plan, by its name.
#pragma warpwright matmul precision(tf32)
PRODUCT(large)
#ifndef FEW // what it takes to meet the mistake
#pragma warpwright matmul precision(tf32)
PRODUCT(turns)
#pragma warpwright matmul precision(tf32)
PRODUCT(skinny)
#pragma warpwright matmul precision(tf32)
PRODUCT(slices)
#pragma warpwright matmul precision(tf32)
PRODUCT(promoted)
#pragma warpwright matmul precision(tf32)
PRODUCT(product)
#endif

static void multiply(const std::string &plan, dim3 grid, dim3 block,
                     const float *a, const float *b, float *c, int m, int n,
                     int k) {
  if (plan == "large")
    large<<<grid, block>>>(a, b, c, m, n, k);
#ifndef FEW
  if (plan == "turns")
    turns<<<grid, block>>>(a, b, c, m, n, k);
  if (plan == "skinny")
    skinny<<<grid, block>>>(a, b, c, m, n, k);
  if (plan == "slices")
    slices<<<grid, block>>>(a, b, c, m, n, k);
  if (plan == "promoted")
    promoted<<<grid, block>>>(a, b, c, m, n, k);
  if (plan == "product")
    product<<<grid, block>>>(a, b, c, m, n, k);
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

static bool is_right(const std::string &plan, int m, int n, int k, Kind kind) {
  float *a, *b, *c;
  cudaMallocManaged(&a, m * k * sizeof(float));
  cudaMallocManaged(&b, k * n * sizeof(float));
  cudaMallocManaged(&c, m * n * sizeof(float));
  for (int i = 0; i < m * k; ++i)
    a[i] = element(kind, i / k, i % k, false);
  for (int i = 0; i < n * k; ++i)
    b[i] = element(kind, i / k, i % k, true);
  const dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
  multiply(plan, grid, block, a, b, c, m, n, k);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return false;
  bool right = true;
  for (int row = 0; row < m; ++row)
    for (int col = 0; col < n; ++col) {
      double sum = 0, magnitude = 0;
      for (int i = 0; i < k; ++i) {
        const double product = double(a[row * k + i]) * b[col * k + i];
        sum += product;
        magnitude += std::fabs(product);
      }
      const float is = c[row * n + col];
      right &= kind == ties      ? is == rounded(sum)
               : std::isnan(sum) ? std::isnan(is)
               : std::isinf(sum) ? is == sum
                                 : std::fabs(is - sum) <= 1.1e-3 * magnitude;
    }
  printf("%dx%dx%d%s: %s\n", m, n, k, names[kind], right ? "right" : "WRONG");
  return right;
}

int main(int, char **argv) {
  const std::string plan = argv[1];
  bool right = is_right(plan, 268, 300, 136, plain);
  right &= is_right(plan, 40, 24, 4, plain);
  right &= is_right(plan, 133, 67, 147, plain);
  right &= is_right(plan, 72, 132, 264, wide);
  right &= is_right(plan, 140, 132, 100, special);
  right &= is_right(plan, 8, 8, 4, ties);
  printf(right ? "PASS\n" : "FAIL\n");
  return right ? 0 : 1;
}

#if 0
//--- plans.json
{"version": 2, "plans": [
  {"kernel": "large", "name": "large", "tile": [128, 256, 32], "stages": 3, "cluster": [2, 1], "precision": "tf32", "rounded_by_tma": true},
  {"kernel": "turns", "name": "turns", "tile": [64, 96, 32], "stages": 3, "consumers": 2, "schedule": "pingpong", "precision": "tf32", "rounded_by_tma": true},
  {"kernel": "skinny", "name": "skinny", "tile": [32, 64, 32], "stages": 5, "swap_ab": true, "precision": "tf32", "rounded_by_tma": true},
  {"kernel": "slices", "name": "slices", "tile": [64, 64, 32], "stages": 3, "slices": 3, "precision": "tf32", "rounded_by_tma": true},
  {"kernel": "promoted", "name": "promoted", "tile": [64, 64, 32], "stages": 4, "multiply": "promoted", "precision": "tf32", "rounded_by_tma": true}]}
//--- few.json
{"version": 2, "plans": [
  {"kernel": "large", "name": "large", "tile": [128, 256, 32], "stages": 3, "cluster": [2, 1], "precision": "tf32", "rounded_by_tma": true}]}
//--- end
#endif
