// WARPWRIGHT_VERIFY=1 allows for operands that precision(tf32) rounds to 11 bits,
// and only for those.
//
// RUN: env WARPWRIGHT_VERIFY=1 %warpwright sim --threads=1 %s > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// CHECK-NOT: DIFFERS
// CHECK: warpwright: product: verify: c agrees: max difference {{.*}}, normwise 0.000{{[1-9]}}
// CHECK-NOT: DIFFERS
//
// Rounded by TMA, where both operands lie along k.
// RUN: env WARPWRIGHT_VERIFY=1 %warpwright sim --threads=1 -DALONG_K %s > %t.tma 2>&1
// RUN: FileCheck %s < %t.tma
//
// RUN: %warpwright rewrite %s -o %t.cu
// RUN: %edit_runtime %t.not.rt launch_plan.cuh 's/problem.sum_tolerance = .*;/;/'
// RUN: env WARPWRIGHT_VERIFY=1 %warpwright sim --threads=1 %t.cu -I%t.not.rt > %t.not 2>&1
// RUN: FileCheck --check-prefix=NOT-TOLD %s < %t.not
// RUN: %warpwright rewrite %s -o %t.along.cu -- %parse -DALONG_K
// RUN: FileCheck --check-prefix=TMA %s < %t.along.cu
// TMA: rounded_by_tma = true
// RUN: env WARPWRIGHT_VERIFY=1 %warpwright sim --threads=1 -DALONG_K %t.along.cu -I%t.not.rt > %t.along 2>&1
// RUN: FileCheck --check-prefix=NOT-TOLD %s < %t.along
// NOT-TOLD: warpwright: product: verify: c DIFFERS: max difference
#include <cuda_runtime.h>

#ifdef ALONG_K
#define B(i, col) b[col * k + i]
#else
#define B(i, col) b[i * n + col]
#endif

#pragma warpwright matmul tile(64, 64, 32) precision(tf32)
__global__ void product(const float *a, const float *b, float *c, int m, int n,
                        int k) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n)
    return;
  float sum = 0;
  for (int i = 0; i < k; ++i)
    sum += a[row * k + i] * B(i, col);
  c[row * n + col] = sum;
}

int main() {
  const int size = 64;
  float *x[3];
  unsigned state = 1;
  for (float *&array : x) {
    cudaMallocManaged(&array, size * size * sizeof(float));
    for (int i = 0; i < size * size; ++i) {
      // The sum of four draws: nearly normal.
      array[i] = -2;
      for (int draw = 0; draw < 4; ++draw) {
        state = state * 1664525u + 1013904223u;
        array[i] += float(state >> 8) / 16777216.0f;
      }
    }
  }
  product<<<dim3(4, 4), dim3(16, 16)>>>(x[0], x[1], x[2], size, size, size);
  return cudaDeviceSynchronize() != cudaSuccess;
}
