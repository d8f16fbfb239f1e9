// Recursion and local arrays in device code.
// RUN: %warpwright sim %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

__device__ unsigned long long fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__device__ int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__device__ void quicksort(int *v, int low, int high) {
  if (low >= high)
    return;
  const int pivot = v[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (v[i] < pivot)
      ++i;
    while (v[j] > pivot)
      --j;
    if (i <= j) {
      const int t = v[i];
      v[i++] = v[j];
      v[j--] = t;
    }
  }
  quicksort(v, low, j);
  quicksort(v, i, high);
}

__global__ void run(unsigned long long *f, int *a, int *sorted) {
  const int i = threadIdx.x;
  f[i] = fibonacci(i);
  int local[20];
  for (int k = 0; k < 20; ++k)
    local[k] = (k * 7 + i) % 20;
  quicksort(local, 0, 19);
  int ok = 1;
  for (int k = 0; k < 20; ++k)
    ok &= local[k] == k;
  sorted[i] = ok;
  if (i == 0)
    *a = ackermann(2, 3);
}

int main() {
  Device<unsigned long long> f(16);
  Device<int> a(1), sorted(16);
  run<<<1, 16>>>(f, a, sorted);
  CUDA(cudaDeviceSynchronize());
  std::vector<unsigned long long> got(16);
  f.get(got.data());
  unsigned long long x = 0, y = 1;
  for (int i = 0; i < 16; ++i) {
    EXPECT(got[i] == x);
    const unsigned long long z = x + y;
    x = y;
    y = z;
  }
  int value, oks[16];
  a.get(&value);
  sorted.get(oks);
  EXPECT(value == 9);
  for (int ok : oks)
    EXPECT(ok);
  return verdict();
}
