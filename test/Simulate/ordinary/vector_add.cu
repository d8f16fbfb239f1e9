// Vectors added by a grid-stride loop, sizes that fill no block. Some editors
// write launches in this way.
// RUN: %warpwright sim %s | FileCheck %s
// RUN: %warpwright sim -std=c++14 %s | FileCheck %s
// CHECK: PASS
#include "ordinary.h"
#include <vector>

__global__ void add(const float *a, const float *b, float *c, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    c[i] = a[i] + b[i];
}

int main() {
  for (int n : {1, 31, 1000, 4097}) {
    std::vector<float> a(n), b(n), c(n, -1);
    for (int i = 0; i < n; ++i) {
      a[i] = i * 0.5f;
      b[i] = 1.0f / (i + 1);
    }
    Device<float> da(a.data(), n), db(b.data(), n), dc(n);
    add << <3, 128 >> > (da, db, dc, n);
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    dc.get(c.data());
    for (int i = 0; i < n; ++i)
      EXPECT(c[i] == a[i] + b[i]);
  }
  return verdict();
}
